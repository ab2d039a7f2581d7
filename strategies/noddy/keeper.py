"""Lays what scores, but keeps what nearly makes a fifteen.

Belongs to `lay`: where one must lay something, it chooses by what stays in hand. An option is worth
its points, and `fifteen` points more if the cards left hold a fifteen, or in so far as one card
more makes one: by the share of the unseen cards that do. Under `hold` it lays too soon, as
`highest` does.
"""

from strategies.noddy.missing import cards_bringing, count, lacking

DECK = (1 << 52) - 1


def value(view, option, fifteen=10.0):
    if view.score + option.points >= view.target:
        return 1000.0 + option.points
    court = view.rules.court_value
    lack, _, _ = lacking(option.left, court)
    if lack & 1:
        return option.points + fifteen
    if view.stock == 0:
        return option.points  # no card will come
    unseen = DECK & ~(view.hand | view.seen)
    brought = count(unseen & cards_bringing(lack, court)) / count(unseen)
    return option.points + fifteen * brought
