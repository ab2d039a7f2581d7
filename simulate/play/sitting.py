"""One game, going on: strategies answer at once, and the person's seat is waited for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate import gamelog
from simulate.errors import InputError
from simulate.rng import fold_seed

if TYPE_CHECKING:
    from simulate.play.choice import Choice
    from simulate.play.setting import Setting


class Sitting:
    """One game at a table with a person.

    Only `shown` and `lines` may be shown to the person before the game is over: the record holds
    all cards.

    Parameters
    ----------
    setting : Setting
        Who sits where, and the rules.
    index : int
        Which game of the seed.

    Attributes
    ----------
    ask : Ask or None
        What the person is asked now, and sees; None once the game is over.
    answers : list of int
        What the person has answered so far.
    places : list of str
        For each of these, where it was and what he held, in words.
    """

    def __init__(self, setting: Setting, index: int) -> None:
        self.setting, self.index = setting, index
        self.answers: list[int] = []
        self.places: list[str] = []
        self.ask: Any = None
        self._module = import_module(f"simulate.play.{setting.game}")
        self._key = fold_seed(setting.seed)
        head = gamelog.header(setting.game, setting.seed, index, setting.rules, setting.seats)
        self._played: dict[str, Any] = {}
        self._head = head
        self._steps = self._module.game_steps(
            setting.rules, setting.players, self._key, index, self._played
        )
        self._go_on(None)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.ask is None

    @property
    def choices(self) -> list[Choice]:
        """What the person may answer now."""
        found: list[Choice] = self._module.choices(self.ask)
        return found

    @property
    def record(self) -> dict[str, Any]:
        """The record of the game, for a log.

        Raises
        ------
        InputError
            While the game is going on: it holds everybody's cards.
        """
        if not self.over:
            raise InputError("the game is not over: its record holds cards that nobody has shown")
        return {**self._head, **self._played}

    def check(self, answer: int) -> int:
        """Return an answer as the game is sent it.

        Raises
        ------
        InputError
            When nobody is asked, or that may not be answered.
        """
        if self.over:
            raise InputError("the game is over: nobody is asked")
        allowed = [choice.answer for choice in self.choices]
        if isinstance(answer, float) or answer not in allowed:
            raise InputError(f"answer {answer!r} is not among {', '.join(map(str, allowed))}")
        return allowed[allowed.index(answer)]

    def answer(self, answer: int) -> None:
        """Send what the person answers, and go on until he is asked again.

        Raises
        ------
        InputError
            When he is not asked, or may not answer that.
        """
        answer = self.check(answer)
        self.answers.append(answer)
        self.places.append(self._module.place(self.ask))
        self._go_on(answer)

    def _go_on(self, answer: int | None) -> None:
        """Let strategies answer until the person is asked, or the game is over."""
        strategies = self.setting.strategies
        while True:
            try:
                self.ask = self._steps.send(answer)
            except StopIteration:
                self.ask = None
                return
            strategy = strategies[self.ask.seat]
            if strategy is None:
                return
            answer = self._module.answer_of(strategy, self.ask, self._key, self.index)

    def shown(self) -> dict[str, Any]:
        """Return what the person knows of the game: everything, once it is over."""
        known: dict[str, Any] = self._module.shown(
            self._played, self.setting.rules, self.setting.seat, self.over
        )
        return known

    def lines(self) -> list[str]:
        """Tell what the person knows of the game: lines are added, none is ever changed."""
        told: list[str] = self._module.lines(
            self.shown(), self.setting.rules, self.setting.seat, self.setting.labels
        )
        return told
