"""The text of a new strategy, to start from."""

from __future__ import annotations

from pathlib import Path

from simulate.errors import InputError, unknown

NAPALM = '''\
"""Says Yes on strength, and bluffs now and then. (The list of strategies shows this line.)"""


def p_yes(view, yes_above=0.8, bluff=0.05):  # parameters: numbers with a default, settable outside
    # Return the probability of saying Yes: 1.0 is a firm Yes, 0.0 a firm No.
    # view.strength is the share of hands that this one beats at this stage (view.stage, 1 to 3).
    if view.turn == 2:  # the dealer alone has said Yes, and we may still answer him
        return 1.0 if view.strength >= yes_above - 0.1 else 0.0
    if view.yes > 0:  # somebody before us claims the best hand: do not bluff
        return 1.0 if view.strength >= yes_above else 0.0
    return 1.0 if view.strength >= yes_above else bluff
'''

NODDY = '''\
"""Lays what scores, but no cards for too little. (The list of strategies shows this line.)"""

from simulate.noddy.view import DRAW, PASS


def value(view, option, worth=0.75):  # parameters: numbers with a default, settable outside
    # Return how good an option is: the best one is played, the first of them on a tie.
    if option.kind == DRAW or option.kind == PASS:
        return 0.5  # better than three cards for one point, no better than two cards for two
    if view.score + option.points >= view.target:
        return 1000.0  # it wins
    return option.points - worth * option.size  # each card laid is one less for a thirty-one
'''

TEXTS = {"napalm": NAPALM, "noddy": NODDY}


def write_skeleton(game: str, path: Path) -> None:
    """Write a small working strategy into a new file.

    Parameters
    ----------
    game : str
        ``"napalm"`` or ``"noddy"``.
    path : Path
        A `.py` file that does not exist yet.

    Raises
    ------
    InputError
        When it exists, cannot be written, or is no `.py` file.
    """
    if game not in TEXTS:
        raise unknown("game", game, TEXTS)
    if path.suffix != ".py":
        raise InputError(f"{str(path)!r} is not the name of a .py file")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEXTS[game])
    except FileExistsError:
        raise InputError(f"{str(path)!r} is there already: it is not overwritten") from None
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
