"""The results of a run as tables, with names in place of numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from simulate import arrow
from simulate.errors import InputError, unknown
from simulate.store import DamagedFile, Folder, open_folder, read

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def rows_table(
    columns: Mapping[str, NDArray[Any]],
    strategies: Sequence[str],
    names: Mapping[str, Sequence[str]] | None = None,
) -> pa.Table:
    """Make a table of rows, with names in place of numbers.

    Parameters
    ----------
    columns : mapping of str to ndarray
        The columns; ``slot_<seat>`` becomes ``strategy_<seat>``.
    strategies : sequence of str
        The spec of each slot.
    names : mapping of str to sequence of str, optional
        What the numbers of other columns stand for.
    """
    names = names or {}
    specs = list(dict.fromkeys(strategies))
    places = np.array([specs.index(spec) for spec in strategies], np.int8)
    found: dict[str, NDArray[Any] | pa.Array] = {}
    for name, values in columns.items():
        if name.startswith("slot_"):
            found[f"strategy_{name[5:]}"] = arrow.named(places[values], specs)
        elif name in names:
            found[name] = arrow.named(values, names[name])
        else:
            found[name] = values
    return arrow.table(found)


class Results:
    """What is kept of a run: its configuration and its tables, with names in place of numbers.

    Every table is an attribute, a DataFrame read when it is first asked for: ``results.decisions``.

    Attributes
    ----------
    path : Path
        The folder of the run.
    config : dict
        The resolved configuration.
    tables : tuple of str
        The names of the tables: those of the summary, then the one of rows, if any.
    games_played : int
        Games in the parts that are done.
    complete : bool
        Whether all parts are done.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.path = folder.path
        self.config = folder.config
        self.tables = (*folder.summary, *folder.rows)
        self.parts = [
            part
            for part in folder.parts
            if all(folder.file(table, part).exists() for table in self.tables)
        ]
        self.games_played = sum(stop - start for start, stop in map(folder.games_of, self.parts))
        self.complete = len(self.parts) == len(folder.begun) > 0
        self._frames: dict[str, pd.DataFrame] = {}

    def arrow(self, table: str) -> pa.Table:
        """Return a table as pyarrow has it: of the summary added up, of rows in the order of games.

        Raises
        ------
        InputError
            When there is no such table, or a file of it is damaged.
        """
        if table not in self.tables:
            raise unknown("table", table, self.tables)
        if not self.parts:
            raise InputError(f"{self.path}: no part of this run is done yet")
        parts = (self._read(table, part) for part in self.parts)
        if table in self.folder.summary:
            return arrow.with_dictionaries(arrow.add_up(parts))
        return pa.concat_tables(parts).unify_dictionaries()

    def _read(self, table: str, part: int) -> pa.Table:
        try:
            return read(self.folder, table, part)
        except DamagedFile as error:
            file = self.folder.file(table, part)
            raise InputError(
                f"{file} is damaged ({error}): the run that made it, started again, mends it"
            ) from None

    def table(self, table: str) -> pd.DataFrame:
        """Return a table as a DataFrame."""
        if table not in self._frames:
            self._frames[table] = self.arrow(table).to_pandas()
        return self._frames[table]

    def __getattr__(self, name: str) -> pd.DataFrame:
        tables = self.__dict__.get("tables", ())
        if name in tables:
            return self.table(name)
        raise AttributeError(f"results have no {name!r}; their tables are {', '.join(tables)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"{self.games_played:,} games so far"
        return f"<Results {self.path} ({state}): {', '.join(self.tables)}>"

    @cached_property
    def signature(self) -> str:
        """SHA-256 of the content of all tables, whatever wrote the files and however it was cut."""
        digest = hashlib.sha256()
        for name in self.tables:
            table = arrow.without_dictionaries(self.arrow(name))
            if name in self.folder.summary:  # rows that a part lacks come later where it is first
                keys = [key for key in table.column_names if key not in arrow.sums(table)]
                table = table.sort_by([(key, "ascending") for key in keys]) if keys else table
            for column in table.column_names:
                digest.update(f"{name}.{column} {table[column].type}".encode())
                if pa.types.is_integer(table[column].type):
                    digest.update(table[column].to_numpy().astype("<i8").tobytes())
                else:
                    digest.update(json.dumps(table[column].to_pylist()).encode())
        return digest.hexdigest()


def load(path: str | Path) -> Results:
    """Open the results of a run.

    Parameters
    ----------
    path : str or Path
        The folder of the run.

    Returns
    -------
    Results
        Its tables as DataFrames.

    Raises
    ------
    InputError
        When there is no run, or its ``run.json`` is damaged or of another schema.
    """
    return Results(open_folder(path))
