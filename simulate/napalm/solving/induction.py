"""A whole game solved backwards: states with most stakes collected first, each on those behind it.

Of counts with the same sum the deals are learned first, then the stages 3 that follow a stage 2:
what comes after a deal has a greater sum, or the deal was one in which nobody took anything at
stage 3. All states of a step are learned apart from each other: so what is learned does not depend
on threads.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.rules import KernelRules, NapalmRules, kernel_rules
from simulate.napalm.solving.classes import edges_of
from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.histories import FIRST, THIRD, TWOS
from simulate.napalm.solving.lots import LOT, Lots, draw_thirds, empty_lots, keep_lots
from simulate.napalm.solving.owners import Span, mix_seats, spans
from simulate.napalm.solving.race import Race, fill_pay, marks_between, pots
from simulate.napalm.solving.school import CLASSES, POWER, SLIP, SOLVER, Desk, Setting
from simulate.napalm.solving.standings import Standings
from simulate.napalm.solving.study import Learner, Owners, study_deals, study_last
from simulate.napalm.solving.token_race import token_pots
from simulate.napalm.solving.tree import Gains, Plan, make_plan, make_room
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

POWER_OF_VISITS = 0.6
"""How the deals that a state is learned from grow with how often it is met."""

WEIGHED = 16
"""How many lots of deals, in all seatings, a state is weighed by at least."""

SELDOM = 4
"""How many times fewer deals a state is weighed by where it is left out who sits where: each is
met in many ways, and is one of few."""

EACH = 16
"""Lots of deals from which a way is learned at a time, where it is left out who sits where."""

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
    seated : bool
        Whether players look at who sits where, see `strategies.standing`.
    """

    rules: NapalmRules
    n: int
    seed: int
    nodes: int = NODES
    pool: int = POOL
    seated: bool = True
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

    @cached_property
    def standings(self) -> Standings:
        """The states of the race, and how the counts may lie in each."""
        return Standings(self.n, self.rules.target, self.seated, self.key)

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.standings.counts)

    @property
    def sums(self) -> NDArray[np.int64]:
        """The sum of counts of each state."""
        sums: NDArray[np.int64] = self.standings.sums
        return sums

    @cached_property
    def spans(self) -> list[Span]:
        """Whose decisions stand where in a row of chances."""
        return spans(self.plan.starts, self.plan.classes, self.n)

    @cached_property
    def fine_spans(self) -> list[Span]:
        """The same for a best reply."""
        return spans(self.plan.fine_starts, self.plan.fine, self.n)

    @cached_property
    def pots(self) -> Array:
        """The pots at which play is learned, by the sum of counts."""
        if self.rules.currency == "tokens":
            return token_pots(self.n, self.rules.target, self.nodes)
        return pots(self.n, self.rules.target, self.nodes)

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
    chances : ndarray of uint8, shape (rows, nodes, size)
        The chance of Yes in 255ths, by counts and pot: see `Plan`.
    deals, lasts : ndarray of float64, shape (rows, marks, n)
        See `Race`.
    error : ndarray of float64, shape (rows, marks, n)
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
    states, rows = game.states, game.standings.rows
    shape = rows, 2 * game.nodes - 1, game.n
    return Solved(
        chances=np.zeros((rows, game.nodes, size), np.uint8),
        deals=np.zeros(shape),
        lasts=np.zeros(shape),
        error=np.zeros(shape),
        deals_done=np.zeros(states, np.bool_),
        lasts_done=np.zeros(states, np.bool_),
    )


def race_of(game: Game, solved: Solved) -> Race:
    """Tell compiled code what is known of the race."""
    standing, marks = game.standings.standing, marks_between(game.pots)
    return Race(game.n, game.rules.target, solved.deals, solved.lasts, marks, *standing)


class Brought:
    """What deals brought to whoever looks at one of a state's rows, by row and position."""

    def __init__(self, rows: int, n: int) -> None:
        self.sums, self.deals = np.zeros((2, rows, n)), np.zeros((rows, n))

    def add(self, own: NDArray[np.int64], sums: Array, deals: int) -> None:
        """Add what so many deals brought each position, and its squares (see `Ways.own`)."""
        at = own, np.arange(len(own))
        self.sums[(slice(None), *at)] += sums
        self.deals[at] += deals

    @property
    def mean(self) -> Array:
        """What a deal brought on average."""
        found: Array = self.sums[0] / self.deals
        return found

    @property
    def error(self) -> Array:
        """The standard error of that."""
        spread = np.maximum(self.sums[1] / self.deals - self.mean**2, 0.0)
        found: Array = np.sqrt(spread / self.deals)
        return found


