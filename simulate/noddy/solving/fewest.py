"""The fewest turns of a lone player, in a game that is kinder to him: see `alone` (compiled)."""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.noddy.rules import HAND
from simulate.noddy.solving.hands import MOST, NONE, RANKS, SUITS

DECK = 52
OUT = np.array([1, 5, 9, 13, 17, 21, 25])
"""How many cards lie elsewhere, at most; what is beyond the last is won at once."""


def draw_best(hands, hand, held, out, after):
    """Return the mean number of turns after a card more, the `out` worst cards left out.

    The ranks are put in order of what they lead to, the best first.
    """
    value, like = np.empty(RANKS), np.empty(RANKS)
    count = 0
    for rank in range(RANKS):
        more = hands.more[hand, rank]
        if more == NONE:
            continue
        place, turns = count, after[more]
        while place > 0 and value[place - 1] > turns:
            value[place], like[place] = value[place - 1], like[place - 1]
            place -= 1
        value[place], like[place] = turns, SUITS - hands.counts[hand, rank]
        count += 1
    cards = DECK - held - out
    left, total = cards, 0.0
    for place in range(count):
        number = min(like[place], left)
        total += number * value[place]
        left -= number
    return total / cards


def fill_fewest(hands, order, held, target, score, level, fewest):
    """Fill in ``fewest[score, level]``: turns still needed, for each hand at the begin of a turn.

    A hand of fewer than three cards stands for what it becomes when it is drawn up (D5). The larger
    hands come first in `order`; higher scores are filled in.
    """
    now = fewest[score, level]
    for hand in order:
        if held[hand] < HAND:
            now[hand] = draw_best(hands, hand, held[hand], OUT[level], now)
            continue
        best = 2.0
        if held[hand] < MOST:
            best = 1.0 + draw_best(hands, hand, held[hand], OUT[level], now)
        for each in range(hands.start[hand], hands.start[hand + 1]):
            scored, left = score + hands.points[each], hands.left[each]
            if scored >= target:
                best = 1.0
                break
            then = level
            while then < len(OUT) and OUT[then] < OUT[level] + held[hand] - held[left]:
                then += 1
            best = min(best, 1.0 + (fewest[scored, then, left] if then < len(OUT) else 1.0))
        now[hand] = best


compile_module(__name__)
