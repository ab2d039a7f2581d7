"""What Yes and No are worth to a player in the middle of a game of Napalm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.onward import CARDS, UNSEEN, State
from simulate.napalm.samples import Company, draw, gather, play
from simulate.napalm.spot import NapalmSpot, is_challenge, last_words
from simulate.napalm.table import NOT_CHALLENGED
from simulate.rng import fold_seed
from simulate.stats import SMALLEST_SAMPLE, TooFewGamesError

if TYPE_CHECKING:
    from strategies import Strategy

NAMES = ("yes", "no")
MEASURES = ("net", "wins")

CHUNK = 1 << 13
"""Tables dealt at once."""

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
    """

    names, measures = NAMES, MEASURES

    def __init__(
        self, spot: NapalmSpot, strategies: Sequence[Strategy], seed: int, slip: float
    ) -> None:
        self.spot, self.seed = spot, seed
        self.company: Company = gather(spot.rules, strategies)
        self.state = state_of(spot, self.company.who, slip)
        self.key = fold_seed(seed)
        self.dealt = 0
        self.usual = 0.0
        self._sums = np.zeros(2)
        self._kept: list[tuple[FloatArray, NDArray[np.uint64], NDArray[np.uint8]]] = []

    def more(self, number: int, choices: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Play so many further tables for these choices: see `simulate.deciding.More`.

        Raises
        ------
        TooFewGamesError
            When too few tables agree with what was heard.
        """
        while sum(len(kept[0]) for kept in self._kept) < number and self.dealt < MOST_DEALT:
            self._deal()
        weights, games, cards = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        self._kept = [(weights[number:], games[number:], cards[number:])]
        weights, games, cards = weights[:number], games[:number], cards[:number]
        self._check(weights)
        results = np.zeros((len(MEASURES), len(weights), len(choices)))
        own = self.spot.position
        for place, choice in enumerate(choices):
            net, winner = play(
                self.company, self.state, self.key, games, cards, NAMES[choice] == "yes"
            )
            results[0, :, place] = net[:, own]
            results[1, :, place] = winner == own
        return weights, results

    def _deal(self) -> None:
        games = np.arange(self.dealt, self.dealt + CHUNK, dtype=np.uint64)
        weights, cards = draw(self.company, self.state, self.key, games)
        if not self.usual and weights.any():
            self.usual = float((weights @ weights) / weights.sum())
        if self.usual:
            share = weights / self.usual
            toss = np.random.default_rng([self.seed, self.dealt]).random(CHUNK)
            kept = toss < share
            self._kept.append((np.maximum(share[kept], 1.0), games[kept], cards[kept]))
        elif not self._kept:
            self._kept.append((np.empty(0), games[:0], cards[:0]))
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
