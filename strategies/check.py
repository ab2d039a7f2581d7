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
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import strategies
from strategies.examine import Finding
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
    command = [sys.executable, "-P", "-m", "strategies.examine_child", str(timeout), str(memory)]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(),
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


def _environment() -> dict[str, str]:
    """Let the child import what this process runs, wherever it was started."""
    root = str(Path(strategies.__file__).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    # Buffers of BLAS for many threads would count against the limit of memory.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}


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
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    because = f": {said[-1]}" if said else ""
    problem = f"ended its process ({how}) while {doing}{because}"
    yield Finding(problem, str(strategy.path))


def _pump(output: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Hand on each line, then an empty one; a queue can be waited on for a while, a pipe cannot."""
    for line in output:
        lines.put(line)
    lines.put(b"")
