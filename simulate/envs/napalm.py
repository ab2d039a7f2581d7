"""Napalm for programs that learn: what an agent observes, and what it may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from simulate.cards import DECK, NAPALM_RANKS, card_text
from simulate.napalm.reference import Ask, Money, Steps, deals_of, ending
from simulate.napalm.rules import MAX_PLAYERS, NapalmRules

if TYPE_CHECKING:
    from strategies import Strategy

ACTIONS = 2
REWARDS = ("net", "wins")
SHARES = ("strength", "strength1", "strength2")
NUMBERS = (
    "n", "stage", "position", "turn", "count", "high", "low", "pair", "yes", "spoken",
    "pot", "target", "collected", "best_other", "deal",
)  # fmt: skip
MASKS = ("said", "said1", "said2")
POSITIONS = range(MAX_PLAYERS)

NAMES = (
    *SHARES,
    *NUMBERS,
    *(f"{name}[{position}]" for name in MASKS for position in POSITIONS),
    *(f"counts[{position}]" for position in POSITIONS),
    *(f"card[{card_text(card, NAPALM_RANKS)}]" for card in range(DECK)),
)
"""What each number of an observation is: a field of the view by its name, one bit of it (who has
said Yes, by position), a count by position, or whether a card is one's own."""


def space(rules: NapalmRules, n: int) -> Box:
    """Return the space of observations."""
    most = dict.fromkeys(NUMBERS, 14)  # the highest rank; others are lower
    most["collected"] = most["best_other"] = most["target"] = rules.target
    most["deal"] = rules.max_deals
    most["pot"] = rules.max_deals * (n + 3 * n * 52)  # antes, and the highest penalties
    high = [1.0] * len(SHARES) + [float(most[name]) for name in NUMBERS]
    high += [1.0] * (len(MASKS) * MAX_PLAYERS) + [float(rules.target)] * MAX_PLAYERS
    high += [1.0] * DECK
    top = np.array(high, np.float32)
    return Box(np.zeros_like(top), top, dtype=np.float32)


def observe(ask: Ask) -> NDArray[np.float32]:
    """Write what an agent sees as numbers."""
    view = ask.view
    numbers: list[float] = [getattr(view, name) for name in SHARES + NUMBERS]
    for name in MASKS:
        mask = getattr(view, name)
        numbers += [mask >> position & 1 for position in POSITIONS]
    numbers += view.counts
    own = [0] * DECK
    for card in view.cards[: view.count]:
        own[card] = 1
    return np.array(numbers + own, np.float32)


def allowed(ask: Ask) -> int:  # noqa: ARG001  (in Noddy it depends)
    """Return how many actions there are."""
    return ACTIONS


def shown(ask: Ask) -> dict[str, Any]:
    """Return what a strategy would be shown."""
    return {"view": ask.view}


def answer(action: int) -> bool:
    """Make an action into an answer."""
    return bool(action)


def choose(strategy: Strategy, ask: Ask, key: np.uint64, index: int) -> int:
    """Return the action of a strategy, with the coin that is tossed for it in a run."""
    from simulate.play.napalm import answer_of

    return int(answer_of(strategy, ask, key, index))


class Played:
    """A game that is going on: its steps, its record, and how far each seat has got."""

    def __init__(self, rules: NapalmRules, n: int, key: np.uint64, index: int) -> None:
        self.money = Money.at_start(n)
        self.record: dict[str, Any] = {"deals": []}
        self.steps = self._play(rules, key, index)

    def _play(self, rules: NapalmRules, key: np.uint64, index: int) -> Steps:
        for deal in deals_of(rules, self.money, key, index):
            self.record["deals"].append(deal.record)
            yield from deal.steps()
        self.record |= ending(self.money)

    @property
    def winner(self) -> int | None:
        """The seat that has won, if any."""
        return self.money.winner

    @property
    def gained(self) -> list[int]:
        """What each seat has received so far, less what it has paid."""
        return list(self.money.net)
