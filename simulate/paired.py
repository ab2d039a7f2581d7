"""Several tables play the same games: the same cards and first dealers, other players or rules.

What a game comes to at one table is compared with what the same game comes to at another; the luck
of the cards, common to both, drops out of the difference. Only sums over games are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simulate.stats import CommonSums

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from simulate.results import Results
    from strategies import Strategy


@dataclass(frozen=True)
class Played:
    """What games came to at one table.

    Attributes
    ----------
    rows : mapping of str to ndarray
        Columns with a row a game, from a batch module's `play` at detail ``"results"``.
    plan : ndarray, shape (P, n)
        Which slot of the line-up sat in each seat, see `simulate.seating.seat_plan`.
    start : int
        The first game.
    """

    rows: Mapping[str, NDArray[Any]]
    plan: NDArray[np.int8]
    start: int

    def seats(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell in which seats some slots sat, shape (games, n)."""
        by_row = np.roll(chosen[self.plan], -(self.start % len(self.plan)), axis=0)
        return np.resize(by_row, (len(self.rows["winner"]), by_row.shape[1]))

    def result(self, measure: str, seats: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Add up, game by game, what some seats came to.

        Parameters
        ----------
        measure : str
            ``"net"`` or ``"score"``, or ``"wins"`` for 1 where one of them has won.
        seats : ndarray of bool, shape (games, n)
            From `seats`.
        """
        if measure == "wins":
            winner = self.rows["winner"].astype(np.int64)
            won = np.take_along_axis(seats, winner[:, None], axis=1)[:, 0] & (winner >= 0)
            return won.astype(np.int64)
        total: NDArray[np.int64] = np.zeros(len(seats), np.int64)
        for seat in range(seats.shape[1]):
            total += self.rows[f"{measure}_{seat}"] * seats[:, seat]
        return total


def play_table(batch: Any, job: Any, start: int, stop: int) -> Played:
    """Play games ``start`` to ``stop - 1`` at a table made ready by a batch module."""
    return Played(batch.play(job, start, stop, "results").rows, job.plan, start)


class Table(NamedTuple):
    """Who sits down together, and by which rules."""

    rules: Any
    line_up: tuple[Strategy, ...]


@dataclass(slots=True)
class Sums:
    """Totals that add up, and no rows: what `PairedTables.play` gives to the runner."""

    totals: dict[str, NDArray[np.int64]]
    rows: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class PairedTables:
    """Plays every game at every table, in the place of a game's own batch module.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    line_ups : sequence of Table
        The tables.
    measure : callable
        Given what the games came to at each table, returns for each group of results that are to
        be compared with one another whole numbers of shape (games, results).
    """

    game: str
    line_ups: Sequence[Table]
    measure: Callable[[Iterator[Played]], dict[str, NDArray[np.float64]]]

    def prepare(
        self, rules: Any, strategies: Sequence[Strategy], seed: int, fixed_seats: bool
    ) -> list[Any]:
        """Make every table ready, compiling what is new."""
        del rules, strategies, fixed_seats  # each table has its own
        batch = self._batch()
        together = [strategy for table in self.line_ups for strategy in table.line_up]
        return [
            batch.prepare(rules, line_up, seed, False, together) for rules, line_up in self.line_ups
        ]

    def play(self, job: list[Any], start: int, stop: int, detail: str) -> Sums:
        """Play games ``start`` to ``stop - 1`` at every table, and sum up what they come to."""
        del detail  # no rows are kept
        batch = self._batch()
        played = (play_table(batch, table, start, stop) for table in job)
        totals: dict[str, NDArray[np.int64]] = {}
        for group, results in self.measure(played).items():
            totals |= totals_of(group, results)
        return Sums(totals, {})

    def replay(self, job: list[Any], game: int) -> None:
        """Play one game in plain Python at every table; a strategy at fault is named."""
        for table in job:
            self._batch().replay(table, game)

    def tables(
        self, rules: Any, strategies: Sequence[Strategy], totals: Mapping[str, NDArray[np.int64]]
    ) -> dict[str, pa.Table]:
        """Turn totals into tables, see `sums_table`."""
        del rules, strategies
        return sums_table(totals)

    def _batch(self) -> Any:
        return import_module(f"simulate.{self.game}.batch")


@dataclass(frozen=True)
class Points:
    """Measures the points of a grid for `PairedTables`, each a table.

    Parameters
    ----------
    measures : sequence of str
        What is measured, beside the deals of each game.
    chosen : sequence of ndarray
        Of each table the slots that are looked at.
    """

    measures: Sequence[str]
    chosen: Sequence[NDArray[np.bool_]]

    def __call__(self, tables: Iterator[Played]) -> dict[str, NDArray[np.float64]]:
        """Return by measure what the games came to, shape (games, points)."""
        names = (*self.measures, "deals")
        found: dict[str, NDArray[np.float64]] = {}
        for place, (played, chosen) in enumerate(zip(tables, self.chosen, strict=True)):
            seats = played.seats(chosen)
            if not found:  # a row a point, as they come: transposed in the end
                found = {name: np.empty((len(self.chosen), len(seats))) for name in names}
            for name in self.measures:
                found[name][place] = played.result(name, seats)
            found["deals"][place] = played.rows["deals"]
        return {name: results.T for name, results in found.items()}


def totals_of(group: str, results: NDArray[np.float64]) -> dict[str, NDArray[np.int64]]:
    """Sum up a group of results of shape (games, k) as totals that add up exactly."""
    from simulate.wide import product_digits

    return {
        f"{group} games": np.array([len(results)]),
        f"{group} total": results.astype(np.int64).sum(axis=0),
        f"{group} products": product_digits(results),
    }


def sums_table(totals: Mapping[str, NDArray[np.int64]]) -> dict[str, pa.Table]:
    """Turn totals into tables: ``totals`` a row a result, ``products`` a row a pair of them."""
    import pyarrow as pa

    from simulate.wide import number

    sums, products = [], []
    for group in [name[:-6] for name in totals if name.endswith(" games")]:
        k = len(totals[f"{group} total"])
        place = np.arange(k, dtype=np.int32)
        games = np.repeat(totals[f"{group} games"], k)
        columns: dict[str, NDArray[Any]] = {"result": place, "games": games}
        sums.append(_table(group, columns | {"total": totals[f"{group} total"]}))
        pairs: dict[str, NDArray[Any]] = {"one": np.repeat(place, k), "other": np.tile(place, k)}
        product = number(totals[f"{group} products"]).ravel()
        products.append(_table(group, pairs | {"product": product}))
    return {"totals": pa.concat_tables(sums), "products": pa.concat_tables(products)}


def _table(group: str, columns: Mapping[str, NDArray[Any]]) -> pa.Table:
    import pyarrow as pa

    names = pa.array([group] * len(next(iter(columns.values()))))
    return pa.table({"group": names, **{name: pa.array(c) for name, c in columns.items()}})


def sums_in(results: Results) -> dict[str, CommonSums]:
    """Read the sums of a run, all parts added up."""
    return sums_of({name: results.arrow(name) for name in ("totals", "products")})


def sums_of(tables: Mapping[str, pa.Table]) -> dict[str, CommonSums]:
    """Read the sums of each group back from the tables of a part, or of all parts added up."""
    totals, products = tables["totals"].to_pandas(), tables["products"].to_pandas()
    pairs = dict(list(products.groupby("group", sort=False, observed=True)))
    found = {}
    for group, part in totals.groupby("group", sort=False, observed=True):
        part = part.sort_values("result")
        product = pairs[group].sort_values(["one", "other"])["product"].to_numpy(float)
        games, total = int(part["games"].iloc[0]), part["total"].to_numpy(float)
        found[str(group)] = CommonSums(games, total, product.reshape(len(part), len(part)))
    return found


def sums_by_part(results: Results) -> list[dict[str, CommonSums]]:
    """Read the sums of each part of a run."""
    from simulate.store import read

    names = ("totals", "products")
    return [
        sums_of({name: read(results.folder, name, part) for name in names})
        for part in results.parts
    ]
