"""A review judges every decision by what its player knew then."""

import itertools
import json

import pytest

import simulate
from simulate import InputError, gamelog, review, reviewing
from simulate.cli import main
from simulate.napalm.review import decisions as napalm_decisions
from simulate.noddy.reference import lays
from simulate.noddy.review import decisions as noddy_decisions

WORDS = {"yes": 1, "no": 0}


def recorded(game, games, explain=False, **settings):
    config, line_up = simulate.configure(game, games=games, seed=12, **settings)
    return list(simulate.records(config, line_up, explain=explain))


@pytest.mark.parametrize("rules", ["stakes", "tokens"])
def test_napalm_spots_are_what_the_strategies_saw(rules):
    field = ["bluffer:bluff=0.2", "challenger", "tight", "listener", "positional"]
    turns = set()
    for record in recorded("napalm", 20, explain=True, strategies=field, rules=rules):
        for seat in range(5):
            views = [
                (answer["view"], word)
                for deal in record["deals"]
                for stage in deal["stages"]
                for answer, (_, word) in zip(stage["explain"], stage["declarations"], strict=True)
                if answer["seat"] == seat
            ]
            asked = list(napalm_decisions(record, seat))
            assert len(asked) == len(views)
            for (view, word), one in zip(views, asked, strict=True):
                spot = one.spot
                assert one.chosen == word
                assert (spot.stage, spot.turn, spot.position) == (
                    view["stage"], view["turn"], view["position"],
                )  # fmt: skip
                assert spot.cards == tuple(view["cards"][: view["count"]])
                assert (spot.pot, spot.deal) == (view["pot"], view["deal"])
                assert spot.collected == tuple(view["counts"][:5])
                said = sum(1 << place % 5 for place, yes in enumerate(spot.heard) if yes)
                assert said == view["said"]
                for stage in range(1, spot.stage):
                    words = spot.words(stage)
                    said = sum(1 << place % 5 for place, yes in enumerate(words) if yes)
                    assert said == view[f"said{stage}"]
                turns.add((spot.stage, spot.turn))
    assert turns >= {(1, 1), (1, 2), (2, 1), (3, 1)}


def test_money_before_a_stage_is_worked_out_as_it_was():
    """What a person at the table need not name follows from what he names."""
    field = ["bluffer:bluff=0.2", "challenger", "tight", "listener", "positional"]
    compared = 0
    for record in recorded("napalm", 60, strategies=field):
        for one in napalm_decisions(record, 2):
            known = one.spot
            given = {name: getattr(known, name) for name in (
                "players", "position", "cards", "heard", "stage", "stage1", "stage2", "won1",
                "won2", "pot", "collected", "deal", "rules",
            )}  # fmt: skip
            worked_out = simulate.NapalmSpot(**given)
            yes = [sum(known.words(stage)) for stage in range(1, known.stage)]
            if all(number < 2 for number in yes) or known.won2:
                assert worked_out.money_before() == known.money_before()
                compared += sum(yes) > 0
    assert compared > 5


@pytest.mark.parametrize("rules", ["lay", "hold"])
def test_noddy_spots_are_what_the_strategies_saw(rules):
    field, bare = ["keeper", "hoarder", "random"], 0
    for record in recorded("noddy", 25, explain=True, strategies=field, rules=rules):
        for seat in range(3):
            turns = [
                turn
                for deal in record["deals"]
                for turn in deal["turns"]
                if turn["seat"] == seat and "explain" in turn
            ]
            asked = list(noddy_decisions(record, seat))
            assert len(asked) == len(turns)
            for turn, one in zip(turns, asked, strict=True):
                view, spot = turn["explain"]["view"], one.spot
                assert sum(1 << card for card in spot.cards) == view["hand"]
                assert sum(1 << card for card in {*spot.laid, spot.turn_up}) == view["seen"]
                assert spot.scores == tuple(view["scores"][:3])
                assert spot.sizes == tuple(view["hand_sizes"][:3])
                assert (spot.stock, spot.turn, spot.deal, spot.position) == (
                    view["stock"], view["turn"], view["deal"], view["position"],
                )  # fmt: skip
                assert [o._asdict() for o in spot.options()] == [
                    {name: value for name, value in option.items() if name != "value"}
                    for option in turn["explain"]["options"]
                ]
                assert one.chosen.startswith(turn["do"])
                bare += sum(spot.bare)
    assert bool(bare) == (rules == "lay")


def test_cards_said_to_hold_no_combination_hold_none():
    checked = 0
    for record in recorded("noddy", 60, strategies=["keeper", "highest"], rules="lay"):
        by_turn = {(one.deal, one.spot.turn): one.spot for one in noddy_decisions(record, 0)}
        others = {(one.deal, one.spot.turn): one.spot for one in noddy_decisions(record, 1)}
        for (deal, turn), spot in by_turn.items():
            after = others.get((deal, turn + 1))  # what the other held then, he holds still
            if after is None:
                continue
            number = spot.bare[1 - spot.position]
            subsets = itertools.combinations(after.cards, number)
            trump = spot.turn_up % 4
            assert any(next(lays(cards, trump, spot.rules), None) is None for cards in subsets)
            checked += number > 0
    assert checked > 5


