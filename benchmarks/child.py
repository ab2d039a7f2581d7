"""Run the command line in a process of its own, and see what it cost.

    python -m benchmarks.child run napalm --games 1000

does what ``simulate run napalm --games 1000`` does, then writes the greatest memory it ever held
to the file that ``BENCHMARK_PEAK`` names. The parent cannot ask the system for
that: a child starts out with the peak of the process that it was forked from.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PEAK = "BENCHMARK_PEAK"


class Cost(NamedTuple):
    """What a process took: seconds by the clock and of all its threads, and megabytes."""

    wall: float
    cpu: float
    peak: float


def peak_memory() -> float:
    """Return the greatest memory this process has held so far, in megabytes."""
    import resource

    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):  # not Linux
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return kilobytes * 1024 / 1e6


def simulate(*words: object, environment: Mapping[str, str] | None = None) -> Cost:
    """Run ``simulate`` with these words to its end."""
    return cost_of([sys.executable, "-m", "benchmarks.child", *map(str, words)], environment)


def cost_of(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end; one that fails is an error, with what it said.

    Parameters
    ----------
    command : sequence of str
    environment : mapping, optional
        What differs in its environment.
    """
    import resource

    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as peak:
        changed = {**os.environ, **(environment or {}), PEAK: peak.name}
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            command, cwd=ROOT, env=changed, capture_output=True, text=True, check=False
        )
        wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        held = float(peak.read() or 0)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, held)


def main() -> int:
    """Run the command line, and leave word of the memory."""
    from simulate.cli import main as run

    code = run()
    if PEAK in os.environ:
        Path(os.environ[PEAK]).write_text(str(peak_memory()), encoding="utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
