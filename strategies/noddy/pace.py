"""How soon players finish, by the points they still need: a small table and what follows from it.

A row of `PACE` is for so many points to go, a column for the cards in hand at the beginning of a
turn: the chance to finish with that turn. Whoever does not finish draws a card, as a rule, and
stands one column further on. So the table also tells how probably somebody is still at it after
some turns, and with that who wins a race.

The numbers belong to a lone player under `hold` who begins with three unknown cards: his greatest
chance to finish within 1, 2, 3, ... turns, worked out backwards over all hands by rank, and
rounded; those beyond eight cards are guessed. They are for the usual points and courts of 10; under
other rules they still tell who is ahead. The last two rows stand for more points than a thirty-one
brings, and for a place at the table where nobody sits.
"""

import numpy as np

PACE = (
    (0.47, 0.60, 0.80, 0.90),  # 1 or 2 points to go
    (0.24, 0.40, 0.60, 0.72),  # 3 or 4
    (0.24, 0.37, 0.565, 0.62, 0.58),  # 5 to 12: a fifteen, a pair royal or better
    (0.24, 0.37, 0.555, 0.61, 0.57),  # 13 to 15: a fifteen or better
    (0.047, 0.245, 0.515, 0.70, 0.66),  # 16 to 25: a twenty-five or thirty-one
    (0.0, 0.065, 0.234, 0.48, 0.665, 0.66, 0.60),  # 26 to 31: a thirty-one
    (0.0, 0.0, 0.01, 0.05, 0.10, 0.15, 0.20),  # more
    (0.0,),  # nobody
)
AT_MOST = (2, 4, 12, 15, 25, 31)
MORE, NOBODY = 6, 7

CARDS = 8  # columns: a hand of three cards, of four, ...; the last one stands for all above
TURNS = 6  # how far ahead we look
WIDTH = CARDS + TURNS + 4


def chances(row):
    """Return the chance to finish with each turn, from three cards on."""
    return [row[min(column, len(row) - 1)] for column in range(WIDTH - 1)]


def still_at_it():
    """Return the chance not to have finished before a turn: by points to go, by cards then held."""
    table = np.ones((len(PACE), WIDTH))
    for row, line in zip(PACE, table, strict=True):
        line[1:] = np.cumprod([1.0 - chance for chance in chances(row)])
    return table


def finishing():
    """Return the chance to finish with each of the next turns: by points to go, by cards now."""
    left = still_at_it()
    table = np.zeros((len(PACE), CARDS, TURNS))
    for cards in range(CARDS):
        ahead = left[:, cards : cards + TURNS + 1]
        table[:, cards] = (ahead[:, :-1] - ahead[:, 1:]) / ahead[:, :1]
    return table


LEFT = still_at_it().ravel()
FINISH = finishing().ravel()
ROW = np.searchsorted(AT_MOST, np.arange(AT_MOST[-1] + 2))


def row_of(to_go):
    """Return the row of `PACE` for so many points to go, 1 or more."""
    return ROW[min(to_go, AT_MOST[-1] + 1)]


def column_of(cards):
    """Return the column of `PACE` for so many cards in hand."""
    return min(max(cards, 3) - 3, CARDS - 1)


def others(view):
    """Return where in `LEFT` each of the up to three other players stands."""
    return (one_further(view, 1), one_further(view, 2), one_further(view, 3))


def one_further(view, steps):
    """Return where in `LEFT` the player stands who sits so many places further on."""
    if steps >= view.n:
        return NOBODY * WIDTH
    place = (view.position + steps) % view.n
    to_go = view.target - view.scores[place]
    return row_of(to_go) * WIDTH + column_of(view.hand_sizes[place])


def still_open(rivals, turns):
    """Return, in proportion, how probably nobody else is home after so many turns of each."""
    return LEFT[rivals[0] + turns] * LEFT[rivals[1] + turns] * LEFT[rivals[2] + turns]


def chance_to_win(to_go, cards, rivals, turn):
    """Return, in the same proportion, the chance to win of a player whose cards nobody knows.

    Parameters
    ----------
    to_go : int
        The points he needs.
    cards : int
        How many cards he holds when his turn comes.
    rivals : tuple of 3 int
        From `others`.
    turn : int
        Which of his turns that is, 1 for the next; before it each of the others has had as many.
    """
    first = (row_of(to_go) * CARDS + column_of(cards)) * TURNS
    chance = 0.0
    for later in range(TURNS):
        chance += FINISH[first + later] * still_open(rivals, turn + later)
    return chance
