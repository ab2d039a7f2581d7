"""Ask a strategy about thousands of made-up views, and hold its compiled answers against them."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from strategies.samples import Asked, samples
from strategies.state import state_text
from strategies.strategy import Strategy, StrategyError, raised

EACH = {"napalm": 50, "noddy": 100}  # views for each kind of decision: some thousands in all
CLOSE = 1e-9  # compiled arithmetic may differ in the last digits
MOST_FINDINGS = 5
PASS = 3.0  # seconds after which a slow strategy is asked no more


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a strategy.

    Attributes
    ----------
    problem : str
        What it did and what it should do.
    place : str or None
        ``file:line``, where known.
    state : str or None
        The fields of the view that matter, where it was asked something.
    """

    problem: str
    place: str | None = None
    state: str | None = None

    def __str__(self) -> str:
        """Write it in one line."""
        at = f"{self.place}: " if self.place else ""
        asked = f", in state: {self.state}" if self.state else ""
        return f"{at}{self.problem}{asked}"


@dataclass
class Progress:
    """What is being done at the moment, for whoever watches."""

    doing: str = ""
    asked: Asked | None = None
    since: float = field(default_factory=time.monotonic)
    begun: Callable[[str], None] = lambda _: None

    def note(self, doing: str, asked: Asked | None = None) -> None:
        """Note what is done next, and tell when that is something else."""
        if doing != self.doing:
            self.begun(doing)
        self.doing, self.asked, self.since = doing, asked, time.monotonic()

    def state(self) -> str | None:
        """Write down the state that is asked about."""
        return None if self.asked is None else state_text(*self.asked)


def examine(strategy: Strategy, progress: Progress | None = None) -> Iterator[Finding]:
    """Find what is wrong with a strategy; nothing is found in a good one.

    Parameters
    ----------
    strategy : Strategy
        Its file is run and its function called; neither is guarded against here.
    progress : Progress, optional
        Is told what is being asked.
    """
    progress = progress or Progress()
    yield from _unused(strategy)
    progress.note("running the file")
    try:
        _ = strategy.function
    except StrategyError as error:
        yield Finding(error.problem, error.place)
        return
    asked = [
        each
        for each in samples(strategy.game, EACH[strategy.game])
        if strategy.players in (None, each[0].n)
    ]
    answers: dict[int, float] = {}
    yield from _once_a_kind(_ask(strategy, asked, answers, progress))
    yield from _once_a_kind(_ask_again(strategy, asked, answers, progress))
    if strategy.kind == "py":
        yield from _once_a_kind(_ask_compiled(strategy, asked, answers, progress))


def _once_a_kind(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Pass on the first of the findings that differ in nothing but their numbers."""
    kinds: set[tuple[str, str | None]] = set()
    for finding in findings:
        kind = (re.sub(r"[-+]?[\d.]+(e[-+]?\d+)?", "#", finding.problem), finding.place)
        if kind not in kinds:
            kinds.add(kind)
            yield finding
        if len(kinds) == MOST_FINDINGS:
            return


def _unused(strategy: Strategy) -> Iterator[Finding]:
    if strategy.kind != "py":
        return  # a table is refused when it is read
    tree = ast.parse(strategy.sources[strategy.path.name])
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == strategy.function_name:
            used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            for name in strategy.params:
                if name not in used:
                    place = f"{strategy.path}:{node.lineno}"
                    yield Finding(f"parameter {name!r} is never used: leave it out", place)


def _ask(
    strategy: Strategy, asked: list[Asked], answers: dict[int, float], progress: Progress
) -> Iterator[Finding]:
    """Ask about every view, in Python, as far as the time reaches."""
    end = time.monotonic() + PASS
    for number, each in enumerate(asked):
        progress.note("answering", each)
        if progress.since > end:
            return
        try:
            answers[number] = strategy.answer(*each)
        except StrategyError as error:
            yield Finding(error.problem, error.place, error.state)
            if isinstance(error.__cause__, MemoryError):
                return  # it would take as long each time


def _ask_again(
    strategy: Strategy, asked: list[Asked], answers: dict[int, float], progress: Progress
) -> Iterator[Finding]:
    """Ask the same in the opposite order, and expect the same answers."""
    for number in reversed(answers):
        progress.note("answering", asked[number])
        try:
            again = strategy.answer(*asked[number])
        except StrategyError as error:
            yield Finding(error.problem, error.place, error.state)
            continue
        if again != answers[number]:
            problem = (
                f"answered {answers[number]!r}, and {again!r} asked the same again: a strategy "
                "keeps nothing between calls, and its random number is view.random"
            )
            yield Finding(problem, strategy.place, progress.state())


def _ask_compiled(
    strategy: Strategy, asked: list[Asked], answers: dict[int, float], progress: Progress
) -> Iterator[Finding]:
    """Compile it, and expect the answers that it gave in Python."""
    from strategies.compiled import compile_strategy

    progress.note("compiling")
    try:
        function = compile_strategy(strategy)
    except StrategyError as error:
        yield Finding(error.problem, error.place)
        return
    params = tuple(strategy.params.values())
    for number, plain in answers.items():
        progress.note("answering, compiled", asked[number])
        try:
            value = float(function(*asked[number], *params))
        except Exception as error:  # noqa: BLE001  (whatever compiled code raises)
            problem = f"{raised(error)}, when compiled"
        else:
            if value == plain or abs(value - plain) <= CLOSE * max(1.0, abs(plain)):
                continue
            problem = f"answered {plain!r} in Python, but {value!r} compiled"
        yield Finding(problem, strategy.place, progress.state())
