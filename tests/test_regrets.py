"""The update rule proves itself on two games whose values are known."""

from __future__ import annotations

import numpy as np
import pytest
import toy_poker
from sizes import size
from toy_programs import train

from simulate.regrets import learn, match_regrets, remember


def solve(tree, rounds):
    regret, policy = np.zeros(tree.rows), np.zeros(tree.rows)
    scratch = [np.zeros((24, toy_poker.MOST_ACTIONS)) for _ in range(2)]
    train(tree, rounds, 1_000, 1, regret, policy, *scratch)
    return toy_poker.averages(tree, policy)


def test_the_toys_are_the_games_of_the_books():
    kuhn, leduc = toy_poker.kuhn(), toy_poker.leduc()
    decisions = [len(np.unique(tree.row[tree.player >= 0])) for tree in (kuhn, leduc)]
    assert decisions == [12, 288]  # of Leduc: 936 where suits are told apart
    alike = np.concatenate([[1 / 2, 1 / 2]] * 12)
    assert toy_poker.value(kuhn, alike) == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("name", "known", "rounds", "slack"),
    [
        ("kuhn", -1 / 18, size(1_000_000, 20_000), size(1, 20) * 0.004),
        ("leduc", -0.0856064, size(4_000_000, 10_000), size(1, 60) * 0.04),
    ],
)
def test_games_that_are_known(name, known, rounds, slack):
    tree = getattr(toy_poker, name)()
    policy = solve(tree, rounds)
    first, second = (toy_poker.best_reply(tree, policy, player) for player in (0, 1))
    # Exactly: the value of the game lies between what each can hold.
    assert -second <= known <= first
    assert first + second < slack
    assert toy_poker.value(tree, policy) == pytest.approx(known, abs=slack / 2)


def test_regrets_are_matched():
    chance = np.zeros((1, 3))
    match_regrets(np.array([9.0, 1.0, -2.0, 3.0]), 1, 3, chance, 0)
    assert chance.tolist() == [[0.25, 0.0, 0.75]]
    match_regrets(np.array([-1.0, 0.0]), 0, 2, chance, 0)
    assert chance[0, :2].tolist() == [0.5, 0.5]


def test_what_was_missed_is_added_with_its_weight():
    regret, policy = np.zeros(3), np.zeros(3)
    chance, value = np.array([[0.25, 0.75]]), np.array([[4.0, 0.0]])
    assert learn(regret, 1, 2, chance, value, 0, 10.0) == 1.0
    assert regret.tolist() == [0.0, 30.0, -10.0]
    remember(policy, 1, 2, chance, 0, 5.0)
    assert policy.tolist() == [0.0, 1.25, 3.75]
