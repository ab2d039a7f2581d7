"""The two games as PettingZoo environments, for programs that learn to play.

They need the optional extra ``pettingzoo``. Each seat is an agent, asked in its turn::

    from simulate.envs import napalm_env

    env = napalm_env(players=5)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Game ``i`` of a seed has the same cards, the same first dealer and the same rules as in any run of
that seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from simulate.config import Rules

__all__ = ["napalm_env", "noddy_env"]


def napalm_env(
    players: int = 5,
    *,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = 1,
    reward: str = "net",
    render_mode: str | None = None,
) -> OrderEnforcingWrapper[str, Any, int]:
    """Make an environment of Napalm.

    Agents are ``seat_0``, ``seat_1``, ... Action 0 says No, 1 says Yes. An observation is a dict of
    ``observation``, the numbers that `simulate.envs.napalm.NAMES` names in order, and
    ``action_mask``. ``infos[agent]["view"]`` is what a strategy is shown.

    Parameters
    ----------
    players : int
        4 to 7.
    rules : str, mapping or NapalmRules, optional
        As in `simulate.run`.
    seed : int
        The first ``reset()`` deals game 0 of this seed, and each further one the next game.
        ``reset(seed=7)`` deals game 0 of seed 7, and ``options={"index": 3}`` game 3.
    reward : {"net", "wins"}
        What is rewarded: stakes received less stakes paid since the last step, antes included,
        which adds up to the net result of the game; or 1 for winning the game, at its end.
    render_mode : {"ansi"}, optional
        ``render()`` tells in words what the agent that is asked knows of the game.

    Raises
    ------
    InputError
        When anything of it is not allowed.
    """
    from simulate.envs import napalm
    from simulate.envs.seats import seats_env

    return seats_env("napalm", napalm, players, rules, seed, reward, render_mode)


def noddy_env(
    players: int = 2,
    *,
    rules: str | Mapping[str, Any] | Rules | None = None,
    seed: int = 1,
    reward: str = "wins",
    render_mode: str | None = None,
) -> OrderEnforcingWrapper[str, Any, int]:
    """Make an environment of Noddy.

    Agents are ``seat_0``, ``seat_1``, ... An action is the place of one of the options, at most 64,
    best first as strategies are shown them; where there is only one, it is asked for all the same.
    An observation is a dict of ``observation``, the numbers that `simulate.envs.noddy.NAMES` names,
    followed for each of the 64 places by those of `simulate.envs.noddy.OPTION_NAMES`, and
    ``action_mask``. ``infos[agent]`` has the ``view`` and the ``options`` that a strategy is shown.

    Parameters
    ----------
    players : int
        2 to 4.
    rules : str, mapping or NoddyRules, optional
        As in `simulate.run`.
    seed : int
        As in `napalm_env`.
    reward : {"wins", "score"}
        What is rewarded: 1 for winning the game, at its end; or points, as they are scored.
    render_mode : {"ansi"}, optional
        As in `napalm_env`.

    Raises
    ------
    InputError
        When anything of it is not allowed.
    """
    from simulate.envs import noddy
    from simulate.envs.seats import seats_env

    return seats_env("noddy", noddy, players, rules, seed, reward, render_mode)
