"""Everybody against everybody: who wins most, and who takes it from whom."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulate.config import check_game, check_players, rules_module
from simulate.errors import InputError
from simulate.executors import HERE, Where, choose_where
from simulate.meetings import Meetings, draw_tables
from simulate.numerals import whole_number
from simulate.paired import sums_in
from simulate.question import MEASURES, Question, Unit, check_measure, same_question
from simulate.request import OUT, PLAYERS, SEED, choose_rules, choose_threads
from simulate.stats import CommonSums, Estimate, groups, told_apart
from simulate.stats.estimate import t_quantile

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.executors import Submits
    from simulate.runner import Progress
    from strategies import Strategy

GAMES = 1_000_000
MOST_ENTRANTS = 100
SMALLEST_ROUNDS = 200
"""Rounds that every table plays at least: each of them in all its seatings."""

PART_GAMES = 4_000_000
SLICE_ROUNDS = 2_048

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Tournament:
    """How a tournament ended.

    Attributes
    ----------
    question : Question
        What was asked.
    measure : {"net", "score", "wins"}
        What the ranking is by.
    ranking : DataFrame
        A row a strategy, the best first: for ``net`` (or ``score``) and ``wins``, each for one
        seat and one game, the mean and the ends of its 95% interval; ``group``, letters: two that
        share none are told apart, at 95% for all pairs together.
    cross : DataFrame
        A row for every two: ``gain`` of the strategy from the opponent, ``gain_low`` and
        ``gain_high``, half the difference of their results at the tables where both sit. Of two
        players it is what the one takes from the other.
    tables : list of tuple of str
        Who sat together.
    games : int
        Games that were played.
    path : Path
        The folder of the results.
    """

    question: Question
    measure: str
    ranking: pd.DataFrame
    cross: pd.DataFrame
    tables: list[tuple[str, ...]]
    games: int
    path: Path

    @property
    def sentence(self) -> str:
        """The conclusion."""
        first, unit = self.ranking.iloc[0], Unit.of(self.measure)
        equals = self.ranking["strategy"][
            self.ranking["group"].map(lambda letters: bool(set(letters) & set(first["group"])))
        ].tolist()[1:]
        ends = (first[f"{self.measure}_low"], first[f"{self.measure}_high"])
        found = Estimate(first[self.measure], *ends, math.nan, self.games)
        rest = f"cannot be told from it: {', '.join(equals)}" if equals else "all others are worse"
        return (
            f"{first['strategy']} comes first with {unit.level(found)} {unit.name}; {rest} "
            f"(95% for all pairs together)."
        )

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {
            "question": self.question.to_dict(),
            "measure": self.measure,
            "games": self.games,
            "ranking": self.ranking.to_dict("records"),
            "cross": self.cross.to_dict("records"),
            "sentence": self.sentence,
            "path": str(self.path),
        }


def tournament(
    game: str,
    strategies: Sequence[str | Path | Strategy],
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
) -> Tournament:
    """Let strategies play at tables at which every two meet equally often.

    Every table plays the same cards in all its seatings: everybody has had everybody's cards.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    strategies : sequence of str or Path
        Who takes part, at least two; a folder stands for all strategies in it.
    players : int, optional
        How many sit at a table: five in Napalm, two in Noddy when None.
    games : int, float or str
        How many games, of all tables together; rounded down to whole rounds.
    measure : {"net", "score", "wins"}, optional
        What the ranking is by: when None, net stakes in Napalm and games won in Noddy.
    rules, seed, threads, executor, patience, memory, out, force, progress
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything asked for is not allowed.

    Examples
    --------
    >>> simulate.tournament("napalm", ["tight", "bluffer", "listener", "racer"]).ranking
    """
    asked = ask(game, strategies, players=players, games=games, rules=rules, seed=seed)
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
    strategies: Sequence[str | Path | Strategy],
    *,
    players: int | str | None = None,
    games: int | float | str = GAMES,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
) -> Asked:
    """Make a tournament ready to be played, see `tournament`."""
    entrants = choose_entrants(check_game(game), strategies)
    seats = check_players(game, PLAYERS[game] if players is None else players)
    tables = draw_tables(len(entrants), seats)
    wanted = whole_number("games", games, 1)
    least = len(tables) * seats * SMALLEST_ROUNDS
    if wanted < least:
        raise InputError(
            f"games {wanted:,}: {len(entrants)} strategies make {len(tables)} tables, which play "
            f"{SMALLEST_ROUNDS} rounds in {seats} seatings: at least {least:,} games are needed"
        )
    rounds = wanted // (len(tables) * seats)
    question = Question(
        kind="tournament",
        game=game,
        rules=choose_rules(game, rules),
        players=entrants,
        seed=seed,
        games=rounds * len(tables),
        asked={"players": seats, "rounds": rounds, "tables": [list(table) for table in tables]},
    )
    return Asked(question, tables, rounds)


def reopen(path: str | Path) -> Asked:
    """Make a tournament ready that was begun before, from its folder."""
    folder, config = same_question(path, "tournament")
    asked = ask(
        config["game"],
        [slot["spec"] for slot in config["strategies"]],
        players=config["players"],
        games=config["games"] * config["players"],
        rules=rules_module(config["game"]).from_dict(config["rules"]),
        seed=config["seed"],
    )
    asked.question.check_same(folder)
    return asked


@dataclass(frozen=True)
class Asked:
    """A tournament ready to be played."""

    question: Question
    tables: list[tuple[int, ...]]
    rounds: int

    def answer(
        self,
        folder: Path,
        *,
        measure: str | None = None,
        threads: int = 1,
        where: Where = HERE,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Tournament:
        """Play the tournament, or what is missing of it, and read its results."""
        from simulate.runner import run

        question, seats = self.question, len(self.tables[0])
        chosen = check_measure(question.game, measure)
        part = max(SLICE_ROUNDS, PART_GAMES // seats)
        results = run(
            question,
            question.players,
            folder,
            threads=threads,
            where=where,
            force=force,
            progress=progress,
            batch=Meetings(
                question.game,
                question.rules,
                question.players,
                question.seed,
                self.tables,
                self.rounds,
            ),
            ends=[*range(part, question.games, part), question.games],
            smallest_slice=SLICE_ROUNDS,
        )
        sums, entrants = sums_in(results), len(question.players)
        standings = {
            name: Standing.read(name, sums, self.tables, entrants, seats)
            for name in MEASURES[question.game]
        }
        specs = list(question.strategies)
        ranking = rank(specs, standings, chosen)
        order = ranking["strategy"].map(specs.index).to_numpy()
        return Tournament(
            question,
            chosen,
            ranking,
            standings[chosen].cross(specs, order),
            [tuple(specs[member] for member in table) for table in self.tables],
            question.games * seats,
            folder,
        )


def built_ins(game: str) -> list[str | Path | Strategy]:
    """List the built-in strategies of a game, each with its defaults."""
    from strategies import listing

    return list(listing(check_game(game)))


def choose_entrants(game: str, strategies: Sequence[str | Path | Strategy]) -> tuple[Strategy, ...]:
    """Load who takes part; a folder stands for the strategies in it."""
    from strategies import parse_line_up

    specs: list[str | Path | Strategy] = []
    for one in strategies:
        if isinstance(one, str | Path) and Path(one).is_dir():
            found = sorted(
                path
                for path in Path(one).iterdir()
                if path.suffix in (".py", ".toml") and not path.name.startswith(("_", "."))
            )
            if not found:
                raise InputError(f"folder {str(one)!r} has no .py or .toml strategy in it")
            specs += found
        else:
            specs.append(one)
    entrants = parse_line_up(specs, game) if specs else []
    for place, entrant in enumerate(entrants):
        if entrant.spec in [other.spec for other in entrants[:place]]:
            raise InputError(f"strategy {entrant.spec!r} takes part twice: name everybody once")
    if not 2 <= len(entrants) <= MOST_ENTRANTS:
        who = f"{len(entrants)} strategies" if len(entrants) != 1 else f"only {entrants[0].spec!r}"
        raise InputError(f"{who} in a tournament: 2 to {MOST_ENTRANTS} can take part")
    return tuple(entrants)


@dataclass(frozen=True)
class Standing:
    """One measure of all entrants: what each came to, for one seat and one game.

    Attributes
    ----------
    means : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
        Of the means.
    gain, gain_error : ndarray, shape (k, k)
        Half the difference at the tables where both sit, and its standard error.
    rounds : int
        Rounds in all.
    """

    means: FloatArray
    covariance: FloatArray
    gain: FloatArray
    gain_error: FloatArray
    rounds: int

    @classmethod
    def read(
        cls,
        measure: str,
        sums: Mapping[str, CommonSums],
        tables: Sequence[tuple[int, ...]],
        entrants: int,
        seats: int,
    ) -> Standing:
        """Put the tables together; each has cards of its own, so their variances add up."""
        total, places = np.zeros(entrants), np.zeros(entrants)
        scatter = np.zeros((entrants, entrants))
        gain, met, variance = np.zeros((3, entrants, entrants))
        rounds = 0
        for number, table in enumerate(tables):
            found = sums[f"{measure} {number}"]
            members, seated = np.unique(table, return_counts=True)
            rounds += found.n
            covariance = found.covariance() * found.n**2  # of the sums
            total[members] += found.total
            places[members] += seated * found.n * seats
            scatter[np.ix_(members, members)] += covariance
            per_seat = 1 / (seated * seats)
            means = found.means() * per_seat
            between = covariance * np.outer(per_seat, per_seat) / found.n**2
            own = np.diag(between)
            block = np.ix_(members, members)
            gain[block] += (means[:, None] - means[None, :]) / 2
            variance[block] += (own[:, None] + own[None, :] - 2 * between) / 4
            met[block] += 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return cls(
                total / places,
                scatter / np.outer(places, places),
                gain / met,
                np.sqrt(np.maximum(variance, 0)) / met,
                rounds,
            )

    def cross(self, specs: Sequence[str], order: Sequence[int]) -> pd.DataFrame:
        """Make the cross table, in the order of the ranking."""
        t = t_quantile(0.95, self.rounds - 1)
        rows = [
            (specs[one], specs[other], self.gain[one, other], t * self.gain_error[one, other])
            for one in order
            for other in order
            if one != other
        ]
        frame = pd.DataFrame(rows, columns=["strategy", "opponent", "gain", "margin"])
        frame["gain_low"] = frame["gain"] - frame["margin"]
        frame["gain_high"] = frame["gain"] + frame["margin"]
        return frame.drop(columns="margin")


def rank(specs: Sequence[str], standings: Mapping[str, Standing], by: str) -> pd.DataFrame:
    """Make the ranking, with the groups that cannot be told apart."""
    columns: dict[str, Any] = {"strategy": specs}
    for name, standing in standings.items():
        margin = t_quantile(0.95, standing.rounds - 1) * np.sqrt(np.diag(standing.covariance))
        columns[name] = standing.means
        columns[f"{name}_low"] = standing.means - margin
        columns[f"{name}_high"] = standing.means + margin
    main = standings[by]
    apart = told_apart(main.means, main.covariance, main.rounds)
    columns["group"] = groups(main.means, apart)
    frame = pd.DataFrame(columns).sort_values(by, ascending=False, kind="stable")
    return frame.reset_index(drop=True)
