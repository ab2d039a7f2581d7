"""A whole game of Napalm solved: backwards over the race, from the states nearest its end.

The folder is like that of a solved deal (see `simulate.solver`). What has been learned so far is
kept beside ``run.json``; in the end there are the strategy, a best reply to it, and a part with the
equity of every state and what games brought.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from simulate import arrow, store
from simulate.errors import InputError
from simulate.executors import HERE, Where
from simulate.lock import locked
from simulate.napalm.solving import game_file
from simulate.napalm.solving.induction import (
    EACH,
    FINER,
    LEAST,
    NODES,
    POOL,
    POWER_OF_VISITS,
    ROUNDS,
    SELDOM,
    WEIGHED,
    Game,
    Induction,
    Solved,
    fewest,
    nothing_known,
    share_out,
)
from simulate.napalm.solving.looking import GAMES, Look, look
from simulate.napalm.solving.lots import LOT
from simulate.napalm.solving.race_reply import ReplyTraining
from simulate.napalm.solving.school import CLASSES, POWER, SLIP, check_rules
from simulate.napalm.solving.token_induction import (
    SETTLING,
    SWEEPS,
    KnownTokens,
    TokenInduction,
    no_tokens_known,
    shared_tokens,
)
from simulate.napalm.solving.token_reply import TIMES, TokenReply
from simulate.question import Question
from simulate.results import Results
from simulate.runner import folder_of, made
from strategies.solved import WHOLE_GAME, read_solved
from strategies.solved_game import SolvedGame, equity_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from simulate.napalm.solving.lots import Lots
    from simulate.runner import Progress

Known = Solved | KnownTokens
AnyKnown = TypeVar("AnyKnown", Solved, KnownTokens)
Working = Induction | ReplyTraining | TokenInduction | TokenReply

DEALS = {4: 150_000_000, 5: 150_000_000, 6: 60_000_000, 7: 40_000_000}
"""From how many deals all states together are learned when nothing is said, by players."""

TOKEN_DEALS = 200_000_000
"""The same for tokens: one stage each."""

MOST_DEALS = 10**12
PLAYERS = (4, 5, 6, 7)
SEATED = 5
"""Between how many players at most it is looked at who sits where, see `strategies.standing`."""

MOST_TARGET = {4: 8, 5: 5, 6: 6, 7: 5}
"""Up to how many stakes a game is solved, by players: so its tables have tens of megabytes."""

LOOK = 4
"""A first look takes a part of the deals that a state is learned from at least: one in so many."""

REPLY = 2
"""A best reply is trained on a part of the deals: one in so many."""

SCORED = 1 << 20
"""How many games it is scored in, where the table was learned from more deals than that."""

FRESH = 1 << 30
"""The number from which the deals of a best reply are counted."""

KEPT_EVERY = 20.0
"""Seconds after which what has been learned is kept again."""

PARTS = {"chances": np.uint8, "values": np.float64, "again": np.float32, "states": np.bool_}
"""What is kept in a table of its own, by its type."""

LEARNED, ANSWERED, LOOKED = "learned", "answered", "looked"
EQUITY, GAMES_TABLE = "equity", "games"


@dataclass(frozen=True)
class GameSolution:
    """A whole game, solved, or as far as it has been.

    Attributes
    ----------
    question : Question
        What was asked.
    solved : SolvedGame or None
        The strategy; None where it is not complete.
    done, total : int
        Deals that states were learned from, and a best reply trained on, and how many there are.
    path : Path
        The folder of the results.
    file, reply : Path
        The strategy's file in it, and a best reply's.
    """

    question: Question
    solved: SolvedGame | None
    done: int
    total: int
    path: Path
    file: Path
    reply: Path

    @property
    def complete(self) -> bool:
        """Whether all is solved."""
        return self.solved is not None

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        about = {} if self.solved is None else self.solved.about
        return {
            **self.question.to_dict(),
            **{name: value for name, value in about.items() if name != "rules"},
            "complete": self.complete,
            "file": str(self.file),
            "reply": str(self.reply),
        }


def ask_game(rules: Any, players: int, deals: int | None, seed: int) -> AskedGame:
    """Make a solver ready, see `simulate.solve`.

    Raises
    ------
    InputError
        When such a game is not solved.
    """
    tokens = rules.currency == "tokens"
    allowed = [n for n in PLAYERS if n <= SEATED or not tokens]
    if players not in allowed:
        names, what = ", ".join(map(str, allowed)), " for tokens" if tokens else ""
        raise InputError(f"players {players}: a whole game{what} is solved for {names}")
    most = MOST_TARGET[players]
    if rules.target > most:
        raise InputError(
            f"target {rules.target}: a whole game between {players} is solved up to {most}"
        )
    if not tokens:
        check_rules(rules)
    method = {
        "nodes": NODES, "pool": POOL, "classes": CLASSES, "power": POWER, "slip": SLIP,
        "rounds": ROUNDS, "least": LEAST, "weighed": WEIGHED, "visits": POWER_OF_VISITS,
        "games": GAMES, "finer": FINER, "look": LOOK, "reply": REPLY, "scored": SCORED,
    }  # fmt: skip
    if tokens:
        method |= {"sweeps": SWEEPS, "settling": SETTLING, "times": TIMES}
    elif players > SEATED:
        method |= {"each": EACH, "seldom": SELDOM}
    question = Question(
        kind="solve",
        game="napalm",
        rules=rules,
        players=(),
        seed=seed,
        games=(TOKEN_DEALS if tokens else DEALS[players]) if deals is None else deals,
        asked={"players": players, "solved": WHOLE_GAME, "method": method},
    )
    return AskedGame(question)


@dataclass(frozen=True)
class AskedGame:
    """A solver of whole games ready to begin."""

    question: Question

    @property
    def solving(self) -> Game:
        """The game that is solved."""
        players = int(self.question.asked["players"])
        return Game(self.question.rules, players, self.question.seed, seated=players <= SEATED)

    def answer(
        self,
        folder: Path,
        *,
        threads: int = 1,
        where: Where = HERE,  # noqa: ARG002  (a solver learns in this process)
        force: bool = False,
        progress: Progress | None = None,
        minutes: float | None = None,
    ) -> GameSolution:
        """Learn what is missing, and prove it; what was done before is read."""
        with made(folder), locked(folder):
            kept = self.folder(folder, force)
            work = Work(self, kept, threads, progress, minutes)
            if not work.complete:
                work.run()
            return work.solution()

    def folder(self, path: Path, force: bool) -> store.Folder:
        """Open the folder, or begin it."""
        if force:
            store.clear(path)
            for pattern in (f"{LEARNED}-*", f"{ANSWERED}-*", f"{LOOKED}-*", "*.npz"):
                for file in path.glob(pattern):
                    file.unlink()
        return folder_of(self.question, path, (EQUITY, GAMES_TABLE))


class Work:
    """One session of a solver of whole games."""

    def __init__(
        self,
        asked: AskedGame,
        folder: store.Folder,
        threads: int,
        progress: Progress | None,
        minutes: float | None,
    ) -> None:
        self.asked, self.folder, self.threads = asked, folder, threads
        self.game = asked.solving
        self.progress = progress
        self.end = None if minutes is None else time.monotonic() + 60 * minutes
        self.file = folder.path / f"napalm-{self.game.n}.npz"
        self.reply = folder.path / f"reply-{self.game.n}.npz"
        self.deals = asked.question.games
        self.least = fewest(self.game, self.deals)
        self.glance = max(self.least // LOOK // LOT, 1) * LOT
        looks = 0 if self.game.rules.currency == "tokens" else 2
        self.looked = looks * self.game.states * self.game.nodes * self.glance
        self.before, self.now = 0, 0
        self.kept_at = time.monotonic()

    @property
    def total(self) -> int:
        """About how many deals states are learned from, and the reply is trained on."""
        return self.looked + self.deals + self.deals // REPLY

    @property
    def complete(self) -> bool:
        """Whether all is there, and whole."""
        there = loaded(self.file) and loaded(self.reply)
        return bool(there and Results(self.folder).complete and not store.faults(self.folder))

    def run(self) -> bool:
        """Do all that is missing; return whether all is done."""
        game = self.game
        lots = game.draw()
        if game.rules.currency == "tokens":
            return self.run_tokens(lots)
        seen = self.look(lots)
        if seen is None:
            return False
        first = seen.first.astype(np.float32)
        self.before = self.looked
        solved = self.restored(LEARNED, nothing_known(game))
        share = share_out(seen.often, self.deals, self.least)
        learning = Induction(game, lots, game.thirds(lots, first), solved, share)
        if not self.kept_while(LEARNED, solved, learning):
            return False
        self.before += self.deals
        fresh = game.draw(FRESH)
        answer = self.restored(ANSWERED, nothing_known(game, fine=True))
        share = share_out(seen.often, self.deals // REPLY, self.least)
        training = ReplyTraining(game, fresh, game.thirds(fresh, first), solved, answer, share)
        if not self.kept_while(ANSWERED, answer, training):
            return False
        self.before += self.deals // REPLY
        self.finish(solved, answer)
        return True

    def run_tokens(self, lots: Lots) -> bool:
        """Do all that is missing of a game for tokens; return whether all is done."""
        game = self.game
        known = self.restored(LEARNED, no_tokens_known(game))
        share = shared_tokens(game, self.deals, self.least)
        if not self.kept_while(LEARNED, known, TokenInduction(game, lots, known, share)):
            return False
        self.before += self.deals
        answer = self.restored(ANSWERED, no_tokens_known(game, fine=True))
        share = shared_tokens(game, self.deals // REPLY, self.least)
        training = TokenReply(game, game.draw(FRESH), known, answer, share)
        if not self.kept_while(ANSWERED, answer, training):
            return False
        self.before += self.deals // REPLY
        self.finish(known, answer)
        return True

    def told(self, done: int) -> bool:
        """Hear how far it is; return whether the time is up."""
        self.now = min(self.before + done, self.total)
        if self.progress is not None:
            self.progress(self.now, self.total)
        return self.end is not None and time.monotonic() > self.end

    def look(self, lots: Any) -> Look | None:
        """Take a first look, or read what was seen."""
        often, first = self.read(f"{LOOKED}-states"), self.read(f"{LOOKED}-first")
        shape = (2, self.game.states, self.game.nodes)
        if often is not None and first is not None:
            return Look(often["often"].to_numpy().reshape(shape), first["first"].to_numpy())
        seen = look(self.game, lots, self.glance, self.threads, self.told)
        if seen is not None:
            path = self.folder.path
            store.keep_table(path, f"{LOOKED}-first", arrow.table({"first": seen.first}))
            often = arrow.table({"often": seen.often.reshape(-1)})
            store.keep_table(path, f"{LOOKED}-states", often)
        return seen

    def kept_while(self, name: str, solved: Known, work: Working) -> bool:
        """Work on, and keep what has been learned now and then, and in the end."""

        def told(done: int) -> bool:
            if time.monotonic() - self.kept_at > KEPT_EVERY:
                self.keep(name, solved)
            return self.told(done)

        if solved[-1].all():
            return True
        try:
            return work.run(self.threads, told)
        finally:
            self.keep(name, solved)

    def keep(self, name: str, solved: Known) -> None:
        """Keep what has been learned so far; last what says of which states."""
        done = {each: column.copy() for each, column in columns_of(solved, "states").items()}
        for part in PARTS:
            columns = done if part == "states" else columns_of(solved, part)
            if columns:
                store.keep_table(self.folder.path, f"{name}-{part}", arrow.table(columns))
        self.kept_at = time.monotonic()

    def restored(self, name: str, solved: AnyKnown) -> AnyKnown:
        """Go on from what was kept, if anything was."""
        if self.read(f"{name}-states") is None:
            return solved
        for part in PARTS:
            table = self.read(f"{name}-{part}")
            for column, array in columns_of(solved, part).items():
                array[:] = table[column].to_numpy()
        return solved

    def read(self, name: str) -> Any:
        """Read a table that was kept; None where there is none."""
        path = self.folder.path / f"{name}.parquet"
        if not path.exists():
            return None
        try:
            return store.read_kept(path)
        except store.DamagedFile as error:
            raise InputError(f"{path} is damaged ({error}): --force starts afresh") from None

    def finish(self, solved: Known, answer: Known) -> None:
        """Play games with the table and the reply, and write all that was found."""
        from strategies import load

        game = self.game
        about = game_file.about_game(game, self.deals)
        answered = {**about, "reply": True}
        store.keep_file(self.reply, game_file.file_of(game, answer, game.fine, answer, answered))
        store.keep_file(self.file, game_file.file_of(game, solved, game.edges, solved, about))
        table, reply = (load(str(file), "napalm") for file in (self.file, self.reply))
        games = min(SCORED, self.deals)
        score = game_file.score(game, table, reply, games, lambda: self.told(0))
        about |= game_file.score_about(score, game.rules.currency == "tokens")
        data = game_file.file_of(game, solved, game.edges, solved, about)
        store.keep_file(self.file, data)
        found = loaded(self.file)
        assert found is not None  # noqa: S101  (it has just been written)
        tables = {
            EQUITY: arrow.table(equity_columns(found)),
            GAMES_TABLE: arrow.table(
                {
                    "position": np.arange(game.n),
                    "worth": score.worth,
                    "worth_error": score.worth_error,
                    "equity": solved.deals[0, 0] - 1.0,
                    "gain": np.full(game.n, score.gain),
                    "gain_error": np.full(game.n, score.gain_error),
                }
            ),
        }
        store.commit(self.folder, 0, tables)
        self.now = self.total

    def solution(self) -> GameSolution:
        """Return what there is."""
        found = loaded(self.file) if self.complete else None
        path, now = self.folder.path, self.total if found else self.now
        return GameSolution(
            self.asked.question, found, now, self.total, path, self.file, self.reply
        )


def columns_of(solved: Known, part: str) -> dict[str, NDArray[Any]]:
    """Return one part of what is known as columns, which share the memory of its arrays."""
    return {
        name: array.reshape(-1)
        for name, array in solved._asdict().items()
        if array.dtype == PARTS[part]
    }


def loaded(file: Path) -> SolvedGame | None:
    """Read a strategy's file that was written here, if it is there and whole."""
    try:
        found = read_solved(file, file.read_bytes())
    except (OSError, InputError):
        return None
    return found if isinstance(found, SolvedGame) else None
