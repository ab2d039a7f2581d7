"""Who meets whom in a tournament: tables of n at which all pairs sit together equally often."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from simulate.paired import Sums, play_table, sums_table, totals_of
from simulate.question import MEASURES

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from strategies import Strategy

KEPT = 8  # tables that are kept ready: they are played one after the other
MOST_TRIES = 60_000
HEAT = 3.0
MOST_TABLES = 500
"""So many tables may all be different: beyond, fewer are drawn that still balance all pairs."""


def draw_tables(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Draw the tables of a tournament.

    Parameters
    ----------
    entrants : int
        How many take part, at least 2.
    seats : int
        How many sit at a table.

    Returns
    -------
    list of tuple of int
        The entrants of each table, from 0. Every entrant has as many seats as every other, and
        every two meet equally often; of more than about thirty, as nearly as was found.

    Notes
    -----
    Where entrants are fewer than seats, every table has all of them, some once more than others.
    Where all different tables are not too many, these are drawn. Beyond, a table is turned through
    all entrants, a to a + 1 and so on round: then two meet as often as the difference of their
    numbers occurs at the tables that are turned, and those are chosen so that all differences
    occur equally often (a difference family: R. C. Bose, "On the construction of balanced
    incomplete block designs", 1939, doi:10.1111/j.1469-1809.1939.tb02219.x).
    """
    if entrants < seats:
        every, more = divmod(seats, entrants)
        return [
            tuple(sorted([*range(entrants)] * every + list(some)))
            for some in combinations(range(entrants), more)
        ]
    if seats == 2 or math.comb(entrants, seats) <= MOST_TABLES:
        return list(combinations(range(entrants), seats))
    return [
        tuple(sorted((member + turn) % entrants for member in table))
        for table in difference_family(entrants, seats)
        for turn in range(entrants)
    ]


def difference_family(entrants: int, seats: int) -> list[list[int]]:
    """Find tables at which all differences modulo `entrants` occur equally often.

    With as few tables as the numbers allow there may be no such tables, or none that are found
    soon; then it is tried with twice as many, three times as many. The same numbers always give
    the same tables.
    """
    pairs = seats * (seats - 1)
    often = pairs // math.gcd(entrants - 1, pairs)
    if entrants % 2 == 0 and often % 2:
        often *= 2  # half round the circle is the same way in both directions
    first, uneven = tables, _ = balance(entrants, seats, often)
    for times in (2, 3):
        if uneven:
            tables, uneven = balance(entrants, seats, times * often)
    return first if uneven else tables


