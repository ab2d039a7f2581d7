"""What differs first between what a game log says and what is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from simulate.errors import InputError

FORMAT = 1
HEADER = ("format", "game", "seed", "index", "rules", "seats")
NOTHING = "nothing"
LONGEST = 200
INDEX_LIMIT = 2**63  # games are counted in signed 64-bit numbers


class Difference(NamedTuple):
    """One thing that is wrong in the record of a game.

    Deals, seats, cards and words are counted from 0 as in the log, stages from 1.

    Attributes
    ----------
    deal : int or None
        Where it is; None for what belongs to the game as a whole.
    stage : int or None
        The stage of that deal; None for what belongs to the deal as a whole.
    what : str
        The field, and the place in it.
    written, right : str
        What the log says there, and what it should say.
    """

    deal: int | None
    stage: int | None
    what: str
    written: str
    right: str

    def __str__(self) -> str:
        """Say it in one line."""
        where = "" if self.deal is None else f"deal {self.deal}"
        where += "" if self.stage is None else f", stage {self.stage}"
        where += ": " if where else ""
        return f"{where}{self.what}: written is {self.written}, right is {self.right}"


class Mismatch(NamedTuple):
    """Where two JSON values differ first, and what stands there."""

    what: str
    written: str
    right: str


def shown(value: object) -> str:
    """Write a JSON value in not too many characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def mismatch(
    written: object, right: object, what: str, items: Sequence[str] = ("seat", "card")
) -> Mismatch | None:
    """Find the first place where a JSON value is not what it should be.

    Numbers must be of one type too: neither ``true`` nor ``1.0`` is ``1``.

    Parameters
    ----------
    written, right : object
        The value found, and the one that is right.
    what : str
        What to call it.
    items : sequence of str
        What to call the items of a list, and of a list in a list.
    """
    found = _first(written, right, items)
    if found is None:
        return None
    path, is_written, is_right = found
    return Mismatch(", ".join([what, *path] if what else path), is_written, is_right)


Found = tuple[list[str], str, str]
"""The path to a place, and what is written and right there."""


def _first(written: object, right: object, items: Sequence[str]) -> Found | None:
    if isinstance(right, dict) and isinstance(written, dict):
        return _first_in_object(written, right, items)
    if isinstance(right, list) and isinstance(written, list):
        return _first_in_list(written, right, items)
    if type(written) is type(right) and written == right:
        return None
    return [], shown(written), shown(right)


def _first_in_object(
    written: dict[str, Any], right: dict[str, Any], items: Sequence[str]
) -> Found | None:
    for name, value in right.items():
        if name not in written:
            return [name], NOTHING, shown(value)
        if found := _first(written[name], value, items):
            return [name, *found[0]], found[1], found[2]
    for name, value in written.items():
        if name not in right:
            return [name], shown(value), NOTHING
    return None


def _first_in_list(written: list[Any], right: list[Any], items: Sequence[str]) -> Found | None:
    item = items[0] if items else "item"
    for place, value in enumerate(right):
        if place == len(written):
            return [f"{item} {place}"], NOTHING, shown(value)
        if found := _first(written[place], value, items[1:]):
            return [f"{item} {place}", *found[0]], found[1], found[2]
    if len(written) > len(right):
        return [f"{item} {len(right)}"], shown(written[len(right)]), NOTHING
    return None


def header_difference(
    record: Mapping[str, Any],
    game: str,
    players: Sequence[int],
    from_dict: Callable[[object], Any],
) -> Difference | None:
    """Find what is wrong in the fields with which the record of a game begins.

    Parameters
    ----------
    record : mapping
        The record of a game.
    game : str
        Its game.
    players : sequence of int
        The numbers of players that it may have.
    from_dict : callable
        Reads the rules of the game, or raises `InputError`.
    """

    def whole(value: object, limit: float) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < limit

    def wrong(what: str, right: str) -> Difference:
        return Difference(None, None, what, shown(record[what]), right)

    for name in HEADER:
        if name not in record:
            return Difference(None, None, name, NOTHING, "a field of this name")
    if found := mismatch(record["format"], FORMAT, "format"):
        return Difference(None, None, *found)
    if found := mismatch(record["game"], game, "game"):
        return Difference(None, None, *found)
    if not whole(record["seed"], float("inf")):
        return wrong("seed", "a whole number >= 0")
    if not whole(record["index"], INDEX_LIMIT):
        return wrong("index", "a whole number >= 0 and below 2^63")
    try:
        rules = from_dict(record["rules"])
    except InputError as error:
        return wrong("rules", f"rules that are allowed ({error})")
    if found := mismatch(record["rules"], rules.to_dict(), "rules"):
        return Difference(None, None, *found)
    seats = record["seats"]
    named = isinstance(seats, list) and all(isinstance(name, str) and name for name in seats)
    if not named or len(seats) not in players:
        return wrong("seats", f"{min(players)} to {max(players)} names of strategies")
    return None
