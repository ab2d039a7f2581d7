"""Pieces of advice, played here or in a child process under watch.

A game's adviser asks for ranges of samples. A strategy that did not come with the package may
loop, eat memory or crash, which cannot be stopped inside compiled code: where one takes part, they
are played in a child process, as `simulate.run` does it. Here as there a strategy that raises is
named with what it saw, by playing the sample in which it does in plain Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simulate.errors import InputError

if TYPE_CHECKING:
    from strategies import Strategy

CHUNK = 1 << 13
"""Samples played at once, of all choices: Ctrl-C is heard between them."""

SMALLEST_PIECE = 512
"""Samples for which it pays to ask another thread."""

KEPT = 4
"""Companies that a thread keeps ready to play."""

Rows = dict[str, NDArray[Any]]


class Part(NamedTuple):
    """What some samples gave, a row each."""

    totals: dict[str, NDArray[np.int64]]
    rows: Rows


class Samples(Protocol):
    """What an adviser has played: see `simulate.work.Piecewise`."""

    @property
    def choices(self) -> tuple[int, ...]:
        """What is done in each of them, one after the other."""

    @property
    def job(self) -> Any:
        """All made ready to play."""

    def play(self, start: int, stop: int) -> tuple[Part, float]:
        """Play samples ``start`` to ``stop - 1``."""


Play = Callable[[Any, int, int], Rows]
"""``play(samples, start, stop)`` plays a range, wherever that is done."""


def play_here(samples: Samples, start: int, stop: int) -> Rows:
    """Play samples in this process, some on every processor where there are many."""
    from simulate.executors import processors

    _ = samples.job  # compiled, or loaded, before others ask for it too
    size = max(SMALLEST_PIECE, -(-(stop - start) // processors()))
    helped = [
        _helpers().submit(samples.play, at, min(at + size, stop))
        for at in range(start + size, stop, size)
    ]
    played = [samples.play(start, min(start + size, stop)), *(piece.result() for piece in helped)]
    return _joined([part.rows for part, _ in played])


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return the threads that play beside whoever asks; each keeps its own work space."""
    return ThreadPoolExecutor(thread_name_prefix="samples")


def in_chunks(play: Play, samples: Samples, start: int, stop: int) -> Rows:
    """Play samples a chunk at a time."""
    size = max(CHUNK // 32, CHUNK // max(1, len(samples.choices)))
    return _joined([play(samples, at, min(at + size, stop)) for at in range(start, stop, size)])


def _joined(parts: Sequence[Rows]) -> Rows:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


_ready = threading.local()


def kept_ready(key: object, make: Callable[[], Any]) -> Any:
    """Return what was made ready for a key in this thread, whose work space it is."""
    found: dict[object, Any] = _ready.__dict__.setdefault("found", {})
    if key not in found:
        while len(found) >= KEPT:
            found.pop(next(iter(found)))
        found[key] = make()
    return found[key]


def names_of(strategies: Sequence[Strategy]) -> tuple[tuple[str, str], ...]:
    """Name strategies and their sources."""
    return tuple((strategy.spec, strategy.source_hash) for strategy in strategies)


def play_or_explain(
    play: Callable[[int, int], Rows],
    replay: Callable[[int], None],
    strategies: Sequence[Strategy],
    start: int,
    stop: int,
) -> Rows:
    """Play samples; where a strategy raises or answers nonsense, find out what it saw.

    Parameters
    ----------
    play, replay : callable
        Play a range of them compiled, and one of them in plain Python.
    strategies : sequence of Strategy
        Who plays.
    start, stop : int
        The range.

    Raises
    ------
    StrategyError
        Which strategy is at fault, and in what state.
    """
    from strategies import StrategyError

    try:
        return play(start, stop)
    except MemoryError:
        raise
    except Exception as error:
        replay(_first_failing(play, start, stop))
        if isinstance(error, InputError):
            raise
        suspects = dict.fromkeys(one.spec for one in strategies if one.kind == "py")
        problem = (
            f"raised {type(error).__name__} when compiled, though not in plain Python: {error}"
        )
        raise StrategyError(" or ".join(suspects), problem) from error


def _first_failing(play: Callable[[int, int], Rows], start: int, stop: int) -> int:
    """Return the first sample that does not come back."""
    while stop - start > 1:
        middle = (start + stop) // 2
        try:
            play(start, middle)
        except Exception:  # noqa: BLE001  (whatever it was: the sample is what is looked for)
            stop = middle
        else:
            start = middle
    return start


class Player:
    """Plays samples: in children under watch where somebody's own strategy takes part.

    Parameters
    ----------
    patience : float
        Seconds that a child may play without an answer.
    memory : int
        MiB that it may take.
    """

    def __init__(self, patience: float | None = None, memory: int | None = None) -> None:
        from simulate.executors import MEMORY, PATIENCE
        from simulate.workers import Watch

        self.watch = Watch(patience or PATIENCE, memory or MEMORY)
        self._asked = False

    def play_of(self, strategies: Sequence[Strategy]) -> Play:
        """Return what plays samples in which these strategies take part."""
        from dataclasses import replace

        from simulate import workers
        from simulate.executors import suspects_among

        suspects = suspects_among(strategies)
        if not suspects:
            return play_here
        watch, self._asked = replace(self.watch, suspects=suspects), True
        return lambda samples, start, stop: workers.play(samples, watch, start, stop)[0].rows

    def close(self) -> None:
        """End all children, whatever they are doing."""
        from simulate import workers

        if self._asked:
            workers.close(self.watch)


@contextmanager
def player() -> Iterator[Player]:
    """Make a player whose children end with the block."""
    made = Player()
    try:
        yield made
    finally:
        made.close()
