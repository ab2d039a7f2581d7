"""What the page is told of a game and what it may do: nothing that the person may not see."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simulate.config import rules_text
from simulate.errors import InputError
from simulate.play.coach import Advice
from simulate.play.keeping import Kept, open_game
from simulate.play.summary import cost_text, found_mistakes, mistakes, value_text
from simulate.web.pictures import situation

if TYPE_CHECKING:
    from pathlib import Path

    from simulate.play.setting import Setting
    from simulate.play.terminal import Advise

LATER = "that has been answered: the page shows what came of it"


@dataclass
class WebTable:
    """One game after the other at a table in the browser.

    Every method may be called from any thread.

    Parameters
    ----------
    setting : Setting
        Who plays by which rules.
    log : Path, optional
        The game log; one named by the setting when None.
    index : int, optional
        The first game; the one going on, else the next, when None.
    advise : callable, optional
        Values the answers that the person has.
    coach : bool
        Say after each answer what it cost.
    """

    setting: Setting
    log: Path | None = None
    index: int | None = None
    advise: Advise | None = None
    coach: bool = True
    kept: Kept = field(init=False)
    silent: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._thinking: Future[Advice] | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="coach")
        self.kept = open_game(self.setting, self.log, self.index)
        self._think()

    def _think(self, ahead: bool = True) -> None:
        """Let the coach think about the question, ahead of the answer if he is to judge it.

        The sitting stays as it is until he has done so: whoever answers waits for him.
        """
        self._thinking, asked = None, not self.kept.sitting.over
        if self.advise is not None and asked and (self.coach or not ahead):
            self._thinking = self._pool.submit(self.advise, self.kept.sitting)

    def state(self) -> dict[str, Any]:
        """Return all that the page shows."""
        with self._lock:
            return self._state()

    def _state(self) -> dict[str, Any]:
        sitting = self.kept.sitting
        setting = self.setting
        last = self.kept.advice[-1] if self.kept.advice else None
        return {
            "game": setting.game,
            "seat": setting.seat,
            "seats": setting.seats,
            "labels": setting.labels,
            "rules": rules_text(setting.game, setting.rules.to_dict()),
            "target": setting.rules.target,
            "seed": str(setting.seed),
            "index": sitting.index,
            "number": len(sitting.answers),
            "known": sitting.shown(),
            "lines": sitting.lines(),
            "ask": None if sitting.over else situation(sitting),
            "hints": self.advise is not None,
            "verdict": verdict(last, sitting.answers[-1]) if last and self.coach else None,
            "silent": self.silent if self.coach else "",
            "mistakes": mistakes(self.kept) if sitting.over else [],
            "costs": self._costs() if sitting.over else [],
            "log": str(self.kept.log),
        }

    def _costs(self) -> list[dict[str, Any]]:
        return [
            {
                "where": mistake.where,
                "cost": mistake.advice.cost(mistake.answer),
                "text": cost_text(mistake.advice, mistake.answer),
                "chosen": mistake.advice.chosen(mistake.answer).text,
                "best": mistake.advice.best.text,
            }
            for mistake in found_mistakes(self.kept)
        ]

    def answer(self, number: object, answer: object) -> dict[str, Any]:
        """Answer the question of a number, and return the state after it.

        Raises
        ------
        InputError
            When another question is asked by now, or that may not be answered.
        """
        with self._lock:
            sitting = self.kept.sitting
            if type(number) is not int or number != len(sitting.answers):
                raise InputError(LATER)
            if not isinstance(answer, bool | int):
                raise InputError(f"answer {answer!r} is none")
            sitting.check(answer)
            advice = self._thought() if self._thinking else None
            self.kept.answer(answer, advice)
            self._think()
            return self._state()

    def hint(self, number: object) -> dict[str, Any]:
        """Return what each answer to the question of a number is worth.

        Raises
        ------
        InputError
            When another question is asked by now, or there is no coach.
        """
        with self._lock:
            if type(number) is not int or number != len(self.kept.sitting.answers):
                raise InputError(LATER)
            if self._thinking is None:
                self._think(ahead=False)
            if self._thinking is None:
                raise InputError("there is no coach at this table, or nothing is asked")
            advice = self._thought()
            if advice is None:
                raise InputError(self.silent)
            return chart(advice)

    def _thought(self) -> Advice | None:
        """Wait for what the coach thinks; None where he knows nothing, `silent` is why then."""
        assert self._thinking is not None  # noqa: S101  (asked where he thinks)
        self.silent = ""
        try:
            return self._thinking.result()
        except InputError as error:
            self.silent = str(error)
            return None

    def next_game(self) -> dict[str, Any]:
        """Begin the next game, and return its state.

        Raises
        ------
        InputError
            When this one is not over.
        """
        with self._lock:
            if not self.kept.sitting.over:
                raise InputError("the game is not over")
            self.kept = open_game(self.setting, self.log)
            self._think()
            return self._state()

    def close(self) -> bool:
        """Let the coach go, and return whether all is quiet: a thought cannot be broken off."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        if not self._lock.acquire(timeout=0.5):
            return False  # a strategy does not answer, or somebody waits for the coach
        self._lock.release()
        return self._thinking is None or self._thinking.done()


def chart(advice: Advice) -> dict[str, Any]:
    """Return advice as the page draws it."""
    best = advice.best
    return {
        "unit": advice.unit,
        "choices": [
            {
                "answer": int(choice.answer),
                "text": choice.text,
                "value": choice.value,
                "margin": choice.margin,
                "worth": value_text(advice, choice),
                "best": choice is best,
            }
            for choice in advice.choices
        ],
    }


def verdict(advice: Advice, answer: int) -> dict[str, Any]:
    """Return what the coach says of an answer."""
    return {
        **chart(advice),
        "answer": int(answer),
        "cost": advice.cost(answer),
        "surely": advice.worse(answer),
        "text": cost_text(advice, answer),
    }
