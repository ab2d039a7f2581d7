"""Random games of Napalm for tests: rules of all kinds, players, and the same game both ways."""

from __future__ import annotations

from hypothesis import strategies as st
from napalm_players import EVERYBODY, NAMES, player

from simulate import gamelog
from simulate.napalm import batch
from simulate.napalm.reference import by_answer, play_game
from simulate.napalm.rules import FIELDS, PRESETS, Field, make_rules

MOST_DEALS = 12
TARGETS = [1, 2, 3, 5, 5, 8, 20, 1_000]


def values_of(name: str, field: Field) -> st.SearchStrategy:
    """Values that a field may have: its borders and small numbers, all its words."""
    if name == "max_deals":
        return st.integers(1, MOST_DEALS)
    if name == "target":
        return st.sampled_from(TARGETS)
    if field.low is None:
        return st.sampled_from(field.words or (False, True))
    numbers = {field.low, field.low + 1, field.low + 2, 5, field.high}
    return st.sampled_from([*field.words, *sorted(numbers)])


random_rules = st.builds(
    make_rules,
    st.sampled_from(list(PRESETS)),
    st.fixed_dictionaries({}, optional={name: values_of(name, FIELDS[name]) for name in FIELDS}),
)
line_ups = st.lists(st.sampled_from(NAMES), min_size=4, max_size=7)
seeds = st.integers(0, 2**70)


def prepare(rules, names, seed, fixed=False):
    """Make a job; all players of the tests are compiled together, once for all tests."""
    return batch.prepare(rules, [player(name) for name in names], seed, fixed, together=EVERYBODY)


def seated(job, game):
    """The strategies by seat."""
    return [job.line_up[slot] for slot in job.plan[game % len(job.plan)]]


def plain_game(job, game):
    """Play a game in plain Python."""
    speak = by_answer(seated(job, game), job.key, game)
    return play_game(job.rules, job.n, job.key, game, speak)


def header(job, seed, game):
    """What stands before the record of a game in a log."""
    specs = [strategy.spec for strategy in seated(job, game)]
    return gamelog.header("napalm", seed, game, job.rules, specs)
