"""The decks of deals: `simulate.rng.deal_deck`, as far as it is needed.

A deck is written down as sets: ``left[k]`` is what is left when k cards have been drawn, so the
cards drawn from one place to another are the difference of two of them. What nearly every game
needs is dealt for `LANES` games at once, which takes a small part of the time; what is left to do
is dealt when it is needed, in blocks of eight cards that come from one counter each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import deal_places, draw_first_dealers
from simulate.jit import compile_module
from simulate.lanes import LEHMER_WIDTH, WIDTH
from simulate.noddy.bits import nth
from simulate.rng import CARDS, PIECE, digit, philox

WHOLE = (1 << 52) - 1
LANES = LEHMER_WIDTH
BLOCK = 8
AHEAD = 24  # cards of the first deal that are dealt in all lanes at once
PLACES = 52
REFUSED = np.array([65536 % (52 - place) for place in range(PLACES)])
"""Of each place: how many values of the low product are refused, so that digits are uniform."""


class Decks(NamedTuple):
    """First dealers, and the first cards of first decks, of `LANES` games; (rows, LANES).

    Attributes
    ----------
    dealers : uint64, 1 row
        Seats.
    cards : uint8, AHEAD rows
        By place in the deck.
    game, deal, digits, refused
        See `simulate.dealing`; `deal` stays 0.
    """

    dealers: NDArray[np.uint64]
    cards: NDArray[np.uint8]
    game: NDArray[np.uint64]
    deal: NDArray[np.uint64]
    digits: NDArray[np.uint8]
    refused: NDArray[np.uint64]


def deal_ahead(decks, key, start, n):
    """Draw first dealers by lot (D1) and deal first decks, for `LANES` games from `start` on."""
    draw_first_dealers(key, start, int(n), decks.dealers)
    for lane in range(LANES):
        decks.game[0, lane] = start + lane
    deal_places(
        key, decks.game, decks.deal, 0, AHEAD, decks.digits, decks.refused, decks.cards, LANES
    )


def take_deck(table, decks, lane):
    """Put the deck of a deal on the table, as far as it is dealt: that of a first deal is."""
    remain, table.left[0], table.ready = WHOLE, WHOLE, 0
    if table.deal == 0:
        for place in range(AHEAD):
            remain ^= 1 << np.int64(decks.cards[place, lane])
            table.left[place + 1] = remain
        table.ready = AHEAD


def make_ready(table):
    """See to it that the deck is dealt as far as `table.place`."""
    while table.ready < table.place:
        deal_block(table)


def deal_block(table):
    """Deal the next eight cards of the deck."""
    left, place = table.left, table.ready
    block = np.uint64(place // BLOCK)
    four = philox(table.key, np.uint64(table.game), np.uint64(table.deal), CARDS | block)
    for each in range(place, min(place + BLOCK, PLACES)):
        piece = np.int64(four[each % BLOCK // 2] >> np.uint64(16 * (each % 2)) & PIECE)
        product = piece * (52 - each)
        number = product >> 16
        if product & 0xFFFF < REFUSED[each]:
            number = digit(table.key, table.game, table.deal, each)
        left[each + 1] = left[each] ^ nth(left[each], number)
    table.ready += BLOCK


compile_module(__name__, fills_only=True, inlined=("take_deck", "make_ready"))


def new_decks() -> Decks:
    """Make room for decks."""
    return Decks(
        dealers=np.zeros((1, LANES), np.uint64),
        cards=np.zeros((AHEAD, LANES), np.uint8),
        game=np.zeros((1, LANES), np.uint64),
        deal=np.zeros((1, LANES), np.uint64),
        digits=np.zeros((AHEAD, LANES), np.uint8),
        refused=np.zeros((1, WIDTH), np.uint64),
    )
