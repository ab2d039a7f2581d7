"""The description of a run's folder, held against runs of every detail."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import simulate
from simulate.config import DETAILS
from simulate.store import MANIFEST

TEXT = (Path(__file__).parent.parent / "docs" / "results.md").read_text(encoding="utf-8")
LINE_UP = {"napalm": ["tight*4"], "noddy": ["first*2"]}
CASES = [(game, detail) for game, details in DETAILS.items() for detail in details]


def documented(game: str, table: str) -> set[str]:
    """The words in code of the first column of the table's section."""
    part = TEXT.split(f"\n# {game.capitalize()}\n")[1].split("\n# ")[0]
    (section,) = (
        piece
        for piece in re.split(r"^## ", part, flags=re.MULTILINE)[1:]
        if re.search(rf"\b{table}\b", piece.splitlines()[0])
    )
    first = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`(?:\w+\.)?(\w+)`", " ".join(first)))


@pytest.mark.parametrize(("game", "detail"), CASES)
def test_every_column_is_described(tmp_path, game, detail):
    results = simulate.run(
        game, games=300, strategies=LINE_UP[game], detail=detail, out=tmp_path, threads=1
    )
    assert len(set(results.tables)) == len(results.tables)
    assert results.tables[-1] == ("totals" if detail == "summary" else detail)
    for table in results.tables:
        columns = {re.sub(r"_[1-6]$", "_0", name) for name in results.table(table).columns}
        columns -= {"said_0", "won_0"}  # of which the description names all three
        assert columns <= documented(game, table), table
    manifest = json.loads((results.path / MANIFEST).read_text())
    for field in [*manifest, *manifest["config"]]:
        assert f"`{field}`" in TEXT.split("## run.json")[1].split("## Reading")[0]


@pytest.mark.parametrize("game", DETAILS)
def test_the_summary_is_the_same_at_every_detail(tmp_path, game):
    played = [
        simulate.run(game, games=300, strategies=LINE_UP[game], detail=detail, out=tmp_path)
        for detail in DETAILS[game]
    ]
    for results in played[1:]:
        for table in results.folder.summary:
            assert results.table(table).equals(played[0].table(table)), table
