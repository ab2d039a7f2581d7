"""What Yes and No are worth to a player in the middle of a game of Napalm."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.games import NOBODY
from simulate.napalm.onward import CARDS, UNSEEN, State
from simulate.napalm.sampled import deal_unseen, replay
from simulate.napalm.samples import Company, compile_for, deal, gather, play, weigh
from simulate.napalm.spot import NapalmSpot, is_challenge, last_words
from simulate.napalm.table import NOT_CHALLENGED
from simulate.rng import fold_seed
from simulate.sampling import (
    CHUNK,
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

NAMES = ("yes", "no")
MEASURES = ("net", "wins")

MOST_DEALT = 1 << 22
"""Tables dealt until it is given up to find more that agree with what was heard."""

FloatArray = NDArray[np.float64]


def state_of(spot: NapalmSpot, who: NDArray[np.int64], slip: float) -> State:
    """Write a spot down for compiled code."""
    n, stage = spot.players, spot.stage - 1
    pot, collected = np.zeros(3, np.int64), np.zeros((3, n), np.int64)
    first, second = np.zeros(3, np.int64), np.full(3, NOT_CHALLENGED, np.int64)
    best, hand = np.full(3, UNSEEN, np.int64), np.full(CARDS, -1, np.int64)
    pots, counts = spot.money_before()
    for at in range(stage + 1):
        words = spot.words(at + 1)
        pot[at], collected[at] = pots[at], counts[at]
        first[at] = last_words(words[:n], n)
        rules = spot.rules.stage(at + 1)
        if len(words) >= n and rules.challenge and is_challenge(words[:n]):
            second[at] = last_words(words[n:], n)
    for at, won in enumerate((spot.won1, spot.won2)):
        if won is not None:
            best[at] = sum(1 << position for position in won)
    hand[: len(spot.cards)] = spot.cards
    return State(
        stage=stage,
        turn=spot.turn - 1,
        position=spot.position,
        deal=spot.deal,
        pot=pot,
        collected=collected,
        first=first,
        second=second,
        best=best,
        who=who,
        hand=hand,
        held=len(spot.cards),
        slip=slip,
    )


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of a spot: to be dealt, or dealt ones to be played on. See `simulate.sampling`.

    Parameters
    ----------
    spot : NapalmSpot
    strategies : tuple of Strategy
        By position.
    seed : int
    slip : float
    games : ndarray of uint64, optional
        The numbers of those that have been dealt.
    choices : tuple of int
        The words that are said in each of these, by their places in `NAMES`.
    """

    spot: NapalmSpot
    strategies: tuple[Strategy, ...]
    seed: int
    slip: float
    games: Any = None
    choices: tuple[int, ...] = ()

    unit: ClassVar[str] = "sample"

    @property
    def job(self) -> Company:
        """The strategies made ready, and all that they play with compiled."""

        def make() -> Company:
            company = gather(self.spot.rules, self.strategies)
            compile_for(company, state_of(self.spot, company.who, self.slip))
            return company

        key = ("napalm", repr(self.spot.rules), names_of(self.strategies))
        company: Company = kept_ready(key, make)
        return company

    @property
    def key(self) -> np.uint64:
        """What cards and coins follow from."""
        return fold_seed(self.seed)

    def play(self, start: int, stop: int) -> tuple[Part, float]:
        """Deal samples, or play them on: rows of what `weigh` or `play` returns."""
        begin = time.perf_counter()
        play = self._deal if self.games is None else self._play_on
        rows = play_or_explain(play, self.replay, self.strategies, start, stop)
        return Part({}, rows), time.perf_counter() - begin

    def _deal(self, start: int, stop: int) -> Rows:
        company = self.job
        state = state_of(self.spot, company.who, self.slip)
        games = np.arange(start, stop, dtype=np.uint64)
        return {"weights": weigh(company, state, self.key, games)}

    def _play_on(self, start: int, stop: int) -> Rows:
        company, own = self.job, self.spot.position
        state = state_of(self.spot, company.who, self.slip)
        games = self.games[start:stop].copy()
        cards = deal(company, state, self.key, games)
        results = np.zeros((stop - start, len(MEASURES), len(self.choices)))
        given_up = np.zeros(stop - start, np.int64)
        for place, choice in enumerate(self.choices):
            yes = NAMES[choice] == "yes"
            net, winner = play(company, state, self.key, games, cards, yes)
            results[:, 0, place] = net[:, own]
            results[:, 1, place] = winner == own
            given_up += winner == NOBODY
        return {"results": results, "given_up": given_up}

    def replay(self, place: int) -> None:
        """Play one of them in plain Python.

        Raises
        ------
        StrategyError
            Where a strategy raises, or answers no probability.
        """
        game = place if self.games is None else int(self.games[place])
        words = (
            [None] if self.games is None else [NAMES[choice] == "yes" for choice in self.choices]
        )
        hands = deal_unseen(self.spot, self.key, game)
        for word in words:
            replay(self.spot, self.strategies, self.key, game, hands, word)


