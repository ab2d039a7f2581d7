"""Say in plain words why Numba cannot compile a strategy, and where."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container
from typing import NamedTuple

from simulate.jit import numba
from strategies.samples import sample


class Trouble(NamedTuple):
    """Why something cannot be compiled, and in which line of which module; None where not known."""

    module: str
    line: int | None
    reason: str


# What Numba writes, and what it means. The first pattern that is found explains the error.
REASONS = [
    (r"NameError: (name '\w+' is not defined)", r"\1"),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        r"\1 is a \2: compiled code knows numbers, tuples, arrays and plain functions",
    ),
    (
        r"Untyped global name '(\w+)': Cannot type empty list",
        r"\1 is a list outside the function: it must be a tuple (nothing is kept between calls)",
    ),
    (
        r"use of a reflected (list|set)\(.*assigned to variable '(\w+)'",
        r"\2 is a \1 outside the function: it must be a tuple (nothing is kept between calls)",
    ),
    (
        r"Detected uninitialized variable (\w+)",
        r"\1 has no value here on some path: give it one first",
    ),
    (r"The 'with ", "Numba knows no 'with'"),
    (r"unsupported opcode \(IMPORT_NAME\)", "imports must stand at the top of the file"),
    (
        r"unsupported opcode \(STORE_GLOBAL\)",
        "a strategy keeps nothing between calls: it cannot set a global",
    ),
    (r"unsupported opcode \((\w+)\)", r"Numba does not know this construct (\1)"),
    (r"The use of yield", "Numba knows no generator here: write a list in brackets, or a loop"),
    (r"exception_match", "Numba knows no except but 'except Exception'"),
    (r"getitem\(UniTuple\(.*slice", "a tuple cannot be sliced: loop over range(...)"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", r"Numba does not know \2.\1"),
    (r"Unknown attribute '(\w+)' of type (\S+)", r"a \2 has no \1"),
    (r"Cannot bind .* due to \"TypeError: ([^\"]+)\"", r"\1"),
]


def explain(error: Exception, modules: Container[str], game: str) -> Trouble:
    """Find in Numba's message what was wrong and the innermost place in these modules.

    Parameters
    ----------
    error : Exception
        What Numba raised.
    modules : container of str
        The names of the modules of the strategy.
    game : str
        The game it is for.
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r"(\w+)\.py(?:\", line |:| \()(\d+)", f"{message} {_place(error)}")
    own = [(module, int(line)) for module, line in places if module in modules]
    module, line = own[0] if own else ("", None)
    return Trouble(module, line, _reason(message, game))


def _place(error: Exception) -> str:
    place = getattr(error, "loc", None)
    return f"{place.filename} ({place.line})" if place is not None else ""


def _reason(message: str, game: str) -> str:
    for shown in sample(game):
        noun = type(shown).__name__
        if found := re.search(rf"Unknown attribute '(\w+)' of type {noun}\(", message):
            near = difflib.get_close_matches(found[1], shown._fields, n=1)
            hint = f": did you mean {near[0]!r}?" if near else ""
            return f"{noun.lower()} has no field {found[1]!r}{hint}"
    if found := re.search(r"Can't unify return type from the following types: (.*)", message):
        kinds = " and ".join(dict.fromkeys(_in_words(kind) for kind in found[1].split(", ")))
        return f"it returns {kinds} on different paths: return numbers everywhere"
    if found := re.search(r"Cannot unify (.+) and (.+) for '", message):
        return f"a value is {_in_words(found[1])} on one path, {_in_words(found[2])} on another"
    for pattern, words in REASONS:
        if found := re.search(pattern, message):
            return found.expand(words)
    if found := re.search(r">>> (\w+)\((.*)\)", message):
        given = ", ".join(_in_words(kind) for kind in found[2].split(", "))
        return f"Numba knows no {found[1]}() of {given}"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During", "File"))]
    return (telling or lines or ["unknown reason"])[0].partition(" Raised from")[0]


def _in_words(kind: str) -> str:
    """Say what a type of Numba's is."""
    for pattern, words in (
        (r"Literal\[str\]\((.*)\)", r"the text '\1'"),
        (r"unicode_type", "text"),
        (r"none", "nothing (None)"),
        (r"bool(ean)?|Literal\[bool\].*", "True or False"),
        (r"u?int\d+|Literal\[int\].*", "a whole number"),
        (r"float\d+", "a number"),
        (r"complex\d+", "a complex number"),
        (r"(Uni)?Tuple\(.*", "a tuple"),
        (r"reflected list\(.*", "a list"),
        (r"array\(.*", "an array"),
    ):
        if found := re.fullmatch(pattern, kind.strip()):
            return found.expand(words)
    return kind


def return_trouble(kind: object) -> Trouble | None:
    """Say what is wrong with the type that a strategy returns, or None when it is a number."""
    types = numba.types
    if isinstance(kind, types.Integer | types.Float | types.Boolean):
        return None
    if isinstance(kind, types.Optional | types.NoneType):
        reason = "on some path it returns nothing: let every path return a number"
    elif isinstance(kind, types.Generator):
        reason = "it yields: write return"
    else:
        reason = f"it returns {_in_words(str(kind))}: it must return a number"
    return Trouble("", None, reason)
