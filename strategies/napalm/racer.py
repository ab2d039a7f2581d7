"""Minds the race and the pot: dares more when a Yes may win the game, or stop another's win.

Whoever collects `target` stakes takes the whole pot at once (N16), antes of many deals. A player
who could get there with this stage lowers his threshold, the more the fuller the pot. When somebody
else could, and a Yes has been heard, staying out may give him the pot: a lesser hand contests it.
"""


def p_yes(view, above=0.8, eager=0.3, defend=0.15):
    needed = above
    prize = view.pot / (view.pot + 4.0 * view.n)  # 0 for an empty pot, one half for four antes each
    if view.collected + view.yes + 1 >= view.target:
        needed -= eager * prize
    if view.yes > 0 and view.best_other + view.yes >= view.target:
        needed -= defend * prize
    return 1.0 if view.strength >= needed else 0.0
