"""Hoards for a thirty-one, unless all of its cards together are something worth having.

Belongs to `hold`: a rule short enough to remember. Whoever lays his three cards for `least` points
or more, a fifteen, twenty-five or pair royal, draws three others for them and has lost a turn, but
no cards; that is quicker than to go on from a hand of three. In all else it plays like `hoarder`.
"""


def value(view, option, least=6):
    if view.score + option.points >= view.target:
        return 1000.0 + option.points
    if view.count == option.size == 3 and option.points >= least:
        return option.points
    return -option.size
