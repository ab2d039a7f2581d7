"""simulate solve of whole games: what it prints, keeps, refuses, and how it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import simulate as sim
import strategies
from simulate import game_solver, solver
from simulate.cli import main
from simulate.napalm.rules import make_rules

DEALS = 100_000
SHORT = {"players": 4, "deals": DEALS, "rules": {"target": 2}}
TOKENS = make_rules("tokens", {"target": 2})
SOLVE = ["solve", "napalm", "--players", "4", "--deals", str(DEALS), "--rule", "target=2"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Draw few deals."""
    asked = game_solver.AskedGame.solving.fget
    monkeypatch.setattr(
        game_solver.AskedGame, "solving", property(lambda self: replace(asked(self), pool=8192))
    )


@pytest.fixture
def simulate(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder, and return its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*argv):
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


def folder_of(out):
    [line] = [line for line in out.splitlines() if line.startswith("results: ")]
    return Path(line.removeprefix("results: "))


def test_a_game_is_solved_kept_and_played(simulate):
    code, out, err = simulate(*SOLVE)
    assert (code, err) == (0, "")
    assert "4 players, a whole game, stakes, target=2: learned from 100,000 deals" in out
    assert "0 (eldest)" in out
    assert "A best reply in one seat gains" in out
    folder = folder_of(out)
    assert f"strategy: {folder / 'napalm-4.npz'}" in out
    assert simulate(*SOLVE)[:2] == (0, out)
    assert simulate("show", folder)[:2] == (0, out)
    assert simulate("solve", "--resume", folder)[:2] == (0, out)
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")
    results = sim.load(folder)
    assert list(results.equity) == ["counts", "collected", "pot", "position", "equity", "error"]
    assert len(results.equity) == 16 * 5 * 4
    games = results.games
    assert games["worth"].sum() == pytest.approx(0.0, abs=1e-9)
    assert games["equity"].sum() == pytest.approx(0.0, abs=1e-4)
    # What the table says the start is worth is what it makes when it plays itself.
    strategy = strategies.load(f"{folder}/napalm-4.npz")
    error = np.hypot(games["worth_error"], strategy.solved.error[0, 0])
    assert np.all(np.abs(games["worth"] - games["equity"]) < 4.5 * error)
    line_up = [f"{folder}/napalm-4.npz*3", f"{folder}/reply-4.npz"]
    code, out, _ = simulate("run", "napalm", "-s", line_up[0], "-s", line_up[1], "--games", "100")
    assert (code, "reply-4.npz" in out) == (0, True)


def test_between_six_it_is_left_out_who_sits_where(simulate):
    words = ["solve", "napalm", "--players", "6", "--deals", "30k", "--rule", "target=2"]
    code, out, err = simulate(*words)
    assert (code, err) == (0, "")
    assert "6 players, a whole game, stakes, target=2: learned from 30,000 deals" in out
    folder = folder_of(out)
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")
    equity = sim.load(folder).equity
    assert len(equity) == 12 * 5 * 6
    assert set(equity["counts"]) == {",".join("0" * (6 - ones) + "1" * ones) for ones in range(7)}
    charts = [
        simulate("chart", folder, "--position", 2, "--collected", counts, "--pot", 12)[1]
        for counts in ("0,1,0,0,1,0", "1,0,0,1,0,0", "0,0,1,0,1,0")
    ]
    here, there, own = (chart.split("per cent")[1] for chart in charts)
    assert here == there != own
    line_up = ["-s", f"{folder}/napalm-6.npz*5", "-s", f"{folder}/reply-6.npz"]
    assert simulate("run", "napalm", *line_up, "--games", "100")[0] == 0


def test_for_programs(simulate):
    code, out, _ = simulate(*SOLVE, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["question"], found["solved"], found["complete"]) == (
        "solve", "a whole game", True,
    )  # fmt: skip
    assert len(found["worth"]) == 4
    assert found["gain_error"] > 0
    assert Path(found["file"]).exists()


def test_one_seed_one_result(tmp_path):
    files = [
        sim.solve(**SHORT, seed=seed, threads=threads, out=tmp_path / where).file
        for where, seed, threads in (("a", 1, 1), ("b", 1, 3), ("c", 2, 1))
    ]
    first, again, other = (file.read_bytes() for file in files)
    assert first == again
    assert first != other


