"""The tables and rows of a run of Napalm once more, counted in plain Python from its records."""

from __future__ import annotations

from collections import Counter, defaultdict

from napalm_games import seated

from simulate.cards import NAPALM_RANKS, parse_card
from simulate.napalm.counts import class_counts
from simulate.napalm.ranking import class_strength, hand_class

SIZES = {1: 2, 2: 5, 3: 7}
PLACES = {key: place for place, key in enumerate(class_counts(1)[0].tolist())}
LONGEST = 1_023


class Stage:
    """What one stage of a record means: whose hand was best, who won what."""

    def __init__(self, deal, stage, wheel):
        self.stage, self.words = stage["stage"], stage["declarations"]
        n = len(deal["cards"])
        cards = [[parse_card(text, NAPALM_RANKS) for text in hand] for hand in deal["cards"]]
        hands = [hand[: SIZES[self.stage]] for hand in cards]
        classes = [hand_class(self.stage, hand, wheel) for hand in hands]
        self.strengths = [class_strength(self.stage, key, wheel) for key in classes]
        self.buckets = [
            PLACES[key] if self.stage == 1 else min(int(strength * 100), 99)
            for key, strength in zip(classes, self.strengths, strict=True)
        ]
        worths = [-key for key in classes] if self.stage == 2 else classes
        self.best = {seat for seat in range(n) if worths[seat] == max(worths)}
        last = dict(self.words)  # a second word takes the place of the first
        self.declarers = [seat for seat in range(n) if last[seat] == "yes"]
        top = max((worths[seat] for seat in self.declarers), default=None)
        self.tops = [seat for seat in self.declarers if worths[seat] == top]
        moved = zip(stage["taken"], stage["side"], stage["paid"], strict=True)
        self.net = [taken + side - paid for taken, side, paid in moved]

    def outcome(self, seat):
        if len(self.declarers) == 1:
            return "lone"
        if seat not in self.tops:
            return "lost"
        return "won" if len(self.tops) == 1 else "tied"


def stages_of(record, wheel):
    for deal in record["deals"]:
        for stage in deal["stages"]:
            yield Stage(deal, stage, wheel)


def decisions(job, records, start):
    """Count every word that was spoken, by who spoke it in what situation."""
    rows = defaultdict(Counter)
    for game, record in enumerate(records, start=start):
        specs = [strategy.spec for strategy in seated(job, game)]
        for stage in stages_of(record, job.rules.wheel):
            heard = 0
            for place, (seat, word) in enumerate(stage.words):
                turn, position = place // job.n + 1, place % job.n
                if place == job.n:
                    heard = 1  # the dealer, who challenges
                yes = int(word == "yes")
                bucket = stage.buckets[seat]
                key = (specs[seat], stage.stage, turn, position, heard, bucket, yes)
                rows[key]["count"] += 1
                rows[key]["best"] += seat in stage.best
                if yes:
                    rows[key][stage.outcome(seat)] += 1
                    rows[key]["net"] += stage.net[seat]
                heard += yes
    return rows


def results(job, records, start):
    """Add up games won and net results, by strategy in all seats together, and in each seat."""
    rows = defaultdict(Counter)
    for game, record in enumerate(records, start=start):
        specs = [strategy.spec for strategy in seated(job, game)]
        together = Counter()
        for seat, (spec, net) in enumerate(zip(specs, record["net"], strict=True)):
            won = record["winner"] == seat
            rows[spec, seat].update(games=1, won=won, net=net, net_sq=net * net)
            rows[spec, -1].update(won=won)
            together[spec] += net
        for spec, net in together.items():
            rows[spec, -1].update(games=1, net=net, net_sq=net * net)
    return rows


def lengths(records):
    return Counter(min(len(record["deals"]), LONGEST) for record in records)


def game_row(job, game, record):
    """One row of a game, as `simulate.napalm.batch.play` describes it."""
    pot = record["deals"][-1]["stages"][-1]["pot"]
    row = {
        "game": game,
        "dealer": record["deals"][0]["dealer"],
        "deals": len(record["deals"]),
        "winner": -1 if record["winner"] is None else record["winner"],
        "prize": record.get("prize", pot),
    }
    slots = job.plan[game % len(job.plan)].tolist()
    row |= {f"slot_{seat}": slot for seat, slot in enumerate(slots)}
    return row | {f"net_{seat}": net for seat, net in enumerate(record["net"])}


def deal_rows(job, game, record):
    """The rows of the deals of a game, as `simulate.napalm.batch.deal_rows` describes them."""
    for number, deal in enumerate(record["deals"]):
        stages = [Stage(deal, stage, job.rules.wheel) for stage in deal["stages"]]
        row = {"game": game, "deal": number, "dealer": deal["dealer"], "stages": len(stages)}
        for k in range(3):
            played = stages[k] if k < len(stages) else None
            row[f"said_{k + 1}"] = sum(1 << seat for seat in played.declarers) if played else 0
        for k in range(3):
            played = stages[k] if k < len(stages) else None
            row[f"won_{k + 1}"] = sum(1 << seat for seat in played.tops) if played else 0
        over = number == len(record["deals"]) - 1 and record["winner"] is not None
        row["winner"] = record["winner"] if over else -1
        slots = job.plan[game % len(job.plan)].tolist()
        row |= {f"slot_{seat}": slot for seat, slot in enumerate(slots)}
        for seat in range(job.n):
            row[f"strength_{seat}"] = int(stages[-1].strengths[seat] * 255 + 0.5)
        for seat in range(job.n):
            prize = record["prize"] if over and record["winner"] == seat else 0
            row[f"net_{seat}"] = sum(stage.net[seat] for stage in stages) - 1 + prize
        yield row
