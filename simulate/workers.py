"""Child processes under watch: where a strategy plays that may loop, eat memory or crash.

A child that is silent for too long, or takes too much memory, or dies, is replaced. What it was
playing is played again in pieces: either they all come back, and nothing has happened, or one game
is left that stops every child. That game is then played in plain Python to see who stops it, and
in what state.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass, field
from queue import Empty, LifoQueue, SimpleQueue
from typing import TYPE_CHECKING, Any

from simulate.child import LENGTH
from simulate.errors import InputError
from simulate.work import Played
from strategies.interpreter import command, ending, environment

if TYPE_CHECKING:
    from simulate.work import Piecewise, Slice

TICK = 0.1
"""Seconds between looks at a child; what lies between two looks counts as so much, so that time in
which this process itself was stopped does not count."""

READY = 300.0
"""Seconds that it may take to start, to compile and to load: a slow machine is nobody's fault."""

PIECES = 64
"""In how many pieces games are played again that did not come back."""

CLOSED = "the run was stopped"

MOST_KILLS = 3
"""How many children in a row may be killed before they have played anything."""

GRACE = 5.0
"""Seconds that a child may be late with what it itself is to notice."""


@dataclass(frozen=True)
class Watch:
    """What a child process may do before it is ended.

    Parameters
    ----------
    patience : float
        Seconds without an answer.
    memory : int
        MiB beyond what it starts with, where the platform can limit that.
    suspects : tuple of str
        The strategies of which nobody knows what they may do.
    name : str
        Whose children they are: those of one run are ended together.
    """

    patience: float
    memory: int
    suspects: tuple[str, ...] = ()
    name: str = field(default_factory=lambda: uuid.uuid4().hex)


class Stopped(Exception):
    """A child was ended while it played, or has ended: why."""


class Retired(Exception):
    """A child has ended by itself, because it was not asked for long."""


class Killed(Exception):
    """A child was killed before it played: by whom or what."""


def play(work: Piecewise, watch: Watch, start: int, stop: int) -> tuple[Slice, float]:
    """Play games in a child process; return them and the seconds that it took.

    Raises
    ------
    StrategyError
        When a strategy loops, takes too much memory, crashes, raises, or answers nonsense.
    """
    children = _children(watch)
    try:
        played: tuple[Slice, float] = children.ask(work, "play", (start, stop), watch.patience)
    except Stopped:
        begin = time.perf_counter()
        return _play_again(children, work, start, stop), time.perf_counter() - begin
    return played


def close(watch: Watch) -> None:
    """End all children of a run at once."""
    _children(watch).close()


_pools: dict[str, Children] = {}
_pools_lock = threading.Lock()


def _forget() -> None:
    """Know of no children: those of a process are none of its forks'."""
    global _pools_lock  # noqa: PLW0603  (somebody may have held it)
    _pools_lock = threading.Lock()
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _children(watch: Watch) -> Children:
    """Return the children of a run in this process; once ended they stay so."""
    with _pools_lock:
        return _pools.setdefault(watch.name, Children(watch))


