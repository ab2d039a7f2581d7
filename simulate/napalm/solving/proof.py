"""How near to an equilibrium a table of chances is: what a best reply of each player gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD
from simulate.napalm.solving.reply import AS_BEFORE, NOBODY, Reply, Trial, try_reply
from simulate.napalm.solving.school import Desk, Setting, crew

TRAINING, FRESH = 1 << 40, 1 << 41
"""The numbers from which the deals of the training, and of the proof, are counted."""

TRAINED, PROVED = 1 << 21, 1 << 20
"""How many deals replies are trained on, and scored on."""

CERTAIN = 2.0
"""By how many standard errors one word must have been better than the other to be chosen."""

Told = Callable[[int], None]


class Proof(NamedTuple):
    """What replies gained on fresh deals.

    Attributes
    ----------
    worth : ndarray of float64, shape (n,)
        What a deal brings each player when all play the table, the ante apart.
    gain, error : ndarray of float64, shape (n,)
        How much more his reply brings, and the standard error.
    total, total_error : float
        Their sum (NashConv) and its standard error: a lower bound, as training has its noise.
    trained, fresh : int
        How many deals the replies were trained on, and scored on.
    """

    worth: NDArray[np.float64]
    gain: NDArray[np.float64]
    error: NDArray[np.float64]
    total: float
    total_error: float
    trained: int
    fresh: int


def choose(reply: Reply, start: int, stop: int, certain: float) -> None:
    """Choose what was better, where that is certain enough."""
    gain, square = reply.gain[start:stop], reply.square[start:stop]
    better = np.where(gain > 0, 1, 0)
    known = np.abs(gain) > certain * np.sqrt(square)
    reply.choice[start:stop] = np.where(known, better, AS_BEFORE)


def trainings(setting: Setting) -> tuple[int, ...]:
    """Return the times whose words are trained one after the other, the last ones first."""
    return (THIRD, SECOND, FIRST) if setting.stages == 3 else (THIRD, FIRST)


def deals_of(setting: Setting, trained: int, fresh: int) -> int:
    """Return how many deals a proof plays."""
    blocks = len(trainings(setting)) * -(-trained // BLOCK) + -(-fresh // BLOCK)
    return blocks * BLOCK


def prove(
    setting: Setting,
    chances: NDArray[np.float64],
    *,
    trained: int = TRAINED,
    fresh: int = PROVED,
    threads: int = 1,
    certain: float = CERTAIN,
    told: Told = lambda _: None,
) -> Proof:
    """Train a reply of each player to all others, last words first, and score it on fresh deals.

    Parameters
    ----------
    setting : Setting
    chances : ndarray of float64
        The chance of Yes at each decision of ``setting.layout``.
    trained, fresh : int
        How many deals for each; rounded up to whole blocks.
    threads : int
        The result does not depend on it.
    certain : float
        See `CERTAIN`.
    told : callable
        Called after each block with the deals played, `deals_of` in all.
    """
    n, layout, fine = setting.n, setting.layout, setting.fine_layout
    reply = Reply(np.zeros(fine.size), np.zeros(fine.size), np.full(fine.size, AS_BEFORE, np.int8))
    worth, gains = np.zeros((n, BLOCK)), np.zeros((n, BLOCK))
    sums = np.zeros((3, n + 1))
    yes, desk = chances.astype(np.float32), Desk(setting)
    ends = [*fine.starts[1:], fine.size]
    done = 0
    with crew(threads) as do:

        def play(training: int, first: int) -> None:
            nonlocal done
            trial = Trial(yes, layout, fine, training, setting.share)
            do(desk.tasks(first))
            do(
                [
                    lambda player=player: try_reply(  # type: ignore[misc]
                        trial, reply, desk.deals, setting.numbers, player, worth, gains
                    )
                    for player in range(n)
                ]
            )
            done += BLOCK
            told(done)

        for training in trainings(setting):
            for block in range(-(-trained // BLOCK)):
                play(training, TRAINING + block * BLOCK)
            for time in (CHALLENGED, THIRD) if training == THIRD else (training,):
                choose(reply, fine.starts[time], ends[time], certain)
        blocks = -(-fresh // BLOCK)
        for block in range(blocks):
            play(NOBODY, FRESH + block * BLOCK)
            gain = np.vstack([gains, gains.sum(axis=0)])
            sums[0, :n] += worth.sum(axis=1)
            sums[1] += gain.sum(axis=1)
            sums[2] += (gain * gain).sum(axis=1)
    number = blocks * BLOCK
    mean = sums[1] / number
    error = np.sqrt(np.maximum(sums[2] / number - mean**2, 0.0) / number)
    return Proof(
        worth=sums[0, :n] / number,
        gain=mean[:n],
        error=error[:n],
        total=float(mean[n]),
        total_error=float(error[n]),
        trained=-(-trained // BLOCK) * BLOCK,
        fresh=number,
    )
