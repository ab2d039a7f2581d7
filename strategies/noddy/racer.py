"""Minds the race alone: every score, and how many cards each player holds, but not its own cards.

Belongs to `hold`. Of each option it sees what it leaves: so many points to go with so many cards in
hand, and so many turns of the others before its own. From the chances in `pace` follows who will be
home first. What its hand promises it does not see: that is what `reckoner` adds.
"""

from strategies.noddy.pace import chance_to_win, others, still_open


def value(view, option):
    to_go = view.target - view.score - option.points
    if to_go <= 0:
        return 2.0  # wins now: more than any chance
    rivals = others(view)
    cards = view.count - option.size + option.drawn
    return chance_to_win(to_go, cards, rivals, 1) / still_open(rivals, 0)