def _play_again(children: Children, work: Piecewise, start: int, stop: int) -> Slice:
    """Play games that did not come back in pieces, down to one that does not."""
    size = -(-(stop - start) // PIECES)
    patience = children.watch.patience
    if size > 1:
        patience = max(1.0, patience / 5)
    played: list[Slice] = []
    for first in range(start, stop, size):
        last = min(first + size, stop)
        try:
            played.append(children.ask(work, "play", (first, last), patience)[0])
        except Stopped as why:
            if last - first == 1:
                raise _culprit(children, work, first, str(why)) from None
            played.append(_play_again(children, work, first, last))
    return Played.of(played)


def _culprit(children: Children, work: Piecewise, game: int, why: str) -> InputError:
    """Say who stops a game, and in what state: as plain Python finds it."""
    from strategies import StrategyError

    seconds, memory = children.watch.patience, children.watch.memory
    try:
        children.ask(work, "replay", (game, seconds), seconds + GRACE, once=True)
    except StrategyError as error:
        where = f"{work.unit} {game}" + (f", {error.state}" if error.state else "")
        return StrategyError(error.spec, error.problem, error.place, where)
    except Stopped as stopped:
        why = str(stopped)
    else:
        why = f"{why} when compiled, though it does not in plain Python"
    named = " or ".join(map(repr, children.watch.suspects))
    who = f"strategy {named}" if named else "a strategy"
    problem = why.format(patience=f"{seconds:g}", memory=memory)
    return InputError(f"{who} {problem}, in {work.unit} {game}")


class Child:
    """A child process, seen from its parent."""

    def __init__(self, memory: int) -> None:
        self.process = subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            command("simulate.child", memory),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self.answers: SimpleQueue[tuple[str, Any] | None] = SimpleQueue()
        self.said: deque[bytes] = deque(maxlen=1)  # the last line of standard error
        self.threads = [
            threading.Thread(target=target, daemon=True) for target in (self._receive, self._hear)
        ]
        for thread in self.threads:
            thread.start()

    def _receive(self) -> None:
        """Hand on answers, and None when there will be no more."""
        stream = self.process.stdout
        assert stream is not None  # noqa: S101
        with contextlib.suppress(EOFError, pickle.UnpicklingError):
            while head := stream.read(LENGTH):
                size = int.from_bytes(head, "little")
                self.answers.put(pickle.loads(stream.read(size)))  # noqa: S301  (our own child)
        self.process.wait()
        self.answers.put(None)

    def _hear(self) -> None:
        assert self.process.stderr is not None  # noqa: S101
        self.said.extend(self.process.stderr)

    def ask(self, request: bytes, patience: float) -> Any:
        """Send a request and return what is answered.

        Raises
        ------
        Stopped
            When no answer comes, or the child has ended.
        Exception
            Whatever was raised in the child.
        """
        assert self.process.stdin is not None  # noqa: S101
        # It has ended, or the run has, which closes the pipe: that is found below.
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.write(len(request).to_bytes(LENGTH, "little") + request)
            self.process.stdin.flush()
        kind, found = self.answer(READY)
        if kind == "ready":
            kind, found = self.answer(patience)
        elif kind in ("silent", "ended"):
            raise self._not_ready(kind)
        if kind == "raised":
            raise found
        if kind == "silent":
            raise Stopped("took over {patience} s")
        if kind == "ended":
            raise Stopped(f"ended its process ({ending(self.process.returncode)})")
        if kind == "memory":
            raise Stopped("took more than {memory} MiB of memory")
        return found

    def _not_ready(self, kind: str) -> Exception:
        """Say why nothing could be played."""
        if kind == "silent":
            return InputError(
                f"strategies were not ready to play after {READY:g} s: does a file of theirs loop "
                "when it is run?"
            )
        if self.process.returncode == 0:
            return Retired()
        if self.process.returncode < 0:
            return Killed(ending(self.process.returncode))
        said = self.said[-1].decode(errors="replace").strip() if self.said else ""
        because = f": {said}" if said else ""
        how = ending(self.process.returncode)
        return InputError(f"a child process ended before it could play ({how}){because}")

    def answer(self, patience: float) -> tuple[str, Any]:
        """Wait for an answer; ``"silent"`` where none comes, ``"ended"`` where none can come."""
        left = patience
        while left > 0:
            try:
                answer = self.answers.get(timeout=min(TICK, left))
            except Empty:
                left -= TICK
                continue
            if answer is None:
                self.answers.put(None)  # whoever asks again is told again
                return "ended", None
            if answer[0] != "alive":
                return answer
            left = patience
        return "silent", None

    def end(self) -> None:
        """End it, whatever it is doing."""
        self.process.kill()
        for thread in self.threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):  # what it was never sent
                stream.close()  # type: ignore[union-attr]  # they are pipes


class Children:
    """The children of a run: as many as there are threads that ask at the same time."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.closed = False
        self._free: LifoQueue[Child] = LifoQueue()
        self._all: set[Child] = set()
        self._waiting = self._starting = 0
        self._lock = threading.Lock()

    def ask(
        self,
        work: Piecewise,
        task: str,
        arguments: tuple[Any, ...],
        patience: float,
        once: bool = False,
    ) -> Any:
        """Ask a child, see `Child.ask`; one that has answered well is kept unless asked `once`."""
        request = pickle.dumps((work, task, arguments), protocol=5)
        kills = 0
        while True:
            child, keep = self._take(), False
            try:
                found = child.ask(request, patience)
                keep = not once
                return found
            except Retired:
                continue
            except Killed as how:
                if self.closed:
                    raise InputError(CLOSED) from None
                kills += 1
                if kills == MOST_KILLS:
                    raise InputError(f"children are killed before they play ({how})") from how
            except Stopped:
                if self.closed:
                    raise InputError(CLOSED) from None
                raise
            finally:
                if keep:
                    self._free.put(child)
                else:
                    self._end(child)

    def close(self) -> None:
        """End all children."""
        with self._lock:
            self.closed = True
            children = list(self._all)
        for child in children:
            self._end(child)

    def _end(self, child: Child) -> None:
        with self._lock:
            if child not in self._all:
                return
            self._all.remove(child)
        child.end()

    def _take(self) -> Child:
        """Return a child that is free; start one more where none comes free soon."""
        with self._lock:
            self._waiting += 1
        try:
            while not self.closed:
                with contextlib.suppress(Empty):
                    return self._free.get(timeout=TICK if self._all else 0)
                self._start()
        finally:
            with self._lock:
                self._waiting -= 1
        raise InputError(CLOSED)

    def _start(self) -> None:
        """Start a child, which will be free when it has started."""
        with self._lock:
            if self._starting >= self._waiting or self.closed:
                return
            self._starting += 1
            child = Child(self.watch.memory)
            self._all.add(child)
        threading.Thread(target=self._started, args=(child,), daemon=True).start()

    def _started(self, child: Child) -> None:
        child.answer(READY)  # what is wrong with it is found by whoever asks it
        with self._lock:
            self._starting -= 1
        self._free.put(child)
