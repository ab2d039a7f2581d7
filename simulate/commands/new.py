"""``simulate new``: write the skeleton of a strategy."""

from __future__ import annotations

import argparse
from pathlib import Path

from simulate.errors import InputError

HELP = "write the skeleton of a strategy"
EXAMPLES = """\
  simulate new napalm my.py
  simulate new napalm my.toml
  simulate new noddy my.py
"""

SKELETONS = {
    ("napalm", ".py"): '''\
"""Says Yes on strength, and bluffs now and then.

The keyword arguments are the parameters: {name}:yes_above=0.8,bluff=0.2
What `view` tells: simulate/napalm/view.py, or the guide.
"""


def p_yes(view, yes_above=0.75, bluff=0.1):
    """Return the probability of saying Yes."""
    if view.turn == 2:  # the dealer alone has said Yes, and it may be a bluff
        return 1.0 if view.strength >= yes_above - 0.15 else 0.0
    return 1.0 if view.strength >= yes_above else bluff
''',
    ("napalm", ".toml"): '''\
about = "Says Yes on strength; the dealer, who has heard everybody, dares more."

[parameters]  # settable from outside, {name}:cut=0.7
cut = 0.80

# The first rule whose conditions hold is used. Conditions: stage, turn, position, heard.
[[rule]]
position = -1  # the dealer
heard = 0      # when nobody has said Yes
threshold = 0.60

[[rule]]
threshold = "cut"
above = 1.0  # the probability of Yes from the threshold on
below = 0.1  # and under it
''',
    ("noddy", ".py"): '''\
"""Lays what scores most, and draws rather than lay for fewer than `least` points.

The keyword arguments are the parameters: {name}:least=5
What `view` and `option` tell: simulate/noddy/view.py, or the guide.
"""


def value(view, option, least=2):
    """Return how good an option is; the best one is played."""
    if option.size == 0:  # draw or pass
        return least - 0.5
    return option.points
''',
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", metavar="GAME", help="napalm or noddy")
    parser.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")


def main(args: argparse.Namespace) -> int:
    """Write the file, and say how to try it."""
    from simulate.cli import OK
    from simulate.config import check_game

    game, path = check_game(args.game), Path(args.file)
    endings = [ending for kind, ending in SKELETONS if kind == game]
    if path.suffix not in endings:
        raise InputError(f"file {args.file!r}: a strategy for {game} is a {' or '.join(endings)}")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(SKELETONS[game, path.suffix].replace("{name}", path.name))
    except FileExistsError:
        raise InputError(f"{path} exists already: it stays as it is") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    print(f"wrote {path}; to test it: simulate check {path}")
    return OK
