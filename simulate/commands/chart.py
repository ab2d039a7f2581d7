"""``simulate chart``: with which hands a solved strategy says Yes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.errors import InputError

if TYPE_CHECKING:
    from strategies.race import RaceTable
    from strategies.solved_game import SolvedGame

HELP = "show with which hands a solved strategy says Yes, or who wins a race of Noddy"
EXAMPLES = """\
  simulate chart solved:napalm-4 --position 0
  simulate chart solved:napalm-4 --position 3 --said 0 --collected 2,1,0,3 --pot 22
  simulate chart solved:napalm-5-deal --position 1 --said 0 --challenged
  simulate chart solved:noddy --cards 4 --others 3
  simulate chart results/solve-napalm-0123456789abcdef/napalm-5.npz --stage 3 --position 4
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "strategy",
        metavar="STRATEGY",
        help="solved:napalm-4, solved:noddy, an .npz file, or the folder of simulate solve",
    )
    parser.add_argument("--stage", metavar="N", help="1, 2 or 3 (1)")
    parser.add_argument("--position", metavar="P", help="who speaks: from eldest, 0 (0)")
    parser.add_argument("--said", metavar="P,P", help="positions that have said Yes before (none)")
    parser.add_argument(
        "--said2", metavar="P,P", help="one deal, stage 3: who said Yes at stage 2 (none)"
    )
    parser.add_argument(
        "--collected", metavar="N,N", help="whole games: what each position has collected (all 0)"
    )
    parser.add_argument(
        "--pot",
        metavar="N",
        help="whole games: the pot (as if a stake came in each deal, or four tokens in three)",
    )
    parser.add_argument(
        "--challenged",
        action="store_true",
        help="at stage 1, for tokens at any: the answer to the dealer's challenge",
    )
    parser.add_argument("--cards", metavar="N", help="noddy: how many one holds, 3 to 8 (3)")
    parser.add_argument("--others", metavar="N", help="noddy: how many the other one holds (3)")


def main(args: argparse.Namespace) -> int:
    """Print the chances of Yes in one situation, or those to win a race of Noddy."""
    from simulate.cli import OK
    from simulate.numerals import whole_number
    from strategies import load
    from strategies import solved as solved_ones
    from strategies.solved import ARRAYS, FULL, Solved

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
    first, answers = solved.times[stage - 1]
    if args.challenged and answers == first:
        raise InputError("--challenged is for stage 1, at others only of a table for tokens")
    heard = (1 << position) - 1 + said
    words = situation(solved.n, position, said, args.challenged)
    time = answers if args.challenged else first
    if isinstance(solved, Solved):
        if args.collected or args.pot:
            raise InputError("--collected and --pot are for a table for whole games")
        table = getattr(solved, ARRAYS[time])
        chances = (table[said2, heard] if stage == 3 else table[heard]) / FULL
        if stage == 3:
            words.insert(1, f"at stage 2 Yes from {_named(said2, solved.n)}")
    else:
        if args.said2:
            raise InputError("--said2 is for a table for one deal")
        counts, pot = state_of(solved, args.collected, args.pot)
        chances = solved.words(counts, pot, time)[heard]
        words.insert(1, f"collected {','.join(map(str, counts))}, pot {pot}")
    head, *rest = words
    print(", ".join([f"{solved.n} players, stage {stage}, {head}", *rest]), end="")
    print(": chance of Yes in per cent\n")
    if stage == 1:
        lines = two_card_chart(chances.tolist())
    else:
        edges = solved.edges2 if stage == 2 else solved.edges3
        lines = strength_chart(edges.tolist(), chances.tolist())
    print("\n".join(lines))
    return OK


def file_of(named: str) -> str:
    """Return what is named, or the file that a solver has left in a folder that is named."""
    folder = Path(named)
    if not folder.is_dir():
        return named
    found = sorted(folder.glob("napalm-*.npz")) or sorted(folder.glob("*.npz"))
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

    for name in ("stage", "position", "said", "said2", "challenged", "collected", "pot"):
        if getattr(args, name):
            raise InputError(f"--{name} is for napalm")
    cards, others = (
        whole_number(name, getattr(args, name) or str(FRESH), FRESH, MOST)
        for name in ("cards", "others")
    )
    print("\n".join(race_lines(table, cards, others)))
    return OK


def state_of(solved: SolvedGame, collected: str | None, pot: str | None) -> tuple[list[int], int]:
    """Read collected counts and a pot."""
    from simulate.numerals import whole_number

    n, most = solved.n, solved.target - 1
    words = collected.split(",") if collected else ["0"] * n
    if len(words) != n:
        raise InputError(f"--collected {collected}: {len(words)} counts, one for each of {n}")
    counts = [whole_number("count in --collected", word, 0, most) for word in words]
    usual = n + (n - 1) * sum(counts)
    if solved.tokens:
        usual = n * round(1 + 0.75 * sum(counts))
    return counts, whole_number("pot", pot or str(usual), n, 1_000_000)


def _bits(name: str, text: str | None, stop: int) -> int:
    """Read positions, each below `stop`."""
    from simulate.numerals import whole_number

    said = 0
    for word in text.split(",") if text else []:
        if stop == 0:
            raise InputError(f"--{name} {text}: nobody has spoken before eldest")
        said |= 1 << whole_number(f"position in --{name}", word, 0, stop - 1)
    return said


def _named(said: int, stop: int) -> str:
    """Name the positions of some bits."""
    return " and ".join(str(place) for place in range(stop) if said >> place & 1) or "nobody"


def situation(n: int, position: int, said: int, challenged: bool) -> list[str]:
    """Say who speaks, and what he has heard."""
    words = [{0: "eldest", n - 1: "the dealer"}.get(position, f"position {position}")]
    if challenged:
        words.append("the dealer alone has said Yes")
    if position:
        words.append(f"Yes heard from {_named(said, position)}")
    return words


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


def strength_chart(begins: list[float], chances: list[float]) -> list[str]:
    """Write the classes of hands, the strongest first; those that answer alike share a line."""
    edges = [0.0, *begins, 1.0]
    lines, top = ["strength          Yes"], len(chances)
    while top > 0:
        low = top - 1
        while low > 0 and cell(chances[low - 1]) == cell(chances[top - 1]):
            low -= 1
        lines.append(f"{edges[low]:.3f} to {edges[top]:.3f}  {cell(chances[top - 1])}")
        top = low
    return lines
