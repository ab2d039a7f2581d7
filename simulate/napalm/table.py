"""The games in progress, side by side: one lane each.

All lanes play a deal at a time together. After a deal the next seat clockwise deals, so whoever
was in position p is in position p - 1. Nothing is moved for that: a player keeps his *row*, and in
the block's deal number s (its *step*, modulo n) position p is row ``(p + s) % n`` in every lane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import PLACES
from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, pack, store, unpack

LANES = 512
"""Games side by side: what they need fits into a core's cache. A multiple of `LEHMER_WIDTH`."""

LINE = 64
"""Bytes of a cache line, and of the widest register."""

ROOM = LANES + LINE
"""Lanes that rows have room for; only the first `LANES` are used."""

NOT_CHALLENGED = -1


class Table(NamedTuple):
    """What is on the table in every lane; shapes are (rows, ROOM).

    Attributes
    ----------
    game, deal : uint64, 1 row
        Which game of the run, which deal of the game.
    order : int32, 1 row
        The row of the seating plan in which the game is played.
    live : int32, 1 row
        1 where a deal is being played.
    turned : int32, 1 row
        The player in row r sits in seat ``(r + turned) % n``.
    pot : int32, 1 row
    strategy : uint16, n rows
        By row: which of the distinct strategies plays.
    collected : int32, n rows
        By row: the collected count (N15).
    net : int64, n rows
        By row: all that was received less all that was paid in this game, antes and prize apart.
    digits, cards, refused
        See `simulate.dealing`; card k of position p is in row ``k * n + p``.
    value : uint32, 3 n rows
        By stage and position: see `simulate.napalm.hands`.
    first, second : int32, 1 row
        Who said Yes at this stage at turn 1, and when challenged: bit p for position p. `second`
        is `NOT_CHALLENGED` where nobody was.
    said : int32, 3 rows
        By stage: whose last word was Yes.
    asked, own : uint16, 1 row
        Not by lane: in which lanes players are asked, and in which of them one strategy is.
    chance : float64, 1 row
        The probability that the player who is asked says Yes.
    words, heard : int32, 1 row
        Who has said Yes so far where players are asked, as bits, and how many that are.
    outcome : uint16, n rows
        By position: how this stage came out for him (see `simulate.napalm.settlement`).
    change : int32, n rows
        By position: the stakes it brought.
    over : int32, 1 row
        1 where the game is won.
    """

    game: NDArray[np.uint64]
    deal: NDArray[np.uint64]
    order: NDArray[np.int32]
    live: NDArray[np.int32]
    turned: NDArray[np.int32]
    pot: NDArray[np.int32]
    strategy: NDArray[np.uint16]
    collected: NDArray[np.int32]
    net: NDArray[np.int64]
    digits: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    refused: NDArray[np.uint64]
    value: NDArray[np.uint32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    said: NDArray[np.int32]
    asked: NDArray[np.uint16]
    own: NDArray[np.uint16]
    chance: NDArray[np.float64]
    words: NDArray[np.int32]
    heard: NDArray[np.int32]
    outcome: NDArray[np.uint16]
    change: NDArray[np.int32]
    over: NDArray[np.int32]


def around(place, n):
    """Count on around the table: `place` modulo n, for 0 <= place < 2 n, without a division."""
    return place - n if place >= n else place


def pack_rows(source, row, mask, lane, target, at):
    """Copy the true lanes of one row to the next free places of another table's."""
    pack(target, row, at, mask, load(source, row, lane))


def gather_live(full, n, few, lanes):
    """Copy the lanes whose deal goes on side by side into another table, after stage 1.

    Parameters
    ----------
    full, few : Table
        From where, to where.
    n : int
        Number of players.
    lanes : int
        How many lanes of `full` are in use.

    Returns
    -------
    int
        How many there are.
    """
    at = 0
    for lane in range(0, lanes, WIDTH):
        live = load(full.live, 0, lane) != 0
        pack_rows(full.game, 0, live, lane, few.game, at)
        pack_rows(full.deal, 0, live, lane, few.deal, at)
        pack_rows(full.turned, 0, live, lane, few.turned, at)
        pack_rows(full.pot, 0, live, lane, few.pot, at)
        pack_rows(full.said, 0, live, lane, few.said, at)
        for row in range(n):
            pack_rows(full.strategy, row, live, lane, few.strategy, at)
            pack_rows(full.collected, row, live, lane, few.collected, at)
            pack_rows(full.net, row, live, lane, few.net, at)
            pack_rows(full.value, row, live, lane, few.value, at)
        for place in range((2 * n + 7) // 8 * 8):  # also those made already, but not dealt yet
            pack_rows(full.digits, place, live, lane, few.digits, at)
        for place in range(2 * n):
            pack_rows(full.cards, place, live, lane, few.cards, at)
        at += count(live)
    few.live[0, :at] = 1
    few.live[0, at:] = 0
    few.over[0, :] = 0
    return at


def unpack_rows(source, row, mask, at, target, lane):
    """Copy a row's next places back to the true lanes of another table's."""
    store(target, row, lane, unpack(source, row, at, mask, load(target, row, lane)))


def return_live(few, n, full, lanes):
    """Copy what the deals that went on have changed back to their lanes of the full table."""
    at = 0
    for lane in range(0, lanes, WIDTH):
        live = load(full.live, 0, lane) != 0
        unpack_rows(few.pot, 0, live, at, full.pot, lane)
        unpack_rows(few.over, 0, live, at, full.over, lane)
        for row in range(n):
            unpack_rows(few.collected, row, live, at, full.collected, lane)
            unpack_rows(few.net, row, live, at, full.net, lane)
        at += count(live)


compile_module(__name__, fills_only=True, inlined=("around",), inner="all")


def lane_rows(rows, dtype):
    """Set rows of `LANES` numbers, all 0.

    Rows begin on cache lines of their own: a vector is read from one line, not from two. And they
    are no power of two apart, lest the same lane of all rows compete for the same place in cache.
    """
    size = np.dtype(dtype).itemsize
    memory = np.zeros(rows * ROOM * size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + rows * ROOM * size].view(dtype).reshape(rows, ROOM)


def empty_table(n):
    """Set a table for n players in every lane, nobody playing yet."""
    return Table(
        game=lane_rows(1, np.uint64),
        deal=lane_rows(1, np.uint64),
        order=lane_rows(1, np.int32),
        live=lane_rows(1, np.int32),
        turned=lane_rows(1, np.int32),
        pot=lane_rows(1, np.int32),
        strategy=lane_rows(n, np.uint16),
        collected=lane_rows(n, np.int32),
        net=lane_rows(n, np.int64),
        digits=lane_rows(PLACES, np.uint8),
        cards=lane_rows(PLACES, np.uint8),
        refused=lane_rows(1, np.uint64),
        value=lane_rows(3 * n, np.uint32),
        first=lane_rows(1, np.int32),
        second=lane_rows(1, np.int32),
        said=lane_rows(3, np.int32),
        asked=lane_rows(1, np.uint16),
        own=lane_rows(1, np.uint16),
        chance=lane_rows(1, np.float64),
        words=lane_rows(1, np.int32),
        heard=lane_rows(1, np.int32),
        outcome=lane_rows(n, np.uint16),
        change=lane_rows(n, np.int32),
        over=lane_rows(1, np.int32),
    )
