"""Bad disks: one clear line, nothing lost, and a run that goes on once the disk is better."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulate import runner, store
from simulate.cli import main
from simulate.lock import locked
from simulate.results import load

GAMES, ROWS_A_PART = 400, 600
WORDS = ["run", "noddy", "--players", "2", "--games", str(GAMES), "--detail", "turns", "--quiet"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The folder of a run of several parts that nothing disturbed."""
    out = tmp_path_factory.mktemp("disks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "PART_ROWS", ROWS_A_PART)
        assert main([*WORDS, "--out", str(out)]) == 0
    (folder,) = out.iterdir()
    assert len(store.open_folder(folder).parts) >= 5
    return folder


@pytest.fixture
def simulate(monkeypatch, capsys):
    """Run a command line with small parts, and return its exit code, stdout and stderr."""
    monkeypatch.setattr(runner, "PART_ROWS", ROWS_A_PART)

    def run(*argv):
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def mount(folder: Path, size: int, *how: str) -> bool:
    """Mount a small disk in memory; only root may."""
    options = ",".join([*how, f"size={size}"])
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """Make a folder a disk of so many bytes where that is possible."""
    folder.mkdir()
    mounted = shutil.which("mount") is not None and mount(folder, size)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file become longer: the next best thing to a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def check_stopped(simulate, out: Path, whole: Path, reason: str) -> Path:
    """See that a run stops with one line, and that what is there is whole."""
    code, printed, said = simulate(*WORDS, "--out", out)
    assert (code, printed) == (2, "")
    folder = out / whole.name
    assert said == f"simulate: {folder}: cannot be written: {reason}\n"
    there, right = files(folder), files(whole)
    assert all(right[name] == data for name, data in there.items())
    return folder


def test_a_full_disk_ends_a_run_with_one_line_and_keeps_what_was_done(simulate, whole, tmp_path):
    """Where nobody may mount a disk, files that may not grow stand in for it."""
    right = files(whole)
    room = sum(len(data) for data in right.values())
    disk = tmp_path / "disk"
    with small_disk(disk, room // 2) as mounted:
        if mounted:
            folder = check_stopped(simulate, disk, whole, "No space left on device")
            assert len(files(folder)) > 4
            check_stopped(simulate, disk, whole, "No space left on device")
            assert mount(disk, 4 * room, "remount")
        else:
            with small_files(min(map(len, right.values()))):
                assert simulate(*WORDS, "--out", disk)[0] == 2
        assert simulate(*WORDS, "--out", disk) == (0, "", "")
        assert files(disk / whole.name) == right


def test_a_file_that_may_not_grow_ends_a_run_with_one_line(simulate, whole, tmp_path):
    lengths = sorted(len(data) for data in files(whole).values())
    with small_files(lengths[-1] - 1):
        folder = check_stopped(simulate, tmp_path, whole, "File too large")
    kept = {name: (folder / name).stat().st_mtime_ns for name in files(folder)}
    assert kept
    assert simulate(*WORDS, "--out", tmp_path) == (0, "", "")
    assert files(folder) == files(whole)


def test_a_disk_too_full_to_say_who_holds_it_is_one_line(simulate, whole, tmp_path):
    folder = tmp_path / whole.name
    shutil.copytree(whole, folder)
    (folder / "turns-000001.parquet").unlink()
    before = files(folder)
    with small_files(0):
        code, _, said = simulate("run", "--resume", folder, "--quiet")
    assert (code, said) == (2, f"simulate: {folder}: cannot be written: File too large\n")
    assert files(folder) == before


def test_every_damaged_part_is_named_and_exactly_those_are_played_again(simulate, whole, tmp_path):
    folder = tmp_path / whole.name
    shutil.copytree(whole, folder)
    flipped = folder / "turns-000000.parquet"
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 16
    flipped.write_bytes(data)
    truncated = folder / "results-000002.parquet"
    os.truncate(truncated, truncated.stat().st_size - 1)
    (folder / "moves-000004.parquet").unlink()
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    code, printed, _ = simulate("verify", folder)
    *named, last = printed.splitlines()
    assert code == 1
    assert [line.split(": ")[:2] for line in named] == [
        ["part 0", "turns-000000.parquet"],
        ["part 2", "results-000002.parquet"],
        ["part 4", "moves-000004.parquet"],
    ]
    assert last.startswith(f"3 of {len(store.open_folder(folder).parts)} parts are missing")
    assert simulate("run", "--resume", folder, "--quiet") == (0, "", "")
    assert files(folder) == files(whole)
    for file in folder.iterdir():
        touched = file.stat().st_mtime_ns != before.get(file.name)
        assert touched == any(part in file.name for part in ("000000", "000002", "000004"))
    assert simulate("verify", folder)[0] == 0


def test_of_two_commands_for_one_folder_one_plays_and_the_other_says_so(whole, tmp_path):
    words = [sys.executable, "-m", "simulate", *WORDS, "--out", str(tmp_path)]
    folder = tmp_path / whole.name
    folder.mkdir()
    with locked(folder):
        second = subprocess.run(words, capture_output=True, text=True, check=False)
    expected = f"simulate: {folder} is being written by process {os.getpid()} on "
    assert second.returncode == 2
    assert second.stderr.startswith(expected)
    assert second.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []
    both = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = [(child.communicate()[1], child.returncode) for child in both]
    assert ("", 0) in ends
    for said, code in ends:  # the other came while it played, or found it done
        assert (said, code) == ("", 0) or (code == 2 and "is being written by process" in said)
    assert load(folder).signature == load(whole).signature


def test_a_folder_that_may_only_be_read_is_one_line_for_a_plain_user(whole):
    """Before anything is played, and when it goes on; nothing is changed."""
    code = f"""
        import os, shutil, sys, tempfile
        from pathlib import Path
        from simulate.cli import main
        whole, place = Path({str(whole)!r}), Path(tempfile.mkdtemp())
        place.chmod(0o755)
        folder = place / whole.name
        shutil.copytree(whole, folder)
        (folder / "turns-000001.parquet").unlink()
        before = sorted(os.listdir(folder))
        real = Path.mkdir
        def as_plain_user(path, *args, **options):
            if os.getuid() == 0 and place in path.parents:  # not that of compiled code
                os.setuid(65534)
            return real(path, *args, **options)
        for each in (folder, place):
            each.chmod(0o555)
        words = sys.argv[1:]
        for out in (place, place / "new"):
            child = os.fork()  # nothing runs beside it yet
            if child == 0:
                Path.mkdir = as_plain_user  # what is needed is imported by then
                os._exit(main([*words, "--out", str(out)]))
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        print(sorted(os.listdir(folder)) == before, os.listdir(place) == [whole.name])
        for each in (place, folder):
            each.chmod(0o755)
        shutil.rmtree(place)
        print(place)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), *WORDS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *printed, place = done.stdout.splitlines()
    assert printed == ["2", "2", "True True"], done.stderr
    assert done.stderr.splitlines() == [
        f"simulate: {place}/{whole.name}: cannot be written: Permission denied",
        f"simulate: {place}/new/{whole.name}: cannot be made: Permission denied",
    ]
