"""A line-up of strategies made ready for the compiled game."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import simulate.napalm.ask
from simulate.address import address_of
from simulate.errors import InputError
from simulate.jit import FOLDER
from simulate.napalm.brains import (
    FUNCTION,
    HEARD,
    MAX_PARAMS,
    POSITIONS,
    SOLVED,
    STAGES,
    THRESHOLDS,
    TURNS,
    WHOLE,
    Brains,
)
from simulate.napalm.rules import KernelRules
from simulate.napalm.solving.classes import class_table
from simulate.napalm.strength import NEVER, Strengths, strength_tables, value_cut
from simulate.napalm.table import empty_table
from strategies.solved import ARRAYS, TWOS
from strategies.solved_game import SolvedGame

if TYPE_CHECKING:
    from strategies import Strategy

PLACE = "from simulate.napalm.answer import answer"
"""The line of `simulate.napalm.ask` that a line-up with functions replaces."""

FAULT = 6
"""Numbers that name a faulty answer: see `simulate.napalm.speak.note_fault`."""


class Asker(NamedTuple):
    """Compiled answers: the module, which must live as long as its address is used, and that."""

    module: ModuleType
    address: Any


def distinct_functions(strategies: Sequence[Strategy]) -> list[Strategy]:
    """Return a strategy for each of their Python functions, in one order whatever theirs is."""
    found = {strategy.source_hash: strategy for strategy in strategies if strategy.kind == "py"}
    return [found[source] for source in sorted(found)]


def make_brains(
    strategies: Sequence[Strategy], functions: Sequence[Strategy], n: int, wheel: bool
) -> Brains:
    """Write distinct strategies as tables and parameters.

    Parameters
    ----------
    strategies, functions : sequence of Strategy
        Who plays, and the functions that are compiled together.
    n : int
        Number of players.
    wheel : bool
        Whether A-2-3-4-5 is a straight, which changes the strength of a hand.
    """
    shape = (len(strategies), STAGES, TURNS, POSITIONS, HEARD)
    cut, above, below = np.zeros(shape, np.uint32), np.zeros(shape), np.zeros(shape)
    params = np.zeros((len(strategies), MAX_PARAMS + 1))
    places = {function.source_hash: place for place, function in enumerate(functions)}
    for who, strategy in enumerate(strategies):
        if strategy.kind == "toml":
            table = strategy.table(n)
            above[who], below[who] = table.above, table.below
            for stage in range(STAGES):
                thresholds, where = np.unique(table.cut[stage], return_inverse=True)
                cuts = [value_cut(stage + 1, wheel, float(cut)) for cut in thresholds]
                cut[who, stage] = np.array(cuts, np.uint32)[where.reshape(shape[2:])]
        elif strategy.kind == "npz":
            check_players(strategy, n)
        elif len(strategy.params) > MAX_PARAMS:
            raise InputError(
                f"strategy {strategy.spec!r} has {len(strategy.params)} parameters: "
                f"at most {MAX_PARAMS} are allowed"
            )
        else:
            params[who, : len(strategy.params)] = list(strategy.params.values())
            params[who, MAX_PARAMS] = places[strategy.source_hash]

    alike = above == below
    for certain, least in ((1.0, 0), (0.0, NEVER)):
        cut[alike & (above == certain)] = least
    limits = np.ceil(np.stack([below, above], axis=-1) * WHOLE).astype(np.uint64)
    plain = alike & (above % 1 == 0) | (above == 1) & (below == 0)
    kinds = {"py": FUNCTION, "toml": THRESHOLDS, "npz": SOLVED}
    kind = np.array([kinds[strategy.kind] for strategy in strategies], np.uint8)
    return Brains(
        cut=cut.reshape(-1),
        limits=limits.reshape(-1),
        above=above.reshape(-1),
        below=below.reshape(-1),
        kind=kind,
        params=params,
        thresholds=int(np.all(kind == THRESHOLDS)),
        plain=int(plain.all()),
        **_solved_tables(strategies, n, wheel),
    )


def _solved_tables(strategies: Sequence[Strategy], n: int, wheel: bool) -> dict[str, NDArray[Any]]:
    """Write all solved tables one after the other, and where they begin."""
    number = len(strategies)
    starts = np.zeros((number, STAGES * TURNS), np.int64)
    classes = np.zeros((number, STAGES), np.int64)
    solved = any(strategy.kind == "npz" for strategy in strategies)
    indices = len(strength_tables(wheel).bucket[0]) if solved else 0
    classed = np.zeros((number, STAGES, indices), np.uint8)
    race = np.zeros((number, 3), np.int64)
    no_pots, no_weights, no_rows = np.ones((1, 2)), np.zeros((n, n, 1), int), np.zeros(1, int)
    pots, weights, rows = [no_pots] * number, [no_weights] * number, [no_rows] * number
    pieces, size = [np.zeros(0, np.uint8)], 0
    for who, strategy in enumerate(strategies):
        if strategy.kind != "npz":
            continue
        table = strategy.solved
        classed[who] = class_table(wheel, (table.edges2, table.edges3))
        classes[who] = (TWOS, len(table.edges2) + 1, len(table.edges3) + 1)
        times = np.array(table.times).reshape(-1)
        if isinstance(table, SolvedGame):
            starts[who], pots[who] = np.add(table.starts, size)[times], table.pots
            pieces.append(mapped(strategy, table).reshape(-1))
            race[who] = (table.pots.shape[1], table.target, table.size)
            weights[who], rows[who] = table.standing
            size += pieces[-1].size
            continue
        begins = []
        for name in ARRAYS:
            begins.append(size)
            pieces.append(getattr(table, name).reshape(-1))
            size += pieces[-1].size
        starts[who] = np.array(begins)[times]
    return {
        "solved": pieces[1] if len(pieces) == 2 else np.concatenate(pieces),
        "starts": starts,
        "classes": classes,
        "classed": classed,
        "race": race,
        "pots": _padded(pots, no_pots),
        "weights": _padded(weights, no_weights),
        "rows": _padded(rows, no_rows),
    }


def _padded(arrays: Sequence[NDArray[Any]], least: NDArray[Any]) -> NDArray[Any]:
    """Put arrays of several sizes into one; what is beyond one of them is not asked for."""
    most = np.max([each.shape for each in (least, *arrays)], axis=0)
    padded = np.zeros((len(arrays), *most), least.dtype)
    for who, each in enumerate(arrays):
        padded[who] = np.pad(each, [(0, more) for more in most - each.shape], mode="edge")
    return padded


def mapped(strategy: Strategy, table: SolvedGame) -> NDArray[np.uint8]:
    """Map the chances of a table into memory, from where compiled code is kept.

    All processes that play it then share them, and only what is played is read.
    """
    if FOLDER is None:
        return table.chances
    path = FOLDER / f"solved_{strategy.source_hash[:32]}.npy"
    try:
        if not path.exists():
            with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".tmp", delete=False) as file:
                np.save(file, table.chances)
            Path(file.name).replace(path)
        # Copied where written to, which is never: so it is of the type of any other array.
        found: NDArray[np.uint8] = np.load(path, mmap_mode="c").view(np.ndarray)
    except (OSError, ValueError, EOFError):
        return table.chances
    return found if found.shape == (*table.equity.shape[:1], *found.shape[1:]) else table.chances


def check_players(strategy: Strategy, n: int) -> None:
    """Refuse a strategy that is for another number of players.

    Raises
    ------
    InputError
        When it is.
    """
    if strategy.players not in (None, n):
        raise InputError(
            f"strategy {strategy.spec!r} is for {strategy.players} players, not for {n}"
        )


def ask_module(functions: Sequence[Strategy]) -> ModuleType:
    """Return the module in which strategies with these functions, and tables, are asked.

    Tables are data: they all share one. For Python functions a copy of `simulate.napalm.ask` is
    written beside the copies of their files, under a name that changes with any of them, so that
    Numba finds it compiled the next time. Parameters are numbers given when it runs.
    """
    if not functions:
        return simulate.napalm.ask
    from strategies.compiled import compile_strategy, write_copy

    imports, branches = [], []
    for which, strategy in enumerate(functions):
        compile_strategy(strategy)  # says what is wrong with it, if anything is
        copy = write_copy(strategy)
        imports.append(f"from {copy.module} import {copy.function} as p_yes_{which}")
        values = [
            f"{type(value).__name__}(params[who, {place}])"
            for place, value in enumerate(strategy.params.values())
        ]
        call = ", ".join(["view", *values])
        test = f"params[who, {MAX_PARAMS}] == {which}"
        branches.append(f"    if {test}:\n        return 1.0 * p_yes_{which}({call})\n")
    answer = (
        '"""How the strategies of one line-up answer."""\n\nimport math\n\n'
        + "\n".join(imports)
        + "\nfrom simulate.jit import compile_module\n\n\n"
        + "def answer(who, view, params):\n"
        + "".join(branches)
        + "    return math.nan\n\n\n"
        + "compile_module(__name__, fills_only=True, inlined='all', inner='all')\n"
    )
    answer_name = _write("answer", answer)
    source = inspect.getsource(simulate.napalm.ask)
    copy_name = _write("ask", source.replace(PLACE, f"from {answer_name} import answer"))
    return importlib.import_module(copy_name)


def _write(kind: str, text: str) -> str:
    """Write a generated module and return its name, which changes with its text."""
    from strategies.compiled import write_module

    name = f"{kind}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    write_module(name, text)
    return name


_askers: dict[str, Asker] = {}


def make_asker(
    functions: Sequence[Strategy], brains: Brains, rules: KernelRules, strengths: Strengths, n: int
) -> Asker:
    """Compile the answers of strategies with these functions, or load them."""
    module = ask_module(functions)
    name = module.__name__
    if name not in _askers:  # the types of arguments never differ
        examples = (
            empty_table(n), 0, 0, 0, 0, n, np.uint64(0), rules, brains, strengths, 0, 0,
        )  # fmt: skip
        _askers[name] = Asker(module, address_of(module.ask, *examples))
    return _askers[name]
