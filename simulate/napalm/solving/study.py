"""Everybody learns one state of a game from deals: regret matching over whole lots of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.lots import LOT
from simulate.napalm.solving.tree import last_stage, whole_deal


class Learner(NamedTuple):
    """What is known of the decisions of one state.

    Attributes
    ----------
    yes : ndarray of float32
        The present chance of Yes.
    regret : ndarray of float64, shape (2 * size,)
        Of No and Yes in turn.
    average : ndarray of float64
        The sum of the chances so far, round t weighted by t squared.
    """

    yes: NDArray[np.float32]
    regret: NDArray[np.float64]
    average: NDArray[np.float64]


def look_back(learner, gains, start, stop, weight):
    """Let what Yes brought more than No change regrets and chances, and remember the chances."""
    for at in range(start, stop):
        p, more = np.float64(learner.yes[at]), gains.total[at]
        learner.average[at] += weight * weight * p
        no = learner.regret[2 * at] - weight * p * more
        yes = learner.regret[2 * at + 1] + weight * (1.0 - p) * more
        learner.regret[2 * at], learner.regret[2 * at + 1] = no, yes
        no, yes = max(no, 0.0), max(yes, 0.0)
        if no + yes > 0.0:
            learner.yes[at] = np.float32(yes / (no + yes))
        gains.total[at] = 0.0


def study_deals(plan, learner, gains, lots, first, batch, start, stop, slip, pay1, pay2, room):
    """Learn stages 1 and 2 in rounds `start` to ``stop - 1``, each of `batch` lots of deals.

    Parameters
    ----------
    plan : Plan
    learner : Learner
    gains : Gains
        Nothing but zeros, before and after.
    lots : Lots
    first : int
        Which lot comes first; after the last one comes the first again, in the next seating.
    batch, start, stop : int
    slip, pay1, pay2, room
        See `simulate.napalm.solving.tree.whole_deal`.
    """
    number = lots.kind.shape[1] // LOT
    for round_ in range(start, stop):
        for which in range(batch):
            lot = first + round_ * batch + which
            at, turn = lot % number * LOT, (lot // number + lot) % plan.n
            whole_deal(
                plan, learner.yes, learner.yes, gains, lots, turn, at, slip, pay1, pay2, room
            )
        look_back(learner, gains, 0, plan.starts[3], round_ + 1.0)


def study_last(plan, learner, gains, lots, first, batch, start, stop, slip, pay, room):
    """Learn stage 3, as `study_deals` does."""
    number = lots.kind.shape[1] // LOT
    for round_ in range(start, stop):
        for which in range(batch):
            at = (first + round_ * batch + which) % number * LOT
            last_stage(plan, learner.yes, learner.yes, gains, lots, at, slip, pay, room)
        look_back(learner, gains, plan.starts[3], plan.size, round_ + 1.0)


compile_module(__name__, fills_only=True, inner=("look_back",))
