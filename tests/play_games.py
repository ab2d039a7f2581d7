"""Games with a person at the table who answers as he is told."""

from __future__ import annotations

import random

from simulate.play.coach import Advice, Valued
from simulate.play.setting import choose_setting
from simulate.play.sitting import Sitting

SETTINGS = [
    ("napalm", ["tight", "bluffer", "listener"], "stakes", 0),
    ("napalm", ["always", "threshold", "racer", "random", "challenger", "pair"], "tokens", 3),
    ("noddy", ["reckoner"], "hold", 1),
    ("noddy", ["keeper", "random", "first"], "hold", 2),
]


def setting_of(case, seed=5):
    game, others, rules, seat = case
    return choose_setting(game, others=others, rules=rules, seat=seat, seed=seed)


def played(case, index=0, seed=5, look=lambda sitting: None):
    """Play a game with random answers; `look` sees it before each of them and at the end."""
    sitting = Sitting(setting_of(case, seed), index)
    rng = random.Random(index)
    while not sitting.over:
        look(sitting)
        sitting.answer(rng.choice(sitting.choices).answer)
    look(sitting)
    return sitting


def first_is_best(sitting):
    """A coach for whom the first choice is always the best, the more so the later it is."""
    choices, number = sitting.choices, len(sitting.answers) + 1
    unit = "stakes" if sitting.setting.game == "napalm" else "wins"
    values = tuple(
        Valued(int(choice.answer), choice.text, 0.0 - place * number, 0.1)
        for place, choice in enumerate(choices)
    )
    return Advice(unit, values, {value.answer: 0.2 for value in values[1:]})
