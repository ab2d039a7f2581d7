"""``simulate strategies``: what there is to play with."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strategies import Strategy

HELP = "list the strategies with their parameters"
EXAMPLES = """\
  simulate strategies
  simulate strategies napalm
"""
WIDTH = 96


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy; both if left out")
    parser.add_argument("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """List the built-in strategies, and those of installed packages."""
    from simulate.cli import OK
    from simulate.config import GAMES, check_game
    from strategies import listing

    games = GAMES if args.game is None else (check_game(args.game),)
    found = [strategy for game in games for strategy in listing(game)]
    if args.json:
        keys = ("game", "name", "kind", "about", "params", "source_hash")
        entries = [{key: getattr(each, key) for key in keys} for each in found]
        json.dump(entries, sys.stdout, indent=2)
        print()
        return OK
    for game in games:
        print(game)
        for strategy in found:
            if strategy.game == game:
                print(_entry(strategy))
    return OK


def _entry(strategy: Strategy) -> str:
    params = " ".join(f"{name}={value}" for name, value in strategy.params.items())
    about = " ".join(strategy.about.strip().split("\n\n")[0].split())
    name = f"  {strategy.name:<14}"
    lines = textwrap.wrap(about, WIDTH, initial_indent=name, subsequent_indent=" " * len(name))
    if params:
        lines += textwrap.wrap(params, WIDTH, initial_indent=" " * 16, subsequent_indent=" " * 16)
    return "\n".join(lines)
