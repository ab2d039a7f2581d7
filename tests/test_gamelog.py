"""Game logs: written and read, told in words, and every kind of corruption named."""

import copy
import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulate import gamelog
from simulate.difference import Difference
from simulate.errors import InputError
from simulate.napalm.reference import by_answer, play_game
from simulate.napalm.rules import make_rules
from simulate.rng import fold_seed

NAMES = ["tight", "bluffer:bluff=0.2", "listener", "my/bot.py", "always", "never", "random"]


def line_up(*cuts):
    """Players that say Yes from a strength on, and now and then below it."""
    return [
        SimpleNamespace(answer=lambda view, cut=cut: 1.0 if view.strength >= cut else 0.05)
        for cut in cuts
    ]


def game(index=0, seed=42, preset="stakes", cuts=(0.7, 0.8, 0.9, 0.8, 0.7), **overrides):
    rules = make_rules(preset, {name.replace("__", "."): v for name, v in overrides.items()})
    key, n = fold_seed(seed), len(cuts)
    played = play_game(rules, n, key, index, by_answer(line_up(*cuts), key, index))
    return gamelog.header("napalm", seed, index, rules, NAMES[:n]) | played


GAMES = {
    "stakes": game(0),
    "tokens": game(5, preset="tokens", cuts=(0.6, 0.6, 0.6, 0.9), target=2),
    "truncated": game(2, cuts=(0.97,) * 7, max_deals=2, tie="nothing", wheel=True),
}


def through_json(record):
    return json.loads(gamelog.to_line(record))


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
    """A copy of a record with another value in one place."""
    record = copy.deepcopy(record)
    at(record, path[:-1])[path[-1]] = value
    return record


def without(record, path):
    record = copy.deepcopy(record)
    del at(record, path[:-1])[path[-1]]
    return record


def deal_of(path):
    return path[1] if path[0] == "deals" and len(path) > 1 else None


PLAYED = ("deals", "winner", "prize", "truncated", "net")
CASES = [(name, path) for name, record in GAMES.items() for path in places(record)]
PLAYED_CASES = [(name, path) for name, path in CASES if path[0] in PLAYED]


def test_the_games_here_have_a_bit_of_everything():
    stages = [
        stage for record in GAMES.values() for deal in record["deals"] for stage in deal["stages"]
    ]
    assert {stage["stage"] for stage in stages} == {1, 2, 3}
    assert any(len(stage["declarations"]) in (7, 9) for stage in stages)  # challenges
    assert any(max(stage["side"]) > 0 for stage in stages)
    assert any(max(stage["paid"]) > 0 for stage in stages)
    assert GAMES["truncated"]["truncated"]
    assert GAMES["stakes"]["winner"] is not None


@pytest.mark.parametrize("record", GAMES.values(), ids=GAMES)
def test_a_true_record_passes(record):
    assert gamelog.audit(through_json(record)) is None


@pytest.mark.parametrize("name", GAMES)
def test_another_value_anywhere_is_named(name):
    """In the place where it stands, or where it first makes a difference in that stage."""
    record = through_json(GAMES[name])
    values = [None, True, "x", -1, 1.5, [], {}, [[]], [1, "no"], {"stage": 1}]
    for turn, (_, path) in enumerate(case for case in PLAYED_CASES if case[0] == name):
        old = at(record, path)
        for value in values[turn % 4 :: 4]:
            if value == old and type(value) is type(old):
                continue
            if path == ("deals",) and isinstance(value, list):
                continue  # then it is the first deal that is wrong
            found = gamelog.audit(changed(record, path, value))
            assert isinstance(found, Difference), (path, value)
            assert found.deal == deal_of(path), (path, value, found)
            if len(path) > 3 and path[2] == "stages":
                assert found.stage == path[3] + 1, (path, value, found)
                if len(path) > 4 and path[4] != "declarations":
                    assert found.what.startswith(str(path[4])), (path, value, found)


@pytest.mark.parametrize("name", GAMES)
def test_a_number_one_off_is_named_with_what_is_right(name):
    record = through_json(GAMES[name])
    for _, path in (case for case in PLAYED_CASES if case[0] == name):
        old = at(record, path)
        if isinstance(old, int) and not isinstance(old, bool) and path[-2:] != ("declarations", 0):
            for value in (old + 1, float(old)):
                found = gamelog.audit(changed(record, path, value))
                assert found is not None
                assert found.deal == deal_of(path)
                if "declarations" not in path:
                    assert (found.written, found.right) == (json.dumps(value), str(old))


