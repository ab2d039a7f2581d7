"""Says Yes by the toss of a coin, whatever it holds: the yardstick for all that look at cards.

`chance` is the probability of Yes.
"""


def p_yes(view, chance=0.5):
    return chance
