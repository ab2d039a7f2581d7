"""Minds the pot and the race: weighs what a Yes may bring against what it may cost.

Whoever collects `target` stakes takes the whole pot at once (N16), antes of many deals. So a stake
taken is worth more than a stake: `race` times its share of the pot on top, and the whole pot when
it is the last one needed. A lost showdown costs about `cost`. It says Yes when the gain times its
chance is at least the loss times its own. With ``race=0`` only the stakes on the table count.

Made for the preset `stakes`; under `tokens` a lost showdown costs as much as the pot.
"""


def p_yes(view, race=2.0, cost=2.0, trust=0.7):
    # The chance that nobody who competes is better, as the strategy `listener` reckons it.
    beats_yes = max(0.0, (view.strength - trust) / (1.0 - trust)) if trust < 1.0 else 0.0
    to_speak = max(0, view.n - 1 - view.spoken)
    best = beats_yes**view.yes * view.strength**to_speak

    stakes = view.yes + 1
    if view.collected + stakes >= view.target:
        gain = stakes + view.pot
    else:
        gain = stakes * (1.0 + race * view.pot / view.target)
    return 1.0 if best * gain >= (1.0 - best) * cost else 0.0
