"""What an adviser answers: the choices that there are, and what each of them is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulate.errors import unknown
from simulate.numerals import number_text
from simulate.stats import Estimate

__all__ = ["Advice", "Choice"]

UNITS = {"net": "stakes", "score": "points", "turns": "turns"}


def amount(measure: str, found: Estimate, unit: bool = True) -> str:
    """Write an estimate with its margin, and its unit: ``"+1.25 ± 0.11 stakes"``."""
    if measure == "wins":
        return f"{number_text(100 * found.value, 1)}% ± {100 * found.margin:.1f}%"
    sign = "+" if measure == "net" else ""
    text = f"{number_text(found.value, 2, sign)} ± {found.margin:.2f}"
    return f"{text} {UNITS[measure]}" if unit else text


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
    samples : int
        Of how many tables it was played on: fewer where it was surely worse before the others were
        decided.
    """

    name: str
    values: Mapping[str, Estimate]
    behind: Estimate
    maybe_best: bool
    samples: int


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
        How many tables were played on, the same ones for every choice that is still open.
    effective : float
        How many tables of equal weight would be worth as much.
    dealt : int
        How many tables were dealt: all but the samples contradict what was heard or was less
        likely to be heard there.
    field : tuple of str
        The strategy that plays in each position, his own included.
    seed : int
        The same seed gives the same advice.
    precision : float
        Within how much differences were to be known, or below how much they do not matter.
    answered : bool
        Whether choices were told apart, or known as well as that, before tables ran out.
    given_up : float
        The share of games that nobody had won after the most deals that the rules allow.
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
    precision: float
    answered: bool
    given_up: float

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
        worth = self._worth(best)
        name = best.name[0].upper() + best.name[1:]
        if len(self.choices) == 1:
            return f"{name}: there is no choice; {worth}."
        others = [choice for choice in self.choices if choice is not best]
        if self.decided:
            second = min(others, key=lambda choice: choice.behind.value)
            more = self._lead(second)
            return f"{name}: {more} better than {second.name}; {worth}."
        near = [choice for choice in others if choice.maybe_best]
        names = [best.name, *(choice.name for choice in near[:3])]
        names += [f"{len(near) - 3} more"] if len(near) > 3 else []
        either = " or ".join([", ".join(names[:-1]), names[-1]])
        either = either[0].upper() + either[1:]
        worst = max(near, key=lambda choice: choice.behind.high)
        within = self._lead(worst)
        if worst.behind.high == 0:
            return f"{either}: they come to the same; {worth}."
        return f"{either}: they cannot be told apart ({within}); {worth}."

    def _lead(self, choice: Choice) -> str:
        """Say how far the best is ahead of a choice."""
        ahead = amount(self.measure, choice.behind).lstrip("+")
        return f"{ahead} of the games" if self.measure == "wins" else ahead

    def _worth(self, choice: Choice) -> str:
        """Say what a choice brings."""
        wins = f"{choice.name} wins {amount('wins', choice.values['wins'])} of the games"
        if "net" not in choice.values:
            return wins
        return f"{wins} and brings {amount('net', choice.values['net'])}"

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
                    "samples": choice.samples,
                }
                for choice in self.choices
            ],
            "samples": self.samples,
            "effective": self.effective,
            "dealt": self.dealt,
            "field": list(self.field),
            "seed": self.seed,
            "precision": self.precision,
            "answered": self.answered,
            "given_up": self.given_up,
            "sentence": self.sentence,
        }


def _plain(found: Estimate) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high, "error": found.error}
