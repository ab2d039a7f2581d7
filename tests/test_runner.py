"""Runs in parts and slices: the same content however they are cut, interrupted and resumed."""

from __future__ import annotations

import errno
import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fake_batch import CONFIG, FakeBatch

from simulate import runner, store
from simulate.errors import InputError
from simulate.lock import locked
from simulate.results import load
from simulate.version import SCHEMA

LINE_UP = [None] * 4  # the fake game asks nobody


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(runner, "PART_ROWS", 2_000)
    monkeypatch.setattr(runner, "PART_GAMES", 2_000)


def play(path, config=CONFIG, *, batch=None, **options):
    return runner.run(config, LINE_UP, path, batch=batch or FakeBatch(), **options)


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The files of an uninterrupted run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "PART_ROWS", 2_000)
        path = tmp_path_factory.mktemp("runner") / "run"
        play(path)
    return files(path)


def test_a_run_is_cut_into_parts_and_complete(tmp_path, expected):
    results = play(tmp_path / "run")
    assert results.complete
    assert list(results.games.game) == list(range(10_000))
    assert results.results.games.sum() == 10_000
    assert results.totals.games.tolist() == [10_000]
    parts = [name for name in expected if name.startswith("games-")]
    assert len(parts) == 5
    assert files(tmp_path / "run") == expected


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("size", [1, 7, 5_000])
def test_threads_and_slices_leave_no_trace(tmp_path, monkeypatch, expected, threads, size):
    monkeypatch.setattr(runner, "FIRST_SLICE", 100 * size)
    monkeypatch.setattr(runner, "GROWTH", 1)
    play(tmp_path / "run", threads=threads)
    assert files(tmp_path / "run") == expected


def test_the_summary_is_the_same_at_every_detail(tmp_path):
    summary = play(tmp_path / "a", replace(CONFIG, detail="summary"))
    assert summary.tables == ("results", "totals")
    assert summary.results.equals(play(tmp_path / "b").results)


def test_the_signature_is_that_of_the_content(tmp_path, monkeypatch):
    signature = play(tmp_path / "a").signature
    assert play(tmp_path / "b", replace(CONFIG, seed=2)).signature != signature
    monkeypatch.setattr(runner, "PART_ROWS", 7_000)
    monkeypatch.setattr(runner, "PART_GAMES", 7_000)
    other = play(tmp_path / "c")
    assert len(other.parts) == 2
    assert other.signature == signature


def test_slices_grow_to_about_a_quarter_of_a_second():
    pace = runner._Pace()
    assert pace.games == runner.FIRST_SLICE
    for _ in range(10):
        pace.learn(pace.games, pace.games / 1e6)
    assert pace.games == 250_000
    pace.learn(pace.games, 10.0)
    assert pace.games == 6_250
    pace.learn(1, 60.0)
    assert pace.games == 1
    assert runner._Pace(largest=10).games == 10
    assert runner._Pace(smallest=100, largest=10).games == 100


@pytest.mark.parametrize(
    ("deals", "rows", "games"),
    [
        (3_000, 0, 1_000_000),  # the summary alone
        (512_000, 0, 100_000),  # of games in which nobody ever wins
        (3_000, 512, 1_000_000),  # a row a game
        (2_200, 2_200, 232_000),  # a row a deal
        (512_000, 512_000, 1_000),
        (512 * 10**7, 512 * 10**7, 1),
    ],
)
def test_deals_and_rows_decide_how_many_games_a_part_has(monkeypatch, deals, rows, games):
    monkeypatch.setattr(runner, "PART_ROWS", 1_000_000)
    monkeypatch.setattr(runner, "PART_GAMES", 1_000_000)
    assert runner.part_games(10**8, 512, deals, rows) == games


@pytest.mark.parametrize(
    ("all_games", "part"),
    [(10, 50_000), (500_000, 50_000), (3_000_000, 300_000), (10**8, 10**6), (10**11, 10**8)],
)
def test_a_run_has_some_parts_so_that_little_is_lost_and_not_too_many(monkeypatch, all_games, part):
    monkeypatch.setattr(runner, "PART_GAMES", 1_000_000)
    assert runner.part_games(all_games, 512, 3_000, 0) == part


def test_progress_counts_every_game_once(tmp_path):
    told = []
    play(tmp_path / "run", progress=lambda games, total: told.append((games, total)))
    assert told[0] == (0, 10_000)
    assert told[-1] == (10_000, 10_000)
    assert told == sorted(told)


def test_a_complete_run_is_only_read(tmp_path):
    play(tmp_path / "run")
    batch = FakeBatch(fail_at=0, error=AssertionError("it was played again"))
    assert play(tmp_path / "run", batch=batch).complete


def test_force_starts_afresh(tmp_path, expected):
    play(tmp_path / "run")
    (tmp_path / "run" / "games-000007.parquet").touch()
    batch = FakeBatch()
    play(tmp_path / "run", batch=batch, force=True)
    assert sum(stop - start for start, stop in batch.job.slices) == 10_000 + runner.PROBE
    assert files(tmp_path / "run") == expected


