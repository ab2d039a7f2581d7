"""A best reply in whole games: trained backwards as the table was, on deals of its own.

Everybody else keeps to the table. The reply is a table itself, which tells hands apart more finely,
and says what the other says wherever it is not sure: so it is scored by playing games.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.histories import CHALLENGED, FIRST, THIRD, TWOS
from simulate.napalm.solving.induction import (
    EACH,
    FULL,
    WEIGHED,
    Array,
    Brought,
    Game,
    Place,
    Solved,
    Stopped,
    Told,
    first_lot,
    parts,
    race_of,
    sweep,
)
from simulate.napalm.solving.lots import LOT, Lots
from simulate.napalm.solving.owners import mix_seats
from simulate.napalm.solving.tree import Plan, last_stage, whole_deal
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
        self.race = race_of(game, reply)
        coarse = coarser(game, game.plan, range(THIRD + 1))
        third = game.plan.fine_starts[THIRD]
        for row, state in enumerate(game.standings.of_row.tolist()):
            known = solved.chances[row][:, coarse]
            if not reply.deals_done[state]:
                reply.chances[row, :, :third] = known[:, :third]
            if not reply.lasts_done[state]:
                reply.chances[row, :, third:] = known[:, third:]
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

    def choose(
        self, rows: NDArray[np.int64], node: int, gained: Array, start: int, stop: int
    ) -> None:
        """Choose what was better, where that is certain enough."""
        for row, (gain, square) in zip(rows, gained[:, :, start:stop], strict=True):
            known = np.abs(gain) > CERTAIN * np.sqrt(square)
            chosen = self.reply.chances[row, node, start:stop]
            chosen[known] = np.where(gain[known] > 0, FULL, 0)

    def at_node(self, place: Place, rows: NDArray[np.int64], node: int) -> None:
        """Take the chances at a node, by the row of each position, and forget what was trained."""
        game = self.game
        for chances, taken, spans in (
            (self.solved.chances, place.yes, game.spans),
            (self.reply.chances, place.own, game.fine_spans),
        ):
            for position, start, stop in spans:
                row = chances[rows[position], node, start:stop]
                taken[start:stop] = row.astype(np.float32) / FULL
        place.gains.total[:] = 0.0
        place.gains.square[:] = 0.0

    def gain(self, place: Place, own: NDArray[np.int64], gained: Array) -> None:
        """Add what Yes brought more, and its squares, to the rows of those who said it."""
        for position, start, stop in self.game.fine_spans:
            gained[own[position], 0, start:stop] += place.gains.total[start:stop]
            gained[own[position], 1, start:stop] += place.gains.square[start:stop]

    def mix(self, place: Place, rows: NDArray[np.int64], mark: int) -> None:
        """Take the chances at a mark."""
        game, plan = self.game, self.game.plan
        node = min(mark // 2, game.nodes - 2)
        for chances, starts, classes, mixed in (
            (self.solved.chances, plan.starts, plan.classes, place.yes),
            (self.reply.chances, plan.fine_starts, plan.fine, place.own),
        ):
            mix_seats(starts, classes, game.n, chances, rows, node, mark / 2 - node, FIRST, mixed)

    def train_deals(self, place: Place, state: int) -> None:
        """Train stages 1 and 2 at some counts, and find what a deal there is worth."""
        game, plan, starts = self.game, self.game.plan, self.game.plan.fine_starts
        row, rows = int(game.sums[state]), game.standings.rows_of(state)
        whole = self.lots.kind.shape[1] // LOT
        for node in range(game.nodes):
            pot = float(game.pots[row, node])
            lots = max(int(self.share[0, state, node]) // (2 * LOT), LEAST_LOTS)
            first = first_lot(game, 0, state, node, self.lots)
            for start, stop in (
                (starts[CHALLENGED], starts[THIRD]), (starts[FIRST], starts[CHALLENGED]),
            ):  # fmt: skip
                gained = np.zeros((len(rows), 2, plan.fine_size))
                for counts, looked, own, part in parts(game, state, 0, 16 + node, lots, EACH):
                    self.at_node(place, looked, node)
                    pay1 = place.pay(self.race, 0, counts, pot)
                    pay2 = place.pay(self.race, 1, counts, pot)
                    for which in range(first, first + part):
                        turn = (which // whole + which) % game.n
                        whole_deal(
                            plan, place.yes, place.own, place.gains, self.lots, turn,
                            which % whole * LOT, 0.0, pay1, pay2, place.room,
                        )  # fmt: skip
                    self.gain(place, own, gained)
                    first += part
                    self.go_on()
                self.choose(rows, node, gained, start, stop)
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            node = min(mark // 2, game.nodes - 1)
            lots = max(int(self.share[0, state, node]) // (4 * LOT * game.n), WEIGHED // 2)
            first = first_lot(game, 1, state, node, self.lots) + mark
            brought = Brought(len(rows), game.n)
            for counts, looked, own, part in parts(game, state, 0, mark, lots, 2):
                self.mix(place, looked, mark)
                sums = np.zeros((2, game.n))
                weigh_deals(
                    plan, self.race, game.numbers, game.pots, self.solved.chances, place.quiet,
                    place.yes, place.own, counts, pot, self.lots, first, part,
                    place.pay(self.race, 0, counts, pot), place.pay(self.race, 1, counts, pot),
                    game.key, place.room, place.then, sums,
                )  # fmt: skip
                brought.add(own, sums, part * LOT)
                first += part
                self.go_on()
            self.reply.deals[rows, mark] = brought.mean
        self.reply.deals_done[state] = True

    def train_lasts(self, place: Place, state: int) -> None:
        """Train stage 3 at some counts, and find what it is worth."""
        game, plan = self.game, self.game.plan
        row, rows = int(game.sums[state]), game.standings.rows_of(state)
        whole = self.thirds.kind.shape[1] // LOT
        for node in range(game.nodes):
            pot = float(game.pots[row, node])
            lots = max(int(self.share[1, state, node]) // LOT, LEAST_LOTS)
            first = first_lot(game, 0, state, node, self.thirds)
            gained = np.zeros((len(rows), 2, plan.fine_size))
            for counts, looked, own, part in parts(game, state, 1, 16 + node, lots, EACH):
                self.at_node(place, looked, node)
                pay = place.pay(self.race, 2, counts, pot)
                for which in range(first, first + part):
                    last_stage(
                        plan, place.yes, place.own, place.gains, self.thirds, which % whole * LOT,
                        0.0, pay, place.room,
                    )  # fmt: skip
                self.gain(place, own, gained)
                first += part
                self.go_on()
            self.choose(rows, node, gained, plan.fine_starts[THIRD], plan.fine_size)
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            node = min(mark // 2, game.nodes - 1)
            lots = max(int(self.share[1, state, node]) // (4 * LOT), 16)
            first = first_lot(game, 1, state, node, self.thirds) + mark
            brought = Brought(len(rows), game.n)
            for counts, looked, own, part in parts(game, state, 1, mark, lots, game.n):
                self.mix(place, looked, mark)
                sums = np.zeros((2, game.n))
                weigh_lasts(
                    plan, place.yes, place.own, place.quiet, self.thirds, first, part,
                    place.pay(self.race, 2, counts, pot), place.room, sums,
                )  # fmt: skip
                brought.add(own, sums, part * LOT)
                first += part
                self.go_on()
            self.reply.lasts[rows, mark] = brought.mean
        self.reply.lasts_done[state] = True


def coarser(game: Game, plan: Plan, times: Sequence[int]) -> NDArray[np.int64]:
    """Return for each decision of who replies the one of the table with the same words."""
    found = []
    for time in times:
        kinds = np.arange(TWOS)
        if plan.kinds[time] != TWOS:
            kinds = np.searchsorted(game.edges, [0.0, *game.fine], "right")
        stop = plan.fine_starts[time + 1] if time < THIRD else plan.fine_size
        words = (stop - plan.fine_starts[time]) // plan.fine_kinds[time]
        each = plan.starts[time] + np.arange(words)[:, None] * plan.kinds[time] + kinds
        found.append(each.reshape(-1))
    return np.concatenate(found)
