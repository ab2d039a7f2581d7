"""Counts the Yes it has heard, and says Yes when it is still likely to hold the best hand.

Whoever has said Yes is taken to hold a strength of at least `trust`, spread evenly from there to 1.
Whoever has yet to speak may hold anything, and whoever has said No does not compete. From that
follows the chance that no competitor is better; from `chance` on it says Yes. Both are 0 to 1.
"""


def p_yes(view, chance=0.25, trust=0.7):
    beats_yes = max(0.0, (view.strength - trust) / (1.0 - trust)) if trust < 1.0 else 0.0
    to_speak = max(0, view.n - 1 - view.spoken)
    best = beats_yes**view.yes * view.strength**to_speak
    return 1.0 if best >= chance else 0.0
