"""The decks of deals: `simulate.rng.deal_deck`, as far as it is needed.

Card k of the deck is the d_k-th in ascending order of the cards that are left. A deck is written
down as those sets: ``left[lane, k]`` is what is left when k cards have been drawn, so the cards
drawn from one place to another are the difference of two of them. The digits d_k come in blocks of
eight from one counter each, which are made when they are needed; but what nearly every game needs
is made for `LANES` games at once, at a seventh of the cost.
"""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.noddy.bits import nth
from simulate.rng import CARDS, DEALER, HALF, LOW, PIECE, digit, first_dealer, philox

WHOLE = (1 << 52) - 1
LANES = 64
BLOCK = 8
AHEAD = 24  # cards of the first deal that are dealt in all lanes at once
PLACES = 52
REFUSED = np.array([65536 % (52 - place) for place in range(PLACES)])
"""Of each place: how many values of the low product are refused, so that digits are uniform."""


def prepare_decks(table, start, count):
    """Draw first dealers by lot (D1) and the first cards of first decks, for `count` games.

    Parameters
    ----------
    table : record
        Of `simulate.noddy.table.TABLE`. Receives `dealers` (seats, by lane) and in `left` the first
        `AHEAD` places of each lane.
    start, count : int
        The first of at most `LANES` games, one a lane.
    """
    words, digits, left = table.words, table.digits, table.left
    for lane in range(count):
        game = np.uint64(start + lane)
        words[AHEAD // 2, lane] = philox(table.key, game, np.uint64(0), DEALER)[0]
        for block in range(AHEAD // BLOCK):
            four = philox(table.key, game, np.uint64(0), CARDS | np.uint64(block))
            for each in range(4):
                words[4 * block + each, lane] = four[each]
    seats = np.uint64(table.n)
    for lane in range(count):
        product = words[AHEAD // 2, lane] * seats
        table.dealers[lane] = product >> HALF
        if product & LOW < np.uint64(1 << 32) % seats:
            table.dealers[lane] = first_dealer(table.key, start + lane, table.n)
    for place in range(AHEAD):
        shift = np.uint64(16 * (place % 2))
        for lane in range(count):
            product = np.int64(words[place // 2, lane] >> shift & PIECE) * (52 - place)
            digits[place, lane] = product >> 16
            if product & 0xFFFF < REFUSED[place]:
                digits[place, lane] = digit(table.key, start + lane, 0, place)
    for lane in range(count):
        remain = WHOLE
        for place in range(AHEAD):
            left[lane, place] = remain
            remain ^= nth(remain, digits[place, lane])
        left[lane, AHEAD] = remain


def make_ready(table):
    """See to it that the deck is dealt as far as `table.place`."""
    while table.ready < table.place:
        deal_block(table)


def deal_block(table):
    """Deal the next eight cards of the deck."""
    left, lane, place = table.left, table.lane, table.ready
    block = np.uint64(place // BLOCK)
    four = philox(table.key, np.uint64(table.game), np.uint64(table.deal), CARDS | block)
    left[lane, 0] = WHOLE
    for each in range(place, min(place + BLOCK, PLACES)):
        piece = np.int64(four[each % BLOCK // 2] >> np.uint64(16 * (each % 2)) & PIECE)
        product = piece * (52 - each)
        number = product >> 16
        if product & 0xFFFF < REFUSED[each]:
            number = digit(table.key, table.game, table.deal, each)
        left[lane, each + 1] = left[lane, each] ^ nth(left[lane, each], number)
    table.ready += BLOCK


compile_module(__name__, fills_only=True, inlined=("make_ready",))
