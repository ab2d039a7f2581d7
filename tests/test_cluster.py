"""A real cluster of dask workers: nothing is lost, nothing counts twice, whatever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from fake_batch import FakeBatch
from test_executors import QUESTIONS, ask, expected, own  # noqa: F401  (fixtures)
from test_workers import BAD, CONFIG, files

import simulate
from simulate import cluster, runner
from simulate.errors import InputError
from simulate.executors import Where
from simulate.results import load

SCHEDULER = """
import asyncio, sys
from distributed import Nanny, Scheduler

async def main(workers):
    async with Scheduler(host="127.0.0.1", dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        address = scheduler.address
        nannies = [Nanny(address, nthreads=1, dashboard_address=":0") for _ in range(workers)]
        for nanny in nannies:
            await nanny
        await scheduler.finished()

if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
"""


class Running:
    """A scheduler and its workers, processes of their own."""

    def __init__(self, folder, workers=2):
        script = folder / "scheduler.py"
        script.write_text(SCHEDULER)
        environment = {**os.environ, "PYTHONPATH": python_path()}
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(workers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.address = self.process.stdout.readline().decode().strip()
        self.name = f"dask:{self.address}"

    @property
    def workers(self):
        """The processes of the workers: those that the nannies have started."""
        found = psutil.Process(self.process.pid).children(recursive=True)
        return [one for one in found if any("spawn_main" in word for word in one.cmdline())]

    def stop(self):
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        for one in family:
            if one.is_running():
                one.kill()
        self.process.wait()
        self.process.stdout.close()


def python_path():
    root = Path(__file__).parent
    return os.pathsep.join([str(root), str(root.parent), os.environ.get("PYTHONPATH", "")])


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    found = Running(tmp_path_factory.mktemp("cluster"))
    yield found
    found.stop()


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(runner, "PART_ROWS", 2_000)
    monkeypatch.setattr(cluster, "SECONDS", 0.1)
    before = threading.active_count()
    yield
    deadline = time.monotonic() + 10
    while threading.active_count() > before + 2 and time.monotonic() < deadline:
        time.sleep(0.1)  # dask keeps a thread for all clients


def play(path, batch, running, **options):
    where = Where(running.name)
    return runner.run(CONFIG, [None] * 4, path, where=where, batch=batch, **options)


@pytest.fixture
def whole(tmp_path):
    """The files of a run on threads."""
    runner.run(CONFIG, [None] * 4, tmp_path / "whole", batch=FakeBatch())
    return files(tmp_path / "whole")


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_cluster_plays_the_same(tmp_path, own, expected, running, question):  # noqa: F811
    assert ask(question, own, tmp_path, executor=running.name) == expected[question]


def test_workers_killed_while_they_play_lose_nothing(tmp_path, running, whole):
    killed = []

    def kill_one(games, total):
        if len(killed) < min(3, games // 2_000) and running.workers:
            victim = running.workers[0]
            victim.kill()
            killed.append(victim.pid)

    play(tmp_path / "run", FakeBatch(seconds_a_game=1e-3), running, progress=kill_one)
    assert len(killed) >= 2
    assert files(tmp_path / "run") == whole


def test_a_slow_worker_is_waited_for(tmp_path, running, whole):
    slow = []

    def stop_one(games, total):
        if not slow and games > 2_000:
            slow.append(running.workers[0])
            slow[0].suspend()
            threading.Timer(3.0, slow[0].resume).start()

    play(tmp_path / "run", FakeBatch(seconds_a_game=1e-3), running, progress=stop_one)
    assert slow
    assert files(tmp_path / "run") == whole


def test_a_worker_that_joins_takes_part(tmp_path, whole):
    """There is none at first."""
    running = Running(tmp_path, workers=0)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", running.address]
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    worker = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL, env=environment)
    try:
        play(tmp_path / "run", FakeBatch(), running)
        assert files(tmp_path / "run") == whole
    finally:
        worker.kill()
        worker.wait()
        running.stop()


def test_without_any_worker_it_ends_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "JOIN", 1.0)
    running = Running(tmp_path, workers=0)
    try:
        with pytest.raises(InputError, match="has had no worker for 1 s: start some with: dask"):
            play(tmp_path / "run", FakeBatch(), running)
    finally:
        running.stop()


def test_a_scheduler_that_is_lost_is_one_line_and_the_run_goes_on_elsewhere(
    tmp_path, whole, caplog
):
    path, running = tmp_path / "run", Running(tmp_path)

    def kill(games, total):
        if (path / "games-000001.parquet").exists():
            running.process.send_signal(signal.SIGKILL)

    try:
        with pytest.raises(InputError, match="is lost: the parts that are done are kept"):
            play(path, FakeBatch(seconds_a_game=1e-3), running, progress=kill)
    finally:
        running.stop()
    assert not caplog.records
    assert 4_000 <= load(path).games_played < 10_000
    runner.run(CONFIG, [None] * 4, path, batch=FakeBatch())
    assert files(path) == whole


def test_a_game_that_kills_every_worker_is_one_line(tmp_path, running):
    with pytest.raises(InputError, match="dask workers died with the same slice"):
        play(tmp_path / "run", FakeBatch(stop_at=5_003, how="dies"), running)


def test_what_a_strategy_does_is_named_from_there(tmp_path, running):
    """It plays in a child process of the worker, under the same watch."""
    path = tmp_path / "bad.py"
    path.write_text(BAD)
    for kind, problem in ((1, "took over 1 s for an answer"), (4, "answered 1.1")):
        with pytest.raises(InputError) as caught:
            simulate.run(
                "napalm",
                games=6_000,
                strategies=["threshold*4", f"{path}:kind={kind}"],
                executor=running.name,
                patience=1,
                out=tmp_path / "out",
            )
        assert f"bad.py:kind={kind}' {problem}" in str(caught.value)
        assert "strength=0.99" in str(caught.value)


def test_the_cluster_is_given_no_more_than_its_scheduler_can_follow():
    class Client:
        def __init__(self, workers):
            self.workers = workers

        def nthreads(self):
            return dict.fromkeys(range(self.workers), 2)

    few, many = (cluster.Cluster(Client(workers), "") for workers in (1, 1_000))
    assert (few.at_once, few.seconds) == (5, cluster.SECONDS)
    assert many.at_once / many.seconds < 2.1 * cluster.TASKS_A_SECOND
