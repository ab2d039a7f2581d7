"""Everybody learns at once, block after block of deals, on any number of threads.

In a block nobody hears of what the others learn from it, and each player's own decisions are his
alone to change: so what is learned does not depend on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulate.errors import InputError
from simulate.napalm.rules import KernelRules, NapalmRules, kernel_rules
from simulate.napalm.solving.classes import Edges, edges_of
from simulate.napalm.solving.deals import (
    BLOCK,
    Classes,
    Deals,
    empty_deals,
    make_bench,
    make_classes,
    make_deals,
)
from simulate.napalm.solving.histories import Layout, make_layout
from simulate.napalm.solving.lesson import Lesson, Pupil, refresh, teach
from simulate.rng import fold_seed

CLASSES, POWER = 30, 2.0
"""How many classes of hands there are at stages 2 and 3, and how much finer the better ones are."""

FINE = 100
"""How many a best reply tells apart at stages 2 and 3, all as likely."""

SOLVER = np.uint64(0x9E3779B97F4A7C15)
"""Turns the key of a seed, so that a solver never learns from the games of a run of its seed."""

SLIP = 0.005
"""How often a player's word comes out as its opposite while the others learn: so they learn, too,
what to do where nobody would lead them."""

SHARDS = 4
"""In how many pieces a block of deals is made."""

Told = Callable[[int], bool]


@dataclass(frozen=True)
class Setting:
    """The game that is solved: one deal for money.

    Attributes
    ----------
    rules : NapalmRules
    n : int
        Number of players.
    seed : int
    stages : int
        3, or 1 for a deal that ends with stage 1.
    share : float
        What each player values a stake that is left in the pot: nothing, where it belongs to
        nobody.
    slip : float
        See `SLIP`.
    edges, fine : Edges
        The classes of hands of the solver, and of a best reply.
    """

    rules: NapalmRules
    n: int
    seed: int
    stages: int = 3
    share: float = 0.0
    slip: float = SLIP
    edges: Edges = field(default_factory=lambda: (edges_of(CLASSES, POWER),) * 2)
    fine: Edges = field(default_factory=lambda: (edges_of(FINE, 1.0),) * 2)

    @property
    def layout(self) -> Layout:
        """Where the decisions stand."""
        second, third = (len(edges) + 1 for edges in self.edges)
        return make_layout(self.n, second, third, self.stages)

    @property
    def fine_layout(self) -> Layout:
        """Where they stand for a best reply, which tells hands apart more finely."""
        second, third = (len(edges) + 1 for edges in self.fine)
        return make_layout(self.n, second, third, self.stages)

    @cached_property
    def classes(self) -> Classes:
        """The tables of the classes of hands."""
        return make_classes(self.rules.wheel, self.edges, self.fine)

    @cached_property
    def numbers(self) -> KernelRules:
        """The rules as compiled code takes them."""
        return kernel_rules(self.rules)


def check_rules(rules: NapalmRules) -> None:
    """Refuse rules under which what is heard does not fit: see `histories`.

    Raises
    ------
    InputError
        Naming the field and the value that fits.
    """
    wanted: dict[str, object] = {
        "currency": "stakes",
        "stage1.ends_on_yes": True,
        "stage2.challenge": False,
        "stage3.challenge": False,
    }
    for name, value in wanted.items():
        if rules.get(name) != value:
            text = str(value).lower() if isinstance(value, bool) else value
            raise InputError(
                f"{name} = {str(rules.get(name)).lower()}: a deal is solved with {text} only"
            )


class Desk:
    """A block of deals, and the work space to make it in."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.deals: Deals = empty_deals(setting.n)
        self.benches = [make_bench(setting.n) for _ in range(SHARDS)]

    def tasks(self, first: int) -> list[Callable[[], None]]:
        """List what makes the deals from number `first` on."""
        setting, key = self.setting, fold_seed(self.setting.seed) ^ SOLVER
        size = BLOCK // SHARDS

        def piece(shard: int) -> None:
            make_deals(
                key, first, setting.n, setting.stages, setting.numbers.wheel, setting.classes,
                self.benches[shard], self.deals, shard * size, (shard + 1) * size,
            )  # fmt: skip

        return [lambda shard=shard: piece(shard) for shard in range(SHARDS)]  # type: ignore[misc]


