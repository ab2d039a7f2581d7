"""A way in from Python to what only compiled code calls, for `test_napalm_table`."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.napalm.table import gather_live, return_live


def gather(full, n, few, lanes):
    return gather_live(full, n, few, lanes)


def give_back(few, n, full, lanes):
    return_live(few, n, full, lanes)


compile_module(__name__, fills_only=True)
