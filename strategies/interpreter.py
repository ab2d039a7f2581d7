"""How a child process runs a module of this installation."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def command(module: str, *arguments: object) -> list[str]:
    """Return the command that runs a module in an interpreter like this one."""
    return [sys.executable, "-P", "-m", module, *map(str, arguments)]


def environment() -> dict[str, str]:
    """Let the child import what this process runs, wherever it was started."""
    root = str(Path(__file__).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    # Buffers of BLAS for many threads would count against the limit of memory.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}


def ending(code: int) -> str:
    """Say how a process has ended, given its return code."""
    import signal

    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
