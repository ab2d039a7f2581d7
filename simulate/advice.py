"""What an adviser answers: the choices that there are, and what each of them is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulate.errors import unknown
from simulate.stats import Estimate

__all__ = ["Advice", "Choice"]

UNITS = {"net": "stakes", "wins": "of the games", "score": "points", "turns": "turns"}


def amount(measure: str, found: Estimate, signed: bool = False) -> str:
    """Write an estimate with its margin and unit: ``"+1.25 ± 0.11 stakes"``."""
    if measure == "wins":
        sign = "+" if signed else ""
        return f"{100 * found.value:{sign}.1f}% ± {100 * found.margin:.1f}%"
    sign = "+" if signed or measure == "net" else ""
    return f"{found.value:{sign}.2f} ± {found.margin:.2f} {UNITS[measure]}"


@dataclass(frozen=True)
class Choice:
    """One thing that a player may do.

    Attributes
    ----------
    name : str
        ``"yes"`` or ``"no"``; in Noddy for example ``"lay fifteen 5h Jd"``, ``"draw"``.
    values : mapping of str to Estimate
        What it is worth, each with its 95% interval and standard error (`Estimate.error`).
        ``"wins"``: the chance to win the game. Napalm ``"net"``: stakes received from now to the
        end of the game, less stakes paid. Noddy ``"score"``: points gained from now to the end of
        the game; ``"turns"``: own turns that it still takes.
    behind : Estimate
        How much less it is worth than the best choice, in the measure that decides: the cost of
        choosing it. 0 for the best.
    maybe_best : bool
        Whether it cannot be told from the best.
    """

    name: str
    values: Mapping[str, Estimate]
    behind: Estimate
    maybe_best: bool


@dataclass(frozen=True)
class Advice:
    """The choices that a player has, in the order of the game, and the best of them.

    Attributes
    ----------
    game : str
        ``"napalm"`` or ``"noddy"``.
    choices : tuple of Choice
        Everything that he may do: Yes and No, or the options of Noddy in their order.
    best : int
        The place of the best choice.
    measure : str
        What decides: ``"net"`` or ``"wins"``.
    samples : int
        How many tables were played on, the same ones for every choice.
    effective : float
        How many tables of equal weight would be worth as much.
    dealt : int
        How many tables were dealt: all but the samples contradict what was heard or was less
        likely to be heard there.
    field : tuple of str
        The strategy that plays in each position, his own included.
    seed : int
        The same seed gives the same advice.
    """

    game: str
    choices: tuple[Choice, ...]
    best: int
    measure: str
    samples: int
    effective: float
    dealt: int
    field: tuple[str, ...]
    seed: int

    @property
    def decided(self) -> bool:
        """Whether the best choice was told from all others."""
        return sum(choice.maybe_best for choice in self.choices) == 1

    def choice(self, name: str | int) -> Choice:
        """Return a choice by its name or place.

        Raises
        ------
        InputError
            When there is none of that name.
        """
        if isinstance(name, int):
            return self.choices[name]
        for choice in self.choices:
            if choice.name == name:
                return choice
        raise unknown("choice", name, [choice.name for choice in self.choices])

    def cost(self, name: str | int) -> Estimate:
        """Return how much less a choice is worth than the best, in the measure that decides."""
        return self.choice(name).behind

    @property
    def sentence(self) -> str:
        """The advice in a sentence or two."""
        best = self.choices[self.best]
        worth = ", ".join(amount(measure, value) for measure, value in self._shown(best))
        name = best.name[0].upper() + best.name[1:]
        if len(self.choices) == 1:
            return f"{name}: there is no choice. Worth {worth}."
        others = [choice for choice in self.choices if choice is not best]
        if self.decided:
            second = min(others, key=lambda choice: choice.behind.value)
            more = amount(self.measure, second.behind).lstrip("+")
            return f"{name}: worth {more} more than {second.name}. It brings {worth}."
        near = [choice for choice in others if choice.maybe_best]
        names = " and ".join(choice.name for choice in near[:3])
        names += f" and {len(near) - 3} others" if len(near) > 3 else ""
        worst = max(near, key=lambda choice: choice.behind.high)
        within = amount(self.measure, worst.behind).lstrip("+")
        return f"{name} or {names}: they cannot be told apart (by {within}). It brings {worth}."

    def _shown(self, choice: Choice) -> list[tuple[str, Estimate]]:
        return [(name, choice.values[name]) for name in ("net", "wins") if name in choice.values]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {
            "game": self.game,
            "best": self.choices[self.best].name,
            "decided": self.decided,
            "measure": self.measure,
            "choices": [
                {
                    "name": choice.name,
                    **{name: _plain(value) for name, value in choice.values.items()},
                    "behind": _plain(choice.behind),
                    "maybe_best": choice.maybe_best,
                }
                for choice in self.choices
            ],
            "samples": self.samples,
            "effective": self.effective,
            "dealt": self.dealt,
            "field": list(self.field),
            "seed": self.seed,
            "sentence": self.sentence,
        }


def _plain(found: Estimate) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high, "error": found.error}
