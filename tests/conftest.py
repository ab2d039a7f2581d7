"""What holds for all tests."""

import os
import sys

import pytest
from hypothesis import settings

# The first example may have to compile: no test depends on how long anything takes. Without the
# compiler one unlucky example, of long games, takes minutes: there the same ones are always tried.
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
settings.register_profile("house", deadline=None, derandomize=PLAIN)
settings.load_profile("house")


DIGITS = sys.get_int_max_str_digits()


@pytest.fixture(autouse=True)
def _digits():
    """Undo what the command line does to its own process: it reads numbers of any length.

    A fixture of a whole module may have called it before the test begins.
    """
    sys.set_int_max_str_digits(DIGITS)
    yield
    sys.set_int_max_str_digits(DIGITS)
