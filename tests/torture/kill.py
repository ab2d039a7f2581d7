"""Kill runs at random moments, go on with them, and compare what is there with a run left alone.

``python tests/torture/kill.py KILLS [KIND ...]`` kills so many processes in all, shared out among
the kinds of runs, all when none is named. It prints figures as one line of JSON, and ends with 1
at the first file that is not what it should be.

What is killed is a process of its own, by SIGKILL. It is forked from one in which everything is
compiled and nothing runs yet, as starting Python anew would take ten times as long as the run.
Every other process is killed at a moment drawn from the time that is left of the run, the others
within some milliseconds after they have begun to write a part, or as soon as they rename its files.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process that is forked had better have no threads

import pandas as pd  # noqa: F401  (so that processes that are forked need not)
import scipy.stats  # noqa: F401  (as above)

import simulate
from simulate import comparison, lock, runner, store, sweeping, tournaments

Play = Callable[[Path], object]
WRITING = 0.008  # seconds that it takes to write a part, flush it and rename its files, about


def play_run(game: str, detail: str, games: int, rows: int, deals: int = 1 << 30) -> Play:
    """Make a run of several parts."""
    config, line_up = simulate.configure(
        game, games=games, detail=detail, strategies=LINE_UPS[game], seed=5
    )

    def play(folder: Path) -> object:
        runner.PART_ROWS, runner.PART_DEALS = rows, deals
        return runner.run(config, line_up, folder, threads=2)

    return play


def play_comparison(folder: Path) -> object:
    asked = comparison.ask("napalm", "tight", "bluffer", games=3_000, precision=1e-9, seed=5)
    return asked.answer(folder, threads=2)


def play_sweep(folder: Path) -> object:
    sweeping.SLICE_GAMES, sweeping.PART_PLAYS = (64, 64), 300
    asked = sweeping.ask("noddy", "rule.target=11:31:10", games=500, seed=5)
    return asked.answer(folder, threads=2)


def play_tournament(folder: Path) -> object:
    tournaments.SLICE_ROUNDS, tournaments.PART_GAMES = 16, 200
    asked = tournaments.ask("noddy", ["highest", "keeper", "racer"], games=1_200, seed=5)
    return asked.answer(folder, threads=2)


LINE_UPS = {"napalm": ["tight", "bluffer", "threshold", "racer"], "noddy": ["highest", "keeper"]}
KINDS: dict[str, Play] = {
    "napalm summary": play_run("napalm", "summary", 2_000, 0, 3_000),
    "napalm deals": play_run("napalm", "deals", 1_000, 800),
    "noddy turns": play_run("noddy", "turns", 400, 1_200),
    "compare": play_comparison,
    "sweep": play_sweep,
    "tournament": play_tournament,
}


def begin(play: Play, folder: Path) -> int:
    """Play in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            play(folder)
            code = 0
        finally:
            os._exit(code)
    return child


def files_in(folder: Path) -> dict[str, bytes]:
    """Read what is there under its final name."""
    if not folder.exists():
        return {}
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name[0] != "."}


def part_of(name: str) -> str:
    """Return the number of the part that a file belongs to, or nothing."""
    stem, _, number = name.removesuffix(".parquet").rpartition("-")
    return number if stem and number.isdecimal() else ""


def finish(play: Play, folder: Path) -> float:
    """Play to the end, and return how long it took."""
    start = time.monotonic()
    _, status = os.waitpid(begin(play, folder), 0)
    if status != 0:
        raise AssertionError(f"a run that goes on ended with {status}")
    return time.monotonic() - start


def wait_for(what: str, folder: Path, longest: float) -> None:
    """Wait until files of a part are written, or until they are renamed, but not for ever."""
    end, most = time.monotonic() + longest, 0
    while time.monotonic() < end:
        with suppress(FileNotFoundError), os.scandir(folder) as entries:
            hidden = sum(entry.name.endswith(".tmp") for entry in entries)
            if (hidden and what == "writing") or hidden < most:
                return
            most = max(most, hidden)
        if most == 0:
            time.sleep(0.0005)


def warm_up(play: Play, folder: Path) -> None:
    """Compile what is needed in this process, before anything is written or any thread begun."""

    class Enough(Exception):
        pass

    def stop(*_: object) -> object:
        raise Enough

    real = runner.locked
    runner.locked = stop
    try:
        play(folder)
    except Enough:
        pass
    finally:
        runner.locked = real


