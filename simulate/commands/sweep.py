"""``simulate sweep``: how results change with a parameter, a rule or the number of players."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.commands.asking import add_asked, asked, nothing_else, play
from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.equilibrium import Equilibrium
    from simulate.sweeping import Sweep

HELP = "play the same games at every point of a grid"
EXAMPLES = """\
  simulate sweep napalm --vary threshold.stage1=0.5:0.95:0.05
  simulate sweep napalm -s bluffer --field tight --vary bluffer.bluff=0:0.3:0.05 --plot bluff.svg
  simulate sweep napalm --vary threshold.stage1=0.5:0.9:0.05 --vary threshold.stage2=0.5:0.9:0.05
  simulate sweep napalm -s bluffer --field tight --vary rule.target=3:7 --vary players=4:7
  simulate sweep napalm --vary threshold.stage1=0.5:0.9:0.05 --equilibrium
"""

ONLY_HERE = ("vary", "strategies", "field", "of", "equilibrium")
MOST_ROWS = 60  # of a table that is printed


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument(
        "--vary",
        action="append",
        metavar="WHAT=VALUES",
        help="STRATEGY.PARAMETER, PLACE.PARAMETER, rule.FIELD or players, with low:high[:step] or "
        "a,b,c; once or twice",
    )
    parser.add_argument(
        "-s",
        "--strategy",
        dest="strategies",
        action="append",
        metavar="SPEC",
        help="a player; without any, the strategies that are varied",
    )
    parser.add_argument(
        "--field",
        action="append",
        metavar="SPEC",
        help="who takes the seats that are left, in turn, and is not varied",
    )
    parser.add_argument(
        "--of", metavar="WHO", help="whose results: a strategy, or a place of the line-up"
    )
    add_asked(parser, games="100k at each point")
    parser.add_argument("--plot", metavar="FILE", help="a picture, .png, .svg or .pdf")
    parser.add_argument(
        "--equilibrium",
        action="store_true",
        help="look for the point at which everybody can play alike: no own change pays",
    )


def main(args: argparse.Namespace) -> int:
    """Sweep a grid, or look for an equilibrium in it, and print what came out."""
    from simulate import sweeping
    from simulate.request import OUT

    if args.resume:
        from simulate import equilibrium
        from simulate.store import open_folder

        nothing_else(args, ONLY_HERE)
        folder = Path(args.resume)
        if open_folder(folder).config.get("question") == "equilibrium":
            return play(args, equilibrium.reopen(folder).answer, folder, show_point)
        question = sweeping.reopen(folder)
        return play(args, question.answer, folder, _shower(args), measure=args.measure)
    if not args.vary:
        raise InputError("nothing is varied: write --vary threshold.stage1=0.5:0.95:0.05")
    if args.equilibrium:
        return _equilibrium(args)
    names = ("strategies", "field", "of", "players", "games", "seed")
    question = sweeping.ask(vary=args.vary, game=args.game, **asked(args, names))
    folder = Path(args.out or OUT) / question.question.name
    return play(args, question.answer, folder, _shower(args), measure=args.measure)


def _equilibrium(args: argparse.Namespace) -> int:
    from simulate.equilibrium import ask
    from simulate.request import OUT

    for name in ("strategies", "field", "of"):
        if getattr(args, name):
            option = "-s" if name == "strategies" else f"--{name}"
            raise InputError(f"in an equilibrium all play alike: leave out {option}")
    if args.plot:
        raise InputError("of an equilibrium there is no picture: leave out --plot")
    question = ask(
        vary=args.vary, game=args.game, **asked(args, ("players", "games", "measure", "seed"))
    )
    return play(args, question.answer, Path(args.out or OUT) / question.question.name, show_point)


def _shower(args: argparse.Namespace) -> Any:
    """Return what shows a sweep, and makes its picture."""
    if args.plot:
        from simulate.plots.style import check_picture

        check_picture(args.plot)  # before anything is played

    def shower(found: Sweep) -> str:
        text = show(found)
        if args.plot:
            text += f"\n\npicture: {draw(found, Path(args.plot))}"
        return text

    return shower


def draw(found: Sweep, path: Path) -> Path:
    """Draw a sweep: a line with its band, or a heat map where two things are varied."""
    from simulate import plots
    from simulate.question import head_of

    targets = [each.target for each in found.varied]
    label = head_of(found.measure)
    if len(targets) == 1:
        ax = plots.threshold_curve(found.points, targets[0], found.measure, y_label=label)
    else:
        x, y = targets
        ax = plots.heat_map(found.points, x, y, found.measure, value_label=label)
    return plots.save_picture(ax, path)


def show(found: Sweep) -> str:
    """Write a sweep as text."""
    from simulate.commands.show import may_colour
    from simulate.question import MEASURES, Unit, head_of
    from simulate.stats import Estimate
    from simulate.text import columns

    measures = MEASURES[found.question.game]
    targets = [each.target for each in found.varied]
    head = [*targets, *map(head_of, measures), "deals", ""]
    rows = []
    for _, point in found.points.iterrows():
        cells = [
            Unit.of(name).level(
                Estimate(point[name], point[f"{name}_low"], point[f"{name}_high"], 0, found.games)
            )
            for name in measures
        ]
        mark = "best" if point["best"] else "may be" if point["maybe_best"] else ""
        rows.append([*(str(point[t]) for t in targets), *cells, f"{point['deals']:.2f}", mark])
    if len(rows) > MOST_ROWS:
        kept = found.points[found.measure].rank(ascending=False) <= MOST_ROWS
        rows = [row for row, keep in zip(rows, kept, strict=True) if keep]
    asked_for = found.question.asked
    who = ", ".join(asked_for["line_up"])
    if asked_for["field"]:
        who += f" among {', '.join(asked_for['field'])}"
    about = (
        f"{found.question.game}, {who}: {found.games:,} games with the same cards at each of "
        f"{len(found.points)} points"
    )
    lines = [
        about,
        "",
        *columns(head, rows, colour=may_colour(sys.stdout)),
        "",
        found.sentence,
    ]
    return "\n".join(lines)


def show_point(found: Equilibrium) -> str:
    """Write an equilibrium as text."""
    from simulate.commands.show import may_colour
    from simulate.text import columns

    rows = [
        [name, f"{estimate.value:.4f} ± {estimate.margin:.4f}"]
        for name, estimate in found.point.items()
    ]
    head = ["parameter", "everybody alike" if found.found else "where the search ended"]
    table = columns(head, rows, colour=may_colour(sys.stdout))
    return "\n".join([*table, "", found.sentence])
