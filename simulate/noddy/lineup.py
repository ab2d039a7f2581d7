"""A line-up of strategies made ready for the compiled game."""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import simulate.noddy.choose
from simulate.address import address_of
from simulate.errors import InputError
from simulate.noddy.table import MAX_PARAMS

if TYPE_CHECKING:
    from strategies import Strategy
    from strategies.race import RaceTable

SOLVED = "solved"
PLACE = "from simulate.noddy.answer import answer"
"""The line of `simulate.noddy.choose` that a line-up replaces."""


_tables: dict[str, RaceTable] = {}


def tables_of(strategy: Strategy) -> tuple[float, float]:
    """Return where a solved table lies, which from then on is kept as long as the process lives."""
    return _tables.setdefault(strategy.source_hash, strategy.race).addresses


class Chooser(NamedTuple):
    """Compiled choices: the module, which must live as long as its address is used, and that."""

    module: ModuleType
    address: Any


def distinct_functions(strategies: Sequence[Strategy]) -> list[Strategy]:
    """Return a strategy for each distinct function, in an order that the table does not decide."""
    functions = {function_key(strategy): strategy for strategy in strategies}
    return [functions[key] for key in sorted(functions)]


def function_key(strategy: Strategy) -> str:
    """Return what strategies that share a function have in common: all solved tables do."""
    return SOLVED if strategy.kind == "npz" else strategy.source_hash


def params_of(strategies: Sequence[Strategy], functions: Sequence[Strategy]) -> NDArray[np.float64]:
    """Write strategies as numbers, a row each: parameters, and last the place of the function.

    Raises
    ------
    InputError
        When a strategy has too many parameters.
    """
    params = np.zeros((len(strategies), MAX_PARAMS + 1))
    places = {function_key(function): place for place, function in enumerate(functions)}
    for row, strategy in zip(params, strategies, strict=True):
        if len(strategy.params) > MAX_PARAMS:
            raise InputError(
                f"strategy {strategy.spec!r} has {len(strategy.params)} parameters: "
                f"at most {MAX_PARAMS} are allowed"
            )
        values = tables_of(strategy) if strategy.kind == "npz" else strategy.params.values()
        row[: len(values)] = list(values)
        row[MAX_PARAMS] = places[function_key(strategy)]
    return params


def choose_module(functions: Sequence[Strategy]) -> ModuleType:
    """Return the module in which strategies with these functions choose.

    It is a copy of `simulate.noddy.choose`, written beside the copies of their files under a name
    that changes with any of them, so that Numba finds it compiled the next time. Parameters are
    numbers given when it runs.
    """
    from strategies.compiled import compile_strategy, write_copy

    imports, branches = [], []
    for which, strategy in enumerate(functions):
        test = f"params[who, {MAX_PARAMS}] == {which}"
        if strategy.kind == "npz":
            imports.append(f"from simulate.noddy.race import worth as value_{which}")
            call = "view, option, params[who, 0], params[who, 1]"
            branches.append(f"    if {test}:\n        return value_{which}({call})\n")
            continue
        compile_strategy(strategy)  # says what is wrong with it, if anything is
        copy = write_copy(strategy)
        imports.append(f"from {copy.module} import {copy.function} as value_{which}")
        values = [
            f"{type(value).__name__}(params[who, {place}])"
            for place, value in enumerate(strategy.params.values())
        ]
        call = ", ".join(["view", "option", *values])
        branches.append(f"    if {test}:\n        return 1.0 * value_{which}({call})\n")
    answer = (
        '"""How the strategies of one line-up answer."""\n\nimport math\n\n'
        + "\n".join(imports)
        + "\nfrom simulate.jit import compile_module\n\n\n"
        + "def answer(who, view, option, params):\n"
        + "".join(branches)
        + "    return math.nan\n\n\n"
        + "compile_module(__name__, fills_only=True, inlined='all')\n"
    )
    answer_name = _write("answer", answer)
    source = inspect.getsource(simulate.noddy.choose)
    copy_name = _write("choose", source.replace(PLACE, f"from {answer_name} import answer"))
    return importlib.import_module(copy_name)


def _write(kind: str, text: str) -> str:
    """Write a generated module and return its name, which changes with its text."""
    from strategies.compiled import write_module

    name = f"{kind}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    write_module(name, text)
    return name


def make_chooser(functions: Sequence[Strategy], table: Any) -> Chooser:
    """Compile the choices of strategies with these functions, or load them."""
    module = choose_module(functions)
    return Chooser(module, address_of(module.choose, table, 0))
