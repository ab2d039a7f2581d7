"""One player learns from many deals: external-sampling CFR (the cards and the others are drawn).

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo sampling for regret minimization in
extensive games", NIPS 2009. In each deal the others say what their coins and their present chances
make them say; the player tries Yes and No wherever he may speak, and learns from what each would
have brought.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD, place_of
from simulate.napalm.solving.money import settle_one
from simulate.regrets import learn, match_regrets, remember

OTHER = 4


class Pupil(NamedTuple):
    """What a solver knows so far, decisions as `simulate.napalm.solving.histories` lays them out.

    Attributes
    ----------
    yes : ndarray of float32, shape (size,)
        The present chance of Yes, by which the others speak.
    regret, policy : ndarray of float64, shape (2 * size,)
        Of No and Yes in turn: see `simulate.regrets`.
    """

    yes: NDArray[np.float32]
    regret: NDArray[np.float64]
    policy: NDArray[np.float64]


class Lesson(NamedTuple):
    """The work space of one player, and what he is to take for granted.

    Attributes
    ----------
    heard : int
        Whose choices are remembered while this player learns.
    chance, value : ndarray of float64, shape (5, 2)
        By time and word, and in the last row those of `heard`.
    share : float
        0 where the pot that stays belongs to nobody; 1 / n where all share it.
    slip : float
        The chance that another's word is heard as the opposite of what he chose.
    """

    heard: int
    chance: NDArray[np.float64]
    value: NDArray[np.float64]
    share: float
    slip: float


def hear(yes, deals, row, layout, time, start, stop, said, said2):
    """Let the players in positions `start` to ``stop - 1`` speak; return who has said Yes."""
    stage = max(time - 1, 0)
    for position in range(start, stop):
        kind = np.int64(deals.kind[row, stage * layout.n + position])
        at = place_of(layout, time, position, said, said2, kind)
        word = np.int64(deals.coin[row, time * layout.n + position] < yes[at])
        said |= word << position
    return said


def listen(pupil, lesson, deals, row, layout, time, start, stop, said, said2, weight):
    """Let players speak, with slips, and remember the choice of one of them."""
    stage = max(time - 1, 0)
    for position in range(start, stop):
        kind = np.int64(deals.kind[row, stage * layout.n + position])
        at = place_of(layout, time, position, said, said2, kind)
        yes = pupil.yes[at]
        if position == lesson.heard:
            lesson.chance[OTHER, 0], lesson.chance[OTHER, 1] = 1.0 - yes, yes
            remember(pupil.policy, 2 * at, 2, lesson.chance, OTHER, weight)
        heard = lesson.slip + (1.0 - 2.0 * lesson.slip) * yes
        word = np.int64(deals.coin[row, time * layout.n + position] < heard)
        said |= word << position
    return said


def at_third(pupil, lesson, deals, row, layout, rules, player, said2, pot, weight):
    """Learn at stage 3; return what the player may expect of it."""
    n = layout.n
    said = listen(pupil, lesson, deals, row, layout, THIRD, 0, player, 0, said2, weight)
    kind = np.int64(deals.kind[row, 2 * n + player])
    at = 2 * place_of(layout, THIRD, player, said, said2, kind)
    match_regrets(pupil.regret, at, 2, lesson.chance, THIRD)
    for word in range(2):
        last = listen(
            pupil,
            lesson,
            deals,
            row,
            layout,
            THIRD,
            player + 1,
            n,
            said | word << player,
            said2,
            weight,
        )
        change, after = settle_one(last, deals.value, row, 2, n, pot, rules, player)
        lesson.value[THIRD, word] = change + lesson.share * after
    return learn(pupil.regret, at, 2, lesson.chance, lesson.value, THIRD, weight)


def at_second(pupil, lesson, deals, row, layout, rules, player, pot, weight):
    """Learn at stage 2 and after it; return what the player may expect of it."""
    n = layout.n
    said = listen(pupil, lesson, deals, row, layout, SECOND, 0, player, 0, 0, weight)
    kind = np.int64(deals.kind[row, n + player])
    at = 2 * place_of(layout, SECOND, player, said, 0, kind)
    match_regrets(pupil.regret, at, 2, lesson.chance, SECOND)
    for word in range(2):
        last = listen(
            pupil,
            lesson,
            deals,
            row,
            layout,
            SECOND,
            player + 1,
            n,
            said | word << player,
            0,
            weight,
        )
        change, after = settle_one(last, deals.value, row, 1, n, pot, rules, player)
        if rules.ends[1] and last:  # N6
            rest = lesson.share * after
        else:
            rest = at_third(
                pupil, lesson, deals, row, layout, rules, player, last, after, weight
            )  # fmt: skip
        lesson.value[SECOND, word] = change + rest
    return learn(pupil.regret, at, 2, lesson.chance, lesson.value, SECOND, weight)


def challenge(yes, deals, row, layout, start, said):
    """Let those from position `start` on answer the dealer (N8); return who says Yes last."""
    dealer = layout.n - 1
    return hear(yes, deals, row, layout, CHALLENGED, start, dealer, said, 0) | 1 << dealer


def answers(pupil, lesson, deals, row, layout, start, said, weight):
    """Let players answer as in `challenge`, and remember the choice of one of them."""
    dealer = layout.n - 1
    return (
        listen(pupil, lesson, deals, row, layout, CHALLENGED, start, dealer, said, 0, weight)
        | 1 << dealer
    )


def when_challenged(pupil, lesson, deals, row, layout, rules, player, pot, weight):
    """Learn what to answer the dealer; return what the player may expect of it."""
    said = listen(pupil, lesson, deals, row, layout, CHALLENGED, 0, player, 0, 0, weight)
    kind = np.int64(deals.kind[row, player])
    at = 2 * place_of(layout, CHALLENGED, player, said, 0, kind)
    match_regrets(pupil.regret, at, 2, lesson.chance, CHALLENGED)
    for word in range(2):
        last = answers(pupil, lesson, deals, row, layout, player + 1, said | word << player, weight)
        change, after = settle_one(last, deals.value, row, 0, layout.n, pot, rules, player)
        lesson.value[CHALLENGED, word] = change + lesson.share * after
    return learn(pupil.regret, at, 2, lesson.chance, lesson.value, CHALLENGED, weight)


def teach(pupil, lesson, deals, layout, rules, player, weight):
    """Let the player in one position learn from all deals of a block.

    Parameters
    ----------
    pupil : Pupil
        Only the player's own decisions are added to: the others may learn at the same time.
    lesson : Lesson
    deals : Deals
    layout : Layout
    rules : KernelRules
    player : int
    weight : float
        How much these deals count.
    """
    n, dealer = layout.n, 1 << (layout.n - 1)
    for row in range(len(deals.kind)):
        said = listen(pupil, lesson, deals, row, layout, FIRST, 0, player, 0, 0, weight)
        kind = np.int64(deals.kind[row, player])
        at = 2 * place_of(layout, FIRST, player, said, 0, kind)
        match_regrets(pupil.regret, at, 2, lesson.chance, FIRST)
        for word in range(2):
            last = listen(
                pupil,
                lesson,
                deals,
                row,
                layout,
                FIRST,
                player + 1,
                n,
                said | word << player,
                0,
                weight,
            )
            if last == 0 and layout.stages == 3:
                expected = at_second(pupil, lesson, deals, row, layout, rules, player, n, weight)
            elif last == dealer and rules.challenge[0] and player < n - 1:
                expected = when_challenged(
                    pupil, lesson, deals, row, layout, rules, player, n, weight
                )
            else:
                if last == dealer and rules.challenge[0]:
                    last = answers(pupil, lesson, deals, row, layout, 0, 0, weight)
                change, after = settle_one(last, deals.value, row, 0, n, n, rules, player)
                expected = change + lesson.share * after
            lesson.value[FIRST, word] = expected
        learn(pupil.regret, at, 2, lesson.chance, lesson.value, FIRST, weight)


def refresh(pupil, start, stop):
    """Let the chances by which others are heard follow what has been learned."""
    for at in range(start, stop):
        no, yes = max(pupil.regret[2 * at], 0.0), max(pupil.regret[2 * at + 1], 0.0)
        pupil.yes[at] = yes / (no + yes) if no + yes > 0.0 else 0.5


compile_module(
    __name__,
    fills_only=True,
    inner=("listen", "at_third", "at_second", "answers", "when_challenged"),
)
