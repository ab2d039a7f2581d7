"""The tables of a tournament: all meet all equally often."""

from collections import Counter
from itertools import combinations

import pytest

from simulate import meetings
from simulate.meetings import draw_tables


def balance(tables):
    pairs, seats = Counter(), Counter()
    for table in tables:
        seats.update(table)
        pairs.update(pair for pair in combinations(table, 2) if pair[0] != pair[1])
    return pairs, seats


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 21])
def test_all_meet_all_equally_often(entrants, seats):
    tables = draw_tables(entrants, seats)
    pairs, places = balance(tables)
    assert all(len(table) == seats and list(table) == sorted(table) for table in tables)
    assert len(pairs) == entrants * (entrants - 1) // 2
    assert len(set(pairs.values())) == 1
    assert len(places) == entrants
    assert len(set(places.values())) == 1


def test_few_entrants_fill_the_table_evenly():
    assert draw_tables(3, 7) == [
        (0, 0, 0, 1, 1, 2, 2),
        (0, 0, 1, 1, 1, 2, 2),
        (0, 0, 1, 1, 2, 2, 2),
    ]
    assert draw_tables(2, 4) == [(0, 0, 1, 1)]


def test_where_they_are_few_all_different_tables_are_drawn():
    assert draw_tables(6, 5) == list(combinations(range(6), 5))
    assert len(draw_tables(100, 2)) == 100 * 99 // 2


def test_many_entrants_need_far_fewer_tables_than_there_are():
    assert len(draw_tables(20, 5)) == 380  # of 15,504


@pytest.mark.parametrize(("entrants", "seats"), [(50, 5), (60, 7)])
def test_of_very_many_all_meet_about_equally_often(entrants, seats, monkeypatch):
    monkeypatch.setattr(meetings, "MOST_TRIES", 6_000)
    pairs, places = balance(draw_tables(entrants, seats))
    mean = sum(pairs.values()) / (entrants * (entrants - 1) / 2)
    assert min(pairs.values()) > 0.7 * mean
    assert max(pairs.values()) < 1.3 * mean
    assert len(set(places.values())) == 1


def test_the_same_numbers_give_the_same_tables():
    assert draw_tables(17, 5) == draw_tables(17, 5)
