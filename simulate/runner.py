"""Run a configuration: cut it into parts, have them played in slices, keep what is done.

A *part* is a range of games that is committed at once; its boundaries are fixed when the run
begins. A *slice* is what a thread, a child process or another machine plays in one go, short enough
that Ctrl-C and the progress bar are heard; how the parts are sliced, and who plays them, leaves no
trace in the results.
"""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simulate import store
from simulate.config import MOST_GAMES, differences
from simulate.errors import InputError
from simulate.executors import HERE, SLICE_SECONDS, Pool, Where
from simulate.lock import locked
from simulate.results import Results, rows_table
from simulate.version import VERSION
from simulate.work import Batch, Slice, Work

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from simulate.question import Question
    from strategies import Strategy

PART_GAMES = 1_000_000
"""Games in a part of a run that keeps the summary alone, at most: some seconds of work."""

SHARE, SMALLEST_PART = 10, 50_000
"""A run has about so many parts at least, unless they were smaller than that."""

PART_DEALS = 100_000_000
"""Deals in a part, at most: games in which nobody ever wins are long."""

MOST_PARTS = 1_000
"""Parts of a run that keeps the summary alone, about, however many games it has: many machines
finish no more of them than one can commit."""

PART_ROWS = 125_000
"""Rows in a part, about: what has to be held in memory at once."""

PART_SLICES = 4
"""Slices of a part of rows, at least."""

PROBE = 512
"""Games played beforehand to learn the tables and how many rows a game makes."""

FIRST_SLICE, GROWTH = 64, 8

WRITERS = 2
"""Parts that are written at the same time, and so held in memory: rows take longer to write than
to play."""

HEARD = 0.5
"""Seconds between looks at whether anybody still plays."""

FULL_SECONDS = 1.0
"""How long a slice may take so that the kernel is kept busy."""


Progress = Callable[[int, int], None]
"""Called with the games that are done, and all there are."""

Judge = Callable[[Mapping[str, "pa.Table"]], bool]
"""Called with the tables of each part in turn; true when the run may end there."""


class Content(Protocol):
    """What decides the content of a run: a `RunConfig`, or a question put to several tables."""

    @property
    def game(self) -> str:
        """The game."""

    @property
    def rules(self) -> Any:
        """Its rules."""

    @property
    def strategies(self) -> tuple[str, ...]:
        """The spec of each slot."""

    @property
    def seed(self) -> int:
        """The seed."""

    @property
    def games(self) -> int:
        """How many games, at most."""

    @property
    def detail(self) -> str:
        """What is kept."""

    @property
    def fixed_seats(self) -> bool:
        """Whether everybody stays in one seat."""

    @property
    def hash(self) -> str:
        """What names the content."""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""


