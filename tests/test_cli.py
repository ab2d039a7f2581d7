"""The command line: exit codes, one clear line for every bad input, and nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from simulate.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    """Work in an empty folder, which every bad input must leave empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def simulate(capsys):
    """Run a command line, and return its exit code, stdout and stderr."""

    def run(*argv):
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(simulate, empty_folder):
    """Run a command line that is refused, and return the one line it says."""

    def run(*argv):
        before = sorted(empty_folder.rglob("*"))
        code, out, err = simulate(*argv)
        assert code == 2
        assert out == ""
        assert err.startswith("simulate: ")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        assert sorted(empty_folder.rglob("*")) == before
        return err

    return run


def child(*argv, **options):
    command = [sys.executable, "-m", "simulate", *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


RUN_INPUTS = [
    (["napam"], "did you mean 'napalm'"),
    ([], "no game is named"),
    (["napalm", "noddy"], "one argument too many"),
    (["napalm", "--players", "3"], "players 3: napalm takes 4 to 7"),
    (["napalm", "--players", "8"], "players 8: napalm takes 4 to 7"),
    (["napalm", "--players", "x"], "players x"),
    (["noddy", "--players", "1"], "players 1: noddy takes 2 to 4"),
    (["noddy", "--players", "5"], "players 5: noddy takes 2 to 4"),
    (["napalm", "-s", "tight*3"], "players 3: napalm takes 4 to 7"),
    (["napalm", "-s", "tight*8"], "players 8: napalm takes 4 to 7"),
    (["napalm", "--players", "5", "-s", "tight*4"], "4 strategies for 5 players"),
    (["napalm", "--players", "5", "-s", "tight"], "tight*5 is 5 of them"),
    (["napalm", "-s", "tigth*4"], "did you mean 'tight'"),
    (["napalm", "-s", "bluffer:bluf=0.1*4"], "did you mean 'bluff'"),
    (["napalm", "-s", "bluffer:bluff=x*4"], "must be a number"),
    (["napalm", "-s", "none.py*4"], "none.py"),
    (["napalm", "-s", "none.toml*4"], "none.toml"),
    (["napalm", "--games", "0"], "games 0"),
    (["napalm", "--games", "-1"], "games -1"),
    (["napalm", "--games", "1.5"], "games 1.5"),
    (["napalm", "--games", "abc"], "games abc"),
    (["napalm", "--games"], "expected one argument"),
    (["napalm", "--seed", "-1"], "seed -1"),
    (["napalm", "--seed", "1.5"], "seed 1.5"),
    (["napalm", "--rules", "token"], "did you mean 'tokens'"),
    (["napalm", "--rule", "stage4.penalty=0"], "stage4.penalty"),
    (["napalm", "--rule", "stage3.penalti=0"], "did you mean 'stage3.penalty'"),
    (["napalm", "--rule", "stage3.penalty=99"], "stage3.penalty = 99"),
    (["napalm", "--rule", "target"], "write target=3"),
    (["napalm", "--rule", "target=0"], "target = 0"),
    (["noddy", "--rule", "points.fiftin=1"], "did you mean 'points.fifteen'"),
    (["noddy", "--rule", "points.pair=-1"], "points.pair = -1"),
    (["noddy", "--rule", "target=0"], "target = 0"),
    (["napalm", "--detail", "turns"], "detail"),
    (["napalm", "--detail", "deal"], "did you mean 'deals'"),
    (["napalm", "--threads", "0"], "threads 0"),
    (["napalm", "--treads", "2"], "did you mean '--threads'"),
    (["napalm", "--config", "none.toml"], "none.toml: cannot be read"),
    (["--resume", "none"], "none: does not exist"),
    (["napalm", "--resume", "none"], "leave out a game"),
    (["--resume", "none", "--rule", "target=3"], "leave out --rule"),
    (["--resume", "none", "--games", "5"], "leave out --games"),
]


@pytest.mark.parametrize(("argv", "message"), RUN_INPUTS, ids=lambda value: " ".join(value)[:40])
def test_a_run_that_cannot_be_is_refused(refused, argv, message):
    assert message in refused("run", *argv)


OTHER_INPUTS = [
    (["rnu"], "did you mean 'run'"),
    (["show", "none"], "none: does not exist"),
    (["verify", "none"], "none: does not exist"),
    (["verify"], "the following arguments are required: RUN"),
    (["replay", "none.jsonl"], "none.jsonl"),
    (["replay", "none.jsonl", "--game", "-1"], "game -1"),
    (["audit", "none.jsonl"], "none.jsonl"),
    (["log", "napalm", "--games", "0"], "games 0"),
    (["log", "napalm", "--detail", "games"], "unknown option '--detail'"),
    (["strategies", "nody"], "did you mean 'noddy'"),
    (["new", "bridge", "my.py"], "unknown game 'bridge'"),
    (["new", "napalm", "my.txt"], "not the name of a .py file"),
    (["new", "napalm", "none/my.py"], "cannot be written"),
    (["check", "none.py"], "none.py"),
    (["check", "tight", "--timeout", "nan"], "timeout nan"),
    (["check", "tight", "--memory", "0"], "memory 0"),
    (["rank", "napalm", "Ah ah"], "'Ah' is given twice"),
    (["rank", "napalm", "Ah 11s"], "card '11s' is not a rank and a suit"),
    (["rank", "napalm", "Ah Kd Qc"], "3 cards: a hand is 2, 5 or 7"),
    (["rank", "napalm", "--stage", "3", "Ah Kd"], "2 cards: at stage 3 a hand is 7"),
    (["rank", "napalm", "--stage", "4", "Ah Kd"], "stage 4"),
    (["rank", "napalm", "--players", "8", "Ah Kd"], "players 8"),
    (["rank", "napalm", "--trump", "h", "Ah Kd"], "--trump is not for napalm"),
    (["rank", "noddy", "--stage", "1", "Ah Kd"], "--stage is not for noddy"),
    (["rank", "noddy", "--trump", "h", ""], "an empty hand"),
    (["rank", "noddy", "5h"], "name a suit with --trump"),
    (["rank", "noddy", "--trump", "x", "5h"], "trump x"),
    (["rank", "noddy", "--trump", "h", "5h 5h"], "'5h' is given twice"),
]


@pytest.mark.parametrize(("argv", "message"), OTHER_INPUTS, ids=lambda value: " ".join(value)[:40])
def test_other_bad_input_is_refused(refused, argv, message):
    assert message in refused(*argv)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "is not TOML"),
        ("gane = 'napalm'", "did you mean 'game'"),
        ("game = 'napalm'\nstrategies = 'tight'", "players 1: napalm takes 4 to 7"),
        ("game = 'napalm'\nstrategies = 5", "a list of specs"),
        ("game = 'napalm'\nstrategies = [5]", "5"),
        ("game = 'napalm'\nplayers = 5.5", "players 5.5"),
        ("game = 'napalm'\nrules = 5", "rules 5"),
        ("game = 'napalm'\nrules = {preset = 1}", "preset"),
        ("game = 'napalm'\nrules = {stage1 = 1}", "stage1"),
        ("game = 'napalm'\nfixed_seats = 'no'", "fixed seats"),
        ("game = 'napalm'\nout = 5", "out"),
        ("game = 5", "unknown game"),
    ],
)
def test_a_settings_file_that_cannot_be_is_refused(refused, empty_folder, text, message):
    (empty_folder / "run.toml").write_text(text)
    assert message in refused("run", "--config", "run.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def p_yes(view): return 1.1", "1.1"),
        ("def p_yes(view): return float('nan')", "NaN"),
        ("def p_yes(view): return None", "None"),
        ("def p_yes(view): return 'yes'", "str"),
        ("def p_yes(view): return 1 / 0", "ZeroDivisionError"),
        ("def p_yes(view):\n    while True: pass", "loop"),
        ("def p(view): return 1.0", "p_yes"),
        ("def p_yes(view) return", "bad.py"),
    ],
)
def test_a_bad_strategy_is_refused_by_check(simulate, empty_folder, text, message):
    (empty_folder / "bad.py").write_text(text)
    code, out, err = simulate("check", "bad.py", "--timeout", "1")
    assert code == 2
    assert out == ""
    assert message in err
    assert all(line.startswith("simulate: ") for line in err.splitlines())


