"""Comparisons of real strategies: what is paired, what it is worth, how it ends and goes on."""

from __future__ import annotations

import numpy as np
import pytest

import simulate
from simulate import comparison, runner, stats
from simulate.errors import InputError
from simulate.napalm import batch
from simulate.stats import SequentialTest
from strategies import parse_line_up

GAMES = 3_000
LOOSE = "threshold:stage1=0.75"


@pytest.fixture
def compare(tmp_path):
    """Compare thresholds in a folder of the test's own."""

    def run(first=LOOSE, second="threshold", game="napalm", **options):
        options = {"games": GAMES, "threads": 1, "out": tmp_path, **options}
        return simulate.compare(game, first, second, **options)

    return run


def by_slot(specs, games=GAMES, players=5):
    """Play a line-up, and return nets and wins by slot, read from the rows alone."""
    job = batch.prepare(simulate.choose_rules("napalm"), parse_line_up(specs, "napalm"), 1)
    rows = batch.play(job, 0, games, "games").rows
    nets, wins = np.zeros((2, games, players), dtype=int)
    for game in range(games):
        for seat in range(players):
            slot = rows[f"slot_{seat}"][game]
            nets[game, slot] = rows[f"net_{seat}"][game]
            wins[game, slot] = rows["winner"][game] == seat
    return {"net": nets, "wins": wins}


def test_in_a_field_each_takes_the_same_seat(compare):
    found = compare(field="bluffer")
    here, there = (by_slot([spec, "bluffer*4"]) for spec in (LOOSE, "threshold"))
    for measure in ("net", "wins"):
        a, b = here[measure][:, 0], there[measure][:, 0]
        expected = stats.paired_interval(stats.PairSums.of(a, b))
        assert found.results[measure]["difference"] == pytest.approx(expected)
        assert found.results[measure]["first"].value == pytest.approx(a.mean())
        assert found.results[measure]["second"].value == pytest.approx(b.mean())
        assert found.differing[measure] == np.count_nonzero(a != b)
        d = a - b
        assert found.worth[measure] == pytest.approx((a.var() + b.var()) / d.var())


def test_at_one_table_each_takes_the_others_seats(compare):
    found = compare(players=5)
    here = by_slot([LOOSE, "threshold", LOOSE, "threshold", LOOSE])
    there = by_slot(["threshold", LOOSE, "threshold", LOOSE, "threshold"])
    even, odd = [0, 2, 4], [1, 3]
    for measure in ("net", "wins"):
        first = [here[measure][:, even].sum(axis=1), there[measure][:, odd].sum(axis=1)]
        second = [here[measure][:, odd].sum(axis=1), there[measure][:, even].sum(axis=1)]
        a, b = (first[0] + first[1]) / 5, (second[0] + second[1]) / 5
        expected = stats.mean_interval(GAMES, (a - b).sum(), ((a - b) ** 2).sum())
        assert found.results[measure]["difference"] == pytest.approx(expected)
        assert found.results[measure]["first"].value == pytest.approx(a.mean())
        apart = [(first[0] - second[0]) / 5, (first[1] - second[1]) / 5]
        worth = (apart[0].var() + apart[1].var()) / (a - b).var()
        assert found.worth[measure] == pytest.approx(worth)
    assert found.results["net"]["first"].value == -found.results["net"]["second"].value


def test_the_field_takes_the_other_seats_in_turn():
    rules = simulate.choose_rules("napalm")
    sides, field = (
        parse_line_up(["tight", "pair"], "napalm"),
        parse_line_up(["never", "always"], "napalm"),
    )
    tables = comparison.lay_out(rules, sides, field, 6).tables
    assert [[s.name for s in table.line_up] for table in tables] == [
        [name, "never", "always", "never", "always", "never"] for name in ("tight", "pair")
    ]


