"""Who sits where: everybody everywhere equally often, in every order."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from simulate.seating import seat_plan

PLAYERS = range(2, 8)


@pytest.mark.parametrize("n", PLAYERS)
def test_every_order_is_played_once(n):
    plan = seat_plan(n)
    assert plan.shape == (factorial(n), n)
    assert plan.dtype == np.int8
    assert {tuple(row) for row in plan.tolist()} == set(permutations(range(n)))


@pytest.mark.parametrize("n", PLAYERS)
def test_any_aligned_run_of_n_games_puts_everybody_once_in_every_seat(n):
    for block in seat_plan(n).reshape(-1, n, n):
        assert all(sorted(column) == list(range(n)) for column in block.T.tolist())


@pytest.mark.parametrize("n", PLAYERS)
def test_an_aligned_run_keeps_the_neighbours_and_turns_the_table(n):
    """So within it only seats change: each slot has the same one to its left in all n games."""
    for block in seat_plan(n).reshape(-1, n, n).tolist():
        neighbours = {frozenset(zip(row, row[1:] + row[:1], strict=True)) for row in block}
        assert len(neighbours) == 1


@pytest.mark.parametrize("n", PLAYERS)
def test_over_all_orders_any_two_are_neighbours_equally_often(n):
    plan = seat_plan(n)
    pairs = Counter((int(row[seat]), int(row[(seat + 1) % n])) for row in plan for seat in range(n))
    assert len(pairs) == n * (n - 1)
    assert len(set(pairs.values())) == 1


@pytest.mark.parametrize("n", PLAYERS)
def test_fixed_seats_never_change(n):
    plan = seat_plan(n, fixed=True)
    assert plan.tolist() == [list(range(n))]
    assert plan.dtype == np.int8


def test_the_first_game_is_played_as_the_line_up_stands():
    for n in PLAYERS:
        assert seat_plan(n)[0].tolist() == list(range(n))
