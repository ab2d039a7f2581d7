"""``simulate run``: play games and show what happened."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.commands.options import add_played, settings
from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.config import RunConfig
    from simulate.results import Results
    from strategies import Strategy

HELP = "play games, keep the results and show what happened"
EXAMPLES = """\
  simulate run napalm --players 5 --games 1e6
  simulate run napalm -s tight*4 -s bluffer:bluff=0.2 --rules tokens --rule target=3
  simulate run noddy -s reckoner -s my/bot.py --games 10M --threads 2 --detail games
  simulate run --config run.toml --seed 2
  simulate run --resume results/napalm-5p-0123456789abcdef
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_played(parser)
    parser.add_argument(
        "--detail",
        metavar="WHAT",
        help="summary (the default), or a row for each of: games, deals, and in noddy turns",
    )
    parser.add_argument("--threads", metavar="N", help="one for each processor when left out")
    parser.add_argument("--out", metavar="FOLDER", help="where the run's folder goes (results)")
    parser.add_argument("--force", action="store_true", help="start afresh if the run is there")
    parser.add_argument("--resume", metavar="RUN", help="go on with the run of this folder")
    parser.add_argument("--json", action="store_true", help="print for programs")
    parser.add_argument("--quiet", action="store_true", help="print neither progress nor table")


def main(args: argparse.Namespace) -> int:
    """Play what is missing of the run, then show it."""
    from simulate.cli import INTERRUPTED, OK, say
    from simulate.commands.progress import progress_bar
    from simulate.commands.show import print_results
    from simulate.request import choose_threads

    config, line_up, folder, threads = _resumed(args) if args.resume else _asked(args)
    threads = choose_threads(threads)
    try:
        with progress_bar(hidden=args.quiet or args.json) as progress:
            results = _run(config, line_up, folder, threads, args.force, progress)
    except KeyboardInterrupt:
        say(_kept(folder))
        return INTERRUPTED
    if not args.quiet or args.json:
        print_results(results, as_json=args.json)
    return OK


def _asked(args: argparse.Namespace) -> tuple[RunConfig, list[Strategy], Path, object]:
    from simulate.request import OUT, configure

    chosen = settings(args)
    threads, out = chosen.pop("threads", None), chosen.pop("out", OUT)
    config, line_up = configure(**chosen)
    return config, line_up, Path(out) / config.name, threads


def _resumed(args: argparse.Namespace) -> tuple[RunConfig, list[Strategy], Path, object]:
    from simulate.config import RunConfig
    from simulate.request import line_up_of
    from simulate.store import open_folder

    others = ("game", "players", "games", "seed", "strategies", "rules", "fixed_seats", "config")
    for name in (*others, "detail", "out", "force"):
        if getattr(args, name):
            option = "a game" if name == "game" else f"--{name.replace('_', '-')}"
            raise InputError(f"--resume goes on with a run as it is: leave out {option}")
    if args.rule:
        raise InputError("--resume goes on with a run as it is: leave out --rule")
    folder = Path(args.resume)
    config = RunConfig.from_dict(open_folder(folder).config)
    return config, line_up_of(config), folder, args.threads


def _run(
    config: RunConfig,
    line_up: list[Strategy],
    folder: Path,
    threads: int,
    force: bool,
    progress: Callable[[int, int], None] | None,
) -> Results:
    from simulate.runner import run

    return run(config, line_up, folder, threads=threads, force=force, progress=progress)


def _kept(folder: Path) -> str:
    """Say what an interrupted run has kept, and how to go on with it."""
    from simulate.commands.show import resume_command
    from simulate.results import load

    try:
        results = load(folder)
    except InputError:
        return "stopped before anything was played"
    share = results.games_played / results.config["games"]
    kept = f"{results.games_played:,} games ({share:.0%}) are kept"
    return f"stopped; {kept}; to go on: {resume_command(folder)}"
