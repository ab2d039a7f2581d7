"""What the commands that put a question to several tables have in common."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulate.commands.options import add_where, rule_settings
from simulate.errors import InputError

Answer = Callable[..., Any]
"""Plays a question in a folder: takes threads, where, force, progress."""


def add_asked(parser: argparse.ArgumentParser, games: str) -> None:
    """Add the options that all questions take."""
    parser.add_argument("--players", metavar="N", help="napalm 4 to 7 (5), noddy 2 to 4 (2)")
    parser.add_argument("--games", metavar="N", help=f"how many games: 1000, 1e6, 10M ({games})")
    parser.add_argument("--seed", metavar="N", help="any whole number >= 0 (1)")
    parser.add_argument("--rules", metavar="PRESET", help="stakes or tokens; lay or hold")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change one rule, for example stage3.penalty=0; repeat for more",
    )
    parser.add_argument(
        "--measure", metavar="WHAT", help="net or wins in napalm, score or wins in noddy"
    )
    add_where(parser)
    parser.add_argument("--out", metavar="FOLDER", help="where the folder goes (results)")
    parser.add_argument("--force", action="store_true", help="start afresh if it is there")
    parser.add_argument("--resume", metavar="RUN", help="go on with what is in this folder")
    parser.add_argument("--json", action="store_true", help="print for programs")
    parser.add_argument("--quiet", action="store_true", help="print neither progress nor table")


def asked(args: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the options of these names that were given, and the rules."""
    if args.game is None:
        raise InputError("no game is named: allowed: napalm, noddy")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    rules = rule_settings(args.game, args.rules, args.rule)
    return given if rules is None else {**given, "rules": rules}


def nothing_else(args: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuse what ``--resume`` cannot change."""
    for name in ("game", "players", "games", "seed", "rules", "rule", "out", "force", *names):
        if getattr(args, name):
            option = f"--{name.replace('_', '-')}" if name != "game" else "a game"
            raise InputError(f"--resume goes on with a question as it is: leave out {option}")


def play(
    args: argparse.Namespace,
    answer: Answer,
    folder: Path,
    show: Callable[[Any], str],
    bar: Mapping[str, str] | None = None,
    **options: Any,
) -> int:
    """Play a question with a progress bar, and print the answer.

    Parameters
    ----------
    args : Namespace
        The options of `add_asked`.
    answer : callable
        Plays it.
    folder : Path
        Where the results are.
    show : callable
        Writes the answer as text.
    bar : mapping, optional
        What the progress bar counts, and what comes last: see `progress_bar`.
    **options
        Handed on to `answer`.
    """
    from simulate.cli import INTERRUPTED, OK, say
    from simulate.commands.progress import progress_bar
    from simulate.commands.show import resume_command
    from simulate.executors import choose_where
    from simulate.request import choose_threads

    threads = choose_threads(args.threads)
    where = choose_where(args.executor, args.patience, args.memory)
    try:
        with progress_bar(hidden=args.quiet or args.json, **(bar or {})) as progress:
            found = answer(
                folder,
                threads=threads,
                where=where,
                force=args.force,
                progress=progress,
                **options,
            )
    except KeyboardInterrupt:
        if folder.exists():
            say(f"stopped; what is done is kept; to go on: {resume_command(folder)}")
        else:
            say("stopped before anything was played")
        return INTERRUPTED
    if args.json:
        json.dump(found.document(), sys.stdout, indent=2)
        print()
    elif not args.quiet:
        print(show(found))
        print(f"\nresults: {folder}")
    return OK