def test_turned_round_the_difference_changes_its_sign(compare):
    one, other = compare(field="bluffer"), compare("threshold", LOOSE, field="bluffer")
    assert one.difference.value == -other.difference.value
    assert one.worth == pytest.approx(other.worth)


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("value", [0.75, 0.85])
def test_pairing_is_worth_at_least_five_times_as_many_games(compare, stage, value):
    """One stage's threshold moved by 0.05 in a field at 0.80, net stakes, five players."""
    found = compare(f"threshold:stage{stage}={value}", field="threshold", games=20_000)
    assert found.worth["net"] >= 5


def test_threads_leave_no_trace(compare, tmp_path):
    one = compare(games=30_000, threads=1, out=tmp_path / "one")
    two = compare(games=30_000, threads=2, out=tmp_path / "two")
    assert one.results == two.results
    assert simulate.load(one.path).signature == simulate.load(two.path).signature


def test_noddy_is_compared_by_games_won(tmp_path):
    found = simulate.compare("noddy", "hoarder", "highest", rules="hold", games=4_000, out=tmp_path)
    assert found.stop.measure == "wins"
    assert found.difference.low > 0
    shares = [found.results["wins"][side].value for side in ("first", "second")]
    assert sum(shares) == pytest.approx(1.0)
    assert found.sentence.startswith("hoarder is better than highest by ")
    assert found.sentence.endswith("% of the games.")


def test_it_ends_at_its_precision(compare):
    found = compare(field="threshold", games=200_000, precision=0.1)
    assert found.difference.margin <= 0.1
    assert found.games < 200_000
    assert f"after {found.games:,} games, at the precision of 0.1" in found.ending
    short = compare(field="threshold", games=1_000, precision=0.001)
    assert short.games == 1_000
    assert "the precision of 0.001 was not reached" in short.ending


def test_it_ends_when_the_test_has_decided(compare):
    test = SequentialTest(0.0, 0.5)
    found = compare("threshold:stage1=0.9", field="threshold", games=100_000, test=test)
    assert (found.decision, found.games) == ("null", 1_000)
    assert "decided after 1,000 games for a difference of 0 against 0.5" in found.ending
    turned = compare(
        "threshold", "threshold:stage1=0.9", field="threshold", games=100_000, test=test
    )
    assert turned.decision == "alternative"
    assert turned.sentence.startswith("threshold is better than threshold:stage1=0.9 by ")


def test_a_test_that_never_decides_ends_with_the_last_game(compare):
    found = compare(field="threshold", games=1_500, test=SequentialTest(0.10, 0.12))
    assert (found.decision, found.games) == (None, 1_500)
    assert "the test has not decided" in found.ending


def test_after_a_test_every_interval_allows_for_its_early_end(compare):
    """The intervals hold more than those that know nothing of the test."""
    found = compare(
        "threshold:stage1=0.6", field="threshold", games=50_000, test=SequentialTest(0, 1)
    )
    plain = compare("threshold:stage1=0.6", field="threshold", games=found.games)
    looks = stats.look_schedule(50_000)
    sums = comparison.sums_in(simulate.load(plain.path))["pairs"]
    pairs = comparison.Reading(("net", "wins"), True, 5).pairs(sums, "net")
    looked = looks[: looks.index(found.games) + 1]
    expected = stats.sequential_interval(SequentialTest(0, 1), looked, pairs.a - pairs.b, pairs.dd)
    assert found.difference == pytest.approx(expected)
    for measure, what in [("wins", "difference"), ("net", "first"), ("wins", "second")]:
        after, before = found.results[measure][what], plain.results[measure][what]
        assert after.error == pytest.approx(before.error, rel=0.1)
        assert after.margin >= before.margin * 0.99


def test_strategies_that_play_alike_are_refused_with_a_sentence(compare):
    with pytest.raises(stats.TooFewGamesError, match="only 0 of 3000 pairs came out differently"):
        compare("threshold", "threshold:stage1=0.8001")


