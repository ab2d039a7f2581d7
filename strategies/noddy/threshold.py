"""Lays what scores most, but nothing below so many points; rather than that it draws.

Belongs to `hold`: with ``points=15`` it never breaks up a hand for a pair or a run, with
``points=25`` it comes near to `hoarder`, and with ``points=1`` it is `highest`. It lays less if
that wins. Under `lay`, where it must lay something, it lays what scores most.
"""


def value(view, option, points=15):
    wins = view.score + option.points >= view.target
    if wins or option.points >= points:
        return 1000.0 + option.points
    return option.points if view.rules.must_lay else -option.points
