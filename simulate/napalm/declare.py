"""The words of strategies that are tables (N7), for all lanes at once."""

from __future__ import annotations

import numpy as np

from simulate.dealing import philox_lanes
from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, lookup, low_words, some, store, to_i32, where
from simulate.napalm.brains import HEARD, POSITIONS, STAGES, TURNS, WHOLE
from simulate.napalm.table import around
from simulate.rng import STRATEGY


def call_number(stage, turn, position):
    """Return the number of a decision within its deal: which random numbers it takes."""
    return (stage * 2 + turn) * 8 + position


def situation(who, stage, turn, position, heard):
    """Return the place of a situation in the tables of `Brains`; stage and turn count from 0."""
    return (((who * STAGES + stage) * TURNS + turn) * POSITIONS + position) * HEARD + heard


def toss(table, stage, position, key, lane):
    """Toss the coins of `simulate.rng.uniforms` in a group of lanes: 53 bits each."""
    item = STRATEGY | np.uint64(call_number(stage, 0, position))
    game, deal = load(table.game, 0, lane), load(table.deal, 0, lane)
    _, _, low, high = philox_lanes(key, game, deal, item)
    return low_words(low, high) >> 11


def speak_by_table(table, stage, step, n, key, brains, lanes):
    """Let everybody speak once, eldest first, the dealer last: fill `table.first`.

    Parameters
    ----------
    table : Table
    stage, step, n, lanes : int
    key : uint64
    brains : Brains
        Tables only.
    """
    for lane in range(0, lanes, WIDTH):
        live = load(table.live, 0, lane) != 0
        said = load(table.live, 0, lane)
        said = said ^ said
        heard, one = said, said | 1
        for position in range(n):
            who = to_i32(load(table.strategy, around(position + step, n), lane))
            place = situation(who, stage, 0, position, 0) + heard
            value = load(table.value, stage * n + position, lane)
            above = value >= lookup(brains.cut, place)
            if not brains.plain:
                limit = lookup(brains.limits, place + place + where(above, one, 0))
                coin = limit ^ limit
                if some((limit != 0) & (limit != WHOLE)):
                    coin = toss(table, stage, position, key, lane)
                above = coin < limit
            word = where(above & live, one, 0)
            heard = heard + word
            said = said | word << position
        store(table.first, 0, lane, said)


compile_module(__name__, fills_only=True, inlined=("call_number", "situation", "toss"), inner="all")
