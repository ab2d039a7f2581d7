"""The words of strategies that are tables (N7), for all lanes at once."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, lookup, some, store, to_i32, where
from simulate.napalm.brains import HEARD, POSITIONS, STAGES, TOSS, TURNS
from simulate.napalm.table import around
from simulate.rng import uniforms


def call_number(stage, turn, position):
    """Return the number of a decision within its deal: which random numbers it takes."""
    return (stage * 2 + turn) * 8 + position


def situation(who, stage, turn, position, heard):
    """Return the place of a situation in the tables of `Brains`; stage and turn count from 0."""
    return (((who * STAGES + stage) * TURNS + turn) * POSITIONS + position) * HEARD + heard


def toss_words(table, stage, position, key, brains, place, above, word, lane):
    """Draw the words of a group of lanes that are neither certainly Yes nor No."""
    for k in range(WIDTH):
        if word[k] == TOSS:
            p = brains.above[place[k]] if above[k] else brains.below[place[k]]
            call = call_number(stage, 0, position)
            _, coin = uniforms(key, table.game[0, lane + k], table.deal[0, lane + k], call)
            word[k] = coin < p


def speak_by_table(table, stage, step, n, key, brains, spare, lanes):
    """Let everybody speak once, eldest first, the dealer last: fill `table.first`.

    Parameters
    ----------
    table : Table
    stage, step, n, lanes : int
    key : uint64
    brains : Brains
        Tables only.
    spare : ndarray of int32, shape (3, WIDTH)
        Work space.
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
            word = where(above & live, one, 0)
            if not brains.plain:
                answer = lookup(brains.answer, place)
                word = where(live, where(above, answer & 3, answer >> 2), 0)
                if some(word == TOSS):
                    store(spare, 0, 0, place)
                    store(spare, 1, 0, where(above, one, 0))
                    store(spare, 2, 0, word)
                    toss_words(
                        table, stage, position, key, brains, spare[0], spare[1], spare[2], lane
                    )
                    word = load(spare, 2, 0)
            heard = heard + word
            said = said | word << position
        store(table.first, 0, lane, said)


compile_module(__name__, fills_only=True, inlined=("call_number", "situation"), inner="all")
