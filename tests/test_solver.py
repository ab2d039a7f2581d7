"""simulate solve: what it prints, keeps, refuses, and how it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import simulate as sim
import strategies
from simulate import solver
from simulate.cli import main
from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.school import School

SOLVE = ["solve", "napalm", "--players", "4", "--deal"]
TWO = ["--deals", str(2 * BLOCK)]


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


def test_a_deal_is_solved_kept_and_played(simulate):
    code, out, err = simulate(*SOLVE, *TWO)
    assert (code, err) == (0, "")
    assert "4 players, one deal for money, stakes: learned from 16,384 deals" in out
    assert "0 (eldest)" in out
    assert "3 (dealer)" in out
    assert "(NashConv) gain" in out
    assert "trained on 16,384 deals, and are scored on 16,384 others" in out
    folder = folder_of(out)
    assert f"strategy: {folder / 'napalm-4.npz'}" in out
    assert simulate(*SOLVE, *TWO)[:2] == (0, out)
    assert simulate("show", folder)[:2] == (0, out)
    assert simulate("solve", "--resume", folder)[:2] == (0, out)
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")
    replies = sim.load(folder).replies
    assert list(replies) == ["position", "worth", "gain", "gain_error"]
    assert len(pd.read_parquet(folder / "learned.parquet")) == 2 * (15 * 121 + 7 * 91 + 240 * 30)
    code, out, _ = simulate("run", "napalm", "-s", f"{folder}/napalm-4.npz*4", "--games", "100")
    assert code == 0
    assert "napalm-4.npz" in out


def test_for_programs(simulate):
    code, out, _ = simulate(*SOLVE, *TWO, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["question"], found["deals"], found["complete"]) == ("solve", 16384, True)
    assert len(found["worth"]) == len(found["gain"]) == 4
    assert found["nash_conv"] == pytest.approx(sum(found["gain"]))
    assert Path(found["file"]).exists()


def test_one_seed_one_result(tmp_path):
    files = [
        sim.solve(
            players=4, deals=2 * BLOCK, seed=seed, threads=threads, out=tmp_path / where, deal=True
        ).file
        for where, seed, threads in (("a", 1, 1), ("b", 1, 3), ("c", 2, 1))
    ]
    first, again, other = (file.read_bytes() for file in files)
    assert first == again
    assert first != other


def test_interrupted_it_goes_on(tmp_path, simulate, monkeypatch):
    whole = sim.solve(players=4, deals=3 * BLOCK, out=tmp_path / "whole", deal=True)
    learn = School.learn

    def stopped(self, blocks, threads, told):
        def then(deals):
            told(deals)
            raise KeyboardInterrupt

        learn(self, blocks, threads, then)

    monkeypatch.setattr(School, "learn", stopped)
    for _ in range(2):
        code, _, err = simulate(*SOLVE, "--deals", 3 * BLOCK)
        assert code == 130
        assert "stopped; what is done is kept; to go on: simulate solve --resume results" in err
    monkeypatch.undo()
    folder = Path(err.split()[-1])
    monkeypatch.chdir(tmp_path)
    code, _, err = simulate("show", folder)
    assert (code, "is not complete; to go on: simulate solve --resume" in err) == (2, True)
    assert simulate("solve", "--resume", folder)[0] == 0
    assert (folder / "napalm-4.npz").read_bytes() == whole.file.read_bytes()


def test_the_clock_stops_it_and_the_same_call_goes_on(tmp_path):
    short = {"players": 4, "minutes": 1e-6, "out": tmp_path, "deal": True}
    first = sim.solve(**short)
    assert (first.deals, first.complete) == (BLOCK, False)
    assert first.solved.about["deals"] == BLOCK
    assert sim.solve(**short).deals == 2 * BLOCK
    both = sim.solve(players=4, deals=2 * BLOCK, out=tmp_path / "exact", deal=True)
    assert both.file.read_bytes() == first.file.read_bytes()  # the file of the second call
    resumed = solver.reopen(first.path).answer(first.path, minutes=1e-6)
    assert resumed.deals == 3 * BLOCK


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def test_what_is_damaged_is_named_and_made_anew(simulate):
    folder = folder_of(simulate(*SOLVE, *TWO)[1])
    whole = {file.name: file.read_bytes() for file in folder.iterdir()}
    [part] = folder.glob("replies-*.parquet")
    for file, told in (
        (folder / "napalm-4.npz", "napalm-4.npz: it is no solved strategy"),
        (part, f"part 0: {part.name}: its content does not match its hash"),
    ):
        flip(file)
        code, out, _ = simulate("verify", folder)
        assert (code, out.splitlines()[0]) == (1, told)
        assert f"simulate solve --resume {folder}" in out.splitlines()[-1]
        assert simulate("solve", "--resume", folder)[0] == 0
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == whole
        assert simulate("verify", folder)[0] == 0


def test_damage_is_noticed(simulate):
    folder = folder_of(simulate(*SOLVE, *TWO)[1])
    next(folder.glob("replies-*.parquet")).unlink()
    flip(folder / "learned.parquet")
    code, out, _ = simulate("verify", folder)
    assert (code, "learned.parquet: its content does not match its hash" in out) == (1, True)
    code, _, err = simulate("solve", "--resume", folder)
    assert code == 2
    assert "learned.parquet is damaged" in err
    assert simulate(*SOLVE, *TWO, "--force")[0] == 0


def test_the_solution_is_a_strategy(tmp_path):
    found = sim.solve(players=5, deals=BLOCK, rules={"wheel": True}, out=tmp_path, deal=True)
    strategy = strategies.load(found.file)
    assert strategy.players == 5
    assert strategy.solved.about["rules"]["wheel"] is True
    assert strategy.solved.about["seed"] == "1"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["solve"], "no game is named: allowed: napalm"),
        (["solve", "noddy", "--deal"], "--deal is for napalm"),
        (["solve", "napolm", "--deal"], "unknown game 'napolm': did you mean 'napalm'?"),
        ([*SOLVE, "--deals", "0"], "deals 0 is not a whole number from 1 to"),
        ([*SOLVE, "--minutes", "0"], "minutes 0 is not a number above 0"),
        ([*SOLVE, "--minutes", "soon"], "minutes soon is not a number above 0"),
        ([*SOLVE, "--rules", "tokens"], "currency = tokens: a deal is solved with stakes only"),
        ([*SOLVE, "--rule", "stage3.challenge=true"], "stage3.challenge = true"),
        (["solve", "napalm", "--deal", "--players", "8"], "players 8"),
        (["solve", "--resume", "nowhere"], "nowhere: does not exist"),
        (["solve", "--resume", "nowhere", "--deal"], "leave out --deal"),
        (["solve", "--resume", "nowhere", "--deals", "3"], "leave out --deals"),
    ],
)
def test_bad_input_is_one_line(simulate, command, message):
    code, out, err = simulate(*command)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
