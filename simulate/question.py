"""A question put to several tables of players, as the runner plays it and the results keep it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.config import EXACT_IN_JSON, MOST_GAMES, content_hash, differences
from simulate.errors import InputError, unknown
from simulate.numerals import whole_number

if TYPE_CHECKING:
    from simulate.stats import Estimate
    from simulate.store import Folder
    from strategies import Strategy

DETAIL = "summary"

MEASURES = {"napalm": ("net", "wins"), "noddy": ("score", "wins")}
"""What strategies are compared by, for one seat and one game."""

CHIEF = {"napalm": "net", "noddy": "wins"}
"""The measure that a conclusion is about when none is named."""


def head_of(measure: str) -> str:
    """Return the head of a column: a measure and its unit."""
    return f"{measure} ({Unit.of(measure).name})"


def check_measure(game: str, measure: str | None) -> str:
    """Return a measure of a game, or its chief one."""
    if measure is None:
        return CHIEF[game]
    if measure not in MEASURES[game]:
        raise unknown(f"measure of {game}", measure, MEASURES[game])
    return measure


@dataclass(frozen=True)
class Unit:
    """How a measure is written."""

    name: str
    scale: float = 1.0
    percent: str = ""
    of_money: bool = False

    @classmethod
    def of(cls, measure: str) -> Unit:
        """Return the unit of a measure."""
        if measure == "wins":
            return cls("of the games", 100.0, "%")
        return cls("stakes a game", of_money=True) if measure == "net" else cls("points a game")

    def plain(self, found: Estimate) -> str:
        """Write an estimate without its sign: ``"0.21 ± 0.03"``."""
        return self._write(abs(found.value), found).lstrip("+")

    def signed(self, found: Estimate) -> str:
        """Write a gain or a difference: ``"+0.21 ± 0.03"``."""
        return self._write(found.value, found)

    def level(self, found: Estimate) -> str:
        """Write what a strategy comes to: net stakes with their sign, others without."""
        return self.signed(found) if self.of_money else self.plain(found)

    def _write(self, value: float, found: Estimate) -> str:
        margin, sign = self.scale * found.margin, self.percent
        places = 2 if margin <= 0 else min(6, max(0, 1 - math.floor(math.log10(margin))))
        return f"{self.scale * value:+.{places}f}{sign} ± {margin:.{places}f}{sign}"


@dataclass(frozen=True)
class Question:
    """Everything that decides the content of a comparison, a sweep or a tournament.

    Parameters
    ----------
    kind : str
        ``"compare"``, ``"sweep"``, ``"equilibrium"``, ``"tournament"`` or ``"solve"``.
    game : {"napalm", "noddy"}
        The game.
    rules : NapalmRules or NoddyRules
        Its rules, before anything is varied.
    players : tuple of Strategy
        Everybody who plays.
    seed : int
        Any whole number >= 0.
    games : int
        How many games each table plays, at most.
    asked : mapping
        What is asked, as JSON takes it.
    """

    kind: str
    game: str
    rules: Any
    players: tuple[Strategy, ...]
    seed: int
    games: int
    asked: Mapping[str, Any]

    detail = DETAIL
    fixed_seats = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0))
        object.__setattr__(self, "games", whole_number("games", self.games, 1, MOST_GAMES))

    @property
    def strategies(self) -> tuple[str, ...]:
        """The spec of each player."""
        return tuple(player.spec for player in self.players)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {
            "question": self.kind,
            "game": self.game,
            "rules": self.rules.to_dict(),
            "strategies": [
                {"spec": player.spec, "source": player.source_hash} for player in self.players
            ],
            "seed": self.seed if self.seed < EXACT_IN_JSON else hex(self.seed),
            "games": self.games,
            **self.asked,
        }

    @cached_property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that name the content."""
        return content_hash(self.to_dict())

    def check_same(self, folder: Folder) -> None:
        """Refuse to go on with what was begun with other strategies or by another version."""
        if folder.manifest["run"] != self.hash:
            differ = differences(folder.config, self.to_dict())
            raise InputError(f"{folder.path} was begun otherwise: {'; '.join(differ)}")

    @property
    def name(self) -> str:
        """The name of the folder, for example ``compare-napalm-0123456789abcdef``."""
        return f"{self.kind}-{self.game}-{self.hash}"


def command_of(kind: str) -> str:
    """Return the command that plays, or goes on with, what a folder holds."""
    return "sweep" if kind == "equilibrium" else kind


def same_question(path: str | Path, kind: str) -> tuple[Folder, dict[str, Any]]:
    """Open the folder of a question, and refuse another kind."""
    from simulate.store import open_folder

    folder = open_folder(path)
    config = folder.config
    if config.get("question") != kind:
        is_one = config.get("question", "run")
        raise InputError(
            f"{path} is a {is_one}, no {kind}: simulate {command_of(is_one)} --resume {path}"
        )
    if isinstance(config["seed"], str):
        config["seed"] = int(config["seed"], 16)
    return folder, config


def finite(number: float) -> float | None:
    """Return a number as JSON takes it: None where it is infinite or none."""
    return number if math.isfinite(number) else None


def distinct(line_ups: Sequence[Sequence[Strategy]]) -> tuple[Strategy, ...]:
    """List the strategies of several line-ups, each once."""
    return tuple({strategy.spec: strategy for line_up in line_ups for strategy in line_up}.values())
