"""A whole game solved backwards: states with most stakes collected first, each on those behind it.

Of counts with the same sum the deals are learned first, then the stages 3 that follow a stage 2:
what comes after a deal has a greater sum, or the deal was one in which nobody took anything at
stage 3. All states of a step are learned apart from each other: so what is learned does not depend
on threads.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.rules import KernelRules, NapalmRules, kernel_rules
from simulate.napalm.solving.classes import edges_of
from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.histories import THIRD, TWOS
from simulate.napalm.solving.lots import LOT, Lots, draw_thirds, empty_lots, keep_lots
from simulate.napalm.solving.race import (
    Race,
    counts_of,
    fill_pay,
    marks_between,
    mix_chances,
    pots,
)
from simulate.napalm.solving.school import CLASSES, POWER, SLIP, SOLVER, Desk, Setting
from simulate.napalm.solving.study import Learner, study_deals, study_last
from simulate.napalm.solving.tree import Gains, Plan, make_plan, make_room
from simulate.napalm.solving.walk import Met, make_steps, nothing_met, walk_games
from simulate.napalm.solving.weighing import make_afterwards, weigh_deals, weigh_lasts
from simulate.rng import fold_seed

NODES = 3
"""At how many pots play is learned, for each sum of counts."""

POOL = 1 << 17
"""How many deals are drawn; each serves in all seatings."""

FINER = 70
"""How many classes of hands a best reply tells apart more, at stages 2 and 3."""

ROUNDS = 1000
"""In how many rounds a state is learned, where there are deals enough."""

LEAST = 4096
"""The fewest deals that a state is learned from, where there are deals enough."""

WEIGHED = 16
"""How many lots of deals, in all seatings, a state is weighed by at least."""

POWER_OF_VISITS = 0.6
"""How the deals that a state is learned from grow with how often it is met."""

GAMES = 100_000
"""Games that are played to see that."""

PLAIN = 55
"""Hands of two cards below this, those without a pair, an ace or a king, say No in a first guess of
who comes to stage 3."""

PURE = 0.1
"""A chance this near to 0 or 1 is taken for it: what is left is more often noise than mixing."""

FULL = 255

CHUNK = 1 << 17
"""Deals after which Ctrl-C is heard."""

Told = Callable[[int], bool]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Game:
    """The game that is solved.

    Attributes
    ----------
    rules : NapalmRules
    n : int
        Number of players.
    seed : int
    nodes : int
        See `NODES`.
    pool : int
        See `POOL`.
    """

    rules: NapalmRules
    n: int
    seed: int
    nodes: int = NODES
    pool: int = POOL
    edges: NDArray[np.float64] = field(default_factory=lambda: edges_of(CLASSES, POWER))

    @cached_property
    def fine(self) -> NDArray[np.float64]:
        """Where classes begin for a best reply: where they do for the solver, and between."""
        return np.union1d(self.edges, edges_of(FINER, 1.0))

    @cached_property
    def plan(self) -> Plan:
        """Where the decisions of a state stand."""
        return make_plan(
            self.n, len(self.edges) + 1, len(self.fine) + 1, self.rules.stage1.challenge
        )

    @cached_property
    def numbers(self) -> KernelRules:
        """The rules as compiled code takes them."""
        return kernel_rules(self.rules)

    @property
    def states(self) -> int:
        """How many counts there are."""
        return int(self.rules.target**self.n)

    @cached_property
    def pots(self) -> Array:
        """The pots at which play is learned, by the sum of counts."""
        return pots(self.n, self.rules.target, self.nodes)

    @cached_property
    def sums(self) -> NDArray[np.int64]:
        """The sum of counts of each state."""
        return np.array([counts_of(c, self.n, self.rules.target).sum() for c in range(self.states)])

    @property
    def key(self) -> np.uint64:
        """What coins are tossed by."""
        return np.uint64(fold_seed(self.seed) ^ SOLVER)

    def draw(self, first: int = 0) -> Lots:
        """Draw deals, from number `first` on."""
        setting = Setting(
            self.rules, self.n, self.seed, edges=(self.edges,) * 2, fine=(self.fine,) * 2
        )
        desk, lots = Desk(setting), empty_lots(3 * self.n, self.pool)
        for start in range(0, self.pool, BLOCK):
            for task in desk.tasks(first + start):
                task()
            keep_lots(desk.deals.kind, desk.deals.fine, desk.deals.value, self.n, lots, start)
        return lots

    def thirds(self, lots: Lots, yes: NDArray[np.float32]) -> Lots:
        """Choose deals that come to stage 3, for these chances of a first Yes."""
        found = empty_lots(self.n, self.pool)
        number = draw_thirds(lots, yes, TWOS, self.n, self.key, found)
        number = max(number // LOT, 1) * LOT
        return Lots(*(np.ascontiguousarray(columns[:, :number]) for columns in found))


class Solved(NamedTuple):
    """What is known of a game so far.

    Attributes
    ----------
    chances : ndarray of uint8, shape (states, nodes, size)
        The chance of Yes in 255ths, by counts and pot: see `Plan`.
    deals, lasts : ndarray of float64, shape (states, marks, n)
        See `Race`.
    error : ndarray of float64, shape (states, marks, n)
        The standard error of `deals` that comes from the deals of its own state.
    deals_done, lasts_done : ndarray of bool, shape (states,)
    """

    chances: NDArray[np.uint8]
    deals: Array
    lasts: Array
    error: Array
    deals_done: NDArray[np.bool_]
    lasts_done: NDArray[np.bool_]


def nothing_known(game: Game, fine: bool = False) -> Solved:
    """Begin with nothing; where hands are told apart more finely, for a best reply."""
    size = game.plan.fine_size if fine else game.plan.size
    shape = game.states, 2 * game.nodes - 1, game.n
    return Solved(
        chances=np.zeros((game.states, game.nodes, size), np.uint8),
        deals=np.zeros(shape),
        lasts=np.zeros(shape),
        error=np.zeros(shape),
        deals_done=np.zeros(game.states, np.bool_),
        lasts_done=np.zeros(game.states, np.bool_),
    )


class Place:
    """The work space of a thread."""

    def __init__(self, game: Game, apart: int) -> None:
        n, size, fine = game.n, game.plan.size, game.plan.fine_size
        self.room = make_room(n)
        self.then = make_afterwards(n, size)
        self.yes, self.own = np.zeros(size, np.float32), np.zeros(fine, np.float32)
        self.gains = Gains(np.zeros(fine if apart else size), np.zeros(apart * fine), apart)
        self.quiet = Gains(np.zeros(0), np.zeros(0), apart)
        self.learner = Learner(np.zeros(size, np.float32), np.zeros(2 * size), np.zeros(size))
        self.pays = [np.zeros((1 << 2 * n) * n, np.float32) for _ in range(3)]
        self.few = np.zeros(n, np.int64), np.zeros(n), np.zeros(n), np.zeros(n)
        self.rules = game.numbers

    def pay(
        self, race: Race, stage: int, counts: NDArray[np.int64], pot: float
    ) -> NDArray[np.float32]:
        """Fill the table of what a stage brings, see `fill_pay`."""
        fill_pay(stage, counts, pot, race, self.rules, self.pays[stage], *self.few)
        return self.pays[stage]


class Stopped(Exception):
    """Raised in threads that are to end."""


def first_lot(game: Game, kind: int, number: int, node: int, lots: Lots) -> int:
    """Choose where the deals of a state begin."""
    return (2 * (number * game.nodes + node) + kind) * 7919 % int(lots.kind.shape[1] // LOT)


def sweep(
    game: Game,
    share: NDArray[np.int64],
    works: Sequence[Callable[[Place, int], None]],
    ready: Sequence[NDArray[np.bool_]],
    places: Sequence[Place],
    ending: threading.Event,
    told: Told,
) -> bool:
    """Do all work of a game, in as many threads as there are places.

    Parameters
    ----------
    game : Game
    share : ndarray of int64, shape (2, states, nodes)
        How many deals belong to whole deals, and to stages 3, of each state.
    works, ready : sequence of 2
        What is done for them, and where it has been done: then it is not done again.
    places : sequence of Place
    ending : Event
        Set where threads are to end.
    told : callable
        Called now and then, with the deals of all states that are done; returns whether to stop.

    Returns
    -------
    bool
        Whether all is done.
    """
    free: queue.SimpleQueue[Place] = queue.SimpleQueue()
    for place in places:
        free.put(place)

    def task(work: Callable[[Place, int], None], number: int) -> None:
        place = free.get()
        try:
            work(place, number)
        finally:
            free.put(place)

    done = 0
    with ThreadPoolExecutor(len(places)) as pool:
        for total in range(int(game.sums[-1]), -1, -1):
            level = np.flatnonzero(game.sums == total)
            for kind, work in enumerate(works):
                there = ready[kind][level]
                done += int(share[kind, level[there]].sum())
                futures = {
                    pool.submit(task, work, number): number for number in level[~there].tolist()
                }
                missing = set(futures)
                try:
                    while missing:
                        ended, missing = wait(missing, 0.2, FIRST_COMPLETED)
                        for future in ended:
                            future.result()
                            done += int(share[kind, futures[future]].sum())
                        if told(done):
                            return False
                finally:
                    if missing:
                        ending.set()
                        for future in missing:
                            future.cancel()
                        wait(missing)
                        ending.clear()
    return True


class Induction:
    """A game that is being solved.

    Attributes
    ----------
    game : Game
    lots, thirds : Lots
        Deals, and hands of stage 3 of deals that come to it.
    solved : Solved
        Changed as it goes on.
    share : ndarray of int64, shape (2, states, nodes)
        From how many deals each state is learned: whole deals, and stages 3.
    """

    def __init__(
        self, game: Game, lots: Lots, thirds: Lots, solved: Solved, share: NDArray[np.int64]
    ) -> None:
        self.game, self.lots, self.thirds = game, lots, thirds
        self.solved, self.share = solved, share
        self.race = Race(
            game.n, game.rules.target, solved.deals, solved.lasts, marks_between(game.pots)
        )
        self.ending = threading.Event()

    def run(self, threads: int, told: Told) -> bool:
        """Solve what is missing, see `sweep`."""
        ready = (self.solved.deals_done, self.solved.lasts_done)
        works = (self.solve_deals, self.solve_lasts)
        places = [Place(self.game, 0) for _ in range(threads)]
        return sweep(self.game, self.share, works, ready, places, self.ending, told)

    def go_on(self) -> None:
        """Leave the thread if it is to end."""
        if self.ending.is_set():
            raise Stopped

    def begin(
        self,
        place: Place,
        start: int,
        stop: int,
        node: int,
        before: tuple[int, int],
        now: tuple[int, int],
    ) -> int:
        """Make a learner ready: from nothing, or from what was learned at the next pot.

        Returns
        -------
        int
            The first round: what was learned before counts as much as the rounds up to it.
        """
        learner = place.learner
        learner.average[start:stop] = 0.0
        if node == self.game.nodes - 1:
            learner.yes[start:stop] = 0.5
            learner.regret[2 * start : 2 * stop] = 0.0
            return 0
        first = now[0] // 3
        learner.regret[2 * start : 2 * stop] *= (first / before[1]) ** 2 * now[1] / before[0]
        return first

    def learn(
        self,
        place: Place,
        kind: int,
        number: int,
        study: Callable[..., None],
        lots: Lots,
        pays: Callable[[float], tuple[NDArray[np.float32], ...]],
        start: int,
        stop: int,
    ) -> None:
        """Learn one kind of decisions of a state at all nodes, that of the greatest pot first."""
        game, learner = self.game, place.learner
        before = (1, 1)
        for node in range(game.nodes - 1, -1, -1):
            count = int(self.share[kind, number, node]) // LOT
            batch = max(round(count / ROUNDS), 1)
            rounds = max(count // batch, 1)
            first = self.begin(place, start, stop, node, before, (rounds, batch))
            end = first + rounds
            lot = first_lot(game, kind, number, node, lots)
            given = pays(float(game.pots[game.sums[number], node]))
            step = max(CHUNK // (batch * LOT), 1)
            for round_ in range(first, end, step):
                study(
                    game.plan, learner, place.gains, lots, lot, batch, round_,
                    min(round_ + step, end), SLIP, *given, place.room,
                )  # fmt: skip
                self.go_on()
            weights = np.arange(first + 1.0, end + 1.0) ** 2
            chances = learner.average[start:stop] / weights.sum()
            chances = np.where(chances < PURE, 0.0, np.where(chances > 1 - PURE, 1.0, chances))
            self.solved.chances[number, node, start:stop] = np.rint(chances * FULL)
            before = (batch, end)

    def solve_deals(self, place: Place, number: int) -> None:
        """Learn stages 1 and 2 at some counts, and what a deal there is worth."""
        game, plan = self.game, self.game.plan
        counts = counts_of(number, game.n, game.rules.target)
        row = int(counts.sum())

        def pays(pot: float) -> tuple[NDArray[np.float32], ...]:
            return place.pay(self.race, 0, counts, pot), place.pay(self.race, 1, counts, pot)

        self.learn(place, 0, number, study_deals, self.lots, pays, 0, plan.starts[THIRD])
        place.gains.total[:] = 0.0
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            node = min(mark // 2, game.nodes - 2)
            mix_chances(self.solved.chances, number, node, mark / 2 - node, 0, plan.size, place.yes)
            lots = max(int(self.share[0, number, node]) // (2 * LOT * game.n), WEIGHED)
            sums = np.zeros((2, game.n))
            key = game.key ^ np.uint64((number * 64 + mark + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
            first = first_lot(game, 0, number, node, self.lots) + self.apart(self.lots) + mark
            pays(pot)
            weigh_deals(
                plan, self.race, game.numbers, game.pots, self.solved.chances, place.quiet,
                place.yes, place.yes, counts, pot, self.lots, first, lots,
                place.pays[0], place.pays[1], key, place.room,
                place.then, sums,
            )  # fmt: skip
            solved = self.solved
            self.keep(sums, lots * LOT, solved.deals[number, mark], solved.error[number, mark])
            self.go_on()
        self.solved.deals_done[number] = True

    @staticmethod
    def apart(lots: Lots) -> int:
        """How many lots lie between those that are learned from and those that are weighed."""
        return int(lots.kind.shape[1] // LOT // 2)

    @staticmethod
    def keep(sums: Array, deals: int, mean: Array, error: Array) -> None:
        """Keep what deals brought on average, and its standard error."""
        mean[:] = sums[0] / deals
        error[:] = np.sqrt(np.maximum(sums[1] / deals - mean**2, 0.0) / deals)

    def solve_lasts(self, place: Place, number: int) -> None:
        """Learn stage 3 at some counts, and what it is worth."""
        game, plan = self.game, self.game.plan
        counts = counts_of(number, game.n, game.rules.target)
        row = int(counts.sum())

        def pays(pot: float) -> tuple[NDArray[np.float32], ...]:
            return (place.pay(self.race, 2, counts, pot),)

        start = plan.starts[THIRD]
        self.learn(place, 1, number, study_last, self.thirds, pays, start, plan.size)
        place.gains.total[:] = 0.0
        error = np.zeros(game.n)
        for mark, pot in enumerate(self.race.marks[row].tolist()):
            node = min(mark // 2, game.nodes - 2)
            mix_chances(
                self.solved.chances, number, node, mark / 2 - node, start, plan.size, place.yes
            )
            lots = max(int(self.share[1, number, node]) // (2 * LOT), 4 * WEIGHED)
            sums, [pay] = np.zeros((2, game.n)), pays(pot)
            weigh_lasts(
                plan, place.yes, place.yes, place.quiet, self.thirds,
                first_lot(game, 1, number, node, self.thirds) + self.apart(self.thirds) + mark,
                lots, pay, place.room, sums,
            )  # fmt: skip
            self.keep(sums, lots * LOT, self.solved.lasts[number, mark], error)
            self.go_on()
        self.solved.lasts_done[number] = True


class Look(NamedTuple):
    """What a first look tells.

    Attributes
    ----------
    often : ndarray of float64, shape (2, states, nodes)
        How often whole deals, and stages 3 after a Yes, were met at each state and pot.
    first : ndarray of float64, shape (words * 91,)
        The chances of a first Yes, averaged over the deals that are played.
    """

    often: Array
    first: Array


def look(game: Game, lots: Lots, least: int, threads: int, told: Told) -> Look | None:
    """Solve a game from few deals of each state, and play it, to see which states matter.

    Returns
    -------
    Look or None
        None if it was stopped.
    """
    guess = np.tile(np.where(np.arange(TWOS) < PLAIN, 0.05, 0.95), (1 << game.n) - 1)
    solved = nothing_known(game)
    share = np.full((2, game.states, game.nodes), least)
    thirds = game.thirds(lots, guess.astype(np.float32))
    if not Induction(game, lots, thirds, solved, share).run(threads, told):
        return None
    met = visits(game, solved, lots)
    first = solved.chances[:, :, : len(guess)] / FULL
    return Look(
        np.stack([met.deals, met.lasts]),
        np.tensordot(met.deals, first, 2) / max(met.deals.sum(), 1.0),
    )


def visits(game: Game, solved: Solved, lots: Lots, games: int = GAMES) -> Met:
    """Play games, and count how often each state is met."""
    met = nothing_met(game.states, game.nodes, game.n)
    race = Race(game.n, game.rules.target, solved.deals, solved.lasts, marks_between(game.pots))
    steps = make_steps(game.n)
    for start in range(0, games, GAMES // 20):
        stop = min(start + GAMES // 20, games)
        walk_games(
            game.plan, race, game.numbers, game.pots, solved.chances, lots, game.key, start, stop,
            steps, met,
        )  # fmt: skip
    return met


def fewest(game: Game, deals: int) -> int:
    """Return how many deals each state is learned from at least."""
    return min(LEAST, max(deals // (2 * game.states * game.nodes) // LOT, 1) * LOT)


def share_out(often: Array, deals: int, least: int) -> NDArray[np.int64]:
    """Share deals out among the states, more to those that are met more often."""
    weight = often**POWER_OF_VISITS
    share = weight * (deals / weight.sum())
    shared: NDArray[np.int64] = np.maximum(share, least).astype(np.int64) // LOT * LOT
    return shared
