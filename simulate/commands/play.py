"""``simulate play``: sit down at the table yourself."""

from __future__ import annotations

import argparse
from pathlib import Path

from simulate.errors import InputError

HELP = "play a game yourself, against strategies"
EXAMPLES = """\
  simulate play napalm
  simulate play napalm -s tight*2 -s bluffer:bluff=0.3 --seed 7 --seat 2
  simulate play noddy -s reckoner --rules hold
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="napalm or noddy")
    parser.add_argument(
        "--players", metavar="N", help="you among them: napalm 4 to 7 (5), noddy 2 to 4 (2)"
    )
    parser.add_argument(
        "-s",
        "--strategy",
        dest="strategies",
        action="append",
        metavar="SPEC",
        help="who else plays: tight, bluffer:bluff=0.2, my/bot.py, tight*4; repeat for each (when "
        "none is named, built-in ones of several kinds)",
    )
    parser.add_argument("--seat", metavar="N", default="0", help="where you sit, from 0 (0)")
    parser.add_argument("--seed", metavar="N", default="1", help="any whole number >= 0 (1)")
    parser.add_argument(
        "--game",
        dest="index",
        metavar="N",
        help="which game of the seed, from 0; when left out the one you stopped in, else the next",
    )
    parser.add_argument("--rules", metavar="PRESET", help="stakes or tokens; lay or hold")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change one rule, for example stage3.penalty=0; repeat for more",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the game log it is added to when it is over (one in results/played)",
    )


def main(args: argparse.Namespace) -> int:
    """Play a game, or go on with the one that is going on."""
    from simulate.cli import INTERRUPTED, OK, say
    from simulate.commands.options import rule_settings
    from simulate.play.keeping import open_game
    from simulate.play.setting import choose_setting

    if args.game is None:
        raise InputError("no game is named: allowed: napalm, noddy")
    setting = choose_setting(
        args.game,
        others=args.strategies,
        players=args.players,
        seat=args.seat,
        seed=args.seed,
        rules=rule_settings(args.game, args.rules, args.rule),
    )
    kept = open_game(setting, None if args.out is None else Path(args.out), args.index)

    from rich.console import Console

    from simulate.play.terminal import Stopped, TerminalTable

    console = Console()
    try:
        TerminalTable(kept, console, console.input).play()
    except (Stopped, KeyboardInterrupt):
        print()
        say("stopped; the game is kept; the same command goes on with it")
        return INTERRUPTED
    return OK
