"""The point at which everybody can play alike: no own change of the parameters pays.

All players but one, the hero, play a strategy with the parameters p; the hero plays it with q, and
u(q; p) is what he makes of a game. A symmetric equilibrium is a point p at which u(q; p) is
greatest for q = p.

The search has three steps, each on common cards:

1. *Following the incentive.* At p the hero tries each parameter a step higher and a step lower.
   Whatever pays is done by all, in steps that are halved when they turn back.
2. *The zero of the incentive.* Around the point that this leads to, the incentive, what a small
   step up gains over one down, is a linear function of p, near enough. Its zero is looked for
   several times, each time on cards of its own; the mean is the estimate.
3. *The proof.* On fresh cards the hero tries every value of every parameter, and all steps at
   once. If one of them pays for certain, it was no equilibrium: the search starts again from
   there, and gives up after a few times.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulate import arrow, store
from simulate.config import check_game, check_players, rules_module
from simulate.errors import InputError
from simulate.executors import HERE, Where, choose_where
from simulate.paired import Table, sums_in
from simulate.question import Question, Unit, check_measure, same_question
from simulate.request import OUT, PLAYERS, SEED, choose_rules, choose_threads
from simulate.results import Results
from simulate.runner import folder_of, made
from simulate.stats import CommonSums, Estimate, simultaneous_quantile
from simulate.stats.estimate import t_quantile
from simulate.sweeping import Point, play_points, with_defaults, with_parameter
from simulate.vary import Varied, parse_vary, varied_in

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.executors import Submits
    from simulate.runner import Progress
    from strategies import Strategy

GAMES = 100_000
DEVIATIONS = "deviations"  # the table that is kept
SMALLEST_GAMES = 20_000
MOST_PARAMETERS = 4
COPIES = 5  # sets of cards on which the zero is looked for
SEARCH_SHARE = 5  # a step of the search takes this part of the games
MOST_STEPS, MOST_MOVES, MOST_STARTS = 40, 6, 3
CERTAIN = 2.0  # standard errors from which on an incentive is followed
FINE = 0.25  # of a step: what a hero changes where the zero of the incentive is looked for
SPREAD = (0.25, 0.5)  # of a step: how far apart the fields are there
REACH = 1.0  # steps: how far away a zero is believed
DIGITS = 5  # of a parameter

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Equilibrium:
    """What the search for a symmetric equilibrium came to.

    Attributes
    ----------
    question : Question
        What was asked.
    measure : {"net", "score", "wins"}
        What pays.
    strategy : str
        Who plays, with the values of the estimate.
    found : bool
        Whether no change that was tried pays for certain.
    point : dict of str to Estimate
        By parameter, the value and its 95% interval.
    edges : tuple of str
        Parameters that stand at an end of their range, and would go further.
    deviations : DataFrame
        What a hero gains by playing otherwise: a column for each parameter; ``gain``,
        ``gain_low`` and ``gain_high``, at 95% for all rows together.
    games : int
        Games of every deviation.
    path : Path
        The folder of the results; the deviations are kept there.
    """

    question: Question
    measure: str
    strategy: str
    found: bool
    point: dict[str, Estimate]
    edges: tuple[str, ...]
    deviations: pd.DataFrame
    games: int
    path: Path

    @property
    def temptation(self) -> pd.Series:
        """The deviation that gains most."""
        return self.deviations.loc[self.deviations["gain"].idxmax()]

    @property
    def sentence(self) -> str:
        """The conclusion."""
        unit, most = Unit.of(self.measure), self.temptation
        hero = ", ".join(f"{name}={most[name]:g}" for name in self.point)
        found = Estimate(most["gain"], most["gain_low"], most["gain_high"], math.nan, self.games)
        gain = f"{hero} gains {unit.signed(found)} {unit.name}"
        bound = unit.scale * self.deviations["gain_high"].max()
        if not self.found:
            return f"No symmetric equilibrium was found: against {self.strategy}, {gain}."
        text = (
            f"Nobody gains by leaving {self.strategy}, as far as can be told: of "
            f"{len(self.deviations)} changes tried {gain}, and none more than {bound:.2g} "
            f"(95% for all together)."
        )
        if self.edges:
            text += (
                f" At the end of its range: {', '.join(self.edges)}; a wider one may go further."
            )
        return text

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {
            "question": self.question.to_dict(),
            "strategy": self.strategy,
            "found": self.found,
            "point": {name: estimate._asdict() for name, estimate in self.point.items()},
            "edges": list(self.edges),
            "deviations": self.deviations.to_dict("records"),
            "games": self.games,
            "sentence": self.sentence,
            "path": str(self.path),
        }


@dataclass(frozen=True)
class Box:
    """The parameters that are searched, each with its range and the step of its grid."""

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    step: FloatArray
    grids: tuple[FloatArray, ...]

    def clip(self, point: FloatArray) -> FloatArray:
        """Return the nearest point in range, in as many digits as are told apart."""
        clipped: FloatArray = np.clip(point, self.low, self.high).round(DIGITS)
        return clipped

    def around(self, point: FloatArray, share: float) -> list[tuple[FloatArray, FloatArray]]:
        """Return for each parameter the point with a share of a step more, and less."""
        steps = np.diag(share * self.step)
        return [(self.clip(point + step), self.clip(point - step)) for step in steps]


def find_equilibrium(
    game: str,
    vary: str | Varied | Sequence[str | Varied],
    *,
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
) -> Equilibrium:
    """Look for the symmetric equilibrium of one strategy's parameters.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    vary : str or sequence of str
        Up to four parameters of one strategy with the ranges to search, such as
        ``"threshold.stage1=0.4:0.95:0.05"``; the step is the change that a player may try.
    players : int, optional
        How many sit at the table: five in Napalm, two in Noddy when None.
    games : int, float or str
        How many games each change is tried in, at least 20,000.
    measure : {"net", "score", "wins"}, optional
        What pays: when None, net stakes in Napalm and games won in Noddy.
    rules, seed, threads, executor, patience, memory, out, force, progress
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything asked for is not allowed.

    Examples
    --------
    >>> simulate.find_equilibrium("napalm", "threshold.stage1=0.5:0.9:0.05").point
    """
    asked = ask(game, vary, players=players, games=games, measure=measure, rules=rules, seed=seed)
    return asked.answer(
        Path(out) / asked.question.name,
        threads=choose_threads(threads),
        where=choose_where(executor, patience, memory),
        force=force,
        progress=progress,
    )


def ask(
    game: str,
    vary: str | Varied | Sequence[str | Varied],
    *,
    players: int | str | None = None,
    games: int | float | str = GAMES,
    measure: str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
) -> Asked:
    """Make a search ready, see `find_equilibrium`."""
    check_game(game)
    texts = [vary] if isinstance(vary, str | Varied) else list(vary)
    varied = [text if isinstance(text, Varied) else parse_vary(text) for text in texts]
    strategy, box = read_box(game, varied)
    question = Question(
        kind="equilibrium",
        game=game,
        rules=choose_rules(game, rules),
        players=(strategy,),
        seed=seed,
        games=games,  # type: ignore[arg-type]  # Question reads and checks it
        asked={
            "vary": [{"target": each.target, "values": list(each.values)} for each in varied],
            "players": check_players(game, PLAYERS[game] if players is None else players),
            "measure": check_measure(game, measure),
        },
    )
    if question.games < SMALLEST_GAMES:
        raise InputError(
            f"games {question.games:,}: every step of the search for an equilibrium takes at "
            f"least {SMALLEST_GAMES:,}"
        )
    return Asked(question, box)


def reopen(path: str | Path) -> Asked:
    """Make a search ready that was begun before, from its folder."""
    folder, config = same_question(path, "equilibrium")
    asked = ask(
        config["game"],
        varied_in(config),
        players=config["players"],
        games=config["games"],
        measure=config["measure"],
        rules=rules_module(config["game"]).from_dict(config["rules"]),
        seed=config["seed"],
    )
    asked.question.check_same(folder)
    return asked


@dataclass(frozen=True)
class Asked:
    """A search ready to begin."""

    question: Question
    box: Box

    def answer(
        self,
        folder: Path,
        *,
        threads: int = 1,
        where: Where = HERE,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Equilibrium:
        """Search, or go on where the search was interrupted."""
        with where.kept() as kept:  # a search has many steps
            return Search(self.question, self.box, folder, threads, kept, force, progress).run()


def read_box(game: str, varied: Sequence[Varied]) -> tuple[Strategy, Box]:
    """Read which strategy is searched, and where."""
    from strategies import load

    if not 1 <= len(varied) <= MOST_PARAMETERS:
        raise InputError(f"{len(varied)} parameters are searched: 1 to {MOST_PARAMETERS} can be")
    names = {each.player for each in varied}
    if len(names) > 1 or None in names:
        raise InputError("an equilibrium is that of one strategy's parameters, and of nothing else")
    if len({each.target for each in varied}) < len(varied):
        raise InputError("a parameter is named twice")
    strategy = load(str(varied[0].player), game)
    for each in varied:
        plain = with_defaults(strategy)
        with_parameter(strategy, plain, each.parameter, each.values[0])  # says if there is none
        if type(strategy.params[each.parameter]) is not float:
            raise InputError(f"{each.target} takes no fractions: no equilibrium is looked for")
        if len(each.values) < 3:
            raise InputError(f"{each.target} has {len(each.values)} values: a search needs three")
    grids = tuple(np.sort(np.array(each.values, float)) for each in varied)
    return strategy, Box(
        tuple(each.parameter for each in varied),
        np.array([grid[0] for grid in grids]),
        np.array([grid[-1] for grid in grids]),
        np.array([np.diff(grid).max() for grid in grids]),
        grids,
    )


@dataclass
class Search:
    """One search; every step keeps its results in a folder of its own, so that it can go on."""

    question: Question
    box: Box
    path: Path
    threads: int
    where: Where
    force: bool
    progress: Progress | None
    steps: int = 0

    @cached_property
    def plain(self) -> Strategy:
        """The strategy as it is when no parameter is given."""
        return with_defaults(self.question.players[0])

    def run(self) -> Equilibrium:
        """Search, prove, start again where the proof fails, and keep what was tried in the end."""
        folder = self.folder()
        point = self.box.clip((self.box.low + self.box.high) / 2)
        for _ in range(MOST_STARTS):
            point = self.follow(point)
            estimate, errors, edges = self.zero(point)
            found = self.prove(estimate, errors, edges)
            if found.found:
                break
            point = found.temptation[list(self.box.names)].to_numpy(float)
        if not Results(folder).complete:
            columns = {name: column.to_numpy() for name, column in found.deviations.items()}
            store.commit(folder, 0, {DEVIATIONS: arrow.table(columns)})
        return found

    def folder(self) -> store.Folder:
        """Open the folder of the search, or begin it."""
        with made(self.path):
            if self.force:
                store.clear(self.path)
            return folder_of(self.question, self.path, (DEVIATIONS,))

    def follow(self, point: FloatArray) -> FloatArray:
        """Follow the incentive until its steps are shorter than a quarter of the grid's."""
        games = max(2_000, self.question.games // SEARCH_SHARE)
        stride = np.maximum(self.box.step, (self.box.high - self.box.low) / 8)
        before = np.zeros(len(point))
        for _ in range(MOST_STEPS):
            gain, error = self.incentive(point, games)
            towards = np.where(np.abs(gain) > CERTAIN * error, np.sign(gain), 0.0)
            stride = np.where(towards * before > 0, stride, stride / 2)
            following = self.box.clip(point + towards * stride)
            if not towards.any() or np.all(stride < self.box.step / 4):
                break
            if np.array_equal(following, point):  # all that is left points out of the box
                break
            point, before = following, towards
        return point

    def incentive(self, point: FloatArray, games: int) -> tuple[FloatArray, FloatArray]:
        """Return for each parameter what one step up gains over one step down, with its error."""
        heroes = [hero for pair in self.box.around(point, 1.0) for hero in pair]
        sums = self.play([(hero, point) for hero in heroes], games, self.question.seed)
        weights = np.kron(np.eye(len(point)), [1.0, -1.0])
        covariance = weights @ sums.covariance() @ weights.T
        return weights @ sums.means(), np.sqrt(np.diag(covariance))

    def zero(self, point: FloatArray) -> tuple[FloatArray, FloatArray, list[int]]:
        """Return the zero of the incentive near a point, its errors, and who is held by an end.

        Found several times over, each time on other cards: how far that scatters is the error.
        """
        found, held = zip(*(self.zero_once(point, copy) for copy in range(COPIES)), strict=True)
        often = [sum(place in one for one in held) for place in range(len(point))]
        ends = [place for place, times in enumerate(often) if 2 * times > COPIES]
        errors = np.std(found, axis=0, ddof=1) / math.sqrt(COPIES)
        return self.box.clip(np.mean(found, axis=0)), errors, ends

    def zero_once(self, point: FloatArray, copy: int) -> tuple[FloatArray, list[int]]:
        """Return the zero of the incentive on one set of cards, and who is held by an end."""
        games, seed = self.question.games // COPIES, self.question.seed + 1 + copy
        for _ in range(MOST_MOVES):
            pairs = [pair for share in SPREAD for pair in self.box.around(point, share)]
            fields = [point, *(field for pair in pairs for field in pair)]
            tables = [
                (hero, field)
                for field in fields
                for pair in self.box.around(field, FINE)
                for hero in pair
            ]
            sums = self.play(tables, games, seed)
            estimate, held = Fit(self.box, np.array(fields)).zero(sums)
            far = np.abs(estimate - point) > SPREAD[0] * self.box.step
            point = self.box.clip(estimate)
            if not far.any():
                break
        return point, held

    def prove(self, point: FloatArray, errors: FloatArray, edges: Sequence[int]) -> Equilibrium:
        """Let a hero try everything else on fresh cards."""
        tried = deviations(self.box, point)
        sums = self.play(
            [(hero, point) for hero in [point, *tried]],
            self.question.games,
            self.question.seed + 1 + COPIES,
        )
        weights = np.hstack([-np.ones((len(tried), 1)), np.eye(len(tried))])
        gains, covariance = weights @ sums.means(), weights @ sums.covariance() @ weights.T
        margins = simultaneous_quantile(covariance, sums.n) * np.sqrt(np.diag(covariance))
        frame = pd.DataFrame(tried, columns=list(self.box.names))
        frame = frame.assign(gain=gains, gain_low=gains - margins, gain_high=gains + margins)
        t = t_quantile(0.95, COPIES - 1)
        values = dict(zip(self.box.names, zip(point, errors, strict=True), strict=True))
        return Equilibrium(
            question=self.question,
            measure=str(self.question.asked["measure"]),
            strategy=self.variant(point).spec,
            found=bool(np.all(frame["gain_low"] <= 0)),
            point={
                name: interval(float(value), float(error), t, sums.n)
                for name, (value, error) in values.items()
            },
            edges=tuple(self.box.names[place] for place in edges),
            deviations=frame,
            games=sums.n,
            path=self.path,
        )

    def variant(self, point: FloatArray) -> Strategy:
        """Load the strategy with the parameters of a point."""
        strategy = self.question.players[0]
        for name, value in zip(self.box.names, point, strict=True):
            strategy = with_parameter(strategy, self.plain, name, f"{value:.{DIGITS}f}")
        return strategy

    def play(
        self, tables: Sequence[tuple[FloatArray, FloatArray]], games: int, seed: int
    ) -> CommonSums:
        """Play a hero in a field at each table, all with the same cards."""
        seats = int(self.question.asked["players"])
        points = []
        for hero, field in tables:
            others = [self.variant(field)] * (seats - 1)
            table = Table(self.question.rules, (self.variant(hero), *others))
            points.append(Point((), table, np.arange(seats) == 0))
        step = Question(
            kind="step",
            game=self.question.game,
            rules=self.question.rules,
            players=self.question.players,
            seed=seed,
            games=games,
            asked={"tables": [[list(hero), list(field)] for hero, field in tables]},
        )
        folder = self.path / f"step-{self.steps:02d}"
        self.steps += 1
        results = play_points(
            step,
            points,
            folder,
            threads=self.threads,
            where=self.where,
            force=self.force,
            progress=self.progress,
        )
        return sums_in(results)[str(self.question.asked["measure"])]


@dataclass(frozen=True)
class Fit:
    """The incentive as a linear function of the point at which all play."""

    box: Box
    fields: FloatArray

    def zero(self, sums: CommonSums) -> tuple[FloatArray, list[int]]:
        """Return where the incentive is zero, and which parameters are held by an end.

        A zero is not looked for more than `REACH` steps away. A parameter is held by the end of
        its range beyond which the zero lies; then the others are solved for once more.
        """
        k, step = len(self.box.names), self.box.step
        pairs = sums.means().reshape(len(self.fields), k, 2)
        centre = self.fields[0]
        design = np.hstack([np.ones((len(self.fields), 1)), (self.fields - centre) / step])
        fitted = np.linalg.lstsq(design, pairs[:, :, 0] - pairs[:, :, 1], rcond=None)[0]
        level, slopes = fitted[0], fitted[1:].T
        ends: dict[int, float] = {}
        while True:
            free = [place for place in range(k) if place not in ends]
            change = np.zeros(k)
            for place, end in ends.items():
                change[place] = (end - centre[place]) / step[place]
            rest = -(level + slopes @ change)[free]
            zero = np.linalg.lstsq(slopes[np.ix_(free, free)], rest, rcond=None)[0]
            change[free] = np.clip(zero, -REACH, REACH)
            estimate = centre + change * step
            beyond = {p: self.box.low[p] for p in free if estimate[p] < self.box.low[p]}
            beyond |= {p: self.box.high[p] for p in free if estimate[p] > self.box.high[p]}
            if not beyond:
                return estimate, list(ends)
            ends |= beyond


def interval(value: float, error: float, t: float, n: int) -> Estimate:
    """Return an estimate with an interval of t standard errors to both sides."""
    return Estimate(value, value - t * error, value + t * error, error, n)


def deviations(box: Box, point: FloatArray) -> list[FloatArray]:
    """List what a hero tries: each parameter alone over its grid, and all small steps at once."""
    tried = []
    for place, grid in enumerate(box.grids):
        for value in grid:
            hero = point.copy()
            hero[place] = value
            tried.append(hero)
    tried += [hero for pair in box.around(point, FINE) for hero in pair]
    all_signs = product((-1, 0, 1), repeat=len(point))
    tried += [box.clip(point + np.array(signs) * box.step) for signs in all_signs]
    distinct = {tuple(hero): hero for hero in tried if not np.array_equal(hero, point)}
    return list(distinct.values())
