"""The best reply of one player to all others: trained on deals of its own, scored on fresh ones.

The player is free, the others keep to their chances. Who may tell hands apart more finely than they
do is a stronger test of them. What his reply is worth on deals it was not trained on is a lower
bound of what the best of all replies is worth: training has its noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD, place_of
from simulate.napalm.solving.lesson import challenge, hear
from simulate.napalm.solving.money import settle_one

AS_BEFORE = -1
NOBODY = -1


class Reply(NamedTuple):
    """A reply of everybody to all others, and what it is chosen by.

    Attributes
    ----------
    gain, square : ndarray of float64, shape (fine size,)
        The sum, and the sum of squares, of what Yes brought more than No.
    choice : ndarray of int8, shape (fine size,)
        1 for Yes, 0 for No, `AS_BEFORE` for what the player would say in any case.
    """

    gain: NDArray[np.float64]
    square: NDArray[np.float64]
    choice: NDArray[np.int8]


class Trial(NamedTuple):
    """What a reply is tried out on.

    Attributes
    ----------
    yes : ndarray of float32
        The chances of Yes of everybody, as `layout` has them.
    layout, fine : Layout
        With the hands as these chances, and as the reply, tell them apart.
    training : int
        At what time the reply is being trained: `THIRD` (and `CHALLENGED` with it), then `SECOND`,
        then `FIRST`; `NOBODY` where it is scored.
    share : float
        See `simulate.napalm.solving.lesson.Lesson`.
    """

    yes: NDArray[np.float32]
    layout: object
    fine: object
    training: int
    share: float


def weigh(trial, reply, deals, row, time, player, said, said2, no, replied_no, yes, replied_yes):
    """Return what the player may expect as he was, and with his reply; in training learn of it."""
    column = max(time - 1, 0) * trial.layout.n + player
    kind, fine = np.int64(deals.kind[row, column]), np.int64(deals.fine[row, column])
    p = trial.yes[place_of(trial.layout, time, player, said, said2, kind)]
    at = place_of(trial.fine, time, player, said, said2, fine)
    difference = replied_yes - replied_no
    if trial.training == time or (trial.training == THIRD and time == CHALLENGED):
        reply.gain[at] += difference
        reply.square[at] += difference * difference
    choice = reply.choice[at]
    q = p if choice == AS_BEFORE else np.float32(choice)
    return no + p * (yes - no), replied_no + q * difference


def third(trial, reply, deals, row, rules, player, said2, pot):
    """Return what stage 3 brings, as the player was, and with his reply."""
    n = trial.layout.n
    said = hear(trial.yes, deals, row, trial.layout, THIRD, 0, player, 0, said2)
    last = hear(trial.yes, deals, row, trial.layout, THIRD, player + 1, n, said, said2)
    change, after = settle_one(last, deals.value, row, 2, n, pot, rules, player)
    no = change + trial.share * after
    said_yes = said | 1 << player
    last = hear(trial.yes, deals, row, trial.layout, THIRD, player + 1, n, said_yes, said2)
    change, after = settle_one(last, deals.value, row, 2, n, pot, rules, player)
    yes = change + trial.share * after
    return weigh(trial, reply, deals, row, THIRD, player, said, said2, no, no, yes, yes)


def after_second(trial, reply, deals, row, rules, player, said, pot):
    """Return what a word at stage 2 brings, with what comes after it."""
    n = trial.layout.n
    last = hear(trial.yes, deals, row, trial.layout, SECOND, player + 1, n, said, 0)
    change, after = settle_one(last, deals.value, row, 1, n, pot, rules, player)
    if rules.ends[1] and last:  # N6
        rest = trial.share * after
        replied = rest
    else:
        rest, replied = third(trial, reply, deals, row, rules, player, last, after)
    return change + rest, change + replied


def second(trial, reply, deals, row, rules, player, pot):
    """Return what stage 2 and after it brings, as the player was, and with his reply."""
    said = hear(trial.yes, deals, row, trial.layout, SECOND, 0, player, 0, 0)
    no, replied_no = after_second(trial, reply, deals, row, rules, player, said, pot)
    said_yes = said | 1 << player
    yes, replied_yes = after_second(trial, reply, deals, row, rules, player, said_yes, pot)
    return weigh(
        trial, reply, deals, row, SECOND, player, said, 0, no, replied_no, yes, replied_yes
    )


def challenged(trial, reply, deals, row, rules, player, pot):
    """Return what the answer to the dealer brings, as the player was, and with his reply."""
    n = trial.layout.n
    said = hear(trial.yes, deals, row, trial.layout, CHALLENGED, 0, player, 0, 0)
    last = challenge(trial.yes, deals, row, trial.layout, player + 1, said)
    change, after = settle_one(last, deals.value, row, 0, n, pot, rules, player)
    no = change + trial.share * after
    last = challenge(trial.yes, deals, row, trial.layout, player + 1, said | 1 << player)
    change, after = settle_one(last, deals.value, row, 0, n, pot, rules, player)
    yes = change + trial.share * after
    return weigh(trial, reply, deals, row, CHALLENGED, player, said, 0, no, no, yes, yes)


def after_first(trial, reply, deals, row, rules, player, said):
    """Return what a word at stage 1 brings, with what comes after it."""
    n, dealer = trial.layout.n, 1 << (trial.layout.n - 1)
    last = hear(trial.yes, deals, row, trial.layout, FIRST, player + 1, n, said, 0)
    if last == 0 and trial.layout.stages == 3:
        return second(trial, reply, deals, row, rules, player, n)
    if last == dealer and rules.challenge[0]:
        if player < n - 1:
            return challenged(trial, reply, deals, row, rules, player, n)
        last = challenge(trial.yes, deals, row, trial.layout, 0, 0)
    change, after = settle_one(last, deals.value, row, 0, n, n, rules, player)
    found = change + trial.share * after
    return found, found


def try_reply(trial, reply, deals, rules, player, worth, gains):
    """Play all deals of a block for one player, and learn where the reply is in training.

    Parameters
    ----------
    trial : Trial
    reply : Reply
        Only the player's own decisions are added to.
    deals : Deals
    rules : KernelRules
    player : int
    worth, gains : ndarray of float64, shape (n, deals)
        Row `player` receives what each deal brought him as he was, and how much more with his
        reply.
    """
    for row in range(len(deals.kind)):
        said = hear(trial.yes, deals, row, trial.layout, FIRST, 0, player, 0, 0)
        no, replied_no = after_first(trial, reply, deals, row, rules, player, said)
        if trial.training in (THIRD, SECOND):  # nothing is learned of them after a Yes
            continue
        said_yes = said | 1 << player
        yes, replied_yes = after_first(trial, reply, deals, row, rules, player, said_yes)
        was, replied = weigh(
            trial, reply, deals, row, FIRST, player, said, 0, no, replied_no, yes, replied_yes
        )
        worth[player, row] = was
        gains[player, row] = replied - was


compile_module(
    __name__,
    fills_only=True,
    inner=("third", "after_second", "second", "challenged", "after_first"),
)
