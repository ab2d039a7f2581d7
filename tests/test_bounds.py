"""What `NUMBA_BOUNDSCHECK=1` sees: places beyond an array, in plain code and on lanes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulate.jit import FOLDER

TESTS = Path(__file__).parent

SCRIPT = """
import numpy as np
import lane_programs as programs
from simulate.jit import FOLDER
from simulate.lanes import LEHMER_WIDTH, WIDTH

print("cache:", FOLDER)
rows = np.zeros((3, 2 * WIDTH), np.uint32)
less = rows.copy()
less[1] = 1  # row 0 is below row 1 everywhere
out = rows.copy()
table = np.zeros(5, np.int32)
indices = np.full((1, WIDTH), 4, np.int32)
beyond = indices.copy()
beyond[0, 7] = 5
below = indices.copy()
below[0, 7] = -1
code = np.zeros((48, LEHMER_WIDTH), np.uint8)
found = np.zeros((1, WIDTH), np.int32)

for name, call in {
    "load": lambda lane: programs.move(rows, 2, lane, out, 0, 0),
    "load row": lambda lane: programs.move(rows, 2 + lane % 2, 0, out, 0, 0),
    "store": lambda lane: programs.move(rows, 0, 0, out, 2, lane),
    "store row": lambda lane: programs.move(rows, 0, 0, out, 2 + lane % 2, 0),
    "pack": lambda lane: programs.pack_where_below(less, out, 2, lane),
    "unpack": lambda lane: programs.unpack_where_below(less, rows, 2, lane, out),
    "lookup": lambda lane: programs.look_up(table, beyond if lane % 2 else indices, found),
    "lookup below": lambda lane: programs.look_up(table, below if lane % 2 else indices, found),
    "decode": lambda lane: programs.decode(code, code.copy(), lane % 2),
    "plain": lambda lane: programs.element(table, 4 + lane % 2),
}.items():
    call(WIDTH)  # the last place there is
    try:
        call(WIDTH + 1)
    except IndexError as error:
        print(name + ":", "IndexError")
    else:
        print(name + ":", "nothing")
"""


@pytest.fixture(scope="module")
def seen():
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_DISABLE_JIT": "0"}
    environment["PYTHONPATH"] = os.pathsep.join([str(TESTS), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    return dict(line.split(": ") for line in done.stdout.splitlines())


def test_every_place_beyond_an_array_is_seen(seen):
    found = {name: what for name, what in seen.items() if name != "cache"}
    assert len(found) == 10
    assert set(found.values()) == {"IndexError"}, found


def test_code_that_checks_is_kept_apart(seen):
    """Numba itself would take one for the other."""
    checks = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
    assert (seen["cache"] == str(FOLDER)) == checks
