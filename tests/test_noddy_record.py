"""Records of Noddy: audited, told in words, explained, and every kind of corruption named."""

import copy
import json
from types import SimpleNamespace

import pytest

from simulate import gamelog
from simulate.difference import Difference
from simulate.errors import InputError
from simulate.noddy.reference import by_value, play_game
from simulate.noddy.rules import make_rules
from simulate.noddy.view import DRAW
from simulate.rng import fold_seed


def weighed(hold):
    """A player of the most points, for whom a draw is worth `hold`."""

    def answer(view, option):
        return hold if option.kind == DRAW else float(option.points)

    return SimpleNamespace(answer=answer)


def game(index, holds, preset="hold", seed=42, **overrides):
    rules = make_rules(preset, overrides)
    key, n = fold_seed(seed), len(holds)
    played = play_game(rules, n, key, index, by_value([*map(weighed, holds)], key, index))
    head = gamelog.header("noddy", seed, index, rules, ["first", "hoarder", "own.py", "last"][:n])
    return json.loads(gamelog.to_line({**head, **played}))


GAMES = {
    "lay": game(0, (0.0, 0.0), "lay"),
    "hold": game(1, (0.0, 20.0, 0.0, 30.0)),
    "jack": game(7, (0.0, 0.0, 0.0), turned_jack=31),
    "truncated": game(3, (50.0, 1.5, 50.0), max_deals=2, target=500),
}


