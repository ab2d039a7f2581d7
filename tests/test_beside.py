"""The second process that takes a part of the first compilation."""

import os
import time

import pytest

from simulate import beside as module
from simulate.beside import beside


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    return tmp_path


def a_part(tmp_path, monkeypatch, text):
    """Write a module with a function `part`, and return what names it."""
    (tmp_path / "a_part.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return "a_part:part"


def test_a_part_is_compiled_once(folder, tmp_path, monkeypatch):
    done = tmp_path / "done"
    part = a_part(tmp_path, monkeypatch, f"def part():\n    open({str(done)!r}, 'x').close()\n")
    with beside(part) as first:
        assert first
    assert done.exists()
    with beside(part) as first:  # would fail: the file is there
        assert not first


def test_a_part_that_failed_is_tried_again(folder, tmp_path, monkeypatch):
    part = a_part(tmp_path, monkeypatch, "def part():\n    raise OSError\n")
    for _ in range(2):
        with beside(part) as first:
            assert first


def test_no_process_is_left_when_something_else_fails(folder, tmp_path, monkeypatch):
    pid, new = tmp_path / "pid", tmp_path / "new"
    program = (
        "import os, pathlib, time\n\n\ndef part():\n"
        f"    pathlib.Path({str(new)!r}).write_text(str(os.getpid()))\n"
        f"    os.rename({str(new)!r}, {str(pid)!r})\n"
        "    time.sleep(600)\n"
    )
    part = a_part(tmp_path, monkeypatch, program)

    def interrupted():
        with beside(part):
            while not pid.exists():
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_where_nothing_can_be_kept_nothing_is_compiled_beside(monkeypatch):
    monkeypatch.setattr(module, "FOLDER", None)
    with beside("no_such_module:part") as first:
        assert not first
