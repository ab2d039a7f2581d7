"""Noddy solved: rounds of games show how far players come, and each is answered by better play.

A solver's folder is like that of a run: ``run.json`` says what is solved, before anything is
played. Each round is a part, the turns that it counted, and so are games in which is looked ahead.
Whatever follows from them, the table above all, is made anew where it is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from simulate import arrow, store
from simulate.config import rules_module
from simulate.errors import InputError
from simulate.executors import HERE, Where
from simulate.lock import locked
from simulate.noddy import batch
from simulate.noddy.rules import PRESETS, NoddyRules, kernel_rules
from simulate.noddy.solving.hands import all_hands
from simulate.noddy.solving.lookahead import NO_GAIN, look_ahead
from simulate.noddy.solving.progress import STATES, Rows, count_turns
from simulate.noddy.solving.solution import table_of
from simulate.numerals import whole_number
from simulate.question import Question, same_question
from simulate.request import OUT, SEED, choose_rules
from simulate.results import Results
from simulate.runner import folder_of, made
from simulate.version import VERSION
from strategies import load
from strategies.race import RaceTable, file_bytes, read_race

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.runner import Progress
    from strategies import Strategy

    Counts = NDArray[np.int64]

GAMES, ROUNDS, AHEAD = 500_000, 3, 2_000
"""Games of a round, rounds, and games in which is looked ahead, when nothing is said."""

FIRST = "opportunist"
"""Who plays the first round; later ones are played by the table of the round before."""

TURNS, GAINS = "turns", "gains"  # the tables that are kept
FILE, ROUND = "noddy.npz", "round.npz"
SLICE = 10_000
PART = 500
"""Games in which is looked ahead before that is kept."""

SALT = 0x6E6F646479
"""Turns a seed, so that a solver never learns from the games of a run of its seed."""


@dataclass(frozen=True)
class RaceSolution:
    """Noddy, solved.

    Attributes
    ----------
    question : Question
        What was asked.
    race : RaceTable
        The table, and in `about` what it was made from and how good it is.
    path, file : Path
        The folder of the results, and the table's file in it: ``simulate run noddy -s FILE``.
    """

    question: Question
    race: RaceTable
    path: Path
    file: Path

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        about = {name: value for name, value in self.race.about.items() if name != "rules"}
        return {**self.question.to_dict(), **about, "file": str(self.file)}


def solve_noddy(
    *,
    games: int | float | str | None = None,
    rounds: int | str | None = None,
    ahead: int | float | str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
    out: str | Path = OUT,
    force: bool = False,
    progress: Progress | None = None,
) -> RaceSolution:
    """Solve the race of Noddy between two under ``hold``, and measure how near to best it is.

    Parameters
    ----------
    games : int, float or str, optional
        How many games of each round show the progress of players.
    rounds : int or str, optional
        How many rounds.
    ahead : int, float or str, optional
        In how many games is looked ahead, to see what that gains.
    rules : str, mapping or NoddyRules, optional
        Only ``"hold"``, which is the default here.
    seed : int
        Any whole number >= 0. The same seed and numbers give the same table.
    out, force, progress
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything asked for is not allowed.
    """
    asked = ask(games=games, rounds=rounds, ahead=ahead, rules=rules, seed=seed)
    return asked.answer(Path(out) / asked.question.name, force=force, progress=progress)


def ask(
    *,
    games: int | float | str | None = None,
    rounds: int | str | None = None,
    ahead: int | float | str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
) -> AskedRace:
    """Make a solver ready, see `solve_noddy`."""
    chosen = PRESETS["hold"] if rules is None else choose_rules("noddy", rules)
    if chosen != PRESETS["hold"]:
        raise InputError("noddy is solved under the rules hold, unchanged: leave rules out")
    each = whole_number("games", GAMES if games is None else games, 1_000, 10**9)
    number = whole_number("rounds", ROUNDS if rounds is None else rounds, 1, 100)
    looked = whole_number("ahead", AHEAD if ahead is None else ahead, 0, 10**9)
    if looked == 1:
        raise InputError("ahead 1: two games at least say how sure it is, 0 leaves it out")
    question = Question(
        kind="solve",
        game="noddy",
        rules=chosen,
        players=(load(FIRST, "noddy"),),
        seed=seed,
        games=each * number + looked,
        asked={"rounds": number, "ahead": looked},
    )
    return AskedRace(question)


def reopen(path: str | Path) -> AskedRace:
    """Make a solver ready that was begun before, from its folder."""
    folder, config = same_question(path, "solve")
    asked = ask(
        games=(config["games"] - config["ahead"]) // config["rounds"],
        rounds=config["rounds"],
        ahead=config["ahead"],
        rules=rules_module("noddy").from_dict(config["rules"]),
        seed=config["seed"],
    )
    asked.question.check_same(folder)
    return asked


@dataclass(frozen=True)
class AskedRace:
    """A solver ready to begin."""

    question: Question

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return int(self.question.asked["rounds"])

    @property
    def ends(self) -> list[int]:
        """Where each part ends: the rounds, and then the games in which is looked ahead."""
        games, ahead = self.question.games, int(self.question.asked["ahead"])
        each = (games - ahead) // self.rounds
        rounds = [each * number for number in range(1, self.rounds + 1)]
        return [*rounds, *range(games - ahead + PART, games, PART), *([games] if ahead else [])]

    def answer(
        self,
        folder: Path,
        *,
        threads: int = 1,  # noqa: ARG002  (rounds follow each other)
        where: Where = HERE,  # noqa: ARG002
        force: bool = False,
        progress: Progress | None = None,
    ) -> RaceSolution:
        """Play the rounds that are missing, and make the table; what was done before is read."""
        with made(folder), locked(folder):
            if force:
                store.clear(folder)
                (folder / FILE).unlink(missing_ok=True)
            kept_in = self.folder(folder)
            file = folder / FILE
            found = read_whole(file)
            if not (found and Results(kept_in).complete and not store.faults(kept_in)):
                found = Rounds(self.question, kept_in, progress).finish()
            return RaceSolution(self.question, found, folder, file)

    def folder(self, path: Path) -> store.Folder:
        """Open the folder, or begin it."""
        return folder_of(self.question, path, (TURNS, GAINS), self.ends)


class Rounds:
    """Rounds of games, each played by the table that answers the one before."""

    def __init__(self, question: Question, folder: store.Folder, progress: Progress | None) -> None:
        self.question, self.folder, self.progress = question, folder, progress
        self.rules: NoddyRules = question.rules
        self.hands = all_hands(kernel_rules(self.rules))
        self.rounds = int(question.asked["rounds"])
        self.about: dict[str, Any] = {
            "game": "noddy",
            "solved": "the race between two",
            "rules": self.rules.to_dict(),
            "seed": str(question.seed),
            "rounds": self.rounds,
            "games": folder.ends[0],
            "version": VERSION,
        }

    def finish(self) -> RaceTable:
        """Play what is missing, write the table, and return it."""
        player, seed = load(FIRST, "noddy"), self.question.seed ^ SALT
        for number in range(self.rounds):
            moves, races = self.counted(number, player, seed)
            table = table_of(self.hands, moves, races, self.about)
            player = self.written(ROUND, table)
        about = self.about | self.looked_ahead(player, seed + 1)
        solved = self.written(FILE, replace(table, about=about)).race
        (self.folder.path / ROUND).unlink()
        return solved

    def looked_ahead(self, player: Strategy, seed: int) -> dict[str, Any]:
        """Look ahead in the games that are missing; return what it gains in all of them."""
        kept = []
        for part in self.folder.parts[self.rounds :]:
            gains = self.read(GAINS, part)
            if gains is None or self.read(TURNS, part) is None:
                first, last = self.folder.games_of(part)
                before = self.folder.ends[self.rounds - 1]
                found = look_ahead(self.rules, player, seed, first - before, last - before)
                gains = arrow.table(found._asdict())
                store.commit(self.folder, part, {TURNS: NO_TURNS, GAINS: gains})
            kept.append(gains)
            self.told(self.folder.games_of(part)[1])
        if not kept:
            return {}
        gains = pa.concat_tables(kept)
        gain = gains["gain"].to_numpy()
        return {
            "ahead_games": len(gain),
            "ahead_looked": int(np.sum(gains["looked"].to_numpy())),
            "ahead_changed": int(np.sum(gains["changed"].to_numpy())),
            "ahead_gain": float(gain.mean()),
            "ahead_error": float(gain.std(ddof=1) / np.sqrt(len(gain))),
        }

    def told(self, games: int) -> None:
        """Tell how far it is; Ctrl-C is heard there."""
        if self.progress is not None:
            self.progress(games, self.question.games)

    def read(self, name: str, part: int) -> pa.Table | None:
        """Read a table of a part, if it is there and whole."""
        try:
            return store.read(self.folder, name, part)
        except store.DamagedFile:
            return None

    def written(self, name: str, table: RaceTable) -> Strategy:
        """Write a table down, and load it to play."""
        file = self.folder.path / name
        store.keep_file(file, file_bytes(table))
        return load(file, "noddy")

    def counted(self, number: int, player: Strategy, seed: int) -> tuple[Counts, Counts]:
        """Count the turns of a round, or read them."""
        moves = np.zeros((STATES, STATES + 1), np.int64)
        races = np.zeros((STATES, STATES, 2), np.int64)
        start, stop = self.folder.games_of(number)
        kept = self.read(TURNS, number)
        if kept is not None and self.read(GAINS, number) is not None:
            restore(kept, moves, races)
            return moves, races
        job = batch.prepare(self.rules, [player, player], seed)
        for first in range(start, stop, SLICE):
            last = min(first + SLICE, stop)
            rows = batch.play(job, first, last, "turns").rows
            count_turns(self.rules.target, Rows(*(rows[name] for name in Rows._fields)), moves,
                        races)  # fmt: skip
            self.told(last)
        store.commit(self.folder, number, {TURNS: turns_table(moves, races), GAINS: NO_GAINS})
        return moves, races


def turns_table(moves: Counts, races: Counts) -> pa.Table:
    """Write the turns that were counted: a row for each state and each that it met or went to.

    `what` is ``"moved"`` (from a state to a state, or home) or ``"raced"`` (a state against the
    other player's), where `won` says how many of the turns were in games that were won.
    """
    before, after = np.nonzero(moves)
    mine, theirs = np.nonzero(races[:, :, 0])
    won = np.concatenate([np.zeros(len(before), np.int64), races[mine, theirs, 1]])
    return arrow.table(
        {
            "what": np.array(["moved"] * len(before) + ["raced"] * len(mine), np.str_),
            "state": np.concatenate([before, mine]),
            "other": np.concatenate([after, theirs]),
            "turns": np.concatenate([moves[before, after], races[mine, theirs, 0]]),
            "won": won,
        }
    )


def restore(table: pa.Table, moves: Counts, races: Counts) -> None:
    """Read back what `turns_table` wrote."""
    moved = np.array(table["what"].to_pylist()) == "moved"
    state, other, turns, won = (table[name].to_numpy() for name in table.column_names[1:])
    moves[state[moved], other[moved]] = turns[moved]
    races[state[~moved], other[~moved], 0] = turns[~moved]
    races[state[~moved], other[~moved], 1] = won[~moved]


NOTHING = np.zeros((STATES, STATES, 2), np.int64)
NO_TURNS = turns_table(NOTHING[:, :, 0], NOTHING)
NO_GAINS = arrow.table(NO_GAIN._asdict())


def read_whole(file: Path) -> RaceTable | None:
    """Read a table that was kept, if it is there and whole."""
    try:
        return read_race(file, file.read_bytes())
    except (OSError, InputError):
        return None
