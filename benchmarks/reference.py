"""The yardstick: numpy shuffles decks of cards, which no change to this project can speed up."""

from __future__ import annotations

import numpy as np

NAME = "numpy shuffles a deck"
DECKS = 500


def make_shuffle():
    """Return a function that shuffles about so many decks of 52 cards and says how many it did."""
    rng = np.random.default_rng(1)
    decks = np.tile(np.arange(52, dtype=np.uint8), (DECKS, 1))

    def shuffle(count: int) -> int:
        for _ in range(-(-count // DECKS)):
            rng.permuted(decks, axis=1, out=decks)
        return -(-count // DECKS) * DECKS

    return shuffle
