"""Runs from the command line, on real games: tables, results, logs, and what stops them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import simulate as package
from simulate.cli import main
from simulate.commands import progress
from simulate.commands.progress import rate_text
from simulate.results import load

GAMES = 2_000


@pytest.fixture
def simulate(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder, and return its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*argv):
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def napalm(tmp_path_factory):
    """The folder of a run of five players, one of them twice."""
    out = tmp_path_factory.mktemp("runs")
    results = package.run(
        "napalm",
        games=GAMES,
        strategies=["tight*2", "bluffer", "listener", "racer"],
        detail="games",
        out=out,
    )
    return results.path


def run_folder(out: str) -> Path:
    return Path(out.rstrip().splitlines()[-1].removeprefix("results: "))


def test_a_run_prints_its_table_and_the_same_command_shows_it_again(simulate):
    command = ["run", "napalm", "--players", "4", "--games", "1e3", "--threads", "2"]
    code, out, err = simulate(*command)
    assert (code, err) == (0, "")
    assert out.startswith("napalm, 4 players, stakes, 1,000 games, seed 1\n")
    for words in ("games won", "net stakes", "says Yes", "lone", "showdown", "best of 4", "deals"):
        assert words in out
    assert "\x1b" not in out
    folder = run_folder(out)
    assert folder.parent == Path("results")
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert simulate(*command) == (code, out, "")
    assert simulate("show", folder) == (code, out, "")
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")


def test_the_table_is_what_the_rows_say(simulate, napalm):
    found = json.loads(simulate("show", napalm, "--json")[1])
    rows = load(napalm).games
    assert found["games"] == len(rows) == GAMES
    assert found["deals"] == rows.deals.sum()
    assert found["truncated"] == (rows.winner == -1).sum()
    assert found["lengths"]["mean"] == rows.deals.mean()
    assert found["lengths"]["median"] == rows.deals.quantile(0.5, interpolation="lower")
    for entry in found["strategies"]:
        seated = [(rows[f"strategy_{seat}"] == entry["strategy"]) for seat in range(5)]
        won = sum(((rows.winner == seat) & seated[seat]).sum() for seat in range(5))
        net = sum((rows[f"net_{seat}"] * seated[seat]) for seat in range(5))
        assert entry["seats"] == sum(seated)[0] == (2 if entry["strategy"] == "tight" else 1)
        share = entry["won"]
        assert share["value"] == pytest.approx(won / GAMES / entry["seats"])
        assert share["low"] < share["value"] < share["high"]
        stakes = entry["net"]
        assert stakes["value"] == pytest.approx(net.mean() / entry["seats"])
        error = net.std() / GAMES**0.5 / entry["seats"]
        assert (stakes["high"] - stakes["low"]) / 2 == pytest.approx(1.961 * error, rel=1e-3)


def test_the_table_of_noddy_is_what_the_rows_say(simulate, tmp_path):
    line_up = ["-s", "highest*2", "-s", "first"]
    shared = ["run", "noddy", *line_up, "--games", GAMES, "--json"]
    found = json.loads(simulate(*shared, "--detail", "turns")[1])
    turns = load(found["path"]).table("turns")
    games = load(json.loads(simulate(*shared, "--detail", "games")[1])["path"]).games
    assert found["games"] == len(games) == GAMES
    assert found["deals"] == games.deals.sum()
    for entry in found["strategies"]:
        name, seats = entry["strategy"], entry["seats"]
        own = turns[turns.strategy_moving == name]
        assert entry["turns"] == len(own)
        assert entry["points"] == own.points.sum()
        assert {move: made["times"] for move, made in entry["moves"].items()} == {
            move: times for move, times in own.move.value_counts().items() if times
        }
        won = sum(((games.winner == s) & (games[f"strategy_{s}"] == name)).sum() for s in range(3))
        assert seats == (2 if name == "highest" else 1)
        assert entry["games_won"] == won
        assert entry["won"]["value"] == pytest.approx(won / GAMES / seats)
        assert entry["won"]["low"] < entry["won"]["value"] < entry["won"]["high"]
    text = simulate(*shared[:-1])[1]
    for words in ("points a turn", "turns to win", "fifteen", "draw", "Dead deals"):
        assert words in text


def test_the_words_add_up(napalm):
    decisions = load(napalm).decisions
    yes = decisions[decisions.yes == 1]
    assert (yes["count"] == yes.lone + yes.won + yes.tied + yes.lost).all()
    assert (yes.best <= yes["count"]).all()
    no = decisions[decisions.yes == 0]
    assert no[["lone", "won", "tied", "lost", "net"]].to_numpy().sum() == 0
    first = decisions[(decisions.stage == 1) & (decisions.turn == 1)]
    assert first["count"].sum() == 5 * load(napalm).totals.deals.sum()


def test_settings_come_from_a_file_and_options_go_before(simulate):
    Path("run.toml").write_text(
        """
        game = "napalm"
        players = 4
        games = "1k"
        seed = 7
        strategies = ["tight*3", "bluffer:bluff=0.2"]
        rules = { preset = "tokens", stage3 = { lone_award = 2 }, target = 3 }
        detail = "games"
        threads = 1
        out = "elsewhere"
        """
    )
    code, out, err = simulate("run", "--config", "run.toml", "--seed", "8", "--rule", "target=4")
    assert (code, err) == (0, "")
    assert run_folder(out).parent == Path("elsewhere")
    results = load(run_folder(out))
    assert results.config["seed"] == 8
    assert results.config["games"] == 1_000
    rules = results.config["rules"]
    assert (rules["currency"], rules["target"], rules["stage3"]["lone_award"]) == ("tokens", 4, 2)
    assert [slot["spec"] for slot in results.config["strategies"]] == [
        "tight", "tight", "tight", "bluffer:bluff=0.2",
    ]  # fmt: skip
    assert len(results.games) == 1_000


def test_quiet_and_json_print_what_they_say(simulate):
    command = ["run", "napalm", "--players", "4", "--games", "300"]
    assert simulate(*command, "--quiet") == (0, "", "")
    code, out, err = simulate(*command, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["complete"] is True


def test_too_few_games_have_no_intervals(simulate):
    code, out, _ = simulate("run", "napalm", "--players", "4", "--games", "20")
    assert code == 0
    assert "±" not in out
    assert (
        json.loads(simulate("show", "--json", run_folder(out))[1])["strategies"][0]["won"]["low"]
        is None
    )


def test_truncated_games_are_counted(simulate):
    rules = ["--rule", "max_deals=3", "--rule", "target=50"]
    out = simulate("run", "napalm", "-s", "never*4", "--games", "300", *rules)[1]
    assert "100.00% of the games were truncated: nobody had won after 3 deals." in out


@pytest.mark.parametrize(
    ("game", "written", "wrong"),
    [
        ("napalm", '"pot":', "log.jsonl, line 1: deal 0, stage 1: pot"),
        ("noddy", '"scores":[', "log.jsonl, line 1: deal 0: scores"),
    ],
)
def test_a_log_is_played_audited_and_told(simulate, game, written, wrong):
    command = ["log", game, "--games", "20"]
    said = "simulate: 20 games are in log.jsonl\n"
    assert simulate(*command, "--out", "log.jsonl") == (0, "", said)
    assert simulate("audit", "log.jsonl") == (0, "20 games, nothing wrong\n", "")
    printed = simulate(*command)[1]
    assert printed == Path("log.jsonl").read_text()
    code, told, _ = simulate("replay", "log.jsonl", "--game", "17")
    assert code == 0
    assert "game 17" in told.lower()
    Path("log.jsonl").write_text(printed.replace(written, f"{written}1", 1))
    code, out, err = simulate("audit", "log.jsonl")
    assert (code, err) == (1, "")
    assert out.startswith(wrong)
    Path("log.jsonl").write_text(printed[:500])
    assert simulate("audit", "log.jsonl")[0] == 2


def test_a_game_of_a_run_is_played_again_as_it_was(simulate, napalm):
    rows = load(napalm).games
    for index in (0, 1_234):
        code, told, _ = simulate("replay", napalm, "--game", index)
        assert code == 0
        assert f"game {index}" in told.lower()
    assert simulate("replay", napalm, "--game", GAMES)[0] == 2
    config, line_up = package.configure(
        "napalm", games=GAMES, strategies=["tight*2", "bluffer", "listener", "racer"]
    )
    for record in package.records(config, line_up, 100, 110):
        row = rows.iloc[record["index"]]
        assert record["net"] == [row[f"net_{seat}"] for seat in range(5)]
        assert record["seats"] == [row[f"strategy_{seat}"] for seat in range(5)]


def test_explain_shows_what_was_seen(simulate):
    code, out, _ = simulate("log", "napalm", "--players", "4", "--games", "1", "--explain")
    assert code == 0
    assert "strength" in out


def test_a_run_that_cannot_write_says_so(simulate):
    Path("results").touch()
    code, out, err = simulate("run", "napalm", "--players", "4", "--games", "100")
    assert (code, out) == (2, "")
    assert err.startswith("simulate: results")
    assert err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["results"]


@pytest.mark.parametrize("answer", ["1.1", "float('nan')", "None", "'yes'", "1 // 0"])
def test_a_bad_strategy_ends_a_run_with_one_line_and_leaves_nothing(simulate, answer):
    Path("bad.py").write_text(f"def p_yes(view):\n    return {answer}\n")
    code, out, err = simulate("run", "napalm", "-s", "tight*3", "-s", "bad.py", "--games", "100")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "bad.py" in err
    assert [path.name for path in Path().iterdir()] == ["bad.py"]


def test_a_strategy_that_has_changed_is_refused_on_resuming(simulate):
    Path("my.py").write_text("def p_yes(view):\n    return 0.5\n")
    out = simulate("run", "napalm", "-s", "tight*3", "-s", "my.py", "--games", "100")[1]
    folder = run_folder(out)
    assert simulate("run", "--resume", folder)[0] == 0
    Path("my.py").write_text("def p_yes(view):\n    return 0.6\n")
    code, _, err = simulate("run", "--resume", folder)
    assert code == 2
    assert "strategy my.py has changed since the run began" in err
    assert simulate("show", folder)[0] == 0


def test_damaged_parts_are_named_and_mended(simulate):
    folder = run_folder(simulate("run", "napalm", "--players", "4", "--games", "300")[1])
    file = folder / "decisions-000000.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    code, out, _ = simulate("verify", folder)
    assert code == 1
    assert out.startswith("part 0: decisions-000000.parquet: ")
    code, _, err = simulate("show", folder)
    assert code == 2
    assert "decisions-000000.parquet is damaged" in err
    assert simulate("run", "--resume", folder)[0] == 0
    assert file.read_bytes() == whole


def test_ctrl_c_keeps_what_is_done_and_names_the_command_that_goes_on(tmp_path):
    command = [sys.executable, "-m", "simulate"]
    options = ["napalm", "--players", "4", "--games", "3M", "--detail", "games", "--threads", "1"]
    child = subprocess.Popen(
        [*command, "run", *options], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    with child:
        deadline = time.monotonic() + 300
        while not list(tmp_path.glob("results/*/totals-000000.parquet")):
            assert time.monotonic() < deadline
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
    assert (child.returncode, out) == (130, "")
    (folder,) = tmp_path.glob("results/*")
    assert err.startswith("simulate: stopped; ")
    assert 0 < load(folder).games_played < 3_000_000
    resume = err.rstrip().split("to go on: simulate ")[1].split()
    assert not list(folder.glob(".*"))
    kept = {file.name: file.read_bytes() for file in folder.iterdir()}
    done = subprocess.run([*command, *resume, "--quiet"], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert load(folder).complete
    assert {name: (folder / name).read_bytes() for name in kept} == kept


@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_terminal_gets_bold_heads_unless_its_user_minds(napalm, no_color):
    ours, theirs = os.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    command = [sys.executable, "-m", "simulate", "show", str(napalm)]
    with subprocess.Popen(command, stdout=theirs, env=environment):
        os.close(theirs)
        written = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert b"games won" in written
    assert (b"\x1b[1m" in written) == (not no_color)


def test_a_terminal_gets_a_progress_bar_and_the_output_does_not(tmp_path):
    ours, theirs = os.openpty()
    options = ["napalm", "--players", "4", "--games", "30k", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "simulate", "run", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as child:
        os.close(theirs)
        written = b"".join(iter(lambda: _read(ours), b""))
        out = child.stdout.read()
    os.close(ours)
    assert child.returncode == 0
    assert b"games/s" in written
    assert b"100%" in written
    assert out.startswith("napalm, 4 players")
    assert "games/s" not in out


@pytest.mark.parametrize(
    ("games", "seconds", "text"),
    [(0, 0.0, "0 games/s"), (950, 1.0, "950 games/s"), (24_680_000, 2.0, "12.3M games/s")],
)
def test_rates_are_written_in_three_digits(games, seconds, text):
    assert rate_text(games, seconds) == text


def _read(descriptor):
    try:
        return os.read(descriptor, 4_096)
    except OSError:  # on Linux the end of a terminal is an error
        return b""


def test_a_stop_that_was_lost_on_its_way_is_noticed():
    """As where a library calls Python from C, and forgets what is raised there."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job has not
    with progress.progress_bar(hidden=True) as told:
        told(1, 10)
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            told(2, 10)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
