"""What a state is worth to everybody, by the table that is played: all words, no coins but one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import FIRST, SECOND, THIRD
from simulate.napalm.solving.lots import LOT, toss, winners_of
from simulate.napalm.solving.owners import mix_seats
from simulate.napalm.solving.race import (
    NOBODY,
    find_mark,
    row_of,
    settle_state,
    value_after,
    winner_of,
)
from simulate.napalm.solving.tree import last_stage, whole_deal

SLOTS = 160
"""How many ways a stage 2 may come out are told apart; what is beyond is not looked into."""


class Afterwards(NamedTuple):
    """Stage 3 after each way that stage 2 came out, made when first met.

    Attributes
    ----------
    slot : int64, shape (4**n,)
        Where a way stands, by words and winners; below 0: not met, or no stage 3 follows.
    pay : float32, shape (SLOTS, 4**n * n)
        What its words bring; not a number where they have not been met.
    yes : float32, shape (SLOTS, size)
    counts : int64, shape (SLOTS, n)
    pot : float64, shape (SLOTS,)
    rows, after : int64, shape (n,)
    change, worth : float64, shape (n,)
    value : float64, shape (2**n * n,)
    """

    slot: NDArray[np.int64]
    pay: NDArray[np.float32]
    yes: NDArray[np.float32]
    counts: NDArray[np.int64]
    pot: NDArray[np.float64]
    rows: NDArray[np.int64]
    after: NDArray[np.int64]
    change: NDArray[np.float64]
    worth: NDArray[np.float64]
    value: NDArray[np.float64]


UNMET, NO_STAGE = -1, -2


def meet(plan, race, rules, nodes, chances, counts, pot, said, win, used, then):
    """Make stage 3 ready after one way of stage 2; return how many slots are used."""
    n = plan.n
    place = said << n | win
    left = settle_state(1, said, win, pot, counts, race, rules, then.after, then.change)
    if winner_of(then.after, race) != NOBODY or used == SLOTS or (rules.ends[1] and said):
        then.slot[place] = NO_STAGE
        return used
    total = 0
    for position in range(n):
        then.counts[used, position] = then.after[position]
        then.rows[position] = row_of(race, then.after, position, 0)
        total += then.after[position]
    then.pot[used] = left
    then.pay[used] = np.nan
    at, part = find_mark(nodes, total, left, 0.0, 1.0)
    mix_seats(plan.starts, plan.classes, n, chances, then.rows, at, part, THIRD, then.yes[used])
    then.slot[place] = used
    return used + 1


def stage_three(plan, race, rules, lots, deal, turn, slot, then):
    """Fill ``then.value[:n]`` with what stage 3 brings in one deal."""
    n = plan.n
    for said in range(1 << n):
        win = winners_of(lots, 2 * n, turn, deal, said, n)
        place = (said << n | win) * n
        if np.isnan(then.pay[slot, place]):
            value_after(
                2, said, win, then.pot[slot], then.counts[slot], race, rules, then.after,
                then.change, then.worth,
            )  # fmt: skip
            for player in range(n):
                then.pay[slot, place + player] = then.worth[player]
        for player in range(n):
            then.value[said * n + player] = then.pay[slot, place + player]
    for back in range(n):
        position = n - 1 - back
        column = 2 * n + (position + turn) % n
        kind = np.int64(lots.kind[column, deal])
        for said in range(1 << position):
            heard = (1 << position) - 1 + said
            p = then.yes[slot, plan.starts[THIRD] + heard * plan.classes + kind]
            for player in range(n):
                no = said * n + player
                says = (said | 1 << position) * n + player
                then.value[no] += p * (then.value[says] - then.value[no])


def play_out(
    plan, race, rules, nodes, chances, counts, pot, lots, turn, at, tossed, pay2, key, used, room,
    then,
):  # fmt: skip
    """Play stage 3 out in the deals of a lot that come to it by a coin; return the slots used."""
    n, ends = plan.n, (1 << plan.n) - 1
    for lane in range(LOT):
        coin = toss(key, np.uint64(tossed + lane))
        silent = np.float64(room.reach[FIRST, ends, lane])
        if coin >= silent:
            continue
        coin /= silent
        said = 0
        while said < ends and coin >= room.reach[SECOND, ends + said, lane]:
            coin -= room.reach[SECOND, ends + said, lane]
            said += 1
        win = winners_of(lots, n, turn, at + lane, said, n)
        place = said << n | win
        if said != 0 and then.slot[place] == UNMET:
            used = meet(plan, race, rules, nodes, chances, counts, pot, said, win, used, then)
        if said == 0 or then.slot[place] < 0:
            continue
        stage_three(plan, race, rules, lots, at + lane, turn, then.slot[place], then)
        settle_state(1, said, win, pot, counts, race, rules, then.after, then.change)
        for player in range(n):
            more = then.value[player] + then.change[player] - pay2[place * n + player]
            room.value[THIRD, player, lane] += np.float32(more)
    return used


def weigh_deals(
    plan, race, rules, nodes, chances, gains, yes, own, counts, pot, lots, first, number, pay1,
    pay2, key, room, then, sums,
):  # fmt: skip
    """Add up what deals bring everybody, and its squares.

    Stages 1 and 2 are weighed in all their words. Stage 3 is expected to bring what it brings on
    average; in the deals that come to it by a coin, it is played out in all its words instead. But
    who replies takes that average.

    Parameters
    ----------
    plan : Plan
    race : Race
    rules : KernelRules
    nodes : ndarray of float64
        The pots at which play is known.
    chances : ndarray of uint8
        Of everybody, by state and node.
    gains : Gains
        What is added to it means nothing.
    yes, own : ndarray of float32
        The chances at this state and pot, and those of who replies where ``gains.apart`` is 1.
    counts : ndarray of int64
    pot : float
    lots : Lots
    first, number : int
        Which lot comes first, and how many; each in all seatings.
    pay1, pay2 : ndarray of float32
    key : uint64
    room : Room
    then : Afterwards
    sums : ndarray of float64, shape (2, n)
        Added to.
    """
    n, used = plan.n, 0
    then.slot[:] = UNMET
    for which in range(number):
        at = (first + which) % (lots.kind.shape[1] // LOT) * LOT
        for player in range(n):
            for lane in range(LOT):
                room.value[THIRD, player, lane] = np.float32(0.0)
        for turn in range(n):
            whole_deal(plan, yes, own, gains, lots, turn, at, 0.0, pay1, pay2, room)
            for player in range(n):
                for lane in range(LOT):
                    room.value[THIRD, player, lane] += room.value[FIRST, player, lane]
            if gains.apart:
                continue
            used = play_out(
                plan, race, rules, nodes, chances, counts, pot, lots, turn, at,
                (which * n + turn) * LOT, pay2, key, used, room, then,
            )  # fmt: skip
        for player in range(n):
            for lane in range(LOT):
                brought = np.float64(room.value[THIRD, player, lane]) / n
                sums[0, player] += brought
                sums[1, player] += brought * brought


def weigh_lasts(plan, yes, own, gains, lots, first, number, pay, room, sums):
    """Add up what stage 3 alone brings everybody in so many lots of deals."""
    for which in range(number):
        at = (first + which) % (lots.kind.shape[1] // LOT) * LOT
        last_stage(plan, yes, own, gains, lots, at, 0.0, pay, room)
        for player in range(plan.n):
            for lane in range(LOT):
                brought = np.float64(room.value[THIRD, player, lane])
                sums[0, player] += brought
                sums[1, player] += brought * brought


compile_module(__name__, fills_only=True, inner=("meet", "stage_three", "play_out"))


def make_afterwards(n: int, size: int) -> Afterwards:
    """Make the work space for n players."""
    ways = 1 << 2 * n
    return Afterwards(
        slot=np.full(ways, UNMET),
        pay=np.zeros((SLOTS, ways * n), np.float32),
        yes=np.zeros((SLOTS, size), np.float32),
        counts=np.zeros((SLOTS, n), np.int64),
        pot=np.zeros(SLOTS),
        rows=np.zeros(n, np.int64),
        after=np.zeros(n, np.int64),
        change=np.zeros(n),
        worth=np.zeros(n),
        value=np.zeros((1 << n) * n),
    )
