"""Take up a game of Noddy in its middle, and play it on (D1 to D8), many times.

A sample is a whole table: what everybody holds, the order of the stock, and the number of a game,
from which its later deals follow. `draw_cards` deals what one player has not seen. `play_on` lets
him take a given option, and plays the rest of the deal and of the game: with another option the
same samples bring the same cards.

Everybody's seat is his position in the deal at which the game is taken up.
"""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.bits import lowest_bit
from simulate.noddy.combinations import JACK, kinds_in
from simulate.noddy.deck import PLACES, WHOLE, make_ready
from simulate.noddy.kernel import (
    NOBODY,
    ask,
    begin_deal,
    kinds_of,
    next_seat,
    take_turn,
    turn_a_jack,
)
from simulate.noddy.options import find_options
from simulate.noddy.view import PASS

DONE = 0


def shuffle(table, game):
    """Deal the whole deck of a game's deal: `table.left`, from place to place."""
    table.game = game
    table.left[0], table.ready, table.place = WHOLE, 0, PLACES
    make_ready(table)


def is_bare(table, order, at, number, allowed):
    """Say whether so many cards from a place on hold no combination."""
    cards = 0
    for place in range(at, at + number):
        cards |= 1 << order[place]
    return kinds_in(cards, table.turn_up & 3, table.court_value) & allowed == 0


def draw_cards(table, start, known, games, levels, bare, order, hands, stock, weights):
    """Deal what the player has not seen, once for each of these games.

    Parameters
    ----------
    table, start : record
        From `simulate.noddy.table.set_table`: one to work with, and one that shows where the game
        stands, as far as he knows it.
    known : int
        The set of cards that he knows where to find.
    games : ndarray of int64, shape (m,)
        The samples.
    levels : ndarray of int64
        From `simulate.noddy.combinations.levels_of`.
    bare : ndarray of int64, shape (4,)
        By seat: how many of his cards are known to hold no combination (D6).
    order : ndarray of int64, shape (52,)
        Work space.
    hands : ndarray of int64, shape (m, 4)
        Filled: what everybody holds, as sets of cards.
    stock : ndarray of int64, shape (m, 52)
        Filled: the stock in drawing order, the turn-up apart.
    weights : ndarray of float64, shape (m,)
        Filled: 1, or 0 where somebody would have had to lay.
    """
    allowed = kinds_of(levels)
    in_stock = max(0, start.stock - start.turn_up_drawn)
    for sample in range(len(games)):
        table.deal, table.turn_up = start.deal, start.turn_up
        shuffle(table, games[sample])
        count = 0
        for place in range(PLACES):
            card = table.left[place] ^ table.left[place + 1]
            if card & known == 0:
                order[count] = lowest_bit(card)
                count += 1
        at, fits = 0, 1.0
        for seat in range(start.n):
            hand = start.hands[seat]
            if seat != start.seat:
                if bare[seat] > 0 and not is_bare(table, order, at, bare[seat], allowed):
                    fits = 0.0
                for _ in range(start.sizes[seat]):
                    hand |= 1 << order[at]
                    at += 1
            hands[sample, seat] = hand
        for place in range(in_stock):
            stock[sample, place] = order[at + place]
        weights[sample] = fits


def set_up(table, start, game, hands, stock):
    """Put a sample on the table."""
    table.game, table.deal, table.dealer = game, start.deal, start.dealer
    table.eldest, table.turn_up, table.seen = start.eldest, start.turn_up, start.seen
    table.stock, table.turn, table.seat = start.stock, start.turn, start.seat
    for seat in range(start.n):
        table.scores[seat], table.sizes[seat] = start.scores[seat], start.sizes[seat]
        table.hands[seat] = hands[seat]
    in_stock = max(0, start.stock - start.turn_up_drawn)
    remain = 0
    for place in range(in_stock):
        remain |= 1 << stock[place]
    table.place, table.ready = PLACES - in_stock, PLACES
    table.left[table.place] = remain
    for place in range(in_stock):
        remain ^= 1 << stock[place]
        table.left[table.place + place + 1] = remain


def finish_deal(table, who, chooser, answers, levels, allowed, passes, taken):
    """Let everybody lay, draw or pass until the deal or the game is over (D4 to D8).

    Returns
    -------
    winner, status : int
        `NOBODY` where the deal is dead; what `simulate.noddy.kernel.ask` returned where it is
        below 0, else `DONE`.
    """
    while passes < table.n:
        seat = table.seat
        chosen = ask(table, who[seat], chooser, answers, levels, allowed)
        if chosen < 0:
            return NOBODY, chosen
        option, _ = take_turn(table, chosen)
        taken[seat] += 1
        if table.scores[seat] >= table.target:
            return seat, DONE
        passes = passes + 1 if option.kind == PASS else 0
        table.turn += 1
        table.seat = next_seat(seat, table.n)
    return NOBODY, DONE


def play_on(
    table, start, decks, games, hands, stock, passes, chosen, who, slots, chooser, answers, levels,
    totals, winner, scores, turns,
):  # fmt: skip
    """Let the player take an option in every sample, and play the game to its end.

    Parameters
    ----------
    table, start, games, levels, hands, stock
        As for `draw_cards`.
    decks, slots, totals
        As for `simulate.noddy.kernel.play`, which it asks for more than is needed here.
    passes : int
        How many have passed in succession.
    chosen : int
        The place of his option.
    who : ndarray of int64, shape (n,)
        Which distinct strategy plays in each seat.
    chooser, answers
        As for `simulate.noddy.kernel.play`.
    winner : ndarray of int8, shape (m,)
        Filled: the seat, or `NOBODY`.
    scores, turns : ndarray of int64, shape (m, 4)
        Filled: the last scores, and how many turns each took from here on.

    Returns
    -------
    int
        `DONE`, or after a NaN -1 less the index of the option: the table then stands as it was
        when the strategy was asked.
    """
    allowed = kinds_of(levels)
    for sample in range(len(games)):
        set_up(table, start, games[sample], hands[sample], stock[sample])
        taken = turns[sample]
        taken[:] = 0
        # 1. His turn.
        seat, won = table.seat, NOBODY
        find_options(table, table.hands[seat], table.sizes[seat], answers, levels, allowed)
        option, _ = take_turn(table, chosen)
        taken[seat] += 1
        status = DONE
        if table.scores[seat] >= table.target:
            won = seat
        else:
            # 2. The rest of the deal.
            table.turn += 1
            table.seat = next_seat(seat, table.n)
            now = passes + 1 if option.kind == PASS else 0
            won, status = finish_deal(table, who, chooser, answers, levels, allowed, now, taken)
        # 3. Further deals (D1, D7), until somebody has won.
        while won == NOBODY and status == DONE and table.deal + 1 < table.max_deals:
            table.deal += 1
            table.dealer = table.eldest
            begin_deal(table, decks, 0)
            if table.turn_up >> 2 == JACK:
                won = turn_a_jack(table, slots, 0, totals)
            if won == NOBODY:
                won, status = finish_deal(table, who, chooser, answers, levels, allowed, 0, taken)
        if status != DONE:
            return status
        winner[sample] = won
        for each in range(table.n):
            scores[sample, each] = table.scores[each]
    return DONE


compile_module(__name__, fills_only=True, inner=("shuffle", "is_bare", "set_up", "finish_deal"))