def test_a_measure_that_hardly_differs_is_left_out(compare):
    found = compare("threshold:stage3=0.78", field="threshold", games=3_000)
    assert found.differing["wins"] < 50 <= found.differing["net"]
    assert found.results["wins"]["difference"] is None
    assert found.results["wins"]["first"] is not None


def test_what_cannot_be_told_apart_is_said_so(compare):
    sentence = compare("threshold:stage3=0.75", field="threshold").sentence
    assert sentence.startswith("threshold:stage3=0.75 and threshold cannot be told apart: ")


def test_the_same_question_again_is_only_read(compare, monkeypatch):
    before = compare()
    monkeypatch.setattr(batch, "play", None)
    assert compare() == before


@pytest.mark.parametrize("options", [{}, {"field": "threshold", "precision": 0.2}])
def test_interrupted_it_goes_on_from_its_folder(compare, monkeypatch, tmp_path, options):
    whole = compare(games=50_000, out=tmp_path / "whole", **options)
    monkeypatch.setattr(comparison, "PART_GAMES", 20_000)
    monkeypatch.setattr(comparison, "SMALLEST_SLICE", 500)
    play, calls = batch.play, []

    def interrupted(*words):
        calls.append(words)
        if len(calls) == 9:
            raise KeyboardInterrupt
        return play(*words)

    monkeypatch.setattr(batch, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(games=50_000, out=tmp_path / "cut", **options)
    monkeypatch.setattr(batch, "play", play)
    [folder] = (tmp_path / "cut").iterdir()
    again = comparison.reopen(folder).answer(folder)
    assert again.results == whole.results
    assert again.games == whole.games


def test_a_folder_begun_with_another_strategy_is_refused(tmp_path, monkeypatch):
    bot = tmp_path / "bot.toml"
    text = 'about = "a"\n[[rule]]\nthreshold = {}\n'
    bot.write_text(text.format(0.7), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = simulate.compare("napalm", "bot.toml", "threshold", games=1_000, out="out")
    bot.write_text(text.format(0.6), encoding="utf-8")
    with pytest.raises(InputError, match=r"was begun otherwise: strategies\.0\.source: "):
        comparison.reopen(found.path)


def test_a_folder_of_another_kind_is_refused(tmp_path):
    run = simulate.run(
        "napalm", games=300, strategies=["never*4"], rules={"max_deals": 2}, out=tmp_path
    )
    with pytest.raises(InputError, match="is a run, no compare: simulate run --resume"):
        comparison.reopen(run.path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"second": LOOSE}, "a comparison needs two strategies"),
        ({"second": "threshold*2"}, "a comparison needs two strategies"),
        ({"second": "thresold"}, "did you mean 'threshold'"),
        ({"second": "threshold:stag1=0.7"}, "did you mean 'stage1'"),
        ({"players": 3}, "players 3: napalm takes 4 to 7"),
        ({"precision": 0}, "precision 0 is not a number above 0"),
        ({"precision": -0.1}, "precision -0.1 is not a number above 0"),
        ({"precision": 0.1, "test": SequentialTest(0, 1)}, "only one can end it"),
        ({"measure": "score"}, "unknown measure of napalm 'score'"),
        ({"games": 0}, "games 0 is not a whole number"),
        ({"games": 100}, "100 games are too few"),
        ({"games": 500, "precision": 0.1}, "500 games are too few for a sequential test"),
        ({"seed": -1}, "seed -1 is not a whole number"),
        ({"game": "nodd"}, "did you mean 'noddy'"),
        ({"field": "hoarder"}, "unknown napalm strategy 'hoarder'|unknown strategy"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(compare, options, words):
    with pytest.raises(InputError, match=words):
        compare(**options)


def test_a_document_is_plain_json(compare):
    import json

    document = compare().document()
    assert json.loads(json.dumps(document)) == json.loads(json.dumps(document))
    assert document["results"]["net"]["difference"]["n"] == GAMES
    assert runner.PROBE > 1
