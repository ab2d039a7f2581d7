"""The benchmarks: that each runs and says what it measured, never how long anything takes."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sizes import COMPILED

from benchmarks import compare, install, profile_napalm, publish
from benchmarks.__main__ import ORDER, main
from benchmarks.bench_evaluators import check_order, random_hands
from benchmarks.evaluators import RIVALS, Rival, order_of, second_opinion
from benchmarks.measure import TINY, Case, in_turns, measure
from benchmarks.row import Row, Target
from benchmarks.table import cells, number, section
from benchmarks.whole_deal import whole_deals
from simulate.napalm.ranking import hand_class
from simulate.napalm.table import LANES, empty_table
from simulate.rng import deal_deck, fold_seed

FOLDER = Path(compare.__file__).parent
RATE = Row("deals", "deals/s", samples=(100.0, 102.0, 98.0), reference=(10.0, 10.0, 10.0))


def test_every_benchmark_takes_its_turn():
    assert sorted(ORDER) == sorted(path.stem[6:] for path in FOLDER.glob("bench_*.py"))


@pytest.mark.parametrize("name", ORDER)
def test_a_benchmark_runs(name):
    module = import_module(f"benchmarks.bench_{name}")
    rows = module.run(TINY)
    assert rows
    for row in rows:
        assert row.samples or row.note.startswith("not installed")
        assert all(math.isfinite(sample) for sample in row.samples + row.ratios)
        assert Row.from_dict(json.loads(json.dumps(row.to_dict()))) == row
    text = section({"title": module.TITLE, "rows": [row.to_dict() for row in rows]})
    assert text.count("\n| ") == len(rows) + 2


def test_the_command_line_keeps_what_it_prints(tmp_path, capsys):
    file = tmp_path / "deep" / "bench.json"
    assert main(["players", "--effort", "tiny", "--out", str(file)]) == 0
    table = next(line for line in capsys.readouterr().out.splitlines() if "7 players" in line)
    kept = json.loads(file.read_text())
    assert [benchmark["name"] for benchmark in kept["benchmarks"]] == ["players"]
    assert kept["versions"]["numpy"] == np.__version__
    assert main(["--show", str(file)]) == 0
    assert table in capsys.readouterr().out


def test_cases_take_turns_and_go_back():
    calls = []

    def work(name):
        def do(count):
            calls.append(name)
            return count

        return do

    rates = in_turns([work("a"), work("b")], TINY._replace(rounds=3, seconds=0.0))
    assert [len(each) for each in rates] == [3, 3]
    assert "".join(calls[-6:]) == "abbaab"


def test_ratios_are_to_the_case_named():
    cases = [Case("a", "x", lambda _: 10), Case("b", "x", lambda _: 20)]
    rows = measure(cases, TINY._replace(seconds=0.0), against="a")
    assert rows[0].ratio == 1.0
    assert rows[1].unit == "x/s"


@pytest.mark.parametrize(
    ("row", "reached"),
    [
        (replace(RATE, target=Target(100.0)), True),
        (replace(RATE, target=Target(101.0)), False),
        (replace(RATE, target=Target(2.0, of="ratio"), ratios=(1.0, 2.0, 3.0)), True),
        (replace(RATE, target=Target(2.1, of="ratio"), ratios=(1.0, 2.0, 3.0)), False),
        (Row("memory", "MB", (400.0,), target=Target(400.0, most=True)), True),
        (Row("memory", "MB", (401.0,), target=Target(400.0, most=True)), False),
        (Row("absent", "MB", target=Target(400.0, most=True)), None),
        (RATE, None),
    ],
)
def test_targets(row, reached):
    assert row.reached is reached


def test_what_is_compared_is_free_of_the_machine():
    assert RATE.scaled == (10.0, 10.2, 9.8)
    seconds = Row("start", "s", samples=(4.0,), cpu=(2.0,), reference=(10.0,))
    assert seconds.scaled == (20.0,)
    assert Row("memory", "MB", samples=(300.0,)).scaled == (300.0,)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00123, "0.0012"), (1.0, "1.00"), (12.34, "12.3"), (999.4, "999"), (999.6, "1.00 k"),
     (30e6, "30.0 M"), (6.08e8, "608 M"), (2e9, "2.00 G")],
)  # fmt: skip
def test_numbers_have_three_figures(value, text):
    assert number(value) == text


def test_an_absent_rival_is_a_row_that_says_so():
    assert cells(Row("eval7", "hands/s", note="not installed: why"))[-1] == "not installed: why"


# What is measured is what it says.


def test_whole_deals_find_the_winners():
    key, n, blocks = fold_seed(1), 4, 1
    wins = np.zeros((3, n), np.int64)
    whole_deals(key, 0, blocks, n, 1, empty_table(n), wins)
    expected = np.zeros((3, n), np.int64)
    deck = np.zeros(7 * n, np.int64)
    for game in range(blocks * LANES):
        deal_deck(key, game, 0, deck)
        for stage, cards in enumerate((2, 5, 7)):
            hands = [deck[position : cards * n : n].tolist() for position in range(n)]
            classes = [hand_class(stage + 1, hand, wheel=stage == 2) for hand in hands]
            best = min(classes) if stage == 1 else max(classes)
            expected[stage] += np.array(classes) == best
    assert wins.tolist() == expected.tolist()


def test_order_is_compared_not_values():
    assert order_of([30, 10, 30, 20], higher=True) == [2, 0, 2, 1]
    assert order_of([1, 3, 1, 2], higher=False) == [2, 0, 2, 1]


def test_a_rival_that_ranks_otherwise_is_refused():
    hands = random_hands(64)
    check_order("ours", second_opinion(), hands)
    wrong = Rival(list, lambda hand: max(card >> 2 for card in hand), higher=True)
    with pytest.raises(RuntimeError, match="the highest card orders 64 hands otherwise"):
        check_order("the highest card", wrong, hands)


def test_rivals_are_what_is_installed():
    names = [requirement.partition(">=")[0] for requirement in install.requirements()]
    assert set(RIVALS) - {"our plain Python"} <= set(names)


# Two runs beside each other.


def result(*rows):
    return {"benchmarks": [{"name": "b", "rows": [row.to_dict() for row in rows]}]}


def test_what_moved_is_marked():
    slower_machine = replace(RATE, samples=(50.0, 51.0, 49.0), reference=(5.0, 5.0, 5.0))
    [[same], _] = compare.compare(result(RATE), result(slower_machine))
    assert (same.change, same.mark) == (0.0, "")
    faster = replace(RATE, samples=(112.0, 113.0, 111.0))
    [[better], _] = compare.compare(result(RATE), result(faster))
    assert better.change == pytest.approx(0.12)
    assert better.mark == "better"
    [[worse], _] = compare.compare(result(faster), result(replace(RATE, samples=(50.0,) * 3)))
    assert worse.mark == "WORSE!"


def test_less_is_better_of_seconds():
    before, after = (Row("start", "s", samples=(s,), reference=(10.0,)) for s in (2.0, 1.0))
    [[row], _] = compare.compare(result(before), result(after))
    assert row.change == 0.5
    assert row.mark == "better!"


def test_noise_is_not_marked():
    noisy = replace(RATE, samples=(60.0, 100.0, 150.0))
    [[row], _] = compare.compare(result(RATE), result(replace(noisy, samples=(80.0, 110.0, 150.0))))
    assert row.noise > 0.1
    assert row.mark == ""


def test_rows_that_one_run_has_are_named(tmp_path, capsys):
    other = replace(RATE, name="games")
    files = [tmp_path / "old.json", tmp_path / "new.json"]
    for file, row in zip(files, (RATE, other), strict=True):
        file.write_text(json.dumps(result(RATE, row)))
    assert compare.main([str(file) for file in files]) == 0
    out = capsys.readouterr().out
    assert "only in NEW: b: games" in out
    assert "0 of 1 rows better" in out


@pytest.mark.parametrize("page", publish.PAGES, ids=lambda page: page.name)
def test_the_guide_says_what_was_measured(page):
    measured = json.loads(publish.MEASURED.read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    assert "<!-- bench:end -->" in text
    assert publish.replaced(text, measured) == text


def test_the_profile_times_every_part(capsys):
    effort = TINY if COMPILED else TINY._replace(seconds=0.0)
    assert profile_napalm.main([], effort) == 0
    out = capsys.readouterr().out
    for part in ("deal_places", "rank_sevens", "settle", "tally_stage", "leave"):
        assert f"| {part} " in out
