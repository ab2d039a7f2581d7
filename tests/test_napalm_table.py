"""Deals that go on after stage 1: laid side by side, and returned to their lanes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_programs import gather, give_back

from simulate.dealing import deal_places
from simulate.lanes import WIDTH
from simulate.napalm.table import LANES, ROOM, empty_table
from simulate.rng import deal_deck, fold_seed

RETURNED = ("pot", "over", "collected", "net")


def filled_table(n, generator):
    """A table with a number of its own in every place."""
    table = empty_table(n)
    for array in table:
        array[:] = generator.integers(0, 2 ** (8 * array.itemsize - 1) - 1, array.shape)
    return table


def gathered(name, n):
    """The rows of a field that a deal needs from stage 1 on; none is written at stage 1 only."""
    kept = {"game": 1, "deal": 1, "turned": 1, "pot": 1, "said": 1}
    kept |= dict.fromkeys(("strategy", "collected", "net", "value"), n)
    kept |= {"cards": 2 * n, "digits": (2 * n + 7) // 8 * 8}  # made already, though not dealt yet
    return slice(kept.get(name, 0))


@settings(max_examples=20)
@given(st.integers(4, 7), st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_deals_that_go_on_are_moved_whole_and_return(n, seed, share):
    generator = np.random.default_rng(seed)
    full, few = filled_table(n, generator), filled_table(n, generator)
    lanes = int(generator.integers(1, LANES))
    full.live[:] = 0
    full.live[0, :lanes] = generator.random(lanes) < share
    live = np.flatnonzero(full.live[0])
    before = [array.copy() for array in full]

    count = gather(full, n, few, lanes)
    assert count == len(live)
    assert few.live[0].tolist() == [1] * count + [0] * (ROOM - count)
    assert not few.over.any()
    for name in full._fields:
        rows = gathered(name, n)
        moved = getattr(few, name)[rows, :count]
        assert np.array_equal(moved, getattr(full, name)[rows][:, live]), name
    for array, right in zip(full, before, strict=True):
        assert np.array_equal(array, right)

    for name in RETURNED:
        array = getattr(few, name)
        array[:] = generator.integers(0, 1_000_000, array.shape)
    give_back(few, n, full, lanes)
    for name, array, old in zip(full._fields, full, before, strict=True):
        right = old.copy()
        if name in RETURNED:
            right[:, live] = getattr(few, name)[:, :count]
        assert np.array_equal(array, right), name


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_deals_that_go_on_get_their_cards(n):
    """Digits made already for places not dealt yet go along."""
    key, full, few = fold_seed(1), empty_table(n), empty_table(n)
    full.game[0, :LANES] = np.arange(LANES)
    full.live[0, :LANES:3] = 1

    def deal(table, first, stop, lanes):
        deal_places(
            key, table.game, table.deal, first, stop, table.digits, table.refused,
            table.cards, lanes,
        )  # fmt: skip

    deal(full, 0, 2 * n, LANES)
    playing = gather(full, n, few, LANES)
    deal(few, 2 * n, 5 * n, playing)
    deal(few, 5 * n, 7 * n, playing)
    deck = np.empty(7 * n, np.int64)
    for lane in range(0, playing, WIDTH):
        deal_deck(key, int(few.game[0, lane]), 0, deck)
        assert few.cards[: 7 * n, lane].tolist() == deck.tolist()
