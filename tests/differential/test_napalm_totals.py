"""Totals and rows of Napalm: what plain Python counts in the records, for any slices."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from napalm_games import line_ups, prepare, random_rules, seeds
from napalm_tables import deal_rows, decisions, game_row, lengths, results
from sizes import size

from simulate.napalm import batch
from simulate.napalm.rules import PRESETS, make_rules
from simulate.napalm.table import LANES

EVERY_KIND = ["everything", "soft", "sharp", "everything", "sure", "soft", "leaning"]
SUMS = ("count", "best", "lone", "won", "tied", "lost", "net")


def rows_of(columns):
    """Turn columns into rows of plain numbers."""
    lists = [np.asarray(column).tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def check_tables(job, start, stop):
    records = batch.record(job, start, stop)
    tables = {
        name: table.to_pylist()
        for name, table in batch.tables(
            job.rules, job.line_up, batch.play(job, start, stop).totals
        ).items()
    }
    found = {}
    for row in tables["decisions"]:
        *key, yes = (row[name] for name in ("strategy", "stage", "turn", "position", "heard"))
        key = (*key, yes, row["bucket"], row["yes"])
        assert key not in found
        found[key] = {name: row[name] for name in SUMS}
    right = decisions(job, records, start)
    assert found == {key: {name: row[name] for name in SUMS} for key, row in right.items()}

    right = results(job, records, start)
    for row in tables["results"]:
        sums = right[row["strategy"], row["seat"]]
        assert row["seats"] == sum(s.spec == row["strategy"] for s in job.line_up)
        names = ("games", "won", "net", "net_sq")
        assert {name: row[name] for name in names} == {name: sums[name] for name in names}
    assert len(tables["results"]) == (job.n + 1) * len(job.strategies)

    assert {row["deals"]: row["games"] for row in tables["lengths"]} == lengths(records)
    assert tables["totals"] == [
        {
            "games": len(records),
            "truncated": sum(record["winner"] is None for record in records),
            "deals": sum(len(record["deals"]) for record in records),
        }
    ]


def check_rows(job, start, stop):
    records = dict(enumerate(batch.record(job, start, stop), start=start))
    rows = rows_of(batch.play(job, start, stop, "games").rows)
    assert rows == [game_row(job, game, record) for game, record in records.items()]
    rows = rows_of(batch.play(job, start, stop, "deals").rows)
    assert rows == [row for game, record in records.items() for row in deal_rows(job, game, record)]


@settings(max_examples=size(12, 3))
@given(random_rules, line_ups, seeds, st.sampled_from([0, 2**40 + 1]), st.booleans())
def test_random_rules_players_and_seeds(rules, names, seed, start, fixed):
    job = prepare(rules, names, seed, fixed)
    check_tables(job, start, start + size(20, 3))
    check_rows(job, start, start + size(20, 3))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_the_presets(preset, n):
    job = prepare(make_rules(preset), EVERY_KIND[:n], 1)
    check_tables(job, 0, size(30, 5))
    check_rows(job, 0, size(30, 5))


def test_tables_of_games_with_many_challenges():
    rules = make_rules("tokens", {"max_deals": 8})
    for names in (["positional", "soft", "soft", "soft"], ["leaning:cut=0.9,heard=0"] * 4):
        check_tables(prepare(rules, names, 4), 0, size(60, 5))


def test_games_longer_than_the_totals_tell_apart():
    rules = make_rules(overrides={"max_deals": size(1_030, 20), "stage2.ends_on_yes": True})
    check_tables(prepare(rules, ["threshold:above=0"] * 4, 8), 0, 2)


# --- Slices ------------------------------------------------------------------------------------

GAMES = size(2 * LANES + 300, 12)


@pytest.fixture(scope="module", params=PRESETS)
def whole(request):
    """A job, and its games in one go."""
    job = prepare(make_rules(request.param, {"max_deals": 30}), EVERY_KIND[:5], 2)
    return job, {detail: batch.play(job, 0, GAMES, detail) for detail in ("games", "deals")}


@settings(max_examples=size(10, 2))
@given(
    cuts=st.sets(st.integers(1, GAMES - 1), max_size=6), detail=st.sampled_from(["games", "deals"])
)
def test_any_slices_give_the_same_totals_and_rows(whole, cuts, detail):
    job, right = whole
    borders = [0, *sorted(cuts), GAMES]
    parts = [batch.play(job, start, stop, detail) for start, stop in pairwise(borders)]
    for name, total in right[detail].totals.items():
        assert np.array_equal(sum(part.totals[name] for part in parts), total), name
    for name, column in right[detail].rows.items():
        assert np.array_equal(np.concatenate([part.rows[name] for part in parts]), column), name


def test_the_totals_are_the_same_in_every_detail(whole):
    job, right = whole
    summary = batch.play(job, 0, GAMES)
    assert summary.rows == {}
    for other in right.values():
        for name, total in summary.totals.items():
            assert np.array_equal(other.totals[name], total), name


def test_slices_may_be_played_by_several_threads_at_once(whole):
    job, right = whole
    borders = list(pairwise([*range(0, GAMES, size(150, 3)), GAMES]))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda ends: batch.play(job, *ends, "deals"), borders))
    for name, total in right["deals"].totals.items():
        assert np.array_equal(sum(part.totals[name] for part in parts), total), name
    for name, column in right["deals"].rows.items():
        assert np.array_equal(np.concatenate([part.rows[name] for part in parts]), column), name


def test_games_are_the_same_one_by_one_and_in_bulk(whole):
    job, _ = whole
    together = batch.record(job, 0, GAMES)
    for game in range(0, GAMES, size(31, 3)):
        assert batch.record(job, game, game + 1) == [together[game]]


# --- Money -------------------------------------------------------------------------------------


@settings(max_examples=size(25, 3))
@given(random_rules, line_ups, seeds)
def test_money_is_neither_made_nor_lost(rules, names, seed):
    """Net results add up to zero, in a truncated game with the pot (N17, N18)."""
    job = prepare(rules, names, seed)
    games = size(1_000, 4)
    rows = batch.play(job, 0, games, "games").rows
    net = sum(rows[f"net_{seat}"] for seat in range(job.n))
    truncated = rows["winner"] == -1
    assert np.array_equal(net, np.where(truncated, -rows["prize"], 0))
    assert (rows["prize"] >= 0).all()
    deals = batch.play(job, 0, games, "deals").rows
    for seat in range(job.n):
        by_game = np.zeros(games, np.int64)
        np.add.at(by_game, deals["game"], deals[f"net_{seat}"])
        assert np.array_equal(by_game, rows[f"net_{seat}"])
