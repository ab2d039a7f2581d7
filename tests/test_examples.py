"""The examples of the guide, at a size that a test has time for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import simulate
from strategies import load

FOLDER = Path(__file__).parent.parent / "docs" / "examples"


@pytest.fixture
def example(monkeypatch):
    """Load an example as a module."""

    def module_of(name):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return module_of


def test_what_is_learned_at_the_table_beats_those_who_speak_by_lot(
    example, tmp_path, monkeypatch, capsys
):
    file = tmp_path / "learned.toml"
    monkeypatch.setattr(sys, "argv", ["learn_napalm.py", str(file), "--games", "400"])
    example("learn_napalm").main()
    strategy = load(file, "napalm")
    assert strategy.kind == "toml"
    assert "400 games" in strategy.about
    found = simulate.compare(
        "napalm",
        strategy,
        "random",
        field=["random"],
        players=4,
        games=20_000,
        out=tmp_path / "results",
    )
    assert found.difference.low > 0, "surely better"
