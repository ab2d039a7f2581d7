"""Everybody learns one state of a game from deals: regret matching over whole lots of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import FIRST, SECOND, THIRD
from simulate.napalm.solving.lots import LOT
from simulate.napalm.solving.owners import speakers, take, words_of
from simulate.napalm.solving.tree import last_stage, whole_deal


class Learner(NamedTuple):
    """What is known of the decisions of one state: in rows, one after the other.

    Attributes
    ----------
    yes : ndarray of float32
        The present chance of Yes.
    regret : ndarray of float64
        Of No and Yes in turn.
    average : ndarray of float64
        The sum of the chances so far, round t weighted by t squared.
    """

    yes: NDArray[np.float32]
    regret: NDArray[np.float64]
    average: NDArray[np.float64]


class Owners(NamedTuple):
    """Who takes his decisions from which row.

    Attributes
    ----------
    rows : ndarray of int64, shape (ways, n)
        By position, in each way the counts may lie; a round takes one way, the next round the next.
    counted : ndarray of float64, shape (rows, n)
        By row and position, the sum of the weights of the rounds in which it was taken.
    taken : ndarray of float32, shape (size,)
        The present chances of everybody.
    """

    rows: NDArray[np.int64]
    counted: NDArray[np.float64]
    taken: NDArray[np.float32]


def look_back(learner, gains, start, stop, weight, base=0):
    """Let what Yes brought more than No change regrets and chances, and remember the chances.

    The decisions stand from `start` to ``stop - 1`` in the row that begins at `base`.
    """
    for place in range(start, stop):
        at = base + place
        p, more = np.float64(learner.yes[at]), gains.total[place]
        learner.average[at] += weight * weight * p
        no = learner.regret[2 * at] - weight * p * more
        yes = learner.regret[2 * at + 1] + weight * (1.0 - p) * more
        learner.regret[2 * at], learner.regret[2 * at + 1] = no, yes
        no, yes = max(no, 0.0), max(yes, 0.0)
        if no + yes > 0.0:
            learner.yes[at] = np.float32(yes / (no + yes))
        gains.total[place] = 0.0


def take_all(plan, learner, owners, way, first, stop):
    """Let everybody take his chances at times `first` to `stop` from the row that is his."""
    take(
        plan.starts, plan.classes, plan.n, plan.size, learner.yes, owners.rows, way, first, stop,
        owners.taken,
    )  # fmt: skip


def look_all_back(plan, learner, gains, owners, way, first, stop, weight):
    """Let everybody look back on his decisions at times `first` to `stop`."""
    for position in range(plan.n):
        owners.counted[owners.rows[way, position], position] += weight * weight
    for time in range(first, stop + 1):
        for position in range(speakers(plan.n, time)):
            start, end = words_of(plan.starts, plan.classes, time, position)
            look_back(learner, gains, start, end, weight, owners.rows[way, position] * plan.size)


def study_deals(
    plan, learner, owners, gains, lots, first, batch, start, stop, slip, pay1, pay2, room
):
    """Learn stages 1 and 2 in rounds `start` to ``stop - 1``, each of `batch` lots of deals.

    Parameters
    ----------
    plan : Plan
    learner : Learner
    owners : Owners
    gains : Gains
        Nothing but zeros, before and after.
    lots : Lots
    first : int
        Which lot comes first; after the last one comes the first again, in the next seating.
    batch, start, stop : int
    slip : float
        See `simulate.napalm.solving.tree.whole_deal`.
    pay1, pay2 : ndarray of float32, shape (ways, 4**n * n)
    room
        See `simulate.napalm.solving.tree.whole_deal`.
    """
    number = lots.kind.shape[1] // LOT
    for round_ in range(start, stop):
        way = round_ % len(owners.rows)
        take_all(plan, learner, owners, way, FIRST, SECOND)
        for which in range(batch):
            lot = first + round_ * batch + which
            at, turn = lot % number * LOT, (lot // number + lot) % plan.n
            whole_deal(
                plan, owners.taken, owners.taken, gains, lots, turn, at, slip, pay1[way],
                pay2[way], room,
            )  # fmt: skip
        look_all_back(plan, learner, gains, owners, way, FIRST, SECOND, round_ + 1.0)


def study_last(plan, learner, owners, gains, lots, first, batch, start, stop, slip, pay, room):
    """Learn stage 3, as `study_deals` does."""
    number = lots.kind.shape[1] // LOT
    for round_ in range(start, stop):
        way = round_ % len(owners.rows)
        take_all(plan, learner, owners, way, THIRD, THIRD)
        for which in range(batch):
            at = (first + round_ * batch + which) % number * LOT
            last_stage(plan, owners.taken, owners.taken, gains, lots, at, slip, pay[way], room)
        look_all_back(plan, learner, gains, owners, way, THIRD, THIRD, round_ + 1.0)


compile_module(__name__, fills_only=True, inner=("look_back", "take_all", "look_all_back"))