@pytest.mark.parametrize("name", GAMES)
def test_anything_missing_is_named(name):
    record = through_json(GAMES[name])
    for _, path in (case for case in CASES if case[0] == name):
        if path[0] in ("seats", "rules") and len(path) > 1:
            continue  # tested apart
        found = gamelog.audit(without(record, path))
        assert isinstance(found, Difference), path
        last_deal = len(record["deals"]) - 1
        if len(path) == 2 and path[0] == "deals" and path[1] < last_deal:
            continue  # the deals after it move up, whose difference is theirs
        assert found.deal == deal_of(path), (path, found)


@pytest.mark.parametrize("name", GAMES)
def test_any_field_added_is_named(name):
    record = through_json(GAMES[name])
    objects = [path for n, path in CASES if n == name and isinstance(at(record, path), dict)]
    for path in [(), *objects]:
        spoilt = copy.deepcopy(record)
        at(spoilt, path)["extra"] = 1
        found = gamelog.audit(spoilt)
        assert isinstance(found, Difference), path
        assert "extra" in str(found), (path, found)


@pytest.mark.parametrize("name", GAMES)
def test_any_item_added_is_named(name):
    record = through_json(GAMES[name])
    lists = [path for n, path in PLAYED_CASES if n == name and isinstance(at(record, path), list)]
    for path in lists:
        spoilt = copy.deepcopy(record)
        items = at(spoilt, path)
        items.append(copy.deepcopy(items[-1]) if items else 0)
        found = gamelog.audit(spoilt)
        assert isinstance(found, Difference), path
        if len(path) > 1:
            assert found.deal == deal_of(path), (path, found)


def audit_with(path, value, record=GAMES["stakes"]):
    return gamelog.audit(changed(through_json(record), path, value))


def test_a_swapped_card_is_named_with_deal_and_stage():
    first = GAMES["stakes"]["deals"][0]
    assert len(first["cards"][2]) == 7, "the first deal goes to stage 3"
    right = first["cards"][2][3]
    wrong = "2c" if right != "2c" else "2d"
    found = audit_with(("deals", 0, "cards", 2, 3), wrong)
    assert found == (0, 2, "cards, seat 2, card 3", f'"{wrong}"', f'"{right}"')
    assert str(found) == (
        f'deal 0, stage 2: cards, seat 2, card 3: written is "{wrong}", right is "{right}"'
    )


def test_the_first_dealer_must_be_the_one_drawn():
    record = through_json(GAMES["stakes"])
    right = record["deals"][0]["dealer"]
    wrong = (right + 1) % 5
    found = gamelog.audit(changed(record, ("deals", 0, "dealer"), wrong))
    assert found == (0, None, "dealer", str(wrong), str(right))


def test_a_changed_seed_or_index_is_another_game():
    for name in ("seed", "index"):
        found = audit_with((name,), 7)
        assert found.deal == 0
        assert found.what.startswith(("dealer", "cards"))


def test_a_changed_word_is_found_by_what_follows_from_it():
    record = through_json(GAMES["stakes"])
    for number, deal in enumerate(record["deals"]):
        for place, (seat, word) in enumerate(deal["stages"][0]["declarations"]):
            other = [seat, "no" if word == "yes" else "yes"]
            path = ("deals", number, "stages", 0, "declarations", place)
            found = gamelog.audit(changed(record, path, other))
            assert (found.deal, found.stage) == (number, 1)


def test_a_word_that_is_none_or_out_of_turn():
    path = ("deals", 0, "stages", 0, "declarations", 1)
    seat = GAMES["stakes"]["deals"][0]["stages"][0]["declarations"][1][0]
    right = f'[{seat}, "yes"] or [{seat}, "no"]'
    for word in (
        [seat, "maybe"],
        [seat, True],
        [float(seat), "no"],
        [seat + 1, "no"],
        "no",
        [seat],
    ):
        found = audit_with(path, word)
        assert found == (0, 1, "declarations, word 1", json.dumps(word), right)