@pytest.mark.parametrize("game", ["napalm", "noddy"])
def test_a_new_strategy_passes_its_check(simulate, refused, empty_folder, game):
    assert simulate("new", game, "my.py")[0] == 0
    code, out, err = simulate("check", "my.py")
    assert (code, err) == (0, "")
    assert f"keeps the contract of a strategy for {game}" in out
    before = (empty_folder / "my.py").read_text()
    assert "is there already" in refused("new", game, "my.py")
    assert (empty_folder / "my.py").read_text() == before


def test_help_and_version_need_neither_numba_nor_pandas_nor_pyarrow():
    code = """
        import sys
        from simulate.cli import main
        try:
            main(sys.argv[1:])
        except SystemExit as done:
            assert done.code == 0
        heavy = {"numba", "numpy", "pandas", "pyarrow", "scipy", "rich"} & set(sys.modules)
        sys.exit(f"imported {heavy}" if heavy else 0)
    """
    lines = "\n".join(line[8:] for line in code.splitlines())
    for argv in (["--help"], ["--version"], ["run", "--help"], []):
        command = [sys.executable, "-c", lines, *argv]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "simulate" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(capsys, command):
    with pytest.raises(SystemExit) as done:
        main([command, "--help"])
    assert done.value.code == 0
    assert f"  simulate {command}" in capsys.readouterr().out.split("examples:")[1]


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "simulate.version.VERSION"
    assert child("--version").stdout.startswith("simulate 0.")


