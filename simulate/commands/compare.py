"""``simulate compare``: is this strategy better than that one?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.commands.asking import add_asked, asked, nothing_else, play
from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.comparison import Asked, Comparison

HELP = "compare two strategies over the same cards"
EXAMPLES = """\
  simulate compare napalm tight threshold
  simulate compare napalm tight threshold --field bluffer --players 6
  simulate compare napalm threshold:stage1=0.7 threshold --field threshold --precision 0.01
  simulate compare noddy hoarder highest --rules hold --sprt 0 0.02
  simulate compare --resume results/compare-napalm-0123456789abcdef
"""

ONLY_HERE = ("first", "second", "field", "precision", "sprt", "alpha", "beta", "measure")
RATE = "0.05"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument("first", nargs="?", metavar="A", help="a strategy")
    parser.add_argument("second", nargs="?", metavar="B", help="the one to compare it with")
    parser.add_argument(
        "--field",
        action="append",
        metavar="SPEC",
        help="who takes the other seats, in turn; without it A and B share the table",
    )
    add_asked(parser, games="100k, or 10M at most with --precision or --sprt")
    parser.add_argument(
        "--precision", metavar="X", help="end when the interval is no wider than plus or minus X"
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        metavar=("H0", "H1"),
        help="end when a sequential test has decided which difference, A minus B, it is",
    )
    parser.add_argument("--alpha", metavar="P", help=f"its rate of false positives ({RATE})")
    parser.add_argument("--beta", metavar="P", help=f"its rate of misses ({RATE})")


def main(args: argparse.Namespace) -> int:
    """Compare two strategies and print the conclusion."""
    from simulate import comparison
    from simulate.request import OUT

    if args.resume:
        nothing_else(args, ONLY_HERE)
        return play(args, comparison.reopen(args.resume).answer, Path(args.resume), show)
    if args.second is None:
        raise InputError("a comparison needs a game and two strategies: simulate compare GAME A B")
    question = _ask(args)
    return play(args, question.answer, Path(args.out or OUT) / question.question.name, show)


def _ask(args: argparse.Namespace) -> Asked:
    from simulate.comparison import ask
    from simulate.stats import SequentialTest

    options: dict[str, Any] = asked(args, ("field", "players", "games", "measure", "seed"))
    if args.precision is not None:
        options["precision"] = number("precision", args.precision)
    if args.sprt is not None:
        null, alternative = (number("hypothesis", text) for text in args.sprt)
        alpha, beta = number("alpha", args.alpha or RATE), number("beta", args.beta or RATE)
        options["test"] = SequentialTest(null, alternative, alpha, beta)
    elif args.alpha is not None or args.beta is not None:
        raise InputError("--alpha and --beta are the error rates of --sprt, which is not given")
    return ask(args.game, args.first, args.second, **options)


def number(what: str, text: str) -> float:
    """Read a number, or say that it is none."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{what} {text!r} is not a number") from None


def show(found: Comparison) -> str:
    """Write a comparison as text."""
    from simulate.commands.show import may_colour
    from simulate.config import rules_text
    from simulate.question import Unit, head_of
    from simulate.text import columns

    asked_for = found.question.asked
    names = [asked_for["first"], asked_for["second"], "difference"]
    rows = []
    for name, what in zip(names, ("first", "second", "difference"), strict=True):
        cells = [quantities[what] for quantities in found.results.values()]
        units = [Unit.of(measure) for measure in found.results]
        texts = [
            "-" if cell is None else unit.signed(cell) if what == "difference" else unit.level(cell)
            for unit, cell in zip(units, cells, strict=True)
        ]
        rows.append([name, *texts])
    head = ["", *map(head_of, found.results)]
    where = f"among {', '.join(asked_for['field'])}" if asked_for["field"] else "at one table"
    rules = rules_text(found.question.game, found.question.rules.to_dict())
    about = (
        f"{found.question.game}, {asked_for['players']} players, {rules}, {where}, "
        f"{found.games:,} games twice with the same cards"
    )
    lines = [
        about,
        "",
        *columns(head, rows, colour=may_colour(sys.stdout)),
        "",
        found.sentence,
        f"{found.gained} {found.ending}",
    ]
    return "\n".join(lines)
