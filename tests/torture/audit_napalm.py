"""Play random games under random rules, log them as the kernel played them, and audit each line.

``python tests/torture/audit_napalm.py GAMES [FIRST]`` plays GAMES games, a hundred for each random
choice of rules, players and line-up, numbered from FIRST on. It ends with 1 at the first
difference.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from napalm_games import TARGETS, header, prepare
from napalm_players import NAMES

from simulate import gamelog
from simulate.napalm import batch
from simulate.napalm.rules import FIELDS, PRESETS, NapalmRules, make_rules

GAMES_EACH = 100
MOST_DEALS = 50


def draw_rules(dice: random.Random) -> NapalmRules:
    """Draw rules: a preset, and each field changed with probability one half."""
    changed: dict[str, object] = {}
    for name, field in FIELDS.items():
        if dice.random() < 0.5:
            continue
        if name == "target":
            changed[name] = dice.choice(TARGETS)
        elif name != "max_deals":
            numbers = [] if field.low is None else [field.low, field.low + 1, 2, 5, field.high]
            changed[name] = dice.choice([*numbers, *field.words] or [False, True])
    return make_rules(
        dice.choice(list(PRESETS)), changed | {"max_deals": dice.randint(1, MOST_DEALS)}
    )


def audit_some(number: int, folder: Path) -> gamelog.Audit:
    """Play, log and audit the games of one random choice."""
    dice = random.Random(number)
    rules, seed = draw_rules(dice), dice.getrandbits(70)
    names = [dice.choice(NAMES) for _ in range(dice.randint(4, 7))]
    job, first = prepare(rules, names, seed), dice.getrandbits(40)
    played = batch.record(job, first, first + GAMES_EACH)
    lines = (header(job, seed, first + k) | record for k, record in enumerate(played))
    path = folder / "games.jsonl"
    gamelog.write(path, lines)
    return gamelog.audit_file(path)


def main(games: int, first: int) -> int:
    """Audit so many games, and say how it goes."""
    done, begun = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + games // GAMES_EACH):
            audit = audit_some(number, Path(folder))
            if audit.difference is not None:
                print(f"choice {number}, line {audit.line}: {audit.difference}")
                return 1
            done += audit.games
            if done % 10_000 == 0:
                print(f"{done:,} games in {time.monotonic() - begun:,.0f} s", flush=True)
    print(f"{done:,} games logged and audited, nothing wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(float(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
