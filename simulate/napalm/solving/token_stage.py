"""One stage with its challenge, learned and weighed by itself, on hands as they are dealt."""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, TWOS
from simulate.napalm.solving.lots import LOT
from simulate.napalm.solving.study import look_back
from simulate.napalm.solving.tree import (
    Plan,
    compare,
    go_down,
    go_up,
    pay_out,
    silence,
)


def one_stage(plan, yes, own, gains, lots, first, turn, at, slip, pay, room):
    """Go through a stage of a lot of deals: first words, and answers to a challenge (N7, N8).

    Parameters
    ----------
    plan : Plan
        That of the stage, see `stage_plans`.
    yes : ndarray of float32
        The chances of Yes of everybody.
    own : ndarray of float32
        Of who is to reply, where `gains` tells hands apart more finely.
    gains : Gains
        Added to.
    lots : Lots
    first : int
        In which columns its hands stand.
    turn, at : int
        Which seating, and which deals.
    slip : float
        The chance that a word is the opposite of what was chosen, on the way to a history.
    pay : ndarray of float32, shape (4**n * n,)
        What the stage is worth to everybody, with what comes after: by last words, and who of those
        holds the best hand.
    room : Room
        Then ``room.value[FIRST, :n]`` is what the deals are worth to everybody.
    """
    n = plan.n
    ends, dealer = 1 << n, 1 << (n - 1)
    go_down(plan, FIRST, n, yes, own, gains, lots, first, turn, at, slip, room)
    silence(plan, slip, room)
    compare(lots, first, turn, at, n, room)
    pay_out(pay, n, 0, ends, 0, FIRST, room)
    if plan.challenge:
        go_down(plan, CHALLENGED, n - 1, yes, own, gains, lots, first, turn, at, slip, room)
        pay_out(pay, n, 0, dealer, dealer, CHALLENGED, room)
        go_up(plan, CHALLENGED, n - 1, gains, lots, first, turn, at, room)
        for player in range(n):
            for lane in range(LOT):
                room.value[FIRST, dealer * n + player, lane] = room.value[CHALLENGED, player, lane]
    go_up(plan, FIRST, n, gains, lots, first, turn, at, room)


def study_stage(
    plan, learner, gains, lots, column, first, batch, start, stop, slip, pay, room
):  # fmt: skip
    """Learn a stage in rounds `start` to ``stop - 1``, each of `batch` lots of deals.

    Parameters
    ----------
    plan : Plan
    learner : Learner
    gains : Gains
        Nothing but zeros, before and after.
    lots : Lots
    column : int
        In which columns its hands stand.
    first : int
        Which lot comes first; after the last one comes the first again, in the next seating.
    batch, start, stop : int
    slip : float
    pay, room
        See `one_stage`.
    """
    number = lots.kind.shape[1] // LOT
    for round_ in range(start, stop):
        for which in range(batch):
            lot = first + round_ * batch + which
            at, turn = lot % number * LOT, (lot // number + lot) % plan.n
            one_stage(
                plan, learner.yes, learner.yes, gains, lots, column, turn, at, slip, pay, room
            )
        look_back(learner, gains, plan.starts[FIRST], plan.starts[SECOND], round_ + 1.0)


def weigh_stage(plan, yes, own, gains, lots, column, first, number, pay, room, sums):
    """Add up what a stage brings everybody, and its squares, in so many lots of deals.

    Each deal is used in all seatings of its hands.
    """
    n = plan.n
    for which in range(number):
        at = (first + which) % (lots.kind.shape[1] // LOT) * LOT
        for lane in range(n * LOT):
            room.value[SECOND, lane // LOT, lane % LOT] = np.float32(0.0)
        for turn in range(n):
            one_stage(plan, yes, own, gains, lots, column, turn, at, 0.0, pay, room)
            for player in range(n):
                for lane in range(LOT):
                    room.value[SECOND, player, lane] += room.value[FIRST, player, lane]
        for player in range(n):
            for lane in range(LOT):
                brought = np.float64(room.value[SECOND, player, lane]) / n
                sums[0, player] += brought
                sums[1, player] += brought * brought


compile_module(__name__, fills_only=True, literals=False)


def stage_plans(n: int, classes: int, fine: int, challenge: tuple[int, int, int]) -> list[Plan]:
    """Lay out the decisions of each stage: first words, then answers, stage after stage."""
    words = (1 << n) - 1
    plans, start, fine_start = [], 0, 0
    size, fine_size = ((words + (words >> 1)) * (TWOS + 2 * kinds) for kinds in (classes, fine))
    for stage in range(3):
        kinds, fines = (TWOS, TWOS) if stage == 0 else (classes, fine)
        answers, fine_answers = start + words * kinds, fine_start + words * fines
        stop, fine_stop = answers + (words >> 1) * kinds, fine_answers + (words >> 1) * fines
        starts = (start, answers, stop, stop)
        fine_starts = (fine_start, fine_answers, fine_stop, fine_stop)
        plan = Plan(
            n, classes, fine, starts, fine_starts, size, fine_size, challenge[stage], (kinds,) * 4,
            (fines,) * 4,
        )  # fmt: skip
        plans.append(plan)
        start, fine_start = stop, fine_stop
    return plans
