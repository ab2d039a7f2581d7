"""Games of Noddy in bulk: sums, rows and tables are what the records of the same games say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from noddy_players import folder, player
from sizes import size

from simulate.cards import NODDY_RANKS, parse_card
from simulate.noddy import batch
from simulate.noddy.rules import NAMES, kernel_rules, make_rules
from simulate.noddy.tables import MOVES
from simulate.noddy.tally import LEAD_TURNS, LEADS, empty_totals, lead_step
from simulate.noddy.view import DRAW, PASS
from simulate.seating import seat_plan
from strategies import StrategyError

EVERYTHING, WEIGHED = player("everything"), player("weighed")
HOLDER = player("weighed:points=1,hold=20")
START, STOP = 1_000, 1_000 + size(200, 12)
CASES = {
    "two": (make_rules("lay"), [WEIGHED, EVERYTHING]),
    "alike": (make_rules("hold"), [HOLDER, WEIGHED, HOLDER]),
    "four": (make_rules("hold", {"turned_jack": 16}), [WEIGHED, HOLDER, EVERYTHING, WEIGHED]),
    "long": (make_rules("hold", {"target": 250, "max_deals": 3}), [HOLDER, WEIGHED]),
}


@pytest.fixture(scope="module", params=CASES)
def played(request):
    rules, line_up = CASES[request.param]
    job = batch.prepare(rules, line_up, 5)
    return job, batch.record(job, START, STOP)


def slots_of(job, game):
    return seat_plan(job.n)[game % len(seat_plan(job.n))].tolist()


def kind_of(turn):
    if turn["do"] == "lay":
        return NAMES.index(turn["combination"])
    return DRAW if turn["do"] == "draw" else PASS


def as_set(cards):
    return sum(1 << parse_card(card, NODDY_RANKS) for card in cards)


def walk(record):
    """Follow a game turn by turn: deal, turn, its number, hand before it, scores after it."""
    scores = [0] * len(record["scores"])
    for number, deal in enumerate(record["deals"]):
        hands = [as_set(hand) for hand in deal["hands"]]
        scores = [score + jack for score, jack in zip(scores, deal["jack"], strict=True)]
        for place, turn in enumerate(deal["turns"]):
            seat, hand = turn["seat"], hands[turn["seat"]]
            scores[seat] += turn.get("points", 0)
            yield number, place, turn, hand, list(scores)
            hands[seat] = (hand & ~as_set(turn.get("cards", []))) | as_set(turn["drew"])


def counted(job, records):
    """Count everything once more, from records."""
    totals = empty_totals(job.n)
    lead = totals.lead.reshape(job.n, LEAD_TURNS, LEADS, 2)
    step = lead_step(job.rules.target)
    for game, record in enumerate(records, start=START):
        slots, winner = slots_of(job, game), record["winner"]
        for deal in record["deals"]:
            jack = deal["turn_up"][0] == "J"
            for seat in range(job.n):
                totals.jacks[slots[seat]] += jack and seat != deal["dealer"]
            totals.games[5] += jack
            totals.games[3] += 1
        last = record["deals"][-1]
        totals.games[0] += 1
        totals.games[1] += winner is None
        totals.games[2] += winner is not None and not last["turns"]
        totals.games[4] += len(record["deals"]) - (winner is not None)
        turns = [0] * job.n
        for _, _, turn, hand, scores in walk(record):
            seat = turn["seat"]
            slot = slots[seat]
            totals.moves[slot, kind_of(turn)] += 1
            totals.hands[slot, hand.bit_count()] += 1
            if turns[seat] < LEAD_TURNS:
                ahead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
                cell = max(-32, min(32, ahead // step)) + 32
                lead[slot, turns[seat], cell] += [1, seat == winner]
            turns[seat] += 1
        for seat, slot in enumerate(slots):
            position = (seat - record["deals"][0]["dealer"] - 1) % job.n
            totals.seated[slot, seat, position] += [1, seat == winner]
            totals.turns[slot, turns[seat]] += [1, seat == winner]
            totals.score[slot, seat] += record["scores"][seat]
    return totals._asdict()


def test_sums_are_those_of_the_records(played):
    job, records = played
    totals, want = batch.play(job, START, STOP).totals, counted(job, records)
    assert list(totals) == list(want)
    for name in set(want) - {"options"}:
        np.testing.assert_array_equal(totals[name], want[name], err_msg=name)
    options = batch.play(job, START, STOP, "turns").rows["options"]
    np.testing.assert_array_equal(totals["options"].sum(axis=0), np.bincount(options, minlength=65))


def test_rows_of_games(played):
    job, records = played
    rows = batch.play(job, START, STOP, "games").rows
    assert rows["game"].tolist() == list(range(START, STOP))
    for place, record in enumerate(records):
        assert rows["dealer"][place] == record["deals"][0]["dealer"]
        assert rows["deals"][place] == len(record["deals"])
        assert rows["turns"][place] == sum(len(deal["turns"]) for deal in record["deals"])
        assert rows["winner"][place] == (-1 if record["winner"] is None else record["winner"])
        assert [rows[f"score_{seat}"][place] for seat in range(job.n)] == record["scores"]
        slots = [rows[f"slot_{seat}"][place] for seat in range(job.n)]
        assert slots == slots_of(job, START + place)


def test_rows_of_deals(played):
    job, records = played
    rows = batch.play(job, START, STOP, "deals").rows
    deals = [(game, number, deal) for game, record in enumerate(records, start=START)
             for number, deal in enumerate(record["deals"])]  # fmt: skip
    assert {len(column) for column in rows.values()} == {len(deals)}
    for place, (game, number, deal) in enumerate(deals):
        record = records[game - START]
        last = number == len(record["deals"]) - 1
        winner = record["winner"] if last and record["winner"] is not None else -1
        assert (rows["game"][place], rows["deal"][place]) == (game, number)
        assert (rows["dealer"][place], rows["turns"][place]) == (deal["dealer"], len(deal["turns"]))
        assert rows["turn_up"][place] == parse_card(deal["turn_up"], NODDY_RANKS)
        assert rows["jack"][place] == max(deal["jack"])
        assert (rows["dead"][place], rows["winner"][place]) == (winner == -1, winner)
        assert [rows[f"score_{seat}"][place] for seat in range(job.n)] == deal["scores"]
        assert [rows[f"slot_{seat}"][place] for seat in range(job.n)] == slots_of(job, game)


def test_rows_of_turns(played):
    job, records = played
    rows = batch.play(job, START, STOP, "turns").rows
    turns = [(game, *step) for game, record in enumerate(records, start=START)
             for step in walk(record)]  # fmt: skip
    assert {len(column) for column in rows.values()} == {len(turns)}
    for place, (game, deal, number, turn, hand, scores) in enumerate(turns):
        row = {name: column[place].item() for name, column in rows.items()}
        seat = turn["seat"]
        assert (row["game"], row["deal"], row["turn"], row["seat"]) == (game, deal, number, seat)
        assert row["slot_moving"] == slots_of(job, game)[seat]
        assert (row["move"], row["points"]) == (kind_of(turn), turn.get("points", 0))
        assert row["cards"] == as_set(turn.get("cards", []))
        assert (row["hand"], row["drew"]) == (hand, as_set(turn["drew"]))
        assert row["score"] == scores[seat]
    first = rows["turn"] == 0
    drawn = kernel_rules(job.rules).turn_up_drawn
    assert set(rows["stock"][first].tolist()) == {51 - 3 * job.n + drawn}


def test_slices_add_up_and_lie_end_to_end(played):
    job, _ = played
    whole = batch.play(job, START, STOP, "turns")
    parts = [
        batch.play(job, *ends, "turns")
        for ends in ((START, 1_001), (1_001, 1_000 + size(77, 7)), (1_000 + size(77, 7), STOP))
    ]
    for name, total in whole.totals.items():
        np.testing.assert_array_equal(total, sum(part.totals[name] for part in parts))
    for name, column in whole.rows.items():
        np.testing.assert_array_equal(column, np.concatenate([part.rows[name] for part in parts]))


def test_nothing_is_kept_for_the_summary(played):
    job, _ = played
    assert batch.play(job, START, STOP).rows == {}


def test_tables_tell_what_the_sums_hold(played):
    job, _ = played
    totals = batch.play(job, START, STOP).totals
    tables = batch.tables(job.rules, job.line_up, totals)
    games, specs = STOP - START, [strategy.spec for strategy in job.line_up]
    results = tables["results"].to_pylist()
    for spec in dict.fromkeys(specs):
        own = [slot for slot, other in enumerate(specs) if other == spec]
        whole, *seats = [row for row in results if row["strategy"] == spec]
        assert (whole["seat"], whole["seats"], whole["games"]) == (-1, len(own), games)
        assert [row["seat"] for row in seats] == list(range(job.n))
        assert sum(row["games"] for row in seats) == games * len(own)
        for name in ("won", "score"):
            assert sum(row[name] for row in seats) == whole[name]
        assert whole["won"] == totals["seated"][own, ..., 1].sum()
        positions = [row for row in tables["positions"].to_pylist() if row["strategy"] == spec]
        assert sum(row["won"] for row in positions) == whole["won"]
        moves = {r["move"]: r for r in tables["moves"].to_pylist() if r["strategy"] == spec}
        for kind, move in enumerate(MOVES):
            times = totals["moves"][own, kind].sum()
            points = (*kernel_rules(job.rules).points, 0, 0)[kind]
            assert moves.get(move, {"times": 0})["times"] == times
            assert moves.get(move, {"points": 0})["points"] == times * points
        for name, columns in (("lengths", "games"), ("hands", "turns"), ("options", "turns")):
            rows = [row for row in tables[name].to_pylist() if row["strategy"] == spec]
            wanted = games * len(own) if name == "lengths" else totals["moves"][own].sum()
            assert sum(row[columns] for row in rows) == wanted
        leads = [r for r in tables["leads"].to_pylist() if r["strategy"] == spec and r["turn"] == 1]
        taken = totals["turns"][own, 1:, 0].sum()
        assert sum(row["games"] for row in leads) == taken
        limit = 32 * lead_step(job.rules.target)
        assert all(-limit <= row["lead"] <= limit for row in leads)
    assert tables["totals"].to_pylist()[0]["games"] == games
    kinds = {str(field.type) for table in tables.values() for field in table.schema}
    assert "double" not in kinds


def test_leads_are_told_apart_in_steps_of_the_target():
    assert [lead_step(target) for target in (1, 31, 32, 33, 64, 65, 100_000)] == [
        1, 1, 1, 2, 2, 3, 3_125,
    ]  # fmt: skip


def test_the_ledger_grows_where_a_game_is_long(monkeypatch):
    games, deals = size(10, 2), size(200, 12)
    monkeypatch.setattr(batch, "SPARE", size(batch.SPARE, 8))
    rules = make_rules("lay", {"target": 100_000, "max_deals": deals})
    job = batch.prepare(rules, [WEIGHED, WEIGHED], 1)
    rows = batch.play(job, 0, games, "turns").rows
    assert len(rows["game"]) > 2 * (batch.TURNS_A_GAME * games + batch.SPARE)
    assert len(batch.play(job, 0, games, "deals").rows["game"]) == games * deals


# Without the compiler numbers are NumPy's, which divide by nothing with a warning.
FAULTS = [("broken", "answered NaN"), ("broken:divides=true", "raised ZeroDivisionError")]


@pytest.mark.parametrize(("spec", "problem"), FAULTS[: size(2, 1)])
def test_a_bad_answer_is_told_with_the_state_it_was_asked_in(spec, problem):
    broken = player(spec)
    job = batch.prepare(make_rules("hold"), [WEIGHED, broken], 3)
    with pytest.raises(StrategyError, match=problem) as error:
        batch.play(job, 0, 400)
    message = str(error.value)
    assert broken.spec in message
    assert "turn=" in message
    assert "\n" not in message


def test_minus_infinity_means_never():
    (folder() / "never.py").write_text(
        "def value(view, option):\n    return 1.0 if option.kind >= 11 else float('-inf')\n"
    )
    job = batch.prepare(make_rules("hold", {"max_deals": 1}), [player("never")] * 2, 3)
    moves = batch.play(job, 0, size(20, 2)).totals["moves"]
    assert moves[:, :DRAW].sum() == 0
    assert moves[:, DRAW:].sum() > 0


def test_one_function_with_other_numbers_is_not_compiled_again():
    one = batch.prepare(make_rules("hold"), [HOLDER, WEIGHED], 3)
    other = batch.prepare(make_rules("lay"), [player("weighed:size=2"), WEIGHED, HOLDER], 3)
    assert one.chooser.module is other.chooser.module


WITHOUT_COMPILER = """
import sys
sys.path.insert(0, {tests!r})
from noddy_players import player
from simulate.noddy import batch
from simulate.noddy.rules import make_rules
line_up = [player("everything"), player("weighed:points=-1,hold=40"), player("weighed")]
job = batch.prepare(make_rules("hold", {{"max_deals": 2, "court_value": 12}}), line_up, 5)
for game, record in enumerate(batch.record(job, 3, 12), start=3):
    assert record == batch.replay(job, game)
print(sum(batch.play(job, 3, 12).totals["moves"].ravel().tolist()))
"""


def test_the_same_without_the_compiler():
    script = WITHOUT_COMPILER.format(tests=str(Path(__file__).parent))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=False,
        )
        for disabled in ("0", "1")
    ]
    assert [output.stderr for output in outputs] == ["", ""]
    assert outputs[0].stdout == outputs[1].stdout
    assert int(outputs[0].stdout) > 0
