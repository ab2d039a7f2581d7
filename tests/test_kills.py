"""Runs killed at random moments, by SIGKILL, end as runs that nobody disturbed.

`make crash` does it a hundred times, `make torture` three thousand times.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from simulate import solver, store
from simulate.results import load

TESTS = Path(__file__).parent
KILLS = 24
COMMAND = [sys.executable, "-m", "simulate"]


def test_killed_at_any_moment_and_resumed_everything_ends_the_same():
    program = [sys.executable, str(TESTS / "torture" / "kill.py"), str(KILLS)]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["all"]["kills"] == KILLS
    assert figures["all"]["while files were written"] > 0
    assert figures["all"]["runs completed"] >= 6


def play(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_commands_that_are_killed_go_on_from_what_is_there(tmp_path):
    words = ["run", "noddy", "--players", "2", "--games", "200k", "--detail", "turns", "--quiet"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    with play(whole, *words) as child:
        assert child.communicate() == ("", "")
    (expected,) = whole.glob("results/*")
    for part in (0, 1):
        with play(killed, *words) as child:
            deadline = time.monotonic() + 300
            while not list(killed.glob(f"results/*/totals-00000{part}.parquet")):
                assert time.monotonic() < deadline
                assert child.poll() is None
                time.sleep(0.002)
            child.send_signal(signal.SIGKILL)
            assert child.wait() == -signal.SIGKILL
        (folder,) = killed.glob("results/*")
        found = load(folder)
        assert 0 < found.games_played < 200_000
        kept = {
            file: file.stat().st_mtime_ns
            for file in (found.folder.file(t, part) for t in found.tables for part in found.parts)
        }
    with play(killed, "run", "--resume", str(folder), "--quiet") as child:
        assert child.communicate() == ("", "")
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert files == {file.name: file.read_bytes() for file in expected.iterdir()}
    assert load(folder).signature == load(expected).signature


KEEPS_OFTEN = """
from simulate import solver
solver.KEPT_EVERY = 0.0
solver.solve(players=4, deals=64 * solver.BLOCK, threads=1, deal=True)
"""


def test_a_solver_that_is_killed_goes_on_from_what_it_has_kept(tmp_path):
    asked = {"players": 4, "deals": 64 * solver.BLOCK, "deal": True}
    whole = solver.solve(**asked, out=tmp_path / "whole").path
    out = tmp_path / "results"
    with subprocess.Popen([sys.executable, "-c", KEEPS_OFTEN], cwd=tmp_path) as child:
        deadline = time.monotonic() + 300
        while not list(out.glob("*/learned.parquet")):
            assert time.monotonic() < deadline
            assert child.poll() is None
            time.sleep(0.002)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    [folder] = out.iterdir()
    blocks = store.read_kept(folder / "learned.parquet")["blocks"][0].as_py()
    assert 0 < blocks < 64
    solver.reopen(folder).answer(folder)
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert files == {file.name: file.read_bytes() for file in whole.iterdir()}
