"""Any games of a run once more, as complete records for a game log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate import gamelog
from simulate.config import RunConfig
from simulate.errors import InputError
from simulate.seating import seat_plan

if TYPE_CHECKING:
    from strategies import Strategy

AT_ONCE = 256  # games recorded in one go, so that memory stays the same for any number


def records(
    config: RunConfig,
    strategies: Sequence[Strategy],
    start: int = 0,
    stop: int | None = None,
    *,
    explain: bool = False,
) -> Iterator[dict[str, Any]]:
    """Play games of a run as it plays them, and yield their records.

    Parameters
    ----------
    config : RunConfig
        The run.
    strategies : sequence of Strategy
        The line-up that `config` names.
    start, stop : int
        The first game, and the one after the last; all games of the run when left out.
    explain : bool
        Add what each strategy saw and answered.

    Raises
    ------
    InputError
        When the run has no such game.
    """
    stop = config.games if stop is None else stop
    if not 0 <= start < stop <= config.games:
        raise InputError(f"game {start} is not in this run: it has games 0 to {config.games - 1}")
    batch = import_module(f"simulate.{config.game}.batch")
    job = batch.prepare(config.rules, strategies, config.seed, config.fixed_seats)
    plan = seat_plan(config.players, config.fixed_seats)
    for first in range(start, stop, AT_ONCE):
        played = batch.record(job, first, min(first + AT_ONCE, stop))
        for index, record in enumerate(played, start=first):
            seated = [strategies[slot] for slot in plan[index % len(plan)]]
            seats = [strategy.spec for strategy in seated]
            head = gamelog.header(config.game, config.seed, index, config.rules, seats)
            whole = {**head, **record}
            yield gamelog.explain(whole, seated) if explain else whole
