"""A sample of an adviser in plain Python: a strategy at fault is named there with what it saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulate.napalm.reference import Deal, Money, Speak, Strategy, by_answer, deal_cards
from simulate.rng import deal_deck

if TYPE_CHECKING:
    from simulate.napalm.spot import NapalmSpot
    from simulate.napalm.view import View

DECK, CARDS = 52, 7


class _Reached(Exception):
    """The question that is asked has come."""


def deal_unseen(spot: NapalmSpot, key: np.uint64, game: int) -> list[list[int]]:
    """Deal to everybody, by position, what `simulate.napalm.onward.deal_hands` deals him."""
    n, held = spot.players, len(spot.cards)
    deck = np.empty(DECK, np.int64)
    deal_deck(key, game, spot.deal, deck)
    unseen = iter([card for card in deck.tolist() if card not in spot.cards])
    hands: list[list[int]] = [[] for _ in range(n)]
    for place in range(CARDS * n):
        round_, position = divmod(place, n)
        own = position == spot.position and round_ < held
        hands[position].append(spot.cards[round_] if own else next(unseen))
    return hands


def replay(
    spot: NapalmSpot,
    strategies: Sequence[Strategy],
    key: np.uint64,
    game: int,
    hands: list[list[int]],
    choice: bool | None,
) -> None:
    """Play a sample: up to the question that is asked, or on from there.

    Parameters
    ----------
    spot : NapalmSpot
    strategies : sequence of Strategy
        By position.
    key : uint64
    game : int
        The number of the sample.
    hands : list of list of int
        Seven cards of everybody, by position.
    choice : bool, optional
        The player's word; when None everybody is asked for the words that were heard, and that is
        all.

    Raises
    ------
    StrategyError
        When a strategy raises, or answers no probability.
    """
    n, rules = spot.players, spot.rules
    pots, counts = spot.money_before()
    money = Money(list(counts[0]), [0] * n, pots[0] - n)
    here, answer = (spot.stage, spot.turn, spot.position), by_answer(strategies, key, game)
    said = {}
    for stage in range(1, spot.stage + 1):
        for place, word in enumerate(spot.words(stage)):
            said[stage, place // n + 1, place % n] = word

    def speak(seat: int, view: View) -> bool:
        asked = (view.stage, view.turn, view.position)
        if view.deal > spot.deal:
            return answer(seat, view)
        if asked == here:
            if choice is None:
                raise _Reached
            return choice
        if asked not in said:
            return answer(seat, view)
        if choice is None and seat != spot.position:
            strategies[seat].answer(view)
        return said[asked]

    deal = Deal(rules, key, game, spot.deal, n - 1, money, hands)
    try:
        _play_first(deal, spot, pots, counts, speak)
    except _Reached:
        return
    dealer = n - 1
    for number in range(spot.deal + 1, rules.max_deals):
        if money.winner is not None:
            return
        dealer = (dealer + 1) % n  # N1
        cards = deal_cards(key, game, number, n, dealer)
        Deal(rules, key, game, number, dealer, money, cards).play(speak)


def _play_first(
    deal: Deal, spot: NapalmSpot, pots: list[int], counts: list[list[int]], speak: Speak
) -> None:
    """Play the deal in which the game is taken up, with the money that was on the table then."""
    steps, word, stage = deal.steps(), None, 0
    while True:
        try:
            seat, view = steps.send(word)  # type: ignore[arg-type]  # it begins with None
        except StopIteration:
            return
        if view.stage > stage:
            stage = view.stage
            if stage <= spot.stage:
                deal.money.pot, deal.money.collected[:] = pots[stage - 1], counts[stage - 1]
                view = deal.view(view.position, view.turn)
        word = speak(seat, view)
