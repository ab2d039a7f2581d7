"""A lone player under ``hold``: how many turns he needs.

For the hoarder the answer is exact: he is still drawing while no cards of his hand add up to 31.
For the best player it is bounded from below by a game that is kinder to him: of the cards that he
has not in hand, those that lie somewhere else (the turn-up, what was laid) are always the ones that
would serve him least; every jack of his is of trumps, and three or four cards of different ranks
are a flush whenever he wants one; with nine cards in hand he wins. Nobody can do better than the
best player of that game, and his is small enough to be worked out.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from simulate.noddy.rules import HAND, NoddyRules, kernel_rules
from simulate.noddy.solving.fewest import DECK, OUT, fill_fewest
from simulate.noddy.solving.hands import RANKS, SUITS, Hands, all_hands


def bare_hands(rules: NoddyRules) -> dict[int, int]:
    """Count the sets of cards of which none add up to 31, by their number of cards.

    With courts of 10 it takes four cards at least to make 31, so that no more is asked (D9).
    """
    everything = (1 << 32) - 1
    found = {(1, 0): 1}  # sums that can be made as bits, and cards: in how many ways
    for pips in range(10, 0, -1):
        cards = SUITS * sum(min(rank, rules.court_value) == pips for rank in range(1, RANKS + 1))
        then: dict[tuple[int, int], int] = {}
        for (sums, held), ways in found.items():
            for number in range(cards + 1):
                if number:
                    sums = (sums | sums << pips) & everything
                if sums >> 31:
                    break
                key = sums, held + number
                then[key] = then.get(key, 0) + ways * comb(cards, number)
        found = then
    counts: dict[int, int] = {}
    for (_, held), ways in found.items():
        counts[held] = counts.get(held, 0) + ways
    return counts


def hoarding(rules: NoddyRules) -> list[Fraction]:
    """Return how probably a hoarder is still drawing after 0, 1, 2, ... turns.

    He draws until he holds a thirty-one; with his first turn he never wins. As everybody's cards
    are as good as any, it does not matter who else draws from the stock while it lasts.
    """
    bare = bare_hands(rules)
    most = max(bare)
    still = [Fraction(bare.get(held, 0), comb(DECK, held)) for held in range(HAND, most + 1)]
    return [Fraction(1), *still]


def hoarder_turns(rules: NoddyRules) -> Fraction:
    """Return the number of turns that a lone hoarder needs, on average: exact."""
    return sum(hoarding(rules), Fraction(0))


def fewest_turns(rules: NoddyRules, hands: Hands | None = None) -> float:
    """Return a number of turns that no lone player can do better than, on average."""
    hands = hands or all_hands(kernel_rules(rules), suited=True)
    held = hands.counts.sum(axis=1, dtype=np.int64)
    real = np.flatnonzero(hands.ways > 0)
    order = real[np.argsort(-held[real], kind="stable")]
    fewest: NDArray[np.float32] = np.ones((rules.target, len(OUT), len(held)), np.float32)
    for score in range(rules.target - 1, -1, -1):
        for level in range(len(OUT) if score else 1):
            fill_fewest(hands, order, held, rules.target, score, level, fewest)
    return float(fewest[0, 0, 0])
