"""Time pieces of work in turns, so that whatever else the machine does falls upon all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.reference import make_shuffle
from benchmarks.row import Row, Target


class Effort(NamedTuple):
    """How much to measure.

    Attributes
    ----------
    rounds : int
        How often everything takes its turn.
    seconds : float
        How long one turn lasts, about.
    full : bool
        Whether runs have the sizes that the targets speak of: minutes, and gigabytes of disk.
    cold : bool
        Whether to compile everything anew, to see how long that takes.
    """

    rounds: int
    seconds: float
    full: bool = False
    cold: bool = True

    @property
    def tiny(self) -> bool:
        """Whether this is only to see that everything works."""
        return self.rounds == 1


TINY = Effort(rounds=1, seconds=0.001, cold=False)
QUICK = Effort(rounds=5, seconds=0.1)
FULL = Effort(rounds=11, seconds=0.3, full=True)


class Case(NamedTuple):
    """Something to be timed.

    Attributes
    ----------
    name : str
    unit : str
        What is counted: ``"deals"``.
    work : callable
        ``work(count)`` does about so many units, and returns how many it did.
    target : Target, optional
    note : str
    """

    name: str
    unit: str
    work: Callable[[int], int]
    target: Target | None = None
    note: str = ""


def timed(work: Callable[[int], int], count: int, clock: Callable[[], float]) -> tuple[int, float]:
    """Do the work once; return how many units were done, and the seconds they took."""
    begin = clock()
    done = work(count)
    return done, max(clock() - begin, 1e-9)


def enough(work: Callable[[int], int], seconds: float, clock: Callable[[], float]) -> int:
    """Find how many units take about so many seconds, having warmed up."""
    count = 1
    work(count)
    while True:
        _, took = timed(work, count, clock)
        if took >= seconds / 2:
            return max(1, int(count * seconds / took))
        count *= 2 if took < seconds / 20 else 4 if took < seconds / 8 else 2


def in_turns(
    works: Sequence[Callable[[int], int]],
    effort: Effort,
    clock: Callable[[], float] = time.thread_time,
) -> list[list[float]]:
    """Return the rates of some pieces of work, units a second, one for each round.

    Parameters
    ----------
    works : sequence of callable
        See `Case`.
    effort : Effort
    clock : callable
        CPU time of this thread, which other programs hardly change, where one thread works.
    """
    counts = [enough(work, effort.seconds, clock) for work in works]
    rates: list[list[float]] = [[] for _ in works]
    order = list(range(len(works)))
    for _ in range(effort.rounds):
        for which in order:
            done, took = timed(works[which], counts[which], clock)
            rates[which].append(done / took)
        order.reverse()  # who went first goes last: what heats up or slows down meets all alike
    return rates


def measure(
    cases: Sequence[Case],
    effort: Effort,
    against: str = "",
    clock: Callable[[], float] = time.thread_time,
) -> list[Row]:
    """Time cases in turns with the reference.

    Parameters
    ----------
    cases : sequence of Case
    effort : Effort
    against : str
        The name of the case that each row's ratio is to; without one, the reference.
    clock : callable
        See `in_turns`.
    """
    reference, *rates = in_turns([make_shuffle(), *(case.work for case in cases)], effort, clock)
    by_name = dict(zip((case.name for case in cases), rates, strict=True))
    return [
        Row(
            name=case.name,
            unit=f"{case.unit}/s",
            samples=tuple(by_name[case.name]),
            reference=tuple(reference),
            against=against,
            ratios=ratios(by_name[case.name], by_name[against]) if against else (),
            target=case.target,
            note=case.note,
        )
        for case in cases
    ]


def ratios(these: Sequence[float], those: Sequence[float]) -> tuple[float, ...]:
    """Divide, round by round."""
    return tuple(this / that for this, that in zip(these, those, strict=True))
