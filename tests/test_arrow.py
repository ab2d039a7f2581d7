"""Tables made and added up without pandas, against pandas."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate import arrow

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(-3, 3), st.integers(-(2**60), 2**60)),
    min_size=1,
    max_size=40,
)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "i4", "i8", "bool"])
def test_numbers_keep_their_type(kind):
    values = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1], kind)
    column = arrow.column(values)
    column.validate(full=True)
    assert column.equals(pa.array(values))
    assert arrow.column(values[::2]).equals(pa.array(values[::2]))
    if kind != "bool":
        assert arrow.numbers(column.slice(2, 5)).tolist() == values[2:7].tolist()


def test_texts_are_kept_as_they_are():
    texts = ["", "tight", "é", "влёт", "tight"]
    column = arrow.column(texts)
    column.validate(full=True)
    assert column.to_pylist() == texts
    assert arrow.named(np.array([2, 0], np.int8), texts).to_pylist() == ["é", ""]
    assert arrow.column([]).to_pylist() == []


def small(rows):
    names, numbers, sums = zip(*rows, strict=True)
    return arrow.table({"name": names, "number": np.array(numbers, np.int8), "sum": np.array(sums)})


@given(ROWS, ROWS)
def test_adding_up_agrees_with_pandas(first, second):
    total = arrow.add_up([small(first), arrow.with_dictionaries(small(second))]).to_pandas()
    rows = pd.DataFrame([*first, *second], columns=["name", "number", "sum"])
    expected = rows.groupby(["name", "number"], sort=False, as_index=False)["sum"].sum()
    assert total.to_numpy().tolist() == expected.to_numpy().tolist()


def test_a_table_of_sums_alone_becomes_one_row(monkeypatch):
    monkeypatch.setattr(arrow, "ENOUGH_ROWS", 3)
    table = arrow.table({"games": np.array([1, 2]), "won": np.array([3, 2**60])})
    assert arrow.add_up([table] * 5).to_pydict() == {"games": [15], "won": [5 * (2**60 + 3)]}


def test_grouping_keeps_the_keys_that_are_asked_for():
    grouped = arrow.grouped(small([("b", 1, 5), ("a", 1, 6), ("b", 2, 7)]), ["name"])
    assert grouped.to_pydict() == {"name": ["b", "a"], "sum": [12, 6]}


def test_a_run_and_its_table_need_no_pandas(tmp_path):
    code = f"""
import sys
from simulate.cli import main
code = main(["run", "napalm", "--players", "4", "--games", "600", "--out", {str(tmp_path)!r}])
code += main(["run", "noddy", "-s", "first*2", "--games", "600", "--out", {str(tmp_path)!r}])
sys.exit(code or "pandas" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
