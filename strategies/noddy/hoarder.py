"""Draws until it holds a thirty-one, which wins at one stroke.

Belongs to `hold`, where it is a match for anybody: three draws and a lay win most games, and a lay
before that costs cards and a turn. ``until=5`` loses patience: holding so many cards or more
without a win, it lays what scores most; ``until=3`` is `highest`. Under `lay`, where it cannot
hoard, it parts with as few cards as it may.
"""


def value(view, option, until=53):
    if view.score + option.points >= view.target:
        return 1000.0 + option.points
    if view.count >= until:
        return option.points
    return -option.size