def run(
    config: Content,
    strategies: Sequence[Strategy],
    folder: str | Path,
    *,
    threads: int = 1,
    where: Where = HERE,
    force: bool = False,
    progress: Progress | None = None,
    batch: Batch | None = None,
    ends: Sequence[int] = (),
    judge: Callable[[], Judge] | None = None,
    smallest_slice: int = 1,
) -> Results:
    """Play a run, or what is missing of it.

    Parameters
    ----------
    config : RunConfig
        What is played.
    strategies : sequence of Strategy
        The line-up that `config` names.
    folder : str or Path
        The folder of the run. One that is complete is only read; of one that was interrupted or
        is damaged, the parts that are missing are played.
    threads : int
        How many slices are played at the same time; the results do not depend on it.
    where : Where
        By what they are played; the results do not depend on it.
    force : bool
        Remove what is there and start afresh.
    progress : callable, optional
        Called in this thread with the games done and the games in all.
    batch : module, optional
        What plays the game, in place of the game's own.
    ends : sequence of int
        Where each part ends, the last one at ``config.games``; chosen here when empty.
    judge : callable, optional
        Makes a judge, which may end the run after any part. It looks at all parts in their order,
        however often the run was interrupted, so that it ends where it would have ended anyway.
    smallest_slice : int
        How many games it takes to keep the kernel busy.

    Returns
    -------
    Results
        Of the complete run.

    Raises
    ------
    InputError
        When the folder cannot be written, is in use, or holds something else.
    KeyboardInterrupt
        After Ctrl-C, within a slice; the parts that are done are kept.
    """
    path = Path(folder)
    if not force and (path / store.MANIFEST).exists():
        results = Results(_open_same(path, config))
        whole = results.complete and not store.faults(results.folder)
        if whole and (judge is None or _ends(results.folder, judge())):
            return results
    work = Work(
        game=config.game,
        rules=config.rules,
        strategies=tuple(strategies),
        seed=config.seed,
        fixed_seats=config.fixed_seats,
        detail=config.detail,
        own=batch,
    )
    with where.opened(work, threads) as pool:
        games = 1 if ends else min(PROBE, config.games)
        future = pool.submit(0, games)
        _ = work.batch  # what is needed later is imported while a child compiles
        probe, seconds = _wait_for(pool, future)
        with made(path), locked(path):
            if force:
                store.clear(path)
            store.clear_temporary(path)
            if not (path / store.MANIFEST).exists():
                early = judge is not None
                _create(path, config, probe, work.tables(probe.totals), ends, early)
            found = _open_same(path, config)
            missing = sorted({fault.part for fault in store.faults(found)})
            # A slice holds its rows, and the room for them, beside those of the part.
            most = max(1, found.part_games // PART_SLICES) if found.rows else MOST_GAMES
            pace = _Pace(smallest_slice, most, pool.seconds)
            pace.learn(games, seconds)
            play = _Play(pool, found, config, progress, pace)
            if judge is None:
                play.parts(missing)
            else:
                play.until(judge(), missing)
    return Results(found)


def _wait_for(pool: Pool, future: Future[tuple[Slice, float]]) -> tuple[Slice, float]:
    """Wait for a slice, and notice when nobody is left to play it."""
    while not wait([future], timeout=HEARD)[0]:
        pool.check()
    return pool.result(future)


def _ends(folder: store.Folder, judge: Judge) -> bool:
    """Whether the parts that are there are all that are needed."""
    found = any(judge(_summary(folder, part)) for part in folder.begun)
    return found or len(folder.begun) == len(folder.parts)


def _summary(folder: store.Folder, part: int) -> dict[str, pa.Table]:
    return {table: store.read(folder, table, part) for table in folder.summary}


def part_games(all_games: int, games: int, deals: int, rows: int) -> int:
    """Choose how many games a part has.

    Parameters
    ----------
    all_games : int
        How many games the run has.
    games, deals, rows : int
        How many games were played beforehand, and the deals and rows they made.
    """
    wanted = min(PART_GAMES, max(SMALLEST_PART, all_games // SHARE))
    wanted = min(wanted, PART_DEALS * games // max(deals, 1))
    if rows:
        wanted = min(wanted, PART_ROWS * games // rows)
    else:
        wanted = max(wanted, all_games // MOST_PARTS)
    return max(1, wanted - wanted % 1_000 if wanted > 1_000 else wanted)


def _open_same(path: Path, config: Content) -> store.Folder:
    """Open the folder of a run, and refuse another run."""
    folder = store.open_folder(path)
    if folder.manifest["run"] != config.hash:
        differ = differences(folder.config, config.to_dict())
        raise InputError(f"{path} holds another run: {'; '.join(differ)}")
    return folder


def _create(
    path: Path,
    config: Content,
    probe: Slice,
    tables: Mapping[str, pa.Table],
    ends: Sequence[int],
    may_end_early: bool,
) -> None:
    size = 0
    if not ends:
        games, rows = min(PROBE, config.games), len(next(iter(probe.rows.values()), ()))
        deals = sum(tables["totals"]["deals"].to_pylist())
        size = part_games(config.games, games, deals, rows)
    store.create(
        path,
        config.hash,
        config.to_dict(),
        part_games=size,
        ends=ends,
        may_end_early=may_end_early,
        summary=tables,
        rows=() if config.detail == "summary" else (config.detail,),
        versions=versions(),
    )


def versions() -> dict[str, str]:
    """Return the versions of the program, and of what it is built on."""
    libraries = {name: version(name) for name in ("numpy", "numba", "pyarrow")}
    return {"napalm-noddy": VERSION, "python": platform.python_version(), **libraries}


def folder_of(
    question: Question, path: Path, rows: Sequence[str], ends: Sequence[int] = ()
) -> store.Folder:
    """Open the folder in which a question is answered, or begin it.

    Raises
    ------
    InputError
        When it was begun otherwise.
    """
    if not (path / store.MANIFEST).exists():
        store.create(
            path,
            question.hash,
            question.to_dict(),
            part_games=question.games,
            ends=ends,
            summary=(),
            rows=tuple(rows),
            versions=versions(),
        )
    folder = store.open_folder(path)
    question.check_same(folder)
    return folder


@contextmanager
def made(path: Path) -> Iterator[None]:
    """Make a folder, and remove it again when it stays empty because something went wrong."""
    new = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{path}: is a file, a run is a folder") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be made: {error.strerror}") from None
    try:
        yield
    except BaseException:
        for folder in new:
            with suppress(OSError):  # it is not empty, and stays
                folder.rmdir()
        raise


@dataclass
class _Part:
    """A part while it is played."""

    number: int
    start: int
    stop: int
    left: int = 0
    totals: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    rows: dict[int, dict[str, NDArray[Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = self.stop - self.start

    def add(self, start: int, stop: int, played: Slice) -> None:
        """Take in a slice; the order in which slices come does not matter."""
        for name, values in played.totals.items():
            if name in self.totals:
                self.totals[name] += values
            else:
                self.totals[name] = values
        self.rows[start] = played.rows
        self.left -= stop - start

    def columns(self) -> dict[str, NDArray[Any]]:
        """Hand over all rows, in the order of games."""
        slices = [self.rows[start] for start in sorted(self.rows)]
        names = list(slices[0])  # each column is let go of as soon as it is put together
        return {name: np.concatenate([rows.pop(name) for rows in slices]) for name in names}


class _Pace:
    """How many games make a slice, learnt from the slices before."""

    def __init__(
        self, smallest: int = 1, largest: int = MOST_GAMES, seconds: float = SLICE_SECONDS
    ) -> None:
        self.smallest, self.largest, self.seconds = smallest, max(smallest, largest), seconds
        self.games = max(smallest, min(FIRST_SLICE, self.largest))

    def learn(self, games: int, seconds: float) -> None:
        rate = games / max(seconds, 1e-6)
        wanted = min(int(rate * self.seconds), games * GROWTH, self.largest)
        full = min(self.smallest, int(rate * FULL_SECONDS))  # of a slow strategy it would be long
        self.games = max(1, wanted, full)


@dataclass
class _Play:
    """Plays parts of a run and commits them."""

    pool: Pool
    folder: store.Folder
    config: Content
    progress: Progress | None
    pace: _Pace

    def until(self, judge: Judge, missing: Sequence[int]) -> None:
        """Play part after part where they are missing, until a judge has seen enough."""
        for part in self.folder.parts:
            if part in missing or part >= len(self.folder.begun):
                self.parts([part], self.folder.games_of(part)[0])
            if judge(_summary(self.folder, part)):
                break

    def parts(self, numbers: Sequence[int], before: int | None = None) -> None:
        """Have these parts played, and commit them by threads of their own."""
        ranges = {number: self.folder.games_of(number) for number in numbers}
        games = self.config.games - sum(stop - start for start, stop in ranges.values())
        games = games if before is None else before
        # Each part is made when its turn comes, and nothing keeps it once it is written.
        slices = self._slices(_Part(number, *ends) for number, ends in ranges.items())
        playing: dict[Future[tuple[Slice, float]], tuple[_Part, int, int]] = {}
        writing: deque[Future[None]] = deque()
        writer = ThreadPoolExecutor(WRITERS)
        try:
            self._report(games)
            while True:
                at_once = self.pool.at_once
                while len(playing) < at_once and (piece := next(slices, None)):
                    playing[self.pool.submit(*piece[1:])] = piece
                if not playing:
                    break
                done, _ = wait(playing, timeout=HEARD, return_when=FIRST_COMPLETED)
                if not done:
                    self.pool.check()
                for future in done:
                    part, start, stop = playing.pop(future)
                    played, seconds = self.pool.result(future)
                    self.pace.seconds = self.pool.seconds  # of a cluster that may have grown
                    self.pace.learn(stop - start, seconds)
                    part.add(start, stop, played)
                    games += stop - start
                    self._report(games)
                    if part.left == 0:
                        if len(writing) == WRITERS:
                            writing.popleft().result()
                        writing.append(writer.submit(self._keep, part))
            for written in writing:
                written.result()
        finally:
            for future in playing:
                future.cancel()
            writer.shutdown()

    def _slices(self, parts: Iterable[_Part]) -> Iterator[tuple[_Part, int, int]]:
        for part in parts:
            start = part.start
            while start < part.stop:
                stop = min(start + self.pace.games, part.stop)
                yield part, start, stop
                start = stop

    def _keep(self, part: _Part) -> None:
        work = self.pool.work
        tables = work.tables(part.totals)
        if self.folder.rows:
            names = getattr(work.batch, "ROW_NAMES", None)
            rows = rows_table(part.columns(), self.config.strategies, names)
            tables = {**tables, self.config.detail: rows}
        store.commit(self.folder, part.number, tables)

    def _report(self, games: int) -> None:
        if self.progress is not None:
            self.progress(games, self.config.games)
