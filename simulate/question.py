"""A question put to several tables of players, as the runner plays it and the results keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulate.config import EXACT_IN_JSON, MOST_GAMES, content_hash
from simulate.numerals import whole_number

if TYPE_CHECKING:
    from strategies import Strategy

DETAIL = "summary"


@dataclass(frozen=True)
class Question:
    """Everything that decides the content of a comparison, a sweep or a tournament.

    Parameters
    ----------
    kind : str
        ``"compare"``, ``"sweep"`` or ``"tournament"``.
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

    @property
    def name(self) -> str:
        """The name of the folder, for example ``compare-napalm-0123456789abcdef``."""
        return f"{self.kind}-{self.game}-{self.hash}"


def distinct(line_ups: Sequence[Sequence[Strategy]]) -> tuple[Strategy, ...]:
    """List the strategies of several line-ups, each once."""
    return tuple({strategy.spec: strategy for line_up in line_ups for strategy in line_up}.values())
