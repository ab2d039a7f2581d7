"""Evaluators of seven cards from the package registry, each behind the same small face.

A rival takes a hand of this project's card integers, ``(rank - 2) * 4 + suit``, and writes it in
its own terms beforehand; what is timed is its evaluation alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

RANKS, SUITS = "23456789TJQKA", "cdhs"


class Rival(NamedTuple):
    """An evaluator.

    Attributes
    ----------
    prepared : callable
        Writes a hand as the evaluator wants it.
    value : callable
        Evaluates a hand so written.
    higher : bool
        Whether the better hand has the greater value.
    """

    prepared: Callable[[Sequence[int]], Any]
    value: Callable[[Any], Any]
    higher: bool


def card_names() -> list[str]:
    """Return the text of all cards, in the order of this project's integers."""
    return [rank + suit for rank in RANKS for suit in SUITS]


def phevaluator() -> Rival:
    """Take PHEvaluator's Python package: perfect hashing, in C. Its cards are our integers."""
    from phevaluator import evaluate_cards

    return Rival(list, lambda hand: evaluate_cards(*hand), higher=False)


def eval7() -> Rival:
    """Take the evaluator of eval7, in Cython."""
    from eval7 import Card, evaluate

    cards = [Card(name) for name in card_names()]
    return Rival(lambda hand: [cards[card] for card in hand], evaluate, higher=True)


def treys() -> Rival:
    """Take the evaluator of treys, in Python: a table of prime products."""
    from treys import Card, Evaluator

    evaluate = Evaluator().evaluate
    cards = [Card.new(name) for name in card_names()]
    return Rival(
        lambda hand: ([cards[card] for card in hand[:2]], [cards[card] for card in hand[2:]]),
        lambda hand: evaluate(*hand),
        higher=False,
    )


def pokerkit() -> Rival:
    """Take the high hand of pokerkit, in Python: the best of all 21 choices of five."""
    from pokerkit import Card, StandardHighHand

    cards = [next(iter(Card.parse(name))) for name in card_names()]
    return Rival(
        lambda hand: [cards[card] for card in hand], StandardHighHand.from_game, higher=True
    )


def second_opinion() -> Rival:
    """Take our ranking in plain Python, which the tests hold the compiled one against."""
    from simulate.napalm.ranking import hand_class

    return Rival(list, lambda hand: hand_class(3, hand, wheel=True), higher=True)


RIVALS: dict[str, Callable[[], Rival]] = {
    "phevaluator": phevaluator,
    "eval7": eval7,
    "treys": treys,
    "pokerkit": pokerkit,
    "our plain Python": second_opinion,
}


def order_of(values: Sequence[Any], higher: bool) -> list[int]:
    """Return the place of each value from the worst hand up: what two rankings must agree in."""
    places: dict[Any, int] = {}
    for value in sorted(values, reverse=not higher):
        places.setdefault(value, len(places))
    return [places[value] for value in values]
