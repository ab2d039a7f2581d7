"""Child processes under watch: what stops them is found and named, and nothing else is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from fake_batch import CONFIG, FakeBatch

import simulate
from simulate import runner, workers
from simulate.errors import InputError
from simulate.executors import Where
from simulate.results import load
from simulate.work import Work
from strategies import StrategyError

PATIENCE = 1.0

BAD = '''
"""Plays well almost always."""

import numpy as np


def p_yes(view, kind=0, often=0.05):
    if view.stage == 3 and view.strength > 0.99 and view.random < often:
        if kind == 1:
            k = 1
            while k > 0:
                k = (k * 5 + 1) % 1000003 + 1
            return float(k)
        if kind == 2:
            return np.ones(100_000_000)[5]
        if kind == 3:
            return np.ones(10)[int(1e15 * view.random)]
        if kind == 4:
            return 1.1
        if kind == 5:
            raise ValueError("seven")
    return 1.0 if view.strength > 0.7 else 0.1
'''


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(runner, "PART_ROWS", 2_000)
    monkeypatch.setattr(runner, "PART_GAMES", 2_000)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))  # children know the fake game


@pytest.fixture(autouse=True)
def no_orphans():
    before = psutil.Process().children(recursive=True)
    threads = threading.active_count()
    yield
    left = [child for child in psutil.Process().children(recursive=True) if child not in before]
    assert not left
    for _ in range(100):  # a thread that saw its child end may need a moment to end itself
        if threading.active_count() <= threads:
            break
        time.sleep(0.05)
    assert threading.active_count() <= threads


def our_children():
    """The children that play; libraries that other tests use have processes of their own."""
    children = psutil.Process().children()
    return [child for child in children if "simulate.child" in " ".join(words_of(child))]


def words_of(child):
    try:
        return child.cmdline()
    except psutil.Error:  # it has just ended
        return []


def play(path, batch, patience=PATIENCE, threads=2, **options):
    where = Where("processes", patience)
    return runner.run(
        CONFIG, [None] * 4, path, threads=threads, where=where, batch=batch, **options
    )


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


@pytest.fixture
def expected(tmp_path):
    """The files of a run on threads."""
    runner.run(CONFIG, [None] * 4, tmp_path / "expected", batch=FakeBatch())
    return files(tmp_path / "expected")


def test_children_play_the_same(tmp_path, expected):
    play(tmp_path / "run", FakeBatch())
    assert files(tmp_path / "run") == expected


@pytest.mark.parametrize(
    ("how", "plainly", "message"),
    [
        ("loops", "plays", "took over 1 s when compiled, though it does not in plain Python"),
        ("loops", "is at fault", "strategy a answered NaN in game 5003"),
        ("dies", "plays", "ended its process (SIGKILL) when compiled"),
        ("leaves", "plays", "ended its process (exit code 3) when compiled"),
        ("dies", "dies", "ended its process (SIGKILL), in game 5003"),
        ("eats", "plays", "took more than 2048 MiB of memory when compiled"),
        ("eats", "eats", "took more than 2048 MiB of memory, in game 5003"),
    ],
)
def test_what_stops_a_game_is_named_and_the_parts_before_are_kept(tmp_path, how, plainly, message):
    path = tmp_path / "run"
    with pytest.raises(InputError) as caught:
        play(path, FakeBatch(stop_at=5003, how=how, plainly=plainly), threads=1)
    assert message in str(caught.value)
    assert "5003" in str(caught.value)
    assert load(path).games_played == 4_000
    assert play(path, FakeBatch()).complete


@pytest.mark.parametrize("how", ["loops", "dies", "eats"])
def test_what_happens_once_is_nobodys_fault_and_nothing_is_lost(tmp_path, expected, how):
    """The machine was busy, or somebody has killed a process: its games are played again."""
    batch = FakeBatch(stop_at=5003, how=how, once=str(tmp_path / "it happened"))
    play(tmp_path / "run", batch)
    assert (tmp_path / "it happened").exists()
    assert files(tmp_path / "run") == expected


def test_children_that_are_killed_are_replaced(tmp_path, expected):
    killed = {}

    def kill_one(games, total):
        if games >= max(killed.values(), default=0) + 1_000:  # somebody has played since
            victim = min(our_children(), key=psutil.Process.create_time)
            victim.kill()
            killed[victim.pid] = games

    play(tmp_path / "run", FakeBatch(seconds_a_game=1e-4), progress=kill_one)
    assert len(killed) >= 3
    assert files(tmp_path / "run") == expected


def test_a_slow_game_is_not_taken_for_a_loop_while_others_come_back(tmp_path):
    """A slice takes three times as long as anybody has patience for, each game of it does not."""
    watch = workers.Watch(0.5, 2048)
    work = Work("napalm", None, (None,) * 4, 1, False, "games", FakeBatch(seconds_a_game=0.05))
    try:
        played, _ = workers.play(work, watch, 100, 130)
    finally:
        workers.close(watch)
    assert list(played.rows["game"]) == list(range(100, 130))
    assert played.totals["drawn"].sum() == 30


def test_whatever_is_raised_is_raised_here(tmp_path):
    for error in (InputError("strategy a"), StrategyError("a", "b", "c", "d"), KeyError("e")):
        with pytest.raises(type(error)) as caught:
            play(tmp_path / "run", FakeBatch(fail_at=0, error=error))
        assert str(caught.value) == str(error)
    with pytest.raises(RuntimeError, match="UnsendableError: one and another"):
        play(tmp_path / "run", FakeBatch(stop_at=0, how="raises"))


def test_a_child_that_cannot_start_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "command", lambda *_: [sys.executable, "-c", "import nowhere"])
    with pytest.raises(InputError, match=r"exit code 1\): ModuleNotFoundError: No module named"):
        play(tmp_path / "run", FakeBatch())


def test_a_child_that_is_not_asked_for_long_ends_and_another_one_starts(monkeypatch):
    monkeypatch.setattr(workers, "command", lambda module, *rest: [
        sys.executable, "-c", "import simulate.child as c; c.IDLE = 0.3; c.main()", *map(str, rest)
    ])  # fmt: skip
    watch = workers.Watch(PATIENCE, 2048)
    work = Work("napalm", None, (None,) * 4, 1, False, "games", FakeBatch())
    try:
        for start in (0, 10):
            played, _ = workers.play(work, watch, start, start + 10)
            assert list(played.rows["game"]) == list(range(start, start + 10))
            wait_until(lambda: not any(map(alive, our_children())))
    finally:
        workers.close(watch)


def test_no_more_children_are_started_than_are_needed(tmp_path):
    seen = set()

    def look(games, total):
        seen.update(child.pid for child in our_children())

    play(tmp_path / "run", FakeBatch(), threads=4, progress=look)
    assert len(seen) == 1  # it had done everything before another one could have started


def test_children_are_kept_from_one_run_to_the_next(tmp_path, expected):
    seen = set()

    def look(games, total):
        seen.update(child.pid for child in our_children())

    with Where("processes", PATIENCE).kept() as where:
        for name in ("a", "b"):
            runner.run(
                CONFIG, [None] * 4, tmp_path / name, where=where, batch=FakeBatch(), progress=look
            )
            assert files(tmp_path / name) == expected
        assert len(seen) == 1
        with pytest.raises(InputError):
            runner.run(
                CONFIG,
                [None] * 4,
                tmp_path,
                where=where,
                batch=FakeBatch(fail_at=0, error=InputError()),
            )
        assert not our_children()


def test_a_run_that_was_stopped_starts_no_more_children():
    watch = workers.Watch(PATIENCE, 2048)
    work = Work("napalm", None, (None,) * 4, 1, False, "games", FakeBatch(stop_at=0))
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(workers.play, work, watch, 0, 10) for _ in range(4)]
        time.sleep(1.5)
        workers.close(watch)
        for future in futures:
            with pytest.raises(InputError, match="was stopped"):
                future.result(timeout=5)


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "bad.py"
    path.write_text(BAD)

    def run(out, kind=0, **options):
        line_up = ["threshold*4", f"{path}:kind={kind}" if kind else str(path)]
        return simulate.run(
            "napalm", games=6_000, strategies=line_up, threads=2, out=out, **options
        )

    return run


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (1, "took over 1 s for an answer: does it loop?"),
        (2, "took more than 200 MiB of memory"),
        (3, "raised IndexError: index "),
        (4, "answered 1.1: it must return a probability from 0 to 1"),
        (5, "raised ValueError: seven"),
    ],
)
def test_strategy_state_and_value_are_named(tmp_path, bad, kind, problem):
    bad(tmp_path / "compiled", executor="threads")
    with pytest.raises(StrategyError) as caught:
        bad(tmp_path, kind, patience=1, memory=200)
    message = str(caught.value)
    assert message.startswith("strategy '")
    assert "\n" not in message
    for part in (f"bad.py:kind={kind}' {problem}", "bad.py:", "stage=3", "strength=0.99", "cards="):
        assert part in message


def test_the_default_is_children_for_strategies_of_the_user_alone(tmp_path, bad):
    seen = set()

    def look(games, total):
        seen.update(child.pid for child in our_children())

    found = bad(tmp_path / "a", progress=look)
    assert seen
    assert found.signature == bad(tmp_path / "b", executor="threads").signature
    seen.clear()
    simulate.run("napalm", games=2_000, strategies=["tight*5"], out=tmp_path, progress=look)
    assert not seen


def test_what_needs_more_memory_goes_on_with_more(tmp_path, bad):
    whole = bad(tmp_path / "whole", 2, executor="threads")
    with pytest.raises(StrategyError, match="more than 200 MiB"):
        bad(tmp_path, 2, memory=200)
    assert bad(tmp_path, 2, memory=2_000).signature == whole.signature


def test_a_strategy_may_take_longer_to_compile_than_anybody_has_patience(tmp_path):
    path = tmp_path / "new.py"
    path.write_text(f"{BAD}\n# never compiled before: {os.urandom(8).hex()}\n")
    found = simulate.run(
        "napalm", games=600, strategies=["threshold*4", str(path)], out=tmp_path, patience=0.5
    )
    assert found.complete


def test_a_strategy_whose_file_ends_the_process_is_one_line(tmp_path):
    path = tmp_path / "ends.py"
    path.write_text("import os\nos._exit(7)\n\n\ndef p_yes(view):\n    return 0.5\n")
    with pytest.raises(InputError, match=r"ended before it could play \(exit code 7\)"):
        simulate.run("napalm", games=600, strategies=["tight*4", str(path)], out=tmp_path)


PARENT = """
    import sys
    sys.path.insert(0, {tests!r})
    import test_workers
    test_workers.runner.PART_ROWS = 2_000
    batch = test_workers.FakeBatch(stop_at=9_000, seconds_a_game=1e-5)
    print("ready", flush=True)
    test_workers.play({path!r}, batch, patience=60.0)
"""


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("whom", ["it", "all"])
def test_a_parent_that_is_stopped_leaves_no_child(tmp_path, stop, whom):
    """Even where a child loops; by its number, or with its children as by Ctrl-C at a terminal."""
    path = tmp_path / "run"
    code = textwrap.dedent(PARENT).format(tests=str(Path(__file__).parent), path=str(path))
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        wait_until((path / "games-000003.parquet").exists)
        time.sleep(0.5)
        children = psutil.Process(parent.pid).children(recursive=True)
        assert children
        begin = time.monotonic()
        if whom == "it":
            parent.send_signal(stop)
        else:
            os.killpg(parent.pid, stop)
        parent.wait(timeout=10)
        wait_until(lambda: not any(map(alive, children)))
        assert time.monotonic() - begin < 5


def alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)
