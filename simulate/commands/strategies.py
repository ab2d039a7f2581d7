"""``simulate strategies``: what there is to play with."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strategies import Strategy

HELP = "list the strategies with their parameters, or tell all about some"
EXAMPLES = """\
  simulate strategies
  simulate strategies napalm
  simulate strategies noddy hoarder
"""
WIDTH, LONGEST_NAME = 96, 15


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "what",
        nargs="*",
        metavar="GAME or STRATEGY",
        help="napalm or noddy, both if left out; and the strategies to tell all about",
    )
    parser.add_argument("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """List the built-in strategies, those of installed packages, and those that were solved."""
    from simulate.cli import OK
    from simulate.config import GAMES
    from strategies import listing, solved

    games = [game for game in GAMES if game in args.what] or list(GAMES)
    names = [name for name in args.what if name not in GAMES]
    found = [each for game in games for each in (*listing(game), *solved(game))]
    if names:
        found = [strategy for name in names for strategy in _named(name, games)]
    if args.json:
        keys = ("game", "name", "kind", "about", "params", "source_hash")
        entries = [{key: getattr(each, key) for key in keys} for each in found]
        json.dump(entries, sys.stdout, indent=2)
        print()
        return OK
    if names:
        print("\n\n".join(map(_all_of, found)))
        return OK
    for game in games:
        print(game)
        for strategy in found:
            if strategy.game == game:
                print(_entry(strategy))
    print("\nall about one: simulate strategies NAME")
    return OK


def _named(name: str, games: list[str]) -> list[Strategy]:
    """Load the strategies of a name, one of each game that has it."""
    from simulate.config import GAMES
    from simulate.errors import InputError, unknown
    from strategies import listing, load

    known = [*GAMES, *(strategy.name for game in games for strategy in listing(game))]
    if name.isidentifier() and name not in known:
        raise unknown("game or strategy", name, known)
    found, refused = [], None
    for game in games:
        try:
            found.append(load(name, game))
        except InputError as error:
            refused = refused or error
    if refused and not found:
        raise refused
    return found


def _all_of(strategy: Strategy) -> str:
    params = [f"  {name} = {value}" for name, value in strategy.params.items()]
    lines = [f"{strategy.spec} ({strategy.game}, {strategy.path})", "", strategy.about.strip()]
    return "\n".join([*lines, *(["", "parameters:", *params] if params else [])])


def _entry(strategy: Strategy) -> str:
    params = " ".join(f"{name}={value}" for name, value in strategy.params.items())
    about = " ".join(strategy.about.strip().split("\n\n")[0].split())
    name, indent = f"  {strategy.name:<{LONGEST_NAME}} ", " " * (LONGEST_NAME + 3)
    lines = textwrap.wrap(about, WIDTH, initial_indent=name, subsequent_indent=indent)
    if params:
        lines += textwrap.wrap(params, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)