def test_whoever_never_speaks_up_pays_for_it():
    records = recorded("napalm", 3, strategies=["never", *["tight"] * 4], fixed_seats=True)
    found = review(records, 0)
    assert found.games == 3
    assert {judged.chosen for judged in found.decisions} == {"no"}
    mistakes = found.mistakes
    assert mistakes
    costs = [judged.cost.value for judged in mistakes]
    assert costs == sorted(costs, reverse=True)
    assert found.total.value == pytest.approx(sum(costs))
    assert all(judged.cost.low > 0 for judged in mistakes)
    assert f"{len(mistakes)} mistake" in found.sentence
    data = json.loads(json.dumps(found.to_dict()))
    assert sum(decision["mistake"] for decision in data["decisions"]) == data["mistakes"]


def test_a_noddy_player_who_lays_what_is_first_could_have_done_better():
    records = recorded("noddy", 4, strategies=["random", "reckoner"], rules="hold")
    seat = [record["seats"].index("random") for record in records]
    judged = [
        decision
        for record, own in zip(records, seat, strict=True)
        for decision in review([record], own, games=4000).decisions
    ]
    assert any(decision.is_mistake for decision in judged)
    assert all(decision.cost.high >= 0 for decision in judged)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "games.jsonl"
    records = recorded("napalm", 3, strategies=["tight", "never", "always", "bluffer", "tight"])
    gamelog.write(path, records)
    return path


def test_the_command_lists_the_dearest_mistakes_or_everything(log, capsys):
    assert main(["review", str(log), "--seat", "2", "--games", "2000", "--first", "2"]) == 0
    out = capsys.readouterr().out
    assert "decisions in 2 games" in out
    assert main(["review", str(log), "--seat", "2", "--games", "2000", "--game", "1", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["seat", "cards", "heard", "chosen", "best", "cost"]
    assert " 2 " in lines[1], "the seat, and which strategy sat there"
    assert all(line.startswith("game 1, deal") for line in lines[1:-3])
    words = ["review", str(log), "--seat", "2", "--games", "2000", "--game", "1", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 1
    words = ["review", str(log), "--strategy", "never", "--games", "2000", "--game", "1", "--json"]
    assert main(words) == 0
    by_name = json.loads(capsys.readouterr().out)
    assert {decision["strategy"] for decision in by_name["decisions"]} == {"never"}
    assert all(len(decision["hand"]) in (2, 5, 7) for decision in by_name["decisions"])
    assert {"yes", "no"} >= {decision["chosen"] for decision in found["decisions"]}


def test_what_cannot_be_reviewed_is_refused_in_one_line(log, tmp_path, capsys):
    def refused(*words):
        assert main(["review", *map(str, words)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        return err

    assert "--seat or --strategy is missing" in refused(log)
    assert "cannot read" in refused(tmp_path / "none.jsonl")
    assert "unknown strategy in these games 'tihgt'" in refused(log, "--strategy", "tihgt")
    assert "seat 5" in refused(log, "--seat", 5)
    assert "cannot read" in refused(tmp_path / "none.jsonl", "--seat", 0)
    assert "game 9 is not in" in refused(log, "--seat", 0, "--game", 9)
    lines = log.read_text().splitlines()
    record = json.loads(lines[0])
    person = tmp_path / "person.jsonl"
    person.write_text(json.dumps({**record, "seats": ["me", "you", *"abc"]}))
    assert "of game 0 is no strategy that is known" in refused(person, "--seat", 0)
    found = ["review", str(person), "--seat", "0", "--field", "bluffer"]
    assert main([*found, "--games", "2000", "--slip", "0.1"]) == 0
    assert "in 1 game" in capsys.readouterr().out
    (tmp_path / "wrong.jsonl").write_text(json.dumps({**record, "winner": 9}))
    assert "its record is wrong" in refused(tmp_path / "wrong.jsonl", "--seat", 0)
    (tmp_path / "empty.jsonl").write_text("")
    assert "holds no games" in refused(tmp_path / "empty.jsonl", "--seat", 0)


def test_ctrl_c_keeps_what_has_been_found(log, capsys, monkeypatch):
    judge = reviewing.Reviewing._judge

    def broken_off(self, plays, record, seat, asked):
        if self.games == 1:
            raise KeyboardInterrupt
        return judge(self, plays, record, seat, asked)

    monkeypatch.setattr(reviewing.Reviewing, "_judge", broken_off)
    assert main(["review", str(log), "--seat", "2", "--games", "2000"]) == 130
    out, err = capsys.readouterr()
    assert "in 1 game" in out
    assert err == "simulate: stopped after 1 of 3 games\n"


def test_a_record_that_is_wrong_leaves_what_was_found_before(log, tmp_path, capsys):
    first, second, _ = log.read_text().splitlines()
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(f"{first}\n{json.dumps({**json.loads(second), 'winner': 9})}\n")
    assert main(["review", str(wrong), "--seat", "2", "--games", "2000"]) == 2
    out, err = capsys.readouterr()
    assert "in 1 game" in out
    assert err.startswith("simulate: stopped after 1 of 2 games: game 1 cannot be reviewed")
    assert err.count("\n") == 1


def test_a_record_is_not_judged_by_cards_that_were_not_seen():
    """With the others' cards exchanged the advice stays the same."""
    record = recorded("napalm", 1, strategies=["tight"] * 5)[0]
    with pytest.raises(InputError, match="wrong"):
        review([{**record, "seed": 13}], 0)
    first = next(napalm_decisions(record, 0))
    cards = record["deals"][0]["cards"]
    other = json.loads(json.dumps(record))
    other["deals"][0]["cards"] = [cards[0], *reversed(cards[1:])]
    assert next(napalm_decisions(other, 0)).spot == first.spot