class Place:
    """The work space of a thread."""

    def __init__(self, game: Game, apart: int) -> None:
        n, size, fine = game.n, game.plan.size, game.plan.fine_size
        self.room = make_room(n)
        self.then = make_afterwards(n, size)
        self.yes, self.own = np.zeros(size, np.float32), np.zeros(fine, np.float32)
        self.gains = Gains(np.zeros(fine if apart else size), np.zeros(apart * fine), apart)
        self.quiet = Gains(np.zeros(0), np.zeros(0), apart)
        rows = game.standings.most_rows
        self.learner = Learner(
            np.zeros(rows * size, np.float32), np.zeros(2 * rows * size), np.zeros(rows * size)
        )
        self.counted = np.zeros((rows, n))
        self.pays = np.zeros((3, game.standings.ways, (1 << 2 * n) * n), np.float32)
        self.few = np.zeros(n, np.int64), np.zeros(n), np.zeros(n), np.zeros(n)
        self.rules = game.numbers

    def pay(
        self, race: Race, stage: int, counts: NDArray[np.int64], pot: float, way: int = 0
    ) -> NDArray[np.float32]:
        """Fill a table of what a stage brings, see `fill_pay`."""
        pay: NDArray[np.float32] = self.pays[stage, way]
        fill_pay(stage, counts, pot, race, self.rules, pay, *self.few)
        return pay


AnyPlace = TypeVar("AnyPlace")


class Stopped(Exception):
    """Raised in threads that are to end."""


