"""Sums of squares and products, exact beyond 64 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from napalm_games import prepare
from sizes import size
from wide_programs import add_squares

from simulate.napalm import batch
from simulate.napalm.rules import make_rules
from simulate.paired import sums_of, sums_table, totals_of
from simulate.stats import mean_interval
from simulate.wide import DIGIT, DIGITS, PLAIN, number, product_digits

MOST = (1 << 47) - 1


def exact(digits):
    return sum(int(digit) << DIGIT * place for place, digit in enumerate(digits))


@given(
    st.lists(
        st.integers(-MOST, MOST) | st.sampled_from([0, PLAIN, -PLAIN, PLAIN - 1, MOST, -MOST]),
        max_size=60,
    )
)
def test_squares_add_up_exactly(numbers):
    sums = np.zeros(DIGITS + 2, np.int64)
    add_squares(np.array(numbers, np.int64), sums, 1)
    assert exact(sums[1:-1]) == sum(each * each for each in numbers)
    assert sums[0] == sums[-1] == 0
    assert number(sums[1:-1]) == float(sum(each * each for each in numbers))


def test_a_digit_has_room_for_two_thousand_million_games():
    sums = np.zeros(DIGITS, np.int64)
    add_squares(np.full(1, MOST), sums, 0)
    assert max(sums.tolist()) * 2**31 < 2**63


@given(st.integers(0, 2**32), st.sampled_from([1, 10, 2**20, 2**26, MOST]), st.integers(1, 40))
def test_products_add_up_exactly(seed, most, games):
    generator = np.random.default_rng(seed)
    results = generator.integers(-most, most, (games, 3), endpoint=True)
    digits = product_digits(results.astype(float))
    columns = results.T.tolist()
    for i, one in enumerate(columns):
        for j, other in enumerate(columns):
            right = sum(a * b for a, b in zip(one, other, strict=True))
            assert exact(digits[:, i, j]) == right
            assert number(digits)[i, j] == float(right)


def test_paired_sums_of_great_results_do_not_wrap():
    results = np.array([[3e10, -3e10], [1e10, 2e10]] * 500)
    sums = sums_of(sums_table(totals_of("net", results)))["net"]
    assert sums.total.tolist() == [2e13, -5e12]
    assert sums.products.tolist() == [[5e23, -3.5e23], [-3.5e23, 6.5e23]]


def test_an_interval_of_great_sums_of_numpy_does_not_wrap():
    plain = mean_interval(400, 4 * 10**12, 10**23)
    assert mean_interval(np.int64(400), np.int64(4 * 10**12), np.float64(1e23)) == plain
    assert plain.margin == pytest.approx(1.96 * (2.5e20 - 1e20) ** 0.5 / 20, rel=0.01)


def test_long_games_for_great_pots():
    """Whoever declares in every deal plays for a pot that never ends (N11, N18)."""
    rules = make_rules("tokens", {"max_deals": size(30_000, 20), "target": 1_000})
    job = prepare(rules, ["threshold:above=0"] * 4, 3)
    games = 8
    nets = [
        [int(net) for net in nets]
        for nets in zip(
            *(batch.play(job, 0, games, "games").rows[f"net_{seat}"] for seat in range(4)),
            strict=True,
        )
    ]
    totals = batch.play(job, 0, games).totals
    rows = batch.tables(rules, job.line_up, totals)["results"].to_pylist()
    found = {row["seat"]: row["net_sq"] for row in rows}
    for seat in range(4):
        assert found[seat] == float(sum(net[seat] ** 2 for net in nets))
