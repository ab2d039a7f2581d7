"""A sample of an adviser in plain Python: a strategy at fault is named there with what it saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulate.cards import DECK
from simulate.noddy.reference import Deal, Race, Strategy, by_value, deal_cards

if TYPE_CHECKING:
    from simulate.noddy.spot import NoddySpot


def replay(
    spot: NoddySpot,
    strategies: Sequence[Strategy],
    key: np.uint64,
    game: int,
    hands: Sequence[int],
    stock: Sequence[int],
    option: int,
) -> None:
    """Play a sample on, once the player has taken an option.

    Parameters
    ----------
    spot : NoddySpot
    strategies : sequence of Strategy
        By position.
    key : uint64
    game : int
        The number of the sample.
    hands : sequence of int
        What everybody holds, by position, as sets of cards.
    stock : sequence of int
        The stock in drawing order, the turn-up apart.
    option : int
        The place of his option.

    Raises
    ------
    StrategyError
        When a strategy raises, or answers no number.
    """
    n, rules, choose = spot.players, spot.rules, by_value(strategies, key, game)
    race = Race(list(spot.scores))
    held = [[card for card in range(DECK) if hand >> card & 1] for hand in hands]
    under = [spot.turn_up] * (rules.turn_up_drawn and spot.stock > 0)
    deal = Deal(
        rules, race, spot.deal, n - 1, held, spot.turn_up, [*stock, *under], list(spot.laid),
        turns=[{"do": ""} for _ in range(spot.turn or 0)],
    )  # fmt: skip
    position, passes, chosen = spot.position, spot.passes, [option]
    while race.winner is None and passes < n:  # D7
        steps, answer = deal.take_turn(position), None
        while True:
            try:
                ask = steps.send(answer)  # type: ignore[arg-type]  # it begins with None
            except StopIteration:
                break
            answer = chosen.pop() if chosen else choose(*ask)
        chosen.clear()
        passes = passes + 1 if deal.turns[-1]["do"] == "pass" else 0
        if race.scores[position] >= rules.target:  # D8
            race.winner = position
        position = (position + 1) % n
    dealer = n - 1
    for number in range(spot.deal + 1, rules.max_deals):
        if race.winner is not None:
            return
        dealer = (dealer + 1) % n  # D1
        deal_cards(rules, race, key, game, number, dealer).play(choose)
