"""Fixed small runs give what they always gave: the content of each is stored as its signature.

`signatures.txt` has a line for each run. Where results change on purpose, write it anew with
``python tests/test_signatures.py``, and name the change and the file's new mark in the changelog.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import simulate
from simulate import runner
from simulate.config import DETAILS, rules_module

FILE = Path(__file__).with_name("signatures.txt")
CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
SMALL, LARGE = 1, 2**200 + 7
LINE_UPS = {
    "napalm": ["tight", "bluffer:bluff=0.3", "positional", "listener", "challenger", "threshold"],
    "noddy": ["reckoner", "highest", "keeper"],
}
GAMES = 1_500
CASES = [
    (game, preset, detail, seed)
    for game in DETAILS
    for preset in rules_module(game).PRESETS
    for detail, seed in [
        *((detail, SMALL) for detail in DETAILS[game]),
        (DETAILS[game][-1], LARGE),
    ]
]


def name_of(game: str, preset: str, detail: str, seed: int) -> str:
    return f"{game} {preset} {detail} {'small' if seed == SMALL else 'large'}"


def play(out: Path | str, game: str, preset: str, detail: str, seed: int, threads: int = 1):
    return simulate.run(
        game,
        games=GAMES,
        seed=seed,
        strategies=LINE_UPS[game],
        rules=preset,
        detail=detail,
        threads=threads,
        out=out,
    )


def signature(*case: Any) -> str:
    with tempfile.TemporaryDirectory() as out:
        return play(out, *case).signature


def stored() -> dict[str, str]:
    return dict(line.rsplit(" ", 1) for line in FILE.read_text().splitlines())


def mark(text: str) -> str:
    """What the changelog calls the content of the file by."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(*case))
def test_a_fixed_run_gives_what_it_always_gave(case):
    assert set(stored()) == {name_of(*each) for each in CASES}
    assert signature(*case) == stored()[name_of(*case)], (
        "the results of a fixed run have changed: if that is meant, write tests/signatures.txt "
        "anew (python tests/test_signatures.py) and say in CHANGELOG.md what changed"
    )


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("slice_games", [11, 250])
@pytest.mark.parametrize("case", [CASES[2], CASES[-2]], ids=lambda case: name_of(*case))
def test_parts_slices_and_threads_leave_no_trace(tmp_path, monkeypatch, case, slice_games, threads):
    monkeypatch.setattr(runner, "PART_ROWS", 1_000)
    monkeypatch.setattr(runner, "PROBE", slice_games)
    monkeypatch.setattr(runner, "FIRST_SLICE", slice_games)
    monkeypatch.setattr(runner, "PART_SLICES", 1)
    monkeypatch.setattr(runner, "GROWTH", 1)
    results = play(tmp_path, *case, threads=threads)
    assert len(results.parts) > 2
    assert results.signature == stored()[name_of(*case)]


@pytest.mark.parametrize("game", DETAILS)
def test_the_summary_is_the_same_whatever_else_is_kept(tmp_path, game):
    preset = next(iter(rules_module(game).PRESETS))
    summary, *others = (play(tmp_path, game, preset, detail, LARGE) for detail in DETAILS[game])
    for other in others:
        for table in summary.tables:
            assert other.arrow(table).equals(summary.arrow(table)), (other.config["detail"], table)


def test_the_changelog_names_the_stored_signatures():
    assert f"`{mark(FILE.read_text())}`" in CHANGELOG.read_text(), (
        "tests/signatures.txt has changed: CHANGELOG.md must say which results changed, and name "
        f"the new mark, `{mark(FILE.read_text())}`"
    )


if __name__ == "__main__":
    lines = [f"{name_of(*case)} {signature(*case)}\n" for case in CASES]
    FILE.write_text("".join(lines))
    sys.stdout.write(f"to be named in CHANGELOG.md: `{mark(''.join(lines))}`\n")
