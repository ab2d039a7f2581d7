"""The contract that every strategy must pass, tried out in a child process.

A strategy answers every state it can be asked in, with a probability (in Noddy with a number), the
same whenever it is asked the same; it can be compiled, and answers the same then. It comes back in
time and takes little memory: a child process that loops, eats memory or dies does no harm here.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import strategies
from strategies.examine import Finding
from strategies.interpreter import command, ending, environment
from strategies.strategy import Strategy

__all__ = ["Finding", "check"]

GRACE = 5.0  # seconds that the child may be late with a sign of life


def check(
    spec: str | os.PathLike[str] | Strategy,
    game: str | None = None,
    timeout: float = 10.0,
    memory: int = 1024,
    base: Path | None = None,
) -> list[Finding]:
    """Hold a strategy against the contract.

    Parameters
    ----------
    spec : str, path or Strategy
        As in `strategies.load`.
    game : str, optional
        ``"napalm"`` or ``"noddy"``; when left out, the file tells.
    timeout : float
        Seconds that one answer may take.
    memory : int
        MiB that it may take, where the platform can limit that.
    base : Path, optional
        The folder that a relative path starts from.

    Returns
    -------
    list of Finding
        What is wrong and where; empty for a good strategy.

    Raises
    ------
    InputError
        When there is no such strategy, or its file cannot be read as one.
    """
    strategy = spec if isinstance(spec, Strategy) else strategies.load(spec, game, base)
    child_command = command("strategies.examine_child", timeout, memory)
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            child_command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(),
        ) as child,
    ):
        try:
            assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018
            with contextlib.suppress(BrokenPipeError):  # it has died: that is found below
                child.stdin.write(pickle.dumps(strategy))
                child.stdin.close()
            return list(_findings(strategy, child, child.stdout, errors, timeout + GRACE))
        finally:
            child.kill()


def _findings(
    strategy: Strategy,
    child: subprocess.Popen[bytes],
    output: IO[bytes],
    errors: IO[bytes],
    patience: float,
) -> Iterator[Finding]:
    """Pass on what the child finds, and say so when it dies or falls silent."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_pump, args=(output, lines), daemon=True).start()
    doing = "starting"
    while True:
        try:
            line = lines.get(timeout=patience)
        except queue.Empty:
            problem = f"gave no sign of life for {patience:g} s while {doing}: does it loop?"
            yield Finding(problem, str(strategy.path))
            return
        if not line:
            break
        message = json.loads(line)
        if "done" in message:
            return
        if "finding" in message:
            yield Finding(**message["finding"])
        else:
            doing = message["doing"]
    code = child.wait()
    how = ending(code)
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    because = f": {said[-1]}" if said else ""
    problem = f"ended its process ({how}) while {doing}{because}"
    yield Finding(problem, str(strategy.path))


def _pump(output: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Hand on each line, then an empty one; a queue can be waited on for a while, a pipe cannot."""
    with contextlib.suppress(ValueError):  # nobody waits for the rest: it has been closed
        for line in output:
            lines.put(line)
    lines.put(b"")
