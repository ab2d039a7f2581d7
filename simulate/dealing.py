"""The deal of the cards for many games at once: `simulate.rng.deal_deck` on lanes.

Each lane is a deal of its own, named by its game and deal number, and gets exactly the cards that
`simulate.rng.deal_deck` gives it. A stage deals only the cards it needs: digits of deck places
that nobody asks for are never made, and a block of eight is made when its first place is.
"""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.lanes import (
    LEHMER_PLACES,
    LEHMER_WIDTH,
    WIDTH,
    load,
    low_words,
    multiply_pieces,
    pieces_below,
    some,
    step_over,
    store,
    store_pieces,
)
from simulate.rng import DEALER, HALF, LOW, M0, M1, ROUNDS, W0, W1, digit, first_dealer

PLACES = 56
"""Rows for the deck places of a deal: 52 and what fills the last block of eight."""

_LEFT = np.maximum(52 - np.arange(PLACES), 1)
LEFT, REFUSED = (x.astype(np.uint16).view(np.uint64) for x in (_LEFT, 65536 % _LEFT))
"""How many cards are left at each place, and how many low halves of products are refused; 16 bits
each, four to a number."""

PIECES = 0x0001_0001_0001_0001
"""The lowest bit of each."""


def philox_lanes(key, game, deal, item):
    """Return the words of `simulate.rng.philox` for lanes of games and deals, as 64-bit lanes.

    Only the lower 32 bits of each count.
    """
    c0, c1, c2 = game, game >> 32, deal
    c3 = (c2 ^ c2) | item
    k0, k1 = key & LOW, key >> HALF
    for _ in range(ROUNDS):
        # Cut to 32 bits where they are multiplied, which is then one cheap operation.
        p0, p1 = (c0 & LOW) * M0, (c2 & LOW) * M1
        c0, c2 = (p1 >> 32) ^ c1 ^ k0, (p0 >> 32) ^ c3 ^ k1
        c1, c3 = p1, p0
        k0, k1 = (k0 + W0) & LOW, (k1 + W1) & LOW
    return c0, c1, c2, c3


def draw_first_dealers(key, first, n, dealers):
    """Draw the first dealers of games in a row: `simulate.rng.first_dealer` on lanes.

    Parameters
    ----------
    key : uint64
    first, n : int
        The first game, and how many players there are.
    dealers : ndarray of uint64, shape (1, lanes)
        Receives the seats, for a multiple of `WIDTH` games.
    """
    for lane in range(dealers.shape[1]):
        dealers[0, lane] = first + lane
    for lane in range(0, dealers.shape[1], WIDTH):
        game = load(dealers, 0, lane)
        word, _, _, _ = philox_lanes(key, game, game ^ game, DEALER)
        product = (word & LOW) * n
        store(dealers, 0, lane, product >> 32)
        if some((product & LOW) < (1 << 32) % n):  # hardly ever: see `simulate.rng`
            for k in range(lane, lane + WIDTH):
                dealers[0, k] = first_dealer(key, first + k, n)


def make_digits(key, game, deal, block, digits, refused, lanes):
    """Draw the Lehmer digits of eight deck places in every lane.

    Parameters
    ----------
    key : uint64
        From `simulate.rng.fold_seed`.
    game, deal : ndarray of uint64, shape (1, lanes)
        Which deal each lane holds.
    block : int
        Which places: 0 for places 0 to 7.
    digits : ndarray of uint8, shape (PLACES, lanes)
        Row k receives the digit of place k.
    refused : ndarray of uint64, shape (1, WIDTH)
        Work space.
    lanes : int
        How many lanes to fill, rounded up to `WIDTH`.
    """
    for lane in range(0, lanes, WIDTH):
        c0, c1, c2, c3 = philox_lanes(key, load(game, 0, lane), load(deal, 0, lane), block)
        first, low1 = multiply_pieces(low_words(c0, c1), LEFT[2 * block])  # four places each
        second, low2 = multiply_pieces(low_words(c2, c3), LEFT[2 * block + 1])
        store_pieces(digits, 8 * block, lane, first, second)
        bad1 = pieces_below(low1, REFUSED[2 * block])
        bad2 = pieces_below(low2, REFUSED[2 * block + 1])
        if some((bad1 | bad2) != 0):  # hardly ever: see `simulate.rng`
            store(refused, 0, 0, (bad1 & PIECES) | (bad2 & PIECES << 8))
            replace_digits(key, game, deal, block, digits, refused, lane)


def replace_digits(key, game, deal, block, digits, refused, lane):
    """Draw anew, one by one, the digits of some lanes whose words were refused."""
    for k in range(WIDTH):
        if refused[0, k] != 0:
            for piece in range(8):
                if refused[0, k] >> (piece % 4 * 16 + piece // 4 * 8) & 1:
                    place = 8 * block + piece
                    here = lane + k
                    digits[place, here] = digit(key, game[0, here], deal[0, here], place)


def deal_places(key, game, deal, first, stop, digits, refused, cards, lanes):
    """Deal deck places `first` to ``stop - 1`` of every lane, or the first six.

    Parameters
    ----------
    key, game, deal, digits, refused, lanes
        As for `make_digits`.
    first, stop : int
        The places; those before `first` must have been dealt.
    cards : ndarray of uint8, shape (PLACES, lanes)
        Row k receives the card of place k.
    """
    for block in range((first + 7) // 8, (stop + 7) // 8):
        make_digits(key, game, deal, block, digits, refused, lanes)
    for start in range(first, stop, LEHMER_PLACES):
        place = max(0, min(start, stop - LEHMER_PLACES))  # the last six may overlap others
        for lane in range(0, lanes, LEHMER_WIDTH):
            step_over(digits, cards, place, lane)


compile_module(__name__, fills_only=True, inlined=("philox_lanes",))
