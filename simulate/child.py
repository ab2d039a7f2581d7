"""The child process in which a strategy plays that may loop, eat memory or crash.

It says ``("started", None)`` on standard output, takes requests from standard input, ``(work, task,
arguments)``, and answers each: ``("ready", None)`` when the work is ready to play, then ``("done",
result)``, ``("raised", error)`` or ``("memory", None)``; ``("alive", None)`` may stand before it.
Each message is its length in 8 bytes and a pickle. The process ends with its parent: when standard
input does.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

    from simulate.work import Piecewise

LENGTH = 8
IDLE = 60.0  # seconds without a request after which it ends: nobody may be left to stop it
BEAT = 0.1  # seconds between looks at a replay


def main() -> None:
    """Answer requests; arguments: how many MiB may be taken beyond what it starts with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends its children
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the strategy prints goes nowhere
    requests: SimpleQueue[bytes] = SimpleQueue()
    receiver = threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True)
    receiver.start()
    import simulate.jit  # noqa: F401  (what it takes belongs to what the child starts with)

    memory = int(sys.argv[1])
    _limit_memory(memory)
    answers.send("started", None)
    while True:
        try:
            request = requests.get(timeout=IDLE)
        except Empty:
            os._exit(0)  # there is a thread that cannot be waited for
        _answer(request, answers, memory)


def _receive(stream: IO[bytes], requests: SimpleQueue[bytes]) -> None:
    """Hand on requests; end the process, whatever it is doing, when the parent is gone."""
    while head := stream.read(LENGTH):
        requests.put(stream.read(int.from_bytes(head, "little")))
    os._exit(0)


class Answers:
    """Where answers go, from any thread."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.lock = threading.Lock()

    def send(self, kind: str, content: Any) -> None:
        """Write an answer."""
        data = pickle.dumps((kind, content), protocol=5)
        with self.lock:
            self.stream.write(len(data).to_bytes(LENGTH, "little") + data)
            self.stream.flush()


def _answer(request: bytes, answers: Answers, memory: int) -> None:
    try:
        work, task, arguments = pickle.loads(request)  # noqa: S301  (our parent wrote it)
        _ = work.job
        answers.send("ready", None)
        if task == "play":
            answers.send("done", work.play(*arguments))
        else:
            _replay(work, answers, memory, *arguments)
            answers.send("done", None)
    except MemoryError:
        answers.send("memory", None)
    except Exception as error:  # noqa: BLE001  (whatever it is, the parent raises it)
        answers.send("raised", _sendable(error))


def _sendable(error: Exception) -> Exception:
    """Return an error, or one that says the same where it does not survive the way."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (our own)
    except Exception:  # noqa: BLE001  (it may raise anything)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _replay(work: Piecewise, answers: Answers, memory: int, game: int, seconds: float) -> None:
    """Play one game in plain Python, and end the process when one answer takes too long."""
    from strategies.strategy import StrategyError

    watch = threading.Thread(target=_watch, args=(answers, seconds), daemon=True)
    watch.start()
    try:
        work.replay(game)
    except StrategyError as error:
        if isinstance(error.__cause__, MemoryError):
            problem = f"took more than {memory} MiB of memory"
            raise StrategyError(error.spec, problem, error.place, error.state) from error
        raise


def _watch(answers: Answers, seconds: float) -> None:
    """Look at the answer that is being given, and tell which one takes too long."""
    from strategies.state import state_text
    from strategies.strategy import StrategyError

    seen: FrameType | None = None
    since = 0
    while True:
        time.sleep(BEAT)
        found = _frame_of_answer()
        since = since + 1 if found is not None and found is seen else 0
        seen = found
        if since == 0:
            answers.send("alive", None)
        if seen is not None and since * BEAT >= seconds:
            asked = seen.f_locals
            strategy = asked["self"]
            problem = f"took over {seconds:g} s for an answer: does it loop?"
            place = _place(strategy.files) or str(strategy.path)
            state = state_text(asked["view"], asked["option"])
            answers.send("raised", StrategyError(strategy.spec, problem, place, state))
            os._exit(0)


def _stack() -> list[FrameType]:
    """Return the frames of the main thread, the innermost first."""
    frames = []
    frame = sys._current_frames().get(threading.main_thread().ident or 0)  # noqa: SLF001
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


def _frame_of_answer() -> FrameType | None:
    from strategies.strategy import Strategy

    code = Strategy.answer.__code__
    return next((frame for frame in _stack() if frame.f_code is code), None)


def _place(files: list[Any]) -> str | None:
    """Return the line of these files that the main thread is at."""
    known = {str(file) for file in files}
    for frame in _stack():
        if frame.f_code.co_filename in known:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
    return None


def _limit_memory(mebibytes: int) -> None:
    """Limit the data of this process to so much more than it has, where the platform can."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    wanted = (mebibytes << 20) + _data()
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data() -> int:
    """Return the bytes of data that this process has, 0 where that is not told."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123  (no folder)
            found = [line.split()[1] for line in status if line.startswith("VmData:")]
    except OSError:
        return 0
    return int(found[0]) << 10 if found else 0


if __name__ == "__main__":
    main()
