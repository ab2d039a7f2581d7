"""Lays whatever scores most, of equals the one of fewest cards, and draws when it holds nothing.

Belongs to `lay`, where it is hard to beat: there is little to choose. Under `hold` it lays the
cards of many a thirty-one for two points, and whoever waits for it wins two games in three.
"""


def value(view, option):
    return option.points
