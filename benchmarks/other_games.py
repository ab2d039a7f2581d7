"""Whole games that people play with what the package registry has, as work to be timed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.evaluators import card_names

PLAYERS = 5


class Rival(NamedTuple):
    """A way to play games.

    Attributes
    ----------
    work : callable
        Plays so many.
    note : str
        What is played.
    """

    work: Callable[[int], int]
    note: str


def eval7_loop() -> Rival:
    """Write the usual simulator by hand: shuffle, deal seven cards each, see who wins."""
    from eval7 import Card, evaluate

    deck = [Card(name) for name in card_names()]
    rng = random.Random(1)
    wins = [0] * PLAYERS

    def work(deals: int) -> int:
        for _ in range(deals):
            dealt = rng.sample(deck, 7 * PLAYERS)
            values = [evaluate(dealt[7 * seat : 7 * seat + 7]) for seat in range(PLAYERS)]
            wins[values.index(max(values))] += 1
        return deals

    return Rival(work, "7 cards each, the best hand wins; nothing said, nothing paid")


def pokerkit_stud() -> Rival:
    """Play seven-card stud, everybody calling to the end."""
    from pokerkit import Automation, FixedLimitSevenCardStud

    automatic = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.CARD_BURNING,
        Automation.HOLE_DEALING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )

    def work(deals: int) -> int:
        for _ in range(deals):
            state = FixedLimitSevenCardStud.create_state(automatic, True, 1, 1, 2, 4, 1000, PLAYERS)
            while state.status:
                if state.can_post_bring_in():
                    state.post_bring_in()
                else:
                    state.check_or_call()
        return deals

    return Rival(work, "fixed-limit seven-card stud, all call to the showdown")


def openspiel_leduc() -> Rival:
    """Play Leduc poker from Python, everybody at random."""
    import pyspiel

    game = pyspiel.load_game(f"leduc_poker(players={PLAYERS})")
    rng = random.Random(1)

    def work(deals: int) -> int:
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        return deals

    return Rival(work, "Leduc poker, one card each and one on the table, at random")


RIVALS: dict[str, Callable[[], Rival]] = {
    "a Python loop around eval7": eval7_loop,
    "OpenSpiel from Python": openspiel_leduc,
    "pokerkit": pokerkit_stud,
}
