"""The deal of the cards for many games at once: `simulate.rng.deal_deck` on lanes.

Each lane is a deal of its own, named by its game and deal number, and gets exactly the cards that
`simulate.rng.deal_deck` gives it. A stage deals only the cards it needs: digits of deck places
that nobody asks for are never made, and a block of eight is made when its first place is.
"""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.lanes import (
    LEHMER_WIDTH,
    WIDTH,
    load,
    mulhi,
    some,
    step_over,
    store,
    to_u8,
    to_u16,
    to_u32,
)
from simulate.rng import DEALER, HALF, LOW, M0, M1, ROUNDS, W0, W1, digit, first_dealer

PLACES = 56
"""Rows for the deck places of a deal: 52 and what fills the last block of eight."""


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


def make_words(key, game, deal, block, words, lanes):
    """Fill four rows of `words` with one Philox block of every lane.

    Parameters
    ----------
    key : uint64
        From `simulate.rng.fold_seed`.
    game, deal : ndarray of uint64, shape (1, lanes)
        Which deal each lane holds.
    block : int
        Eight deck places each: 0 for places 0 to 7.
    words : ndarray of uint32, shape (PLACES // 2, lanes)
        Row q receives the 16-bit words of places 2q (low half) and 2q + 1.
    lanes : int
        How many lanes to fill, rounded up to `WIDTH`.
    """
    for lane in range(0, lanes, WIDTH):
        c0, c1, c2, c3 = philox_lanes(key, load(game, 0, lane), load(deal, 0, lane), block)
        store(words, 4 * block, lane, to_u32(c0))
        store(words, 4 * block + 1, lane, to_u32(c1))
        store(words, 4 * block + 2, lane, to_u32(c2))
        store(words, 4 * block + 3, lane, to_u32(c3))


def make_digits(words, place, digits, refused, lanes):
    """Turn the words of deck places `place` (even) and the next into Lehmer digits.

    `refused` (uint8, one row) is raised in lanes where a word must be replaced for the digit to be
    exactly uniform.
    """
    left = 52 - place
    for lane in range(0, lanes, WIDTH):
        word = load(words, place // 2, lane)
        low, high = to_u16(word), to_u16(word >> 16)
        store(digits, place, lane, to_u8(mulhi(low, left)))
        store(digits, place + 1, lane, to_u8(mulhi(high, left - 1)))
        bad = (low * left < 65536 % left) | (high * (left - 1) < 65536 % (left - 1))
        store(refused, 0, lane, load(refused, 0, lane) | to_u8(bad))


def replace_digits(key, game, deal, first, stop, words, digits, lane):
    """Draw anew, one by one, the digits of one lane whose words were refused."""
    for place in range(first, stop):
        left = 52 - place
        word = (words[place // 2, lane] >> (16 * (place % 2))) & 0xFFFF
        if (word * left) & 0xFFFF < 65536 % left:
            digits[place, lane] = digit(key, game[0, lane], deal[0, lane], place)


def deal_places(key, game, deal, first, stop, words, digits, refused, cards, lanes):
    """Deal deck places `first` to ``stop - 1`` of every lane.

    Parameters
    ----------
    key, game, deal, words, lanes
        As for `make_words`.
    first, stop : int
        The places; those before `first` must have been dealt.
    digits, cards : ndarray of uint8, shape (PLACES, lanes)
        Row k receives the digit and the card of place k.
    refused : ndarray of uint8, shape (1, lanes)
        Work space.
    """
    for block in range((first + 7) // 8, (stop + 7) // 8):
        make_words(key, game, deal, block, words, lanes)
    refused[0, :] = 0
    for place in range((first + 1) // 2 * 2, stop, 2):
        make_digits(words, place, digits, refused, lanes)
    for group in range(0, lanes, WIDTH):
        if some(load(refused, 0, group) != 0):  # rare
            for lane in range(group, group + WIDTH):
                if refused[0, lane]:
                    last = (stop + 1) // 2 * 2
                    replace_digits(key, game, deal, first, last, words, digits, lane)
    for place in range(first, stop):
        for lane in range(0, lanes, LEHMER_WIDTH):
            step_over(digits, cards, place, lane)


compile_module(__name__, fills_only=True, inlined=("philox_lanes",))
