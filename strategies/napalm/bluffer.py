"""Says Yes on strength, and bluffs now and then.

Whoever says Yes alone takes a stake unseen (N10): a bluff pays whenever all the others say No. It
bluffs by chance, so that nobody can tell its bluffs from its good hands. `yes_above` is the
strength (0 to 1) from which it says Yes, `bluff` the probability of Yes below it.
"""


def p_yes(view, yes_above=0.75, bluff=0.1):
    return 1.0 if view.strength >= yes_above else bluff
