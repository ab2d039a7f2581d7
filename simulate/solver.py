"""Napalm solved: everybody learns one deal for money until nobody could do much better.

A solver's folder is like that of a run: ``run.json`` says what is solved, before anything is dealt.
What has been learned so far is kept in ``learned.parquet``, the strategy in an `.npz` file, and in
the end what the best replies gained in a part of its own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from simulate import arrow, store
from simulate.config import check_game, check_players, rules_module
from simulate.errors import InputError
from simulate.executors import HERE, Where
from simulate.game_solver import AskedGame, GameSolution, ask_game
from simulate.lock import locked
from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.proof import PROVED, TRAINED, Proof, deals_of, prove
from simulate.napalm.solving.school import (
    CLASSES,
    POWER,
    SLIP,
    School,
    Setting,
    check_rules,
)
from simulate.napalm.solving.solution import kept, solution
from simulate.numerals import whole_number
from simulate.question import Question, same_question
from simulate.request import OUT, SEED, choose_rules, choose_threads
from simulate.results import Results
from simulate.runner import folder_of, made
from strategies.solved import Solved, file_bytes, read_solved

if TYPE_CHECKING:
    from simulate.config import Rules
    from simulate.runner import Progress

DEALS = 16_000_000
"""How many deals are learned from when nothing is said, before they are rounded up to blocks."""

MOST_DEALS = 1 << 39
"""Beyond them come those on which the proof is held."""

PLAYERS = 5
LEARNED, REPLIES = "learned", "replies"  # the tables that are kept
KEPT_EVERY = 10.0
"""Seconds after which what has been learned is kept again."""


@dataclass(frozen=True)
class Solution:
    """A deal, solved.

    Attributes
    ----------
    question : Question
        What was asked.
    solved : Solved
        The strategy, and how near to best it is.
    deals : int
        How many deals it was learned from.
    path : Path
        The folder of the results.
    file : Path
        The strategy's file in it: ``simulate run napalm -s FILE*5``.
    """

    question: Question
    solved: Solved
    deals: int
    path: Path
    file: Path

    @property
    def complete(self) -> bool:
        """Whether it was learned from as many deals as were asked for."""
        return self.deals >= self.question.games

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        about = {name: value for name, value in self.solved.about.items() if name != "rules"}
        return {
            **self.question.to_dict(),
            **about,
            "deals": self.deals,
            "complete": self.complete,
            "file": str(self.file),
        }


def solve(
    game: str = "napalm",
    *,
    players: int | str | None = None,
    deals: int | float | str | None = None,
    minutes: float | str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
    threads: int | None = None,
    out: str | Path = OUT,
    force: bool = False,
    progress: Progress | None = None,
    deal: bool = False,
) -> Solution | GameSolution:
    """Solve a whole game of Napalm, or one deal for money, and prove how near to best that is.

    Everybody learns from the same deals what each of his words would have brought
    (external-sampling CFR with linear weights). Then a best reply of each player to
    all others is trained on deals of its own, and scored on others: what all of them gain together
    (NashConv) is 0 in an equilibrium. What is measured is a lower bound of it. Replies are trained
    on two million deals and scored on one, or on as many as were learned from if these are fewer.

    Parameters
    ----------
    game : str
        ``"napalm"``.
    players : int, optional
        4 to 7; 5 when None.
    deals : int, float or str, optional
        How many deals are learned from: ``"150M"`` when None, between six ``"60M"`` and seven
        ``"40M"``, all states of the race together; for tokens ``"200M"``, each of them for one
        stage; for one deal ``"16M"``, rounded up to whole blocks of 8,192.
    minutes : float, optional
        Learning stops after this time, too; then the same call goes on.
    rules : str, mapping or NapalmRules, optional
        As in `simulate.run`; under ``currency = "stakes"`` only with a stage 1 that ends with a
        Yes, and no challenges later; for tokens only whole games.
    seed : int
        Any whole number >= 0. The same seed and number of deals give the same solution.
    threads, out, force, progress
        As in `simulate.run`.
    deal : bool
        One deal for money, in place of a whole game.

    Raises
    ------
    InputError
        When anything asked for is not allowed.

    Examples
    --------
    >>> simulate.solve("napalm", players=4, deal=True).solved.about["nash_conv"]  # doctest: +SKIP
    """
    asked = ask(
        game, players=players, deals=deals, minutes=minutes, rules=rules, seed=seed, deal=deal
    )
    return asked.answer(
        Path(out) / asked.question.name,
        threads=choose_threads(threads),
        force=force,
        progress=progress,
        minutes=check_minutes(minutes),
    )


def ask(
    game: str,
    *,
    players: int | str | None = None,
    deals: int | float | str | None = None,
    minutes: float | str | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = SEED,
    deal: bool = False,
) -> Asked | AskedGame:
    """Make a solver ready, see `solve`."""
    if check_game(game) != "napalm":
        raise InputError("noddy is solved by simulate.racing.solve_noddy, or simulate solve noddy")
    number = DEALS
    if deals is not None:
        number = whole_number("deals", deals, 1, MOST_DEALS)
    elif minutes is not None:
        number = MOST_DEALS  # the clock decides
    chosen = choose_rules(game, rules)
    if not deal:
        seats = check_players(game, PLAYERS if players is None else players)
        return ask_game(chosen, seats, None if deals is None else number, seed)
    check_rules(chosen)  # type: ignore[arg-type]  # those of Napalm
    question = Question(
        kind="solve",
        game=game,
        rules=chosen,
        players=(),
        seed=seed,
        games=-(-number // BLOCK) * BLOCK,
        asked={
            "players": check_players(game, PLAYERS if players is None else players),
            "method": {"classes": CLASSES, "power": POWER, "slip": SLIP, "block": BLOCK},
        },
    )
    return Asked(question)


def reopen(path: str | Path) -> Asked | AskedGame:
    """Make a solver ready that was begun before, from its folder."""
    folder, config = same_question(path, "solve")
    asked = ask(
        config["game"],
        players=config["players"],
        deals=config["games"],
        rules=rules_module(config["game"]).from_dict(config["rules"]),
        seed=config["seed"],
        deal="solved" not in config,
    )
    asked.question.check_same(folder)
    return asked


def check_minutes(minutes: float | str | None) -> float | None:
    """Return a time in minutes, or None for no limit."""
    if minutes is None:
        return None
    try:
        number = float(minutes)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise InputError(f"minutes {minutes} is not a number above 0")
    return number


@dataclass(frozen=True)
class Asked:
    """A solver ready to begin."""

    question: Question

    @property
    def setting(self) -> Setting:
        """The game that is solved."""
        return Setting(self.question.rules, int(self.question.asked["players"]), self.question.seed)

    def answer(
        self,
        folder: Path,
        *,
        threads: int = 1,
        where: Where = HERE,  # noqa: ARG002  (a solver learns in this process)
        force: bool = False,
        progress: Progress | None = None,
        minutes: float | str | None = None,
    ) -> Solution:
        """Learn what is missing, and prove it; what was done before is read."""
        limit = check_minutes(minutes)
        with made(folder), locked(folder):
            store.clear_temporary(folder)
            kept_in = self.folder(folder, force)
            file = folder / f"napalm-{self.setting.n}.npz"
            found = read_whole(file)
            if found and Results(kept_in).complete and not store.faults(kept_in):
                return Solution(self.question, found, int(found.about["deals"]), folder, file)
            return Learning(self, kept_in, file, threads, limit, progress).run()

    def folder(self, path: Path, force: bool) -> store.Folder:
        """Open the folder, or begin it."""
        if force:
            store.clear(path)
            for file in (path / f"{LEARNED}.parquet", path / f"napalm-{self.setting.n}.npz"):
                file.unlink(missing_ok=True)
        return folder_of(self.question, path, (REPLIES,))


class Learning:
    """One session of a solver: it learns, keeps what it has learned, and proves it."""

    def __init__(
        self,
        asked: Asked,
        folder: store.Folder,
        file: Path,
        threads: int,
        minutes: float | None,
        progress: Progress | None,
    ) -> None:
        self.asked, self.folder, self.file, self.threads = asked, folder, file, threads
        self.school = School(asked.setting)
        self.total = asked.question.games
        self.end = None if minutes is None else time.monotonic() + 60 * minutes
        self.progress = progress
        self.kept_at = time.monotonic()

    def run(self) -> Solution:
        """Learn, prove, and write the strategy."""
        self.restore()
        school = self.school
        try:
            missing = (self.total - school.deals) // BLOCK
            if missing > 0:
                school.learn(missing, self.threads, self.told)
        finally:
            self.keep()
        proof = self.prove()
        found = solution(school, proof)
        store.keep_file(self.file, file_bytes(found))
        if school.deals >= self.total:
            store.commit(self.folder, 0, {REPLIES: replies_table(proof)})
        return Solution(self.asked.question, found, school.deals, self.folder.path, self.file)

    def told(self, deals: int) -> bool:
        """Hear how far it is; return whether the time is up."""
        if self.progress is not None:
            self.progress(deals, self.to_play)
        now = time.monotonic()
        if now - self.kept_at > KEPT_EVERY:
            self.keep()
        return self.end is not None and now > self.end

    @property
    def to_play(self) -> int:
        """How many deals are learned from, and played for the proof."""
        trained, fresh = min(TRAINED, self.total), min(PROVED, self.total)
        return self.total + deals_of(self.asked.setting, trained, fresh)

    def prove(self) -> Proof:
        """Train best replies, and score them."""
        chances = kept(self.school.chances())

        def told(deals: int) -> None:
            if self.progress is not None:  # Ctrl-C is heard there
                self.progress(self.total + deals, self.to_play)

        return prove(
            self.asked.setting,
            chances,
            trained=min(TRAINED, self.school.deals),
            fresh=min(PROVED, self.school.deals),
            threads=self.threads,
            told=told,
        )

    def keep(self) -> None:
        """Keep what has been learned so far."""
        pupil = self.school.pupil
        columns = {
            "regret": pupil.regret,
            "policy": pupil.policy,
            "blocks": np.full(len(pupil.regret), self.school.blocks),
        }
        store.keep_table(self.folder.path, LEARNED, arrow.table(columns))
        self.kept_at = time.monotonic()

    def restore(self) -> None:
        """Go on from what was kept, if anything was."""
        path = self.folder.path / f"{LEARNED}.parquet"
        if not path.exists():
            return
        try:
            table = store.read_kept(path)
        except store.DamagedFile as error:
            raise InputError(f"{path} is damaged ({error}): --force starts afresh") from None
        self.school.restore(
            table["regret"].to_numpy(), table["policy"].to_numpy(), table["blocks"][0].as_py()
        )


def replies_table(proof: Proof) -> pa.Table:
    """Write what the best replies gained: a row for each position."""
    return arrow.table(
        {
            "position": np.arange(len(proof.worth)),
            "worth": proof.worth,
            "gain": proof.gain,
            "gain_error": proof.error,
        }
    )


def read_whole(file: Path) -> Solved | None:
    """Read a strategy that was kept, if it is there and whole."""
    try:
        found = read_solved(file, file.read_bytes())
    except (OSError, InputError):
        return None
    return found if isinstance(found, Solved) else None
