"""``simulate review``: what each decision of a logged game cost against the best choice."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.reviewing import Review

HELP = "say what each decision of a logged game cost against the best choice"
EXAMPLES = """\
  simulate review games.jsonl --seat 2
  simulate review games.jsonl --seat 2 --game 17 --all
  simulate review games.jsonl --seat 0 --field tight --precision 0.1 --json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a game log")
    add("--seat", metavar="N", help="whose decisions, from 0")
    add("--game", metavar="N", help="only the game of this index")
    add("--first", metavar="N", help="only so many games, from the first of the file on")
    add("--all", action="store_true", help="list every decision, not the dearest mistakes alone")
    add("--field", metavar="SPEC", help="how the others play (as those that sat there)")
    add("--own", metavar="SPEC", help="how the player is taken to go on (as he did)")
    add("--slip", metavar="P", help="napalm: how often the others err (0)")
    add("--measure", metavar="WHAT", help="net or wins in napalm, wins or score in noddy")
    add("--precision", metavar="X", help="judge each until costs are known within plus or minus X")
    add("--games", metavar="N", help="most games played on for each choice (400k)")
    add("--seed", metavar="N", help="any whole number >= 0 (1)")
    add("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """Print the review."""
    from simulate.cli import OK
    from simulate.numerals import whole_number
    from simulate.reviewing import review

    if args.seat is None:
        raise InputError("--seat is missing: whose decisions?")
    asked = ("field", "own", "slip", "measure", "precision", "games")
    given = {name: getattr(args, name) for name in asked if getattr(args, name) is not None}
    if args.seed is not None:
        given["seed"] = whole_number("seed", args.seed, 0)
    seat = whole_number("seat", args.seat, 0)
    found = review(_records(args), seat, **given)
    print(json.dumps(found.to_dict(), indent=2) if args.json else show(found, args.all))
    return OK


def _records(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from simulate import gamelog
    from simulate.numerals import whole_number

    if args.game is not None:
        yield gamelog.find(args.file, whole_number("game", args.game, 0))
        return
    most = None if args.first is None else whole_number("first", args.first, 1)
    games = 0
    for _, record in gamelog.read(args.file):
        if most is not None and games >= most:
            return
        games += 1
        yield record
    if not games:
        raise InputError(f"{args.file!r} holds no games")


def show(found: Review, everything: bool) -> str:
    """Write a review as text: its dearest mistakes, or every decision."""
    from simulate.commands.show import may_colour
    from simulate.reviewing import WORST, cost_text
    from simulate.text import columns

    mistakes = found.mistakes
    listed = list(found.decisions) if everything else mistakes[:WORST]
    lines = []
    if listed:
        rows = []
        for judged in listed:
            advice = judged.advice
            best = advice.choices[advice.best].name
            cost = cost_text(advice.measure, judged.cost) if judged.chosen != best else ""
            mark = cost + (" *" if judged.is_mistake and everything else "")
            rows.append([judged.place, judged.chosen, best, mark])
        lines += columns(["", "chosen", "best", "cost"], rows, colour=may_colour(sys.stdout))
        if not everything and len(mistakes) > WORST:
            lines.append(f"and {len(mistakes) - WORST} that cost less")
        if everything and mistakes:
            lines.append("* told from the best")
        lines.append("")
    return "\n".join([*lines, found.sentence])
