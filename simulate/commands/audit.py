"""``simulate audit``: play the games of a log again, and name the first thing wrong."""

from __future__ import annotations

import argparse

from simulate.numerals import counted

HELP = "check a game log against the rules, card by card"
EXAMPLES = """\
  simulate audit games.jsonl
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("file", metavar="FILE", help="a game log")


def main(args: argparse.Namespace) -> int:
    """Audit the log; 1 when something in it is wrong."""
    from simulate.cli import FOUND, OK
    from simulate.gamelog import audit_file

    audit = audit_file(args.file)
    if audit.difference is None:
        print(f"{counted(audit.games, 'game')}, nothing wrong")
        return OK
    print(f"{args.file}, line {audit.line}: {audit.difference}")
    return FOUND