@contextmanager
def crew(threads: int) -> Iterator[Callable[[list[Callable[[], Any]]], None]]:
    """Yield what does tasks side by side; they are done when it returns, or raises on Ctrl-C."""
    with ThreadPoolExecutor(threads) as pool:

        def do(tasks: list[Callable[[], Any]]) -> None:
            futures: list[Future[Any]] = [pool.submit(task) for task in tasks]
            try:
                for future in futures:
                    future.result()
            finally:
                wait(futures)

        yield do


class School:
    """Players who learn one deal, and what they know so far.

    Attributes
    ----------
    setting : Setting
    pupil : Pupil
    blocks : int
        How many blocks of `BLOCK` deals they have learned from.
    """

    def __init__(self, setting: Setting) -> None:
        check_rules(setting.rules)
        size = setting.layout.size
        self.setting, self.blocks = setting, 0
        self.pupil = Pupil(np.full(size, 0.5, np.float32), np.zeros(2 * size), np.zeros(2 * size))

    @property
    def deals(self) -> int:
        """How many deals they have learned from."""
        return self.blocks * BLOCK

    def restore(
        self, regret: NDArray[np.float64], policy: NDArray[np.float64], blocks: int
    ) -> None:
        """Go on from what was learned before."""
        self.pupil.regret[:], self.pupil.policy[:] = regret, policy
        refresh(self.pupil, 0, len(self.pupil.yes))
        self.blocks = int(blocks)

    def learn(self, blocks: int, threads: int, told: Told) -> None:
        """Learn from further blocks of deals.

        Parameters
        ----------
        blocks : int
            How many.
        threads : int
            What is learned does not depend on it.
        told : callable
            Called with the deals learned from after each block; returns whether that is enough.
            What it raises, Ctrl-C too, leaves whole blocks only.
        """
        setting, pupil = self.setting, self.pupil
        layout, n = setting.layout, setting.n
        desks = [Desk(setting), Desk(setting)]
        rows = (5, 2)
        lessons = [
            Lesson((player + 1) % n, np.zeros(rows), np.zeros(rows), setting.share, setting.slip)
            for player in range(n)
        ]
        cuts = np.linspace(0, layout.size, threads + 1).astype(int).tolist()
        end = self.blocks + blocks

        def lesson(player: int, deals: Deals, weight: float) -> Callable[[], None]:
            return lambda: teach(
                pupil, lessons[player], deals, layout, setting.numbers, player, weight
            )

        def hear(start: int, stop: int) -> Callable[[], None]:
            return lambda: refresh(pupil, start, stop)

        with crew(threads) as do:
            do(desks[self.blocks % 2].tasks(self.deals))
            while self.blocks < end:
                deals = desks[self.blocks % 2].deals
                weight = self.blocks + 1.0
                tasks = [lesson(player, deals, weight) for player in range(n)]
                tasks += desks[(self.blocks + 1) % 2].tasks(self.deals + BLOCK)
                try:
                    do(tasks)
                finally:  # Ctrl-C, too, finds whole blocks
                    do([hear(*cut) for cut in pairwise(cuts)])
                    self.blocks += 1
                if told(self.deals):
                    return

    def chances(self) -> NDArray[np.float64]:
        """Return the average chance of Yes at each decision; 0 where nobody ever was."""
        no, yes = self.pupil.policy[::2], self.pupil.policy[1::2]
        total = no + yes
        found: NDArray[np.float64] = np.divide(
            yes, total, out=np.zeros(len(total)), where=total > 0
        )
        return found
