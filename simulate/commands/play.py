"""``simulate play``: sit down at the table yourself."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.errors import InputError, was_stopped

if TYPE_CHECKING:
    from simulate.play.setting import Setting

HELP = "play a game yourself, against strategies"
EXAMPLES = """\
  simulate play napalm
  simulate play napalm -s tight*2 -s bluffer:bluff=0.3 --seed 7 --seat 2
  simulate play noddy -s reckoner --rules hold
  simulate play noddy --web
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
    parser.add_argument(
        "--coach",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="say after each answer what it cost against the best one",
    )
    parser.add_argument(
        "--web", action="store_true", help="play in the browser of this machine (extra: web)"
    )
    parser.add_argument("--port", metavar="N", help="with --web: where it listens (any free port)")
    parser.add_argument(
        "--no-browser", action="store_true", help="with --web: print the address, open nothing"
    )


def main(args: argparse.Namespace) -> int:
    """Play a game, or go on with the one that is going on."""
    from simulate.commands.options import rule_settings
    from simulate.difference import INDEX_LIMIT
    from simulate.numerals import whole_number
    from simulate.play.setting import choose_setting

    if args.game is None:
        raise InputError("no game is named: allowed: napalm, noddy")
    if args.index is not None:
        whole_number("game", args.index, 0, INDEX_LIMIT - 1)
    setting = choose_setting(
        args.game,
        others=args.strategies,
        players=args.players,
        seat=args.seat,
        seed=args.seed,
        rules=rule_settings(args.game, args.rules, args.rule),
    )
    log = None if args.out is None else Path(args.out)
    if args.web:
        return _in_the_browser(args, setting, log)
    for name in ("port", "no_browser"):
        if getattr(args, name):
            raise InputError(f"--{name.replace('_', '-')} goes with --web")
    return _in_the_terminal(args, setting, log)


def _in_the_terminal(args: argparse.Namespace, setting: Setting, log: Path | None) -> int:
    from rich.console import Console

    from simulate.cli import INTERRUPTED, OK, say
    from simulate.play.adviser import Adviser
    from simulate.play.keeping import held, log_of, open_game
    from simulate.play.terminal import Stopped, TerminalTable

    console, adviser, log = Console(), Adviser(), log_of(setting, log)
    with held(log):
        kept = open_game(setting, log, args.index)
        try:
            TerminalTable(kept, console, console.input, adviser, args.coach).play()
        except Stopped:
            code = OK
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Exception as error:
            if not was_stopped(error):
                raise
            code = INTERRUPTED
        else:
            return OK
        finally:
            adviser.close()
    print()
    say("stopped; the game is kept; the same command goes on with it")
    return code


def _in_the_browser(args: argparse.Namespace, setting: Setting, log: Path | None) -> int:
    import webbrowser

    from simulate.cli import OK, say
    from simulate.play.adviser import Adviser
    from simulate.play.keeping import held, log_of
    from simulate.web.serve import check_extra, find_place, make_server
    from simulate.web.table import WebTable

    check_extra()
    place, adviser, log = find_place(args.port or 0), Adviser(), log_of(setting, log)
    with held(log):
        table = WebTable(setting, log, args.index, adviser, args.coach)
        print(f"The table is at {place.address}", flush=True)
        print("Ctrl-C closes it.", flush=True)
        if not args.no_browser:
            webbrowser.open(place.address)
        try:
            make_server(table, place).run(sockets=[place.listening])
        except KeyboardInterrupt:
            pass  # the way to close it
        say("closed; a game that was going on is kept; the same command goes on with it")
        adviser.close()
        if not table.close():
            sys.stdout.flush()
            os._exit(OK)  # every answer is kept; a coach who compiles would hold the process up
    return OK
