"""Play games of Noddy: one straight loop over the rules, game after game.

Strategies are called through the address of their compiled `simulate.noddy.choose`, and only where
there is a choice: the kernel is compiled once and for all.
"""

from __future__ import annotations

import numpy as np

from simulate.address import call_at
from simulate.jit import compile_module
from simulate.noddy.bits import lowest_bit
from simulate.noddy.combinations import JACK
from simulate.noddy.deck import LANES, PLACES, deal_ahead, make_ready, take_deck
from simulate.noddy.ledger import keep_cards, keep_game, keep_outcome, keep_turn
from simulate.noddy.options import find_options, option_at
from simulate.noddy.rules import HAND
from simulate.noddy.tally import (
    DEAD,
    DEALS,
    JACKS,
    WON_BY_JACK,
    lead_step,
    note_game,
    note_turn,
)
from simulate.noddy.view import PASS

DONE, LEDGER_FULL = 0, 1
NOBODY = -1


def begin_game(table, decks, game, lane):
    """Sit down to a game (D1); the decks of many are dealt at once."""
    if lane == 0:
        deal_ahead(decks, table.key, game, table.n)
    table.game, table.deal, table.steps = game, 0, 0
    table.dealer = np.int64(decks.dealers[0, lane])
    for seat in range(table.n):
        table.scores[seat], table.turns[seat] = 0, 0


def begin_deal(table, decks, lane):
    """Deal three cards to each, one at a time from eldest round, and turn one up (D2)."""
    n, left = table.n, table.left
    table.place = HAND * n + 1
    take_deck(table, decks, lane)
    make_ready(table)
    table.eldest = seat = next_seat(table.dealer, n)
    for place in range(n):
        hand = left[place] ^ left[place + 1]
        hand |= left[n + place] ^ left[n + place + 1]
        hand |= left[2 * n + place] ^ left[2 * n + place + 1]
        table.hands[seat], table.sizes[seat] = hand, HAND
        seat = next_seat(seat, n)
    table.seen = left[table.place - 1] ^ left[table.place]
    table.turn_up = lowest_bit(table.seen)
    table.stock = PLACES - table.place + table.turn_up_drawn
    table.turn, table.seat = 0, table.eldest


def turn_a_jack(table, slots, row, totals):
    """Score a turned-up jack for the dealer's opponents (D3); return who wins by it (D8)."""
    winner, seat = NOBODY, table.eldest
    for _ in range(table.n - 1):
        table.scores[seat] += table.turned_jack
        totals.jacks[slots[row, seat]] += 1
        if winner == NOBODY and table.scores[seat] >= table.target:
            winner = seat
        seat = next_seat(seat, table.n)
    totals.games[JACKS] += 1
    totals.games[WON_BY_JACK] += winner != NOBODY
    return winner


def draw(table, count):
    """Draw the next cards of the stock, of which the turn-up is the last (D2)."""
    place = table.place
    table.place = min(place + count, PLACES)
    make_ready(table)
    drew = table.left[place] ^ table.left[table.place]
    if place + count > PLACES:
        drew |= 1 << table.turn_up
    table.stock -= count
    return drew


def ask(table, who, chooser, answers, levels, allowed):
    """Find what the player may do; return the index of what he does, below 0 after a NaN."""
    find_options(table, table.hands[table.seat], table.sizes[table.seat], answers, levels, allowed)
    return call_at(chooser, table, who) if table.options > 1 else 0


def take_turn(table, chosen):
    """Let the player lay, draw or pass (D4), and draw up (D5); return the option and the cards."""
    seat, option = table.seat, option_at(table, chosen)
    drew = draw(table, option.drawn)
    table.scores[seat] += option.points
    table.seen |= option.cards
    table.hands[seat] = option.left | drew
    table.sizes[seat] += option.drawn - option.size
    return option, drew


def play(table, decks, start, stop, slots, who, chooser, answers, levels, totals, ledger):
    """Play games `start` to ``stop - 1``.

    Parameters
    ----------
    table : record
        From `simulate.noddy.table.set_table`.
    decks : Decks
        Work space.
    start, stop : int
        Games of the run.
    slots : ndarray of int8, shape (P, n)
        From `simulate.seating.seat_plan`.
    who : ndarray of int64, shape (n,)
        Which distinct strategy plays each slot of the line-up.
    chooser : int
        Address of the compiled `simulate.noddy.choose.choose` of these strategies.
    answers : Answers
        From `simulate.noddy.small_hands`, under the rules of the table.
    levels : ndarray of int64
        From `simulate.noddy.combinations.levels_of`, under the same rules.
    totals : Totals
        Added to.
    ledger : Ledger
        Filled where it has room; `table.deals_kept` and `table.turns_kept` say how far.

    Returns
    -------
    int
        `DONE`, `LEDGER_FULL`, or after a NaN -1 less the index of the option: the table then stands
        as it was when the strategy was asked.
    """
    step, allowed = lead_step(table.target), kinds_of(levels)
    table.deals_kept, table.turns_kept = 0, 0
    for game in range(start, stop):
        # 1. A game begins (D1).
        lane = (game - start) % LANES
        begin_game(table, decks, game, lane)
        row, first_dealer, winner = game % len(slots), table.dealer, NOBODY
        while winner == NOBODY and table.deal < table.max_deals:
            # 2. Cards are dealt, and one is turned up (D2, D3).
            begin_deal(table, decks, lane)
            jack = table.turn_up >> 2 == JACK
            if jack:
                winner = turn_a_jack(table, slots, row, totals)
            if keep_cards(ledger, table, start, jack):
                return LEDGER_FULL
            # 3. From eldest round, each in turn lays, draws or passes (D4).
            passes = 0
            while winner == NOBODY and passes < table.n:
                seat, stock = table.seat, table.stock
                slot, hand, held = slots[row, seat], table.hands[seat], table.sizes[seat]
                chosen = ask(table, who[slot], chooser, answers, levels, allowed)
                if chosen < 0:
                    return chosen
                option, drew = take_turn(table, chosen)
                # 4. The game is won (D8), or the deal is dead (D7), or it goes on.
                if table.scores[seat] >= table.target:
                    winner = seat
                passes = passes + 1 if option.kind == PASS else 0
                note_turn(table, slot, step, held, option.kind, totals)
                if keep_turn(ledger, table, start, option, hand, drew, stock):
                    return LEDGER_FULL
                table.turn += 1
                table.seat = next_seat(seat, table.n)
            totals.games[DEALS] += 1
            totals.games[DEAD] += winner == NOBODY
            keep_outcome(ledger, table, winner == NOBODY)
            table.deal += 1
            table.dealer = table.eldest
        # 5. The game is over, or given up (D8).
        note_game(table, slots, row, first_dealer, winner, totals)
        keep_game(ledger, table, start, winner, first_dealer)
    return DONE


def next_seat(seat, n):
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < n else 0


def kinds_of(levels):
    """Return the set of kinds that score anything."""
    kinds = 0
    for level in range(len(levels)):
        kinds |= levels[level, 0]
    return kinds


compile_module(
    __name__,
    fills_only=True,
    inlined=("begin_game", "begin_deal", "draw", "ask", "take_turn", "next_seat"),
)
