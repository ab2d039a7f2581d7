"""Find the file of a strategy: a built-in, one of an installed package, or a path."""

from __future__ import annotations

import importlib.util
import os
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from simulate.errors import InputError, unknown
from strategies.source import FUNCTIONS, games_of
from strategies.spec import SOLVED, SUFFIXES, Spec

GROUP = "napalm_noddy.strategies"
BUILT_IN = Path(__file__).parent


def built_ins(game: str) -> dict[str, Path]:
    """List the built-in strategies of a game: the files of its folder that hold one.

    Parameters
    ----------
    game : str
        ``"napalm"`` or ``"noddy"``.

    Returns
    -------
    dict of str to Path
        Name to file, by name.
    """
    files = sorted((BUILT_IN / game).iterdir())
    return {
        path.stem: path
        for path in files
        if path.suffix == ".toml" or (path.suffix == ".py" and game in games_of(path))
    }


def solved_tables(game: str) -> dict[str, Path]:
    """List the tables of a game that came with the package and that a solver made, by name.

    `solved:napalm-4` is the file `solved-4.npz` of the folder `napalm`, `solved:napalm-4-deal` is
    `solved-4-deal.npz`, and `solved:noddy` is `solved.npz` of the folder `noddy`.
    """
    files = sorted((BUILT_IN / game).glob("solved*.npz"))
    return {f"{SOLVED}{game}{path.stem.removeprefix('solved')}": path for path in files}


def installed() -> dict[str, EntryPoint]:
    """List the strategies that installed packages announce, by name."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP))}


def installed_file(entry: EntryPoint) -> Path:
    """Return the file of a strategy that an installed package announces.

    The entry point names a module that holds the strategy, or an object in one that is such a
    module or the path of a `.py` or `.toml` file.

    Raises
    ------
    InputError
        When there is no such file.
    """
    try:
        found: object
        if entry.attr:
            found = entry.load()
        else:
            spec = importlib.util.find_spec(entry.module)
            found = spec.origin if spec is not None else None
        if isinstance(found, ModuleType):
            found = found.__file__
        if isinstance(found, str | os.PathLike):
            return Path(found)
    except Exception as error:  # a foreign package may raise anything
        raise InputError(
            f"strategy {entry.name!r} of entry point {entry.value!r} cannot be found: "
            f"{type(error).__name__}: {error}"
        ) from error
    raise InputError(
        f"strategy {entry.name!r}: entry point {entry.value!r} names no module and no file"
    )


def find(spec: Spec, game: str | None, base: Path | None) -> Path:
    """Return the file that a spec means.

    Parameters
    ----------
    spec : Spec
        The spec, taken apart.
    game : str or None
        The game it is for; None to look at both.
    base : Path or None
        The folder that a relative path starts from; None for the current one.

    Raises
    ------
    InputError
        When there is none.
    """
    if spec.is_path:
        path = (base or Path()) / Path(spec.head).expanduser()
        if not path.is_dir() and path.suffix.lower() not in SUFFIXES:
            raise InputError(f"strategy file {spec.head!r} is neither .py, .toml nor .npz")
        return path.absolute()
    games = [game] if game is not None else list(FUNCTIONS)
    if spec.head.startswith(SOLVED):
        tables = {name: path for each in games for name, path in solved_tables(each).items()}
        if spec.head not in tables:
            raise unknown("strategy", spec.head, tables)
        return tables[spec.head]
    own = {name: built_ins(name) for name in games}
    matches = [name for name in games if spec.head in own[name]]
    if len(matches) > 1:
        raise InputError(
            f"strategy {spec.head!r} is there for {' and '.join(games)}: name the game"
        )
    if matches:
        return own[matches[0]][spec.head]
    foreign = installed()
    if spec.head in foreign:
        return installed_file(foreign[spec.head])
    raise unknown(
        "strategy", spec.head, [*(name for names in own.values() for name in names), *foreign]
    )
