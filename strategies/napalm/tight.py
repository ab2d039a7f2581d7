"""Says Yes when its hand is likely to be the best at the table, however many sit there.

A hand of strength s beats one other hand with probability s, and all n - 1 others with probability
about s to the power n - 1. The more players, the better the hand has to be. `chance` (0 to 1) is
the chance to be the best from which it says Yes.
"""


def p_yes(view, chance=0.25):
    best = view.strength ** (view.n - 1)
    return 1.0 if best >= chance else 0.0
