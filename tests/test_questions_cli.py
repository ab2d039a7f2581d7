"""compare, sweep and tournament from the command line: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from simulate.cli import main
from simulate.commands import progress
from simulate.napalm import batch

COMPARE = ["compare", "napalm", "threshold:stage1=0.7", "threshold", "--field", "threshold"]
SWEEP = ["sweep", "napalm", "--vary", "threshold.stage1=0.6:0.9:0.15", "--games", "1k"]
TOURNAMENT = ["tournament", "napalm", "-s", "threshold", "-s", "always", "-s", "never"]


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


def test_compare_prints_both_the_difference_and_the_conclusion(simulate):
    code, out, err = simulate(*COMPARE, "--games", "3k", "--threads", "2")
    assert (code, err) == (0, "")
    assert "among threshold, 3,000 games twice with the same cards" in out
    assert "difference" in out
    assert "Pairing was worth " in out
    assert "It ended after 3,000 games, all that were asked for." in out
    assert (folder_of(out) / "run.json").exists()
    assert "\x1b" not in out


def test_compare_takes_hypotheses_and_their_error_rates(simulate):
    command = ["compare", "napalm", "threshold:stage1=0.95", "threshold", "--field", "threshold"]
    code, out, _ = simulate(*command, "--sprt", "0", "1", "--alpha", "0.01", "--beta", "0.02")
    assert code == 0
    decided = "The test decided after 1,000 games for a difference of 0 against 1"
    assert f"{decided} (false positives at most 0.01, misses 0.02)." in out


def test_compare_for_programs(simulate):
    code, out, _ = simulate(*COMPARE, "--games", "3000", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found["results"]) == {"net", "wins"}
    assert found["results"]["net"]["difference"]["n"] == 3000
    assert found["sentence"].endswith(" stakes a game, first minus second.") or "better" in out


def test_sweep_prints_points_and_draws_them(simulate, tmp_path):
    code, out, err = simulate(*SWEEP, "--plot", "line.png")
    assert (code, err) == (0, "")
    assert "threshold among threshold: 1,000 games with the same cards at each of 3 points" in out
    assert out.count("best") >= 1
    assert "Best is threshold.stage1=" in out
    assert (tmp_path / "line.png").stat().st_size > 10_000
    assert len(pd.read_parquet(folder_of(out) / "points.parquet")) == 3


def test_sweep_of_two_draws_a_map(simulate, tmp_path):
    two = ["--vary", "threshold.stage2=0.7:0.8:0.1"]
    code, out, _ = simulate(*SWEEP, *two, "--plot", "map.svg", "--measure", "wins")
    assert code == 0
    assert "wins (of the games)" in (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert "% of the games; " in out


def test_sweep_for_programs(simulate):
    code, out, _ = simulate(*SWEEP, "--json")
    assert code == 0
    assert [point["threshold.stage1"] for point in json.loads(out)["points"]] == [0.6, 0.75, 0.9]


def test_sweep_looks_for_an_equilibrium(simulate):
    vary = ["--vary", "threshold.stage1=0.6:0.9:0.1"]
    code, out, _ = simulate("sweep", "napalm", *vary, "--equilibrium", "--games", "20k")
    assert code == 0
    assert "everybody alike" in out
    assert "Nobody gains by leaving threshold:stage1=0.7" in out
    folder = out.split("results: ")[1].strip()
    assert simulate("show", folder)[:2] == (0, out)
    assert simulate("sweep", "--resume", folder)[:2] == (0, out)
    assert simulate("verify", folder)[:2] == (0, "the one part is there and whole\n")
    assert simulate("report", folder)[0] == 0
    page = Path(folder, "report.html").read_text(encoding="utf-8")
    assert "What it would bring to leave it" in page
    assert "simulate sweep napalm --equilibrium --vary" in page
    next(Path(folder).glob("deviations-*.parquet")).unlink()
    code, _, err = simulate("show", folder)
    assert code == 2
    assert f"is not complete; to go on: simulate sweep --resume {folder}" in err


def test_tournament_prints_ranking_groups_and_cross_table(simulate, tmp_path):
    code, out, err = simulate(*TOURNAMENT, "--games", "6k", "--plot", "cross.png")
    assert (code, err) == (0, "")
    assert "napalm, 3 strategies at 3 tables of 5, " in out
    assert "group" in out
    assert "gain from (stakes a game)" in out
    assert " comes first with +" in out
    assert (tmp_path / "cross.png").stat().st_size > 10_000


def test_tournament_for_programs(simulate):
    code, out, _ = simulate(*TOURNAMENT, "--games", "6k", "--json")
    found = json.loads(out)
    assert code == 0
    assert {row["strategy"] for row in found["ranking"]} == {"threshold", "always", "never"}


def test_show_prints_the_answer_again(simulate):
    for command in ([*COMPARE, "--games", "3k"], SWEEP, [*TOURNAMENT, "--games", "6k"]):
        _, out, _ = simulate(*command)
        assert simulate("show", folder_of(out)) == (0, out, "")
        document = simulate(*command, "--json")[1]
        assert simulate("show", folder_of(out), "--json")[1] == document


def test_verify_asks_for_no_more_than_an_early_end_left(simulate):
    _, out, _ = simulate(*COMPARE, "--sprt", "-5", "0")
    assert simulate("verify", folder_of(out)) == (0, "the one part is there and whole\n", "")


def test_quiet_prints_nothing(simulate):
    for command in ([*COMPARE, "--games", "3k"], SWEEP, [*TOURNAMENT, "--games", "6k"]):
        assert simulate(*command, "--quiet") == (0, "", "")


@pytest.mark.parametrize(
    ("command", "at"),
    [([*COMPARE, "--games", "9k"], 5), (SWEEP, 5), ([*TOURNAMENT, "--games", "6k"], 8)],
)
def test_stopped_it_says_how_to_go_on_and_goes_on(simulate, monkeypatch, command, at):
    whole = simulate(*command, "--out", "whole")[1]
    play, calls = batch.play, []

    def interrupted(*words):
        calls.append(words)
        if len(calls) == at:
            raise KeyboardInterrupt
        return play(*words)

    monkeypatch.setattr(batch, "play", interrupted)
    code, out, err = simulate(*command, "--out", "cut")
    assert (code, out) == (130, "")
    monkeypatch.setattr(batch, "play", play)
    assert err.startswith("simulate: stopped; ")
    [folder] = Path("cut").iterdir()
    assert err.endswith(f"to go on: simulate {command[0]} --resume {folder}\n")
    code, again, _ = simulate(command[0], "--resume", folder)
    assert code == 0
    assert again.replace("cut", "whole") == whole


def test_resume_leaves_everything_as_it_is(simulate):
    folder = folder_of(simulate(*SWEEP)[1])
    code, _, err = simulate("sweep", "--resume", folder, "--games", "2k")
    assert (code, err) == (
        2,
        "simulate: --resume goes on with a question as it is: leave out --games\n",
    )
    code, _, err = simulate("compare", "--resume", folder)
    assert code == 2
    assert f"{folder} is a sweep, no compare: simulate sweep --resume {folder}" in err


BAD = [
    (["compare", "napalm", "tight"], "needs a game and two strategies"),
    (["compare", "napalm", "tight", "tight"], "a comparison needs two strategies"),
    ([*COMPARE, "--precision", "0"], "precision 0.0 is not a number above 0"),
    ([*COMPARE, "--precision", "small"], "precision 'small' is not a number"),
    ([*COMPARE, "--sprt", "0.1", "0.1"], "both hypotheses are 0.1"),
    ([*COMPARE, "--sprt", "0", "0.1", "--alpha", "0.6"], "false positive rate 0.6"),
    ([*COMPARE, "--sprt", "0", "0.1", "--beta", "0"], "miss rate 0.0"),
    ([*COMPARE, "--sprt", "0", "0.1", "--precision", "0.1"], "only one can end it"),
    ([*COMPARE, "--alpha", "0.1"], "--sprt, which is not given"),
    ([*COMPARE, "--feild", "tight"], "did you mean '--field'"),
    (["sweep", "napalm"], "nothing is varied"),
    ([*SWEEP[:3], "threshold.stag1=0:1:0.5"], "did you mean 'stage1'"),
    ([*SWEEP[:3], "threshold.stage1=0:1:0"], "has a step of 0"),
    ([*SWEEP[:3], "threshold.stage1=1:0:0.1"], "runs backwards"),
    ([*SWEEP, "--equilibrium", "-s", "tight"], "all play alike: leave out -s"),
    ([*SWEEP, "--plot", "picture.bmp"], "must end with one of .png, .svg, .pdf"),
    ([*SWEEP, "--of", "tight"], "unknown strategy of the line-up 'tight'"),
    (["tournament", "napalm", "-s", "tight"], "only 'tight' in a tournament"),
    ([*TOURNAMENT, "-s", "always"], "strategy 'always' takes part twice"),
    ([*TOURNAMENT, "--games", "100"], "at least 3,000 games are needed"),
    (["tournament"], "no game is named"),
    (["tournament", "bridge", "-s", "tight", "-s", "pair"], "unknown game 'bridge'"),
]


@pytest.mark.parametrize(("command", "words"), BAD)
def test_bad_input_is_one_line_and_leaves_nothing_behind(simulate, tmp_path, command, words):
    code, out, err = simulate(*command)
    assert code == 2
    assert out == ""
    assert err.startswith("simulate: ")
    assert err.count("\n") == 1
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_a_bar_is_shown_while_it_plays(simulate, monkeypatch):
    """The questions report their progress to the same bar as runs."""
    told = []

    class Bar:
        def __enter__(self):
            return lambda games, total: told.append((games, total))

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(progress, "progress_bar", lambda hidden: Bar())
    simulate(*COMPARE, "--games", "3k")
    assert told[-1] == (3_000, 3_000)
