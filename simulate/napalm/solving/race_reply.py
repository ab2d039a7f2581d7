"""A best reply in whole games: trained backwards as the table was, on deals of its own.

Everybody else keeps to the table. The reply is a table itself, which tells hands apart more finely,
and says what the other says wherever it is not sure: so it is scored by playing games.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD, TWOS
from simulate.napalm.solving.induction import (
    FULL,
    WEIGHED,
    Game,
    Place,
    Solved,
    Stopped,
    Told,
    first_lot,
    sweep,
)
from simulate.napalm.solving.lots import LOT, Lots
from simulate.napalm.solving.race import Race, counts_of, marks_between, mix_chances
from simulate.napalm.solving.tree import last_stage, whole_deal
from simulate.napalm.solving.weighing import weigh_deals, weigh_lasts

CERTAIN = 2.0
"""By how many standard errors one word must have been better than the other to be chosen."""

LEAST_LOTS = 64


class ReplyTraining:
    """A best reply that is being trained.

    Attributes
    ----------
    game : Game
    solved : Solved
        What is replied to.
    reply : Solved
        The same of whoever replies, with hands told apart more finely: his chances, and what states
        are worth to him.
    share : ndarray of int64
        On how many deals it is trained: see `sweep`.
    """

    def __init__(
        self,
        game: Game,
        lots: Lots,
        thirds: Lots,
        solved: Solved,
        reply: Solved,
        share: NDArray[np.int64],
    ) -> None:
        self.game, self.lots, self.thirds = game, lots, thirds
        self.solved, self.reply, self.share = solved, reply, share
        self.race = Race(
            game.n, game.rules.target, reply.deals, reply.lasts, marks_between(game.pots)
        )
        coarse = coarser(game)
        third = game.plan.fine_starts[THIRD]
        for number in range(game.states):
            row = solved.chances[number][:, coarse]
            if not reply.deals_done[number]:
                reply.chances[number, :, :third] = row[:, :third]
            if not reply.lasts_done[number]:
                reply.chances[number, :, third:] = row[:, third:]
        self.ending = threading.Event()

    def run(self, threads: int, told: Told) -> bool:
        """Train what is missing, see `sweep`."""
        places = [Place(self.game, 1) for _ in range(threads)]
        works = (self.train_deals, self.train_lasts)
        ready = (self.reply.deals_done, self.reply.lasts_done)
        return sweep(self.game, self.share, works, ready, places, self.ending, told)

    def go_on(self) -> None:
        """Leave the thread if it is to end."""
        if self.ending.is_set():
            raise Stopped

    def choose(self, place: Place, number: int, node: int, start: int, stop: int) -> None:
        """Choose what was better, where that is certain enough."""
        gain, square = place.gains.total[start:stop], place.gains.square[start:stop]
        known = np.abs(gain) > CERTAIN * np.sqrt(square)
        row = self.reply.chances[number, node, start:stop]
        row[known] = np.where(gain[known] > 0, FULL, 0)
        place.own[start:stop] = row.astype(np.float32) / FULL

    def at_node(self, place: Place, number: int, node: int) -> None:
        """Take the chances at a node, and forget what was trained."""
        place.yes[:] = self.solved.chances[number, node].astype(np.float32) / FULL
        place.own[:] = self.reply.chances[number, node].astype(np.float32) / FULL
        place.gains.total[:] = 0.0
        place.gains.square[:] = 0.0

    def mix(self, place: Place, number: int, mark: int) -> None:
        """Take the chances at a mark."""
        node = min(mark // 2, self.game.nodes - 2)
        for chances, mixed in ((self.solved.chances, place.yes), (self.reply.chances, place.own)):
            mix_chances(chances, number, node, mark / 2 - node, 0, len(mixed), mixed)

    def train_deals(self, place: Place, number: int) -> None:
        """Train stages 1 and 2 at some counts, and find what a deal there is worth."""
        game, plan = self.game, self.game.plan
        counts = counts_of(number, game.n, game.rules.target)
        row = int(counts.sum())
        starts = plan.fine_starts
        whole = self.lots.kind.shape[1] // LOT
        for node in range(game.nodes):
            pot = float(game.pots[row, node])
            pay1 = place.pay(self.race, 0, counts, pot)
            pay2 = place.pay(self.race, 1, counts, pot)
            lots = max(int(self.share[0, number, node]) // (2 * LOT), LEAST_LOTS)
            first = first_lot(game, 0, number, node, self.lots)
            self.at_node(place, number, node)
            for late, (start, stop) in enumerate(
                ((starts[CHALLENGED], starts[THIRD]), (starts[FIRST], starts[CHALLENGED]))
            ):
                place.gains.total[:] = 0.0
                place.gains.square[:] = 0.0
                for which in range(first + late * lots, first + (late + 1) * lots):
                    turn = (which // whole + which) % game.n
                    whole_deal(
                        plan, place.yes, place.own, place.gains, self.lots, turn,
                        which % whole * LOT, 0.0, pay1, pay2, place.room,
                    )  # fmt: skip
                self.choose(place, number, node, start, stop)
                self.go_on()
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            self.mix(place, number, mark)
            node = min(mark // 2, game.nodes - 1)
            lots = max(int(self.share[0, number, node]) // (4 * LOT * game.n), WEIGHED // 2)
            sums = np.zeros((2, game.n))
            weigh_deals(
                plan, self.race, game.numbers, game.pots, self.solved.chances, place.quiet,
                place.yes, place.own, counts, pot, self.lots,
                first_lot(game, 1, number, node, self.lots) + mark, lots,
                place.pay(self.race, 0, counts, pot), place.pay(self.race, 1, counts, pot),
                game.key, place.room, place.then, sums,
            )  # fmt: skip
            self.reply.deals[number, mark] = sums[0] / (lots * LOT)
            self.go_on()
        self.reply.deals_done[number] = True

    def train_lasts(self, place: Place, number: int) -> None:
        """Train stage 3 at some counts, and find what it is worth."""
        game, plan = self.game, self.game.plan
        counts = counts_of(number, game.n, game.rules.target)
        row = int(counts.sum())
        whole = self.thirds.kind.shape[1] // LOT
        for node in range(game.nodes):
            pay = place.pay(self.race, 2, counts, float(game.pots[row, node]))
            lots = max(int(self.share[1, number, node]) // LOT, LEAST_LOTS)
            first = first_lot(game, 0, number, node, self.thirds)
            self.at_node(place, number, node)
            for which in range(first, first + lots):
                last_stage(
                    plan, place.yes, place.own, place.gains, self.thirds, which % whole * LOT,
                    0.0, pay, place.room,
                )  # fmt: skip
            self.choose(place, number, node, plan.fine_starts[THIRD], plan.fine_size)
            self.go_on()
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            self.mix(place, number, mark)
            node = min(mark // 2, game.nodes - 1)
            lots = max(int(self.share[1, number, node]) // (4 * LOT), 16)
            sums = np.zeros((2, game.n))
            weigh_lasts(
                plan, place.yes, place.own, place.quiet, self.thirds,
                first_lot(game, 1, number, node, self.thirds) + mark, lots,
                place.pay(self.race, 2, counts, pot), place.room, sums,
            )  # fmt: skip
            self.reply.lasts[number, mark] = sums[0] / (lots * LOT)
            self.go_on()
        self.reply.lasts_done[number] = True


def coarser(game: Game) -> NDArray[np.int64]:
    """Return for each decision of who replies the one of the table with the same words."""
    plan, found = game.plan, []
    among = np.searchsorted(game.edges, [0.0, *game.fine], "right")
    for time in range(4):
        fine = TWOS if time < SECOND else plan.fine
        classes = TWOS if time < SECOND else plan.classes
        kinds = np.arange(TWOS) if time < SECOND else among
        stop = plan.fine_starts[time + 1] if time < THIRD else plan.fine_size
        words = (stop - plan.fine_starts[time]) // fine
        found.append((plan.starts[time] + np.arange(words)[:, None] * classes + kinds).reshape(-1))
    return np.concatenate(found)