def test_a_word_too_many():
    record = through_json(GAMES["stakes"])
    words = record["deals"][0]["stages"][1]["declarations"]
    words.append(words[0])
    found = gamelog.audit(record)
    right = "nothing: everybody has spoken"
    assert found == (0, 2, "declarations, word 5", json.dumps(words[0]), right)


def test_a_missing_stage_and_one_too_many():
    record = through_json(GAMES["stakes"])
    assert len(record["deals"][0]["stages"]) == 3
    found = gamelog.audit(without(record, ("deals", 0, "stages", 2)))
    assert found == (0, 3, "stage", "nothing", "a stage: the deal goes on")
    spoilt = copy.deepcopy(record)
    spoilt["deals"][0]["stages"].append({})
    found = gamelog.audit(spoilt)
    assert found == (0, 4, "stage", "{}", "nothing: the deal was over")


def test_a_missing_deal_and_one_too_many():
    record = through_json(GAMES["stakes"])
    deals = len(record["deals"])
    found = gamelog.audit(without(record, ("deals", deals - 1)))
    assert found == (deals - 1, None, "deal", "nothing", "a deal: nobody has won yet")
    spoilt = copy.deepcopy(record)
    spoilt["deals"].append({})
    assert gamelog.audit(spoilt) == (deals, None, "deal", "{}", "nothing: the game was over")


def test_cards_that_were_not_dealt():
    record = through_json(GAMES["stakes"])
    short = next(k for k, deal in enumerate(record["deals"]) if len(deal["stages"]) == 1)
    spoilt = copy.deepcopy(record)
    spoilt["deals"][short]["cards"][1].append("Ah")
    found = gamelog.audit(spoilt)
    assert found == (short, None, "number of cards, seat 1", "3", "2")


def test_a_wrong_result():
    record = through_json(GAMES["stakes"])
    winner, prize, net = record["winner"], record["prize"], record["net"][1]
    assert audit_with(("winner",), 6) == (None, None, "winner", "6", str(winner))
    assert audit_with(("prize",), prize - 1) == (None, None, "prize", str(prize - 1), str(prize))
    assert audit_with(("net", 1), net + 1) == (None, None, "net, seat 1", str(net + 1), str(net))
    found = audit_with(("truncated",), True)
    assert found == (None, None, "truncated", "true", "nothing")


@pytest.mark.parametrize(
    ("path", "value", "what", "right"),
    [
        (("format",), 2, "format", "1"),
        (("format",), True, "format", "1"),
        (("game",), "poker", "game", '"napalm" or "noddy"'),
        (("game",), ["napalm"], "game", '"napalm" or "noddy"'),
        (("seed",), -1, "seed", "a whole number >= 0"),
        (("seed",), 1.5, "seed", "a whole number >= 0"),
        (("seed",), "42", "seed", "a whole number >= 0"),
        (("index",), -1, "index", "a whole number >= 0 and below 2^63"),
        (("index",), 2**63, "index", "a whole number >= 0 and below 2^63"),
        (("index",), True, "index", "a whole number >= 0 and below 2^63"),
        (("seats",), ["a"] * 3, "seats", "4 to 7 names of strategies"),
        (("seats",), ["a"] * 8, "seats", "4 to 7 names of strategies"),
        (("seats", 0), "", "seats", "4 to 7 names of strategies"),
        (("seats", 0), 3, "seats", "4 to 7 names of strategies"),
        (("seats",), "tight", "seats", "4 to 7 names of strategies"),
        (("rules", "target"), 0, "rules", "rule target = 0: allowed is"),
        (("rules", "stage1"), 1, "rules", "unknown rule 'stage1'"),
        (("rules", "stage3", "ends_on_yes"), True, "rules", "unknown rule 'stage3.ends_on_yes'"),
        (("rules", "target"), 4, "rules", "not that preset unchanged"),
        (("rules", "preset"), "tokens", "rules", "not that preset unchanged"),
        (("rules", "preset"), None, "rules, preset", '"stakes"'),
        (("rules",), [], "rules", "a table of fields"),
        (("deals",), {}, "deals", "a list of deals"),
        (("deals",), [], "deal", "a deal: nobody has won yet"),
    ],
)
def test_a_wrong_header_is_named(path, value, what, right):
    found = audit_with(path, value)
    assert found.what == what
    assert right in found.right
    assert found.stage is None


