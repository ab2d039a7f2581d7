"""Cribbage scored by the combinations of Noddy, over every hand and starter (compiled)."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.combinations import kind_of, kinds_in, list_lays, size_of
from simulate.noddy.view import (
    FIFTEEN,
    FLUSH,
    KNAVE_NODDY,
    LONG_RUN,
    MAX_OPTIONS,
    PAIR,
    RUN_OF_FOUR,
    RUN_OF_THREE,
)


def cribbage_score(table, five, starter, found):
    """Score four cards and a starter by what `list_lays` found in the five."""
    hand = five ^ 1 << starter
    twos, threes, fours, fives, flushes, own_flush = 0, 0, 0, 0, 0, False
    for each in range(found):
        label, cards = table.lays[each, 0], table.lays[each, 1]
        kind = kind_of(label)
        twos += kind in (FIFTEEN, PAIR)  # three of a kind are three pairs, four are six
        threes += kind == RUN_OF_THREE
        fours += kind == RUN_OF_FOUR
        fives += kind == LONG_RUN
        flushes += kind == FLUSH and size_of(label) == 4
        own_flush |= kind == FLUSH and cards == hand
    runs = 5 * fives if fives else 4 * fours if fours else 3 * threes
    flush = 0
    if own_flush:
        flush = 5 if flushes == 5 else 4
    nobs = kinds_in(hand, starter & 3, 10) >> KNAVE_NODDY & 1
    return 2 * twos + runs + flush + nobs


def count_cribbage_scores(table, levels, scores):
    """Count the scores of all hands of four cards with all starters."""
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    for e in range(d + 1, 52):
                        five = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
                        kinds = kinds_in(five, 0, 10)
                        found = list_lays(table, five, kinds, levels, MAX_OPTIONS)
                        for starter in (a, b, c, d, e):
                            scores[cribbage_score(table, five, starter, found)] += 1


compile_module(__name__, fills_only=True)
