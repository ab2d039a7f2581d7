"""What an answer of the person at the table was worth, beside the others he might have given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Valued(NamedTuple):
    """An answer and its value.

    Attributes
    ----------
    answer : int
        What the game is sent.
    text : str
        What it is, in words.
    value, margin : float
        What it is worth, and half the width of the 95% interval of that.
    """

    answer: int
    text: str
    value: float
    margin: float


@dataclass(frozen=True)
class Advice:
    """The values of all answers to one question.

    Parameters
    ----------
    unit : {"stakes", "wins"}
        Net stakes until the end of the game, or the chance to win it.
    choices : tuple of Valued
        Every answer.
    gap : mapping of int to float
        For each answer, half the width of the 95% interval of how far it is behind the best, from
        common cards.
    """

    unit: str
    choices: tuple[Valued, ...]
    gap: Mapping[int, float]

    @property
    def best(self) -> Valued:
        """The best answer."""
        return max(self.choices, key=lambda choice: choice.value)

    def chosen(self, answer: int) -> Valued:
        """Return one of the answers."""
        return next(choice for choice in self.choices if choice.answer == answer)

    def cost(self, answer: int) -> float:
        """Return how much an answer is behind the best."""
        return self.best.value - self.chosen(answer).value

    def worse(self, answer: int) -> bool:
        """Tell whether an answer is surely behind the best."""
        return self.cost(answer) > self.gap.get(answer, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "unit": self.unit,
            "choices": [list(choice) for choice in self.choices],
            "gap": [[answer, margin] for answer, margin in self.gap.items()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Advice:
        """Read what `to_dict` wrote."""
        return cls(
            unit=data["unit"],
            choices=tuple(Valued(*choice) for choice in data["choices"]),
            gap=dict(data["gap"]),
        )
