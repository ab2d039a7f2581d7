"""``simulate chart``: with which hands a solved strategy says Yes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.errors import InputError

if TYPE_CHECKING:
    from strategies.race import RaceTable
    from strategies.solved import Solved

HELP = "show with which hands a solved strategy says Yes, or who wins a race of Noddy"
EXAMPLES = """\
  simulate chart solved:napalm-5 --position 0
  simulate chart solved:napalm-5 --position 3 --said 0,2
  simulate chart solved:napalm-5 --position 1 --said 0 --challenged
  simulate chart solved:noddy --cards 4 --others 3
  simulate chart results/solve-napalm-0123456789abcdef/napalm-5.npz --stage 3 --position 4 --said2 1
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "strategy",
        metavar="STRATEGY",
        help="solved:napalm-5, solved:noddy, an .npz file, or the folder of simulate solve",
    )
    parser.add_argument("--stage", metavar="N", help="1, 2 or 3 (1)")
    parser.add_argument("--position", metavar="P", help="who speaks: from eldest, 0 (0)")
    parser.add_argument("--said", metavar="P,P", help="positions that have said Yes before (none)")
    parser.add_argument("--said2", metavar="P,P", help="at stage 3: who said Yes at stage 2 (none)")
    parser.add_argument(
        "--challenged", action="store_true", help="at stage 1: the answer to the dealer's challenge"
    )
    parser.add_argument("--cards", metavar="N", help="noddy: how many one holds, 3 to 8 (3)")
    parser.add_argument("--others", metavar="N", help="noddy: how many the other one holds (3)")


def main(args: argparse.Namespace) -> int:
    """Print the chances of Yes in one situation, or those to win a race of Noddy."""
    from simulate.cli import OK
    from simulate.numerals import whole_number
    from strategies import load
    from strategies import solved as solved_ones

    named = file_of(args.strategy)
    is_table = named.startswith("solved:") or named.lower().endswith(".npz")
    strategy = load(named, None if is_table else "napalm")
    if strategy.game == "noddy" and strategy.kind == "npz":
        return race(args, strategy.race)
    if args.cards or args.others:
        raise InputError("--cards and --others are for noddy")
    if strategy.kind != "npz":
        names = ", ".join(each.name for each in solved_ones())
        raise InputError(
            f"strategy {strategy.spec!r} is no solved one: allowed: {names}, an .npz file or the "
            "folder of simulate solve"
        )
    solved = strategy.solved
    stage = whole_number("stage", args.stage or "1", 1, 3)
    last = solved.n - 1 - args.challenged
    position = whole_number("position", args.position or "0", 0, last)
    said = _bits("said", args.said, position)
    said2 = _bits("said2", args.said2, solved.n)
    if args.said2 and stage != 3:
        raise InputError("--said2 is for stage 3")
    if args.challenged and stage != 1:
        raise InputError("--challenged is for stage 1")
    lines = [situation(solved.n, stage, position, said, said2, args.challenged), ""]
    heard = (1 << position) - 1 + said
    if stage == 1:
        table = solved.challenged if args.challenged else solved.first
        lines += two_card_chart([value / 255 for value in table[heard].tolist()])
    else:
        row = solved.second[heard] if stage == 2 else solved.third[said2, heard]
        lines += strength_chart(solved, stage, [value / 255 for value in row.tolist()])
    print("\n".join(lines))
    return OK


def file_of(named: str) -> str:
    """Return what is named, or the file that a solver has left in a folder that is named."""
    folder = Path(named)
    if not folder.is_dir():
        return named
    found = sorted(folder.glob("*.npz"))
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise InputError(f"folder {named!r}: one .npz file is wanted there, it has {names}")
    return str(found[0])


def race(args: argparse.Namespace, table: RaceTable) -> int:
    """Print the chances to win a race of Noddy."""
    from simulate.cli import OK
    from simulate.commands.race import race_lines
    from simulate.numerals import whole_number
    from strategies.race import FRESH, MOST

    for name in ("stage", "position", "said", "said2", "challenged"):
        if getattr(args, name):
            raise InputError(f"--{name} is for napalm")
    cards, others = (
        whole_number(name, getattr(args, name) or str(FRESH), FRESH, MOST)
        for name in ("cards", "others")
    )
    print("\n".join(race_lines(table, cards, others)))
    return OK


def _bits(name: str, text: str | None, stop: int) -> int:
    """Read positions, each below `stop`."""
    from simulate.numerals import whole_number

    said = 0
    for word in text.split(",") if text else []:
        if stop == 0:
            raise InputError(f"--{name} {text}: nobody has spoken before eldest")
        said |= 1 << whole_number(f"position in --{name}", word, 0, stop - 1)
    return said


def situation(n: int, stage: int, position: int, said: int, said2: int, challenged: bool) -> str:
    """Say who speaks and what he has heard."""
    who = {0: "eldest", n - 1: "the dealer"}.get(position, f"position {position}")
    heard = [str(place) for place in range(position) if said >> place & 1]
    words = [f"{n} players, stage {stage}, {who}"]
    if challenged:
        words.append("the dealer alone has said Yes")
    if stage == 3:
        before = [str(place) for place in range(n) if said2 >> place & 1]
        words.append(f"at stage 2 Yes from {' and '.join(before) or 'nobody'}")
    if position:
        words.append(f"Yes heard from {' and '.join(heard) or 'nobody'}")
    return ", ".join(words) + ": chance of Yes in per cent"


def cell(chance: float) -> str:
    """Write a chance in per cent, and none as a dot."""
    return f"{100 * chance:4.0f}" if chance >= 0.005 else "   ."


def two_card_chart(chances: list[float]) -> list[str]:
    """Write a chart of 13 by 13: the higher card by column, the lower by row."""
    from simulate.cards import NAPALM_RANKS
    from strategies.solved import two_cards

    ranks = range(14, 1, -1)
    lines = ["    " + "".join(f"   {NAPALM_RANKS[high - 2]}" for high in ranks)]
    for low in ranks:
        cells = [cell(chances[two_cards(high, low)]) if high >= low else "    " for high in ranks]
        lines.append(f"   {NAPALM_RANKS[low - 2]}" + "".join(cells).rstrip())
    return lines


def strength_chart(solved: Solved, stage: int, chances: list[float]) -> list[str]:
    """Write the classes of hands, the strongest first; those that answer alike share a line."""
    edges = [0.0, *(solved.edges2 if stage == 2 else solved.edges3).tolist(), 1.0]
    lines, top = ["strength          Yes"], len(chances)
    while top > 0:
        low = top - 1
        while low > 0 and cell(chances[low - 1]) == cell(chances[top - 1]):
            low -= 1
        lines.append(f"{edges[low]:.3f} to {edges[top]:.3f}  {cell(chances[top - 1])}")
        top = low
    return lines