@pytest.mark.parametrize(
    "path", [("rules", "preset"), ("rules", "target"), ("rules", "stage2", "penalty")]
)
def test_missing_rules_are_named(path):
    found = gamelog.audit(without(through_json(GAMES["stakes"]), path))
    assert found.what.startswith("rules")
    assert ".".join(path[1:]) in f"{found.what} {found.right}".replace(", ", ".")


def test_other_rules_give_other_payments():
    record = through_json(GAMES["stakes"])
    del record["rules"]["preset"]
    record["rules"]["stage1"]["penalty"] = 3
    found = gamelog.audit(record)
    assert (found.stage, found.what.partition(",")[0]) == (1, "paid")


def test_long_values_are_cut():
    found = audit_with(("net",), "x" * 10_000)
    assert len(found.written) == 200
    assert found.written.endswith("...")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(case=st.sampled_from(CASES), value=JSON)
def test_no_value_in_any_place_makes_the_audit_stumble(case, value):
    name, path = case
    record = through_json(GAMES[name])
    old = at(record, path)
    found = gamelog.audit(changed(record, path, value))
    if found is None:
        harmless = path in (("rules", "max_deals"), ("rules", "wheel")) or path[0] == "seats"
        harmless |= path[-1] == "penalty" and name == "tokens"  # a loser pays the pot (N11)
        assert harmless or json.dumps(old) == json.dumps(value), (path, value)
    else:
        assert "\n" not in str(found)


@settings(max_examples=100, deadline=None)
@given(
    record=st.dictionaries(
        st.sampled_from([*gamelog.header("", 0, 0, make_rules(), []), "deals"]), JSON
    )
)
def test_no_object_makes_the_audit_stumble(record):
    assert isinstance(gamelog.audit(record), Difference)
    with pytest.raises(InputError):
        gamelog.tell(record)


# Files


def test_records_come_back_from_a_file(tmp_path):
    path = tmp_path / "games.jsonl"
    assert gamelog.write(path, iter(GAMES.values())) == 3
    assert list(gamelog.read(path)) == list(enumerate(map(through_json, GAMES.values()), start=1))
    assert gamelog.audit_file(path) == (3, None, None)
    assert [item.name for item in tmp_path.iterdir()] == ["games.jsonl"]


def test_names_are_written_in_utf_8(tmp_path):
    record = GAMES["stakes"] | {"seats": ["тихоня", *NAMES[1:5]]}
    gamelog.write(tmp_path / "games.jsonl", [record])
    assert "тихоня" in (tmp_path / "games.jsonl").read_text(encoding="utf-8")
    assert gamelog.audit_file(tmp_path / "games.jsonl").line is None


def test_numbers_of_numpy_are_written_plain():
    assert gamelog.to_line({"pot": np.int64(5)}) == '{"pot":5}'


def test_the_first_wrong_line_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    wrong = GAMES["tokens"] | {"prize": -1}
    gamelog.write(path, [GAMES["stakes"], wrong, wrong])
    found = gamelog.audit_file(path)
    assert (found.games, found.line, found.difference.what) == (2, 2, "prize")


GOOD_LINE = gamelog.to_line(GAMES["stakes"]).encode()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "not a line of JSON: expecting value at character 1"),
        (b"nonsense", "not a line of JSON: expecting value at character 1"),
        (GOOD_LINE[:-40], "not a line of JSON"),
        (GOOD_LINE + b"}", "not a line of JSON: extra data"),
        (b"[1]", r"a game is a JSON object, this is \[1\]"),
        (b'{"pot": NaN}', "NaN is not a number of JSON"),
        (b'{"pot": 1, "pot": 2}', "field 'pot' stands there twice"),
        (b'{"pot": "\xff"}', "byte 10 is not UTF-8"),
        (b'{"pot": ' + b"9" * 5_000 + b"}", "digits"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_game_is_refused_by_its_number(tmp_path, line, message):
    path = tmp_path / "games.jsonl"
    path.write_bytes(GOOD_LINE + b"\n" + line + b"\n")
    with pytest.raises(InputError, match=f"{path.name}, line 2: .*{message}") as error:
        gamelog.audit_file(path)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "empty").touch()
    for name, message in [("missing", "No such file"), (".", "directory"), ("empty", "no games")]:
        with pytest.raises(InputError, match=message):
            gamelog.audit_file(tmp_path / name)


