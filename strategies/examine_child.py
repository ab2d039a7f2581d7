"""The child process in which `strategies.check` examines a strategy.

It takes the pickled strategy from standard input and writes lines of JSON to standard output: a
sign of life every tenth of a second, with what it is doing; each finding; and that it is done.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
import time
from dataclasses import asdict, replace
from typing import TextIO

from strategies.examine import Finding, Progress, examine
from strategies.strategy import Strategy

BEAT = 0.1  # seconds
COMPILE = 120.0  # seconds that Numba may take, which are not the strategy's fault


def main() -> None:
    """Examine the strategy on standard input; arguments: seconds an answer may take, and MiB."""
    seconds, mebibytes = float(sys.argv[1]), int(sys.argv[2])
    strategy: Strategy = pickle.loads(sys.stdin.buffer.read())  # noqa: S301  (our parent wrote it)
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the strategy prints goes nowhere
    _limit_memory(mebibytes)
    progress = Progress(begun=lambda doing: _write(report, doing=doing))
    over = threading.Event()
    watch = threading.Thread(
        target=_watch, args=(strategy, progress, report, seconds, over), daemon=True
    )
    watch.start()
    for finding in examine(strategy, progress):
        if "MemoryError" in finding.problem:
            finding = replace(finding, problem=f"took more than {mebibytes} MiB of memory")
        _write(report, finding=asdict(finding))
    over.set()
    watch.join()
    _write(report, done=True)


def _limit_memory(mebibytes: int) -> None:
    """Limit the data of this process, where the platform can."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = mebibytes << 20
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _write(report: TextIO, **message: object) -> None:
    report.write(json.dumps(message) + "\n")  # one write: two threads do not mix their lines
    report.flush()


def _watch(
    strategy: Strategy, progress: Progress, report: TextIO, seconds: float, over: threading.Event
) -> None:
    """Give signs of life, and end the process when one thing takes longer than it may."""
    while not over.wait(BEAT):
        _write(report, doing=progress.doing)
        limit = COMPILE if progress.doing == "compiling" else seconds
        if time.monotonic() - progress.since > limit:
            problem = f"took over {limit:g} s for {progress.doing}: does it loop?"
            finding = Finding(problem, _place_now(strategy), progress.state())
            _write(report, finding=asdict(finding))
            _write(report, done=True)
            os._exit(0)


def _place_now(strategy: Strategy) -> str:
    """Return the line of the strategy that the main thread is at."""
    files = {str(file) for file in strategy.files}
    frame = sys._current_frames().get(threading.main_thread().ident or 0)  # noqa: SLF001
    while frame is not None:
        if frame.f_code.co_filename in files:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return str(strategy.path)


if __name__ == "__main__":
    main()