def test_stopped_anywhere_it_goes_on(tmp_path, simulate, monkeypatch):
    whole = sim.solve(**SHORT, out=tmp_path / "whole")
    told = game_solver.Work.told
    calls = []

    def stopped(self, done):
        calls.append(done)
        told(self, done)
        if len(calls) in (3, 18, 28, 35):  # looking, learning, replying, playing
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(game_solver.Work, "told", stopped)
    for _ in range(4):
        code, _, err = simulate(*SOLVE)
        assert code == 130
        assert "stopped; what is done is kept; to go on: simulate solve --resume" in err
    folder = Path(err.split()[-1])
    assert simulate("verify", folder)[0] != 0
    assert simulate("solve", "--resume", folder)[0] == 0
    assert (folder / "napalm-4.npz").read_bytes() == whole.file.read_bytes()
    assert (folder / "reply-4.npz").read_bytes() == whole.reply.read_bytes()


def test_the_clock_stops_it_and_the_same_call_goes_on(tmp_path, simulate):
    code, out, _ = simulate(*SOLVE, "--minutes", "1e-9")
    assert code == 0
    assert "not complete: " in out
    folder = folder_of(out)
    assert f"to go on: simulate solve --resume {folder}" in out
    found = solver.reopen(folder).answer(folder)
    assert found.complete
    assert found.done == found.total


FOR_TOKENS = [*SOLVE[:4], "--rules", "tokens", "--rule", "target=2", "--deals", "20k"]


def test_a_game_for_tokens_is_solved_wherever_it_was_stopped(tmp_path, simulate, monkeypatch):
    whole = sim.solve(players=4, deals=20_000, rules=TOKENS, threads=2, out=tmp_path / "whole")
    told = game_solver.Work.told
    calls = []

    def stopped(self, done):
        calls.append(done)
        told(self, done)
        if len(calls) in (2, 12):  # learning, replying
            raise KeyboardInterrupt
        return False

    with monkeypatch.context() as patched:
        patched.setattr(game_solver.Work, "told", stopped)
        for _ in range(2):
            assert simulate(*FOR_TOKENS)[0] == 130
    code, out, err = simulate(*FOR_TOKENS)
    assert (code, err) == (0, "")
    assert "4 players, a whole game, tokens, target=2: learned from 20,000 deals" in out
    assert "% of the pot that is won), a lower bound of the true best." in out
    folder = folder_of(out)
    assert simulate("solve", "--resume", folder)[:2] == (0, out)
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")
    assert (folder / "napalm-4.npz").read_bytes() == whole.file.read_bytes()
    assert (folder / "reply-4.npz").read_bytes() == whole.reply.read_bytes()
    games = sim.load(folder).games
    assert games["worth"].sum() == pytest.approx(0.0, abs=1e-9)
    assert games["equity"].sum() == pytest.approx(0.0, abs=1e-4)
    # What the table says the start is worth is what it makes when it plays itself.
    table = strategies.load(f"{folder}/napalm-4.npz").solved
    error = np.hypot(games["worth_error"], table.error[0, 0])
    assert np.all(np.abs(games["worth"] - games["equity"]) < 4.5 * error)
    assert table.about["prize"] > 4
    code, out, _ = simulate("chart", folder, "--stage", "2", "--position", "1", "--challenged")
    assert (code, "the dealer alone has said Yes" in out) == (0, True)


def test_damage_is_noticed(simulate):
    folder = folder_of(simulate(*SOLVE)[1])
    next(folder.glob("equity-*.parquet")).unlink()
    path = folder / "learned-values.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    code, _, err = simulate("solve", "--resume", folder)
    assert code == 2
    assert "learned-values.parquet is damaged" in err
    assert "--force starts afresh" in err
    assert simulate(*SOLVE, "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "8"], "players 8: napalm takes 4 to 7"),
        (["--players", "7", "--rule", "target=6"], "target 6: a whole game between 7 is solved up"),
        (["--rule", "target=9"], "target 9: a whole game between 5 is solved up to 5"),
        (["--rules", "tokens", "--deal"], "currency = tokens: a deal is solved with stakes only"),
        (["--rules", "tokens", "--players", "6"], "players 6: a whole game for tokens is solved"),
        (
            ["--rule", "stage2.challenge=true"],
            "stage2.challenge = true: a deal is solved with",
        ),
        (["--deals", "0"], "deals 0 is not a whole number from 1 to"),
    ],
)
def test_bad_input_is_one_line(simulate, words, message):
    code, out, err = simulate("solve", "napalm", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
