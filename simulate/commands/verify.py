"""``simulate verify``: read every file of a run and name those that are damaged or missing."""

from __future__ import annotations

import argparse
from pathlib import Path

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
    beside = damaged_beside(folder.path)
    for name, what in beside:
        print(f"{name}: {what}")
    parts = len(folder.begun)
    bad = len({fault.part for fault in found})
    again = resume_command(folder.path)
    if found:
        print(f"{bad} of {parts} parts are missing or damaged; to play just those: {again}")
    else:
        print(f"all {parts} parts are" if parts > 1 else "the one part is", "there and whole")
        if beside:
            print(f"to make anew what is damaged beside them: {again}")
    return FOUND if found or beside else OK


def damaged_beside(path: Path) -> list[tuple[str, str]]:
    """List what is damaged of what was made from the parts, or in learning a solution."""
    from simulate.errors import InputError
    from simulate.store import kept_tables, read_kept
    from strategies import load

    found = []
    for file in kept_tables(path):
        try:
            read_kept(file)
        except InputError as error:
            found.append((file.name, str(error)))
    for file in sorted(path.glob("*.npz")):
        try:
            load(file)
        except InputError:
            found.append((file.name, "it is no solved strategy"))
    return found
