"""Write the generator's words to the standard output, for batteries of tests.

``python tests/torture/stream.py STREAM [BYTES] | dieharder -g 200 -a`` (or ``| RNG_test stdin32``).
The streams are the words as the games use them, little-endian, 32 bits each:

games
    What cards are made of: game after game, and of each the seven blocks of its first deal.
deals
    The same of one game, deal after deal.
seeds
    The first block of a game for 1,024 neighbouring seeds, one after the other, then the next game.
strategy
    What strategies and the coin get: game after game, 64 calls of each.

Without BYTES they go on for ever.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from simulate.jit import compile_module
from simulate.rng import CARDS, STRATEGY, fold_seed, philox

STREAMS = ("games", "deals", "seeds", "strategy")
BLOCKS, SEEDS, CALLS = 7, 1_024, 64
ROOM = 1 << 22  # words written at once


def fill_blocks(keys, first, by_deal, stream, blocks, words):
    """Fill `words` from counter `first` on: blocks within keys within games, or within deals."""
    game, deal, zero = np.uint64(first), np.uint64(0), np.uint64(0)
    if by_deal:
        game, deal = zero, game
    at = 0
    while at < len(words):
        for key in keys:
            for block in range(blocks):
                four = philox(key, game, deal, stream | np.uint64(block))
                for place in range(4):
                    words[at + place] = four[place]
                at += 4
        if by_deal:
            deal += np.uint64(1)
        else:
            game += np.uint64(1)


compile_module(__name__)


def main(name: str, size: float) -> None:
    """Write words until so many bytes are written, or nobody reads them any more."""
    seeds = range(1, SEEDS + 1) if name == "seeds" else [1]
    keys = np.array([fold_seed(seed) for seed in seeds])
    blocks = {"seeds": 1, "strategy": CALLS}.get(name, BLOCKS)
    kind = STRATEGY if name == "strategy" else CARDS
    step = 4 * len(keys) * blocks  # words of one game or deal
    counters = ROOM // step
    words, counter = np.zeros(counters * step, np.uint32), 0
    while size > 0:
        fill_blocks(keys, counter, name == "deals", kind, blocks, words)
        data = words.astype("<u4").tobytes()[: int(min(size, words.nbytes))]
        sys.stdout.buffer.write(data)
        counter += counters
        size -= len(data)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in STREAMS:
        sys.exit(f"which stream: {', '.join(STREAMS)}?")
    try:
        main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else float("inf"))
        sys.stdout.flush()
    except BrokenPipeError:  # the battery has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
