"""simulate solve noddy: what it prints, keeps and refuses, and how it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import simulate as sim
import strategies
from simulate import racing
from simulate.cli import main
from simulate.errors import InputError
from simulate.noddy.solving import lookahead
from strategies.race import ARRAYS, file_bytes, read_race

SMALL = ["solve", "noddy", "--games", "2000", "--rounds", "1", "--ahead", "20"]


@pytest.fixture
def simulate(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder, and return its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*argv):
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


def test_noddy_is_solved_kept_resumed_and_played(simulate, monkeypatch):
    look_ahead, told = racing.look_ahead, []

    def interrupted(*args):
        told.append(args[3:])
        raise KeyboardInterrupt

    monkeypatch.setattr(racing, "look_ahead", interrupted)
    code, _, err = simulate(*SMALL)
    assert code == 130
    assert told == [(0, 20)]
    assert "to go on: simulate solve --resume results" in err
    folder = Path(err.split()[-1])
    monkeypatch.setattr(racing, "look_ahead", look_ahead)
    whole, out, err = simulate("solve", "--resume", folder)
    assert (whole, err) == (0, "")
    assert "noddy, the race between two, hold: 1 round of 2,000 games" in out
    assert "Looking one step ahead in 20 games changes" in out
    assert f"strategy: {folder / 'noddy.npz'}" in out
    assert simulate(*SMALL)[:2] == (0, out)
    assert simulate("show", folder)[:2] == (0, out)
    assert simulate("verify", folder)[:2] == (0, "all 2 parts are there and whole\n")
    counted = sim.load(folder).turns
    moved = counted[counted["what"] == "moved"]
    raced = counted[counted["what"] == "raced"]
    assert moved["turns"].sum() >= raced["turns"].sum() > 2_000 * 5
    race = strategies.load(folder / "noddy.npz").race
    assert (race.about["rounds"], race.about["ahead_games"]) == (1, 20)
    gains = sim.load(folder).gains
    assert gains["game"].tolist() == list(range(20))
    assert race.about["ahead_gain"] == pytest.approx(gains["gain"].mean())
    assert sorted(path.name for path in folder.glob("*.npz")) == ["noddy.npz"]
    line_up = ("-s", f"{folder}/noddy.npz*2", "--rules", "hold", "--games", 2_000)
    assert simulate("run", "noddy", *line_up)[0] == 0
    code, out, _ = simulate(*SMALL, "--json")
    assert json.loads(out)["ahead_games"] == 20
    # What is damaged is made anew, and comes out the same.
    whole = {file.name: file.read_bytes() for file in folder.iterdir()}
    for file in [*folder.glob("gains-*1.parquet"), folder / "noddy.npz"]:
        file.write_bytes(file.read_bytes()[:-9])
    code, out, _ = simulate("verify", folder)
    assert (code, "noddy.npz: it is no solved strategy" in out) == (1, True)
    assert simulate(*SMALL)[0] == 0
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == whole


def test_one_seed_one_table_though_a_round_was_lost(tmp_path):
    asked = {"games": 1_000, "rounds": 2, "ahead": 0, "out": tmp_path}
    made = racing.solve_noddy(**asked)
    whole = made.file.read_bytes()
    assert made.race.about["rounds"] == 2
    first, second = sorted(made.path.glob("turns-*.parquet"))
    assert first.read_bytes() != second.read_bytes()  # the table of a round plays the next
    second.unlink()
    made.file.unlink()
    assert racing.solve_noddy(**asked).file.read_bytes() == whole


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["solve", "noddy", "--rules", "lay"], "noddy is solved under the rules hold, unchanged"),
        (["solve", "noddy", "--rule", "target=61"], "noddy is solved under the rules hold"),
        (["solve", "noddy", "--games", "10"], "games 10 is not a whole number from 1000 to"),
        (["solve", "noddy", "--rounds", "0"], "rounds 0 is not a whole number from 1 to 100"),
        (["solve", "noddy", "--ahead", "x"], "ahead x is not a whole number"),
        (["solve", "noddy", "--ahead", "1"], "ahead 1: two games at least"),
        (["solve", "noddy", "--players", "3"], "--players is for napalm"),
        (["solve", "napalm", "--alone"], "--alone is for noddy"),
        (["solve", "noddy", "--alone", "nobody"], "unknown strategy 'nobody'"),
        (["chart", "solved:noddy", "--cards", "9"], "cards 9 is not a whole number from 3 to 8"),
        (["chart", "solved:noddy", "--stage", "2"], "--stage is for napalm"),
        (["chart", "solved:napalm-4", "--cards", "4"], "--cards and --others are for noddy"),
    ],
)
def test_bad_input_is_one_clear_line(simulate, argv, words):
    code, out, err = simulate(*argv)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_race_is_shown(simulate):
    code, out, _ = simulate("chart", "solved:noddy", "--cards", "4", "--others", "3")
    assert code == 0
    assert "with 4 cards against 3" in out
    assert len(out.splitlines()) == 9


def test_the_lone_player_is_told_of(simulate, monkeypatch):
    monkeypatch.setattr("simulate.alone.fewest_turns", lambda _: 4.0327)
    code, out, _ = simulate("solve", "noddy", "--alone", "hoarder", "--games", "2000")
    assert code == 0
    assert "hoarder: 4.304258, exactly 29252384072044026629/6796150228609641900" in out
    assert "nobody: fewer than 4.0327" in out
    code, out, _ = simulate("solve", "noddy", "--alone", "hoarder", "--games", "2000", "--json")
    found = json.loads(out)
    assert found["hoarder_exact"] == "29252384072044026629/6796150228609641900"
    assert found["games"] == 2_000


def test_turns_are_looked_at_as_they_were_played():
    from simulate.noddy import batch
    from simulate.noddy.rules import make_rules

    line_up = [strategies.load("solved:noddy", "noddy")] * 2
    job = batch.prepare(make_rules("hold"), line_up, 4)
    records = batch.record(job, 0, 40)
    found = list(lookahead.turns(job, 0, 40))
    assert found
    for turn in found:
        deal = records[turn.game]["deals"][turn.deal]
        played = deal["turns"][: turn.turn]
        laid = sum(len(each.get("cards", [])) for each in played)
        assert turn.seen.bit_count() == 1 + laid
        drew = [sum(len(each["drew"]) for each in played[place::2]) for place in (0, 1)]
        gone = [sum(len(each.get("cards", [])) for each in played[place::2]) for place in (0, 1)]
        assert [hand.bit_count() for hand in turn.hands] == [
            3 + d - g for d, g in zip(drew, gone, strict=True)
        ]
        assert turn.stock == 52 - turn.seen.bit_count() - sum(h.bit_count() for h in turn.hands) + 1
        assert not turn.hands[0] & turn.hands[1]
        others = [each["do"] for each in played[1 - turn.position :: 2]]
        assert turn.drawn <= len(others)
        assert all(do == "draw" for do in others[len(others) - turn.drawn :])


def test_a_bad_table_is_beaten_by_looking_ahead(tmp_path):
    """The measure sees a gain where there is one: a table whose chances are turned upside down."""
    from simulate.noddy.rules import make_rules

    race = strategies.load("solved:noddy", "noddy").race
    arrays = {name: getattr(race, name) for name in ARRAYS}
    worse = arrays["finish"].copy()
    worse[-1, 66 + 1 :] = 0  # with no points at all it sees no hope in a hand of more than two
    path = tmp_path / "worse.npz"
    path.write_bytes(file_bytes(type(race)(race.about, **{**arrays, "finish": worse})))
    hold, table = make_rules("hold"), strategies.load(path)
    found = lookahead.look_ahead(hold, table, 1, 0, 200)
    assert found.changed.sum() > 10
    assert found.gain.mean() > 3 * found.gain.std() / 200**0.5 > 0
    again = lookahead.look_ahead(hold, table, 1, 10, 12)
    assert again.gain.tolist() == found.gain[10:12].tolist()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"finish": np.zeros((2, 2, 6), np.int16)}, "its arrays do not fit each other"),
        ({"still": None}, "its arrays do not fit each other"),
        ({"about": {"game": "noddy"}}, "is no solved strategy: 'rounds'"),
    ],
)
def test_damaged_tables_are_refused(tmp_path, change, words):
    race = strategies.load("solved:noddy", "noddy").race
    fields = {"about": race.about, **{name: getattr(race, name) for name in ARRAYS}}
    fields |= {name: fields[name] * 2 if value is None else value for name, value in change.items()}
    path = tmp_path / "bad.npz"
    path.write_bytes(file_bytes(type(race)(**fields)))
    with pytest.raises(InputError, match=words):
        read_race(path, path.read_bytes())
    with pytest.raises(InputError, match=words):
        strategies.load(path)
