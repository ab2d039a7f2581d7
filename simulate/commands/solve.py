"""``simulate solve``: near-best play, and how near it is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.commands.options import rule_settings
from simulate.commands.race import show_race
from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.game_solver import GameSolution
    from simulate.solver import Solution

HELP = "find near-best play, and prove how near it is"
EXAMPLES = """\
  simulate solve napalm --players 4
  simulate solve napalm --players 5 --minutes 10
  simulate solve napalm --players 7
  simulate solve napalm --players 4 --rules tokens
  simulate solve napalm --players 5 --deal
  simulate solve napalm --players 7 --deal --minutes 1 --seed 2
  simulate solve napalm --deal --rule stage3.penalty=0 --deals 4M
  simulate solve noddy
  simulate solve noddy --alone
  simulate solve --resume results/solve-napalm-0123456789abcdef
"""
BAR = {"what": "deals", "last": "playing games"}
OF_NODDY = ("rounds", "ahead")
ASKED = ("players", "deals", "minutes", "seed")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument("--players", metavar="N", help="4 to 7 (5)")
    parser.add_argument(
        "--deal", action="store_true", help="one deal for money, in place of a whole game"
    )
    parser.add_argument(
        "--deals",
        metavar="N",
        help="how many deals are learned from (150M, of 6 players 60M, of 7 40M; tokens 200M; "
        "one deal 16M)",
    )
    parser.add_argument(
        "--minutes", metavar="N", help="stop learning after this time; the same call goes on"
    )
    parser.add_argument("--games", metavar="N", help="noddy: games of a round (500k)")
    parser.add_argument("--rounds", metavar="N", help="noddy: rounds of games (3)")
    parser.add_argument(
        "--ahead", metavar="N", help="noddy: in how many games is looked ahead, as a proof (2k)"
    )
    parser.add_argument(
        "--alone",
        nargs="?",
        const="solved:noddy",
        metavar="SPEC",
        help="noddy: how many turns a lone player needs, and SPEC (solved:noddy) in --games (1M)",
    )
    parser.add_argument("--seed", metavar="N", help="any whole number >= 0 (1)")
    parser.add_argument("--rules", metavar="PRESET", help="stakes or tokens; noddy: hold")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change one rule, for example stage3.penalty=0; repeat for more",
    )
    parser.add_argument("--threads", metavar="N", help="one for each processor when left out")
    parser.add_argument("--out", metavar="FOLDER", help="where the folder goes (results)")
    parser.add_argument("--force", action="store_true", help="start afresh if it is there")
    parser.add_argument("--resume", metavar="RUN", help="go on with what is in this folder")
    parser.add_argument("--json", action="store_true", help="print for programs")
    parser.add_argument("--quiet", action="store_true", help="print neither progress nor table")
    parser.set_defaults(executor=None, patience=None, memory=None)


def main(args: argparse.Namespace) -> int:
    """Solve a game or a deal, and print how near to best the solution is."""
    from simulate.commands.asking import nothing_else, play
    from simulate.request import OUT
    from simulate.solver import ask, check_minutes, reopen

    limit = check_minutes(args.minutes)
    if args.alone and args.game != "noddy":
        raise InputError("--alone is for noddy")
    if args.game == "noddy" or (args.resume and game_of(args.resume) == "noddy"):
        return race(args)
    if args.resume:
        nothing_else(args, ("deal", "deals"))
        folder = Path(args.resume)
        return play(args, reopen(folder).answer, folder, show, BAR, minutes=limit)
    if args.game is None:
        raise InputError("no game is named: allowed: napalm, noddy")
    given = {name: getattr(args, name) for name in ASKED if getattr(args, name) is not None}
    rules = rule_settings(args.game, args.rules, args.rule)
    question = ask(args.game, rules=rules, deal=args.deal, **given)
    folder = Path(args.out or OUT) / question.question.name
    return play(args, question.answer, folder, show, BAR, minutes=limit)


def game_of(path: str) -> str:
    """Return which game is solved in a folder, if one is."""
    from simulate.store import MANIFEST, open_folder

    there = (Path(path) / MANIFEST).exists()
    return str(open_folder(path).config.get("game")) if there else ""


def race(args: argparse.Namespace) -> int:
    """Solve the race of Noddy, and print what is known of it."""
    from simulate.commands.asking import nothing_else, play
    from simulate.racing import ask, reopen
    from simulate.request import OUT

    if args.alone:
        return lone(args)
    for name in ("players", "deal", "deals", "minutes", "threads"):
        if getattr(args, name):
            raise InputError(f"--{name} is for napalm")
    if args.resume:
        nothing_else(args, OF_NODDY)
        folder = Path(args.resume)
        return play(args, reopen(folder).answer, folder, show_race)
    asked = (*OF_NODDY, "seed", "games")
    given = {name: getattr(args, name) for name in asked if getattr(args, name) is not None}
    question = ask(rules=rule_settings("noddy", args.rules, args.rule), **given)
    folder = Path(args.out or OUT) / question.question.name
    return play(args, question.answer, folder, show_race)


def lone(args: argparse.Namespace) -> int:
    """Say how many turns a lone player of Noddy needs."""
    import json

    from simulate.alone import alone
    from simulate.cli import OK
    from simulate.commands.progress import progress_bar
    from simulate.commands.race import show_alone

    given = {name: getattr(args, name) for name in ("games", "seed") if getattr(args, name)}
    with progress_bar(hidden=args.quiet or args.json) as progress:
        found = alone(args.alone, progress=progress, **given)
    if args.json:
        print(json.dumps(found.document(), indent=2))
    elif not args.quiet:
        print(show_alone(found))
    return OK


def show(found: Solution | GameSolution) -> str:
    """Write a solution as text."""
    from simulate.game_solver import GameSolution

    return show_game(found) if isinstance(found, GameSolution) else show_deal(found)


def show_game(found: GameSolution) -> str:
    """Write a solution of whole games as text."""
    from simulate.commands.show import may_colour
    from simulate.config import rules_text
    from simulate.text import columns

    if found.solved is None:
        return "\n".join(
            [
                f"not complete: {found.done:,} of {found.total:,} deals",
                f"to go on: simulate solve --resume {found.path}",
            ]
        )
    solved = found.solved
    about, n = solved.about, solved.n
    rows = []
    for position, equity in enumerate(solved.equity[0, 0]):
        who = {0: " (eldest)", n - 1: " (dealer)"}.get(position, "")
        played = f"{about['worth'][position]:+.3f} ± {1.96 * about['worth_error'][position]:.3f}"
        rows.append([f"{position}{who}", f"{equity - 1:+.3f}", played])
    rules = rules_text("napalm", found.question.rules.to_dict())
    gain = f"{about['gain']:.3f} ± {1.96 * about['gain_error']:.3f} stakes a game"
    if solved.tokens:
        gain += f" ({about['gain'] / about['prize']:.1%} of the pot that is won)"
    return "\n".join(
        [
            f"napalm, {n} players, a whole game, {rules}: learned from {about['deals']:,} deals",
            "",
            *columns(
                ["position at first", "equity", "self-play"], rows, colour=may_colour(sys.stdout)
            ),
            "",
            f"A best reply in one seat gains {gain}, a lower bound of the true best.",
            f"It is scored in {about['scored']:,} games, as is self-play.",
            "",
            f"strategy: {found.file}",
            f"best reply: {found.reply}",
        ]
    )


def show_deal(found: Solution) -> str:
    """Write a solution of one deal as text."""
    from simulate.commands.show import may_colour
    from simulate.config import rules_text
    from simulate.text import columns

    about, n = found.solved.about, found.solved.n
    rows = []
    for position, (worth, gain, error) in enumerate(
        zip(about["worth"], about["gain"], about["gain_error"], strict=True)
    ):
        who = {0: " (eldest)", n - 1: " (dealer)"}.get(position, "")
        rows.append([f"{position}{who}", f"{worth:.4f}", f"{gain:+.4f} ± {1.96 * error:.4f}"])
    head = ["position", "a deal brings, ante apart", "a best reply gains"]
    rules = rules_text("napalm", found.question.rules.to_dict())
    trained, scored = about["reply_trained"], about["reply_scored"]
    found_in = f"{about['nash_conv']:.4f} ± {1.96 * about['nash_conv_error']:.4f} stakes a deal"
    lines = [
        f"napalm, {n} players, one deal for money, {rules}: learned from {found.deals:,} deals",
        "",
        *columns(head, rows, colour=may_colour(sys.stdout)),
        "",
        f"All best replies together (NashConv) gain {found_in}, a lower bound of the true best.",
        f"They trained on {trained:,} deals, and are scored on {scored:,} others.",
        "",
        f"strategy: {found.file}",
    ]
    if not found.complete:
        lines.append(f"to learn more: simulate solve --resume {found.path}")
    return "\n".join(lines)
