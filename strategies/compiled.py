"""Compile a `.py` strategy with Numba, from copies of its files in the cache folder.

Numba keeps compiled code by the file it came from, and does not notice when an imported function
has changed. So each strategy is compiled from copies whose names carry a hash of all its texts. A
copy has the lines of the original, with the same numbers, and a last line that compiles the module.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from simulate.errors import InputError
from simulate.jit import FOLDER, numba
from strategies.explain import Trouble, explain, return_trouble
from strategies.imports import Folder, with_own_imports
from strategies.plain import module_names, place_of
from strategies.samples import sample
from strategies.source import texts_hash
from strategies.strategy import Strategy, StrategyError, raised

LAST_LINES = """

from simulate.jit import compile_module as _compile_module

_compile_module(__name__, inlined="all")
"""


class Copy(NamedTuple):
    """How to import the compiled function of a strategy.

    Attributes
    ----------
    module : str
        Name of the module.
    folder : Path
        The folder it lies in; `copies_folder` has put it on the path of imports.
    function : str
        ``"p_yes"`` or ``"value"``.
    """

    module: str
    folder: Path
    function: str


@cache
def copies_folder() -> Path:
    """Return the folder of generated modules, which can be imported from then on.

    It lies in the cache folder, or where that cannot be written in one that goes with the process.
    """
    if FOLDER is not None:
        folder = FOLDER / "generated"
        folder.mkdir(exist_ok=True)
    else:
        folder = Path(tempfile.mkdtemp(prefix="napalm-noddy-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    sys.path.append(str(folder))
    return folder


def write_module(name: str, text: str) -> Path:
    """Write a generated module whole or not at all, unless it is there already.

    Its time of change is always the same: to Numba and Python, which remember it, a copy that
    another process has just written is the one they know.

    Parameters
    ----------
    name : str
        Name of the module, which must change with its text.
    text : str
        Its source.
    """
    path = copies_folder() / f"{name}.py"
    data = text.encode()
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return path
    temporary = path.with_name(f".{name}-{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(data)
        os.utime(temporary, (0, 0))
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot write compiled code to {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    importlib.invalidate_caches()
    return path


def write_copy(strategy: Strategy) -> Copy:
    """Write the copies of a `.py` strategy's files from which it is compiled.

    Safe while other processes do the same. Nothing is run.

    Parameters
    ----------
    strategy : Strategy
        Its parameters do not matter: they are given to the function when it is called, after `view`
        (and `option`), each as the type that it has in `Strategy.params`.
    """
    names = _copy_names(strategy)
    own = Folder(strategy.package, names.__contains__)
    for file, text in strategy.sources.items():
        path = strategy.path.parent / file
        write_module(names[path.stem], with_own_imports(path, text, own, names) + LAST_LINES)
    return Copy(names[strategy.path.stem], copies_folder(), strategy.function_name)


def compile_strategy(strategy: Strategy) -> Any:
    """Compile a `.py` strategy for the views of its game, or load it from the cache.

    Returns
    -------
    callable
        The compiled function: ``function(view, *params)``, ``function(view, option, *params)``.

    Raises
    ------
    StrategyError
        When its file raises, or its function cannot be compiled: file, line, the line, and why.
    """
    copy = write_copy(strategy)
    names = _copy_names(strategy)
    originals = {names[file.stem]: file for file in strategy.files}
    try:
        function = getattr(importlib.import_module(copy.module), copy.function)
    except (Exception, SystemExit) as error:
        place = place_of(error, [copy.folder / f"{name}.py" for name in originals])
        for name, original in originals.items():
            place = place and place.replace(str(copy.folder / f"{name}.py"), str(original))
        raise StrategyError(strategy.spec, raised(error), place) from error
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # set at run time
        return function
    arguments = (*sample(strategy.game), *strategy.params.values())
    types = tuple(numba.typeof(argument) for argument in arguments)
    try:
        with _strict_about_variables(copy.module):
            _compile(function, types, originals)
    except Exception as error:  # Numba raises all kinds, some of them its own mistakes
        trouble = explain(error, originals, strategy.game)
        raise _cannot_compile(strategy, originals, trouble) from error
    wrong = return_trouble(function.overloads[types].signature.return_type)
    if wrong is not None:
        raise _cannot_compile(strategy, originals, wrong)
    return function


def _compile(function: Any, types: tuple[Any, ...], modules: Iterable[str]) -> None:
    """Compile; where that fails, drop what is in the cache, which may be torn, and try again."""
    try:
        function.compile(types)
    except Exception:
        kept = [
            file
            for folder in copies_folder().parent.glob(f"{copies_folder().name}_*")
            for module in modules
            for file in folder.glob(f"{module}.*.nb?")
        ]
        if not kept:
            raise
        for file in kept:
            file.unlink(missing_ok=True)
        function.compile(types)


@contextlib.contextmanager
def _strict_about_variables(module: str) -> Iterator[None]:
    """Refuse a variable that has no value on some path: compiled, it would hold garbage there."""
    uninitialised = f"(?s)Detected uninitialized variable .*{module}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaWarning)
        warnings.filterwarnings("error", uninitialised)
        numba.config.ALWAYS_WARN_UNINIT_VAR = 1  # type: ignore[attr-defined]  # set at run time
        try:
            yield
        finally:
            numba.config.ALWAYS_WARN_UNINIT_VAR = 0  # type: ignore[attr-defined]


def _copy_names(strategy: Strategy) -> dict[str, str]:
    prefix = f"compiled_{texts_hash({**strategy.sources, '': LAST_LINES})[:16]}"
    return module_names(strategy.sources, prefix)


def _cannot_compile(
    strategy: Strategy, originals: dict[str, Path], trouble: Trouble
) -> StrategyError:
    """Say which line of which file cannot be compiled: the function's first where none is known."""
    path = originals.get(trouble.module, strategy.path)
    lines = strategy.sources[path.name].split("\n")
    head = re.compile(rf"def\s+{strategy.function_name}\b")
    heads = [number for number, line in enumerate(lines, start=1) if head.match(line)]
    number = trouble.line or heads[-1]
    line = lines[number - 1].strip()
    problem = f"cannot be compiled: {line!r}: {trouble.reason}"
    return StrategyError(strategy.spec, problem, f"{path}:{number}")
