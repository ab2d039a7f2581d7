"""Random numbers by counting: Philox4x32-10, and the shuffled deck made from it.

A number depends on nothing but the key (the folded seed) and a counter (game, deal, stream, item),
so any deal of any game can be computed alone, in any order, on any machine.

The generator is Philox4x32 with ten rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
"Parallel random numbers: as easy as 1, 2, 3", SC11, doi:10.1145/2063384.2063405.

A deck is dealt by its Lehmer code: card k is the d_k-th of the cards that are left, in ascending
order, and d_k is uniform on 0 .. 51 - k. The digit is the high half of ``w * (52 - k)`` for a
16-bit word w; a word whose low half falls below ``65536 % (52 - k)`` is replaced by the one of the
next attempt, which makes the digit exactly uniform (D. Lemire, "Fast random integer generation in
an interval", 2019, doi:10.1145/3230636).
"""

from __future__ import annotations

import numpy as np

from simulate.errors import InputError
from simulate.jit import compile_module

# Multipliers and key increments of Philox4x32.
M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
LOW, HALF, PIECE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF)
ROUNDS = 10

# Streams, in the top byte of the last counter word; an attempt stands in its second byte.
CARDS, DEALER, STRATEGY = np.uint64(0), np.uint64(1 << 24), np.uint64(2 << 24)
ATTEMPT = np.uint64(8)


def philox(key, game, deal, item):
    """Return the four 32-bit words of one counter, each in a uint64."""
    k0, k1 = key & LOW, key >> HALF
    c0, c1, c2, c3 = game & LOW, game >> HALF, deal, item
    for _ in range(ROUNDS):
        p0, p1 = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & LOW, (p0 >> HALF) ^ c3 ^ k1, p0 & LOW
        k0, k1 = (k0 + W0) & LOW, (k1 + W1) & LOW
    return c0, c1, c2, c3


def digit(key, game, deal, place):
    """Return the exactly uniform Lehmer digit of deck card `place`, 0 to 51 - place."""
    left = np.uint64(52 - place)
    block, piece = np.uint64(place // 8), place % 8
    attempt = np.uint64(0)
    while True:
        words = philox(key, np.uint64(game), np.uint64(deal), CARDS | attempt << ATTEMPT | block)
        word = words[piece // 2]
        product = ((word >> np.uint64(16)) if piece % 2 else (word & PIECE)) * left
        if product & PIECE >= np.uint64(65536) % left:
            return np.int64(product >> np.uint64(16))
        attempt += np.uint64(1)


def deal_deck(key, game, deal, out):
    """Fill `out` with the first ``len(out)`` cards of the deck of one deal.

    Parameters
    ----------
    key : uint64
        From `fold_seed`.
    game, deal : int
        Which game of the run, which deal of the game.
    out : ndarray of int64, shape (m,), m <= 52
        Receives the cards.
    """
    code = np.empty(52, np.int64)
    for place in range(len(out)):
        card = digit(key, game, deal, place)
        code[place] = card
        for earlier in range(place - 1, -1, -1):  # step over the cards that are gone
            card += card >= code[earlier]
        out[place] = card


def first_dealer(key, game, n):
    """Draw the seat of a game's first dealer by lot, exactly uniform on 0 .. n - 1."""
    seats = np.uint64(n)
    attempt = np.uint64(0)
    while True:
        word = philox(key, np.uint64(game), np.uint64(0), DEALER | attempt << ATTEMPT)[0]
        product = word * seats
        if product & LOW >= np.uint64(1 << 32) % seats:
            return np.int64(product >> HALF)
        attempt += np.uint64(1)


def uniforms(key, game, deal, call):
    """Return two independent uniforms in [0, 1): a strategy's own, and the engine's coin for it."""
    w0, w1, w2, w3 = philox(key, np.uint64(game), np.uint64(deal), STRATEGY | np.uint64(call))
    random = np.int64((w1 << HALF | w0) >> np.uint64(11)) * 2.0**-53
    coin = np.int64((w3 << HALF | w2) >> np.uint64(11)) * 2.0**-53
    return random, coin


compile_module(__name__, inlined=("philox", "uniforms"))


def fold_seed(seed: int) -> np.uint64:
    """Fold a seed of any size into the 64-bit key of the generator.

    Parameters
    ----------
    seed : int
        A whole number >= 0.

    Raises
    ------
    InputError
        When it is anything else.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed {seed!r} is not a whole number >= 0")
    return np.uint64(np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0])
