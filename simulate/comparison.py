"""Is this strategy better than that one? The same cards twice, in each other's seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.config import check_game, check_players
from simulate.errors import InputError, unknown
from simulate.paired import PairedTables, Rows, Table, of_slots, sums_in, sums_of
from simulate.question import Question, distinct
from simulate.request import OUT, PLAYERS, SEED, choose_rules, choose_threads
from simulate.stats import (
    CommonSums,
    Estimate,
    PairSums,
    SequentialTest,
    TooFewGamesError,
    companion_interval,
    decide,
    look_schedule,
    mean_interval,
    paired_interval,
    sequential_interval,
    worth_of_pairing,
)
from simulate.stats.paired import SMALLEST_DIFFERING
from simulate.stats.sequential import check_precision

if TYPE_CHECKING:
    import pyarrow as pa

    from simulate.config import Rules
    from simulate.runner import Judge, Progress
    from strategies import Strategy

GAMES, MOST_GAMES = 100_000, 10_000_000
"""Games of a comparison that ends with its last one, and of one that may end before."""

PART_GAMES = 1_000_000
SMALLEST_SLICE = 4_096

MEASURES = {"napalm": ("net", "wins"), "noddy": ("score", "wins")}
UNITS = {"net": "stakes a game", "score": "points a game", "wins": "of the games"}
SIDES = ("first", "second", "difference")


@dataclass(frozen=True)
class Stop:
    """What a comparison is about, and when it ends before its last game.

    Parameters
    ----------
    measure : {"net", "score", "wins"}
        What precision, test and conclusion are about.
    precision : float, optional
        It ends when the margin of the interval is no wider than this.
    test : SequentialTest, optional
        It ends when this test of the difference has decided.
    """

    measure: str
    precision: float | None = None
    test: SequentialTest | None = None

    def __post_init__(self) -> None:
        if self.precision is not None:
            check_precision(self.precision)
            if self.test is not None:
                raise InputError("a precision and a test are asked for: only one can end it")

    @property
    def early(self) -> bool:
        """Whether it may end before its last game."""
        return self.precision is not None or self.test is not None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        test = self.test and {
            "null": self.test.null,
            "alternative": self.test.alternative,
            "false_positive": self.test.false_positive,
            "miss": self.test.miss,
        }
        return {"measure": self.measure, "precision": self.precision, "test": test}


@dataclass(frozen=True)
class Comparison:
    """How two strategies compare.

    Attributes
    ----------
    question : Question
        What was asked.
    stop : Stop
        What it is about, and when it could end early.
    results : dict
        By measure, then by ``"first"``, ``"second"`` and ``"difference"``: the estimate, each for
        one seat and one game. None where too few games came out differently.
    worth : dict
        By measure, how many times as many games a comparison without pairing needs.
    differing : dict
        By measure, in how many of the games the two did not come to the same.
    games : int
        Games, each of them played twice with the same cards.
    decision : {"null", "alternative"} or None
        What the test has decided for.
    path : Path
        The folder of the results.
    """

    question: Question
    stop: Stop
    results: dict[str, dict[str, Estimate | None]]
    worth: dict[str, float]
    differing: dict[str, int]
    games: int
    decision: str | None
    path: Path

    @property
    def difference(self) -> Estimate:
        """By how much the first is better, in the measure it is about."""
        found = self.results[self.stop.measure]["difference"]
        assert found is not None  # noqa: S101  (refused before it is made)
        return found


class Layout(NamedTuple):
    """Two tables, and how a pair of games is read.

    Every quantity is a weighted sum of the columns that `measure` yields: by its name and the name
    of a measure, the weights.
    """

    tables: tuple[Table, Table]
    chosen: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """Of each table the slots of the first and of the second strategy, shape (2, n)."""
    apart: bool
    """Whether each strategy sits at a table of its own, among a field."""


def compare(
    game: str,
    first: str | Strategy,
    second: str | Strategy,
    *,
    field: str | Strategy | Sequence[str | Strategy] | None = None,
    players: int | str | None = None,
    games: int | float | str | None = None,
    precision: float | None = None,
    test: SequentialTest | None = None,
    measure: str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
    threads: int | None = None,
    out: str | Path = OUT,
    force: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two strategies over the same cards.

    Without a field both sit at one table, in every other seat, and each game is played again with
    each in the other's seats. With a field the first sits down among it, and each game is played
    again with the second in the same seat.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    first, second : str or Strategy
        What is compared.
    field : str or sequence of str, optional
        Who takes the other seats, in turn.
    players : int, optional
        How many sit at the table: five in Napalm, two in Noddy when None.
    games : int, float or str, optional
        How many games, each of them played twice: 100,000, or at most ten million where it may end
        early, when None.
    precision : float, optional
        End when the margin of the interval is no wider than this.
    test : SequentialTest, optional
        End when this test of the difference, first minus second, has decided.
    measure : {"net", "score", "wins"}, optional
        What precision, test and conclusion are about: when None, net stakes in Napalm and games
        won in Noddy.
    rules, seed, threads, out, force, progress
        As in `simulate.run`.

    Returns
    -------
    Comparison
        Its intervals are valid whether or not it ended early.

    Raises
    ------
    InputError
        When anything asked for is not allowed, or too few games came out differently.

    Examples
    --------
    >>> simulate.compare("napalm", "tight", "threshold", field="bluffer").difference
    """
    from strategies import parse_line_up

    sides = parse_line_up([first, second], check_game(game))
    if len(sides) != 2 or sides[0].spec == sides[1].spec:
        raise InputError(f"a comparison needs two strategies: {first!r} and {second!r} are not two")
    seats = check_players(game, PLAYERS[game] if players is None else players)
    chosen = measure or MEASURES[game][0 if game == "napalm" else 1]
    if chosen not in MEASURES[game]:
        raise unknown(f"measure of {game}", chosen, MEASURES[game])
    stop = Stop(chosen, precision, test)
    others = [] if field is None else parse_line_up(field, game)
    rules = choose_rules(game, rules)
    layout = lay_out(rules, sides, others, seats)
    question = Question(
        kind="compare",
        game=game,
        rules=rules,
        players=distinct([sides, others]),
        seed=seed,
        games=games if games is not None else MOST_GAMES if stop.early else GAMES,  # type: ignore[arg-type]
        asked={
            "first": sides[0].spec,
            "second": sides[1].spec,
            "field": [other.spec for other in others],
            "players": seats,
            "stop": stop.to_dict(),
        },
    )
    return answer(
        question,
        stop,
        layout,
        Path(out) / question.name,
        threads=choose_threads(threads),
        force=force,
        progress=progress,
    )


