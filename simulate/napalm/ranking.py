"""The three rankings in plain Python, straight from the words of the rules, and hands in words.

It is the second opinion on the compiled rankings and shares nothing with them. A hand is given its
class, the number that `simulate.napalm.counts` describes, by taking its five cards apart; the best
five of seven are found by looking at all twenty-one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

from simulate.cards import NAPALM_RANKS
from simulate.napalm.counts import class_counts, class_strengths

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
PLURALS = (
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights",
    "nines", "tens", "jacks", "queens", "kings", "aces",
)  # fmt: skip


def _class(category: str, ranks: Iterable[int]) -> int:
    """Write a class as one number."""
    key = CATEGORIES.index(category)
    padded = [*ranks, 0, 0, 0, 0, 0][:5]
    for rank in padded:
        key = key << 4 | rank
    return key


def two_cards(cards: Sequence[int]) -> int:
    """Rank two cards (N3): a pair beats no pair; suits and straights count for nothing."""
    high, low = sorted((card // 4 + 2 for card in cards), reverse=True)
    return _class("pair", [high]) if high == low else _class("high card", [high, low])


@cache
def five_ranks(ranks: tuple[int, ...], suited: bool, wheel: bool) -> int:
    """Rank five cards as poker does, ace high.

    Parameters
    ----------
    ranks : tuple of 5 int
        2 to 14, descending.
    suited : bool
        Whether all are of one suit.
    wheel : bool
        Whether A-2-3-4-5 is a straight, the lowest.
    """
    most_first = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -rank))
    shape = [ranks.count(rank) for rank in most_first]
    straight = shape == [1, 1, 1, 1, 1] and ranks[0] - ranks[4] == 4
    if wheel and ranks == (14, 5, 4, 3, 2):
        straight, most_first = True, [5]
    if straight:
        return _class("straight flush" if suited else "straight", most_first[:1])
    if suited:
        return _class("flush", most_first)
    categories = {
        (4, 1): "four of a kind",
        (3, 2): "full house",
        (3, 1, 1): "three of a kind",
        (2, 2, 1): "two pair",
        (2, 1, 1, 1): "pair",
        (1, 1, 1, 1, 1): "high card",
    }
    return _class(categories[tuple(shape)], most_first)


def best_class(cards: Iterable[int], wheel: bool) -> int:
    """Rank the best five of five or more cards."""
    cards = sorted(cards, reverse=True)
    ranks = combinations([card // 4 + 2 for card in cards], 5)
    suits = combinations([card % 4 for card in cards], 5)  # of the same cards, in the same order
    return max(
        five_ranks(five, colours.count(colours[0]) == 5, wheel)
        for five, colours in zip(ranks, suits, strict=True)
    )


def hand_class(stage: int, cards: Sequence[int], wheel: bool = False) -> int:
    """Return the class of a hand: the higher, the better the poker hand.

    Parameters
    ----------
    stage : int
        1, 2 or 3: two, five or seven cards.
    cards : sequence of int
        Exactly as many cards, ``(rank - 2) * 4 + suit``.
    wheel : bool
        Whether A-2-3-4-5 is a straight; heard at stage 3 only (N4, N5).
    """
    return two_cards(cards) if stage == 1 else best_class(cards, wheel and stage == 3)


@cache
def _strengths(stage: int, wheel: bool) -> dict[int, float]:
    keys = class_counts(stage, wheel)[0].tolist()
    return dict(zip(keys, class_strengths(stage, wheel).tolist(), strict=True))


def class_strength(stage: int, key: int, wheel: bool = False) -> float:
    """Return the share of all hands of a stage that a class beats, ties counting half.

    At stage 2 the lower class beats the higher (N4).
    """
    return _strengths(stage, wheel)[key]


def strength(stage: int, cards: Sequence[int], wheel: bool = False) -> float:
    """Return the strength of a hand; the parameters are those of `hand_class`."""
    return class_strength(stage, hand_class(stage, cards, wheel), wheel)


def class_name(key: int) -> str:
    """Say a class in words, for example ``"pair of aces, K-9-4"``."""
    category = CATEGORIES[key >> 20]
    ranks = [rank for shift in (16, 12, 8, 4, 0) if (rank := key >> shift & 15)]
    letters = [NAPALM_RANKS[rank - 2] for rank in ranks]
    plurals = [PLURALS[rank - 2] for rank in ranks]
    if category in ("straight", "straight flush"):
        return f"{letters[0]}-high {category}"
    if category == "flush":
        return f"{letters[0]}-high flush, {'-'.join(letters[1:])}"
    if category == "full house":
        return f"full house, {plurals[0]} over {plurals[1]}"
    if category == "high card" and len(ranks) == 2:
        return f"{letters[0]}-{letters[1]}, no pair"
    if category == "high card":
        return f"{letters[0]}-high, {'-'.join(letters[1:])}"
    if category == "two pair":
        return f"two pair, {plurals[0]} and {plurals[1]}, {letters[2]}"
    number = {"pair": "pair of", "three of a kind": "three", "four of a kind": "four"}[category]
    kickers = ", " + "-".join(letters[1:]) if letters[1:] else ""
    return f"{number} {plurals[0]}{kickers}"


def hand_name(stage: int, cards: Sequence[int], wheel: bool = False) -> str:
    """Say a hand in words; the parameters are those of `hand_class`."""
    return class_name(hand_class(stage, cards, wheel))
