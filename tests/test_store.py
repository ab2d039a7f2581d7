"""The results folder: what is committed is whole, and what is not whole is noticed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simulate import store
from simulate.arrow import add_up
from simulate.errors import InputError
from simulate.lock import locked
from simulate.results import load, rows_table
from simulate.version import SCHEMA

ABOUT = {"run": "abc", "part": "3"}
CONFIG = {"game": "napalm", "games": 25, "strategies": [{"spec": "a"}, {"spec": "b"}]}


def summary(games: int) -> pa.Table:
    names = pa.array(["tight", "bluffer"]).dictionary_encode()
    return pa.table({"strategy": names, "games": pa.array([games, games], pa.int64())})


def rows(start: int, stop: int) -> pa.Table:
    games = np.arange(start, stop)
    return rows_table({"game": games, "slot_0": (games % 2).astype(np.int8)}, ["a", "b"])


def make_folder(path: Path) -> store.Folder:
    path.mkdir()
    folder = store.create(
        path, "abc", CONFIG, part_games=10, summary=["results"], rows=["games"], versions={}
    )
    for part in folder.parts:
        start, stop = folder.games_of(part)
        store.commit(folder, part, {"results": summary(stop - start), "games": rows(start, stop)})
    return folder


@pytest.fixture(scope="module")
def pristine(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("store") / "run"
    make_folder(path)
    return path


@pytest.fixture
def folder(pristine, tmp_path) -> store.Folder:
    """A complete run of three parts, to be maltreated."""
    path = tmp_path / "run"
    shutil.copytree(pristine, path)
    return store.open_folder(path)


def test_every_flipped_bit_of_a_file_is_noticed():
    data = store.encode(rows(0, 40), ABOUT)
    assert store.decode(data, ABOUT).equals(rows(0, 40))
    unnoticed = []
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            store.decode(bytes(damaged), ABOUT)
            unnoticed.append(bit)
        except store.DamagedFile:
            pass
    assert unnoticed == []


def test_every_truncation_of_a_file_is_noticed():
    data = store.encode(rows(0, 40), ABOUT)
    for length in range(len(data)):
        with pytest.raises(store.DamagedFile):
            store.decode(data[:length], ABOUT)


def test_page_checksums_are_there_for_other_readers(tmp_path):
    data = bytearray(store.encode(rows(0, 4_000), ABOUT))
    data[len(data) // 3] ^= 1  # within the pages, which come first
    file = tmp_path / "x.parquet"
    file.write_bytes(data)
    with pytest.raises(OSError, match=r"CRC|checksum"):
        pq.read_table(file, page_checksum_verification=True)


def test_a_file_of_another_run_or_part_is_noticed(folder):
    shutil.copy(folder.file("games", 0), folder.file("games", 1))
    found = store.faults(folder)
    assert [(fault.part, fault.file) for fault in found] == [(1, "games-000001.parquet")]
    assert "belongs elsewhere: its part is 0, not 1" in found[0].what


def test_missing_truncated_and_flipped_files_are_named(folder):
    assert store.faults(folder) == []
    folder.file("results", 0).unlink()
    half = folder.file("games", 1)
    half.write_bytes(half.read_bytes()[:500])
    flipped = bytearray(folder.file("results", 2).read_bytes())
    flipped[100] ^= 4
    folder.file("results", 2).write_bytes(flipped)
    found = store.faults(folder)
    assert [(fault.part, fault.file) for fault in found] == [
        (0, "results-000000.parquet"),
        (1, "games-000001.parquet"),
        (2, "results-000002.parquet"),
    ]
    assert [fault.missing for fault in found] == [True, False, False]


def test_the_tables_are_read_with_names_by_every_reader(folder):
    results = load(folder.path)
    assert results.complete
    assert results.games_played == 25
    assert results.tables == ("results", "games")
    assert results.results.to_dict("list") == {"strategy": ["tight", "bluffer"], "games": [25, 25]}
    assert list(results.games.game) == list(range(25))
    assert list(results.games.strategy_0[:3]) == ["a", "b", "a"]
    files = str(folder.path / "games-*.parquet")
    expected = ("a", 13)
    query = f"select strategy_0, count(*) from '{files}' group by 1 order by 1"
    assert duckdb.sql(query).fetchall()[0] == expected
    counts = pl.read_parquet(files).group_by("strategy_0").len().sort("strategy_0").rows()
    assert counts[0] == expected
    frames = [pd.read_parquet(file) for file in sorted(folder.path.glob("games-*.parquet"))]
    assert pd.concat(frames).strategy_0.value_counts()["a"] == 13


def test_results_of_an_unfinished_run_are_those_of_the_parts_that_are_done(folder):
    folder.file("games", 1).unlink()
    results = load(folder.path)
    assert not results.complete
    assert results.games_played == 15
    assert list(results.results.games) == [15, 15]
    assert len(results.games) == 15
    with pytest.raises(InputError, match="did you mean 'games'"):
        results.table("game")
    with pytest.raises(AttributeError, match="results, games"):
        _ = results.gams


def test_damaged_results_are_refused_when_they_are_read(folder):
    file = folder.file("results", 1)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(InputError, match=r"results-000001\.parquet is damaged"):
        _ = load(folder.path).results


def test_summaries_add_up_in_any_number_of_parts():
    total = add_up([summary(3), summary(4), summary(5)])
    assert total.to_pydict() == {"strategy": ["tight", "bluffer"], "games": [12, 12]}


def test_slots_become_strategies_and_equal_ones_one_category():
    table = rows_table({"slot_0": np.array([0, 1, 2], np.int8)}, ["tight", "bluffer", "tight"])
    column = table["strategy_0"].combine_chunks()
    assert column.to_pylist() == ["tight", "bluffer", "tight"]
    assert column.dictionary.to_pylist() == ["tight", "bluffer"]


def test_other_numbers_become_what_they_stand_for():
    table = rows_table({"move": np.array([1, 0], np.int8)}, [], {"move": ["draw", "pass"]})
    assert table["move"].to_pylist() == ["pass", "draw"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace(f'"schema": {SCHEMA}', '"schema": 99'),
            "schema 99, this version reads",
        ),
        (lambda text: text.replace('"games": 25', '"games": 26'), "does not match its hash"),
        (lambda text: text[:50], "no JSON"),
        (lambda _: "[]", "names no schema"),
    ],
)
def test_a_manifest_of_another_schema_or_damaged_is_refused(folder, change, message):
    file = folder.path / store.MANIFEST
    file.write_text(change(file.read_text()))
    with pytest.raises(InputError, match=message):
        load(folder.path)


def test_a_path_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        load(tmp_path / "none")
    with pytest.raises(InputError, match=r"has no run\.json"):
        load(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError, match="a run is a folder"):
        load(file)


def test_a_full_disk_leaves_nothing_of_the_part(folder, monkeypatch):
    before = {file.name: file.read_bytes() for file in folder.path.iterdir()}
    flushed = []

    def fsync(descriptor):
        flushed.append(descriptor)
        if len(flushed) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(InputError, match="No space left on device"):
        store.commit(folder, 0, {"results": summary(1), "games": rows(0, 1)})
    assert {file.name: file.read_bytes() for file in folder.path.iterdir()} == before


def test_every_file_is_flushed_before_it_appears_and_the_folder_after(folder, monkeypatch):
    events = []
    replace, fsync = Path.replace, os.fsync

    def note_fsync(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        events.append("flush folder" if is_folder else "flush")
        fsync(descriptor)

    def note_replace(self, target):
        events.append(target.name)
        assert self.name.startswith(".")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(Path, "replace", note_replace)
    store.commit(folder, 0, {"results": summary(10), "games": rows(0, 10)})
    files = ["games-000000.parquet", "results-000000.parquet"]
    assert events == ["flush", "flush", *files, "flush folder"]


def test_clearing_removes_results_and_nothing_else(folder):
    (folder.path / "notes.txt").touch()
    (folder.path / ".results-000000.parquet.tmp").touch()
    store.clear(folder.path)
    assert [file.name for file in folder.path.iterdir()] == ["notes.txt"]


def test_a_lock_is_held_by_one_process_and_dies_with_it(tmp_path):
    code = f"""
        import sys
        from pathlib import Path
        from simulate.lock import locked
        with locked(Path({str(tmp_path)!r})):
            print("held", flush=True)
            sys.stdin.read()
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with child:
        assert child.stdout.readline() == "held\n"
        expected = f"is being written by process {child.pid} on"
        with pytest.raises(InputError, match=expected), locked(tmp_path):
            pass
        child.kill()
    with locked(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def open_tmp():
    """A temporary folder that every user may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


def test_a_folder_that_cannot_be_written_is_one_clear_error(pristine, open_tmp):
    """As a plain user, in a child process: root may write everywhere."""
    run = open_tmp / "run"
    shutil.copytree(pristine, run)
    code = f"""
        import os
        from pathlib import Path
        from simulate import store
        from simulate.errors import InputError
        from simulate.lock import locked
        if os.getuid() == 0:
            os.setuid(65534)  # before Arrow starts its threads, so that all are of one user
        folder = store.open_folder(Path({str(run)!r}))
        tables = {{name: store.read(folder, name, 0) for name in ("results", "games")}}
        for attempt in (
            lambda: store.commit(folder, 0, tables),
            lambda: store.clear(folder.path),
            lambda: locked(folder.path).__enter__(),
        ):
            try:
                attempt()
            except InputError as error:
                print(error)
    """
    before = sorted(file.name for file in run.iterdir())
    run.chmod(0o555)
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    run.chmod(0o755)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{run}: cannot be written: Permission denied"] * 3
    assert sorted(file.name for file in run.iterdir()) == before


def test_the_manifest_is_readable_and_complete(folder):
    manifest = json.loads((folder.path / store.MANIFEST).read_text())
    assert manifest["config"] == CONFIG
    assert manifest["part_games"] == 10
    assert manifest["summary"] == ["results"]
    assert manifest["rows"] == ["games"]
