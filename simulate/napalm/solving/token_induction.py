"""A whole game for tokens solved backwards, ring after ring of counts.

Tokens are collected by lone awards only, so a state leads to counts of a greater sum, or, where
nobody was alone at any stage, to the same counts in the next deal. Counts that become each other as
the deal goes round are solved together: last stages first, again and again, until what a deal is
worth agrees with what its last stage leads to. All rings of a sum are apart from each other: so
what is learned does not depend on threads.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.histories import FIRST, SECOND
from simulate.napalm.solving.induction import (
    CHUNK,
    FULL,
    PURE,
    ROUNDS,
    Game,
    Stopped,
    Told,
    share_out,
    sweep,
)
from simulate.napalm.solving.lots import LOT, Lots
from simulate.napalm.solving.race import counts_of, mix_chances
from simulate.napalm.solving.school import SLIP
from simulate.napalm.solving.study import Learner
from simulate.napalm.solving.token_race import (
    TokenRace,
    come_round,
    fill_token_pay,
    ring_of,
    token_race,
)
from simulate.napalm.solving.token_stage import stage_plans, study_stage, weigh_stage
from simulate.napalm.solving.token_weighing import Weigher
from simulate.napalm.solving.tree import Gains, Plan, make_room

SWEEPS = 8
"""How often the stages of a ring are gone through and learned."""

FEWEST = 8
"""How many lots of deals, in all seatings, a stage is weighed by at least, and four times as many
when it has been learned."""

SETTLING = 1
"""How often after that, only to see what they are worth."""

Array = NDArray[np.float64]


class KnownTokens(NamedTuple):
    """What is known of a game for tokens so far.

    Attributes
    ----------
    chances : ndarray of uint8, shape (states, nodes, size)
        The chance of Yes in 255ths, by counts and pot: see `stage_plans`.
    worth : ndarray of float64, shape (3, states, marks, n)
        See `TokenRace`.
    errors : ndarray of float64, shape (3, states, marks, n)
        The part of its standard error that comes from the deals of the stage itself.
    moved : ndarray of float64, shape (3, states, marks, n)
        By how much it changed when it was last looked at.
    again : ndarray of float32, shape (states, marks)
        How likely it is that nobody takes a token in a deal.
    done : ndarray of bool, shape (states,)
    """

    chances: NDArray[np.uint8]
    worth: Array
    errors: Array
    moved: Array
    again: NDArray[np.float32]
    done: NDArray[np.bool_]

    @property
    def deals(self) -> Array:
        """What a deal is worth whose antes are paid."""
        deals: Array = self.worth[0]
        return deals

    @property
    def error(self) -> Array:
        """Its standard error."""
        error: Array = self.errors[0]
        return error


def plans_of(game: Game) -> list[Plan]:
    """Lay out the decisions of each stage."""
    plan = game.plan
    return stage_plans(game.n, plan.classes, plan.fine, game.numbers.challenge)


def no_tokens_known(game: Game, fine: bool = False) -> KnownTokens:
    """Begin with nothing; where hands are told apart more finely, for a best reply."""
    plan = plans_of(game)[0]
    shape = 3, game.states, 2 * game.nodes - 1, game.n
    return KnownTokens(
        chances=np.zeros(
            (game.states, game.nodes, plan.fine_size if fine else plan.size), np.uint8
        ),
        worth=np.zeros(shape),
        errors=np.zeros(shape),
        moved=np.zeros(shape),
        again=np.zeros(shape[1:3], np.float32),
        done=np.zeros(game.states, np.bool_),
    )


class TokenPlace:
    """The work space of a thread; `apart` is 1 for a best reply, see `Gains`."""

    def __init__(self, game: Game, apart: int) -> None:
        n, plan = game.n, plans_of(game)[0]
        size, fine = plan.size, plan.fine_size
        self.room = make_room(n)
        self.yes, self.own = np.zeros(size, np.float32), np.zeros(fine, np.float32)
        self.gains = Gains(np.zeros(fine if apart else size), np.zeros(apart * fine), apart)
        self.quiet = Gains(np.zeros(0), np.zeros(0), apart)
        self.pay = np.zeros((1 << 2 * n) * n, np.float32)
        self.few = np.zeros(n, np.int64), np.zeros(n), np.zeros(n)
        self.rules = game.numbers

    def pays(self, race: TokenRace, stage: int, counts: NDArray[np.int64], pot: float) -> None:
        """Fill the table of what a stage brings, see `fill_token_pay`."""
        fill_token_pay(stage, counts, pot, race, self.rules, self.pay, *self.few)


def stages_of_ring(ring: list[int]) -> Iterator[tuple[int, int]]:
    """Go through the stages of a ring, the last ones first."""
    for stage in (2, 1, 0):
        for number in ring:
            yield stage, number


def lot_of(game: Game, stage: int, number: int, node: int, lots: Lots) -> int:
    """Choose where the deals of a stage begin."""
    return ((number * 3 + stage) * game.nodes + node) * 7919 % int(lots.kind.shape[1] // LOT)


class TokenInduction:
    """A game for tokens that is being solved.

    Attributes
    ----------
    game : Game
    lots : Lots
    known : KnownTokens
        Changed as it goes on.
    share : ndarray of int64, shape (1, states, nodes)
        From how many deals each state is learned, its three stages together.
    """

    def __init__(
        self, game: Game, lots: Lots, known: KnownTokens, share: NDArray[np.int64]
    ) -> None:
        self.game, self.lots, self.known, self.share = game, lots, known, share
        self.plans = plans_of(game)
        self.race = token_race(game.n, game.rules.target, known.worth, game.pots)
        self.ending = threading.Event()

    def run(self, threads: int, told: Told) -> bool:
        """Solve what is missing, see `sweep`."""
        places = [TokenPlace(self.game, 0) for _ in range(threads)]
        ready = (self.known.done,)
        return sweep(self.game, self.share, (self.solve_ring,), ready, places, self.ending, told)

    def go_on(self) -> None:
        """Leave the thread if it is to end."""
        if self.ending.is_set():
            raise Stopped

    def solve_ring(self, place: TokenPlace, number: int) -> None:
        """Learn the ring of counts whose least number this is, and what its states are worth."""
        game, known = self.game, self.known
        ring = ring_of(number, game.n, game.rules.target)
        if number != min(ring):
            return
        size = self.plans[0].size
        learners = {
            (each, node): Learner(
                np.full(size, 0.5, np.float32), np.zeros(2 * size), np.zeros(size)
            )
            for each in ring
            for node in range(game.nodes)
        }
        marks = self.race.marks[game.sums[number]]
        known.worth[0, ring] = marks[:, None] / game.n
        for time in range(SWEEPS + SETTLING):
            before = known.worth[:, ring]
            last = time >= SWEEPS - 1
            for stage, each in stages_of_ring(ring):
                if time < SWEEPS:
                    for node in range(game.nodes):
                        self.learn(place, each, stage, node, time, learners[each, node])
                if stage:
                    self.weigh(place, each, stage, last)
                else:
                    self.play_through(place, each, last)
            known.worth[0, ring] = come_round(
                known.worth[0, ring], before[0], known.again[ring], marks, game.n
            )
            known.moved[:, ring] = known.worth[:, ring] - before
        known.done[ring] = True

    def learn(
        self, place: TokenPlace, number: int, stage: int, node: int, time: int, learner: Learner
    ) -> None:
        """Learn a stage at some counts and pot, for the `time`-th time."""
        game, plan = self.game, self.plans[stage]
        counts = counts_of(number, game.n, game.rules.target)
        count = int(self.share[0, number, node]) // (3 * LOT)
        batch = max(round(count / ROUNDS), 1)
        rounds = max(count // batch, SWEEPS)
        end = rounds * (time + 1) // SWEEPS
        place.pays(self.race, stage, counts, float(game.pots[game.sums[number], node]))
        step = max(CHUNK // (batch * LOT), 1)
        for round_ in range(rounds * time // SWEEPS, end, step):
            study_stage(
                plan, learner, place.gains, self.lots, stage * game.n,
                lot_of(game, stage, number, node, self.lots), batch, round_,
                min(round_ + step, end), SLIP, place.pay, place.room,
            )  # fmt: skip
            self.go_on()
        here = slice(plan.starts[FIRST], plan.starts[SECOND])
        chances = learner.average[here] / (np.arange(1.0, end + 1.0) ** 2).sum()
        chances = np.where(chances < PURE, 0.0, np.where(chances > 1 - PURE, 1.0, chances))
        self.known.chances[number, node, here] = np.rint(chances * FULL)

    def play_through(self, place: TokenPlace, number: int, last: bool) -> None:
        """Find what a deal is worth at some counts, with the hands that come to each stage."""
        game, known = self.game, self.known
        counts = counts_of(number, game.n, game.rules.target)
        weigher = Weigher(game, self.plans, self.race, known.chances, self.lots, place)
        for mark, pot in enumerate(self.race.marks[game.sums[number]].tolist()):
            node = min(mark // 2, game.nodes - 2)
            lots = max(int(self.share[0, number, node]) // (48 * LOT * game.n), FEWEST)
            lots *= 4 if last else 1
            first = lot_of(game, 0, number, 0, self.lots) + self.lots.kind.shape[1] // LOT // 2
            key = game.key ^ np.uint64((number + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
            mean, error, again = weigher.weigh(counts, pot, first, lots, key)
            known.worth[0, number, mark], known.errors[0, number, mark] = mean, error
            known.again[number, mark] = again
            self.go_on()

    def weigh(self, place: TokenPlace, number: int, stage: int, last: bool) -> None:
        """Find what a stage is worth at some counts, on hands as they are dealt."""
        game, plan = self.game, self.plans[stage]
        counts = counts_of(number, game.n, game.rules.target)
        for mark, pot in enumerate(self.race.marks[game.sums[number]].tolist()):
            node = min(mark // 2, game.nodes - 2)
            mix_chances(
                self.known.chances, number, node, mark / 2 - node, plan.starts[FIRST],
                plan.starts[SECOND], place.yes,
            )  # fmt: skip
            lots = max(int(self.share[0, number, node]) // (48 * LOT * game.n), FEWEST)
            lots *= 4 if last else 1
            place.pays(self.race, stage, counts, pot)
            sums = np.zeros((2, game.n))
            apart = int(self.lots.kind.shape[1] // LOT // 2)
            weigh_stage(
                plan, place.yes, place.yes, place.quiet, self.lots, stage * game.n,
                lot_of(game, stage, number, 0, self.lots) + apart, lots, place.pay, place.room,
                sums,
            )  # fmt: skip
            mean, square = sums / (lots * LOT)
            self.known.worth[stage, number, mark] = mean
            spread = np.sqrt(np.maximum(square - mean**2, 0.0) / (lots * LOT))
            self.known.errors[stage, number, mark] = spread
        self.go_on()


def shared_tokens(game: Game, deals: int, least: int) -> NDArray[np.int64]:
    """Share deals out among the states, more to those that are met more often.

    How often is guessed: as if each token fell to anybody alike.
    """
    often = np.zeros((game.states, game.nodes))
    often[0] = 1.0
    target, n = game.rules.target, game.n
    for number in np.argsort(game.sums, kind="stable"):
        for position, count in enumerate(counts_of(int(number), n, target)):
            if count + 1 < target:
                often[number + target**position] += often[number] / n
    return share_out(often[None], deals, least)
