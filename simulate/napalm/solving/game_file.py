"""What was solved of a whole game, as a strategy's file; and what a best reply gains in games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm import batch
from simulate.napalm.solving.induction import Game, Solved
from simulate.napalm.solving.token_induction import KnownTokens
from simulate.version import VERSION
from strategies import Strategy
from strategies.solved import WHOLE_GAME
from strategies.solved_game import game_bytes
from strategies.standing import counts_of_rows

SLICE = 1 << 15
"""Games that are played at a time."""


class Score(NamedTuple):
    """What games between tables brought.

    Attributes
    ----------
    games : int
    worth, worth_error : ndarray of float64, shape (n,)
        What a game brought each player when all play the table, by position in its first deal, and
        the standard error.
    gain, gain_error : float
        How much more a best reply brings one player a game, on the same cards.
    prize : float
        What the winner takes from the pot on average, when all play the table (N16).
    """

    games: int
    worth: NDArray[np.float64]
    worth_error: NDArray[np.float64]
    gain: float
    gain_error: float
    prize: float


def about_game(game: Game, deals: int) -> dict[str, Any]:
    """Say what was solved, as JSON takes it."""
    return {
        "game": "napalm",
        "solved": WHOLE_GAME,
        "players": game.n,
        "rules": game.rules.to_dict(),
        "seed": str(game.seed),
        "deals": deals,
        "version": VERSION,
    }


def score_about(score: Score, tokens: bool) -> dict[str, Any]:
    """Write a score as JSON takes it; for tokens with the prize, as side bets are of its size."""
    return {
        **({"prize": score.prize} if tokens else {}),
        "gain": score.gain,
        "gain_error": score.gain_error,
        "scored": score.games,
        "worth": score.worth.tolist(),
        "worth_error": score.worth_error.tolist(),
    }


def file_of(
    game: Game,
    shown: Solved | KnownTokens,
    edges: NDArray[np.float64],
    values: Solved | KnownTokens,
    about: dict[str, Any],
) -> bytes:
    """Write a table as the bytes of its file.

    Parameters
    ----------
    game : Game
    shown : Solved or KnownTokens
        Whose chances are written.
    edges : ndarray of float64
        The classes of hands it tells apart.
    values : Solved or KnownTokens
        Whose equities are written.
    about : dict
    """
    arrays = {
        "chances": shown.chances,
        "pots": game.pots,
        "equity": values.deals,
        "error": values.error,
        "edges2": edges,
        "edges3": edges,
    }
    if not game.seated:
        arrays["counts"] = counts_of_rows(game.n, game.rules.target, seated=False)
    return game_bytes(about, arrays)


def score(
    game: Game, table: Strategy, reply: Strategy, games: int, told: Callable[[], object]
) -> Score:
    """Let the table play itself, and a best reply in one seat, on the same cards."""
    n, sums, gains, prizes = game.n, np.zeros((2, game.n)), np.zeros(2), 0
    jobs = [
        batch.prepare(game.rules, [who, *[table] * (n - 1)], game.seed) for who in (table, reply)
    ]
    for start in range(0, games, SLICE):
        stop = min(start + SLICE, games)
        nets = []
        for job in jobs:
            rows = batch.play(job, start, stop, "games").rows
            net = np.stack([rows[f"net_{seat}"] for seat in range(n)], axis=1)
            slots = np.stack([rows[f"slot_{seat}"] for seat in range(n)], axis=1)
            nets.append(net[slots == 0])
            if job is jobs[0]:
                seats = (rows["dealer"][:, None].astype(int) + 1 + np.arange(n)) % n
                net = np.take_along_axis(net, seats, axis=1)
                prizes += int(rows["prize"].sum())
                sums += net.sum(axis=0), (net.astype(float) ** 2).sum(axis=0)
        gain = (nets[1] - nets[0]).astype(float)
        gains += gain.sum(), (gain**2).sum()
        told()
    worth, gain_mean = sums[0] / games, float(gains[0] / games)
    return Score(
        games=games,
        worth=worth,
        worth_error=np.sqrt((sums[1] / games - worth**2) / games),
        gain=gain_mean,
        gain_error=float(np.sqrt((gains[1] / games - gain_mean**2) / games)),
        prize=prizes / games,
    )