def places(value, path=()):
    """Every place in a JSON value below the top: fields, items, and what is in them."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, item in inner:
        yield (*path, name)
        if isinstance(item, dict | list):
            yield from places(item, (*path, name))


def at(record, path):
    for name in path:
        record = record[name]
    return record


def changed(record, path, value):
    record = copy.deepcopy(record)
    at(record, path[:-1])[path[-1]] = value
    return record


def without(record, path):
    record = copy.deepcopy(record)
    del at(record, path[:-1])[path[-1]]
    return record


def some_places(name, *not_in):
    """Places in a game, all of them but where it is long."""
    every = [path for path in places(GAMES[name]) if path[0] not in not_in]
    return every[::23] if name == "truncated" else every


def test_the_games_here_have_a_bit_of_everything():
    deals = [deal for record in GAMES.values() for deal in record["deals"]]
    turns = [turn for deal in deals for turn in deal["turns"]]
    assert {turn["do"] for turn in turns} == {"lay", "draw", "pass"}
    assert [] in [deal["turns"] for deal in deals]  # won by a jack
    assert any(turn["do"] == "lay" and len(turn["drew"]) == 3 for turn in turns)
    assert GAMES["truncated"]["truncated"]


@pytest.mark.parametrize("record", GAMES.values(), ids=GAMES)
def test_a_true_record_passes(record):
    assert gamelog.audit(record) is None


def where_to_look(path):
    """The deal of a place, and the words that must name it."""
    if path[0] != "deals" or len(path) == 1:
        return None, path[0]
    if len(path) > 2 and path[2] == "turns":
        return path[1], f"turn {path[3]}" if len(path) > 3 else "turn"
    return path[1], path[2] if len(path) > 2 else "deal"


@pytest.mark.parametrize("name", GAMES)
def test_another_value_anywhere_is_named(name):
    record = GAMES[name]
    values = [None, True, "x", -1, 1.5, [], {}, "Ah", ["Ah"], 7]
    for count, path in enumerate(some_places(name, "seats", "rules")):
        old = at(record, path)
        for value in values[count % 3 :: 3]:
            if (value == old and type(value) is type(old)) or path in (("seed",), ("index",)):
                continue
            found = gamelog.audit(changed(record, path, value))
            assert isinstance(found, Difference), (path, value)
            if path == ("deals",) and isinstance(value, list):
                continue  # then it is the first deal that is wrong
            deal, what = where_to_look(path)
            assert found.deal == deal, (path, value, found)
            assert found.what.startswith(what), (path, value, found)


@pytest.mark.parametrize("name", GAMES)
def test_anything_missing_is_named(name):
    record = GAMES[name]
    for path in some_places(name, "rules"):
        assert isinstance(gamelog.audit(without(record, path)), Difference), path


@pytest.mark.parametrize("name", GAMES)
def test_anything_added_is_named(name):
    record = GAMES[name]
    for path in [(), *some_places(name, "rules", "seats")]:
        inner = at(record, path)
        if isinstance(inner, dict):
            assert isinstance(gamelog.audit(changed(record, (*path, "more"), 1)), Difference), path
        elif isinstance(inner, list):
            longer = changed(record, path, [*inner, *(inner[-1:] or ["Ah"])])
            assert isinstance(gamelog.audit(longer), Difference), path


def lay_of(record):
    """The place of the first turn that laid."""
    turns = record["deals"][0]["turns"]
    return ("deals", 0, "turns", next(i for i, turn in enumerate(turns) if turn["do"] == "lay"))


def test_another_move_that_was_allowed_is_a_true_record_only_with_what_follows_from_it():
    record = GAMES["hold"]
    path = lay_of(record)
    turn = at(record, path)
    drew = turn["drew"][:1] or [record["deals"][0]["stock"][0]]
    other = changed(record, path, {"seat": turn["seat"], "do": "draw", "drew": drew})
    found = gamelog.audit(other)
    assert isinstance(found, Difference)
    assert found.deal == 0


def test_a_move_that_was_not_allowed_is_told_with_what_was():
    record = GAMES["hold"]
    path = lay_of(record)
    for wrong in (
        {"do": "pass"},
        {"combination": "long run"},
        {"combination": "royal flush"},
        {"cards": ["Ah", "Ad"]},
        {"cards": at(record, path)["cards"][:1]},
        {"do": "fold"},
    ):
        found = gamelog.audit(changed(record, path, at(record, path) | wrong))
        assert (found.deal, found.what) == (0, f"turn {path[-1]}")
        assert found.right.startswith("one of: lay ")
        assert found.right.endswith("draw")


def test_cards_of_a_lay_stand_in_ascending_order():
    record = GAMES["lay"]
    path = (*lay_of(record), "cards")
    cards = at(record, path)
    found = gamelog.audit(changed(record, path, cards[::-1]))
    assert found.what == f"turn {path[3]}, cards, card 0"
    assert (found.written, found.right) == (f'"{cards[-1]}"', f'"{cards[0]}"')


def test_a_game_is_told_card_by_card():
    record = GAMES["lay"]
    told = gamelog.tell(record)
    for deal in record["deals"]:
        assert f"turns up {deal['turn_up']}" in told
        for turn in deal["turns"]:
            if turn["do"] == "lay":
                said = f"lays {turn['combination']} {' '.join(turn['cards'])}"
                points = "1 point" if turn["points"] == 1 else f"{turn['points']} points"
                assert f"{said} for {points}" in told
            else:
                assert f"draws {turn['drew'][0]}" in told
    winner = record["winner"]
    assert f"Seat {winner} has {record['scores'][winner]} points and wins the game." in told
    assert told.startswith("Noddy, game 0 of seed 42: 2 players.\nRules: lay. ")


def test_dead_deals_jacks_and_a_game_given_up_are_told():
    told = gamelog.tell(GAMES["truncated"])
    assert told.count("Everybody has passed: the deal is dead.") == 2
    assert "Nobody has won after 2 deals: the game is given up." in told
    assert "Rules: hold with target=500, max_deals=2." in told
    assert "passes" in told
    jack = gamelog.tell(GAMES["jack"])
    assert "The jack scores 31 points for seat" in jack


def test_a_wrong_record_is_not_told():
    with pytest.raises(InputError, match="its record is wrong: winner"):
        gamelog.tell(changed(GAMES["lay"], ("winner",), 1 - GAMES["lay"]["winner"]))


def test_explained_turns_show_what_was_seen_and_how_it_was_valued():
    record, strategies = GAMES["hold"], [*map(weighed, (0.0, 20.0, 0.0, 30.0))]
    explained = gamelog.explain(record, strategies)
    assert gamelog.audit(json.loads(gamelog.to_line(explained))) is None
    asked = [turn for turn in explained["deals"][0]["turns"] if "explain" in turn]
    assert asked
    for turn in asked:
        options = turn["explain"]["options"]
        best = max(options, key=lambda option: option["value"])
        assert (best["kind"] == DRAW) == (turn["do"] == "draw")
        assert best["points"] == turn.get("points", 0)
        assert turn["explain"]["view"]["hand"].bit_count() == turn["explain"]["view"]["count"]
    assert f"({len(options)} options, the best valued {best['value']:g})" in gamelog.tell(explained)
