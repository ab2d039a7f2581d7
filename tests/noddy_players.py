"""Strategies for the tests of Noddy's engine, written to files as a user's are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from strategies import Strategy, load

TEXTS = {
    "everything": '''
"""Values every option by a number mixed from all that it is shown."""


def mixed(number, field):
    return (number * 31 + field) % 1000003


def value(view, option, salt=1, wild=0.0):
    number = mixed(mixed(salt, view.n), view.position)
    number = mixed(mixed(mixed(number, view.score), view.best_other), view.target)
    for place in range(4):
        number = mixed(mixed(number, view.scores[place]), view.hand_sizes[place])
    number = mixed(mixed(mixed(number, view.hand), view.count), view.stock)
    number = mixed(mixed(mixed(number, view.seen), view.trump), view.turn_up)
    number = mixed(mixed(number, view.deal), view.turn)
    rules = view.rules
    number = mixed(mixed(mixed(number, rules.must_lay), rules.turn_up_drawn), rules.court_value)
    number = mixed(mixed(mixed(number, rules.turned_jack), rules.target), rules.max_deals)
    for kind in range(11):
        number = mixed(number, rules.points[kind])
    number = mixed(mixed(mixed(number, option.kind), option.points), option.size)
    number = mixed(mixed(mixed(number, option.cards), option.left), option.drawn)
    return number / 1000003 + wild * view.random
''',
    "weighed": '''
"""Weighs points, cards, drawing and chance."""
from simulate.noddy.view import DRAW


def value(view, option, points=1.0, size=0.0, hold=0.0, chance=0.0):
    held = hold if option.kind >= DRAW else 0.0
    return points * option.points + size * option.size + held + chance * view.random
''',
    "broken": '''
"""Answers NaN for its second option in a later turn, or divides by nothing."""


def value(view, option, divides=False):
    if view.turn >= 6 and option.kind < 11 and option.points < 15:
        return 1 / (option.drawn - option.drawn) if divides else float("nan")
    return 1.0
''',
}


@cache
def folder() -> Path:
    """Write the files once in a process."""
    path = Path(mkdtemp(prefix="noddy-players-"))
    for name, text in TEXTS.items():
        (path / f"{name}.py").write_text(text.lstrip())
    return path


@cache
def player(spec: str) -> Strategy:
    """Load a strategy by name and parameters, for example ``"weighed:hold=5"``."""
    name, colon, params = spec.partition(":")
    return load(f"{folder() / name}.py{colon}{params}", "noddy")
