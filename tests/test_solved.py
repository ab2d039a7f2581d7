"""Strategies that are tables of a solver: read, refused, and the same answers everywhere."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace

import numpy as np
import pytest
from sizes import size

import strategies
import strategies.check
from simulate.cli import main
from simulate.errors import InputError
from simulate.napalm import batch
from simulate.napalm.ranking import hand_class
from simulate.napalm.rules import make_rules
from simulate.napalm.strength import bucket_names
from strategies.solved import (
    ARRAYS,
    FULL,
    Solved,
    file_bytes,
    hand_names,
    read_solved,
    shapes,
    two_cards,
)

ABOUT = {"game": "napalm", "deals": 8192, "nash_conv": 0.01, "nash_conv_error": 0.001}
SHIPPED = [s.spec for s in strategies.solved("napalm") if isinstance(s.solved, Solved)]


def made_up(n, second=7, third=5, seed=1):
    """Make a table of chances, a third of them certain."""
    draw = np.random.default_rng(seed)
    arrays = {}
    for name, shape in shapes(n, second, third).items():
        chances = draw.integers(0, FULL + 1, shape)
        arrays[name] = np.choose(draw.integers(0, 6, shape), [0, FULL, *[chances] * 4]).astype("u1")
    edges = [np.sort(draw.random(classes - 1)) for classes in (second, third)]
    return Solved(about={"players": n, **ABOUT}, edges2=edges[0], edges3=edges[1], **arrays)


@pytest.fixture
def written(tmp_path):
    """Write a table for n players, and return its path."""

    def write(n, **changes):
        path = tmp_path / f"table-{n}.npz"
        path.write_bytes(file_bytes(replace(made_up(n), **changes)))
        return path

    return write


def test_a_table_is_read_back(written):
    path = written(5)
    strategy = strategies.load(path)
    assert (strategy.kind, strategy.game, strategy.players) == ("npz", "napalm", 5)
    assert (strategy.name, strategy.params) == ("table-5", {})
    assert strategy.about.startswith("One deal for money between 5, solved: from 8,192 deals;")
    for name in ARRAYS:
        assert np.array_equal(getattr(strategy.solved, name), getattr(made_up(5), name))
    assert file_bytes(strategy.solved) == path.read_bytes()  # the same table, the same bytes
    sent = pickle.loads(pickle.dumps(strategy))
    path.unlink()
    assert np.array_equal(sent.solved.third, strategy.solved.third)
    assert sent.source_hash == strategy.source_hash


def test_numpy_reads_it_alone(written):
    with np.load(written(4)) as found:
        assert sorted(found) == sorted([*ARRAYS, "about", "edges2", "edges3"])
        assert found["third"].shape == (16, 15, 5)
        assert '"players": 4' in str(found["about"])


def test_tables_for_pandas_say_what_the_arrays_hold():
    table = made_up(4)
    frame = table.table("third")
    assert list(frame) == ["position", "said2", "said", "heard", "strength", "yes"]
    assert len(frame) == table.third.size
    row = frame[(frame["position"] == 2) & (frame["said"] == 0b10) & (frame["said2"] == 0b1001)]
    assert row["heard"].tolist() == [1] * 5
    assert np.allclose(row["yes"] * FULL, table.third[0b1001, 0b11 + 0b10])
    assert row["strength"].tolist() == [0.0, *table.edges3]
    first = table.table("first").query("position == 0 and hand == 'AK'")
    assert first["yes"].tolist() == [table.first[0, two_cards(14, 13)] / FULL]
    with pytest.raises(InputError, match="unknown table 'frist': did you mean 'first'"):
        table.table("frist")


def test_hands_of_two_stand_in_order():
    hands = [(high, low) for high in range(2, 15) for low in range(2, high + 1)]
    cards = {hand: [(hand[0] - 2) * 4, (hand[1] - 2) * 4 + 1] for hand in hands}
    ranked = sorted(hands, key=lambda hand: hand_class(1, cards[hand]))
    assert [two_cards(*hand) for hand in ranked] == list(range(91))
    assert tuple(hand_names()) == bucket_names(1)


@pytest.mark.parametrize(
    ("n", "rules"),
    [
        (4, {}),
        (5, {"stage2.challenge": True, "stage1.ends_on_yes": False}),
        (6, {"wheel": True}),
        (7, {"preset": "tokens"}),
    ],
    ids=["stakes", "challenges", "wheel", "tokens"],
)
def test_the_kernel_answers_as_plain_python_does(n, rules, written, tmp_path):
    """Among functions, thresholds and another such table; over whole games."""
    other = tmp_path / "other.npz"
    other.write_bytes(file_bytes(made_up(n, 3, 11, seed=2)))
    line_up = strategies.parse_line_up(
        [written(n), other, "bluffer", "threshold", *["positional"] * (n - 4)], "napalm"
    )
    rules = dict(rules)
    chosen = make_rules(rules.pop("preset", "stakes"), rules)
    job = batch.prepare(chosen, line_up, 11)
    games = size(200, 3)
    for game, record in enumerate(batch.record(job, 0, games)):
        assert record == batch.replay(job, game)
    alone = batch.prepare(chosen, [line_up[0]] * n, 11)
    for game, record in enumerate(batch.record(alone, 0, games)):
        assert record == batch.replay(alone, game)


def test_it_plays_only_with_as_many_as_it_was_made_for(written):
    line_up = strategies.parse_line_up([f"{written(4)}*5"], "napalm")
    with pytest.raises(InputError, match=r"table-4.npz' is for 4 players, not for 5"):
        batch.prepare(make_rules("stakes"), line_up, 1)


def test_it_keeps_the_contract(written):
    assert strategies.check.check(written(4)) == []


def cut(data):
    return data[: len(data) // 2]


def without_first(_):
    stream = io.BytesIO()
    np.savez(stream, about=np.array("{}"))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (cut, "is no solved strategy"),
        (lambda _: b"", "is no solved strategy"),
        (lambda _: b"cards", "is no solved strategy"),
        (without_first, "is no solved strategy"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(change, words, written):
    path = written(4)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=words) as caught:
        strategies.load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"about": {"players": 5, **ABOUT}}, "its arrays do not fit each other"),
        ({"second": made_up(4).second.astype(float)}, "its arrays do not fit each other"),
        ({"edges2": np.array([0.5, 0.2, 0.6, 0.7, 0.8, 0.9])}, "do not fit each other"),
        ({"about": {"players": 4, "game": "napalm"}}, "is no solved strategy: 'deals'"),
        ({"about": {"players": 4, "format": 9, **ABOUT}}, "of format 9, this version reads"),
    ],
)
def test_tables_that_do_not_fit_are_refused(changes, words, written):
    path = written(4, **changes)
    with pytest.raises(InputError, match=words):
        read_solved(path, path.read_bytes())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("solved:napalm-9", "unknown strategy 'solved:napalm-9'"),
        ("solved:", "unknown strategy 'solved:'"),
        ("solved:napalm-4*x", "after '*' is not a number of players"),
        ("nowhere/table.npz", "does not exist"),
    ],
)
def test_names_that_lead_nowhere(spec, words):
    with pytest.raises(InputError) as caught:
        strategies.parse_line_up([spec], "napalm")
    assert words in str(caught.value)


def test_tables_come_with_the_package():
    assert [f"solved:napalm-{n}-deal" for n in (4, 5, 6, 7)] == SHIPPED
    with pytest.raises(InputError, match="is for napalm, not for noddy"):
        strategies.load(strategies.load(SHIPPED[0]).path, "noddy")


@pytest.mark.parametrize("spec", SHIPPED)
def test_they_are_what_their_names_say(spec):
    strategy = strategies.load(spec)
    table = strategy.solved
    assert spec == strategy.spec == f"solved:napalm-{table.n}-deal"
    assert table.about["nash_conv"] < 0.01
    assert table.about["reply_trained"] >= 800_000
    assert strategy.path.stat().st_size < 1 << 20
    # Who has heard nothing but No says Yes with a pair of aces, and not with seven and two.
    silent = table.first[[(1 << position) - 1 for position in range(table.n)]]
    assert np.all(silent[:, two_cards(14, 14)] > 0.95 * FULL)
    assert np.all(silent[:, two_cards(7, 2)] < 0.05 * FULL)
    job = batch.prepare(make_rules("stakes"), [strategy] * table.n, 3)
    for game, record in enumerate(batch.record(job, 0, size(30, 1))):
        assert record == batch.replay(job, game)


def chart(capsys, *words):
    code = main(["chart", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_chart_shows_the_hands_of_a_situation(written, capsys):
    table, path = made_up(4), written(4)
    code, out, _ = chart(capsys, path, "--position", 2, "--said", "1")
    head, _, ranks, *rows = out.splitlines()
    assert code == 0
    assert head == ("4 players, stage 1, position 2, Yes heard from 1: chance of Yes in per cent")
    assert ranks.split() == list("AKQJT98765432")
    assert [row.split()[0] for row in rows] == list("AKQJT98765432")
    shown = [0 if word == "." else int(word) for row in rows for word in row.split()[1:]]
    hands = [(high, low) for low in range(14, 1, -1) for high in range(14, low - 1, -1)]
    heard = table.first[0b11 + 0b10] / FULL
    assert shown == [round(100 * heard[two_cards(*hand)]) for hand in hands]


def test_a_chart_of_strengths_joins_what_is_alike(tmp_path, capsys):
    table = made_up(4)
    table.third[0b101, 0b111 + 0b10] = [0, 0, 51, 255, 255]
    path = tmp_path / "table.npz"
    path.write_bytes(file_bytes(table))
    options = ["--stage", 3, "--position", 3, "--said2", "0,2", "--said", "1"]
    code, out, _ = chart(capsys, path, *options)
    assert code == 0
    head, _, _, *rows = out.splitlines()
    assert "stage 3, the dealer, at stage 2 Yes from 0 and 2, Yes heard from 1" in head
    edges = table.edges3
    assert rows == [
        f"{edges[2]:.3f} to 1.000   100",
        f"{edges[1]:.3f} to {edges[2]:.3f}    20",
        f"0.000 to {edges[1]:.3f}     .",
    ]


def test_a_chart_takes_the_folder_of_a_solver(written, tmp_path, capsys):
    path = written(4)
    assert chart(capsys, path.parent) == chart(capsys, path)
    (tmp_path / "empty").mkdir()
    code, _, err = chart(capsys, tmp_path / "empty")
    assert (code, "one .npz file is wanted there, it has none" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tight"], "is no solved one: allowed: solved:napalm-4-deal, solved:napalm-4-tokens"),
        (["--stage", "4"], "stage 4 is not a whole number from 1 to 3"),
        (["--position", "4"], "position 4 is not a whole number from 0 to 3"),
        (["--position", "3", "--challenged"], "position 3 is not a whole number from 0 to 2"),
        (["--said", "0"], "--said 0: nobody has spoken before eldest"),
        (["--position", "1", "--said", "1"], "position in --said 1 is not a whole number from 0"),
        (["--said2", "1"], "--said2 is for stage 3"),
        (["--challenged", "--stage", "2"], "--challenged is for stage 1"),
    ],
)
def test_a_chart_of_what_cannot_be_is_refused(words, message, written, capsys):
    first = [] if words[0] == "tight" else [written(4)]
    code, out, err = chart(capsys, *first, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("spec", [SHIPPED[0], SHIPPED[-1]])
def test_the_game_pays_what_the_solver_says(spec):
    """Single deals, as the compiled game plays them: net stakes by position, the ante apart."""
    strategy = strategies.load(spec)
    n, games = strategy.solved.n, size(200_000, 20)
    rules = make_rules("stakes", {"target": 1000, "max_deals": 1})
    rows = batch.play(batch.prepare(rules, [strategy] * n, 17), 0, games, "games").rows
    net = np.stack([rows[f"net_{seat}"] for seat in range(n)], axis=1) + 1
    seats = (rows["dealer"][:, None] + 1 + np.arange(n)) % n
    by_position = np.take_along_axis(net, seats.astype(int), axis=1)
    error = by_position.std(axis=0) / np.sqrt(games)
    assert np.all(np.abs(by_position.mean(axis=0) - strategy.solved.about["worth"]) < 4.5 * error)
