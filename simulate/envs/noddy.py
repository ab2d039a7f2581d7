"""Noddy for programs that learn: what an agent observes, and what it may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from simulate.cards import DECK, NODDY_RANKS, SUITS, card_text
from simulate.noddy.reference import Ask, Race, Steps, deals_of, ending
from simulate.noddy.rules import COMBINATIONS, MAX_PLAYERS, NoddyRules
from simulate.noddy.view import MAX_OPTIONS, PASS

if TYPE_CHECKING:
    from strategies import Strategy

ACTIONS = MAX_OPTIONS
REWARDS = ("wins", "score")
NUMBERS = ("n", "position", "score", "best_other", "target", "count", "stock", "deal", "turn")
BY_POSITION = ("scores", "hand_sizes")
POSITIONS = range(MAX_PLAYERS)
SETS = ("hand", "seen")
TEXTS = [card_text(card, NODDY_RANKS) for card in range(DECK)]

NAMES = (
    *NUMBERS,
    *(f"{name}[{position}]" for name in BY_POSITION for position in POSITIONS),
    *(f"trump[{suit}]" for suit in SUITS),
    *(f"{name}[{text}]" for name in SETS for text in TEXTS),
)
"""What each number of the first part of an observation is: a field of the view by its name, one of
its numbers by position, or whether a card is in a set of the view."""

OPTION_NUMBERS = ("kind", "points", "size", "drawn")
OPTION_NAMES = (*OPTION_NUMBERS, *(f"cards[{text}]" for text in TEXTS))
"""What each number of a place of the second part is: a field of the option, or whether it lays a
card. Places without an option are 0."""

CARDS = np.arange(DECK, dtype=np.int64)


def space(rules: NoddyRules, n: int) -> Box:  # noqa: ARG001  (in Napalm it counts)
    """Return the space of observations."""
    most = {name: float(DECK) for name in NUMBERS}
    most |= {name: float(rules.target) for name in ("score", "best_other", "target")}
    most |= {"deal": float(rules.max_deals), "turn": 1_000.0}
    high = [most[name] for name in NUMBERS]
    high += [float(rules.target)] * MAX_PLAYERS + [float(DECK)] * MAX_PLAYERS
    high += [1.0] * (len(SUITS) + len(SETS) * DECK)
    points = max(rules.get(f"points.{name}") for name in COMBINATIONS)
    option = [float(PASS), float(max(points, 1)), float(DECK), float(DECK), *[1.0] * DECK]
    top = np.array(high + option * MAX_OPTIONS, np.float32)
    return Box(np.zeros_like(top), top, dtype=np.float32)


def observe(ask: Ask) -> NDArray[np.float32]:
    """Write what an agent sees as numbers."""
    view, options = ask.view, ask.options
    numbers: list[int] = [getattr(view, name) for name in NUMBERS]
    for name in BY_POSITION:
        numbers += getattr(view, name)
    numbers += [suit == view.trump for suit in range(len(SUITS))]
    table = np.array(numbers, np.float32)
    sets = np.array([getattr(view, name) for name in SETS], np.int64)
    places = np.zeros((MAX_OPTIONS, len(OPTION_NAMES)), np.float32)
    fields = [[getattr(option, name) for name in OPTION_NUMBERS] for option in options]
    places[: len(options), : len(OPTION_NUMBERS)] = fields
    laid = np.array([option.cards for option in options], np.int64)
    places[: len(options), len(OPTION_NUMBERS) :] = bits(laid)
    return np.concatenate([table, bits(sets).ravel(), places.ravel()])


def bits(sets: NDArray[np.int64]) -> NDArray[np.float32]:
    """Write sets of cards as rows of 0 and 1."""
    return (sets[:, None] >> CARDS & 1).astype(np.float32)


def allowed(ask: Ask) -> int:
    """Return how many actions there are."""
    return len(ask.options)


def shown(ask: Ask) -> dict[str, Any]:
    """Return what a strategy would be shown."""
    return {"view": ask.view, "options": tuple(ask.options)}


def answer(action: int) -> int:
    """Make an action into an answer."""
    return int(action)


def choose(strategy: Strategy, ask: Ask, key: np.uint64, index: int) -> int:
    """Return the action of a strategy: the option it values most."""
    from simulate.play.noddy import answer_of

    return answer_of(strategy, ask, key, index)


class Played:
    """A game that is going on: its steps, its record, and how far each seat has got."""

    def __init__(self, rules: NoddyRules, n: int, key: np.uint64, index: int) -> None:
        self.race = Race.at_start(n)
        self.record: dict[str, Any] = {"deals": []}
        self.steps = self._play(rules, key, index)

    def _play(self, rules: NoddyRules, key: np.uint64, index: int) -> Steps:
        for deal in deals_of(rules, self.race, key, index):
            deal.ask_always = True  # so that every game has a step that can be rewarded
            self.record["deals"].append(deal.record)
            yield from deal.steps()
        self.record |= ending(self.race)

    @property
    def winner(self) -> int | None:
        """The seat that has won, if any."""
        return self.race.winner

    @property
    def gained(self) -> list[int]:
        """The points of each seat so far."""
        return list(self.race.scores)
