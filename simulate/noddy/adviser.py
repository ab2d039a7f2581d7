"""What each option is worth to a player in the middle of a game of Noddy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simulate.noddy.kernel import NOBODY
from simulate.noddy.record import option_text
from simulate.noddy.reference import as_set
from simulate.noddy.sampled import replay
from simulate.noddy.samples import Cards, Company, compile_for, draw, gather, new_table, play
from simulate.noddy.spot import NoddySpot
from simulate.rng import fold_seed
from simulate.sampling import (
    Part,
    Play,
    Rows,
    in_chunks,
    kept_ready,
    names_of,
    play_here,
    play_or_explain,
)
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


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of a spot: to be dealt, or dealt ones to be played on. See `simulate.sampling`.

    Parameters
    ----------
    spot : NoddySpot
    strategies : tuple of Strategy
        By position.
    seed : int
    cards : Cards, optional
        Those that have been dealt.
    choices : tuple of int
        The places of the options that are taken in each of these.
    """

    spot: NoddySpot
    strategies: tuple[Strategy, ...]
    seed: int
    cards: Any = None
    choices: tuple[int, ...] = ()

    unit: ClassVar[str] = "sample"

    @property
    def job(self) -> Company:
        """The strategies made ready, and all that they play with compiled."""

        def make() -> Company:
            company = gather(self.spot.rules, self.strategies, self.seed)
            compile_for(company)
            return company

        key = ("noddy", repr(self.spot.rules), names_of(self.strategies), self.seed)
        company: Company = kept_ready(key, make)
        return company

    def play(self, start: int, stop: int) -> tuple[Part, float]:
        """Deal samples, or play them on: rows of what `draw` or `play` returns."""
        begin = time.perf_counter()
        play = self._deal if self.cards is None else self._play_on
        rows = play_or_explain(play, self.replay, self.strategies, start, stop)
        return Part({}, rows), time.perf_counter() - begin

    def _deal(self, start: int, stop: int) -> Rows:
        company, spot = self.job, self.spot
        games = np.arange(start, stop)
        weights, cards = draw(company, start_of(spot, company), known_cards(spot), spot.bare, games)
        return {"weights": weights, **cards._asdict()}

    def _play_on(self, start: int, stop: int) -> Rows:
        company, spot = self.job, self.spot
        table, own = start_of(spot, company), spot.position
        cards = Cards(*(part[start:stop].copy() for part in self.cards))
        results = np.zeros((stop - start, len(MEASURES), len(self.choices)))
        given_up = np.zeros(stop - start, np.int64)
        for place, choice in enumerate(self.choices):
            ends = play(company, table, spot.passes, choice, cards)
            results[:, 0, place] = ends.winner == own
            results[:, 1, place] = ends.scores[:, own] - spot.scores[own]
            results[:, 2, place] = ends.turns[:, own]
            given_up += ends.winner == NOBODY
        return {"results": results, "given_up": given_up}

    def replay(self, place: int) -> None:
        """Play one of them in plain Python.

        Raises
        ------
        StrategyError
            Where a strategy raises, or answers no number.
        """
        if self.cards is None:
            return  # nobody is asked
        spot, key = self.spot, fold_seed(self.seed)
        game, hands, stock = (part[place].tolist() for part in self.cards)
        below = stock[: max(0, spot.stock - spot.rules.turn_up_drawn)]
        for choice in self.choices:
            replay(spot, self.strategies, key, game, hands[: spot.players], below, choice)


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
    play : callable
        Plays `Samples`, wherever that is done.
    """

    measures = MEASURES

    def __init__(
        self,
        spot: NoddySpot,
        strategies: Sequence[Strategy],
        seed: int,
        slip: float,
        play: Play = play_here,
    ) -> None:
        del slip  # nothing is inferred from what strategies choose
        self.names = tuple(option_text(option) for option in spot.options())
        self.samples, self.play = Samples(spot, tuple(strategies), seed), play
        self.dealt = self.ends = self.given_up = 0
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
            rows = self.play(self.samples, self.dealt, self.dealt + CHUNK)
            fits = rows.pop("weights") > 0
            self._kept.append(Cards(**rows).some(fits))
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
        if not len(cards.games):
            return np.ones(0), np.zeros((len(MEASURES), 0, len(choices)))
        dealt = replace(self.samples, cards=cards, choices=tuple(choices))
        rows = in_chunks(self.play, dealt, 0, len(cards.games))
        self.ends += len(cards.games) * len(choices)
        self.given_up += int(rows["given_up"].sum())
        return np.ones(len(cards.games)), np.moveaxis(rows["results"], 0, 1)
