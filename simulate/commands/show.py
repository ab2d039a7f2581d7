"""``simulate show``: the table of a run, from its results."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulate.results import Results

HELP = "show the table of a run again"
EXAMPLES = """\
  simulate show results/napalm-5p-0123456789abcdef
  simulate show --json results/napalm-5p-0123456789abcdef
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("run", metavar="RUN", help="the folder of the run")
    parser.add_argument("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """Print the table of a run."""
    from simulate.cli import OK
    from simulate.results import load

    print_results(load(args.run), as_json=args.json)
    return OK


def print_results(results: Results, *, as_json: bool) -> None:
    """Print what happened in a run, in words or for programs."""
    report = import_module(f"simulate.{results.config['game']}.report")
    if as_json:
        json.dump(report.document(results), sys.stdout, indent=2)
        print()
    else:
        print(report.text(results))