class Tables:
    """Tables that agree with what a player knows, dealt as they are asked for.

    Of the tables dealt, one whose words are so unlikely there that its weight is below the usual
    is kept with a probability of weight / usual, and then has the usual weight: so most of the
    tables that are played on count the same.

    Parameters
    ----------
    spot : NapalmSpot
    strategies : sequence of Strategy
        By position, who speaks there: the player's own comes into play at his later words.
    seed : int
    slip : float
        How often the others are taken to have said the opposite of what their strategies would.
    play : callable
        Plays `Samples`, wherever that is done.
    """

    names, measures = NAMES, MEASURES

    def __init__(
        self,
        spot: NapalmSpot,
        strategies: Sequence[Strategy],
        seed: int,
        slip: float,
        play: Play = play_here,
    ) -> None:
        self.seed, self.play = seed, play
        self.samples = Samples(spot, tuple(strategies), seed, slip)
        self.dealt = self.ends = self.given_up = 0
        self.usual = 0.0
        self._sums = np.zeros(2)
        self._kept: list[tuple[FloatArray, NDArray[np.uint64]]] = []

    def more(self, number: int, choices: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Play so many further tables for these choices: see `simulate.deciding.More`.

        Raises
        ------
        TooFewGamesError
            When too few tables agree with what was heard.
        """
        while sum(len(kept[0]) for kept in self._kept) < number and self.dealt < MOST_DEALT:
            self._deal()
        weights, games = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        self._kept = [(weights[number:], games[number:])]
        weights, games = weights[:number], games[:number]
        self._check(weights)
        if not len(weights):
            return weights, np.zeros((len(MEASURES), 0, len(choices)))
        dealt = replace(self.samples, games=games, choices=tuple(choices))
        rows = in_chunks(self.play, dealt, 0, len(games))
        self.ends += len(games) * len(choices)
        self.given_up += int(rows["given_up"].sum())
        return weights, np.moveaxis(rows["results"], 0, 1)

    def _deal(self) -> None:
        rows = self.play(self.samples, self.dealt, self.dealt + CHUNK)
        weights = rows["weights"]
        games = np.arange(self.dealt, self.dealt + CHUNK, dtype=np.uint64)
        if not self.usual and weights.any():
            self.usual = float((weights @ weights) / weights.sum())
        if self.usual:
            share = weights / self.usual
            toss = np.random.default_rng([self.seed, self.dealt]).random(CHUNK)
            kept = toss < share
            self._kept.append((np.maximum(share[kept], 1.0), games[kept]))
        elif not self._kept:
            self._kept.append((np.empty(0), games[:0]))
        self.dealt += CHUNK

    def _check(self, weights: FloatArray) -> None:
        """Refuse to judge by too few tables."""
        self._sums += weights.sum(), weights @ weights
        total, squares = self._sums
        effective = total * total / squares if squares else 0.0
        if effective < SMALLEST_SAMPLE:
            raise TooFewGamesError(
                f"of {self.dealt:,} tables dealt only {effective:,.0f} agree with what was heard "
                f"(at least {SMALLEST_SAMPLE} are needed): strategies such as these would hardly "
                "have said so; name others with field, or let them err with slip"
            )
