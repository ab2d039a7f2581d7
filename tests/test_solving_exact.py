"""The solver against two exact methods, where a game is small enough for them: see `duel`."""

from __future__ import annotations

import duel
import numpy as np
import pytest
from sizes import size

from simulate.napalm.rules import make_rules
from simulate.napalm.solving.proof import prove
from simulate.napalm.solving.school import School, Setting

ALL_SHARE, NOBODYS = 0.5, 0.0


def learned(share, blocks):
    school = School(Setting(make_rules("stakes"), 2, seed=1, stages=1, share=share, slip=0.0))
    school.learn(blocks, 1, lambda _: False)
    return school


def test_two_exact_methods_agree():
    profile = duel.by_cfr_plus(ALL_SHARE, 1_000)
    gains = duel.gains(profile, ALL_SHARE)
    assert min(gains) >= 0
    assert sum(gains) < 1e-4
    assert duel.worth(profile, ALL_SHARE)[0] == pytest.approx(duel.by_linear_program(), abs=1e-4)


def test_the_sampler_comes_to_the_same_value():
    """Both share what is left in the pot: what one wins the other loses."""
    school = learned(ALL_SHARE, size(800, 1))
    profile = school.chances().reshape(4, -1)
    gains = duel.gains(profile, ALL_SHARE)
    value = duel.by_linear_program()
    worth = duel.worth(profile, ALL_SHARE)[0]
    # Exactly: neither can be held to less than what a best reply of the other leaves him.
    assert worth - gains[1] - 1e-9 <= value <= worth + gains[0] + 1e-9
    assert sum(gains) < size(1, 1_000) * 0.01
    assert worth == pytest.approx(value, abs=sum(gains))


def test_the_sampler_finds_an_equilibrium_for_money_too():
    """The pot that is left is nobody's: the two may come to another equilibrium than CFR+ does."""
    exact = duel.by_cfr_plus(NOBODYS, 1_000)
    assert sum(duel.gains(exact, NOBODYS)) < 1e-3
    profile = learned(NOBODYS, size(800, 1)).chances().reshape(4, -1)
    assert sum(duel.gains(profile, NOBODYS)) < size(1, 1_000) * 0.01


@pytest.mark.parametrize("blocks", [1, 60][: size(2, 1)])
@pytest.mark.parametrize("share", [ALL_SHARE, NOBODYS])
def test_a_trained_reply_gains_what_the_best_gains(blocks, share):
    """Far from an equilibrium and near to one; never more, but for the error."""
    school = learned(share, blocks)
    chances = school.chances()
    number = size(1 << 20, 1)
    proof = prove(school.setting, chances, trained=number, fresh=number)
    exact = duel.gains(chances.reshape(4, -1), share)
    worth = duel.worth(chances.reshape(4, -1), share)
    slack = size(1, 100) * 0.003
    for player in range(2):
        off = 4 * proof.error[player]
        assert exact[player] - off - slack < proof.gain[player] < exact[player] + off
        assert proof.worth[player] == pytest.approx(worth[player], abs=size(1, 20) * 0.005)
    assert proof.total == pytest.approx(proof.gain.sum())


def test_hands_leave_each_other_cards():
    table = duel.deals()
    assert table.sum() == pytest.approx(1.0)
    assert table[0, 0] / table[0, 1] == pytest.approx((16 * 9) / (16 * 12))
    aces = table[90]
    assert aces[90] == pytest.approx(6 / 1326 * 1 / 1225)
    assert np.allclose(table, table.T)
