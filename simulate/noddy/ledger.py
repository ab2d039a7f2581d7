"""Every deal and turn as it was played, for logs and for rows of games, deals and turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module

# Columns of `Ledger.games`; the final scores by seat follow.
WINNER, FIRST_DEALER, DEALS, TURNS, GAME_SCORES = range(5)

# Columns of `Ledger.deals` and `Ledger.turns`. `GAME` counts from the first of the slice; hands,
# `CARDS` and `DREW` are sets; `JACK` is what a turned-up jack scored the dealer's opponents.
GAME, DEAL = 0, 1
DEALER, TURN_UP, JACK, TURNS_OF_DEAL, DEAD, DEAL_SCORES, HANDS = 2, 3, 4, 5, 6, 7, 11
TURN, SEAT, KIND, POINTS, CARDS, HAND, OPTIONS, DREW, STOCK, SCORE = range(2, 12)


class Ledger(NamedTuple):
    """Lines in the order played, all int64; no room for what is not wanted.

    Attributes
    ----------
    games : shape (games, GAME_SCORES + 4)
    deals : shape (capacity, HANDS + 4)
        The scores at the end, and the hands dealt, by seat, are the last eight columns.
    turns : shape (capacity, SCORE + 1)
        `HAND` and `STOCK` are those before the turn, `SCORE` the one after it.
    """

    games: NDArray[np.int64]
    deals: NDArray[np.int64]
    turns: NDArray[np.int64]


def keep_game(ledger, table, start, winner, dealer):
    """Write down how a game came out, if that is wanted."""
    if len(ledger.games) == 0:
        return
    entry = ledger.games[table.game - start]
    entry[WINNER] = winner
    entry[FIRST_DEALER] = dealer
    entry[DEALS] = table.deal
    entry[TURNS] = 0
    for seat in range(4):
        entry[TURNS] += table.turns[seat]
        entry[GAME_SCORES + seat] = table.scores[seat]


def keep_cards(ledger, table, start, jack):
    """Write down the cards of a deal, if that is wanted; say whether there was no room."""
    if len(ledger.deals) == 0:
        return False
    if table.deals_kept == len(ledger.deals):
        return True
    entry = ledger.deals[table.deals_kept]
    entry[GAME] = table.game - start
    entry[DEAL] = table.deal
    entry[DEALER] = table.dealer
    entry[TURN_UP] = table.turn_up
    entry[JACK] = table.turned_jack * jack
    for seat in range(4):
        entry[HANDS + seat] = table.hands[seat]
    return False


def keep_outcome(ledger, table, dead):
    """Write down how that deal came out."""
    if len(ledger.deals) == 0:
        return
    entry = ledger.deals[table.deals_kept]
    entry[TURNS_OF_DEAL] = table.turn
    entry[DEAD] = dead
    for seat in range(4):
        entry[DEAL_SCORES + seat] = table.scores[seat]
    table.deals_kept += 1


def keep_turn(ledger, table, start, option, hand, drew, stock):
    """Write down a turn, if that is wanted; say whether there was no room."""
    if len(ledger.turns) == 0:
        return False
    if table.turns_kept == len(ledger.turns):
        return True
    entry = ledger.turns[table.turns_kept]
    entry[GAME] = table.game - start
    entry[DEAL] = table.deal
    entry[TURN] = table.turn
    entry[SEAT] = table.seat
    entry[KIND] = option.kind
    entry[POINTS] = option.points
    entry[CARDS] = option.cards
    entry[HAND] = hand
    entry[OPTIONS] = table.options
    entry[DREW] = drew
    entry[STOCK] = stock
    entry[SCORE] = table.scores[table.seat]
    table.turns_kept += 1
    return False


compile_module(__name__, fills_only=True)


def empty_ledger(games: int, deals: int, turns: int) -> Ledger:
    """Make room for so many lines."""
    return Ledger(
        games=np.zeros((games, GAME_SCORES + 4), np.int64),
        deals=np.zeros((deals, HANDS + 4), np.int64),
        turns=np.zeros((turns, SCORE + 1), np.int64),
    )
