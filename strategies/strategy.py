"""A strategy, loaded: what it is called, where it comes from, and how it is asked."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError
from strategies.plain import place_of, run_files
from strategies.race import RaceTable, read_race
from strategies.solved import Solved, read_solved
from strategies.solved_game import SolvedGame
from strategies.source import FUNCTIONS, Number
from strategies.state import state_text
from strategies.table import Table, TableStrategy, read_table

if TYPE_CHECKING:
    from simulate.napalm.view import View as NapalmView
    from simulate.noddy.view import Option
    from simulate.noddy.view import View as NoddyView


class StrategyError(InputError):
    """What a strategy did wrong, as one line.

    Attributes
    ----------
    problem : str
        What it answered or raised, and what it should.
    place : str or None
        ``file:line``, where known.
    state : str or None
        The state it was asked in.
    """

    def __init__(
        self, spec: str, problem: str, place: str | None = None, state: str | None = None
    ) -> None:
        self.spec, self.problem, self.place, self.state = spec, problem, place, state
        at = f", at {place}" if place else ""
        asked = f", in state: {state}" if state else ""
        super().__init__(f"strategy {spec!r} {problem}{at}{asked}")

    def __reduce__(self) -> tuple[type, tuple[str, str, str | None, str | None]]:
        return StrategyError, (self.spec, self.problem, self.place, self.state)


@dataclass(frozen=True)
class Strategy:
    """A strategy with its parameters. It carries its sources: it can be sent to another machine.

    Attributes
    ----------
    spec : str
        Its canonical name: name or path, and the parameters that differ from their defaults.
    name : str
        Its short name.
    game : str
        ``"napalm"`` or ``"noddy"``.
    path : Path
        The file it was read from.
    kind : str
        ``"py"``, ``"toml"`` or ``"npz"``.
    about : str
        Its docstring.
    params : dict of str to number
        Every parameter and its value, in the order of the signature.
    source_hash : str
        SHA-256 of its file and of the modules it imports from its own folder.
    sources : dict of str to str
        Those texts by file name, each after those that it imports; an `.npz` file in base 64.
    package : str or None
        The package its folder is, where it is one.
    """

    spec: str
    name: str
    game: str
    path: Path
    kind: str
    about: str
    params: dict[str, Number]
    source_hash: str
    sources: dict[str, str]
    package: str | None = None

    @property
    def function_name(self) -> str:
        """The name of the function that a strategy of this game defines."""
        return FUNCTIONS[self.game]

    @cached_property
    def function(self) -> Callable[..., Any] | None:
        """The plain Python function; None for a table. Its file is run when first asked for.

        Raises
        ------
        StrategyError
            When the file raises.
        """
        if self.kind != "py":
            return None
        folder = self.path.parent
        try:
            module = run_files(folder, self.sources, self.source_hash, self.package)
        except (Exception, SystemExit) as error:
            raise StrategyError(self.spec, raised(error), place_of(error, self.files)) from error
        function: Callable[..., Any] = getattr(module, self.function_name)
        return function

    @property
    def place(self) -> str:
        """Where its function stands, as ``file:line``."""
        if self.function is None:
            return str(self.path)
        return f"{self.path}:{self.function.__code__.co_firstlineno}"

    @property
    def built_in(self) -> bool:
        """Whether it came with the package."""
        return self.path.is_relative_to(Path(__file__).parent)

    @property
    def files(self) -> list[Path]:
        """The files it consists of."""
        return [self.path.parent / name for name in self.sources]

    @cached_property
    def _tables(self) -> dict[int, TableStrategy]:
        return {}

    @cached_property
    def rules(self) -> Table:
        """The rules of a `.toml` strategy."""
        return read_table(self.path, self.sources[self.path.name])

    @cached_property
    def solved(self) -> Solved | SolvedGame:
        """The table of an `.npz` strategy."""
        return read_solved(self.path, b64decode(self.sources[self.path.name]))

    @cached_property
    def race(self) -> RaceTable:
        """The table of an `.npz` strategy for Noddy."""
        return read_race(self.path, b64decode(self.sources[self.path.name]))

    @property
    def players(self) -> int | None:
        """The number of players it is for, where it is for one only."""
        return self.solved.n if self.kind == "npz" and self.game == "napalm" else None

    def table(self, n: int) -> TableStrategy:
        """Return the arrays of a `.toml` strategy at a table of `n` players.

        Returns
        -------
        TableStrategy
            ``cut``, ``above``, ``below``, each of shape (stage, turn, position, heard): the
            probability of Yes is `above` where the strength is at least `cut`, else `below`.
        """
        if n not in self._tables:
            self._tables[n] = self.rules.arrays(n, self.params)
        return self._tables[n]

    def answer(self, view: NapalmView | NoddyView, option: Option | None = None) -> float:
        """Ask the strategy in plain Python.

        Parameters
        ----------
        view : View
            What its player sees.
        option : Option, optional
            In Noddy, the option to value.

        Returns
        -------
        float
            Napalm: the probability of Yes. Noddy: how good the option is.

        Raises
        ------
        StrategyError
            When it raises, or answers anything that is no such number.
        """
        if self.kind == "npz" and option is not None:
            return self.race.worth(view, option)  # type: ignore[arg-type]  # only Noddy
        if self.kind == "npz":
            if view.n != self.players:
                raise StrategyError(self.spec, f"is for {self.players} players, not for {view.n}")
            return self.solved.probability(view)  # type: ignore[arg-type]  # only Napalm
        if self.function is None:
            return self.table(view.n).probability(view)  # type: ignore[arg-type]  # only Napalm
        given = (view,) if option is None else (view, option)
        try:
            value = self.function(*given, *self.params.values())
        except (Exception, SystemExit) as error:  # whatever it raises is told with its state
            place = place_of(error, self.files)
            state = state_text(view, option)
            raise StrategyError(self.spec, raised(error), place, state) from error
        wrong = fault(self.game, value)
        if wrong is not None:
            raise StrategyError(self.spec, wrong, self.place, state_text(view, option))
        return float(value)

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what is made anew on the other side: a function cannot be sent."""
        made = ("function", "_tables", "rules", "solved", "race")
        return {name: value for name, value in vars(self).items() if name not in made}


def raised(error: BaseException) -> str:
    """Say in one line what was raised."""
    message = " ".join(str(error).split())
    return f"raised {type(error).__name__}{': ' if message else ''}{message}"


def fault(game: str, value: object) -> str | None:
    """Say what is wrong with an answer, or None when it is a good one.

    A Noddy value may be infinite (``-inf`` for "never"), a probability must lie in [0, 1].
    """
    wanted = "a probability from 0 to 1" if game == "napalm" else "a number"
    if value is None:
        return f"answered nothing (None): it must return {wanted} on every path"
    if not isinstance(value, Real):
        return f"answered {value!r:.60}, a {type(value).__name__}: it must return {wanted}"
    try:
        number = float(value)
    except OverflowError:
        return f"answered a number too large for a float: it must return {wanted}"
    if math.isnan(number):
        return f"answered NaN (not a number): it must return {wanted}"
    if game == "napalm" and not 0.0 <= number <= 1.0:
        return f"answered {value!r}: it must return {wanted}"
    return None
