"""``simulate completion``: what a shell needs to complete commands, options and names."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from simulate.errors import unknown

HELP = "print what a shell needs to complete command lines"
EXAMPLES = """\
  eval "$(simulate completion bash)"                    # in ~/.bashrc
  simulate completion zsh > ~/.zfunc/_simulate          # where fpath has ~/.zfunc
  simulate completion fish > ~/.config/fish/completions/simulate.fish
"""
SHELLS = ("bash", "zsh", "fish")

FILES = ("config", "out", "source", "file")
FOLDERS = ("run", "resume")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or fish")


def main(args: argparse.Namespace) -> int:
    """Print the script of a shell."""
    import shtab

    from simulate.cli import OK, command_parser

    if args.shell not in SHELLS:
        raise unknown("shell", args.shell, SHELLS)
    top = command_parser()
    words = words_by_name()
    for parser in commands_of(top).values():
        add_words(parser, words)
    if args.shell == "fish":
        print("\n".join(fish_lines(top)))
    else:
        print(shtab.complete(top, args.shell))
    return OK


def commands_of(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in top._actions:  # noqa: SLF001  (argparse has no other way to ask)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            found |= action.choices
    return found


def words_by_name() -> dict[str, list[str]]:
    """Return, by the name of an argument, the few words that may stand in its place."""
    from simulate.config import DETAILS, GAMES, rules_module
    from strategies import listing

    specs = [strategy.name for strategy in listing()]
    words: dict[str, Iterable[str]] = {
        "game": GAMES,
        "shell": SHELLS,
        "rules": [preset for game in GAMES for preset in rules_module(game).PRESETS],
        "detail": [detail for details in DETAILS.values() for detail in details],
        "measure": ("net", "wins", "score"),
        "stage": "123",
        "trump": "cdhs",
        **dict.fromkeys(("strategies", "field", "own", "first", "second"), specs),
    }
    return {name: list(dict.fromkeys(found)) for name, found in words.items()}


def add_words(parser: argparse.ArgumentParser, words: Mapping[str, list[str]]) -> None:
    """Tell shtab what may stand in the place of each argument."""
    import shtab

    for action in parser._actions:  # noqa: SLF001
        number = action.dest == "game" and action.option_strings  # which game of a log
        if action.dest in words and not number:
            action.choices = words[action.dest]
        elif action.dest in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.dest in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]


def fish_lines(top: argparse.ArgumentParser) -> list[str]:
    """Write completions for fish, which shtab does not know."""
    lines = ["complete -c simulate -n __fish_use_subcommand -f"]
    for name, parser in commands_of(top).items():
        about = f"-d {quoted(parser.description or name)}"
        lines.append(f"complete -c simulate -n __fish_use_subcommand -a {name} {about}")
        here = f"complete -c simulate -n '__fish_seen_subcommand_from {name}'"
        for action in parser._actions:  # noqa: SLF001
            options = action.option_strings
            parts = [here, *map(fish_option, options)]
            if options and action.nargs != 0:
                parts.append("-r")
            if action.choices is not None:
                parts.append(f"-f -a {quoted(' '.join(map(str, action.choices)))}")
            if options and action.help:
                parts.append(f"-d {quoted(action.help)}")
            if len(parts) > 1:
                lines.append(" ".join(parts))
    return lines


def fish_option(option: str) -> str:
    """Write an option as fish declares it."""
    return f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"


def quoted(text: str) -> str:
    """Quote a text for fish."""
    inner = text.replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%")
    return f"'{inner}'"