def test_exactly_the_damaged_parts_are_played_again(tmp_path, expected):
    path = tmp_path / "run"
    play(path)
    (path / "results-000001.parquet").unlink()
    damaged = bytearray((path / "games-000003.parquet").read_bytes())
    damaged[50] ^= 1
    (path / "games-000003.parquet").write_bytes(damaged)
    batch = FakeBatch()
    play(path, batch=batch)
    played = sorted(batch.job.slices)[1:]  # after the probe
    assert {start // 2_000 for start, _ in played} == {1, 3}
    assert sum(stop - start for start, stop in played) == 4_000
    assert files(path) == expected


def test_a_run_whose_manifest_was_lost_goes_on(tmp_path, expected):
    play(tmp_path / "run")
    (tmp_path / "run" / store.MANIFEST).unlink()
    batch = FakeBatch()
    play(tmp_path / "run", batch=batch)
    assert batch.job.slices == [(0, runner.PROBE)]
    assert files(tmp_path / "run") == expected


def test_ctrl_c_keeps_what_is_done_and_the_same_call_goes_on(tmp_path, expected):
    path = tmp_path / "run"

    def stop_half_way(games, total):
        if (path / "results-000001.parquet").exists():
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        play(path, batch=FakeBatch(seconds_a_game=1e-5), progress=stop_half_way)
    assert threading.active_count() == before
    kept = files(path)
    assert 4_000 <= load(path).games_played < 10_000
    assert all(expected[name] == data for name, data in kept.items())
    batch = FakeBatch()
    play(path, batch=batch)
    assert min(start for start, _ in batch.job.slices[1:]) >= 4_000
    assert files(path) == expected


@pytest.mark.parametrize("fail_at", [0, 5_000])
def test_a_failing_game_keeps_the_parts_before_and_leaves_nothing_half_done(tmp_path, fail_at):
    path = tmp_path / "run"
    batch = FakeBatch(fail_at=fail_at, error=InputError("strategy a answered NaN"))
    with pytest.raises(InputError, match="answered NaN"):
        play(path, batch=batch)
    if fail_at == 0:  # noticed before anything was made
        assert not path.exists()
    else:
        assert not [name for name in files(path) if name.startswith(".")]
        assert load(path).games_played <= 4_000


def test_a_full_disk_keeps_the_parts_before(tmp_path, monkeypatch, expected):
    path = tmp_path / "run"
    fsync, calls = os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) > 2 + 2 * 4:  # the manifest's file and folder, then two parts
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        play(path)
    monkeypatch.setattr(os, "fsync", fsync)
    assert load(path).games_played == 4_000
    play(path)
    assert files(path) == expected


def test_another_run_in_the_folder_is_refused_and_named(tmp_path):
    play(tmp_path / "run")
    before = files(tmp_path / "run")
    other = replace(CONFIG, seed=2, sources=("1", "9", "1", "3"))
    with pytest.raises(InputError, match=r"strategies\.1\.source: 2 and 9; seed: 1 and 2"):
        play(tmp_path / "run", other)
    assert files(tmp_path / "run") == before


def test_results_of_another_schema_are_refused_and_kept(tmp_path):
    play(tmp_path / "run")
    file = tmp_path / "run" / store.MANIFEST
    file.write_text(file.read_text().replace(f'"schema": {SCHEMA}', '"schema": 99'))
    before = files(tmp_path / "run")
    with pytest.raises(InputError, match=f"schema 99, this version reads schema {SCHEMA}"):
        play(tmp_path / "run")
    assert files(tmp_path / "run") == before
    assert play(tmp_path / "run", force=True).complete


def test_two_runs_do_not_write_one_folder(tmp_path):
    path = tmp_path / "run"
    path.mkdir()
    with locked(path), pytest.raises(InputError, match="is being written by process"):
        play(path)
    assert play(path).complete


def test_a_run_that_cannot_begin_leaves_no_folder(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        play(tmp_path / "results" / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file/run", "file"])
def test_a_folder_that_cannot_be_made_is_refused(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=str(tmp_path / name)):
        play(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


CHILD = """
    import sys
    sys.path.insert(0, {tests!r})
    import test_runner
    test_runner.runner.PART_ROWS = 500
    batch = test_runner.FakeBatch(seconds_a_game=1e-5)
    print("ready", flush=True)
    test_runner.play({path!r}, batch=batch, threads=2)
"""


def test_killed_at_any_moment_and_resumed_a_run_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PART_ROWS", 500)
    play(tmp_path / "whole")
    path = tmp_path / "killed"
    code = textwrap.dedent(CHILD).format(tests=str(Path(__file__).parent), path=str(path))
    chance, kills = random.Random(5), 0
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.1))
            child.send_signal(signal.SIGKILL)
            kills += child.wait() == -signal.SIGKILL
        if (path / store.MANIFEST).exists():
            whole = files(tmp_path / "whole")
            kept = {name: data for name, data in files(path).items() if not name.startswith(".")}
            assert all(whole[name] == data for name, data in kept.items())
            if load(path).complete:
                break
    assert kills >= 2
    play(path)
    assert files(path) == files(tmp_path / "whole")


def test_parts_are_let_go_of_once_they_are_written(tmp_path):
    held = []

    def look(done, games):
        parts = [each for each in gc.get_objects() if isinstance(each, runner._Part)]
        held.append(sum(bool(part.totals) for part in parts))

    results = play(tmp_path / "run", replace(CONFIG, games=40_000), threads=2, progress=look)
    assert len(results.parts) == 20
    assert max(held) <= runner.WRITERS + 3  # written, waited for, and two played at once