class Torturer:
    """Kills runs of one kind."""

    def __init__(self, kind: str, place: Path, dice: random.Random) -> None:
        self.play, self.folder, self.dice = KINDS[kind], place / "killed", dice
        self.seen: Counter[str] = Counter()
        whole = place / "whole"
        warm_up(self.play, whole)
        self.seconds = finish(self.play, whole)
        self.seconds = finish(self.play, place / "again")
        self.whole = files_in(whole)
        if files_in(place / "again") != self.whole:
            raise AssertionError("two runs differ that nobody disturbed")
        parts = Counter(part_of(name) for name in self.whole)
        self.files_of_part = parts["000000"]

    def kill(self) -> None:
        """Kill one process somewhere in what is left of a run."""
        left = 1.0 - len(files_in(self.folder)) / len(self.whole)
        if left == 0.0:
            finish(self.play, self.folder)
            self.compare_whole()
            left = 1.0
        child = begin(self.play, self.folder)
        moment = self.dice.uniform(0.0, self.seconds * left)
        how = self.dice.choice(["any time", "any time", "writing", "renaming"])
        if how == "any time":
            time.sleep(moment)
        else:
            time.sleep(moment / 2)
            wait_for(how, self.folder, self.seconds)
            time.sleep(self.dice.uniform(0.0, WRITING) if how == "writing" else 0.0)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            self.seen["kills"] += 1
            self.look()
        elif status != 0:
            raise AssertionError(f"a run ended with {status}")
        else:
            self.compare_whole()

    def look(self) -> None:
        """Look at what a process that was killed left: whole files alone, under their names."""
        found = files_in(self.folder)
        for name, data in found.items():
            if name not in self.whole:
                raise AssertionError(f"{name} should not be there")
            if data != self.whole[name]:
                raise AssertionError(f"{name} is not what it should be")
        hidden = {file.name for file in self.folder.glob(".*")} if self.folder.exists() else set()
        half_written = any(name.endswith(".tmp") for name in hidden)
        parts = Counter(part_of(name) for name in found)
        half_there = any(0 < parts[part] < self.files_of_part for part in parts if part)
        self.seen["before run.json"] += store.MANIFEST not in found
        self.seen["while files were written"] += half_written and not half_there
        self.seen["while files were renamed"] += half_there
        self.seen["between two commits"] += not half_written and not half_there
        self.seen["after the last commit"] += found == self.whole

    def compare_whole(self) -> None:
        """Compare a run that has come to its end, and make room for the next."""
        found = files_in(self.folder)
        differ = sorted(
            name for name in {*found, *self.whole} if found.get(name) != self.whole.get(name)
        )
        if differ:
            raise AssertionError(f"a run that was killed and resumed differs: {', '.join(differ)}")
        left = {file.name for file in self.folder.glob(".*")} - {lock.NAME}
        if left:  # a lock that nobody holds may lie there: whoever dies last cannot remove it
            raise AssertionError(f"a run that was killed and resumed leaves {', '.join(left)}")
        self.seen["runs completed"] += 1
        shutil.rmtree(self.folder)

    def torture(self, kills: int) -> Counter[str]:
        """Kill so many processes; the last run is left alone in the end."""
        while self.seen["kills"] < kills:
            self.kill()
        finish(self.play, self.folder)
        self.compare_whole()
        return self.seen


def main(kills: int, kinds: list[str]) -> int:
    """Share the kills out, and say how it went."""
    figures: dict[str, dict[str, int]] = {}
    begun = time.monotonic()
    for place, kind in enumerate(kinds):
        share = kills * (place + 1) // len(kinds) - kills * place // len(kinds)
        with tempfile.TemporaryDirectory() as folder:
            torturer = Torturer(kind, Path(folder), random.Random(kills + place))
            figures[kind] = dict(torturer.torture(share))
        print(kind, figures[kind], file=sys.stderr, flush=True)
    figures["all"] = dict(sum(map(Counter, figures.values()), Counter()))
    print(json.dumps({**figures, "seconds": round(time.monotonic() - begun, 1)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(float(sys.argv[1])), sys.argv[2:] or list(KINDS)))
