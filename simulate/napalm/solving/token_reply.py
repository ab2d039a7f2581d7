"""A best reply in whole games for tokens: trained ring after ring as the table was.

Everybody else keeps to the table. The reply is a table itself, which tells hands apart more finely,
and says what the other says wherever it is not sure: so it is scored by playing games.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND
from simulate.napalm.solving.induction import FULL, WEIGHED, Game, Stopped, Told, sweep
from simulate.napalm.solving.lots import LOT, Lots
from simulate.napalm.solving.race import counts_of, mix_chances
from simulate.napalm.solving.race_reply import CERTAIN, LEAST_LOTS, coarser
from simulate.napalm.solving.token_induction import (
    KnownTokens,
    TokenPlace,
    lot_of,
    plans_of,
    stages_of_ring,
)
from simulate.napalm.solving.token_race import come_round, ring_of, token_race
from simulate.napalm.solving.token_stage import one_stage, weigh_stage
from simulate.napalm.solving.tree import Plan

TIMES = 3
"""How often the stages of a ring are gone through, and trained anew."""


class TokenReply:
    """A best reply that is being trained.

    Attributes
    ----------
    game : Game
    known : KnownTokens
        What is replied to.
    reply : KnownTokens
        The same of whoever replies, with hands told apart more finely: his chances, and what states
        are worth to him.
    share : ndarray of int64, shape (1, states, nodes)
        On how many deals it is trained.
    """

    def __init__(
        self,
        game: Game,
        lots: Lots,
        known: KnownTokens,
        reply: KnownTokens,
        share: NDArray[np.int64],
    ) -> None:
        self.game, self.lots, self.known, self.reply = game, lots, known, reply
        self.share, self.plans = share, plans_of(game)
        self.race = token_race(game.n, game.rules.target, reply.worth, game.pots)
        self.coarse = coarser_tokens(game, self.plans)
        self.ending = threading.Event()

    def run(self, threads: int, told: Told) -> bool:
        """Train what is missing, see `sweep`."""
        places = [TokenPlace(self.game, 1) for _ in range(threads)]
        ready = (self.reply.done,)
        return sweep(self.game, self.share, (self.train_ring,), ready, places, self.ending, told)

    def go_on(self) -> None:
        """Leave the thread if it is to end."""
        if self.ending.is_set():
            raise Stopped

    def train_ring(self, place: TokenPlace, number: int) -> None:
        """Train the ring of counts whose least number this is, and find what it is worth."""
        game, reply = self.game, self.reply
        ring = ring_of(number, game.n, game.rules.target)
        if number != min(ring):
            return
        marks = self.race.marks[game.sums[number]]
        reply.worth[0, ring] = self.known.worth[0, ring]
        for _ in range(TIMES):
            before = reply.worth[:, ring]
            for stage, each in stages_of_ring(ring):
                for node in range(game.nodes):
                    self.train(place, each, stage, node)
                self.weigh(place, each, stage)
            reply.worth[0, ring] = come_round(
                reply.worth[0, ring], before[0], self.known.again[ring], marks, game.n
            )
            reply.moved[:, ring] = reply.worth[:, ring] - before
        reply.done[ring] = True

    def train(self, place: TokenPlace, number: int, stage: int, node: int) -> None:
        """Train a stage at some counts and pot: answers to a challenge, then first words."""
        game, plan = self.game, self.plans[stage]
        counts = counts_of(number, game.n, game.rules.target)
        place.pays(self.race, stage, counts, float(game.pots[game.sums[number], node]))
        here = slice(plan.fine_starts[FIRST], plan.fine_starts[SECOND])
        row = self.reply.chances[number, node]
        row[here] = self.known.chances[number, node, self.coarse[here]]
        place.yes[:] = self.known.chances[number, node].astype(np.float32) / FULL
        place.own[:] = row.astype(np.float32) / FULL
        lots = max(int(self.share[0, number, node]) // (6 * TIMES * LOT), LEAST_LOTS)
        whole = self.lots.kind.shape[1] // LOT
        first = lot_of(game, stage, number, node, self.lots)
        for late, time in enumerate((CHALLENGED, FIRST)):
            place.gains.total[:] = 0.0
            place.gains.square[:] = 0.0
            for which in range(first + late * lots, first + (late + 1) * lots):
                one_stage(
                    plan, place.yes, place.own, place.gains, self.lots, stage * game.n,
                    (which // whole + which) % game.n, which % whole * LOT, 0.0, place.pay,
                    place.room,
                )  # fmt: skip
            part = slice(plan.fine_starts[time], plan.fine_starts[time + 1])
            gain = place.gains.total[part]
            known = np.abs(gain) > CERTAIN * np.sqrt(place.gains.square[part])
            row[part][known] = np.where(gain[known] > 0, FULL, 0)
            place.own[part] = row[part].astype(np.float32) / FULL
            self.go_on()

    def weigh(self, place: TokenPlace, number: int, stage: int) -> None:
        """Find what a stage is worth to each player at some counts, if he is who replies."""
        game, plan = self.game, self.plans[stage]
        counts = counts_of(number, game.n, game.rules.target)
        coarse = slice(plan.starts[FIRST], plan.starts[SECOND])
        fine = slice(plan.fine_starts[FIRST], plan.fine_starts[SECOND])
        for mark, pot in enumerate(self.race.marks[game.sums[number]].tolist()):
            node = min(mark // 2, game.nodes - 2)
            for chances, part, mixed in (
                (self.known.chances, coarse, place.yes),
                (self.reply.chances, fine, place.own),
            ):
                mix_chances(chances, number, node, mark / 2 - node, part.start, part.stop, mixed)
            lots = max(int(self.share[0, number, node]) // (24 * LOT * game.n), WEIGHED)
            place.pays(self.race, stage, counts, pot)
            sums = np.zeros((2, game.n))
            apart = int(self.lots.kind.shape[1] // LOT // 2)
            weigh_stage(
                plan, place.yes, place.own, place.quiet, self.lots, stage * game.n,
                lot_of(game, stage, number, 0, self.lots) + apart, lots, place.pay, place.room,
                sums,
            )  # fmt: skip
            self.reply.worth[stage, number, mark] = sums[0] / (lots * LOT)
        self.go_on()


def coarser_tokens(game: Game, plans: list[Plan]) -> NDArray[np.int64]:
    """Return for each decision of who replies the one of the table with the same words."""
    return np.concatenate([coarser(game, plan, (FIRST, CHALLENGED)) for plan in plans])
