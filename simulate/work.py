"""The work of a run, as it is handed to whoever plays a slice of it: here or on another machine.

It carries all that decides what is played, the sources of strategies among it. Pickled, it is the
same bytes for every slice; where they arrive they are made ready to play once, not once a slice.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from simulate.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from strategies import Strategy

KEPT = 8
"""Works that a process keeps ready to play: those of a search come one after the other."""


class Slice(Protocol):
    """The games of a slice: totals that add up, and columns of rows."""

    @property
    def totals(self) -> dict[str, NDArray[np.int64]]:
        """Sums over the games."""

    @property
    def rows(self) -> dict[str, NDArray[Any]]:
        """Columns, in the order of games."""


class Piecewise(Protocol):
    """What children play ranges of: the games of a run, or the samples of an adviser."""

    unit: ClassVar[str]
    """What one of them is called."""

    @property
    def job(self) -> Any:
        """All made ready to play."""

    def play(self, start: int, stop: int) -> tuple[Slice, float]:
        """Play ``start`` to ``stop - 1``; return them and the seconds that it took."""

    def replay(self, game: int) -> None:
        """Play one in plain Python, where a strategy that fails is named."""


class Batch(Protocol):
    """How a game is played in bulk: ``simulate.napalm.batch`` and ``simulate.noddy.batch``."""

    def prepare(
        self, rules: Any, strategies: Sequence[Strategy], seed: int, fixed_seats: bool
    ) -> Any:
        """Load and compile what is needed."""

    def play(self, job: Any, start: int, stop: int, detail: str) -> Slice:
        """Play games ``start`` to ``stop - 1``, without the GIL, in any thread."""

    def replay(self, job: Any, game: int) -> Any:
        """Play one game in plain Python, where a strategy that fails is named."""

    def tables(
        self, rules: Any, strategies: Sequence[Strategy], totals: Mapping[str, NDArray[np.int64]]
    ) -> dict[str, pa.Table]:
        """Turn totals into the tables of the summary, ``totals`` with its ``deals`` among them."""


@dataclass(frozen=True)
class Played:
    """A slice as it is sent: of totals that are zero almost everywhere only the rest travels."""

    totals: dict[str, NDArray[np.int64]]
    rows: dict[str, NDArray[Any]]

    @classmethod
    def of(cls, slices: Sequence[Slice]) -> Played:
        """Put slices together that follow one another."""
        totals: dict[str, NDArray[np.int64]] = {}
        for piece in slices:
            for name, values in piece.totals.items():
                totals[name] = totals[name] + values if name in totals else values
        names = list(slices[0].rows)
        return cls(totals, {name: np.concatenate([s.rows[name] for s in slices]) for name in names})

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
        packed = {name: _packed(values) for name, values in self.totals.items()}
        return _unpacked, (packed, self.rows)


def _packed(values: NDArray[np.int64]) -> Any:
    """Return an array; or its shape, where it is not zero and what there, if that is smaller."""
    places = np.flatnonzero(values)
    if 2 * len(places) > values.size:
        return values
    short = np.uint32 if values.size < 1 << 32 else np.uint64
    return values.shape, places.astype(short), values.reshape(-1)[places]


def _unpacked(packed: Mapping[str, Any], rows: dict[str, NDArray[Any]]) -> Played:
    totals = {}
    for name, sent in packed.items():
        if isinstance(sent, tuple):
            shape, places, numbers = sent
            totals[name] = np.zeros(shape, np.int64)
            totals[name].reshape(-1)[places] = numbers
        else:
            totals[name] = sent
    return Played(totals, rows)


@dataclass(frozen=True, eq=False)
class Work:
    """What is played, and by what.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    rules : NapalmRules or NoddyRules
        Its rules.
    strategies : tuple of Strategy
        The line-up.
    seed : int
        The seed.
    fixed_seats : bool
        Whether everybody stays in one seat.
    detail : str
        What rows are wanted.
    own : Batch, optional
        What plays, in place of the game's own batch module; it must be possible to pickle it.
    code : str
        The hash of the code that must play it; nothing is compared where empty.
    """

    game: str
    rules: Any
    strategies: tuple[Strategy, ...]
    seed: int
    fixed_seats: bool
    detail: str
    own: Any = None
    code: str = ""
    _lock: Any = field(default_factory=RLock, init=False, repr=False)

    unit: ClassVar[str] = "game"

    @property
    def batch(self) -> Batch:
        """What plays it."""
        found: Batch = self.own or import_module(f"simulate.{self.game}.batch")
        return found

    @cached_property
    def _job(self) -> Any:
        if self.code and self.code != code_hash():
            raise InputError(
                "another version of napalm-noddy is installed where games are to be played: "
                "install the same everywhere"
            )
        return self.batch.prepare(self.rules, self.strategies, self.seed, self.fixed_seats)

    @property
    def job(self) -> Any:
        """All made ready to play, once however many threads ask for it."""
        with self._lock:
            return self._job

    def play(self, start: int, stop: int) -> tuple[Slice, float]:
        """Play games ``start`` to ``stop - 1``; return them and the seconds that it took."""
        job = self.job
        begin = time.perf_counter()
        played = self.batch.play(job, start, stop, self.detail)
        return Played(played.totals, played.rows), time.perf_counter() - begin

    def replay(self, game: int) -> None:
        """Play one game in plain Python, where a strategy that fails is named."""
        self.batch.replay(self.job, game)

    def tables(self, totals: Mapping[str, NDArray[np.int64]]) -> dict[str, pa.Table]:
        """Turn totals into the tables of the summary; nothing is made ready for it."""
        return self.batch.tables(self.rules, self.strategies, totals)

    @cached_property
    def _packed(self) -> tuple[str, bytes]:
        sent = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        data = pickle.dumps(sent, protocol=5)
        return hashlib.sha256(data).hexdigest(), data

    def __reduce__(self) -> tuple[Any, tuple[str, bytes]]:
        return _opened, self._packed


_works: dict[str, Work] = {}
_works_lock = Lock()


def _opened(digest: str, data: bytes) -> Work:
    """Return the work that these bytes are, the one that is here already if there is one."""
    with _works_lock:
        if digest not in _works:
            while len(_works) >= KEPT:
                _works.pop(next(iter(_works)))
            _works[digest] = Work(**pickle.loads(data))  # noqa: S301  (our own run wrote it)
        return _works[digest]


@cache
def code_hash() -> str:
    """Hash all code of this installation that has a say in results."""
    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for package in ("simulate", "strategies"):
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
