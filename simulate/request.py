"""What a person asks for, in Python, in TOML or on the command line, made into a configuration."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.config import RunConfig, check_game, check_players, rules_module
from simulate.errors import InputError, unknown
from simulate.numerals import whole_number

if TYPE_CHECKING:
    from simulate.config import Rules
    from strategies import Strategy

SETTINGS = (
    "game", "players", "games", "seed", "strategies", "rules", "detail", "fixed_seats", "threads",
    "executor", "patience", "memory", "out",
)  # fmt: skip
"""The keys of a ``--config`` file."""

GAMES, SEED, OUT = 1_000_000, 1, "results"

LINE_UP = {
    "napalm": ("threshold", "tight", "bluffer", "listener", "racer", "challenger", "positional"),
    "noddy": ("reckoner", "keeper", "racer", "highest"),
}
"""Who plays when nobody is named: as many of these as there are players."""

PLAYERS = {"napalm": 5, "noddy": 2}
MOST_THREADS = 1_024


def choose_rules(game: str, rules: str | Mapping[str, Any] | Rules | None = None) -> Rules:
    """Make the rules of a game.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    rules : str, mapping, NapalmRules or NoddyRules, optional
        A preset, or fields that differ from it, ``{"preset": "tokens", "stage3.penalty": 0}``, or
        rules ready made. The game's first preset when None.

    Raises
    ------
    InputError
        For an unknown preset or field, or a value that is not allowed.
    """
    module = rules_module(game)
    if rules is None:
        return module.make_rules()  # type: ignore[no-any-return]
    if isinstance(rules, str):
        return module.make_rules(rules)  # type: ignore[no-any-return]
    if isinstance(rules, Mapping):
        fields = dict(rules)
        preset = str(fields.pop("preset", next(iter(module.PRESETS))))
        return module.make_rules(preset, fields)  # type: ignore[no-any-return]
    return rules


def choose_line_up(
    game: str, strategies: Sequence[str | Strategy] | None, players: object = None
) -> list[Strategy]:
    """Load who plays, one strategy a slot.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    strategies : sequence of str or Strategy, optional
        Specs, ``"tight"``, ``"bluffer:bluff=0.2"``, ``"my/bot.py"``, ``"tight*4"``, or strategies
        that are loaded. A sensible line-up when None.
    players : int, optional
        How many sit at the table: as many as there are strategies when None.

    Raises
    ------
    InputError
        For an unknown strategy, or when the numbers do not agree.
    """
    from strategies import parse_line_up

    wanted = None if players is None else check_players(game, players)
    if strategies is None:
        return parse_line_up(LINE_UP[game][: wanted or PLAYERS[game]], game)
    if not isinstance(strategies, Sequence):
        raise InputError(f"strategies {strategies!r}: allowed is a list of specs")
    line_up = parse_line_up(strategies, game)
    if wanted not in (None, len(line_up)):
        hint = f": {line_up[0].spec}*{wanted} is {wanted} of them" if len(line_up) == 1 else ""
        named = "1 strategy" if len(line_up) == 1 else f"{len(line_up)} strategies"
        raise InputError(f"{named} for {wanted} players{hint}")
    check_players(game, len(line_up))
    return line_up


def configure(
    game: str,
    *,
    players: object = None,
    games: object = GAMES,
    seed: object = SEED,
    strategies: Sequence[str | Strategy] | None = None,
    rules: str | Mapping[str, Any] | Rules | None = None,
    detail: str = "summary",
    fixed_seats: bool = False,
) -> tuple[RunConfig, list[Strategy]]:
    """Make the configuration of a run, and load its line-up.

    Parameters
    ----------
    game, players, games, seed, strategies, rules, detail, fixed_seats
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything of it is not allowed.
    """
    check_game(game)
    line_up = choose_line_up(game, strategies, players)
    config = RunConfig(
        game=game,
        rules=choose_rules(game, rules),
        strategies=tuple(strategy.spec for strategy in line_up),
        sources=tuple(strategy.source_hash for strategy in line_up),
        seed=whole_number("seed", seed, 0),
        games=games,  # type: ignore[arg-type]  # RunConfig reads and checks it
        detail=detail,
        fixed_seats=fixed_seats,
    )
    return config, line_up


def line_up_of(config: RunConfig) -> list[Strategy]:
    """Load the strategies of a run that was begun before, and refuse those that have changed."""
    from strategies import load

    line_up = [load(spec, config.game) for spec in config.strategies]
    for strategy, source in zip(line_up, config.sources, strict=True):
        if strategy.source_hash != source:
            raise InputError(
                f"strategy {strategy.spec} has changed since the run began: its source was "
                f"{source[:12]} and is {strategy.source_hash[:12]}"
            )
    return line_up


def choose_threads(threads: object = None) -> int:
    """Return how many threads to use: those asked for, or one for each processor."""
    if threads is not None:
        return whole_number("threads", threads, 1, MOST_THREADS)
    from simulate.executors import processors

    return processors()


def read_settings(path: str | Path) -> dict[str, Any]:
    """Read a run's settings from a TOML file.

    Raises
    ------
    InputError
        When the file cannot be read, is no TOML, or has a key that is not one of `SETTINGS`.
    """
    try:
        settings = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise InputError(f"{path}: is not TOML: {error}") from None
    for key in settings:
        if key not in SETTINGS:
            raise unknown(f"key in {path}", key, SETTINGS)
    if not isinstance(settings.get("out", OUT), str):
        raise InputError(f"{path}: out = {settings['out']}: allowed is the name of a folder")
    return settings
