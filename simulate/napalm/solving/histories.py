"""Where the decisions of a deal stand in flat arrays: what everybody heard, times the hand.

Under `stakes` a deal goes on to stage 2 only where all said No at stage 1. So the public history
of a decision is, at stage 1, the words heard so far; in the answer to a challenge (N8), the answers
heard so far; at stage 2 the words heard; at stage 3 all words of stage 2 and those heard. Each
list of words has the number ``(1 << position) - 1 + said``, with a bit in `said` for each Yes of
the players before `position`.
"""

from __future__ import annotations

from typing import NamedTuple

from simulate.jit import compile_module

TWOS = 91
"""Hand classes of stage 1: the distinct hands of two cards, the lowest first."""

FIRST, CHALLENGED, SECOND, THIRD = range(4)
"""The four times a player may speak in a deal: see `Layout`."""


class Layout(NamedTuple):
    """Where the decisions of a deal stand.

    Attributes
    ----------
    n : int
        Number of players.
    stages : int
        3, or 1 where the deal ends with stage 1.
    classes : tuple of 4 int
        How many classes of hands there are at stage 1, in answers to a challenge, at stages 2, 3.
    starts : tuple of 4 int
        Where each of these begins.
    size : int
        How many decisions there are in all.
    """

    n: int
    stages: int
    classes: tuple[int, int, int, int]
    starts: tuple[int, int, int, int]
    size: int


def heard_before(position, said):
    """Return the number of the words that a player in this position has heard."""
    return (1 << position) - 1 + said


def place_of(layout, time, position, said, said2, kind):
    """Return where a decision stands.

    Parameters
    ----------
    layout : Layout
    time : int
        `FIRST`, `CHALLENGED`, `SECOND` or `THIRD`.
    position, said : int
        Who speaks, and who has said Yes before him, as bits; the dealer's own challenge is none.
    said2 : int
        Who said Yes at stage 2, heard at stage 3 only.
    kind : int
        The class of his hand.
    """
    heard = heard_before(position, said)
    if time == THIRD:
        heard += said2 * ((1 << layout.n) - 1)
    return layout.starts[time] + heard * layout.classes[time] + kind


compile_module(__name__, fills_only=True, inlined="all")


def make_layout(n: int, second: int, third: int, stages: int = 3) -> Layout:
    """Lay out a deal of n players with so many classes of hands at stages 2 and 3."""
    words = (1 << n) - 1
    histories = (words, (words >> 1), words, (1 << n) * words)
    classes = (TWOS, TWOS, second, third)
    starts, size = [], 0
    for time in range(4):
        starts.append(size)
        if time < SECOND or stages == 3:
            size += histories[time] * classes[time]
    return Layout(n, stages, classes, (starts[0], starts[1], starts[2], starts[3]), size)
