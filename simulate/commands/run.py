"""``simulate run``: play games and show what happened."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.commands.options import add_played, add_where, settings
from simulate.errors import InputError
from simulate.numerals import counted

if TYPE_CHECKING:
    from simulate.config import RunConfig
    from simulate.executors import Where
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
    add_where(parser)
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

    config, line_up, folder, by = _resumed(args) if args.resume else _asked(args)
    try:
        with progress_bar(hidden=args.quiet or args.json) as progress:
            results = _run(config, line_up, folder, by, args.force, progress)
    except KeyboardInterrupt:
        say(_kept(folder))
        return INTERRUPTED
    if not args.quiet or args.json:
        print_results(results, as_json=args.json)
    return OK


By = tuple[int, "Where"]
"""How many slices are played at the same time, and by what."""


def _asked(args: argparse.Namespace) -> tuple[RunConfig, list[Strategy], Path, By]:
    from simulate.request import OUT, configure

    chosen = settings(args)
    by = _by(*(chosen.pop(name, None) for name in ("threads", "executor", "patience", "memory")))
    out = chosen.pop("out", OUT)
    config, line_up = configure(**chosen)
    return config, line_up, Path(out) / config.name, by


def _by(threads: object, executor: object, patience: object, memory: object) -> By:
    from simulate.executors import choose_where
    from simulate.request import choose_threads

    return choose_threads(threads), choose_where(executor, patience, memory)


def _resumed(args: argparse.Namespace) -> tuple[RunConfig, list[Strategy], Path, By]:
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
    by = _by(args.threads, args.executor, args.patience, args.memory)
    return config, line_up_of(config), folder, by


def _run(
    config: RunConfig,
    line_up: list[Strategy],
    folder: Path,
    by: By,
    force: bool,
    progress: Callable[[int, int], None] | None,
) -> Results:
    from simulate.runner import run

    threads, where = by
    return run(
        config, line_up, folder, threads=threads, where=where, force=force, progress=progress
    )


def _kept(folder: Path) -> str:
    """Say what an interrupted run has kept, and how to go on with it."""
    from simulate.commands.show import resume_command
    from simulate.results import load

    try:
        results = load(folder)
    except InputError:
        return "stopped before anything was played"
    share = results.games_played / results.config["games"]
    played = results.games_played
    kept = f"{counted(played, 'game')} ({share:.0%}) {'is' if played == 1 else 'are'} kept"
    return f"stopped; {kept}; to go on: {resume_command(folder)}"
