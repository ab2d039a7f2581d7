"""The games as environments of PettingZoo: its own tests, and the same games as in a run."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from play_games import setting_of

import simulate
from simulate import gamelog
from simulate.envs import napalm, napalm_env, noddy, noddy_env
from simulate.errors import InputError

MAKERS = [
    (napalm_env, {}),
    (napalm_env, {"players": 7, "rules": "tokens", "reward": "wins"}),
    (noddy_env, {}),
    (noddy_env, {"players": 4, "rules": "hold", "reward": "score"}),
]
LINE_UPS = [
    ("napalm", ["tight", "bluffer", "listener", "random", "racer"], "stakes"),
    ("napalm", ["random", "challenger", "positional", "always"], "tokens"),
    ("noddy", ["keeper", "random"], "lay"),
    ("noddy", ["random", "reckoner", "first"], "hold"),
]
MAKE = {"napalm": napalm_env, "noddy": noddy_env}
MODULES = {"napalm": napalm, "noddy": noddy}


def name(case):
    make, options = case
    return "-".join([make.__name__, *map(str, options.values())])


@pytest.fixture(params=MAKERS, ids=name)
def make(request):
    """Make one of the environments."""
    maker, options = request.param
    return lambda **more: maker(**options, **more)


@pytest.fixture(params=LINE_UPS, ids=lambda case: f"{case[0]}-{case[2]}")
def case(request):
    return request.param


def test_nothing_can_be_asked_before_a_game_begins(make):
    for asked in ("last", "step", "agents"):
        with pytest.raises((AttributeError, AssertionError), match="reset"):
            _ = getattr(make(), asked)(*[0] * (asked == "step"))


def play(env, rng=None):
    """Play a game at random; return what each agent was rewarded."""
    rng = rng or np.random.default_rng(0)
    won = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        won[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    return won


def test_it_passes_the_tests_of_pettingzoo(make):
    with warnings.catch_warnings():
        # Its tests know environments with a mask by their names; nothing else is let through.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=100)


def test_strategies_play_in_it_the_games_of_a_run(case):
    game, line_up, rules = case
    options = {"games": 6, "seed": 3, "strategies": line_up, "rules": rules}
    config, strategies = simulate.configure(game, fixed_seats=True, **options)
    env = MAKE[game](len(line_up), rules=rules, seed=3)
    for logged in simulate.records(config, strategies):
        env.reset()
        for agent in env.agent_iter():
            over = env.terminations[agent] or env.truncations[agent]
            strategy = strategies[env.possible_agents.index(agent)]
            env.step(None if over else env.unwrapped.action_of(strategy))
        assert env.unwrapped.record([s.spec for s in strategies]) == logged


def test_a_game_played_in_it_can_be_audited(make):
    env = make(seed=2**80)
    env.reset()
    play(env)
    record = env.unwrapped.record()
    assert record["seats"][0] == "seat_0"
    assert gamelog.audit(record) is None


def test_games_follow_each_other_and_a_seed_begins_anew(make):
    env = make(seed=4)
    played = []
    for reset in ({}, {}, {"seed": 5}, {}, {"options": {"index": 9}}, {"seed": 4}):
        env.reset(**reset)
        play(env)
        played.append(env.unwrapped.record())
    numbers = [(record["seed"], record["index"]) for record in played]
    assert numbers == [(4, 0), (4, 1), (5, 0), (5, 1), (5, 9), (4, 0)]
    assert played[0] == played[-1]


@pytest.mark.parametrize("preset", ["stakes", "tokens"])
def test_napalm_rewards_add_up_to_the_net_result(preset):
    env = napalm_env(rules=preset)
    for _ in range(5):
        env.reset()
        assert list(play(env).values()) == env.unwrapped.record()["net"]


def test_noddy_rewards_of_points_add_up_to_the_scores():
    env = noddy_env(3, rules="hold", reward="score")
    for _ in range(5):
        env.reset()
        assert list(play(env).values()) == env.unwrapped.record()["scores"]


@pytest.mark.parametrize("make", [lambda: napalm_env(reward="wins"), noddy_env])
def test_whoever_wins_is_rewarded_one(make):
    env = make()
    for _ in range(5):
        env.reset()
        won = list(play(env).values())
        assert won == [float(s == env.unwrapped.record()["winner"]) for s in range(len(won))]


def test_an_observation_is_what_the_view_says():
    env = napalm_env(5)
    env.reset(seed=8)
    asked = 0
    for agent in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        if terminated:
            env.step(None)
            continue
        view = info["view"]
        seen = dict(zip(napalm.NAMES, observation["observation"].tolist(), strict=True))
        assert seen["strength"] == pytest.approx(view.strength, abs=1e-6)
        assert (seen["stage"], seen["pot"], seen["yes"]) == (view.stage, view.pot, view.yes)
        assert [seen[f"counts[{p}]"] for p in range(7)] == list(view.counts)
        assert sum(seen[f"said[{p}]"] * 2**p for p in range(7)) == view.said
        own = [text for text in napalm.NAMES if text.startswith("card[") and seen[text]]
        assert len(own) == view.count
        hand = env.unwrapped._played.record["deals"][-1]["cards"][int(agent[-1])]
        assert {f"card[{card}]" for card in hand} == set(own)
        asked += 1
        env.step(int(view.strength > 0.9))
    assert asked > 5


def test_an_observation_of_noddy_has_every_option():
    env = noddy_env(2, rules="hold")
    env.reset(seed=8)
    for _ in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        if terminated:
            env.step(None)
            continue
        table = observation["observation"][: len(noddy.NAMES)]
        options = observation["observation"][len(noddy.NAMES) :].reshape(64, -1)
        seen = dict(zip(noddy.NAMES, table.tolist(), strict=True))
        assert sum(seen[name] for name in noddy.NAMES if name.startswith("hand[")) == seen["count"]
        assert seen[f"trump[{'cdhs'[info['view'].trump]}]"] == 1
        number = int(observation["action_mask"].sum())
        assert number == len(info["options"])
        assert not options[number:].any()
        for place, option in enumerate(info["options"]):
            written = dict(zip(noddy.OPTION_NAMES, options[place].tolist(), strict=True))
            assert written["points"] == option.points
            laid = [text for text in noddy.TEXTS if written[f"cards[{text}]"]]
            assert len(laid) == option.size
        env.step(0)


def test_only_who_is_asked_may_do_anything(make):
    env = make()
    env.reset()
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.any() == (agent == env.agent_selection)


@pytest.mark.parametrize("action", [-1, 2, 64, 0.0, "0", None, True])
def test_an_action_that_is_not_allowed_is_refused(action):
    env = napalm_env()
    env.reset()
    with pytest.raises(InputError, match=r"action .* of seat_\d is not among 0, 1"):
        env.step(action)


def test_an_option_that_is_not_there_is_refused():
    env = noddy_env()
    env.reset()
    number = int(env.observe(env.agent_selection)["action_mask"].sum())
    env.step(number - 1)
    number = int(env.observe(env.agent_selection)["action_mask"].sum())
    with pytest.raises(InputError, match="is not among"):
        env.step(number)


def test_a_game_that_nobody_wins_is_truncated():
    env = napalm_env(rules={"max_deals": 2})
    env.reset()
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        assert not terminated
        env.step(None if truncated else 0)
    assert env.unwrapped.record()["truncated"]


def test_a_game_won_before_anybody_is_asked_is_rewarded_all_the_same():
    env = noddy_env(2, rules={"target": 1})
    rewarded = 0.0
    for index in range(60):
        env.reset(options={"index": index})
        if env.terminations["seat_0"]:
            rewarded += sum(play(env).values())
    assert rewarded > 0


def test_it_tells_what_the_agent_that_is_asked_knows():
    env = noddy_env(render_mode="ansi")
    env.reset()
    assert env.render().startswith("Deal 0. ")
    assert env.render().count("You are dealt") == 1
    assert noddy_env().render_mode is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 3}, "players 3: napalm takes 4 to 7"),
        ({"rules": "token"}, "did you mean 'tokens'"),
        ({"seed": -1}, "seed -1"),
        ({"reward": "score"}, "unknown reward 'score'"),
        ({"render_mode": "human"}, "unknown render mode 'human'"),
    ],
)
def test_an_environment_that_cannot_be_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        napalm_env(**options)


@pytest.mark.parametrize("reset", [{"seed": -1}, {"seed": 1.5}, {"options": {"index": -1}}])
def test_a_game_that_cannot_be_is_refused(reset):
    with pytest.raises(InputError, match=r"(seed|index) -?1"):
        napalm_env().reset(**reset)


def test_the_record_is_refused_while_the_game_goes_on():
    env = noddy_env()
    env.reset()
    with pytest.raises(InputError, match="not over"):
        env.unwrapped.record()


def test_without_pettingzoo_it_says_what_is_missing():
    code = """if True:
        import sys
        sys.modules["pettingzoo"] = None
        from simulate.envs import napalm_env
        try:
            napalm_env()
        except ModuleNotFoundError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'napalm-noddy[pettingzoo]'" in done.stdout


def test_the_same_cards_as_at_a_table_with_a_person():
    from simulate.play.sitting import Sitting

    setting = setting_of(("napalm", ["tight", "bluffer", "listener"], "stakes", 0))
    sitting = Sitting(setting, 2)
    env = napalm_env(4)
    env.reset(seed=5, options={"index": 2})
    while env.agent_selection != "seat_0":
        env.step(0)
    own = env.infos["seat_0"]["view"].cards
    assert own == sitting.ask.view.cards
