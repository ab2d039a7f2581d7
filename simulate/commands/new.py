"""``simulate new``: write the skeleton of a strategy."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write the skeleton of a strategy"
EXAMPLES = """\
  simulate new napalm my.py
  simulate new noddy my.py
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", metavar="GAME", help="napalm or noddy")
    parser.add_argument("file", metavar="FILE.py", help="the file to write; it must not exist yet")


def main(args: argparse.Namespace) -> int:
    """Write the file, and say how to try it."""
    from simulate.cli import OK
    from strategies.skeleton import write_skeleton

    write_skeleton(args.game, Path(args.file))
    print(f"wrote {args.file}; to test it: simulate check {args.file}")
    return OK
