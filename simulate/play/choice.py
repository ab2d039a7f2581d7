"""What somebody who is asked may answer."""

from __future__ import annotations

from typing import NamedTuple


class Choice(NamedTuple):
    """One answer.

    Attributes
    ----------
    answer : bool or int
        What the game is sent: whether Yes is said, or the index of an option.
    key : str
        What a person types for it.
    text : str
        What it is, in words; a card stands in brackets, ``[Ah]``.
    """

    answer: int
    key: str
    text: str
