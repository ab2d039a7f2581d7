"""What a stage brings, settled on all lanes at once, against one game after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from napalm_games import random_rules
from sizes import size
from table_programs import go_on, settle

from simulate.napalm.reference import Money
from simulate.napalm.rules import kernel_rules, make_rules
from simulate.napalm.settlement import (
    BEST_OF_ALL,
    LONE,
    LOST,
    OUTCOMES,
    SAID_NO,
    SAID_NO_BEST,
    TIED,
    WON,
)
from simulate.napalm.table import empty_table

LANES = size(256, 64)


def random_table(n, stage, dice):
    """A table in the midst of games: few different hands, so that many tie."""
    table = empty_table(n)
    table.pot[:] = dice.integers(0, 20, table.pot.shape)
    table.said[:] = dice.integers(0, 1 << n, table.said.shape)
    table.said[:, ::5] = 0
    table.said[:, 1::5] = 1 << dice.integers(0, n)
    table.value[:] = dice.integers(1, 4, table.value.shape)
    table.value[:, 2::5] = dice.permuted(np.arange(1, 3 * n + 1)[:, None], axis=0)
    table.collected[:] = dice.integers(0, 5, table.collected.shape)
    table.net[:] = dice.integers(-9, 9, table.net.shape)
    table.live[:] = 1
    return table


def outcome_of(position, yes, values):
    """Name how a stage came out, from what the names mean."""
    best_of_all = values[position] == max(values)
    if position not in yes:
        return SAID_NO + best_of_all
    best = [other for other in yes if values[other] == max(values[each] for each in yes)]
    if len(yes) == 1:
        found = LONE
    elif position not in best:
        found = LOST
    else:
        found = WON if len(best) == 1 else TIED
    return found + BEST_OF_ALL * best_of_all


def check_lane(table, before, lane, stage, step, n, rules):
    """Settle one lane in plain Python; its positions are its seats."""
    rows = [(position + step) % n for position in range(n)]
    money = Money(
        collected=before.collected[rows, lane].tolist(),
        net=before.net[rows, lane].tolist(),
        pot=int(before.pot[0, lane]),
    )
    yes = [position for position in range(n) if before.said[stage, lane] >> position & 1]
    values = before.value[stage * n : (stage + 1) * n, lane].tolist()
    net = list(money.net)
    money.settle(rules, stage + 1, yes, values)
    assert table.collected[rows, lane].tolist() == money.collected
    assert table.net[rows, lane].tolist() == money.net
    assert table.pot[0, lane] == money.pot
    change = [now - then for now, then in zip(money.net, net, strict=True)]
    assert table.change[:n, lane].tolist() == change
    outcomes = [outcome_of(position, yes, values) for position in range(n)]
    assert table.outcome[:n, lane].tolist() == outcomes
    assert table.over[0, lane] == (max(money.collected) >= rules.target)


def test_outcomes_are_numbered_without_gaps():
    yes = [LONE, WON, TIED, LOST]
    assert [SAID_NO, SAID_NO_BEST, *yes] == list(range(OUTCOMES - len(yes)))
    assert [outcome + BEST_OF_ALL for outcome in yes] == list(range(OUTCOMES))[-len(yes) :]


def copy_of(table):
    return type(table)(*(array.copy() for array in table))


@settings(max_examples=size(60, 12))
@given(random_rules, st.integers(4, 7), st.integers(0, 2), st.data(), st.integers(0, 2**32))
def test_any_stage_under_any_rules_is_settled_as_in_plain_python(rules, n, stage, data, seed):
    step = data.draw(st.integers(0, n - 1))
    table = random_table(n, stage, np.random.default_rng(seed))
    before = copy_of(table)
    settle(table, stage, step, n, kernel_rules(rules), LANES)
    for lane in range(LANES):
        check_lane(table, before, lane, stage, step, n, rules)
    for name in ("said", "value", "live"):
        assert np.array_equal(getattr(table, name), getattr(before, name))
    assert np.array_equal(table.pot[:, LANES:], before.pot[:, LANES:])


@pytest.mark.parametrize("preset", ["stakes", "tokens"])
@pytest.mark.parametrize("tie", ["split", "nothing"])
@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_every_choice_of_declarers_is_settled(preset, tie, n):
    """All hands alike, all different, and two by two, whoever says Yes."""
    rules = make_rules(preset, {"tie": tie, "stage3.lone_award": 2})
    for values in (np.full(n, 7), np.arange(n) + 1, np.arange(n) // 2 + 1):
        table = random_table(n, 2, np.random.default_rng(n))
        lanes = 1 << n
        table.said[2, :lanes] = np.arange(lanes)
        table.value[2 * n :] = values[:, None]
        before = copy_of(table)
        settle(table, 2, 1, n, kernel_rules(rules), lanes)
        for lane in range(size(0, 1), lanes, size(1, 3)):  # some with a single Yes
            check_lane(table, before, lane, 2, 1, n, rules)


@pytest.mark.parametrize("preset", ["stakes", "tokens"])
def test_most_may_tie_in_every_lane_at_once(preset):
    table = random_table(5, 1, np.random.default_rng(5))
    table.said[1], table.value[5:10], table.value[8] = 31, 7, 1
    before = copy_of(table)
    rules = make_rules(preset)
    settle(table, 1, 2, 5, kernel_rules(rules), LANES)
    for lane in range(0, LANES, 9):
        check_lane(table, before, lane, 1, 2, 5, rules)


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("stage", [0, 1])
def test_deals_go_on_where_nobody_has_won_and_nobodys_yes_ends_them(stage, ends):
    rules = make_rules("stakes", {f"stage{stage + 1}.ends_on_yes": ends})
    table = random_table(4, stage, np.random.default_rng(stage))
    dice = np.random.default_rng(ends)
    table.live[0] = dice.random(table.live.shape[1]) < 0.8
    table.over[0] = dice.random(table.live.shape[1]) < 0.3
    live = (table.live[0] == 1) & (table.over[0] == 0)
    if ends:
        live &= table.said[stage] == 0
    before = table.live.copy()
    playing = go_on(table, stage, kernel_rules(rules), LANES)
    assert playing == live[:LANES].sum()
    assert np.array_equal(table.live[0, :LANES], live[:LANES])
    assert np.array_equal(table.live[0, LANES:], before[0, LANES:])
