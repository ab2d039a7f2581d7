"""What is remembered of millions of games: counts that add up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.noddy.view import MAX_OPTIONS, PASS

KINDS = PASS + 1  # combinations, draw and pass
HANDS = 53  # sizes of a hand
LENGTHS = 256
"""Numbers of turns told apart; the last stands for itself and all greater ones."""

LEAD_TURNS = 12
"""A player's lead is noted after each of so many first turns of his."""

LEADS = 65
"""Leads told apart: from 32 steps behind, or more, to 32 steps ahead, or more."""

GAMES, TRUNCATED, WON_BY_JACK, DEALS, DEAD, JACKS = range(6)


class Totals(NamedTuple):
    """Sums over games, all int64, by slot of the line-up.

    Attributes
    ----------
    games : shape (6,)
        Games, truncated games (D8), games won by a turned-up jack, deals, dead deals (D7), deals
        with a jack turned up.
    seated : shape (n, n, n, 2)
        By slot, seat, and position in the first deal: games, games won.
    moves : shape (n, KINDS)
        How often each combination was laid, a card drawn, and a turn passed.
    hands : shape (n, HANDS)
        Turns begun with so many cards in hand.
    options : shape (n, MAX_OPTIONS + 1)
        Turns with so many options.
    jacks : shape (n,)
        How often an opponent's turned-up jack scored (D3).
    turns : shape (n, LENGTHS, 2)
        By number of turns that the player of the slot took: games, games he won.
    lead : shape (n * LEAD_TURNS * LEADS * 2,)
        By slot, after the first, second, ... turn of its player, by lead over the best other (see
        `lead_step`): games, games he won.
    score : shape (n, n)
        By slot and seat: sum of final scores.
    """

    games: NDArray[np.int64]
    seated: NDArray[np.int64]
    moves: NDArray[np.int64]
    hands: NDArray[np.int64]
    options: NDArray[np.int64]
    jacks: NDArray[np.int64]
    turns: NDArray[np.int64]
    lead: NDArray[np.int64]
    score: NDArray[np.int64]


def lead_step(target):
    """Return how many points a step of lead is: 1 up to a target of 32."""
    return (target + 31) // 32


def note_turn(table, slot, step, held, kind, totals):
    """Enter a turn; its lead waits on the table's trail for the end of the game."""
    seat = table.seat
    totals.moves[slot, kind] += 1
    totals.hands[slot, held] += 1
    totals.options[slot, table.options] += 1
    turn = table.turns[seat]
    if turn < LEAD_TURNS:
        best = -1
        for other in range(table.n):
            if other != seat:
                best = max(best, table.scores[other])
        lead = table.scores[seat] - best
        if step > 1:
            lead //= step
        lead = min(max(lead, -(LEADS // 2)), LEADS // 2) + LEADS // 2
        table.trail[table.steps] = ((slot * LEAD_TURNS + turn) * LEADS + lead) << 2 | seat
        table.steps += 1
    table.turns[seat] = turn + 1


def note_game(table, slots, row, dealer, winner, totals):
    """Enter the result of a game whose first dealer sat in seat `dealer`."""
    totals.games[GAMES] += 1
    totals.games[TRUNCATED] += winner < 0
    for seat in range(table.n):
        slot = slots[row, seat]
        position = seat - dealer - 1 if seat > dealer else seat - dealer - 1 + table.n
        won = np.int64(seat == winner)
        totals.seated[slot, seat, position, 0] += 1
        totals.seated[slot, seat, position, 1] += won
        turns = min(table.turns[seat], LENGTHS - 1)
        totals.turns[slot, turns, 0] += 1
        totals.turns[slot, turns, 1] += won
        totals.score[slot, seat] += table.scores[seat]
    for step in range(table.steps):
        place, seat = table.trail[step] >> 2 << 1, table.trail[step] & 3
        totals.lead[place] += 1
        totals.lead[place + 1] += seat == winner


compile_module(__name__, fills_only=True, inlined=("note_turn", "note_game"))


def empty_totals(n: int) -> Totals:
    """Make totals of nothing."""

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return Totals(
        games=zeros(6),
        seated=zeros(n, n, n, 2),
        moves=zeros(n, KINDS),
        hands=zeros(n, HANDS),
        options=zeros(n, MAX_OPTIONS + 1),
        jacks=zeros(n),
        turns=zeros(n, LENGTHS, 2),
        lead=zeros(n * LEAD_TURNS * LEADS * 2),
        score=zeros(n, n),
    )
