"""Tables for whole games: read, refused, and the same answers everywhere."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sizes import size

import strategies
import strategies.check
from simulate.cli import main
from simulate.errors import InputError
from simulate.napalm import batch
from simulate.napalm.rules import from_dict, make_rules
from simulate.napalm.solving.race import pots
from simulate.napalm.solving.token_race import token_pots
from strategies.solved import FULL, WHOLE_GAME, read_solved, two_cards
from strategies.solved_game import SolvedGame, game_bytes, starts
from strategies.standing import counts_of_rows, number_of_rows

LEAST_TOKENS = 0.1
"""Stakes a game that a best reply to the table for tokens gains at most."""

WHOLE = [s.spec for s in strategies.solved("napalm") if isinstance(s.solved, SolvedGame)]


def made_up(n, target=5, second=7, third=5, nodes=3, seed=1, preset="stakes", **changes):
    """Make up the bytes of a table of chances, a third of them certain.

    From six on it is left out who sits where.
    """
    draw = np.random.default_rng(seed)
    rows = number_of_rows(n, target, n < 6)
    shape = (rows, nodes, starts(n, second, third, preset == "tokens")[-1])
    chances = draw.integers(0, FULL + 1, shape, np.uint8)
    certain = draw.integers(0, 6, shape, np.uint8)
    chances[certain == 0], chances[certain == 1] = 0, FULL
    about = {
        "game": "napalm",
        "solved": WHOLE_GAME,
        "players": n,
        "rules": make_rules(preset, {"target": target}).to_dict(),
        "deals": 1_000_000,
        "gain": 0.02,
        "gain_error": 0.001,
    }
    equity = draw.random((rows, 2 * nodes - 1, n))
    arrays = {
        "chances": chances,
        "pots": (token_pots if preset == "tokens" else pots)(n, target, nodes),
        "equity": equity,
        "error": equity / 100,
        "edges2": np.sort(draw.random(second - 1)),
        "edges3": np.sort(draw.random(third - 1)),
    }
    if n > 5:
        arrays["counts"] = counts_of_rows(n, target, seated=False)
    return game_bytes({**about, **changes.pop("about", {})}, {**arrays, **changes})


@pytest.fixture
def written(tmp_path):
    """Write a table for n players, and return its path."""

    def write(n, target=3, name="table", **changes):
        path = tmp_path / f"{name}-{n}.npz"
        path.write_bytes(made_up(n, target, **changes))
        return path

    return write


def test_a_table_is_read_back(written):
    path = written(4)
    strategy = strategies.load(path)
    assert (strategy.kind, strategy.game, strategy.players) == ("npz", "napalm", 4)
    assert strategy.about == (
        "A whole game between 4, solved: from 1,000,000 deals; a best reply gains 0.020 ± 0.002 "
        "stakes a game or more."
    )
    table = strategy.solved
    assert isinstance(table, SolvedGame)
    assert (table.target, table.chances.shape) == (3, (81, 3, table.size))
    sent = pickle.loads(pickle.dumps(strategy))
    path.unlink()
    assert np.array_equal(sent.solved.chances, table.chances)
    reply = read_solved(path, made_up(4, 2, about={"reply": True}))
    assert reply.text == "A best reply to a table for whole games between 4, a test of it."


def test_numpy_reads_it_alone(written):
    with np.load(written(4)) as found:
        names = ["about", "chances", "edges2", "edges3", "equity", "error", "pots"]
        assert sorted(found) == names
        assert found["equity"].shape == (81, 5, 4)


def test_equities_are_a_table(written):
    table = strategies.load(written(4)).solved
    frame = table.equities()
    assert list(frame) == ["counts", "collected", "pot", "position", "equity", "error"]
    assert len(frame) == table.equity.size
    rows = frame[(frame["counts"] == "1,0,2,1") & (frame["position"] == 2)]
    number = table.number((1, 0, 2, 1))
    assert number == 1 + 2 * 9 + 27
    assert rows["collected"].tolist() == [2] * 5
    assert rows["equity"].tolist() == table.equity[number, :, 2].tolist()
    row = table.pots[4]
    assert rows["pot"].tolist() == [
        row[0], (row[0] + row[1]) / 2, row[1], (row[1] + row[2]) / 2, row[2],
    ]  # fmt: skip


def test_equities_lie_between_and_beyond_those_of_two_pots(written):
    table = strategies.load(written(4)).solved
    counts = (1, 0, 2, 1)
    known, row = table.equity[table.number(counts)], table.pots[4]
    assert np.allclose(table.expect(counts, row[0]), known[0])
    assert np.allclose(table.expect(counts, row[1]), known[2])
    assert np.allclose(table.expect(counts, row[1] / 4 + row[2] * 3 / 4), (known[3] + known[4]) / 2)
    assert np.allclose(table.expect(counts, row[2] * 3 / 2 - row[1] / 2), 2 * known[4] - known[3])


def test_where_it_is_left_out_who_sits_where(written):
    """Each position looks at the row of its own count and all others, whoever holds those."""
    path = written(6)
    table = strategies.load(path).solved
    counts = (1, 0, 2, 1, 0, 0)
    with np.load(path) as found:
        whose = found["counts"].tolist()
    rows = [
        whose.index([own, *sorted(counts[:p] + counts[p + 1 :])]) for p, own in enumerate(counts)
    ]
    assert [table.number(counts, p) for p in range(6)] == rows
    assert rows[1] == rows[4] != rows[0]
    low = table.chances[:, 0] / FULL
    first = table.words(counts, 1, 0)
    for position in range(6):
        start = (1 << position) - 1
        wanted = low[rows[position], : 63 * 91].reshape(63, 91)
        assert np.allclose(first[start : 2 * start + 1], wanted[start : 2 * start + 1])
    worth = table.expect(counts, table.pots[4, 1])
    assert np.allclose(worth, table.equity[rows, 2, range(6)])
    frame = table.equities()
    assert len(frame) == table.equity.size
    one = frame[(frame["counts"] == "0,0,0,1,1,2") & (frame["collected"] == 2)]
    assert one["equity"].tolist() == table.equity[rows[2]].reshape(-1).tolist()


def test_chances_lie_between_those_of_two_pots(written):
    table = strategies.load(written(4)).solved
    counts = (1, 0, 2, 1)
    low, middle, high = table.chances[table.number(counts)] / FULL
    row = table.pots[4].tolist()
    assert np.allclose(table.row(counts, row[1]), middle)
    assert np.allclose(table.row(counts, (row[1] + row[2]) / 2), (middle + high) / 2)
    assert np.allclose(table.row(counts, 1), low)
    assert np.allclose(table.row(counts, 1000), high)
    third = table.words(counts, 1, 3)
    assert third.shape == (15, 5)
    assert np.array_equal(third.reshape(-1), low[table.starts[3] :])


@pytest.mark.parametrize(
    ("n", "target", "rules"),
    [
        (4, 5, {}),
        (5, 3, {"stage2.challenge": True, "stage1.ends_on_yes": False, "target": 4}),
        (5, 2, {"wheel": True}),
        (6, 3, {"target": 4}),
        (7, 3, {}),
    ],
    ids=["stakes", "challenges", "beyond", "six", "seven"],
)
def test_the_kernel_answers_as_plain_python_does(n, target, rules, written):
    """Among functions, thresholds and tables of either kind; over whole games."""
    table, other = written(n, target), written(n, 2, "other", second=3, third=11, seed=2)
    line_up = strategies.parse_line_up(
        [table, other, f"solved:napalm-{n}-deal", "bluffer", *["positional"] * (n - 4)], "napalm"
    )
    chosen = make_rules(overrides=rules)
    job = batch.prepare(chosen, line_up, 11)
    for game, record in enumerate(batch.record(job, 0, size(100, 3))):
        assert record == batch.replay(job, game)
    alone = batch.prepare(chosen, [line_up[0]] * n, 11)
    for game, record in enumerate(batch.record(alone, 0, size(100, 3))):
        assert record == batch.replay(alone, game)


@pytest.mark.parametrize("rules", ["tokens", "stakes"])
def test_a_table_for_tokens_answers_every_challenge(rules, written):
    """The kernel as plain Python does; under `stakes`, too, where it was not made for them."""
    table, other = written(4, 5, preset="tokens"), written(4, 2, "other", seed=2)
    line_up = strategies.parse_line_up([table, other, "bluffer", f"{table}"], "napalm")
    job = batch.prepare(make_rules(rules), line_up, 11)
    answers = 0
    for game, record in enumerate(batch.record(job, 0, size(60, 2))):
        assert record == batch.replay(job, game)
        stages = [stage for deal in record["deals"] for stage in deal["stages"]]
        answers += sum(len(each["declarations"]) > 4 for each in stages if each["stage"] > 1)
    assert (answers > 0) == (rules == "tokens") or not size(1, 0)


def test_a_table_for_tokens_is_read_back(written):
    strategy = strategies.load(written(4, preset="tokens"))
    assert strategy.about.startswith("A whole game for tokens between 4, solved: from 1,000,000")
    table = strategy.solved
    shapes = [table.words((0, 1, 0, 2), 9, time).shape for time in range(6)]
    assert shapes == [(15, 91), (7, 91), (15, 7), (7, 7), (15, 5), (7, 5)]
    assert table.size == sum(words * hands for words, hands in shapes)
    assert (table.times[1], table.starts[3]) == ((2, 3), 22 * 91 + 15 * 7)


def test_it_keeps_the_contract(written):
    assert strategies.check.check(written(4)) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"about": {"players": 5}}, "its arrays do not fit each other"),
        ({"chances": np.zeros((81, 3, 7), np.uint8)}, "its arrays do not fit each other"),
        ({"pots": np.zeros((9, 3))}, "its arrays do not fit each other"),
        ({"equity": np.zeros((81, 4, 4))}, "its arrays do not fit each other"),
        ({"edges2": np.array([0.5, 0.2, 0.6, 0.7, 0.8, 0.9])}, "do not fit each other"),
        ({"about": {"format": 9}}, "of format 9, this version reads"),
        ({"about": {"deals": "many"}}, "is no solved strategy"),
        ({"counts": counts_of_rows(4, 3, seated=False)}, "its arrays do not fit each other"),
    ],
)
def test_tables_that_do_not_fit_are_refused(changes, words, written):
    path = written(4, **changes)
    with pytest.raises(InputError, match=words) as caught:
        strategies.load(path)
    assert "\n" not in str(caught.value)


def test_a_torn_file_is_refused(written):
    path = written(4)
    data = path.read_bytes()
    with pytest.raises(InputError, match="is no solved strategy"):
        read_solved(path, data[: len(data) // 2])


def chart(capsys, *words):
    code = main(["chart", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_chart_shows_a_state_of_the_race(written, capsys):
    path = written(4)
    table = strategies.load(path).solved
    options = ["--position", 1, "--said", 0, "--collected", "1,0,2,1", "--pot", 11]
    code, out, _ = chart(capsys, path, *options)
    head, _, _, *rows = out.splitlines()
    assert code == 0
    assert head == (
        "4 players, stage 1, position 1, collected 1,0,2,1, pot 11, Yes heard from 0: "
        "chance of Yes in per cent"
    )
    shown = [0 if word == "." else int(word) for row in rows for word in row.split()[1:]]
    heard = table.words((1, 0, 2, 1), 11, 0)[1 + 1]
    hands = [(high, low) for low in range(14, 1, -1) for high in range(14, low - 1, -1)]
    assert shown == [round(100 * heard[two_cards(*hand)]) for hand in hands]
    code, out, _ = chart(capsys, path, "--stage", 3, "--position", 0, "--collected", "1,0,0,0")
    assert code == 0
    assert out.startswith("4 players, stage 3, eldest, collected 1,0,0,0, pot 7: chance of Yes")


def test_a_chart_shows_the_answer_to_any_challenge(written, capsys):
    path = written(4, preset="tokens")
    options = ["--stage", 2, "--position", 1, "--said", 0, "--challenged", "--collected", "1,0,2,1"]
    code, out, _ = chart(capsys, path, *options)
    assert code == 0
    pot = int(token_pots(4, 3, 3)[4, 1])
    assert out.startswith(
        f"4 players, stage 2, position 1, collected 1,0,2,1, pot {pot}, the dealer alone has said "
        "Yes, Yes heard from 0: chance of Yes in per cent"
    )
    table = strategies.load(path).solved
    best = table.words((1, 0, 2, 1), pot, 3)[1 + 1, -1]
    assert f"{100 * best:.0f}" in out.splitlines()[3].split()[-1] or best < 0.005


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--stage", "2", "--challenged"], "--challenged is for stage 1, at others only of a"),
        (["--collected", "1,2"], "--collected 1,2: 2 counts, one for each of 4"),
        (["--collected", "1,2,0,3"], "count in --collected 3 is not a whole number from 0 to 2"),
        (["--pot", "3"], "pot 3 is not a whole number from 4 to"),
        (["--stage", "3", "--said2", "1"], "--said2 is for a table for one deal"),
    ],
)
def test_a_chart_of_what_cannot_be_is_refused(words, message, written, capsys):
    code, out, err = chart(capsys, written(4), *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_one_deal_has_no_race(capsys):
    code, _, err = chart(capsys, "solved:napalm-4-deal", "--pot", "9")
    assert (code, "--collected and --pot are for a table for whole games" in err) == (2, True)


@pytest.mark.parametrize("spec", WHOLE)
def test_those_of_the_package_are_what_their_names_say(spec):
    strategy = strategies.load(spec)
    table = strategy.solved
    about, n = table.about, table.n
    assert spec == f"solved:napalm-{n}{'-tokens' * table.tokens}"
    assert about["gain"] + 1.96 * about["gain_error"] < (LEAST_TOKENS if table.tokens else 0.05)
    # The equity of the start is what the table makes when it plays itself.
    error = np.hypot(about["worth_error"], table.error[0, 0])
    assert np.all(np.abs(table.equity[0, 0] - 1 - about["worth"]) < 4 * error)
    states, marks, _ = table.equity.shape
    frame = table.equities()
    pot = frame["pot"].to_numpy().reshape(states, marks, n)
    assert np.allclose(table.equity.sum(axis=2), pot[:, :, 0], atol=1e-3)
    job = batch.prepare(from_dict(about["rules"]), [strategy] * n, 3)
    for game, record in enumerate(batch.record(job, 0, size(30, 1))):
        assert record == batch.replay(job, game)


@pytest.mark.parametrize("spec", WHOLE if size(1, 0) else [])
def test_it_beats_every_built_in(spec):
    """One of them in a seat among solved tables gets less than the table would: 40,000 games."""
    table = strategies.load(spec)
    n, games, net = table.solved.n, 40_000, {}
    rules = from_dict(table.solved.about["rules"])
    for strategy in (table, *strategies.listing("napalm")):
        job = batch.prepare(rules, [strategy, *[table] * (n - 1)], 21)
        rows = batch.play(job, 0, games, "games").rows
        slots = np.stack([rows[f"slot_{seat}"] for seat in range(n)], axis=1)
        nets = np.stack([rows[f"net_{seat}"] for seat in range(n)], axis=1)
        net[strategy.name] = nets[slots == 0].astype(float)
    own = net.pop(table.name)
    for name, theirs in net.items():
        loss = own - theirs
        assert loss.mean() > 2 * loss.std() / np.sqrt(games), name