def lay_out(rules: Any, sides: Sequence[Strategy], field: Sequence[Strategy], seats: int) -> Layout:
    """Say who sits at the two tables."""
    first, second = sides
    if field:
        others = [field[place % len(field)] for place in range(seats - 1)]
        tables = (Table(rules, (first, *others)), Table(rules, (second, *others)))
        alone = np.arange(seats) == 0
        none = np.zeros(seats, bool)
        return Layout(tables, (np.array([alone, none]), np.array([none, alone])), apart=True)
    every_other = np.arange(seats) % 2 == 0
    here = tuple(first if it else second for it in every_other)
    there = tuple(second if it else first for it in every_other)
    chosen = (np.array([every_other, ~every_other]), np.array([~every_other, every_other]))
    return Layout((Table(rules, here), Table(rules, there)), chosen, apart=False)


def answer(
    question: Question,
    stop: Stop,
    layout: Layout,
    folder: Path,
    *,
    threads: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Play a comparison, or what is missing of it, and read its results."""
    from simulate.runner import run

    measures = MEASURES[question.game]
    reading = Reading(measures, layout.apart, len(layout.chosen[0][0]))

    def measure(tables: Iterator[Rows]) -> dict[str, NDArray[np.float64]]:
        return {"pairs": reading.columns(list(tables), layout.chosen)}

    ends = (
        look_schedule(question.games)
        if stop.early
        else [*range(PART_GAMES, question.games, PART_GAMES), question.games]
    )
    results = run(
        question,
        question.players,
        folder,
        threads=threads,
        force=force,
        progress=progress,
        batch=PairedTables(question.game, layout.tables, measure),
        ends=ends,
        judge=(lambda: _judge(reading, stop)) if stop.early else None,
        smallest_slice=SMALLEST_SLICE,
    )
    sums = sums_in(results)["pairs"]
    decision = reading.decision(sums, stop) if stop.test else None
    return Comparison(
        question,
        stop,
        reading.estimates(sums, stop, [end for end in ends if end <= sums.n]),
        {name: worth_of_pairing(reading.pairs(sums, name)) for name in measures},
        {name: reading.pairs(sums, name).differing for name in measures},
        sums.n,
        decision,
        folder,
    )


def _judge(reading: Reading, stop: Stop) -> Judge:
    """Make a judge who adds up the parts as they come."""
    so_far: CommonSums | None = None

    def judge(tables: Mapping[str, pa.Table]) -> bool:
        nonlocal so_far
        part = sums_of(tables)["pairs"]
        so_far = part if so_far is None else so_far + part
        return reading.enough(so_far, stop)

    return judge


@dataclass(frozen=True)
class Reading:
    """How the sums over pairs of games are read.

    Columns are, for each measure, what the first strategy came to at the one table and at the
    other, the same of the second, and whether the two differ.
    """

    measures: tuple[str, ...]
    apart: bool
    seats: int

    def columns(
        self, tables: Sequence[Rows], chosen: Sequence[NDArray[np.bool_]]
    ) -> NDArray[np.float64]:
        """Return what each pair of games came to, shape (games, 5 a measure)."""
        columns = []
        for name in self.measures:
            first = [
                of_slots(rows, name, slots[0]) for rows, slots in zip(tables, chosen, strict=True)
            ]
            second = [
                of_slots(rows, name, slots[1]) for rows, slots in zip(tables, chosen, strict=True)
            ]
            columns += [*first, *second, sum(first) != sum(second)]
        return np.stack(columns, axis=1).astype(float)

    def weights(self, measure: str, what: str) -> NDArray[np.float64]:
        """Return the weights of the columns in a quantity."""
        share = 1.0 if self.apart else 1.0 / self.seats  # a strategy has all seats once
        mine: dict[str, list[float]] = {
            "first": [share, share, 0, 0, 0],
            "second": [0, 0, share, share, 0],
            "difference": [share, share, -share, -share, 0],
            "here": [share, 0, -share, 0, 0],
            "there": [0, -share, 0, share, 0],
            "differing": [0, 0, 0, 0, 1],
        }
        weights = np.zeros(5 * len(self.measures))
        place = 5 * self.measures.index(measure)
        weights[place : place + 5] = mine[what]
        return weights

    def pairs(self, sums: CommonSums, measure: str) -> PairSums:
        """Return the sums of paired results: a and b are what pairing saves the variance of."""
        a, aa = sums.linear(self.weights(measure, "here"))
        b, bb = sums.linear(self.weights(measure, "there"))
        _, dd = sums.linear(self.weights(measure, "difference"))
        differing, _ = sums.linear(self.weights(measure, "differing"))
        return PairSums(sums.n, round(differing), a, b, aa, bb, dd)

    def decision(self, sums: CommonSums, stop: Stop) -> str | None:
        """Return what the test decides for at this look, or None."""
        pairs = self.pairs(sums, stop.measure)
        if stop.test is None or pairs.differing < SMALLEST_DIFFERING:
            return None
        return decide(stop.test, pairs.n, pairs.a - pairs.b, pairs.dd)

    def enough(self, sums: CommonSums, stop: Stop) -> bool:
        """Tell whether the comparison may end."""
        if stop.precision is None:
            return self.decision(sums, stop) is not None
        try:
            margin = paired_interval(self.pairs(sums, stop.measure)).margin
        except TooFewGamesError:
            return False
        return margin <= stop.precision

    def estimates(
        self, sums: CommonSums, stop: Stop, looks: Sequence[int]
    ) -> dict[str, dict[str, Estimate | None]]:
        """Estimate everything there is to know, allowing for an early end by a test.

        Raises
        ------
        TooFewGamesError
            When the difference it is about cannot be estimated.
        """
        about = self.pairs(sums, stop.measure)
        main = paired_interval(about)
        if stop.test is not None:
            main = sequential_interval(stop.test, looks, about.a - about.b, about.dd)
        tested = self.weights(stop.measure, "difference")

        def estimate(measure: str, what: str) -> Estimate | None:
            weights = self.weights(measure, what)
            if (measure, what) == (stop.measure, "difference"):
                return main
            if what == "difference" and self.pairs(sums, measure).differing < SMALLEST_DIFFERING:
                return None
            total, squares = sums.linear(weights)
            if stop.test is None:
                return mean_interval(sums.n, total, squares)
            product = float(tested @ sums.products @ weights)
            totals = (about.a - about.b, total)
            return companion_interval(main, sums.n, totals, (about.dd, squares), product)

        return {
            measure: {what: estimate(measure, what) for what in SIDES} for measure in self.measures
        }
