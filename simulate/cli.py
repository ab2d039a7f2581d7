"""The command line: argv in, exit code out. What a command does stands in `simulate.commands`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from simulate.errors import InputError, unknown, was_stopped
from simulate.version import SCHEMA, VERSION

COMMANDS = (
    "run", "show", "report", "verify",
    "compare", "sweep", "tournament", "solve",
    "play", "advise", "review", "log", "replay", "audit", "rank", "chart",
    "strategies", "new", "check", "completion",
)  # fmt: skip

DESCRIPTION = "Deal millions of games of Napalm and Noddy, and see what strategies are worth."

EXAMPLES = """\
examples:
  simulate run napalm --players 5 --games 1e6
  simulate run napalm -s tight*4 -s bluffer:bluff=0.2 --rule target=3
  simulate strategies napalm
  simulate log noddy --games 10 --out games.jsonl
  simulate replay games.jsonl --game 3
"""

OK, FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done; an audit or a check found something; bad input; Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, and which knows what was nearly meant."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong instead of printing the usage."""
        raise InputError(f"{message} (see {self.prog} --help)")

    @property
    def options(self) -> list[str]:
        """Every option there is."""
        return [option for option in self._option_string_actions if option.startswith("--")]


def command_parser() -> Parser:
    """Build the parser of all commands."""
    top = Parser(
        prog="simulate",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"simulate {VERSION} (results schema {SCHEMA})"
    top.add_argument("--version", action="version", version=version)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        module = import_module(f"simulate.commands.{name}")
        parser = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_options(parser)
        parser.set_defaults(main=module.main, parser=parser)
    return top


def parse(argv: Sequence[str]) -> argparse.Namespace | None:
    """Read the command line; None when there is nothing on it.

    Raises
    ------
    InputError
        When a command or an option is unknown, or an argument is missing.
    """
    words = [word for word in argv if not word.startswith("-")]
    if words and not argv[0].startswith("-") and words[0] not in COMMANDS:
        raise unknown("command", words[0], COMMANDS)
    top = command_parser()
    args, rest = top.parse_known_args(argv)
    if rest and rest[0].startswith("-") and args.command is not None:
        raise unknown("option", rest[0].partition("=")[0], args.parser.options)
    if rest:
        top.error(f"{rest[0]!r} is one argument too many")
    if args.command is None:
        top.print_help()
        return None
    return args


def say(message: str) -> None:
    """Say something that is no result: one line to stderr."""
    sys.stderr.write(f"simulate: {' '.join(message.split())}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after ``simulate``; those of this process when left out.
    """
    sys.set_int_max_str_digits(0)  # a seed may have any size
    # Arrow's own allocator keeps what was needed once: a long run would take more than a short one.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack a plus-minus sign
    try:
        args = parse(sys.argv[1:] if argv is None else argv)
        code = OK if args is None else int(args.main(args))
        if sys.stdout is not None:  # it may be closed
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        say("stopped")
        return INTERRUPTED
    except InputError as error:
        if was_stopped(error):
            say("stopped")
            return INTERRUPTED
        say(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{where}{error.strerror or error}")
        return BAD_INPUT
    except Exception as error:
        if not was_stopped(error):
            raise
        say("stopped")
        return INTERRUPTED
