"""Sweeps: every point plays the same cards, and the best is named with its equals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem

import simulate
from simulate import sweeping
from simulate.errors import InputError
from simulate.napalm import batch
from simulate.store import MANIFEST
from simulate.vary import parse_vary
from strategies import load, parse_line_up

GAMES = 1_000
VARY = "threshold.stage1=0.6:0.9:0.15"


@pytest.fixture
def sweep(tmp_path):
    def run(vary=VARY, game="napalm", **options):
        return simulate.sweep(
            game, vary, **{"games": GAMES, "threads": 1, "out": tmp_path, **options}
        )

    return run


def nets(specs, slots, rules=None, games=GAMES):
    """Play a line-up; return for each game the net of some slots, from the rows alone."""
    line_up = parse_line_up(specs, "napalm")
    job = batch.prepare(simulate.choose_rules("napalm", rules), line_up, 1)
    rows = batch.play(job, 0, games, "games").rows
    slot = np.stack([rows[f"slot_{seat}"] for seat in range(len(line_up))], axis=1)
    net = np.stack([rows[f"net_{seat}"] for seat in range(len(line_up))], axis=1)
    return (net * np.isin(slot, slots)).sum(axis=1)


def test_every_point_is_what_its_table_plays(sweep):
    points = sweep().points
    assert points["threshold.stage1"].tolist() == [0.6, 0.75, 0.9]
    for value, net in zip(points["threshold.stage1"], points["net"], strict=True):
        x = nets([f"threshold:stage1={value}", "threshold*4"], [0])
        assert net == pytest.approx(x.mean())
    x = nets(["threshold:stage1=0.6", "threshold*4"], [0])
    half = (points["net_high"] - points["net_low"])[0] / 2
    assert half == pytest.approx(sem(x) * 1.9623, rel=1e-3)


def test_the_best_is_marked_and_found_by_the_sentence(sweep):
    found = sweep()
    means = found.points["net"]
    assert found.points["best"].tolist() == (means == means.max()).tolist()
    assert found.points["maybe_best"][means.idxmax()]
    assert not found.points["maybe_best"].iloc[2]
    assert found.sentence.startswith(
        f"Best is threshold.stage1={found.best['threshold.stage1']}: +"
    )


def test_the_interval_of_the_best_allows_for_its_choice(sweep):
    found = sweep()
    best, points = found.best, found.points
    assert (points["together_low"] < points["net_low"]).all()
    assert (points["together_high"] > points["net_high"]).all()
    margin = float(found.sentence.split("± ")[1].split()[0])
    assert margin == pytest.approx((best["together_high"] - best["together_low"]) / 2, rel=0.05)


def test_by_name_all_who_play_it_are_varied_by_place_only_one(sweep):
    line_up = ["threshold*2", "tight*3"]
    by_name = sweep("threshold.stage1=0.6", strategies=line_up).points["net"][0]
    both = nets(["threshold:stage1=0.6*2", "tight*3"], [0, 1]) / 2
    assert by_name == pytest.approx(both.mean())
    by_place = sweep("1.stage1=0.6", strategies=line_up).points["net"][0]
    one = nets(["threshold", "threshold:stage1=0.6", "tight*3"], [1])
    assert by_place == pytest.approx(one.mean())


def test_anybodys_results_can_be_looked_at(sweep):
    line_up = ["tight", "threshold*4"]
    for who, slots in (("tight", [0]), (0, [0]), ("0,1", [0, 1])):
        net = sweep("threshold.stage1=0.6", strategies=line_up, of=who).points["net"][0]
        x = nets(["tight", "threshold:stage1=0.6*4"], slots) / len(slots)
        assert net == pytest.approx(x.mean())


def test_rules_and_players_are_varied(sweep):
    points = sweep(["rule.target=3:4", "players=4:5"], strategies=["tight"], field="pair").points
    assert points[["rule.target", "players"]].to_numpy().tolist() == [
        [3, 4],
        [3, 5],
        [4, 4],
        [4, 5],
    ]
    for target, players, net in points[["rule.target", "players", "net"]].itertuples(index=False):
        x = nets(["tight", f"pair*{int(players) - 1}"], [0], rules={"target": int(target)})
        assert net == pytest.approx(x.mean())
    assert points["deals"][0] < points["deals"][2]


def test_a_rule_may_have_words_and_the_rules_a_preset(sweep):
    points = sweep("rule.stage1.penalty=0,declarers", strategies=["pair*4"], rules="stakes").points
    assert points["rule.stage1.penalty"].tolist() == ["0", "declarers"]
    tokens = sweep("rule.target=3", strategies=["pair*4"], rules="tokens").question
    assert tokens.rules.currency == "tokens"


def test_points_of_two_parameters_make_a_grid(sweep):
    found = sweep(["bluffer.bluff=0:0.2:0.1", "bluffer.yes_above=0.7:0.8:0.1"], field="tight")
    assert len(found.points) == 6
    kept = pd.read_parquet(found.path / "points.parquet")
    pd.testing.assert_frame_equal(kept, found.points)


def test_noddy_is_swept_too(tmp_path):
    found = simulate.sweep(
        "noddy", "rule.target=11:31:10", strategies=["hoarder", "highest"], games=400, out=tmp_path
    )
    assert found.measure == "wins"
    assert {"score", "wins", "deals"} <= set(found.points.columns)


def test_slices_threads_and_parts_leave_no_trace(sweep, tmp_path, monkeypatch):
    whole = sweep(games=6_000)
    monkeypatch.setattr(sweeping, "PART_PLAYS", 9_000)
    monkeypatch.setattr(sweeping, "SLICE_GAMES", (1_000, 1_000))
    parts = sweep(games=6_000, threads=2, out=tmp_path / "parts")
    pd.testing.assert_frame_equal(parts.points, whole.points)
    assert len(list(parts.path.glob("totals-*.parquet"))) > 1


def test_interrupted_it_goes_on_from_its_folder(sweep, monkeypatch, tmp_path):
    monkeypatch.setattr(sweeping, "PART_PLAYS", 9_000)
    monkeypatch.setattr(sweeping, "SLICE_GAMES", (1_000, 1_000))
    whole = sweep(games=6_000)
    play, calls = batch.play, []

    def interrupted(*words):
        calls.append(words)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return play(*words)

    monkeypatch.setattr(batch, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(games=6_000, out=tmp_path / "cut")
    monkeypatch.setattr(batch, "play", play)
    [folder] = (tmp_path / "cut").iterdir()
    assert (folder / MANIFEST).exists()
    again = sweeping.reopen(folder).answer(folder)
    pd.testing.assert_frame_equal(again.points, whole.points)


def test_a_document_is_plain_json(sweep):
    document = json.loads(json.dumps(sweep().document()))
    assert [point["threshold.stage1"] for point in document["points"]] == [0.6, 0.75, 0.9]
    assert document["question"]["vary"] == [
        {"target": "threshold.stage1", "values": ["0.6", "0.75", "0.9"]}
    ]


@pytest.mark.parametrize(
    ("vary", "options", "words"),
    [
        ("threshold.stag1=0.6", {}, "unknown parameter of strategy 'threshold'.* 'stage1'"),
        ("thresold.stage1=0.6", {}, "did you mean 'threshold'"),
        ("threshold.stage1=0.6:0.9:0", {}, "has a step of 0"),
        ("threshold.stage1=0.9:0.6:0.1", {}, "runs backwards"),
        ("threshold.stage1=0.6:1.2:0.2", {}, "1.2"),
        ("rule.targt=3", {}, "did you mean 'target'"),
        ("rule.target=0:3", {}, "rule target = 0"),
        ("players=3:5", {}, "players 3: napalm takes 4 to 7"),
        ("players=4:5", {}, "5 strategies for 4 players"),
        (
            "rule.target=3",
            {"strategies": ["tight"], "players": 5},
            "name a field to fill the table",
        ),
        ("tight.chance=0.5", {"strategies": ["pair*4"]}, "unknown strategy of the line-up 'tight'"),
        ("4.chance=0.5", {"strategies": ["tight*4"]}, "place 4 of the line-up: allowed is 0 to 3"),
        ("0.chance=0.5", {}, "place 0 of the line-up is varied: name the line-up"),
        (VARY, {"of": "tight"}, "unknown strategy of the line-up 'tight'"),
        (VARY, {"measure": "score"}, "unknown measure of napalm 'score'"),
        (VARY, {"games": 199}, "199 games are too few"),
        ([VARY, "tight.chance=0:1:0.5", "players=5:6"], {}, "3 things are varied"),
        ([], {}, "0 things are varied"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(sweep, vary, options, words):
    with pytest.raises(InputError, match=words):
        sweep(vary, **options)


def test_parameters_keep_those_that_were_given():
    [strategy] = parse_line_up(["bluffer:bluff=0.3"], "napalm")
    plain = sweeping.with_defaults(strategy)
    varied = sweeping.with_parameter(strategy, plain, "yes_above", "0.6")
    assert varied == load("bluffer:yes_above=0.6,bluff=0.3", "napalm")
    again = sweeping.with_parameter(varied, plain, "bluff", "0.1")
    assert again == load("bluffer:yes_above=0.6", "napalm")


def test_nobody_plays_at_a_point_that_is_not_there():
    assert parse_vary("players=4:4").values == ("4",)
