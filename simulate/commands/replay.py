"""``simulate replay``: tell a game in words."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

HELP = "tell a game of a log or a run in words"
EXAMPLES = """\
  simulate replay games.jsonl --game 17
  simulate replay results/napalm-5p-0123456789abcdef --game 17
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("source", metavar="FILE|RUN", help="a game log, or the folder of a run")
    parser.add_argument("--game", metavar="N", default="0", help="which game, from 0 (0)")


def main(args: argparse.Namespace) -> int:
    """Find the game, or play it again, and tell it."""
    from simulate.cli import OK
    from simulate.numerals import whole_number

    index = whole_number("game", args.game, 0)
    source = Path(args.source)
    record = _from_run(source, index) if source.is_dir() else _from_log(source, index)

    from simulate import gamelog

    print(gamelog.tell(record))
    return OK


def _from_log(path: Path, index: int) -> dict[str, Any]:
    from simulate import gamelog

    return gamelog.find(path, index)


def _from_run(path: Path, index: int) -> dict[str, Any]:
    from simulate.config import RunConfig
    from simulate.recording import records
    from simulate.request import line_up_of
    from simulate.store import open_folder

    config = RunConfig.from_dict(open_folder(path).config)
    return next(records(config, line_up_of(config), index, index + 1))
