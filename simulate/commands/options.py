"""The options that say what is played, and how they and a ``--config`` file become settings."""

from __future__ import annotations

import argparse
from typing import Any

from simulate.errors import InputError

PLAYED = (
    "game", "players", "games", "seed", "strategies", "detail", "fixed_seats", "threads",
    "executor", "patience", "memory", "out",
)  # fmt: skip


def add_played(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is played."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument(
        "--players",
        metavar="N",
        help="napalm 4 to 7 (5), noddy 2 to 4 (2); when left out, as many as are named",
    )
    parser.add_argument("--games", metavar="N", help="how many (1M): 1000, 1e6, 10M, 250k")
    parser.add_argument("--seed", metavar="N", help="any whole number >= 0 (1)")
    parser.add_argument(
        "-s",
        "--strategy",
        dest="strategies",
        action="append",
        metavar="SPEC",
        help="a player: tight, bluffer:bluff=0.2, my/bot.py, tight*4; repeat for each (when none "
        "is named, built-in ones of several kinds)",
    )
    parser.add_argument(
        "--rules",
        metavar="PRESET",
        help="stakes (the default) or tokens; lay (the default) or hold",
    )
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change one rule, for example stage3.penalty=0; repeat for more",
    )
    parser.add_argument(
        "--fixed-seats",
        action="store_true",
        default=None,
        help="leave everybody in one seat instead of changing seats from game to game",
    )
    parser.add_argument("--config", metavar="FILE", help="read all this from a TOML file")


def add_where(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what plays."""
    parser.add_argument("--threads", metavar="N", help="one for each processor when left out")
    parser.add_argument(
        "--executor",
        metavar="WHAT",
        help="threads, processes, or dask:tcp://HOST:PORT; when left out threads, and processes "
        "where a .py strategy of your own takes part",
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        help="how long a strategy may play in a child process without an answer (10)",
    )
    parser.add_argument(
        "--memory", metavar="MIB", help="how much memory a child process may take (2048)"
    )


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return what is asked for: the ``--config`` file's settings, overridden by the options.

    Raises
    ------
    InputError
        When no game is named, or the file or a rule is wrong.
    """
    from simulate.request import read_settings

    chosen = read_settings(args.config) if args.config else {}
    if args.strategies is not None:
        chosen.pop("players", None)  # those of the file go with the file's line-up
    for name in PLAYED:
        if getattr(args, name, None) is not None:
            chosen[name] = getattr(args, name)
    if "game" not in chosen:
        raise InputError("no game is named: allowed: napalm, noddy")
    rules = rule_settings(chosen["game"], args.rules, args.rule, chosen.get("rules"))
    if rules is not None:
        chosen["rules"] = rules
    return chosen


def rule_settings(game: str, preset: str | None, words: list[str], file: Any = None) -> Any:
    """Combine ``--rules`` and ``--rule`` with the rules of a file."""
    from simulate.config import rules_module

    module = rules_module(game)
    rules = file if preset is None else preset
    if not words:
        return rules
    fields: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"rule {word!r} is not a field and its value: write target=3")
        fields[name.strip()] = module.parse_value(name.strip(), value)
    if isinstance(rules, str):
        return {"preset": rules, **fields}
    return {**(rules or {}), **fields}