def first_lot(game: Game, kind: int, number: int, node: int, lots: Lots) -> int:
    """Choose where the deals of a state begin."""
    return (2 * (number * game.nodes + node) + kind) * 7919 % int(lots.kind.shape[1] // LOT)


def sweep(
    game: Game,
    share: NDArray[np.int64],
    works: Sequence[Callable[[AnyPlace, int], None]],
    ready: Sequence[NDArray[np.bool_]],
    places: Sequence[AnyPlace],
    ending: threading.Event,
    told: Told,
) -> bool:
    """Do all work of a game, in as many threads as there are places.

    Parameters
    ----------
    game : Game
    share : ndarray of int64, shape (works, states, nodes)
        How many deals belong to each work of each state: to whole deals, and to stages 3.
    works, ready : sequence
        What is done for a state, and where it has been done: then it is not done again.
    places : sequence
        A work space for each thread.
    ending : Event
        Set where threads are to end.
    told : callable
        Called now and then, with the deals of all states that are done; returns whether to stop.

    Returns
    -------
    bool
        Whether all is done.
    """
    free: queue.SimpleQueue[AnyPlace] = queue.SimpleQueue()
    for place in places:
        free.put(place)

    def task(work: Callable[[AnyPlace, int], None], number: int) -> None:
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
        self.race = race_of(game, solved)
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
        learner, size = place.learner, self.game.plan.size
        learner.average.reshape(-1, size)[:, start:stop] = 0.0
        place.counted[:] = 0.0
        regret = learner.regret.reshape(-1, 2 * size)[:, 2 * start : 2 * stop]
        if node == self.game.nodes - 1:
            learner.yes.reshape(-1, size)[:, start:stop] = 0.5
            regret[:] = 0.0
            return 0
        first = now[0] // 3
        regret *= (first / before[1]) ** 2 * now[1] / before[0]
        return first

    def learn(
        self, place: Place, kind: int, state: int, study: Callable[..., None], lots: Lots
    ) -> None:
        """Learn one kind of decisions of a state at all nodes, that of the greatest pot first.

        Parameters
        ----------
        place : Place
        kind : int
            0 for stages 1 and 2, 1 for stage 3.
        state : int
        study : callable
            `study_deals` or `study_last`.
        lots : Lots
        """
        game, ways, third = self.game, self.game.standings.ways, self.game.plan.starts[THIRD]
        start, stop, stages = (third, game.plan.size, (2,)) if kind else (0, third, (0, 1))
        before = (1, 1)
        for node in range(game.nodes - 1, -1, -1):
            pot = float(game.pots[game.sums[state], node])
            count = int(self.share[kind, state, node]) // LOT
            batch = max(round(count / ROUNDS), 1)
            rounds = max(count // batch, ways)
            first = self.begin(place, start, stop, node, before, (rounds, batch))
            end = first + rounds
            lot = first_lot(game, kind, state, node, lots)
            step = max((CHUNK // LOT if ways == 1 else ways * EACH) // (batch * ways), 1) * ways
            for block, round_ in enumerate(range(first, end, step)):
                drawn = game.standings.draw(state, (2 * node + kind) << 16 | block)
                for way, counts in enumerate(drawn.counts):
                    for stage in stages:
                        place.pay(self.race, stage, counts, pot, way)
                owners = Owners(drawn.own, place.counted, place.yes)
                study(
                    game.plan, place.learner, owners, place.gains, lots, lot, batch, round_,
                    min(round_ + step, end), SLIP, *(place.pays[stage] for stage in stages),
                    place.room,
                )  # fmt: skip
                self.go_on()
            self.keep(place, kind, state, node)
            before = (batch, end)

    def keep(self, place: Place, kind: int, state: int, node: int) -> None:
        """Keep the chances that were learned on average."""
        learner, size = place.learner, self.game.plan.size
        average = learner.average.reshape(-1, size)
        first = self.game.plan.starts[THIRD]
        for own, row in enumerate(self.game.standings.rows_of(state)):
            for position, start, stop in self.game.spans:
                if (start >= first) != bool(kind):
                    continue
                chances = average[own, start:stop] / place.counted[own, position]
                chances = np.where(chances < PURE, 0.0, np.where(chances > 1 - PURE, 1.0, chances))
                self.solved.chances[row, node, start:stop] = np.rint(chances * FULL)

    def mix(self, place: Place, rows: NDArray[np.int64], mark: int, first: int) -> None:
        """Take everybody's chances at a mark from his row, of words from time `first` on."""
        game, plan = self.game, self.game.plan
        node = min(mark // 2, game.nodes - 2)
        mix_seats(
            plan.starts, plan.classes, game.n, self.solved.chances, rows, node, mark / 2 - node,
            first, place.yes,
        )  # fmt: skip

    def solve_deals(self, place: Place, state: int) -> None:
        """Learn stages 1 and 2 at some counts, and what a deal there is worth."""
        game, solved = self.game, self.solved
        self.learn(place, 0, state, study_deals, self.lots)
        place.gains.total[:] = 0.0
        rows = game.standings.rows_of(state)
        for mark, pot in enumerate(self.race.marks[game.sums[state]].tolist()):
            node = min(mark // 2, game.nodes - 2)
            lots = max(self.weighed_from(0, state, node) // (2 * LOT * game.n), WEIGHED)
            key = game.key ^ np.uint64((state * 64 + mark + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
            first = first_lot(game, 0, state, node, self.lots) + self.apart(self.lots) + mark
            brought = Brought(len(rows), game.n)
            for counts, looked, own, part in parts(game, state, 0, mark, lots, 2):
                self.mix(place, looked, mark, FIRST)
                sums = np.zeros((2, game.n))
                weigh_deals(
                    game.plan, self.race, game.numbers, game.pots, solved.chances, place.quiet,
                    place.yes, place.yes, counts, pot, self.lots, first, part,
                    place.pay(self.race, 0, counts, pot), place.pay(self.race, 1, counts, pot),
                    key, place.room, place.then, sums,
                )  # fmt: skip
                brought.add(own, sums, part * LOT)
                first += part
                self.go_on()
            solved.deals[rows, mark], solved.error[rows, mark] = brought.mean, brought.error
        self.solved.deals_done[state] = True

    def weighed_from(self, kind: int, state: int, node: int) -> int:
        """About how many deals a state is weighed by, of those it is learned from."""
        return int(self.share[kind, state, node]) // (1 if self.game.seated else SELDOM)

    @staticmethod
    def apart(lots: Lots) -> int:
        """How many lots lie between those that are learned from and those that are weighed."""
        return int(lots.kind.shape[1] // LOT // 2)

    def solve_lasts(self, place: Place, state: int) -> None:
        """Learn stage 3 at some counts, and what it is worth."""
        game = self.game
        self.learn(place, 1, state, study_last, self.thirds)
        place.gains.total[:] = 0.0
        rows = game.standings.rows_of(state)
        for mark, pot in enumerate(self.race.marks[game.sums[state]].tolist()):
            node = min(mark // 2, game.nodes - 2)
            lots = max(self.weighed_from(1, state, node) // (2 * LOT), 4 * WEIGHED)
            first = first_lot(game, 1, state, node, self.thirds) + self.apart(self.thirds) + mark
            brought = Brought(len(rows), game.n)
            for counts, looked, own, part in parts(game, state, 1, mark, lots, game.n):
                self.mix(place, looked, mark, THIRD)
                sums = np.zeros((2, game.n))
                weigh_lasts(
                    game.plan, place.yes, place.yes, place.quiet, self.thirds, first, part,
                    place.pay(self.race, 2, counts, pot), place.room, sums,
                )  # fmt: skip
                brought.add(own, sums, part * LOT)
                first += part
                self.go_on()
            self.solved.lasts[rows, mark] = brought.mean
        self.solved.lasts_done[state] = True


def parts(
    game: Game, state: int, kind: int, mark: int, lots: int, least: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]]:
    """Share so many lots out among the ways in which the counts of a state may lie.

    Yields
    ------
    counts, rows, own : ndarray of int64, shape (n,)
        See `Ways`.
    int
        How many lots fall to it.
    """
    standings = game.standings
    number = max(lots // (standings.ways * least), 1) if standings.ways > 1 else 1
    each = least if standings.ways > 1 else lots
    for block in range(number):
        drawn = standings.draw(state, (1 << 19) | (2 * mark + kind) << 12 | block)
        for counts, rows, own in zip(*drawn, strict=True):
            yield counts, rows, own, each


def fewest(game: Game, deals: int) -> int:
    """Return how many deals each state is learned from at least."""
    return min(LEAST, max(deals // (2 * game.states * game.nodes) // LOT, 1) * LOT)


def share_out(often: Array, deals: int, least: int) -> NDArray[np.int64]:
    """Share deals out among the states, more to those that are met more often."""
    weight = often**POWER_OF_VISITS
    share = weight * (deals / weight.sum())
    shared: NDArray[np.int64] = np.maximum(share, least).astype(np.int64) // LOT * LOT
    return shared
