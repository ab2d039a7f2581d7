"""``simulate check``: hold a strategy against the contract."""

from __future__ import annotations

import argparse

from simulate.errors import InputError

HELP = "test a strategy: every state, in a child process with a time limit"
EXAMPLES = """\
  simulate check my/bot.py
  simulate check bluffer:bluff=0.5 --game napalm
  simulate check my/bot.py --timeout 2 --memory 512
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("strategy", metavar="FILE|NAME", help="a strategy, as in simulate run -s")
    parser.add_argument("--game", metavar="GAME", help="napalm or noddy; the file tells if not")
    parser.add_argument(
        "--timeout", metavar="SECONDS", default="10", help="how long one answer may take (10)"
    )
    parser.add_argument(
        "--memory", metavar="MIB", default="1024", help="how much memory it may take (1024)"
    )


def main(args: argparse.Namespace) -> int:
    """Print what is wrong with the strategy, a line each; 2 when there is something."""
    from simulate.cli import BAD_INPUT, OK, say
    from simulate.config import check_game
    from simulate.numerals import whole_number
    from strategies import load
    from strategies.check import check

    game = None if args.game is None else check_game(args.game)
    strategy = load(args.strategy, game)
    memory = whole_number("memory", args.memory, 1, 1 << 30)
    findings = check(strategy, game, _seconds(args.timeout), memory)
    for finding in findings:
        say(str(finding))
    if findings:
        return BAD_INPUT
    print(f"{strategy.spec} keeps the contract of a strategy for {strategy.game}")
    return OK


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e6:  # which NaN is not either
        raise InputError(f"timeout {text} is not a number of seconds above 0")
    return seconds
