"""All words of a deal at once, for a lot of deals side by side.

Nothing is drawn but the cards: every history of a stage has its chance, and its value to everybody.
At each decision what Yes brings more than No is added up, times the chance that the others lead
there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD, TWOS
from simulate.napalm.solving.lots import LOT


class Plan(NamedTuple):
    """Where the decisions of one state stand.

    Attributes
    ----------
    n : int
    classes, fine : int
        How many classes of hands there are at stages 2 and 3.
    starts, fine_starts : tuple of 4 int
        Where the words of each time begin in a table of chances, and in one that tells hands apart
        as a best reply does.
    size, fine_size : int
    challenge : int
        Whether the dealer is challenged at stage 1 (N8).
    kinds, fine_kinds : tuple of 4 int
        How many classes of hands there are at each time, and for a best reply.
    """

    n: int
    classes: int
    fine: int
    starts: tuple[int, int, int, int]
    fine_starts: tuple[int, int, int, int]
    size: int
    fine_size: int
    challenge: int
    kinds: tuple[int, int, int, int]
    fine_kinds: tuple[int, int, int, int]


class Room(NamedTuple):
    """Work space of a thread: rows of a lot of deals, by time where that comes first.

    Attributes
    ----------
    prob, own : float32, shape (4, 2**n - 1, LOT)
        The chance of Yes by history, and the one of who is to reply.
    reach : float32, shape (4, 2**(n + 1), LOT)
        With what chance words lead to a history; the last 2**n rows are the ends.
    value : float32, shape (4, 2**n * n, LOT)
        By end, what it is worth to everybody; then of earlier histories, in row 0 of the start.
    others : float32, shape (4, n, LOT)
        The chance that the others bring a player to the time at all.
    best, win : uint8, shape (2**n, LOT)
        Among those who said Yes: the best rank, and who holds it, as bits.
    """

    prob: NDArray[np.float32]
    own: NDArray[np.float32]
    reach: NDArray[np.float32]
    value: NDArray[np.float32]
    others: NDArray[np.float32]
    best: NDArray[np.uint8]
    win: NDArray[np.uint8]


class Gains(NamedTuple):
    """Sums over deals by decision, where there is room: what Yes brought more than No, and squares.

    The decisions stand as in ``Plan.fine_starts`` where `apart` is 1, else as in ``Plan.starts``.
    """

    total: NDArray[np.float64]
    square: NDArray[np.float64]
    apart: int


def go_down(plan, time, players, yes, own, gains, lots, first, turn, at, slip, room):
    """Find the chance of every history of a time; its hands are in columns from `first` on."""
    n = plan.n
    classes, fines = plan.kinds[time], plan.fine_kinds[time]
    for lane in range(LOT):
        room.reach[time, 0, lane] = np.float32(1.0)
    keep = np.float32(1.0 - 2.0 * slip)
    slips = np.float32(slip)
    for position in range(players):
        column = first + (position + turn) % n
        for said in range(1 << position):
            heard = (1 << position) - 1 + said
            base = plan.starts[time] + heard * classes
            for lane in range(LOT):
                kind = np.int64(lots.kind[column, at + lane])
                room.prob[time, heard, lane] = yes[base + kind]
            if gains.apart:
                base = plan.fine_starts[time] + heard * fines
                for lane in range(LOT):
                    kind = np.int64(lots.fine[column, at + lane])
                    room.own[time, heard, lane] = own[base + kind]
            no = (2 << position) - 1 + said
            says = no + (1 << position)
            for lane in range(LOT):
                here = room.reach[time, heard, lane]
                part = here * (slips + keep * room.prob[time, heard, lane])
                room.reach[time, says, lane] = part
                room.reach[time, no, lane] = here - part


def compare(lots, first, turn, at, n, room):
    """Find who wins among those who said Yes, for all sets of them."""
    for said in range(1, 1 << n):
        low = 0
        while not said >> low & 1:
            low += 1
        bit, rest = 1 << low, said & (said - 1)
        column = first + (low + turn) % n
        for lane in range(LOT):
            own = np.int64(lots.rank[column, at + lane])
            best = np.int64(room.best[rest, lane]) if rest else -1
            win = np.int64(room.win[rest, lane]) if rest else 0
            room.best[said, lane] = max(own, best)
            joint = win | bit if own == best else win
            room.win[said, lane] = bit if own > best else joint


def pay_out(pay, n, start, stop, bits, time, room):
    """Give the ends of a time, from words `start` on, what they are worth, `bits` added to each."""
    for said in range(start, stop):
        row = said * n
        last = said | bits
        for lane in range(LOT):
            place = (last << n | np.int64(room.win[last, lane])) * n
            for player in range(n):
                room.value[time, row + player, lane] = pay[place + player]


def go_up(plan, time, players, gains, lots, first, turn, at, room):
    """Find the value of every history of a time, and add up what Yes brings more than No."""
    n = plan.n
    classes = plan.fine_kinds[time] if gains.apart else plan.kinds[time]
    starts = plan.fine_starts if gains.apart else plan.starts
    counting, squares = len(gains.total) > 0, len(gains.square) > 0
    for back in range(players):
        position = players - 1 - back
        column = first + (position + turn) % n
        bit = 1 << position
        for said in range(bit):
            heard = bit - 1 + said
            base = starts[time] + heard * classes
            no, says = said * n, (said | bit) * n
            for lane in range(LOT if counting else 0):
                more = (
                    room.value[time, says + position, lane] - room.value[time, no + position, lane]
                )
                more *= room.reach[time, heard, lane] * room.others[time, position, lane]
                if gains.apart:
                    kind = np.int64(lots.fine[column, at + lane])
                else:
                    kind = np.int64(lots.kind[column, at + lane])
                gains.total[base + kind] += more
                if squares:
                    gains.square[base + kind] += more * more
            for player in range(n):
                if gains.apart and player == position:
                    for lane in range(LOT):
                        at_no = room.value[time, no + player, lane]
                        more = room.value[time, says + player, lane] - at_no
                        room.value[time, no + player, lane] = (
                            at_no + room.own[time, heard, lane] * more
                        )
                else:
                    for lane in range(LOT):
                        at_no = room.value[time, no + player, lane]
                        more = room.value[time, says + player, lane] - at_no
                        room.value[time, no + player, lane] = (
                            at_no + room.prob[time, heard, lane] * more
                        )


def silence(plan, slip, room):
    """Find with what chance the others let a player come to stage 2, and to the challenge (N8)."""
    n, keep = plan.n, np.float32(1.0 - 2.0 * slip)
    slips, one = np.float32(slip), np.float32(1.0)
    for player in range(n):
        for lane in range(LOT):
            room.others[SECOND, player, lane] = one
        for other in range(n - 1):
            if other != player:
                heard = (1 << other) - 1
                for lane in range(LOT):
                    room.others[SECOND, player, lane] *= (
                        one - slips - keep * room.prob[FIRST, heard, lane]
                    )
        heard = (1 << (n - 1)) - 1
        for lane in range(LOT):
            before = room.others[SECOND, player, lane]
            dealer = slips + keep * room.prob[FIRST, heard, lane]
            room.others[CHALLENGED, player, lane] = before * dealer
            if player != n - 1:
                room.others[SECOND, player, lane] = before * (one - dealer)


def whole_deal(plan, yes, own, gains, lots, turn, at, slip, pay1, pay2, room):
    """Go through stages 1 and 2 of a lot of deals.

    Parameters
    ----------
    plan : Plan
    yes : ndarray of float32
        The chances of Yes of everybody.
    own : ndarray of float32
        Of who is to reply, where `gains` tells hands apart more finely.
    gains : Gains
        Added to.
    lots : Lots
    turn, at : int
        Which seating, and which deals.
    slip : float
        The chance that a word is the opposite of what was chosen, on the way to a history.
    pay1, pay2 : ndarray of float32, shape (4**n * n,)
        What stages 1 and 2 are worth to everybody, with what comes after: by last words, and who
        of those holds the best hand.
    room : Room
        Then ``room.value[FIRST, :n]`` is what the deals are worth to everybody.
    """
    n = plan.n
    ends = 1 << n
    go_down(plan, FIRST, n, yes, own, gains, lots, 0, turn, at, slip, room)
    silence(plan, slip, room)
    # Stage 2
    go_down(plan, SECOND, n, yes, own, gains, lots, n, turn, at, slip, room)
    compare(lots, n, turn, at, n, room)
    pay_out(pay2, n, 0, ends, 0, SECOND, room)
    go_up(plan, SECOND, n, gains, lots, n, turn, at, room)
    # Stage 1
    compare(lots, 0, turn, at, n, room)
    pay_out(pay1, n, 1, ends, 0, FIRST, room)
    for player in range(n):
        for lane in range(LOT):
            room.value[FIRST, player, lane] = room.value[SECOND, player, lane]
    if plan.challenge:
        dealer = 1 << (n - 1)
        go_down(plan, CHALLENGED, n - 1, yes, own, gains, lots, 0, turn, at, slip, room)
        pay_out(pay1, n, 0, dealer, dealer, CHALLENGED, room)
        go_up(plan, CHALLENGED, n - 1, gains, lots, 0, turn, at, room)
        for player in range(n):
            for lane in range(LOT):
                room.value[FIRST, dealer * n + player, lane] = room.value[CHALLENGED, player, lane]
    go_up(plan, FIRST, n, gains, lots, 0, turn, at, room)


def last_stage(plan, yes, own, gains, lots, at, slip, pay, room):
    """Go through stage 3 alone of a lot of deals, as `whole_deal` does; columns are positions."""
    n = plan.n
    go_down(plan, THIRD, n, yes, own, gains, lots, 0, 0, at, slip, room)
    compare(lots, 0, 0, at, n, room)
    pay_out(pay, n, 0, 1 << n, 0, THIRD, room)
    go_up(plan, THIRD, n, gains, lots, 0, 0, at, room)


compile_module(
    __name__,
    fills_only=True,
    inner=("go_down", "compare", "pay_out", "go_up", "silence"),
    literals=False,
)


def make_plan(n: int, classes: int, fine: int, challenge: bool) -> Plan:
    """Lay out the decisions of one state."""
    words = (1 << n) - 1
    kinds, fine_kinds = ((TWOS, TWOS, last, last) for last in (classes, fine))
    starts = []
    for each in (kinds, fine_kinds):
        sizes = np.array((words, words >> 1, words, words)) * each
        starts.append(np.concatenate([[0], np.cumsum(sizes)]).tolist())
    (*plain, size), (*finer, fine_size) = starts
    return Plan(
        n, classes, fine, tuple(plain), tuple(finer), size, fine_size, int(challenge), kinds,
        fine_kinds,
    )  # fmt: skip


def make_room(n: int) -> Room:
    """Make the work space for n players."""
    ends = 1 << n
    return Room(
        prob=np.zeros((4, ends, LOT), np.float32),
        own=np.zeros((4, ends, LOT), np.float32),
        reach=np.zeros((4, 2 * ends, LOT), np.float32),
        value=np.zeros((4, ends * n, LOT), np.float32),
        others=np.ones((4, n, LOT), np.float32),
        best=np.zeros((ends, LOT), np.uint8),
        win=np.zeros((ends, LOT), np.uint8),
    )
