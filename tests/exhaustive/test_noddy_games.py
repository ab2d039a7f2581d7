"""Many random games under random rules, as the compiled game plays them, audited one by one.

`NODDY_GAMES` sets how many.
"""

import os
import random

import pytest
from noddy_players import player

from simulate import gamelog
from simulate.noddy import batch
from simulate.noddy.rules import COMBINATIONS, PRESETS, make_rules
from simulate.seating import seat_plan

GAMES = int(os.environ.get("NODDY_GAMES", "20000"))
AT_A_TABLE, SHARES = 50, 20
SPECS = [
    "weighed",
    "weighed:points=0,chance=1",
    "weighed:points=1,hold=1.5",
    "weighed:points=1,hold=20",
    "weighed:points=-1,hold=40",
    "weighed:size=9,chance=5",
    "everything",
    "everything:wild=0.5",
]


def random_rules(draw):
    """Draw rules: half of them near a preset, half of them anything."""
    changes = {"max_deals": draw.choice([1, 2, 1_000])}
    if draw.random() < 0.5:
        changes["turn_up_drawn"] = draw.random() < 0.5
        changes["court_value"] = draw.choice([10, draw.randint(1, 13)])
        changes["turned_jack"] = draw.choice([0, 2, 31])
        changes["points"] = {name: draw.choice([0, 1, 2, 15, 31]) for name in COMBINATIONS}
    changes["target"] = draw.choice([15, 31, 31, 61])
    if changes["max_deals"] == 1_000:
        changes["max_deals"] = 20 if sum(changes.get("points", {"": 1}).values()) == 0 else 100
    return make_rules(draw.choice(list(PRESETS)), changes)


@pytest.mark.parametrize("share", range(SHARES))
def test_random_games_under_random_rules(share):
    everybody = [player(spec) for spec in SPECS]
    for table in range(share, GAMES // AT_A_TABLE, SHARES):
        draw = random.Random(table)
        rules, seed = random_rules(draw), draw.getrandbits(64)
        line_up = draw.choices(everybody, k=draw.randint(2, 4))
        job, plan = batch.prepare(rules, line_up, seed, together=everybody), seat_plan(len(line_up))
        for game, record in enumerate(batch.record(job, 0, AT_A_TABLE)):
            seats = [line_up[slot].spec for slot in plan[game % len(plan)]]
            head = gamelog.header("noddy", seed, game, rules, seats)
            assert gamelog.audit({**head, **record}) is None, (table, game)
