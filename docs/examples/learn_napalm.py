"""Learn thresholds of Napalm at the table, and write them down as a strategy.

A learner sits among players who say Yes or No by lot. For each kind of decision (stage, turn, how
many have said Yes) and each step of strength it keeps how the deal went on average after a Yes and
after a No, and mostly says what went better. What it has learned is written as thresholds into a
`.toml` file, which plays as any other strategy does::

    python docs/examples/learn_napalm.py learned.toml
    simulate compare napalm learned.toml random --field random
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from simulate.envs import napalm_env
from strategies import load

STEPS = 20
PLAYERS = 4
DARING = 0.2  # how often the learner tries the other word
KINDS = [(stage, turn, heard) for stage in (1, 2, 3) for turn in (1, 2) for heard in (0, 1, 2)]


def cell_of(view):
    """Return the kind of a decision and the step of strength."""
    kind = KINDS.index((view.stage, view.turn, min(view.yes, 2)))
    return kind, min(int(view.strength * STEPS), STEPS - 1)


def learn(games, seed=1):
    """Play, and return how the deal went on average: by kind, step of strength, and word.

    Parameters
    ----------
    games : int
        How many games.
    seed : int
        Deals the cards and tosses the learner's coins.
    """
    env = napalm_env(PLAYERS, seed=seed)
    others = load("random", "napalm")
    rng = np.random.default_rng(seed)
    total, number = (np.zeros((len(KINDS), STEPS, 2)) for _ in range(2))
    for game in range(games):
        learner = f"seat_{game % PLAYERS}"
        env.reset()
        open_words, deal = [], 0
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            over = terminated or truncated
            if agent != learner:
                env.step(None if over else env.unwrapped.action_of(others))
                continue
            for word in open_words:
                word[1] += reward
            if over or info["view"].deal != deal:  # the deal is over: take down how it went
                for place, gained in open_words:
                    total[place] += gained
                    number[place] += 1
                open_words = []
            if over:
                env.step(None)
                continue
            deal = info["view"].deal
            cell = cell_of(info["view"])
            means = total[cell] / np.maximum(number[cell], 1)
            word = int(means[1] > means[0]) if rng.random() > DARING else int(rng.integers(2))
            open_words.append([(*cell, word), 0.0])
            env.step(word)
    return total, number


def thresholds(total, number):
    """Return, by kind of decision, from which strength on a Yes has done better."""
    means = total / np.maximum(number, 1)
    weight = np.minimum(number[:, :, 0], number[:, :, 1])
    gain = (means[:, :, 1] - means[:, :, 0]) * weight
    found = {}
    for kind, name in enumerate(KINDS):
        above = [gain[kind, step:].sum() for step in range(STEPS + 1)]
        found[name] = int(np.argmax(above)) / STEPS
    return found


def write(path, found, games):
    """Write thresholds as a strategy."""
    lines = [f'about = "Thresholds learned in {games:,} games among players who speak by lot."', ""]
    for (stage, turn, heard), threshold in found.items():
        if turn == 2 and heard == 0:
            continue  # the dealer has said Yes
        lines += ["[[rule]]", f"stage = {stage}", f"turn = {turn}"]
        lines += [f'heard = "{heard}+"' if heard == 2 else f"heard = {heard}"]
        lines += [f"threshold = {threshold}", ""]
    Path(path).write_text("\n".join(lines), encoding="utf-8")


def main():
    """Learn, and write the file."""
    parser = argparse.ArgumentParser(description="Learn thresholds of Napalm.")
    parser.add_argument("file", help="the strategy that is written, a .toml file")
    parser.add_argument("--games", type=int, default=3_000, help="how many games are played (3000)")
    args = parser.parse_args()
    write(args.file, thresholds(*learn(args.games)), args.games)


if __name__ == "__main__":
    main()
