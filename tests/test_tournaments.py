"""Tournaments: rounds in all seatings, rankings with groups, and the cross table."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import simulate
from simulate import tournaments
from simulate.errors import InputError
from simulate.napalm import batch
from strategies import parse_line_up

SIX = ["threshold", "threshold:stage1=0.7", "threshold:stage1=0.9", "always", "never", "positional"]


@pytest.fixture
def tournament(tmp_path):
    def run(strategies=SIX, game="napalm", **options):
        options = {"games": 8_000, "threads": 1, "out": tmp_path, **options}
        return simulate.tournament(game, strategies, **options)

    return run


def play_rounds(specs, start, stop):
    """Play rounds of one table in all its seatings; return the sum of nets by member."""
    rules, line_up = simulate.choose_rules("napalm"), parse_line_up(specs, "napalm")
    seats = len(specs)
    total = np.zeros((stop - start, seats), dtype=int)
    job = batch.prepare(rules, line_up, 1)
    orders = job.plan[::seats]
    for game in range(start, stop):
        for turn in range(seats):
            order = np.roll(orders[game % len(orders)], -turn)
            one = job._replace(plan=order[None, :].astype(np.int8))
            rows = batch.play(one, game, game + 1, "games").rows
            for seat in range(seats):
                total[game - start, order[seat]] += rows[f"net_{seat}"][0]
    return total


def test_a_round_is_one_deal_in_all_seatings(tournament):
    found = tournament()
    meetings = tournaments.ask("napalm", SIX, games=8_000)
    rounds = meetings.rounds
    asked = meetings.question
    played = tournaments.Meetings(
        asked.game, asked.rules, asked.players, asked.seed, meetings.tables, rounds
    )
    assert found.tables == [tuple(table) for table in combinations(SIX, 5)]
    results = played.results(2, 2 * rounds, 2 * rounds + 6)["net"]
    table = [SIX[member] for member in meetings.tables[2]]
    assert np.array_equal(results, play_rounds(table, 2 * rounds, 2 * rounds + 6))


def test_money_stays_at_the_table_and_everybody_sits_equally_often(tournament):
    found = tournament()
    assert found.games == 8_000 // 30 * 30
    assert found.ranking["net"].sum() == pytest.approx(0, abs=1e-9)
    assert found.ranking["wins"].mean() == pytest.approx(1 / 5, abs=1e-9)
    assert sorted(found.ranking["strategy"]) == sorted(SIX)
    assert found.ranking["net"].is_monotonic_decreasing


def test_the_cross_table_is_half_of_what_results_differ_by(tournament):
    found = tournament(["threshold", "always"], players=4)
    ranking = found.ranking.set_index("strategy")["net"]
    cross = found.cross.set_index(["strategy", "opponent"])
    gain = cross.loc[("threshold", "always"), "gain"]
    assert gain == pytest.approx((ranking["threshold"] - ranking["always"]) / 2)
    assert cross.loc[("always", "threshold"), "gain"] == pytest.approx(-gain)
    high, low = cross["gain_high"], cross["gain_low"]
    assert high[("threshold", "always")] == pytest.approx(-low[("always", "threshold")])


def test_intervals_hold_what_many_games_come_to(tournament):
    """Eight independent tournaments around the mean of a large one."""
    large = tournament(games=300_000, threads=2).ranking.set_index("strategy")
    hits = []
    for seed in range(2, 10):
        small = tournament(games=8_000, seed=seed).ranking.set_index("strategy").loc[large.index]
        hits.append((small["net_low"] <= large["net"]) & (large["net"] <= small["net_high"]))
    assert np.mean(hits) >= 0.85
    width = small["net_high"] - small["net_low"]
    ratio = width / (large["net_high"] - large["net_low"])
    assert np.all(np.abs(ratio / np.sqrt(300_000 / 8_000) - 1) < 0.15)


def test_letters_part_what_can_be_told_apart(tournament):
    found = tournament(games=40_000).ranking.set_index("strategy")["group"]
    assert not set(found["never"]) & set(found["threshold"])
    near = ["threshold:stage3=0.8", "threshold:stage3=0.8001", "never"]
    close = tournament(["threshold", *near[1:]], games=4_000).ranking.set_index("strategy")["group"]
    assert close["threshold"] == close["threshold:stage3=0.8001"] != close["never"]


def test_two_that_play_alike_share_first_place(tournament):
    found = tournament(["threshold", "threshold:stage3=0.8001", "never"], games=4_000)
    assert "cannot be told from it: threshold" in found.sentence
    assert tournament(["always", "never"], players=4).sentence.count("all others are worse") == 1


def test_threads_and_parts_leave_no_trace(tournament, tmp_path, monkeypatch):
    whole = tournament()
    monkeypatch.setattr(tournaments, "PART_GAMES", 2_000)
    monkeypatch.setattr(tournaments, "SLICE_ROUNDS", 100)
    parts = tournament(threads=2, out=tmp_path / "parts")
    pd.testing.assert_frame_equal(parts.ranking, whole.ranking)
    pd.testing.assert_frame_equal(parts.cross, whole.cross)
    assert len(list(parts.path.glob("totals-*.parquet"))) > 1


def test_interrupted_it_goes_on_from_its_folder(tournament, monkeypatch, tmp_path):
    monkeypatch.setattr(tournaments, "PART_GAMES", 2_000)
    monkeypatch.setattr(tournaments, "SLICE_ROUNDS", 100)
    whole = tournament()
    play, calls = batch.play, []

    def interrupted(*words):
        calls.append(words)
        if len(calls) == 60:
            raise KeyboardInterrupt
        return play(*words)

    monkeypatch.setattr(batch, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tournament(out=tmp_path / "cut")
    monkeypatch.setattr(batch, "play", play)
    [folder] = (tmp_path / "cut").iterdir()
    again = tournaments.reopen(folder).answer(folder)
    pd.testing.assert_frame_equal(again.ranking, whole.ranking)


def test_noddy_for_two_is_everybody_against_everybody(tmp_path):
    names = ["first", "highest", "hoarder"]
    found = simulate.tournament("noddy", names, games=3_000, rules="hold", out=tmp_path)
    assert found.measure == "wins"
    assert found.tables == list(combinations(names, 2))
    assert len(found.cross) == 6


def test_a_folder_stands_for_the_strategies_in_it(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, cut in (("one", 0.6), ("two", 0.8)):
        text = f'about = "a"\n[[rule]]\nthreshold = {cut}\n'
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("no strategy", encoding="utf-8")
    (folder / "_draft.toml").write_text("nor this", encoding="utf-8")
    entrants = tournaments.choose_entrants("napalm", [folder, "never"])
    assert [entrant.name for entrant in entrants] == ["one", "two", "never"]


def test_all_built_ins_take_part_when_nobody_is_named():
    names = {strategy.name for strategy in tournaments.built_ins("napalm")}
    assert {"threshold", "tight", "bluffer"} <= names


def test_a_document_is_plain_json(tournament):
    document = json.loads(json.dumps(tournament().document()))
    assert [row["strategy"] for row in document["ranking"]][-1]
    assert len(document["cross"]) == 30


@pytest.mark.parametrize(
    ("strategies", "options", "words"),
    [
        (["tight"], {}, "only 'tight' in a tournament: 2 to 100"),
        ([], {}, "0 strategies in a tournament"),
        (["tight", "pair", "tight"], {}, "strategy 'tight' takes part twice"),
        (["tight*3"], {}, "strategy 'tight' takes part twice"),
        (["threshold", "threshold:stage1=0.8"], {}, "strategy 'threshold' takes part twice"),
        (["tight", "pear"], {}, "did you mean 'pair'"),
        (SIX, {"games": 100}, r"6 strategies make 6 tables.* at least 6,000 games are needed"),
        (SIX, {"games": "many"}, "games many is not a whole number"),
        (SIX, {"players": 8}, "players 8: napalm takes 4 to 7"),
        (SIX, {"measure": "score"}, "unknown measure of napalm"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(tournament, strategies, options, words):
    with pytest.raises(InputError, match=words):
        tournament(strategies, **options)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"has no \.py or \.toml strategy in it"):
        tournaments.choose_entrants("napalm", [tmp_path])
