"""The search for a symmetric equilibrium, in games whose equilibrium is known and in a real one."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

import simulate
from simulate.equilibrium import Search, ask, deviations
from simulate.errors import InputError
from simulate.stats import CommonSums

RANGE = "threshold.{}=0.2:0.9:0.1"


def made_up(utility, noise=0.3):
    """Replace real games by a hero's utility u(q, p), with noise that common cards share."""

    def play(search, tables, games, seed):
        generator = np.random.default_rng(seed)
        means = np.array([utility(hero, field) for hero, field in tables])
        moved = np.array([np.abs(hero - field).sum() for hero, field in tables])
        shared = generator.normal(0, 5, (games, 1))
        own = generator.normal(0, noise, (games, len(tables))) * np.sqrt(moved)
        return CommonSums.of(means + shared + own)

    return play


def search(monkeypatch, utility, names=("stage1",), **options):
    monkeypatch.setattr(Search, "play", made_up(utility))
    vary = [RANGE.format(name) for name in names]
    asked = ask("napalm", vary, games=options.pop("games", 20_000), seed=options.pop("seed", 1))
    with tempfile.TemporaryDirectory() as folder:
        return asked.answer(Path(folder))


def reply(slope, at):
    """Return the utility of a hero whose best reply to p is ``at + slope * (p - at)``."""

    def utility(hero, field):
        best = np.array(at) + slope * (field - np.array(at))
        return -4 * float(((hero - best) ** 2).sum())

    return utility


@pytest.mark.parametrize("slope", [-1.5, -0.5, 0.0, 0.5])
@pytest.mark.parametrize("at", [0.33, 0.61])
def test_it_finds_the_point_that_is_its_own_best_reply(monkeypatch, slope, at):
    found = search(monkeypatch, reply(slope, at))
    point = found.point["stage1"]
    assert found.found
    assert point.value == pytest.approx(at, abs=max(4 * point.error, 1e-4))
    assert point.error < 0.02
    assert found.strategy == f"threshold:stage1={point.value:g}"
    assert not found.edges


def test_its_interval_covers(monkeypatch):
    hits, errors = [], []
    for seed in range(1, 41):
        point = search(monkeypatch, reply(0.5, 0.61), seed=100 * seed).point["stage1"]
        hits.append(point.low <= 0.61 <= point.high)
        errors.append((point.value - 0.61) / point.error)
    assert np.mean(hits) >= 0.85
    assert 0.7 < np.std(errors) < 2.0  # of Student's t with four degrees it is 1.4


def test_it_finds_points_of_several_parameters(monkeypatch):
    at = (0.35, 0.6, 0.75)
    found = search(monkeypatch, reply(0.4, at), names=("stage1", "stage2", "stage3"))
    assert found.found
    for estimate, truth in zip(found.point.values(), at, strict=True):
        assert estimate.value == pytest.approx(truth, abs=max(4 * estimate.error, 1e-4))


def test_it_stops_at_the_end_of_the_range_and_says_so(monkeypatch):
    found = search(monkeypatch, reply(0.5, 1.4))
    assert found.found
    assert found.point["stage1"].value == pytest.approx(0.9)
    assert found.edges == ("stage1",)
    assert "At the end of its range: stage1" in found.sentence


def test_it_says_so_when_there_is_none(monkeypatch):
    """Whoever is farther from all others does better: any point tempts to leave it."""
    found = search(monkeypatch, lambda hero, field: float(np.abs(hero - field).sum()))
    assert not found.found
    assert found.sentence.startswith("No symmetric equilibrium was found: against threshold")
    assert found.temptation["gain_low"] > 0


def test_a_far_deviation_that_pays_is_seen(monkeypatch):
    """At 0.4 no small step pays, but a jump to the end of the range does."""

    def utility(hero, field):
        near = -4 * float(((hero - 0.4) ** 2).sum())
        return near + (2.0 if hero[0] > 0.85 and field[0] < 0.6 else 0.0)

    found = search(monkeypatch, utility)
    assert not found.found or found.point["stage1"].value > 0.6


def test_everything_named_is_tried():
    box = ask("napalm", ["threshold.stage1=0.2:0.4:0.1", "threshold.stage2=0.5:0.7:0.1"]).box
    point = np.array([0.3, 0.62])
    tried = {tuple(hero) for hero in deviations(box, point)}
    assert tuple(point) not in tried
    assert {(0.2, 0.62), (0.4, 0.62), (0.3, 0.5), (0.3, 0.6), (0.3, 0.7)} <= tried
    assert {(0.4, 0.7), (0.2, 0.52), (0.325, 0.62), (0.3, 0.595)} <= tried


def test_thresholds_of_napalm_have_one(tmp_path):
    """Against 0.75 a hero gains nothing at 0.76, and against 0.70 or 0.80 he does elsewhere."""
    options = {"games": 20_000, "threads": 1, "out": tmp_path}
    found = simulate.find_equilibrium("napalm", "threshold.stage1=0.5:0.95:0.05", **options)
    assert found.found
    assert 0.72 < found.point["stage1"].value < 0.79
    assert found.games == 20_000
    again = simulate.find_equilibrium("napalm", "threshold.stage1=0.5:0.95:0.05", **options)
    assert again.document() == found.document()
    json.dumps(found.document())


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ([], "0 parameters are searched"),
        (["threshold.stage1=0:1:0.1", "tight.chance=0:1:0.1"], "of one strategy's parameters"),
        (["rule.target=3:7"], "of one strategy's parameters"),
        (["players=4:7"], "of one strategy's parameters"),
        (["threshold.stage1=0:1:0.1", "threshold.stage1=0:1:0.2"], "named twice"),
        (["threshold.stag1=0:1:0.1"], "did you mean 'stage1'"),
        (["threshold.stage1=0.5,0.6"], "has 2 values: a search needs three"),
        (["threshold.stage1=0:1:0"], "has a step of 0"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(vary, words):
    with pytest.raises(InputError, match=words):
        ask("napalm", vary)


def test_too_few_games_are_refused():
    with pytest.raises(InputError, match=r"games 500: every step .* at least 20,000"):
        ask("napalm", RANGE.format("stage1"), games=500)


def test_a_parameter_of_whole_numbers_is_refused(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text('"""A."""\n\n\ndef p_yes(view, least=2):\n    return 1.0\n', encoding="utf-8")
    with pytest.raises(InputError, match="takes no fractions"):
        ask("napalm", f"{bot}.least=1:3")
