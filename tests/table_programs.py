"""A way in from Python to what only compiled code calls, for tests of the lanes of Napalm."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.napalm import settlement
from simulate.napalm.table import gather_live, return_live


def gather(full, n, few, lanes):
    return gather_live(full, n, few, lanes)


def give_back(few, n, full, lanes):
    return_live(few, n, full, lanes)


def settle(table, stage, step, n, rules, lanes):
    settlement.settle(table, stage, step, n, rules, lanes)


def go_on(table, stage, rules, lanes):
    return settlement.go_on(table, stage, rules, lanes)


compile_module(__name__, fills_only=True)
