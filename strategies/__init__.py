"""Strategies: one file each, found by name, by path or in installed packages.

A strategy is a `.py` file with one plain function, ``p_yes(view, ...)`` for Napalm or
``value(view, option, ...)`` for Noddy, or, for Napalm, a `.toml` file of thresholds
(`strategies.table`), or an `.npz` file that a solver made (`strategies.solved`,
`strategies.solved_game`, and for Noddy `strategies.race`). A file that is put into
`strategies/napalm` or `strategies/noddy` is a built-in: nothing else has to be edited.

Reading a strategy does not run its file, and imports no Numba: its docstring and its parameters are
read from the text.
"""

from __future__ import annotations

import os
import warnings
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from simulate.errors import InputError, unknown
from strategies.catalogue import built_ins, find, installed, solved_tables
from strategies.race import game_of, read_race
from strategies.solved import read_solved
from strategies.source import FUNCTIONS, Number, read_data, read_source, read_text, texts_hash
from strategies.spec import bind, canonical, parse_spec
from strategies.strategy import Strategy, StrategyError
from strategies.table import read_table

__all__ = ["Strategy", "StrategyError", "listing", "load", "parse_line_up", "solved"]


def load(
    spec: str | os.PathLike[str], game: str | None = None, base: Path | None = None
) -> Strategy:
    """Load a strategy.

    Parameters
    ----------
    spec : str or path
        ``"bluffer"``, ``"bluffer:bluff=0.2"``, ``"my/bot.py:yes_above=0.8"``, ``"my/cuts.toml"``,
        ``"solved:napalm-4"``, ``"my/napalm-4.npz"``.
    game : str, optional
        ``"napalm"`` or ``"noddy"``; when left out, the file tells.
    base : Path, optional
        The folder that a relative path starts from; the current one when left out.

    Returns
    -------
    Strategy
        The strategy with its parameters. Its file has been read, not run.

    Raises
    ------
    InputError
        When it does not exist, is no strategy, or does not have these parameters.

    Examples
    --------
    >>> load("bluffer:bluff=0.20,yes_above=0.75", "napalm").spec
    'bluffer:bluff=0.2'
    """
    text = os.fspath(spec)
    parts = parse_spec(text)
    if parts.number != 1:
        raise InputError(f"strategy {text!r} is {parts.number} of them: one is wanted here")
    return _load(text, game, base)


def parse_line_up(
    specs: str | os.PathLike[str] | Strategy | Sequence[str | os.PathLike[str] | Strategy],
    game: str | None = None,
    base: Path | None = None,
) -> list[Strategy]:
    """Load the strategies of a line-up, in the order of their slots.

    Parameters
    ----------
    specs : sequence of str, path or Strategy
        ``["tight*4", "bluffer:bluff=0.2"]`` is five players. What is loaded already stays as it is.
    game, base
        As in `load`.
    """
    if isinstance(specs, str | os.PathLike | Strategy):
        specs = [specs]
    line_up: list[Strategy] = []
    for spec in specs:
        if isinstance(spec, Strategy):
            if game not in (None, spec.game):
                raise InputError(f"strategy {spec.spec!r} is for {spec.game}, not for {game}")
            line_up.append(spec)
        elif isinstance(spec, str | os.PathLike):
            text = os.fspath(spec)
            line_up += [_load(text, game, base)] * parse_spec(text).number
        else:
            raise InputError(f"strategy {spec!r} is not text: write for example 'tight:above=0.8'")
    return line_up


def listing(game: str | None = None) -> list[Strategy]:
    """List the built-in strategies and those of installed packages, each with its defaults.

    Parameters
    ----------
    game : str, optional
        Only those for this game.
    """
    games = [_checked_game(game)] if game is not None else list(FUNCTIONS)
    found = [_load(name, each, None) for each in games for name in built_ins(each)]
    taken = {strategy.name for strategy in found}
    for name in installed():
        if name in taken:
            continue
        try:
            strategy = _load(name, None, None)
        except InputError as error:
            warnings.warn(str(error), stacklevel=2)
            continue
        if strategy.game in games:
            found.append(strategy)
    return found


def solved(game: str | None = None) -> list[Strategy]:
    """List the strategies of the package that a solver made: for Napalm one by number of players.

    Parameters
    ----------
    game : str, optional
        Only those for this game.
    """
    games = [_checked_game(game)] if game is not None else list(FUNCTIONS)
    return [_load(name, each, None) for each in games for name in solved_tables(each)]


def _load(text: str, game: str | None, base: Path | None) -> Strategy:
    if game is not None:
        _checked_game(game)
    spec = parse_spec(text)
    path = find(spec, game, base)
    defaults: dict[str, Number]
    if path.suffix.lower() == ".npz":
        data = read_data(path)
        sources, package = {path.name: b64encode(data).decode()}, None
        kind, of_game, defaults = "npz", game_of(data), {}
        about = (read_race if of_game == "noddy" else read_solved)(path, data).text
        if game not in (None, of_game):
            raise InputError(f"{path}: this .npz strategy is for {of_game}, not for {game}")
    elif path.suffix.lower() == ".toml":
        sources, package = {path.name: read_text(path)}, None
        table = read_table(path, sources[path.name])
        kind, of_game, about, defaults = "toml", "napalm", table.about, dict(table.params)
        if game not in (None, of_game):
            raise InputError(f"{path}: a .toml strategy is for {of_game}, not for {game}")
    else:
        source = read_source(path, game)
        sources, package, defaults = source.texts, source.package, source.params
        kind, of_game, about = "py", source.game, source.about
    head = Path(spec.head).as_posix() if spec.is_path else spec.head
    params = bind(head, defaults, spec.params)
    strategy = Strategy(
        spec=canonical(head, params, defaults),
        name=path.stem if spec.is_path else spec.head,
        game=of_game,
        path=path,
        kind=kind,
        about=about,
        params=params,
        source_hash=texts_hash(sources),
        sources=sources,
        package=package,
    )
    if kind == "toml":
        strategy.rules.check_params(params)
    return strategy


def _checked_game(game: str) -> str:
    if game not in FUNCTIONS:
        raise unknown("game", game, FUNCTIONS)
    return game
