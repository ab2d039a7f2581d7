"""What decides the content of a run: a frozen record, its canonical JSON, and its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError, unknown
from simulate.numerals import counted, int_text, whole_number
from simulate.version import SCHEMA

if TYPE_CHECKING:
    from simulate.napalm.rules import NapalmRules
    from simulate.noddy.rules import NoddyRules

    Rules = NapalmRules | NoddyRules

GAMES = ("napalm", "noddy")

DETAILS = {
    "napalm": ("summary", "games", "deals"),
    "noddy": ("summary", "games", "deals", "turns"),
}
"""What a run keeps, from the summary alone to a row for everything of that kind."""

MOST_GAMES = 2**63 - 1
EXACT_IN_JSON = 2**53  # above it JSON readers may round: such a seed is written as text


def check_game(game: object) -> str:
    """Return the name of a game, or say which there are."""
    if not isinstance(game, str) or game not in GAMES:
        raise unknown("game", game, GAMES)
    return game


def rules_module(game: str) -> Any:
    """Return ``simulate.napalm.rules`` or ``simulate.noddy.rules``."""
    return import_module(f"simulate.{check_game(game)}.rules")


def check_players(game: str, players: object) -> int:
    """Return a number of players that the game takes, or say what it takes."""
    low, high = rules_module(game).MIN_PLAYERS, rules_module(game).MAX_PLAYERS
    number = whole_number("players", players, 0)
    if not low <= number <= high:
        raise InputError(f"players {int_text(number)}: {game} takes {low} to {high}")
    return number


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides what a run contains; threads, slices and folders do not.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    rules : NapalmRules or NoddyRules
        Its rules.
    strategies : tuple of str
        The line-up: the canonical spec of each slot.
    sources : tuple of str
        The source hash of each slot's strategy.
    seed : int
        Any whole number >= 0.
    games : int
        How many games, from 1.
    detail : str
        One of `DETAILS` of the game.
    fixed_seats : bool
        Keep slot ``s`` in seat ``s`` instead of changing seats from game to game.

    Raises
    ------
    InputError
        When a value is not allowed.
    """

    game: str
    rules: Rules
    strategies: tuple[str, ...]
    sources: tuple[str, ...]
    seed: int
    games: int
    detail: str = "summary"
    fixed_seats: bool = False

    def __post_init__(self) -> None:
        kind = f"{check_game(self.game).capitalize()}Rules"
        if not isinstance(self.rules, getattr(rules_module(self.game), kind)):
            raise InputError(f"rules {self.rules!r} for {self.game}: allowed is a {kind}")
        check_players(self.game, len(self.strategies))
        if len(self.sources) != len(self.strategies):
            raise InputError("every strategy needs its source hash")
        if self.detail not in DETAILS[self.game]:
            raise unknown("detail", self.detail, DETAILS[self.game])
        if not isinstance(self.fixed_seats, bool):
            raise InputError(f"fixed seats {self.fixed_seats!r}: allowed is true or false")
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0))
        object.__setattr__(self, "games", whole_number("games", self.games, 1, MOST_GAMES))

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.strategies)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole configuration as JSON takes it, every field resolved."""
        return {
            "game": self.game,
            "players": self.players,
            "rules": self.rules.to_dict(),
            "strategies": [
                {"spec": spec, "source": source}
                for spec, source in zip(self.strategies, self.sources, strict=True)
            ],
            "seed": self.seed if self.seed < EXACT_IN_JSON else hex(self.seed),
            "games": self.games,
            "detail": self.detail,
            "fixed_seats": self.fixed_seats,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RunConfig:
        """Read what `to_dict` wrote.

        Raises
        ------
        InputError
            When a field is missing or wrong.
        """
        try:
            return cls(
                game=check_game(data["game"]),
                rules=rules_module(data["game"]).from_dict(data["rules"]),
                strategies=tuple(slot["spec"] for slot in data["strategies"]),
                sources=tuple(slot["source"] for slot in data["strategies"]),
                seed=whole_number("seed", data["seed"], 0),
                games=data["games"],
                detail=data["detail"],
                fixed_seats=data["fixed_seats"],
            )
        except (KeyError, TypeError) as error:
            raise InputError(f"the configuration lacks or misspells a field: {error}") from None

    def canonical(self) -> str:
        """Return the one JSON text of this configuration."""
        return canonical(self.to_dict())

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that name what the run contains."""
        return content_hash(self.to_dict())

    @property
    def name(self) -> str:
        """The name of the run's folder, for example ``napalm-5p-0123456789abcdef``."""
        return f"{self.game}-{self.players}p-{self.hash}"

    def differences(self, other: RunConfig) -> list[str]:
        """Say in words what differs from another configuration, one line each."""
        return differences(self.to_dict(), other.to_dict())

    def describe(self) -> str:
        """Say in one line what is played."""
        rules = rules_text(self.game, self.rules.to_dict())
        return (
            f"{self.game}, {self.players} players, {rules}, "
            f"{counted(self.games, 'game')}, seed {int_text(self.seed)}"
        )


def canonical(content: Mapping[str, Any]) -> str:
    """Return the one JSON text of what decides the content of a run."""
    return json.dumps({"schema": SCHEMA, **content}, sort_keys=True, separators=(",", ":"))


def content_hash(content: Mapping[str, Any]) -> str:
    """Return sixteen hexadecimal digits that name it."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()[:16]


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Say in words what differs between two configurations as JSON has them, one line each."""
    mine, theirs = _flat(one), _flat(other)
    names = [*mine, *(name for name in theirs if name not in mine)]
    return [
        f"{name}: {mine.get(name)} and {theirs.get(name)}"
        for name in names
        if mine.get(name) != theirs.get(name)
    ]


def nearest_preset(game: str, rules: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the preset that rules come nearest to, and the values of the fields that differ.

    Parameters
    ----------
    game : {"napalm", "noddy"}
    rules : mapping
        As JSON has them.
    """
    module, mine = rules_module(game), _flat({**rules, "preset": None})
    found = []
    for preset in module.PRESETS:
        theirs = _flat({**module.make_rules(preset).to_dict(), "preset": None})
        others = [name for name, value in mine.items() if theirs[name] != value]
        found.append((preset, {name: field_value(rules, name) for name in others}))
    return min(found, key=lambda pair: len(pair[1]))


def rules_text(game: str, rules: Mapping[str, Any]) -> str:
    """Name rules by a preset and what differs from it: ``"tokens, target=3"``."""
    preset, fields = nearest_preset(game, rules)
    return ", ".join([preset, *(f"{name}={value}" for name, value in fields.items())])


def field_value(rules: Mapping[str, Any], name: str) -> str:
    """Write the value of a field as the command line reads it."""
    value: Any = rules
    for part in name.split("."):
        value = value[part]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flat(data: Any, name: str = "") -> dict[str, Any]:
    if isinstance(data, Mapping):
        pairs = [(str(key), value) for key, value in data.items()]
    elif isinstance(data, list):
        pairs = [(str(place), value) for place, value in enumerate(data)]
    else:
        return {name: data}
    flat: dict[str, Any] = {}
    for key, value in pairs:
        flat |= _flat(value, f"{name}.{key}" if name else key)
    return flat
