"""``simulate report``: what happened, as a page for a browser."""

from __future__ import annotations

import argparse

HELP = "write what happened as one HTML file, to look at and to pass on"
EXAMPLES = """\
  simulate report results/napalm-5p-0123456789abcdef
  simulate report results/napalm-5p-0123456789abcdef --out bluffing.html --open
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("run", metavar="RUN", help="the folder of the run")
    parser.add_argument("--out", metavar="FILE", help="the file (report.html in that folder)")
    parser.add_argument("--open", action="store_true", help="open it in a browser")


def main(args: argparse.Namespace) -> int:
    """Write the report and say where it is."""
    import webbrowser

    from simulate.cli import OK
    from simulate.report import write_report

    path = write_report(args.run, args.out)
    print(f"report: {path}")
    if args.open:
        webbrowser.open(path.resolve().as_uri())
    return OK
