"""How good a hand is before anybody has spoken: how many it beats, and how often it is the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.cards import DECK
from simulate.napalm.counts import HAND_SIZES, class_counts
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ranking import hand_class
from simulate.stats import Estimate, share_interval

BLOCK = 1 << 15
DEALS = 32 * BLOCK
"""Deals in which `chance_best` looks who has the best hand: its 95% interval is below 0.2% wide."""


class Standing(NamedTuple):
    """How many of all hands of a stage one beats, ties with (itself among them), and loses to."""

    beats: int
    ties: int
    loses: int

    @property
    def all(self) -> int:
        """How many hands there are."""
        return self.beats + self.ties + self.loses


def standing(stage: int, cards: Sequence[int], wheel: bool = False) -> Standing:
    """Compare a hand with every hand of its stage.

    Parameters
    ----------
    stage : int
        1, 2 or 3: two, five or seven cards; at stage 2 the lower hand is the better one.
    cards : sequence of int
        Exactly as many cards.
    wheel : bool
        Whether A-2-3-4-5 is a straight at stage 3.
    """
    keys, counts = class_counts(stage, wheel)
    own = hand_class(stage, cards, wheel)
    below, above = int(counts[keys < own].sum()), int(counts[keys > own].sum())
    ties = int(counts[keys == own].sum())
    return Standing(above, ties, below) if stage == 2 else Standing(below, ties, above)


def chance_best(
    stage: int, cards: Sequence[int], players: int, wheel: bool = False, seed: int = 1
) -> Estimate:
    """Estimate how often a hand is the best, or tied for it, when the others are dealt theirs.

    Parameters
    ----------
    stage, cards, wheel
        As for `standing`.
    players : int
        How many hold hands, this one among them.
    seed : int
        Of the deals that are looked at.

    Returns
    -------
    Estimate
        With its 95% interval.
    """
    best = 0
    for dealt in _deals(stage, cards, players, np.random.default_rng(seed)):
        values = np.empty((players, BLOCK), np.uint32)
        for player in range(players):
            first = player * HAND_SIZES[stage]
            if stage == 1:
                rank_twos(dealt, first, first + 1, player, values, BLOCK)
            elif stage == 2:
                rank_fives(dealt, first, 1, INVERTED, 0, player, values, BLOCK)
            else:
                rank_sevens(dealt, first, 1, int(wheel), player, values, BLOCK)
        best += int((values[0] >= values[1:].max(axis=0)).sum())
    return share_interval(best, DEALS)


def _deals(
    stage: int, cards: Sequence[int], players: int, generator: np.random.Generator
) -> Iterator[NDArray[np.uint8]]:
    """Yield blocks of deals, a column each: the hand, then the cards of the other players."""
    size = HAND_SIZES[stage]
    hand = np.array(cards, np.uint8)[:, None]
    rest = np.array([card for card in range(DECK) if card not in cards], np.uint8)
    lanes = np.arange(BLOCK)
    for _ in range(DEALS // BLOCK):
        deck = np.repeat(rest[:, None], BLOCK, axis=1)
        for place in range((players - 1) * size):  # the first steps of Fisher and Yates
            other = generator.integers(place, len(rest), BLOCK)
            drawn = deck[other, lanes]
            deck[other, lanes] = deck[place]
            deck[place] = drawn
        others = deck[: (players - 1) * size]
        yield np.concatenate([np.repeat(hand, BLOCK, axis=1), others])
