"""How results change with a parameter, a rule or the number of players: a grid on common cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulate.config import check_game, check_players, rules_module
from simulate.errors import InputError, unknown
from simulate.executors import HERE, Where, choose_where
from simulate.paired import PairedTables, Points, Table, sums_in
from simulate.question import (
    MEASURES,
    Question,
    Unit,
    check_measure,
    distinct,
    same_question,
)
from simulate.request import LINE_UP, OUT, PLAYERS, SEED, choose_rules, choose_threads
from simulate.stats import (
    CommonSums,
    Estimate,
    maybe_best,
    mean_interval,
    share_interval,
    simultaneous_quantile,
)
from simulate.vary import Varied, grid, parse_vary, varied_in

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.executors import Submits
    from simulate.results import Results
    from simulate.runner import Progress
    from strategies import Strategy

GAMES = 100_000
PART_PLAYS = 4_000_000
"""Games of all points together in a part."""

SLICE_PLAYS, SLICE_GAMES = 1 << 20, (2_048, 16_384)
"""Games of all points together in a slice; of each, so many that the kernel is kept busy."""

POINTS = "points"

MIN_PLAYERS = 4  # of Napalm, the one game in which strategies may be tables


class Point(NamedTuple):
    """One point of a grid: its table, and whose results are looked at."""

    values: tuple[str, ...]
    table: Table
    chosen: NDArray[np.bool_]


@dataclass(frozen=True)
class Sweep:
    """What came out at each point of a grid.

    Attributes
    ----------
    question : Question
        What was asked.
    varied : tuple of Varied
        What was varied.
    measure : {"net", "score", "wins"}
        What the best point is best in.
    points : DataFrame
        A row a point: a column for each thing that is varied; for ``net`` (or ``score``),
        ``wins`` and ``deals``, each for one seat and one game, the mean and the ends of its 95%
        interval, ``net_low``, ``net_high``; ``best``, and ``maybe_best`` for all points that
        cannot be told from the best, at 95% for all of them together; ``together_low`` and
        ``together_high``, the ends of the interval of `measure` that hold at 95% for all points
        together, and so for whichever is best.
    games : int
        Games at each point, with the same cards at all.
    path : Path
        The folder of the results; the points are kept there as ``points.parquet``.
    """

    question: Question
    varied: tuple[Varied, ...]
    measure: str
    points: pd.DataFrame
    games: int
    path: Path

    @property
    def best(self) -> pd.Series:
        """The row of the best point."""
        return self.points[self.points["best"]].iloc[0]

    @property
    def sentence(self) -> str:
        """The conclusion."""
        best, unit = self.best, Unit.of(self.measure)
        ends = (best["together_low"], best["together_high"])  # picked for being the greatest
        found = Estimate(best[self.measure], *ends, math.nan, self.games)
        equals = int(self.points["maybe_best"].sum()) - 1
        rest = len(self.points) - 1 - equals
        others = f"{equals} of the other {equals + rest} points cannot be told from it"
        if equals + rest == 1:
            others = "the other point cannot be told from it"
        return (
            f"Best is {self.named(best)}: {unit.level(found)} {unit.name}; "
            f"{others if equals else 'every other point is worse'} "
            f"(95% for all points together)."
        )

    def named(self, point: pd.Series) -> str:
        """Name a point by what is varied."""
        return ", ".join(f"{each.target}={point[each.target]}" for each in self.varied)

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        rows = self.points.to_dict("records")
        return {
            "question": self.question.to_dict(),
            "measure": self.measure,
            "games": self.games,
            "points": [{name: plain(value) for name, value in row.items()} for row in rows],
            "sentence": self.sentence,
            "path": str(self.path),
        }


def sweep(
    game: str,
    vary: str | Varied | Sequence[str | Varied],
    *,
    strategies: Sequence[str | Strategy] | None = None,
    field: str | Strategy | Sequence[str | Strategy] | None = None,
    of: str | int | None = None,
    players: int | str | None = None,
    games: int | float | str = GAMES,
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
) -> Sweep:
    """Play the same games at every point of a grid.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    vary : str or sequence of str
        One or two of: ``"threshold.stage1=0.5:0.95:0.05"``, a parameter of all who play a
        strategy; ``"0.stage1=0.5:0.95:0.05"``, of one place of the line-up;
        ``"rule.target=3:7"``; ``"players=4:7"``.
    strategies : sequence of str, optional
        The line-up. When None, the strategies that are varied, each once, or a sensible line-up.
    field : str or sequence of str, optional
        Who takes the seats that are left, in turn, and is never varied. When None and no line-up
        is named, the first strategy that is varied, as it is by default.
    of : str or int, optional
        Whose results are looked at: a strategy, or a place of the line-up. When None, the first
        that is varied, or else the first of the line-up.
    players : int, optional
        How many sit at the table: as many as there are strategies, or five in Napalm and two in
        Noddy.
    games : int, float or str
        How many games at each point.
    measure : {"net", "score", "wins"}, optional
        What the best point is best in: when None, net stakes in Napalm and games won in Noddy.
    rules, seed, threads, executor, patience, memory, out, force, progress
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything asked for is not allowed.

    Examples
    --------
    >>> simulate.sweep("napalm", "threshold.stage1=0.5:0.95:0.05").points
    """
    asked = ask(
        game,
        vary,
        strategies=strategies,
        field=field,
        of=of,
        players=players,
        games=games,
        rules=rules,
        seed=seed,
    )
    return asked.answer(
        Path(out) / asked.question.name,
        measure=measure,
        threads=choose_threads(threads),
        where=choose_where(executor, patience, memory),
        force=force,
        progress=progress,
    )


def ask(
    game: str,
    vary: str | Varied | Sequence[str | Varied],
    *,
    strategies: Sequence[str | Strategy] | None = None,
    field: str | Strategy | Sequence[str | Strategy] | None = None,
    of: str | int | None = None,
    players: int | str | None = None,
    games: int | float | str = GAMES,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
) -> Asked:
    """Make a sweep ready to be played, see `sweep`."""
    check_game(game)
    texts = [vary] if isinstance(vary, str | Varied) else list(vary)
    varied = tuple(text if isinstance(text, Varied) else parse_vary(text) for text in texts)
    line_up = choose_varied_line_up(game, varied, strategies, field, players)
    base = choose_rules(game, rules)
    slots = line_up.slots_of(str(of)) if of is not None else line_up.looked_at(varied)
    question = Question(
        kind="sweep",
        game=game,
        rules=base,
        players=distinct([line_up.named, line_up.field]),
        seed=seed,
        games=games,  # type: ignore[arg-type]  # Question reads and checks it
        asked={
            "vary": [{"target": each.target, "values": list(each.values)} for each in varied],
            "line_up": [strategy.spec for strategy in line_up.named],
            "field": [strategy.spec for strategy in line_up.field],
            "players": line_up.seats,
            "of": slots,
        },
    )
    return Asked(question, varied, make_points(game, base, line_up, varied, slots))


def reopen(path: str | Path) -> Asked:
    """Make a sweep ready that was begun before, from its folder."""
    folder, config = same_question(path, "sweep")
    asked = ask(
        config["game"],
        varied_in(config),
        strategies=config["line_up"],
        field=config["field"],
        of=",".join(map(str, config["of"])),
        players=config["players"],
        games=config["games"],
        rules=rules_module(config["game"]).from_dict(config["rules"]),
        seed=config["seed"],
    )
    asked.question.check_same(folder)
    return asked


@dataclass(frozen=True)
class Asked:
    """A sweep ready to be played."""

    question: Question
    varied: tuple[Varied, ...]
    points: list[Point]

    def answer(
        self,
        folder: Path,
        *,
        measure: str | None = None,
        threads: int = 1,
        where: Where = HERE,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Sweep:
        """Play the sweep, or what is missing of it, and read its results."""
        chosen = check_measure(self.question.game, measure)
        results = play_points(
            self.question,
            self.points,
            folder,
            threads=threads,
            where=where,
            force=force,
            progress=progress,
        )
        sums = sums_in(results)
        frame = read_points(self.varied, self.points, sums, chosen)
        keep_points(folder, frame)
        return Sweep(self.question, self.varied, chosen, frame, sums[chosen].n, folder)


@dataclass(frozen=True)
class VariedLineUp:
    """Who plays: those who may be varied, and who fills the table up."""

    named: list[Strategy]
    field: list[Strategy]
    seats: int

    def at(self, seats: int) -> list[Strategy]:
        """Return the line-up of a table of so many seats."""
        missing = seats - len(self.named)
        if missing < 0:
            raise InputError(f"{len(self.named)} strategies for {seats} players")
        if missing and not self.field:
            raise InputError(
                f"{len(self.named)} strategies for {seats} players: name a field to fill the table"
            )
        return [*self.named, *(self.field[place % len(self.field)] for place in range(missing))]

    def slots_of(self, player: str) -> list[int]:
        """Return the places of a strategy, named by its name, its spec or a place."""
        if player.replace(",", "").isdecimal():
            for place in player.split(","):
                if int(place) >= len(self.named):
                    last = len(self.named) - 1
                    raise InputError(f"place {place} of the line-up: allowed is 0 to {last}")
            return [int(place) for place in player.split(",")]
        places = [slot for slot, one in enumerate(self.named) if player in (one.name, one.spec)]
        if not places:
            raise unknown(
                "strategy of the line-up", player, dict.fromkeys(s.name for s in self.named)
            )
        return places

    def looked_at(self, varied: Sequence[Varied]) -> list[int]:
        """Return the places of the first player that is varied, or the first place."""
        player = next((each.player for each in varied if each.player is not None), "0")
        return self.slots_of(player)


def choose_varied_line_up(
    game: str,
    varied: Sequence[Varied],
    strategies: Sequence[str | Strategy] | None,
    field: str | Strategy | Sequence[str | Strategy] | None,
    players: int | str | None,
) -> VariedLineUp:
    """Choose who plays in a sweep, see `sweep`."""
    from strategies import parse_line_up

    others = parse_line_up(field, game) if field else []
    wanted = None if players is None else check_players(game, players)
    if strategies is not None:
        named = parse_line_up(strategies, game)
        seats = wanted or (PLAYERS[game] if others else len(named))
        return VariedLineUp(named, others, max(seats, len(named)) if not wanted else seats)
    seats = wanted or PLAYERS[game]
    players_varied = [each.player for each in varied if each.player is not None]
    if not players_varied:
        return VariedLineUp(parse_line_up(LINE_UP[game][:seats], game), others, seats)
    if any(player.isdecimal() for player in players_varied):
        raise InputError(f"place {players_varied[0]} of the line-up is varied: name the line-up")
    named = parse_line_up(list(dict.fromkeys(players_varied)), game)
    return VariedLineUp(named, others or named[:1], seats)


def with_defaults(strategy: Strategy) -> Strategy:
    """Load a strategy as it is when none of its parameters is given."""
    from strategies import load
    from strategies.spec import parse_spec

    return load(parse_spec(strategy.spec).head, strategy.game)


def with_parameter(strategy: Strategy, plain: Strategy, name: str, value: str) -> Strategy:
    """Return a strategy with another value of one parameter.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    plain : Strategy
        From `with_defaults`: many variants are made without reading its file once more.
    name, value : str
        The parameter, and its value as text.
    """
    from strategies.spec import bind, canonical, parse_spec

    head = parse_spec(strategy.spec).head
    params = {**strategy.params, name: bind(head, plain.params, {name: value})[name]}
    varied = replace(strategy, spec=canonical(head, params, plain.params), params=params)
    if varied.kind == "toml":
        varied.table(MIN_PLAYERS)  # refuses parameters that are no shares
    return varied


def with_rule(game: str, rules: Any, name: str, value: str) -> Any:
    """Return rules in which one field has another value, given as text."""
    module = rules_module(game)
    changed = module.parse_value(name, value)
    fields = {key: field for key, field in rules.to_dict().items() if key != "preset"}
    return module.make_rules(overrides={**flat(fields), name: changed})


def flat(fields: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Write nested fields as ``stage1.penalty``."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


def varied_slots(line_up: VariedLineUp, varied: Sequence[Varied]) -> list[int]:
    """Return the places whose parameters are varied."""
    players = [each.player for each in varied if each.player is not None]
    return sorted({slot for player in players for slot in line_up.slots_of(player)})


def make_points(
    game: str,
    rules: Any,
    line_up: VariedLineUp,
    varied: Sequence[Varied],
    slots: Sequence[int],
) -> list[Point]:
    """Make the table of every point."""
    points = []
    plain = {slot: with_defaults(line_up.named[slot]) for slot in varied_slots(line_up, varied)}
    for values in grid(tuple(varied)):
        here, by_these, seats = replace(line_up, named=list(line_up.named)), rules, line_up.seats
        for each, value in zip(varied, values, strict=True):
            if each.rule is not None:
                by_these = with_rule(game, by_these, each.rule, value)
            elif each.player is None:
                seats = check_players(game, value)
            else:
                for slot in line_up.slots_of(each.player):
                    one = here.named[slot]
                    here.named[slot] = with_parameter(one, plain[slot], each.parameter, value)
        players = here.at(seats)
        chosen = np.isin(np.arange(seats), slots)
        points.append(Point(values, Table(by_these, tuple(players)), chosen))
    return points


def play_points(
    question: Question,
    points: Sequence[Point],
    folder: Path,
    *,
    threads: int = 1,
    where: Where = HERE,
    force: bool = False,
    progress: Progress | None = None,
    part: int | None = None,
) -> Results:
    """Play every point, or what is missing of it, in parts of so many games."""
    from simulate.runner import run

    least, most = SLICE_GAMES
    slice_games = max(least, min(most, SLICE_PLAYS // len(points)))
    part = part or max(slice_games, PART_PLAYS // len(points))
    return run(
        question,
        question.players,
        folder,
        threads=threads,
        where=where,
        force=force,
        progress=progress,
        batch=PairedTables(
            question.game,
            [point.table for point in points],
            Points(MEASURES[question.game], [point.chosen for point in points]),
        ),
        ends=[*range(part, question.games, part), question.games],
        smallest_slice=slice_games,
    )


def read_points(
    varied: Sequence[Varied],
    points: Sequence[Point],
    sums: Mapping[str, CommonSums],
    measure: str,
) -> pd.DataFrame:
    """Make the table of the points, with the best and those that cannot be told from it."""
    columns: dict[str, Any] = {}
    for place, each in enumerate(varied):
        value = dict(zip(each.values, each.column, strict=True))
        columns[each.target] = [value[point.values[place]] for point in points]
    share = np.array([1.0 / point.chosen.sum() for point in points])
    for name, found in sums.items():
        scale = np.ones(len(points)) if name == "deals" else share
        for point in range(len(points)):
            total, squares = found.total[point], found.products[point, point]
            one = (
                share_interval(int(total), found.n)
                if name == "wins"
                else mean_interval(found.n, total, squares)
            ).scaled(scale[point])
            for column, number in zip((name, f"{name}_low", f"{name}_high"), one, strict=False):
                columns.setdefault(column, []).append(number)
    means = sums[measure].means() * share
    covariance = sums[measure].covariance() * np.outer(share, share)
    margins = simultaneous_quantile(covariance, sums[measure].n) * np.sqrt(np.diag(covariance))
    columns |= {"together_low": means - margins, "together_high": means + margins}
    columns["games"] = [sums[measure].n] * len(points)
    columns["best"] = np.arange(len(points)) == means.argmax()
    columns["maybe_best"] = maybe_best(means, covariance, sums[measure].n)
    return pd.DataFrame(columns)


def keep_points(path: Path, points: pd.DataFrame) -> None:
    """Keep the table of the points beside what it was made from."""
    import pyarrow as pa

    from simulate.store import keep_table

    keep_table(path, POINTS, pa.Table.from_pandas(points, preserve_index=False))


def plain(value: Any) -> Any:
    """Return a value of a table as JSON takes it."""
    return value.item() if isinstance(value, np.generic) else value
