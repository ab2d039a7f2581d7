"""``simulate tournament``: everybody against everybody."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.commands.asking import add_asked, asked, nothing_else, play
from simulate.numerals import counted

if TYPE_CHECKING:
    from simulate.tournaments import Tournament

HELP = "let strategies play everybody against everybody"
EXAMPLES = """\
  simulate tournament napalm
  simulate tournament napalm -s tight -s bluffer -s bluffer:bluff=0.3 -s my/bot.py --players 4
  simulate tournament noddy -s my_folder -s hoarder --games 10M --plot table.png
  simulate tournament --resume results/tournament-napalm-0123456789abcdef
"""

MOST_COLUMNS = 12  # of a cross table that is printed


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument(
        "-s",
        "--strategy",
        dest="strategies",
        action="append",
        metavar="SPEC",
        help="who takes part, or a folder of strategies; all built-ins when left out",
    )
    add_asked(parser, games="1M in all")
    parser.add_argument("--plot", metavar="FILE", help="the cross table, .png, .svg or .pdf")


def main(args: argparse.Namespace) -> int:
    """Play a tournament and print the ranking."""
    from simulate import tournaments
    from simulate.request import OUT

    if args.resume:
        nothing_else(args, ("strategies",))
        question, folder = tournaments.reopen(args.resume), Path(args.resume)
        return play(args, question.answer, folder, _shower(args), measure=args.measure)
    options = asked(args, ("players", "games", "seed"))
    strategies = args.strategies or tournaments.built_ins(args.game)
    question = tournaments.ask(args.game, strategies, **options)
    folder = Path(args.out or OUT) / question.question.name
    return play(args, question.answer, folder, _shower(args), measure=args.measure)


def _shower(args: argparse.Namespace) -> Any:
    """Return what shows a tournament, and makes its picture."""
    if args.plot:
        from simulate.plots.style import check_picture

        check_picture(args.plot)  # before anything is played

    def shower(found: Tournament) -> str:
        text = show(found)
        if args.plot:
            text += f"\n\npicture: {draw(found, Path(args.plot))}"
        return text

    return shower


def draw(found: Tournament, path: Path) -> Path:
    """Draw the cross table."""
    from simulate import plots
    from simulate.question import Unit

    label = f"gain ({Unit.of(found.measure).name})"
    return plots.save_picture(plots.cross_table(found.cross, value_label=label), path)


def show(found: Tournament) -> str:
    """Write a tournament as text."""
    from simulate.commands.show import may_colour
    from simulate.question import MEASURES, Unit, head_of
    from simulate.stats import Estimate
    from simulate.text import columns

    colour = may_colour(sys.stdout)
    measures = MEASURES[found.question.game]
    head = ["strategy", *map(head_of, measures), "group"]
    rows = []
    for _, row in found.ranking.iterrows():
        cells = [
            Unit.of(name).level(
                Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"], 0, found.games)
            )
            for name in measures
        ]
        rows.append([row["strategy"], *cells, row["group"]])
    tables = counted(len(found.tables), "table")
    about = (
        f"{found.question.game}, {len(found.ranking)} strategies at {tables} of "
        f"{found.question.asked['players']}, {found.games:,} games"
    )
    lines = [
        about,
        "",
        *columns(head, rows, colour=colour),
        "",
        found.sentence,
    ]
    names = found.ranking["strategy"].tolist()
    if len(names) <= MOST_COLUMNS:
        unit = Unit.of(found.measure)
        wide = found.cross.pivot(index="strategy", columns="opponent", values="gain")
        table = [
            [
                f"{place + 1} {name}",
                *("" if o == name else f"{unit.scale * wide.loc[name, o]:+.2f}" for o in names),
            ]
            for place, name in enumerate(names)
        ]
        head = [f"gain from ({unit.name})", *(str(place + 1) for place in range(len(names)))]
        lines += ["", *columns(head, table, colour=colour)]
    return "\n".join(lines)
