"""Is this strategy better than that one? The same cards twice, in each other's seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.config import check_game, check_players, rules_module
from simulate.errors import InputError
from simulate.executors import HERE, Where, choose_where
from simulate.paired import PairedTables, Table, sums_in, sums_of
from simulate.pairs import Pairs, Reading, Stop
from simulate.question import (
    MEASURES,
    Question,
    Unit,
    check_measure,
    distinct,
    finite,
    same_question,
)
from simulate.request import OUT, PLAYERS, SEED, choose_rules, choose_threads
from simulate.stats import CommonSums, Estimate, SequentialTest, look_schedule, worth_of_pairing

if TYPE_CHECKING:
    import pyarrow as pa

    from simulate.config import Rules
    from simulate.executors import Submits
    from simulate.runner import Judge, Progress
    from strategies import Strategy

GAMES, MOST_GAMES = 100_000, 10_000_000
"""Games of a comparison that ends with its last one, and of one that may end before."""

PART_GAMES = 1_000_000
SMALLEST_SLICE = 4_096


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

    @property
    def sentence(self) -> str:
        """The conclusion."""
        first, second = self.question.asked["first"], self.question.asked["second"]
        found, unit = self.difference, Unit.of(self.stop.measure)
        if found.low <= 0 <= found.high:
            return (
                f"{first} and {second} cannot be told apart: "
                f"{unit.signed(found)} {unit.name}, first minus second."
            )
        better, worse = (first, second) if found.value > 0 else (second, first)
        return f"{better} is better than {worse} by {unit.plain(found)} {unit.name}."

    @property
    def ending(self) -> str:
        """Why it ended."""
        after = f"after {self.games:,} games"
        test, precision = self.stop.test, self.stop.precision
        if self.decision is not None and test is not None:
            pair = (test.alternative, test.null)
            chosen, other = pair if self.decision == "alternative" else pair[::-1]
            return (
                f"The test decided {after} for a difference of {chosen:g} against {other:g} "
                f"(false positives at most {test.false_positive:.3g}, misses {test.miss:.3g})."
            )
        if test is not None:
            return f"It ended {after}, its last; the test has not decided."
        if precision is None:
            return f"It ended {after}, all that were asked for."
        if self.difference.margin <= precision:
            return f"It ended {after}, at the precision of {precision:g}."
        return f"It ended {after}, its last; the precision of {precision:g} was not reached."

    @property
    def gained(self) -> str:
        """What pairing was worth."""
        times = self.worth[self.stop.measure]
        return f"Pairing was worth {times:.1f} times as many games."

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {
            "question": self.question.to_dict(),
            "games": self.games,
            "results": {
                measure: {what: found and found._asdict() for what, found in quantities.items()}
                for measure, quantities in self.results.items()
            },
            "worth": {name: finite(times) for name, times in self.worth.items()},
            "differing": self.differing,
            "decision": self.decision,
            "sentence": self.sentence,
            "ending": self.ending,
            "path": str(self.path),
        }


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


@dataclass(frozen=True)
class Asked:
    """A comparison ready to be played."""

    question: Question
    stop: Stop
    layout: Layout

    def answer(
        self,
        folder: Path,
        *,
        threads: int = 1,
        where: Where = HERE,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:
        """Play the comparison, or what is missing of it, and read its results."""
        from simulate.runner import run

        question, stop = self.question, self.stop
        measures = MEASURES[question.game]
        reading = Reading(measures, self.layout.apart, len(self.layout.chosen[0][0]))

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
            where=where,
            force=force,
            progress=progress,
            batch=PairedTables(
                question.game, self.layout.tables, Pairs(reading, self.layout.chosen)
            ),
            ends=ends,
            judge=(lambda: _judge(reading, stop)) if stop.early else None,
            smallest_slice=SMALLEST_SLICE,
        )
        sums = sums_in(results)["pairs"]
        pairs = {name: reading.pairs(sums, name) for name in measures}
        return Comparison(
            question,
            stop,
            reading.estimates(sums, stop, [end for end in ends if end <= sums.n]),
            {name: worth_of_pairing(found) for name, found in pairs.items()},
            {name: found.differing for name, found in pairs.items()},
            sums.n,
            reading.decision(sums, stop),
            folder,
        )


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
    executor: str | Submits | None = None,
    patience: float | None = None,
    memory: int | None = None,
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
    rules, seed, threads, executor, patience, memory, out, force, progress
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
    asked = ask(
        game,
        first,
        second,
        field=field,
        players=players,
        games=games,
        precision=precision,
        test=test,
        measure=measure,
        rules=rules,
        seed=seed,
    )
    return asked.answer(
        Path(out) / asked.question.name,
        threads=choose_threads(threads),
        where=choose_where(executor, patience, memory),
        force=force,
        progress=progress,
    )


def ask(
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
) -> Asked:
    """Make a comparison ready to be played, see `compare`."""
    from strategies import parse_line_up

    sides = parse_line_up([first, second], check_game(game))
    if len(sides) != 2 or sides[0].spec == sides[1].spec:
        raise InputError(f"a comparison needs two strategies: {first!r} and {second!r} are not two")
    seats = check_players(game, PLAYERS[game] if players is None else players)
    stop = Stop(check_measure(game, measure), precision, test)
    others = parse_line_up(field, game) if field else []
    by_these = choose_rules(game, rules)
    question = Question(
        kind="compare",
        game=game,
        rules=by_these,
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
    return Asked(question, stop, lay_out(by_these, sides, others, seats))


def reopen(path: str | Path) -> Asked:
    """Make a comparison ready that was begun before, from its folder."""
    folder, config = same_question(path, "compare")
    stop = config["stop"]
    asked = ask(
        config["game"],
        config["first"],
        config["second"],
        field=config["field"],
        players=config["players"],
        games=config["games"],
        precision=stop["precision"],
        test=stop["test"] and SequentialTest(**stop["test"]),
        measure=stop["measure"],
        rules=rules_module(config["game"]).from_dict(config["rules"]),
        seed=config["seed"],
    )
    asked.question.check_same(folder)
    return asked


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


def _judge(reading: Reading, stop: Stop) -> Judge:
    """Make a judge who adds up the parts as they come."""
    so_far: CommonSums | None = None

    def judge(tables: Mapping[str, pa.Table]) -> bool:
        nonlocal so_far
        part = sums_of(tables)["pairs"]
        so_far = part if so_far is None else so_far + part
        return reading.enough(so_far, stop)

    return judge
