"""``simulate verify``: read every file of a run and name those that are damaged or missing."""

from __future__ import annotations

import argparse

HELP = "check every file of a run"
EXAMPLES = """\
  simulate verify results/napalm-5p-0123456789abcdef
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("run", metavar="RUN", help="the folder of the run")


def main(args: argparse.Namespace) -> int:
    """Print what is wrong with a run; 1 when there is something."""
    from simulate.cli import FOUND, OK
    from simulate.commands.show import resume_command
    from simulate.store import faults, open_folder

    folder = open_folder(args.run)
    found = faults(folder)
    for fault in found:
        print(f"part {fault.part}: {fault.file}: {fault.what}")
    parts = len(folder.begun)
    bad = len({fault.part for fault in found})
    if not found:
        print(f"all {parts} parts are" if parts > 1 else "the one part is", "there and whole")
        return OK
    again = resume_command(folder.path)
    print(f"{bad} of {parts} parts are missing or damaged; to play just those: {again}")
    return FOUND
