"""Strategies for the tests of Napalm's engine, written to files as a user's are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from strategies import Strategy, load

TEXTS = {
    "everything.py": '''
"""Answers by a number mixed from all that it is shown: No, Yes, or something in between."""


def mixed(number, field):
    return (number * 31 + int(field)) % 1000003


def p_yes(view, salt=1, yes=0.3, no=0.4, wild=0.0):
    number = mixed(mixed(mixed(salt, view.n), view.stage), view.position)
    number = mixed(mixed(mixed(number, view.turn), view.spoken), view.yes)
    number = mixed(number, view.strength * 1000003)
    number = mixed(mixed(number, view.strength1 * 1000003), view.strength2 * 1000003)
    for place in range(7):
        number = mixed(mixed(number, view.cards[place]), view.counts[place])
    number = mixed(mixed(mixed(number, view.count), view.high), view.low)
    number = mixed(mixed(mixed(number, view.said), view.said1), view.said2)
    number = mixed(mixed(mixed(number, view.pair), view.pot), view.target)
    number = mixed(mixed(mixed(number, view.collected), view.best_other), view.deal)
    share = number / 1000003 + wild * view.random
    share -= int(share)
    if share < yes:
        return 1.0
    return 0.0 if share < yes + no else share
''',
    "leaning.py": '''
"""Says Yes on strength, and answers with a whole number."""


def p_yes(view, cut=0.6, heard=0.1):
    return 1 if view.strength >= cut + heard * view.yes else 0
''',
    "sure.py": '''
"""Says Yes by its first two cards, its own count and the toss of its own coin, or answers False."""


def p_yes(view, lowest=9, coin=0.5, pairs=True):
    good = view.high >= lowest or (pairs and view.pair)
    return good and (view.random < coin or view.collected > view.best_other)
''',
    "faulty.py": '''
"""Does something wrong, but only with a queen and an eight of one suit, once three said Yes."""

import math


def p_yes(view, kind=0):
    suited = (view.cards[0] - view.cards[1]) % 4 == 0
    if not (suited and view.high == 12 and view.low == 8 and view.yes >= 3):
        return 0.9
    if kind == 1:
        return math.nan
    if kind == 2:
        return 1.1
    if kind == 3:
        return -0.1
    if kind == 4:
        return math.inf
    if kind == 5:
        return 1 / (view.turn - 1)
    if kind == 6:
        return view.cards[view.stage + 9] * 0.5
    if kind == 7:
        raise ValueError("seven")
    assert kind != 8
    if kind == 9:
        raise Exception("nine")
    if kind == 10:
        return math.sqrt(-view.strength)
    return 0.9
''',
    "soft.toml": """
about = "Chances for everything: by stage, turn, position and words heard."

[parameters]
cut = 0.55
dare = 0.2

[[rule]]
turn = 2
position = [0, 2]
heard = "2+"
threshold = "cut"
above = 0.7
below = 0.3

[[rule]]
turn = 2
threshold = 0.4
below = "dare"

[[rule]]
stage = [1, 3]
position = -1
heard = 0
chance = 0.9

[[rule]]
heard = 1
threshold = "cut"
above = 0.95
below = "dare"

[[rule]]
stage = 2
heard = [0, 2, 4, 6]
threshold = 0.75
above = 0.999
below = 0.001

[[rule]]
threshold = 0.8
below = "dare"
""",
    "sharp.toml": """
about = "Yes or No for certain, at thresholds that some strength meets exactly."

[parameters]
cut = 0.5

[[rule]]
stage = 1
position = 0
threshold = 0.997737556561086    # that of a pair of aces

[[rule]]
stage = 1
heard = "1+"
threshold = 0.9434389140271493   # that of a pair of deuces

[[rule]]
stage = 2
position = -1
heard = 0
chance = 1

[[rule]]
turn = 2
threshold = 0

[[rule]]
position = 3
threshold = 1   # which nobody has

[[rule]]
threshold = "cut"
""",
}


@cache
def folder() -> Path:
    """Write the files once in a process."""
    path = Path(mkdtemp(prefix="napalm-players-"))
    for name, text in TEXTS.items():
        (path / name).write_text(text.lstrip())
    return path


@cache
def player(spec: str) -> Strategy:
    """Load one of them, or a built-in, by name and parameters: ``"soft:cut=0.3"``."""
    name, colon, params = spec.partition(":")
    for file in (f"{name}.py", f"{name}.toml"):
        if file in TEXTS:
            return load(f"{folder() / file}{colon}{params}", "napalm")
    return load(spec, "napalm")


NAMES = [
    "everything",
    "everything:salt=2,yes=0.1,no=0.8",
    "everything:salt=3,yes=0.7,no=0.1",
    "everything:salt=4,wild=1",
    "leaning",
    "leaning:cut=0.9,heard=0",
    "sure",
    "sure:coin=1,lowest=14,pairs=false",
    "soft",
    "soft:cut=0.9,dare=0.01",
    "sharp",
    "sharp:cut=0.95",
    "threshold",
    "threshold:stage1=0.3,above=0.8",
    "positional",
]
EVERYBODY = [player(name) for name in (*NAMES, "faulty")]