def test_strategies_are_listed_with_their_parameters(simulate):
    code, out, _ = simulate("strategies", "napalm")
    assert code == 0
    assert "bluff=0.1" in out
    assert "noddy" not in out.splitlines()
    listed = json.loads(simulate("strategies", "--json")[1])
    assert {"napalm", "noddy"} == {entry["game"] for entry in listed}
    bluffer = next(entry for entry in listed if entry["name"] == "bluffer")
    assert bluffer["params"] == {"yes_above": 0.75, "bluff": 0.1}


def test_rank_says_what_a_napalm_hand_is_worth(simulate):
    code, out, _ = simulate("rank", "napalm", "--players", "5", "Ah Kd Qs Jc Td 2c 2d")
    assert code == 0
    assert out.splitlines()[:3] == [
        "A-high straight",
        "strength 0.9390",
        "beats 125,249,320 of 133,784,560 hands, ties with 747,980",
    ]
    assert out.splitlines()[3].startswith("best or tied of 5: 79.")


def test_rank_lists_every_option_of_a_noddy_hand(simulate):
    code, out, _ = simulate("rank", "noddy", "--trump", "h", "5h", "Jh", "5c")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["15", "fifteen"], ["15", "fifteen"], ["2", "pair"], ["1", "knave"],
    ]  # fmt: skip
    hold = simulate("rank", "noddy", "--trump", "h", "--rules", "hold", "5h", "Jh", "5c")[1]
    assert hold.splitlines()[-1].split() == ["0", "draw"]


def test_a_full_disk_under_stdout_is_one_line():
    full = Path("/dev/full")
    if full.exists():  # as on Linux
        with full.open("w") as out:
            command = [sys.executable, "-m", "simulate", "strategies"]
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (2, b"simulate: No space left on device\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "utf-8"])
def test_every_encoding_of_a_terminal_will_do(encoding):
    argv = ["rank", "napalm", "--players", "4", "Ah", "Kd"]
    done = child(*argv, env={**os.environ, "PYTHONIOENCODING": encoding}, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("best or tied of 4: ")


def test_no_reader_no_complaint():
    command = [sys.executable, "-m", "simulate", "strategies"]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    writer.stdout.close()
    with writer:
        assert writer.stderr.read() == b""
    assert writer.returncode == 0
