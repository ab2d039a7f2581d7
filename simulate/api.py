"""Runs from Python: ``simulate.run``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.executors import Submits, choose_where
from simulate.request import GAMES, OUT, SEED, choose_threads, configure
from simulate.runner import Progress
from simulate.runner import run as run_config

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.results import Results
    from strategies import Strategy


def run(
    game: str,
    *,
    players: int | None = None,
    games: int | float | str = GAMES,
    seed: int = SEED,
    strategies: Sequence[str | Strategy] | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    detail: str = "summary",
    fixed_seats: bool = False,
    threads: int | None = None,
    executor: str | Submits | None = None,
    patience: float | None = None,
    memory: int | None = None,
    out: str | Path = OUT,
    force: bool = False,
    progress: Progress | None = None,
) -> Results:
    """Play games, keep the results, and return them.

    A run is kept in a folder of its own, named by everything that decides its content. The same
    call again reads it from there at once, and goes on with one that was interrupted.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    players : int, optional
        How many sit at the table, 4 to 7 or 2 to 4: as many as there are strategies when None.
    games : int, float or str
        How many games: ``100_000``, ``1e6``, ``"10M"``.
    seed : int
        Any whole number >= 0. Game ``i`` has the same cards in every run of this seed.
    strategies : sequence of str or Strategy, optional
        The line-up: ``["tight*4", "bluffer:bluff=0.2"]``. A sensible one when None.
    rules : str, mapping, NapalmRules or NoddyRules, optional
        A preset, ``"tokens"``; fields that differ from it, ``{"preset": "tokens", "target": 3}``;
        or rules ready made. The game's first preset when None.
    detail : {"summary", "games", "deals", "turns"}
        Keep the summary alone, or also a row for each game, deal, or (in Noddy) turn.
    fixed_seats : bool
        Leave everybody in one seat, instead of changing seats from game to game so that each
        sits everywhere equally often.
    threads : int, optional
        How many slices are played at the same time; the results do not depend on it. One for each
        processor when None.
    executor : {"threads", "processes"}, "dask:tcp://HOST:PORT" or Executor, optional
        What plays them; the results do not depend on it. Threads of this process when None, but
        child processes under watch where a ``.py`` strategy takes part that did not come with the
        package. Any executor of `concurrent.futures` will do; it is left open.
    patience : float, optional
        Seconds that a child process may play without an answer before it is ended: ten when None.
    memory : int, optional
        MiB that a child process may take, where the platform can limit that: 2048 when None.
    out : str or Path
        The folder in which the folder of the run is made.
    force : bool
        Start afresh if the run is there.
    progress : callable, optional
        Called with the games done and the games in all, several times a second.

    Returns
    -------
    Results
        The tables of the run, as `simulate.load` returns them.

    Raises
    ------
    InputError
        When anything asked for is not allowed, or the folder cannot be written.

    Examples
    --------
    >>> results = simulate.run("napalm", games=100_000, strategies=["tight*4", "bluffer"])
    >>> results.results
    """
    config, line_up = configure(
        game,
        players=players,
        games=games,
        seed=seed,
        strategies=strategies,
        rules=rules,
        detail=detail,
        fixed_seats=fixed_seats,
    )
    return run_config(
        config,
        line_up,
        Path(out) / config.name,
        threads=choose_threads(threads),
        where=choose_where(executor, patience, memory),
        force=force,
        progress=progress,
    )
