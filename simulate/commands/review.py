"""``simulate review``: what each decision of a logged game cost against the best choice."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError, was_stopped

if TYPE_CHECKING:
    from simulate.reviewing import Review

HELP = "say what each decision of a logged game cost against the best choice"
EXAMPLES = """\
  simulate review games.jsonl --seat 2
  simulate review games.jsonl --seat 2 --game 17 --all
  simulate review games.jsonl --strategy tight --first 20
  simulate review games.jsonl --seat 0 --field tight --precision 0.1 --json
"""
ASKED = ("own", "slip", "measure", "precision", "games")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a game log")
    add("--seat", metavar="N", help="whose decisions, from 0")
    add("--strategy", metavar="NAME", help="or those of this strategy, wherever it sat")
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
    from simulate.advising import SEED
    from simulate.cli import BAD_INPUT, INTERRUPTED, OK, say
    from simulate.commands.progress import progress_bar
    from simulate.numerals import counted, whole_number
    from simulate.reviewing import Reviewing

    records, number = _records(args)
    asked = {name: getattr(args, name) for name in ASKED}
    seed = SEED if args.seed is None else whole_number("seed", args.seed, 0)
    seat = None if args.seat is None else whole_number("seat", args.seat, 0)
    if (seat is None) == (args.strategy is None):
        raise InputError("whose decisions? --seat or --strategy is missing, or one too many")
    reviewing, code = Reviewing(seat, args.strategy, args.field, asked, seed), OK
    why = ""
    try:
        with progress_bar(hidden=args.json) as progress:
            for _ in reviewing.of(records):
                progress(reviewing.games, number)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:
        if was_stopped(error):
            code = INTERRUPTED
        elif isinstance(error, InputError) and reviewing.judged:
            code, why = BAD_INPUT, f": {error}"
        else:
            raise
    found = reviewing.result()
    if code == OK or found.decisions:
        print(json.dumps(found.to_dict(), indent=2) if args.json else show(found, args.all))
    if code != OK:
        say(f"stopped after {found.games:,} of {counted(number, 'game')}{why}")
    return code


def _records(args: argparse.Namespace) -> tuple[Iterator[dict[str, Any]], int]:
    """Return the games that are asked for, and how many they are."""
    from simulate import gamelog
    from simulate.numerals import whole_number

    if args.game is not None:
        return iter([gamelog.find(args.file, whole_number("game", args.game, 0))]), 1
    number = sum(1 for _ in gamelog.read(args.file))
    if not number:
        raise InputError(f"{args.file!r} holds no games")
    if args.first is not None:
        number = min(number, whole_number("first", args.first, 1))
    return islice((record for _, record in gamelog.read(args.file)), number), number


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
            known = " ".join(judged.heard) or "-"
            if advice.game == "noddy":
                known = str(len(advice.choices))
            who = f"{judged.seat} {judged.strategy}"
            rows.append(
                [judged.place, who, " ".join(judged.hand), known, judged.chosen, best, mark]
            )
        known = "options" if listed[0].advice.game == "noddy" else "heard"
        head = ["", "seat", "cards", known, "chosen", "best", "cost"]
        lines += columns(head, rows, colour=may_colour(sys.stdout))
        if not everything and len(mistakes) > WORST:
            lines.append(f"and {len(mistakes) - WORST} that cost less")
        if everything and mistakes:
            lines.append("* told from the best")
        lines.append("")
    return "\n".join([*lines, found.sentence])
