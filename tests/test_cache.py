"""Compiled code on disk: found again, never stale, and replaced where it is torn."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import simulate

CHILD = """
import json, resource, sys
if sys.argv[1] != "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from simulate.jit import FOLDER
from simulate.two import double
answers = [double(1), double(1.5)]
stats = double.stats
print(json.dumps({
    "answers": answers,
    "folder": str(FOLDER),
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
}))
"""
ONE = '''
"""What the other module imports."""
from simulate.jit import compile_module


def next_to(x):
    return x + 1


compile_module(__name__)
'''
TWO = '''
"""What is called."""
from simulate.jit import compile_module
from simulate.one import next_to


def double(x):
    return 2 * next_to(x)


compile_module(__name__)
'''
RIGHT = [4, 5.0]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package with two modules more, which are soon compiled."""
    place = tmp_path_factory.mktemp("package")
    source = Path(simulate.__file__).parent
    shutil.copytree(source, place / "simulate", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "simulate" / "one.py").write_text(ONE)
    (place / "simulate" / "two.py").write_text(TWO)
    return place


def begin(package, cache, longest_file=0):
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "0",
        "SIMULATE_CACHE_DIR": str(cache),
        "PYTHONPATH": str(package),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", CHILD, str(longest_file)],
        env=environment, cwd=package, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def end(child):
    out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (0, "")
    return json.loads(out)


def call(package, cache, **options):
    """Call a compiled function, with a whole number and with another, in a fresh process."""
    return end(begin(package, cache, **options))


@pytest.fixture(scope="module")
def warm(package, tmp_path_factory):
    """A cache folder in which both are kept, and what its first user was told."""
    cache = tmp_path_factory.mktemp("warm")
    return cache, call(package, cache)


@pytest.fixture
def cache(warm, tmp_path):
    """A copy of it, to be maltreated."""
    return Path(shutil.copytree(warm[0], tmp_path / "cache"))


def kept(cache, ending):
    return sorted(cache.rglob(f"two.double-*.{ending}"))


def test_what_was_compiled_is_found_again(package, warm):
    cache, first = warm
    assert (first["answers"], first["hits"], first["misses"]) == (RIGHT, 0, 2)
    assert Path(first["folder"]).parent == cache
    again = call(package, cache)
    assert again == {**first, "hits": 2, "misses": 0}


def test_a_change_in_an_imported_module_is_heard_and_taken_back(package, warm, cache):
    one = package / "simulate" / "one.py"
    before = one.stat()
    one.write_text(ONE.replace("x + 1", "x + 2"))
    os.utime(one, ns=(before.st_atime_ns, before.st_mtime_ns))
    try:
        changed = call(package, cache)
    finally:
        one.write_text(ONE)
        os.utime(one, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (changed["answers"], changed["hits"]) == ([6, 7.0], 0)
    again = call(package, cache)
    assert changed["folder"] != again["folder"]
    assert again["hits"] == 2


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_a_torn_file_is_made_anew(package, cache, ending, share):
    for file in kept(cache, ending):
        os.truncate(file, int(share * file.stat().st_size))
    torn = call(package, cache)
    assert (torn["answers"], torn["misses"]) == (RIGHT, 2)
    assert call(package, cache)["hits"] == 2


def test_code_under_the_name_of_other_code_is_not_run(package, cache):
    """As two processes may leave it that write at once."""
    one, two = kept(cache, "nbc")
    whole, other = one.read_bytes(), two.read_bytes()
    one.write_bytes(other)
    two.write_bytes(whole)
    assert call(package, cache)["answers"] == RIGHT
    again = call(package, cache)
    assert (again["answers"], again["hits"]) == (RIGHT, 2)


def test_code_that_is_missing_is_made_anew(package, cache):
    kept(cache, "nbc")[0].unlink()
    assert call(package, cache)["answers"] == RIGHT
    assert call(package, cache)["hits"] == 2


def test_several_processes_fill_one_folder_at_once(package, tmp_path):
    children = [begin(package, tmp_path / "cache") for _ in range(4)]
    assert [end(child)["answers"] for child in children] == [RIGHT] * 4
    assert call(package, tmp_path / "cache")["answers"] == RIGHT  # an entry may have been lost
    assert not list((tmp_path / "cache").rglob("*.tmp.*"))


def test_without_room_for_it_code_is_compiled_for_the_process(package, tmp_path):
    full = call(package, tmp_path / "cache", longest_file=100)
    assert full["answers"] == RIGHT
    assert call(package, tmp_path / "cache")["answers"] == RIGHT


def test_where_no_folder_can_be_made_code_is_compiled_for_the_process(package, tmp_path):
    place = tmp_path / "file"
    place.touch()
    told = call(package, place)
    assert (told["answers"], told["folder"], told["hits"]) == (RIGHT, "None", 0)
    assert place.read_bytes() == b""


def test_linear_algebra_is_imported_where_it_is_needed():
    program = """
import sys
import numpy as np
from simulate.jit import numba
from simulate.napalm.strength import strength_tables

strength_tables(False)  # compiled, with numpy's functions
assert "scipy.linalg" not in sys.modules
one = np.arange(6.0).reshape(2, 3)
assert (numba.njit(lambda a, b: np.dot(a, b))(one, one.T) == one @ one.T).all()
assert "scipy.linalg" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
