"""Where slices are played: threads of this process, child processes under watch, other machines.

Whoever plays them, slices are the same to the bit. A strategy that did not come with the package
may loop, eat memory or crash, which cannot be stopped inside compiled code: unless threads are
asked for by name, it plays in a child process of whatever process it was sent to.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from simulate import workers
from simulate.errors import InputError, unknown
from simulate.numerals import whole_number
from simulate.work import Work, code_hash

if TYPE_CHECKING:
    from simulate.cluster import Cluster
    from simulate.work import Slice
    from strategies import Strategy

NAMES = ("threads", "processes", "dask:tcp://HOST:PORT")
DASK = "dask:"

PATIENCE, MEMORY = 10.0, 2048
MOST_PATIENCE, MOST_MEMORY = 1e6, 1 << 30

SLICE_SECONDS = 0.25
"""How long a slice takes, about, so that Ctrl-C and the progress bar are heard."""


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Submits(Protocol):
    """What is needed of an executor: that of `concurrent.futures.Executor` which submits."""

    def submit(self, fn: Any, /, *args: Any) -> Future[Any]:
        """Have a function called somewhere."""


@dataclass(frozen=True)
class Where:
    """Where slices are played.

    Parameters
    ----------
    executor : {"threads", "processes"}, "dask:tcp://HOST:PORT" or Executor, optional
        When None, threads, and child processes where a ``.py`` strategy of the user takes part.
    patience : float
        Seconds that a child process may play without an answer.
    memory : int
        MiB that it may take.
    watch : Watch, optional
        Whose children play: when None, those of each work, which end with it.
    """

    executor: str | Submits | None = None
    patience: float = PATIENCE
    memory: int = MEMORY
    watch: workers.Watch | None = None

    @contextmanager
    def kept(self) -> Iterator[Where]:
        """Keep child processes from one work to the next, and end them afterwards."""
        watch = workers.Watch(self.patience, self.memory)
        try:
            yield replace(self, watch=watch)
        finally:
            workers.close(watch)

    @contextmanager
    def opened(self, work: Work, threads: int) -> Iterator[Pool]:
        """Open what plays slices of a work, and end it all afterwards."""
        suspects = suspects_of(work)
        kind = self.executor or ("processes" if suspects else "threads")
        watch = None
        if kind == "processes" or (kind != "threads" and suspects):
            watch = self.watch or workers.Watch(self.patience, self.memory)
            watch = replace(watch, suspects=suspects)

        def end(error: type[BaseException] | None, *_: object) -> None:
            if watch is not None and (error is not None or self.watch is None):
                workers.close(watch)

        with ExitStack() as ends:
            ends.push(end)
            if isinstance(kind, str) and kind.startswith(DASK):
                from simulate.cluster import connected

                cluster = ends.enter_context(connected(kind.removeprefix(DASK)))
                sent = replace(work, code=code_hash())
                yield Pool(cluster, sent, watch, threads, cluster)
            elif isinstance(kind, str):
                if watch is None:
                    _ = work.job  # compiled in this thread, which hears Ctrl-C
                own = ThreadPoolExecutor(threads)
                ends.callback(own.shutdown, cancel_futures=True)
                ends.push(end)  # before threads are waited for
                yield Pool(own, work, watch, threads)
            else:
                yield Pool(kind, replace(work, code=code_hash()), watch, threads)


HERE = Where("threads")


@dataclass(frozen=True)
class Pool:
    """Plays slices of a work, several at once."""

    executor: Submits
    work: Work
    watch: workers.Watch | None
    threads: int
    cluster: Cluster | None = None

    def submit(self, start: int, stop: int) -> Future[tuple[Slice, float]]:
        """Have games played; what comes back are they, and the seconds that it took."""
        if self.watch is None:
            return self.executor.submit(Work.play, self.work, start, stop)
        return self.executor.submit(workers.play, self.work, self.watch, start, stop)

    def result(self, future: Future[tuple[Slice, float]]) -> tuple[Slice, float]:
        """Return what has come back, or say in one line why nothing has."""
        if self.cluster is None:
            return future.result()
        with self.cluster.explained():
            return future.result()

    def check(self) -> None:
        """Raise what is wrong where nothing comes back any more."""
        if self.cluster is not None:
            self.cluster.check()

    @property
    def at_once(self) -> int:
        """How many slices are handed out: one for each that plays, and some to go on with."""
        return self.threads + 1 if self.cluster is None else self.cluster.at_once

    @property
    def seconds(self) -> float:
        """How long a slice takes, about."""
        return SLICE_SECONDS if self.cluster is None else self.cluster.seconds


def suspects_of(work: Work) -> tuple[str, ...]:
    """Name the strategies of which nobody knows what they may do."""
    return suspects_among([one for one in work.strategies if one is not None])  # a stand-in


def suspects_among(players: Sequence[Strategy]) -> tuple[str, ...]:
    """Name those of some strategies of which nobody knows what they may do."""
    return tuple(dict.fromkeys(s.spec for s in players if s.kind == "py" and not s.built_in))


def choose_where(executor: object = None, patience: object = None, memory: object = None) -> Where:
    """Check where slices are to be played, see `Where`.

    Raises
    ------
    InputError
        When there is no such executor, or a limit is no such number.
    """
    if isinstance(executor, str):
        if executor.startswith(DASK):
            from simulate.cluster import check_address

            check_address(executor.removeprefix(DASK))
        elif executor not in NAMES[:2]:
            raise unknown("executor", executor, NAMES)
    elif executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(
            f"executor {executor!r} cannot be submitted to: allowed are {', '.join(NAMES)} and "
            "executors of concurrent.futures"
        )
    return Where(
        executor,  # type: ignore[arg-type]  # just checked
        PATIENCE if patience is None else _seconds(patience),
        MEMORY if memory is None else whole_number("memory", memory, 1, MOST_MEMORY),
    )


def _seconds(patience: Any) -> float:
    try:
        seconds = float(patience)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0.0 < seconds <= MOST_PATIENCE:  # which NaN is not either
        raise InputError(f"patience {patience} is not a number of seconds above 0")
    return seconds
