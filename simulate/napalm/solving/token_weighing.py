"""What a deal for tokens is worth, by the table that is played: its stages with the same cards.

A stage is weighed in all its words, and expected to bring what follows it on average. By a coin it
is heard what was said: then the next stage is weighed with the hands that came to it, and what that
brings more than was expected is added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND
from simulate.napalm.solving.lots import LOT, Lots, toss
from simulate.napalm.solving.race import expect, find_mark, mix_chances
from simulate.napalm.solving.token_race import TokenRace
from simulate.napalm.solving.token_stage import one_stage
from simulate.napalm.solving.tree import Plan

if TYPE_CHECKING:
    from simulate.napalm.solving.induction import Game
    from simulate.napalm.solving.token_induction import TokenPlace

Array = NDArray[np.float64]
States = dict[tuple[int, ...], NDArray[np.int64]]

NOBODY, OVER = -1, -2


class Followed(NamedTuple):
    """What a stage brought, and how it came out.

    Attributes
    ----------
    brought : ndarray of float32, shape (deals, n)
        To each position, with what is expected to follow.
    alone : ndarray of int8, shape (deals,)
        The position of whoever alone said Yes, by a coin; `NOBODY` where none or several did, and
        `OVER` where a Yes ended the deal (N6).
    """

    brought: NDArray[np.float32]
    alone: NDArray[np.int8]


def pick(reach, first, stop, coin, lane):
    """Return which of some histories a coin falls on, and what is left of the coin, in [0, 1)."""
    which = first
    while which < stop - 1 and coin >= reach[which, lane]:
        coin -= reach[which, lane]
        which += 1
    return which - first, min(coin / max(reach[which, lane], 1e-30), 1.0)


def follow_stage(
    plan, yes, gains, lots, column, first, number, turns, ends_on_yes, pay, key, room, followed
):  # fmt: skip
    """Weigh a stage in so many lots of deals, each in so many seatings, and hear how it came out.

    Parameters
    ----------
    plan, yes, gains, lots, column, pay, room
        See `simulate.napalm.solving.token_stage.one_stage`.
    first, number, turns, ends_on_yes : int
    key : uint64
        What the coins depend on.
    followed : Followed
        Filled: lot by lot, and there seating by seating.
    """
    n = plan.n
    ends, dealer = 1 << n, 1 << (n - 1)
    for which in range(number * turns):
        at = (first + which // turns) % (lots.kind.shape[1] // LOT) * LOT
        turn = which % turns
        one_stage(plan, yes, yes, gains, lots, column, turn, at, 0.0, pay, room)
        for lane in range(LOT):
            place = which * LOT + lane
            for player in range(n):
                followed.brought[place, player] = room.value[FIRST, player, lane]
            coin = toss(key, np.uint64(place))
            said, coin = pick(room.reach[FIRST], ends - 1, 2 * ends - 1, coin, lane)
            if said == dealer and plan.challenge:
                more, coin = pick(room.reach[CHALLENGED], dealer - 1, ends - 1, coin, lane)
                said |= more
            followed.alone[place] = OVER if said and ends_on_yes else NOBODY
            for position in range(n):
                if said == 1 << position and not ends_on_yes:
                    followed.alone[place] = position


compile_module(__name__, fills_only=True, inner=("pick",), literals=False)


def nothing_followed(deals: int, n: int) -> Followed:
    """Make room for so many deals."""
    return Followed(np.zeros((deals, n), np.float32), np.zeros(deals, np.int8))


def hands_of(
    lots: Lots, stage: int, deals: NDArray[np.int64], turns: NDArray[np.int64], n: int
) -> Lots:
    """Take the hands of a stage of some deals, by position, up to whole lots.

    The last ones are there more than once.
    """
    short = -len(deals) % LOT
    deals, turns = np.pad(deals, (0, short), "edge"), np.pad(turns, (0, short), "edge")
    columns = stage * n + (np.arange(n)[:, None] + turns) % n
    return Lots(*(np.ascontiguousarray(each[columns, deals]) for each in lots))


@dataclass
class Weigher:
    """Deals that are played through, by a table.

    Attributes
    ----------
    game : Game
    plans : list of Plan
    race : TokenRace
    chances : ndarray of uint8
        The table: by state and node.
    lots : Lots
    place : TokenPlace
        Work space.
    """

    game: Game
    plans: list[Plan]
    race: TokenRace
    chances: NDArray[np.uint8]
    lots: Lots
    place: TokenPlace

    def weigh(
        self, counts: NDArray[np.int64], pot: float, first: int, number: int, key: np.uint64
    ) -> tuple[Array, Array, float]:
        """Find what a deal is worth to everybody, in so many lots of deals in all seatings.

        Returns
        -------
        mean, error : ndarray of float64, shape (n,)
        again : float
            In how many of them nobody took a token, so that the next deal has the same counts.
        """
        n, whole = self.game.n, self.lots.kind.shape[1] // LOT
        place = np.arange(number * n * LOT)
        deals = (first + place // (n * LOT)) % whole * LOT + place % LOT
        turns = place // LOT % n
        found = self.follow(0, counts, pot, self.lots, (first, number, n), key)
        expected = np.zeros(n)
        brought, alone = found.brought.astype(np.float64), found.alone
        states = {tuple(counts.tolist()): place}
        for stage in (1, 2):
            states = self.divide(states, stage - 1, alone)
            for state, here in states.items():
                after = np.array(state)
                hands = hands_of(self.lots, stage, deals[here], turns[here], n)
                key += np.uint64(1) << np.uint64(32)
                spot = 0, hands.kind.shape[1] // LOT, 1
                later = self.follow(stage, after, pot, hands, spot, key)
                expect(self.race, self.race.worth[stage], after, pot, 0, expected)
                brought[here] += later.brought[: len(here)] - expected.astype(np.float32)
                alone[here] = later.alone[: len(here)]
        each = brought.reshape(number, n, LOT, n).mean(axis=1).reshape(-1, n)
        again = self.divide(states, 2, alone).get(tuple(counts.tolist()), place[:0])
        error = each.std(axis=0) / np.sqrt(len(each))
        return each.mean(axis=0), error, len(again) / len(place)

    def follow(
        self,
        stage: int,
        counts: NDArray[np.int64],
        pot: float,
        lots: Lots,
        spot: tuple[int, int, int],
        key: np.uint64,
    ) -> Followed:
        """Weigh a stage at some counts; `spot` is which lot comes first, how many, how seated."""
        game, place, plan = self.game, self.place, self.plans[stage]
        number = int((counts * game.rules.target ** np.arange(game.n)).sum())
        node, part = find_mark(game.pots, int(counts.sum()), pot, 0.0, 1.0)
        start, stop = plan.starts[FIRST], plan.starts[SECOND]
        mix_chances(self.chances, number, node, part, start, stop, place.yes)
        place.pays(self.race, stage, counts, pot)
        found = nothing_followed(spot[1] * spot[2] * LOT, game.n)
        follow_stage(
            plan, place.yes, place.quiet, lots, 0, *spot, game.numbers.ends[stage], place.pay, key,
            place.room, found,
        )  # fmt: skip
        return found

    def divide(self, states: States, stage: int, alone: NDArray[np.int8]) -> States:
        """Divide deals by the counts after a stage, those left out that have come to an end."""
        parts: dict[tuple[int, ...], list[NDArray[np.int64]]] = {}
        for state, here in states.items():
            for who in range(NOBODY, self.game.n):
                after = list(state)
                if who != NOBODY:
                    after[who] += self.game.numbers.lone[stage]
                some = here[alone[here] == who]
                if len(some) and max(after) < self.race.target:
                    parts.setdefault(tuple(after), []).append(some)
        return {state: np.concatenate(some) for state, some in parts.items()}
