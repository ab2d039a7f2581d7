"""``simulate show``: the table of a run, from its results."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from simulate.config import RunConfig
from simulate.errors import InputError
from simulate.numerals import counted
from simulate.question import command_of

if TYPE_CHECKING:
    from simulate.results import Results

HELP = "show the table of a run again"
EXAMPLES = """\
  simulate show results/napalm-5p-0123456789abcdef
  simulate show --json results/napalm-5p-0123456789abcdef
"""

ANSWERS = {
    "compare": ("simulate.comparison", "show"),
    "sweep": ("simulate.sweeping", "show"),
    "equilibrium": ("simulate.equilibrium", "show_point"),
    "solve": ("simulate.solver", "show"),
    "solve noddy": ("simulate.racing", "show_race"),
    "tournament": ("simulate.tournaments", "show"),
}
"""Where a question that is kept in a folder is answered again, and what shows it in its command."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("run", metavar="RUN", help="the folder of the run")
    parser.add_argument("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """Print the table of a run."""
    from simulate.cli import OK
    from simulate.results import load

    results = load(args.run)
    if "question" in results.config:
        print_answer(results, as_json=args.json)
    else:
        print_results(results, as_json=args.json)
    return OK


def print_answer(results: Results, *, as_json: bool) -> None:
    """Print the answer to a question: a comparison, a sweep, an equilibrium or a tournament.

    Raises
    ------
    InputError
        When it is not complete.
    """
    kind, path = results.config["question"], results.path
    if kind not in ANSWERS:
        raise InputError(f"{path} is a {kind} of something larger: there is nothing to show")
    if not results.complete:
        raise InputError(f"{path} is not complete; to go on: {resume_command(path)}")
    module, shower = ANSWERS.get(f"{kind} {results.config['game']}", ANSWERS[kind])
    found = import_module(module).reopen(path).answer(path)
    if as_json:
        json.dump(found.document(), sys.stdout, indent=2)
        print()
        return
    print(getattr(import_module(f"simulate.commands.{command_of(kind)}"), shower)(found))
    print(f"\nresults: {path}")


def print_results(results: Results, *, as_json: bool) -> None:
    """Print what happened in a run, in words or for programs."""
    report = import_module(f"simulate.{results.config['game']}.report")
    if as_json:
        json.dump(report.document(results), sys.stdout, indent=2)
        print()
        return
    config = RunConfig.from_dict(results.config)
    print(config.describe())
    if not results.complete:
        played = counted(results.games_played, "game")
        print(f"so far {played}; to go on: {resume_command(results.path)}")
    print(report.text(results, colour=may_colour(sys.stdout)))
    print(f"\nresults: {results.path}")


def resume_command(path: Path) -> str:
    """Return the command that goes on with a run, a comparison, a sweep or a tournament."""
    from simulate.store import MANIFEST, open_folder

    begun = (path / MANIFEST).exists()
    kind = open_folder(path).config.get("question", "run") if begun else "run"
    return shlex.join(["simulate", command_of(kind), "--resume", str(path)])


def may_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal, and its user minds no colours (see no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
