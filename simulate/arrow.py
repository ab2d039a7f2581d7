"""Tables of Arrow, made and added up without pandas, which pyarrow's own ways import.

Importing pandas takes a third of a second and 50 MB, which a run that only counts can do without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

ENOUGH_ROWS = 1 << 20  # of summaries, before they are added up
ADDING = (pa.int64(), pa.float64())  # types of columns that add up


def column(values: Sequence[Any] | NDArray[Any]) -> pa.Array:
    """Make a column of numbers, truth values or texts; numbers are not copied."""
    array = np.ascontiguousarray(values)
    if array.dtype.kind in "iuf":
        kind, buffers = pa.from_numpy_dtype(array.dtype), [pa.py_buffer(array)]
    elif array.dtype.kind == "b":
        kind, buffers = pa.bool_(), [pa.py_buffer(np.packbits(array, bitorder="little"))]
    else:
        texts = [str(text).encode() for text in values]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
        kind, buffers = pa.string(), [pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(kind, len(array), [None, *buffers])


def numbers(column: pa.Array) -> NDArray[Any]:
    """Return the numbers of a column, uncopied."""
    found = np.frombuffer(column.buffers()[1] or b"", column.type.to_pandas_dtype())
    return found[column.offset : column.offset + len(column)]


def named(places: NDArray[np.integer[Any]], names: Sequence[str]) -> pa.Array:
    """Make a column of names from their places in a list, which is kept once."""
    return pa.DictionaryArray.from_arrays(column(places), column(names))


def table(columns: Mapping[str, Sequence[Any] | NDArray[Any] | pa.Array]) -> pa.Table:
    """Make a table of columns."""
    arrays = [c if isinstance(c, pa.Array) else column(c) for c in columns.values()]
    return pa.Table.from_arrays(arrays, names=list(columns))


def without_dictionaries(table: pa.Table) -> pa.Table:
    """Write the names in full."""
    columns = [
        each.cast(each.type.value_type) if pa.types.is_dictionary(each.type) else each
        for each in table.columns
    ]
    return pa.Table.from_arrays(columns, names=table.column_names)


def with_dictionaries(table: pa.Table) -> pa.Table:
    """Keep each text once, with its place in every row."""
    columns = [
        each.dictionary_encode() if pa.types.is_string(each.type) else each
        for each in table.columns
    ]
    return pa.Table.from_arrays(columns, names=table.column_names)


def sums(table: pa.Table) -> list[str]:
    """Return the columns of a summary that add up: those of int64 and float64."""
    return [field.name for field in table.schema if field.type in ADDING]


def add_up(tables: Iterable[pa.Table]) -> pa.Table:
    """Add summaries up: columns of `sums` are summed over rows that agree in all others."""
    waiting: list[pa.Table] = []
    for each in tables:
        waiting.append(without_dictionaries(each))
        if sum(len(one) for one in waiting) > ENOUGH_ROWS:
            waiting = [_added(waiting)]
    return _added(waiting)


def _added(tables: Sequence[pa.Table]) -> pa.Table:
    rows = pa.concat_tables(tables)
    numbers = sums(rows)
    return grouped(rows, [name for name in rows.column_names if name not in numbers])


def grouped(rows: pa.Table, keys: Sequence[str]) -> pa.Table:
    """Add up the columns of `sums` over the rows that agree in the keys, in order of appearance."""
    code = np.zeros(len(rows), np.int64)
    for name in keys:
        encoded = rows[name].combine_chunks()
        if not pa.types.is_dictionary(encoded.type):
            encoded = encoded.dictionary_encode()
        code = code * len(encoded.dictionary) + numbers(encoded.indices)
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    columns: dict[str, pa.Array] = {}
    adding = sums(rows)
    for name in rows.column_names:
        if name in keys:
            columns[name] = rows[name].combine_chunks().take(column(first[order]))
        elif name in adding:
            parts = numbers(rows[name].combine_chunks())
            total = np.zeros(len(order), parts.dtype)
            np.add.at(total, place[group], parts)
            columns[name] = column(total)
    return table(columns)
