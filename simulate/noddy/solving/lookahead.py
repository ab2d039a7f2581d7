"""Whether one step of looking ahead finds better play than a solved table.

Games of the table against itself are looked at turn by turn. Wherever options are close, each is
played on many times from cards that its player holds possible, and the best of them is taken: that
is the look-ahead. What it gains is then measured with other cards: what the other one really held,
and the stock in any order. So a choice made by luck does not look like a gain.

Of the cards that the other one may hold, those are left out with which he would have laid at one of
the turns at which he drew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.noddy import batch, samples
from simulate.noddy.kernel import kinds_of
from simulate.noddy.rules import HAND, NoddyRules
from simulate.noddy.solving.doubt import fill_worths, leave_out
from simulate.noddy.view import DRAW, MAX_OPTIONS

if TYPE_CHECKING:
    from strategies import Strategy

SAMPLES = 1024
"""Tables on which the options are compared, and as many on which the gain is measured."""

CLOSE = 0.1
"""Options that are worth so much less than the best one are not looked at."""

DECKS = 1 << 20
"""So many decks are set aside for each game."""

PLAYERS = 2


class Turn(NamedTuple):
    """A turn of a game as it was played, with what both held.

    Attributes
    ----------
    game, deal, turn, stock, turn_up : int
    seen : int
        The set of cards that are public.
    scores, hands : tuple of int
        By position.
    drawn : int
        How many of his cards the other one drew since he last laid, one at a turn.
    """

    game: int
    deal: int
    turn: int
    stock: int
    turn_up: int
    seen: int
    scores: tuple[int, int]
    hands: tuple[int, int]
    drawn: int

    @property
    def position(self) -> int:
        """Whose turn it is."""
        return self.turn % PLAYERS


def turns(job: batch.Job, start: int, stop: int) -> Iterator[Turn]:
    """Yield the turns at which there was a choice, but for those that won or ended a deal."""
    deals = batch.play(job, start, stop, "deals").rows
    up = dict(zip(zip(deals["game"], deals["deal"], strict=True), deals["turn_up"], strict=True))
    rows = batch.play(job, start, stop, "turns").rows
    names = ("game", "deal", "turn", "stock", "hand", "cards", "points", "score", "options", "move")
    lines = list(zip(*(rows[name].tolist() for name in names), strict=True))
    seen, drawn = 0, [0, 0]
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        game, deal, turn, stock, hand, cards, points, score, options, move = line
        me = turn % PLAYERS
        if turn == 0:
            seen, drawn = 1 << int(up[game, deal]), [0, 0]
        if options > 1 and following is not None and following[:2] == (game, deal):
            theirs, other = following[4], following[7] - following[6]
            both = ((score - points, other), (hand, theirs))
            scores, hands = both if me == 0 else (pair[::-1] for pair in both)
            turn_up = int(up[game, deal])
            yield Turn(game, deal, turn, stock, turn_up, seen, scores, hands, drawn[1 - me])
        seen |= cards
        drawn[me] = drawn[me] + 1 if move == DRAW else 0


class Gains(NamedTuple):
    """What looking ahead gains in each of some games.

    Attributes
    ----------
    game : ndarray of int64
    looked, changed : ndarray of int64
        How many decisions were close, and how many were taken otherwise.
    gain : ndarray of float64
        What a player gains by it, in games won of one: the mean of both.
    """

    game: NDArray[np.int64]
    looked: NDArray[np.int64]
    changed: NDArray[np.int64]
    gain: NDArray[np.float64]


NO_GAIN = Gains(*(np.zeros(0, np.int64),) * 3, np.zeros(0))


class Ahead:
    """Looks ahead from turns of a table's games.

    Parameters
    ----------
    rules : NoddyRules
    strategy : Strategy
        A solved table for Noddy.
    seed : int
    """

    def __init__(self, rules: NoddyRules, strategy: Strategy, seed: int) -> None:
        self.company = samples.gather(rules, [strategy] * PLAYERS, seed + 1)
        self.race = strategy.race
        self.allowed = kinds_of(self.company.levels)
        self.worths = np.zeros(MAX_OPTIONS)
        self.game = self.dealt = -1

    def gain(self, turn: Turn) -> tuple[bool, float]:
        """Return whether options were close, and what the best one gains; 0 if it is the same."""
        if turn.game != self.game:
            self.game, self.dealt = turn.game, turn.game * DECKS
        start = self.table(turn)
        tools = self.company.answers, self.company.levels, self.allowed
        race = *self.race.addresses, self.worths
        options = fill_worths(start, *tools, *race)
        worths = self.worths[:options].copy()
        chosen = int(worths.argmax())
        close = [place for place in range(options) if worths[place] > worths[chosen] - CLOSE]
        if len(close) < 2 or worths[chosen] > 1.0:
            return False, 0.0
        me, other = turn.position, 1 - turn.position
        start.hands[other] = 0
        known = start.hands[me] | start.seen
        weights, cards = samples.draw(self.company, start, known, (0, 0), self.games(3 * SAMPLES))
        drawn = min(turn.drawn, int(start.sizes[other]) - HAND)
        table = self.table(turn)
        leave_out(table, other, drawn, cards.hands, *tools, *race, weights)
        cards = cards.some(np.flatnonzero(weights)[:SAMPLES])
        if len(cards.games) < SAMPLES // 8:
            return True, 0.0
        won = [self.wins(start, me, place, cards).mean() for place in close]
        best = close[int(np.argmax(won))]
        if best == chosen:
            return True, 0.0
        cards = self.real_cards(turn, start)
        better, before = (self.wins(start, me, place, cards) for place in (best, chosen))
        return True, float((better - before).mean())

    def games(self, number: int) -> NDArray[np.int64]:
        """Return numbers of games whose decks nobody has used."""
        self.dealt += number
        return np.arange(self.dealt - number, self.dealt)

    def table(self, turn: Turn) -> Any:
        """Put a turn on a table."""
        table = samples.new_table(self.company)
        table.deal, table.dealer, table.eldest = turn.deal, PLAYERS - 1, 0
        table.turn_up, table.stock, table.seen = turn.turn_up, turn.stock, turn.seen
        table.turn, table.seat = turn.turn, turn.position
        for position in range(PLAYERS):
            table.scores[position] = turn.scores[position]
            table.hands[position] = turn.hands[position]
            table.sizes[position] = turn.hands[position].bit_count()
        return table

    def real_cards(self, turn: Turn, start: Any) -> samples.Cards:
        """Give the other one what he held, and put the stock in any order."""
        other = 1 - turn.position
        size, start.sizes[other] = int(start.sizes[other]), 0
        start.hands[other] = turn.hands[other]
        known = turn.hands[0] | turn.hands[1] | turn.seen
        _, cards = samples.draw(self.company, start, known, (0, 0), self.games(SAMPLES))
        start.sizes[other] = size
        return cards

    def wins(self, start: Any, me: int, option: int, cards: samples.Cards) -> NDArray[np.float64]:
        """Return on which tables an option wins."""
        winner = samples.play(self.company, start, 0, option, cards).winner
        found: NDArray[np.float64] = (winner == me).astype(np.float64)
        return found


def look_ahead(rules: NoddyRules, strategy: Strategy, seed: int, start: int, stop: int) -> Gains:
    """Measure what one step of looking ahead gains over a solved table, between two players.

    Parameters
    ----------
    rules : NoddyRules
    strategy : Strategy
        A solved table for Noddy.
    seed : int
    start, stop : int
        Games `start` to ``stop - 1`` are looked at.
    """
    job = batch.prepare(rules, [strategy] * PLAYERS, seed)
    ahead, number = Ahead(rules, strategy, seed), stop - start
    found = Gains(
        np.arange(start, stop), np.zeros(number, np.int64), np.zeros(number, np.int64),
        np.zeros(number),
    )  # fmt: skip
    for turn in turns(job, start, stop):
        looked, gain = ahead.gain(turn)
        found.looked[turn.game - start] += looked
        found.changed[turn.game - start] += gain != 0.0
        found.gain[turn.game - start] += gain / PLAYERS
    return found
