"""What each option is worth to a player in the middle of a game of Noddy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulate.noddy.record import option_text
from simulate.noddy.reference import as_set
from simulate.noddy.samples import Cards, Company, draw, gather, new_table, play
from simulate.noddy.spot import NoddySpot
from simulate.stats import SMALLEST_SAMPLE, TooFewGamesError

if TYPE_CHECKING:
    from strategies import Strategy

MEASURES = ("wins", "score", "turns")

CHUNK = 1 << 12
"""Tables dealt at once."""

MOST_DEALT = 1 << 21
"""Tables dealt until it is given up to find more that agree with what was seen."""

FloatArray = NDArray[np.float64]


def start_of(spot: NoddySpot, company: Company) -> Any:
    """Put on a table what a player knows of it."""
    start = new_table(company)
    n = spot.players
    start.deal, start.dealer, start.eldest = spot.deal, n - 1, 0
    start.turn_up, start.stock = spot.turn_up, spot.stock
    start.seen = as_set({spot.turn_up, *spot.laid})
    start.turn, start.seat = spot.turn, spot.position
    start.hands[spot.position] = as_set(spot.cards)
    for position in range(n):
        start.scores[position], start.sizes[position] = spot.scores[position], spot.sizes[position]
    return start


def known_cards(spot: NoddySpot) -> int:
    """Return the set of cards of which the player knows where they are."""
    known = {*spot.cards, *spot.laid}
    if spot.stock or not spot.rules.turn_up_drawn:
        known.add(spot.turn_up)  # else somebody has drawn it
    return as_set(known)


class Tables:
    """Tables that agree with what a player knows, dealt as they are asked for.

    Parameters
    ----------
    spot : NoddySpot
    strategies : sequence of Strategy
        By position, who plays there: the player's own comes into play at his later turns.
    seed : int
    slip : float
        Of no account.
    """

    measures = MEASURES

    def __init__(
        self, spot: NoddySpot, strategies: Sequence[Strategy], seed: int, slip: float
    ) -> None:
        del slip  # nothing is inferred from what strategies choose
        self.spot = spot
        self.names = tuple(option_text(option) for option in spot.options())
        self.company = gather(spot.rules, strategies, seed)
        self.start = start_of(spot, self.company)
        self.dealt = 0
        self._known = known_cards(spot)
        self._used = 0
        self._kept: list[Cards] = []

    def more(self, number: int, choices: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Play so many further tables for these choices: see `simulate.deciding.More`.

        Raises
        ------
        TooFewGamesError
            When too few tables agree with what was seen.
        """
        while sum(len(kept.games) for kept in self._kept) < number and self.dealt < MOST_DEALT:
            games = np.arange(self.dealt, self.dealt + CHUNK)
            weights, cards = draw(self.company, self.start, self._known, self.spot.bare, games)
            self._kept.append(cards.some(weights > 0))
            self.dealt += CHUNK
        whole = Cards(*(np.concatenate(part) for part in zip(*self._kept, strict=True)))
        cards, self._kept = whole.some(slice(number)), [whole.some(slice(number, None))]
        self._used += len(cards.games)
        if self._used < SMALLEST_SAMPLE:
            raise TooFewGamesError(
                f"of {self.dealt:,} tables dealt only {self._used} agree with what was seen (at "
                f"least {SMALLEST_SAMPLE} are needed): who holds so many cards would have had to "
                "lay; give bare, 0 for each player, to leave that aside"
            )
        results = np.zeros((len(MEASURES), len(cards.games), len(choices)))
        own, score = self.spot.position, self.spot.scores[self.spot.position]
        for place, choice in enumerate(choices):
            ends = play(self.company, self.start, self.spot.passes, choice, cards)
            results[0, :, place] = ends.winner == own
            results[1, :, place] = ends.scores[:, own] - score
            results[2, :, place] = ends.turns[:, own]
        return np.ones(len(cards.games)), results
