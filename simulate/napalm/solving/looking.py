"""A first look at a whole game, from few deals: which states are met, and how often.

States that are met more often are then learned from more deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulate.napalm.solving.histories import TWOS
from simulate.napalm.solving.induction import (
    FULL,
    Array,
    Game,
    Induction,
    Solved,
    Told,
    nothing_known,
    race_of,
)
from simulate.napalm.solving.lots import Lots
from simulate.napalm.solving.walk import Met, make_steps, nothing_met, walk_games

GAMES = 100_000
"""Games that are played to see that."""

PLAIN = 55
"""Hands of two cards below this, those without a pair, an ace or a king, say No in a first guess of
who comes to stage 3."""


class Look(NamedTuple):
    """What a first look tells.

    Attributes
    ----------
    often : ndarray of float64, shape (2, states, nodes)
        How often whole deals, and stages 3 after a Yes, were met at each state and pot.
    first : ndarray of float64, shape (words * 91,)
        The chances of a first Yes, averaged over the deals that are played.
    """

    often: Array
    first: Array


def look(game: Game, lots: Lots, least: int, threads: int, told: Told) -> Look | None:
    """Solve a game from few deals of each state, and play it, to see which states matter.

    Returns
    -------
    Look or None
        None if it was stopped.
    """
    guess = np.tile(np.where(np.arange(TWOS) < PLAIN, 0.05, 0.95), (1 << game.n) - 1)
    solved = nothing_known(game)
    share = np.full((2, game.states, game.nodes), least)
    thirds = game.thirds(lots, guess.astype(np.float32))
    if not Induction(game, lots, thirds, solved, share).run(threads, told):
        return None
    met = visits(game, solved, lots)
    first = solved.chances[:, :, : len(guess)] / FULL
    often = np.zeros((2, game.states, game.nodes))
    for kind, rows in enumerate((met.deals, met.lasts)):
        np.add.at(often[kind], game.standings.of_row, rows)
    return Look(often, np.tensordot(met.deals, first, 2) / max(met.deals.sum(), 1.0))


def visits(game: Game, solved: Solved, lots: Lots, games: int = GAMES) -> Met:
    """Play games, and count how often each state is met."""
    met = nothing_met(game.standings.rows, game.nodes, game.n)
    race, steps = race_of(game, solved), make_steps(game.n)
    for start in range(0, games, GAMES // 20):
        stop = min(start + GAMES // 20, games)
        walk_games(
            game.plan, race, game.numbers, game.pots, solved.chances, lots, game.key, start, stop,
            steps, met,
        )  # fmt: skip
    return met
