"""Game logs: JSON Lines in UTF-8, one game a line, complete enough to be checked by hand.

A record begins with ``format``, ``game``, ``seed``, ``index`` (which game of the run), ``rules``
(every field) and ``seats`` (the strategy in each seat), and then tells every card, word and
payment. Cards are two characters, rank then suit; seats, deals and all items of lists are counted
from 0; money and points are whole numbers. What stands in a deal belongs to the game: see the
module `record` of each.
"""

from __future__ import annotations

import importlib
import json
import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulate.difference import FORMAT, NOTHING, Difference, shown
from simulate.errors import InputError, unknown

if TYPE_CHECKING:
    from simulate.napalm.rules import NapalmRules
    from simulate.noddy.rules import NoddyRules

RECORDS = {"napalm": "simulate.napalm.record", "noddy": "simulate.noddy.record"}


def header(
    game: str, seed: int, index: int, rules: NapalmRules | NoddyRules, seats: Sequence[str]
) -> dict[str, Any]:
    """Return the fields with which the record of a game begins.

    Parameters
    ----------
    game : str
        ``"napalm"`` or ``"noddy"``.
    seed, index : int
        The seed of the run, and which game of it.
    rules : NapalmRules or NoddyRules
        The rules it was played by.
    seats : sequence of str
        The strategy in each seat.
    """
    return {
        "format": FORMAT,
        "game": game,
        "seed": int(seed),
        "index": int(index),
        "rules": rules.to_dict(),
        "seats": list(seats),
    }


def to_line(record: Mapping[str, Any]) -> str:
    """Write a record as one line, without the end of the line."""
    compact = (",", ":")
    return json.dumps(record, separators=compact, ensure_ascii=False, default=operator.index)


def write(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records to a file, which appears only when it is complete.

    Parameters
    ----------
    path : str or Path
        A file, replaced if there is one; a device or a pipe is written to as it stands.
    records : iterable of mapping
        The games.

    Returns
    -------
    int
        How many there were.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    path = Path(path)
    in_place = path.exists() and not path.is_file()
    target = path if in_place else path.with_name(f".{path.name}.{os.getpid()}.tmp")
    games = 0
    try:
        with target.open("w", encoding="utf-8", newline="\n") as file:
            for record in records:
                file.write(to_line(record) + "\n")
                games += 1
        if not in_place:
            target.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    finally:
        if not in_place and target.exists():
            target.unlink()
    return games


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _no_field_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"field {twice!r} stands there twice")
    return fields


def parse_line(line: bytes, where: str = "game log") -> dict[str, Any]:
    """Read one line of a game log.

    Parameters
    ----------
    line : bytes
        The line.
    where : str
        What to call it in an error.

    Raises
    ------
    InputError
        When it is not a JSON object.
    """
    try:
        text = line.decode("utf-8").rstrip("\r\n")
        record = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_field_twice)
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start + 1} is not UTF-8") from error
    except json.JSONDecodeError as error:
        what = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")
        problem = f"{what} at character {error.pos + 1}"
        raise InputError(f"{where}: not a line of JSON: {problem}") from error
    except ValueError as error:
        raise InputError(f"{where}: {error}") from error
    except RecursionError as error:
        raise InputError(f"{where}: nested too deeply to be a game") from error
    if not isinstance(record, dict):
        raise InputError(f"{where}: a game is a JSON object, this is {shown(record)}")
    return record


def read(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a game log line by line.

    Yields
    ------
    line : int
        Counted from 1.
    record : dict
        The game on it; nothing but its JSON has been checked.

    Raises
    ------
    InputError
        When the file cannot be read, or a line is not a JSON object.
    """
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, parse_line(line, f"{path}, line {number}")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from error


def find(path: str | Path, index: int) -> dict[str, Any]:
    """Return the first game of a log that has this index.

    Raises
    ------
    InputError
        When there is none.
    """
    low, high, games = None, None, 0
    for _, record in read(path):
        games += 1
        here = record.get("index")
        if here == index:
            return record
        if isinstance(here, int):
            low = here if low is None else min(low, here)
            high = here if high is None else max(high, here)
    has = f"it holds {games:,} games, {low} to {high}" if games else "it holds no games"
    raise InputError(f"game {index} is not in {str(path)!r}: {has}")


def _record_module(record: Mapping[str, Any]) -> Any:
    game = record.get("game")
    if not isinstance(game, str) or game not in RECORDS:
        raise unknown("game", game, RECORDS)
    return importlib.import_module(RECORDS[game])


def audit(record: Mapping[str, Any]) -> Difference | None:
    """Play a recorded game again with its own words or moves, and return the first thing wrong.

    The strategies are not needed: the cards follow from seed and index, and everything else from
    the rules.
    """
    try:
        module = _record_module(record)
    except InputError:
        written = shown(record["game"]) if "game" in record else NOTHING
        return Difference(None, None, "game", written, " or ".join(map(shown, RECORDS)))
    found: Difference | None = module.audit(record)
    return found


def tell(record: Mapping[str, Any]) -> str:
    """Tell a recorded game in words.

    Raises
    ------
    InputError
        When the record is not that of a game as it must have been played.
    """
    if found := audit(record):
        raise InputError(f"game {record.get('index')} cannot be told, its record is wrong: {found}")
    told: str = _record_module(record).tell(record)
    return told


def explain(record: Mapping[str, Any], strategies: Sequence[Any]) -> dict[str, Any]:
    """Add to a recorded game what each strategy saw and answered.

    Parameters
    ----------
    record : mapping
        The game.
    strategies : sequence
        The strategy in each seat.
    """
    explained: dict[str, Any] = _record_module(record).explain(record, strategies)
    return explained


class Audit(NamedTuple):
    """What the audit of a game log found.

    Attributes
    ----------
    games : int
        How many games were checked.
    line : int or None
        The first line with something wrong, counted from 1.
    difference : Difference or None
        What is wrong there.
    """

    games: int
    line: int | None = None
    difference: Difference | None = None


def audit_file(path: str | Path) -> Audit:
    """Audit every game of a log, up to the first thing wrong.

    Raises
    ------
    InputError
        When the file cannot be read, holds no games, or a line is not a JSON object.
    """
    games = 0
    for line, record in read(path):
        games += 1
        if found := audit(record):
            return Audit(games, line, found)
    if not games:
        raise InputError(f"{str(path)!r} holds no games")
    return Audit(games)
