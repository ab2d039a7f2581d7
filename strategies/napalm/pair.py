"""Pair or better: says Yes at stage 1 with a pair, later with a hand as rare as a pair was.

One hand of two cards in seventeen is a pair, so that a pair beats at least 94% of all hands (N3).
Plain and easily read by others, but it seldom pays for a second-best hand. `lowest` is the rank of
the lowest pair that will do (2 to 14, the ace), `later` the strength (0 to 1) at stages 2 and 3.
"""


def p_yes(view, lowest=2, later=0.94):
    if view.stage == 1:
        return 1.0 if view.pair and view.high >= lowest else 0.0
    return 1.0 if view.strength >= later else 0.0
