"""``simulate log``: write down every card, word and payment of some games."""

from __future__ import annotations

import argparse
import io
import sys

from simulate.commands.options import add_played, settings
from simulate.numerals import counted

HELP = "write every card, word and payment of some games, one game a line"
EXAMPLES = """\
  simulate log napalm --players 5 --games 1000 --out games.jsonl
  simulate log noddy -s reckoner -s hoarder --games 10 --explain --out games.jsonl
"""
GAMES = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_played(parser)
    parser.add_argument("--out", metavar="FILE", help="the game log; printed when left out")
    parser.add_argument(
        "--explain", action="store_true", help="add what each strategy saw and answered"
    )


def main(args: argparse.Namespace) -> int:
    """Play the games and write their log."""
    from simulate.cli import OK, say
    from simulate.request import configure

    chosen = {"games": GAMES, **settings(args)}
    out = chosen.pop("out", None)
    for name in (
        "threads",
        "executor",
        "patience",
        "memory",
        "detail",
    ):  # of a file that a run is made from as well
        chosen.pop(name, None)
    config, line_up = configure(**chosen)

    from simulate import gamelog
    from simulate.recording import records

    played = records(config, line_up, explain=args.explain)
    if out is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        for record in played:
            sys.stdout.write(gamelog.to_line(record) + "\n")
    else:
        games = gamelog.write(out, played)
        say(f"{counted(games, 'game')} {'is' if games == 1 else 'are'} in {out}")
    return OK
