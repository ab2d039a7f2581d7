"""Compiled functions that are called through their addresses."""

import numpy as np
import pytest
from numba import typeof

from simulate.address import address_of, call_at
from simulate.jit import compile_module
from simulate.napalm.batch import prepare
from simulate.napalm.ledger import empty_ledger
from simulate.napalm.lineup import FAULT
from simulate.napalm.rules import NapalmRules
from simulate.napalm.space import make_space
from simulate.napalm.stage import play_stage
from simulate.napalm.stage_player import stage_player
from simulate.napalm.tally import empty_totals
from strategies import load


def weigh(numbers, times, key, share):
    numbers[0] += 1
    return np.int64(numbers[0] * times + np.int64(key) + (share > 0.5))


def half(number):
    return number / 2


def through(address, numbers, times, key, share):
    return call_at(address, numbers, times, key, share)


compile_module(__name__, fills_only=True)


def test_what_is_called_gets_its_arguments():
    numbers = np.array([4])
    address = address_of(weigh, numbers, 0, np.uint64(0), 0.0)
    assert through(address, numbers, 3, np.uint64(100), 0.75) == 116
    assert numbers[0] == 5
    # A narrow number, and one that stands in the call, are handed on as they were announced.
    assert through(address, numbers, np.uint8(3), np.uint64(0), 0.25) == 18


def test_only_whole_numbers_come_back():
    with pytest.raises(TypeError, match="half returns float64, not int64"):
        address_of(half, 1.0)


def test_a_stage_is_called_with_what_it_was_compiled_for():
    """Nothing else would notice that the two differ."""
    job = prepare(NapalmRules(), [load("tight", "napalm")] * 4, seed=1)
    space, n = make_space(1, job.n), job.n
    stage_player()
    arguments = (
        space.full, 0, 0, n, 0, job.key, job.kernel_rules, job.brains, 0, job.strengths,
        empty_totals(1, n), space.scratch, empty_ledger(0, n, cards=False), 0,
        np.zeros(FAULT, np.int64), 0,
    )  # fmt: skip
    assert [tuple(map(typeof, arguments))] == list(play_stage.overloads)