def balance(entrants: int, seats: int, often: int) -> tuple[list[list[int]], int]:
    """Replace members of tables at random until every difference occurs so often.

    Simulated annealing: a change that makes the differences less even is made with a chance that
    shrinks to nothing.

    Returns
    -------
    tables, uneven : list of list of int, int
        Tables that are to be turned, and how uneven the differences still are: 0 for not at all.
    """
    wanted = dict.fromkeys(range(1, (entrants + 1) // 2), often)
    if entrants % 2 == 0:
        wanted[entrants // 2] = often // 2
    chance = random.Random(f"{entrants} {seats} {often}")
    number = often * (entrants - 1) // (seats * (seats - 1))
    tables = [chance.sample(range(entrants), seats) for _ in range(number)]
    found = Counter(apart for table in tables for apart in differences(table, entrants))
    uneven = sum((found[apart] - wanted[apart]) ** 2 for apart in wanted)
    for attempt in range(MOST_TRIES):
        if uneven == 0:
            break
        table = chance.choice(tables)
        place, new = chance.randrange(seats), chance.randrange(entrants)
        if new in table:
            continue
        others = table[:place] + table[place + 1 :]
        change = Counter(distance(new, other, entrants) for other in others)
        change.subtract(distance(table[place], other, entrants) for other in others)
        worse = sum(c * (c + 2 * (found[apart] - wanted[apart])) for apart, c in change.items())
        heat = HEAT * (1 - attempt / MOST_TRIES)
        if worse <= 0 or chance.random() < math.exp(-worse / heat):
            table[place] = new
            found.update(change)
            uneven += worse
    return tables, uneven


def distance(one: int, other: int, around: int) -> int:
    """Return how far two numbers are apart round a circle, the shorter way."""
    apart = abs(one - other)
    return min(apart, around - apart)


def differences(table: Sequence[int], around: int) -> list[int]:
    """List how far every two members of a table are apart."""
    return [distance(one, other, around) for one, other in combinations(table, 2)]


@dataclass
class Meetings:
    """Plays a tournament table after table, in the place of a game's own batch module.

    What the runner counts as a game is a round here: the same cards at one table in all seatings,
    in which the table is turned from seat to seat. Round r is played at table ``r // rounds``.
    """

    game: str
    rules: Any
    players: Sequence[Strategy]
    seed: int
    tables_drawn: Sequence[tuple[int, ...]]
    rounds: int
    ready: dict[int, Any] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def prepare(
        self, rules: Any, strategies: Sequence[Strategy], seed: int, fixed_seats: bool
    ) -> None:
        """Make the first table ready, which compiles what is new for all of them."""
        del rules, strategies, seed, fixed_seats
        self.job(0)

    def job(self, table: int) -> Any:
        """Return a table made ready."""
        with self.lock:
            if table not in self.ready:
                while len(self.ready) >= KEPT:
                    self.ready.pop(next(iter(self.ready)))
                line_up = [self.players[member] for member in self.tables_drawn[table]]
                self.ready[table] = self._batch().prepare(
                    self.rules, line_up, self.seed, False, self.players
                )
            return self.ready[table]

    def play(self, job: None, start: int, stop: int, detail: str) -> Sums:
        """Play rounds ``start`` to ``stop - 1``."""
        del job, detail
        totals: dict[str, NDArray[np.int64]] = {}
        while start < stop:
            table = start // self.rounds
            end = min(stop, (table + 1) * self.rounds)
            for name, results in self.results(table, start, end).items():
                totals |= totals_of(f"{name} {table}", results)
            start = end
        return Sums(totals, {})

    def results(self, table: int, start: int, stop: int) -> dict[str, NDArray[np.float64]]:
        """Return by measure what each member of a table comes to in each round, all seatings."""
        job, members = self.job(table), self.tables_drawn[table]
        distinct = sorted(set(members))
        names = MEASURES[self.game]
        found = {name: np.zeros((len(distinct), stop - start)) for name in names}
        for turned in self._turned(job):
            played = play_table(self._batch(), turned, start, stop)
            for place, member in enumerate(distinct):
                sat = played.seats(np.array([one == member for one in members]))
                for name in names:
                    found[name][place] += played.result(name, sat)
        return {name: results.T for name, results in found.items()}

    def replay(self, job: None, game: int) -> None:
        """Play one round in plain Python; a strategy at fault is named."""
        del job
        for turned in self._turned(self.job(game // self.rounds)):
            self._batch().replay(turned, game)

    def tables(
        self, rules: Any, strategies: Sequence[Strategy], totals: Mapping[str, NDArray[np.int64]]
    ) -> dict[str, pa.Table]:
        """Turn totals into tables, see `simulate.paired.sums_table`."""
        del rules, strategies
        return sums_table(totals)

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what is made ready anew on the other side."""
        return {name: value for name, value in vars(self).items() if name not in ("ready", "lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was sent, with nothing ready."""
        vars(self).update(state, ready={}, lock=Lock())

    @staticmethod
    def _turned(job: Any) -> Iterator[Any]:
        """Turn a table from seat to seat.

        Rows of the plan that follow one another turn one order of the table by one seat.
        """
        seats = job.n
        for turn in range(seats):
            yield job._replace(plan=job.plan[turn::seats])

    def _batch(self) -> Any:
        return import_module(f"simulate.{self.game}.batch")