def test_files_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("kept")
    for name in ("missing/games.jsonl", "file/games.jsonl", "."):
        with pytest.raises(InputError, match="cannot write"):
            gamelog.write(tmp_path / name, [GAMES["stakes"]])
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("old")

    def stopped():
        yield GAMES["stakes"]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gamelog.write(path, stopped())
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_device_is_written_to_and_stays():
    assert gamelog.write("/dev/null", [GAMES["stakes"]]) == 1
    gamelog.write("/dev/null", [])


def test_a_game_is_found_by_its_index(tmp_path):
    path = tmp_path / "games.jsonl"
    gamelog.write(path, GAMES.values())
    assert gamelog.find(path, 5) == through_json(GAMES["tokens"])
    with pytest.raises(InputError, match=r"game 17 is not in .*: it holds 3 games, 0 to 5"):
        gamelog.find(path, 17)


# In words, and explained


def test_a_game_is_told_in_words():
    record = GAMES["stakes"]
    told = gamelog.tell(through_json(record))
    assert told.startswith("Napalm, game 0 of seed 42: 5 players.\nRules: stakes.")
    for name in NAMES[:5]:
        assert name in told
    for number, deal in enumerate(record["deals"]):
        assert f"\nDeal {number}. Seat {deal['dealer']} deals." in told
        for seat, hand in enumerate(deal["cards"]):
            assert f"seat {seat} {NAMES[seat]:17}  {' '.join(hand)}  " in told
        for stage in deal["stages"]:
            counts = " ".join(map(str, stage["collected"]))
            assert f"The pot is {stage['pot']}; collected, by seat: {counts}." in told
    words = sum(len(stage["declarations"]) for deal in record["deals"] for stage in deal["stages"])
    assert sum(line.endswith(("  Yes", "  No")) for line in told.splitlines()) == words
    assert f"and wins the game, and the pot of {record['prize']} stakes." in told
    assert told.splitlines()[-1] == f"  seat 4 always             {record['net'][4]:+d}"


def test_settlements_are_told():
    # Every sentence a settlement can have, over enough games of both currencies.
    told = "\n".join(gamelog.tell(record) for record in GAMES.values())
    told += "\n".join(gamelog.tell(game(index, cuts=(0.3,) * 7)) for index in range(4))
    for sentence in (
        "Nobody says Yes: nothing moves.",
        "alone says Yes and takes 1 stake, unseen.",
        "alone says Yes and takes 1 token, unseen.",
        "The dealer alone says Yes, a challenge: the others speak again.",
        "the best hand.",
        "the lowest hand.",
        "pays 2 stakes into the pot.",
        "takes 2 stakes from the pot.",
        "in side bets.",
        "Nobody has won after 2 deals: the game is given up",
        "Rules: stakes with tie=nothing, wheel=true, max_deals=2.",
        "Rules: tokens with target=2.",
    ):
        assert sentence in told


def test_a_wrong_record_is_not_told():
    with pytest.raises(InputError, match="game 0 cannot be told, its record is wrong: prize: "):
        gamelog.tell(GAMES["stakes"] | {"prize": 0})


@pytest.mark.parametrize("name", ["stakes", "tokens"])
def test_an_explained_game_shows_views_and_answers_that_give_its_words(name):
    cuts = {"stakes": (0.7, 0.8, 0.9, 0.8, 0.7), "tokens": (0.6, 0.6, 0.6, 0.9)}[name]
    explained = through_json(gamelog.explain(GAMES[name], line_up(*cuts)))
    for number, deal in enumerate(explained["deals"]):
        for stage in deal["stages"]:
            words = [
                [answer["seat"], "yes" if answer["coin"] < answer["p_yes"] else "no"]
                for answer in stage["explain"]
            ]
            assert words == stage["declarations"]
            for answer in stage["explain"]:
                assert (answer["view"]["deal"], answer["view"]["stage"]) == (number, stage["stage"])
    assert gamelog.audit(explained) is None
    assert "(strength 0." in gamelog.tell(explained)


def test_what_is_explained_has_no_say_in_the_audit():
    record = through_json(GAMES["stakes"])
    record["deals"][0]["stages"][0]["explain"] = "anything"
    assert gamelog.audit(record) is None
