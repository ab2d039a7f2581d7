"""Seats at a table as agents of PettingZoo: who is asked, what it is told, what it is rewarded."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from simulate import gamelog
from simulate.config import check_players
from simulate.difference import INDEX_LIMIT
from simulate.errors import InputError, unknown
from simulate.numerals import whole_number
from simulate.request import choose_rules
from simulate.rng import fold_seed

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error}: the environments need it: pip install 'napalm-noddy[pettingzoo]'"
    ) from error

if TYPE_CHECKING:
    from simulate.config import Rules
    from strategies import Strategy

RENDER_MODES = ("ansi",)


def seats_env(
    game: str,
    module: ModuleType,
    players: int,
    rules: str | Mapping[str, Any] | Rules | None,
    seed: int,
    reward: str,
    render_mode: str | None,
) -> OrderEnforcingWrapper[str, Any, int]:
    """Make an environment in which nothing can be done out of order; see `simulate.envs`."""
    n = check_players(game, players)
    if reward not in module.REWARDS:
        raise unknown("reward", reward, module.REWARDS)
    if render_mode not in (None, *RENDER_MODES):
        raise unknown("render mode", render_mode, RENDER_MODES)
    chosen = choose_rules(game, rules)
    raw = SeatsEnv(game, module, n, chosen, whole_number("seed", seed, 0), reward, render_mode)
    return OrderEnforcingWrapper(raw)


MADE_BY_RESET = {
    "agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos",
    "ask", "_seen", "_played",
}  # fmt: skip


class SeatsEnv(AECEnv[str, Any, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    module : module
        What is observed and done in it: `simulate.envs.napalm` or `simulate.envs.noddy`.
    players, rules, seed, reward, render_mode
        As in `simulate.envs.napalm_env`, checked.
    """

    def __init__(
        self,
        game: str,
        module: ModuleType,
        players: int,
        rules: Rules,
        seed: int,
        reward: str,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        self.game, self.rules, self.reward, self.render_mode = game, rules, reward, render_mode
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self._module, self._players = module, players
        self._seed, self._index = seed, -1
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        box: Box = module.space(rules, players)
        mask = Box(0, 1, (module.ACTIONS,), np.int8)
        self._spaces = {
            agent: Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self._actions = {agent: Discrete(module.ACTIONS) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        """Say, as PettingZoo's own wrapper does, that there is no game yet."""
        if name in MADE_BY_RESET:
            what = name.removeprefix("_")
            raise AttributeError(f"{what} cannot be accessed before reset: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        """Return the space of an agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the next one, or the one asked for.

        Parameters
        ----------
        seed : int, optional
            Any whole number >= 0: game 0 of that seed.
        options : dict, optional
            ``{"index": 3}`` is game 3 of the seed.

        Raises
        ------
        InputError
            When there is no such game.
        """
        index = self._index + 1
        if seed is not None:
            self._seed, index = whole_number("seed", seed, 0), 0
        if options and "index" in options:  # PettingZoo has others ignored
            index = whole_number("index", options["index"], 0, INDEX_LIMIT - 1)
        self._index, self._key = index, fold_seed(self._seed)
        self._played = self._module.Played(self.rules, self._players, self._key, index)
        self._gained = [0] * self._players
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._seen = {agent: self._nothing(agent) for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(None)
        if self.ask is None:  # it was over before there was anything to choose
            self._reward()
            self._accumulate_rewards()

    def _nothing(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes that has not been asked yet."""
        space = self._spaces[agent]
        return {name: np.zeros(part.shape, part.dtype) for name, part in space.items()}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent saw when it was asked last; only who is asked now may do anything.

        Before it is first asked all is 0.
        """
        return copy.deepcopy(self._seen[agent])

    def step(self, action: int | None) -> None:
        """Do what the agent that is asked does, and go on to the next that is asked.

        Parameters
        ----------
        action : int or None
            One of those that its mask allows; None once the game is over.

        Raises
        ------
        InputError
            When it may not do that.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mask = self._seen[agent]["action_mask"]
        number = -1 if isinstance(action, bool) or action is None else action
        if not (isinstance(number, int | np.integer) and 0 <= number < len(mask) and mask[number]):
            allowed = ", ".join(map(str, np.flatnonzero(mask)))
            raise InputError(f"action {action!r} of {agent} is not among {allowed}")
        self._seen[agent]["action_mask"] = np.zeros_like(mask)
        self.infos[agent] = {}
        self._cumulative_rewards[agent] = 0.0
        self._go_on(self._module.answer(number))
        self._reward()
        self._accumulate_rewards()

    def _go_on(self, answer: int | None) -> None:
        """Play on until somebody is asked, or the game is over."""
        self._clear_rewards()
        try:
            self.ask = self._played.steps.send(answer)
        except StopIteration:
            self.ask = None
            truncated = self._played.winner is None
            self.terminations = dict.fromkeys(self.agents, not truncated)
            self.truncations = dict.fromkeys(self.agents, truncated)
        else:
            agent = self.agent_selection = self.possible_agents[self.ask.seat]
            mask = np.zeros(self._module.ACTIONS, np.int8)
            mask[: self._module.allowed(self.ask)] = 1
            self._seen[agent] = {
                "observation": self._module.observe(self.ask),
                "action_mask": mask,
            }
            self.infos[agent] = self._module.shown(self.ask)

    def _reward(self) -> None:
        """Reward what has changed; the antes of the first deal with the first step."""
        before, self._gained = self._gained, self._played.gained
        if self.reward == "wins":
            if self._played.winner is not None:
                self.rewards[self.possible_agents[self._played.winner]] = 1.0
            return
        for agent, now, then in zip(self.possible_agents, self._gained, before, strict=True):
            self.rewards[agent] = float(now - then)

    def action_of(self, strategy: Strategy) -> int:
        """Return what a strategy does in the place of the agent that is asked.

        Played so in all seats, a game is the one that a run plays.
        """
        if self.ask is None:
            raise InputError("the game is over: nobody is asked")
        action: int = self._module.choose(strategy, self.ask, self._key, self._index)
        return action

    def record(self, seats: list[str] | None = None) -> dict[str, Any]:
        """Return the game as a game log has it, once it is over.

        Parameters
        ----------
        seats : list of str, optional
            Who sat where; the names of the agents when None.
        """
        if self.ask is not None:
            raise InputError("the game is not over")
        names = self.possible_agents if seats is None else seats
        head = gamelog.header(self.game, self._seed, self._index, self.rules, names)
        return {**head, **self._played.record}

    def render(self) -> str | None:
        """Tell what the agent that is asked knows; all there is, once the game is over."""
        if self.render_mode is None:
            return None
        from importlib import import_module

        table = import_module(f"simulate.play.{self.game}")
        over = self.ask is None
        seat = self.possible_agents.index(self.agent_selection)
        known = table.shown(self._played.record, self.rules, seat, over)
        lines: list[str] = table.lines(known, self.rules, seat, self.possible_agents)
        return "\n".join(lines)

    def close(self) -> None:
        """Let go of the game."""
