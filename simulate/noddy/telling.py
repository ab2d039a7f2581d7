"""A game of Noddy told in words, from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulate.cards import NODDY_RANKS, cards_text, parse_cards
from simulate.noddy.rules import FIELDS, PRESETS, NoddyRules, from_dict, value_text

SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
LABEL_WIDTH = 24


def rules_text(rules: NoddyRules) -> str:
    """Name the preset nearest to some rules, and what was changed in it."""
    name = "lay" if rules.must_lay else "hold"
    changes = [
        f"{field}={value_text(rules.get(field))}"
        for field in FIELDS
        if rules.get(field) != PRESETS[name].get(field)
    ]
    return name + (f" with {', '.join(changes)}" if changes else "")


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _sorted(cards: Sequence[str]) -> str:
    return " ".join(cards_text(sorted(parse_cards(cards, NODDY_RANKS)), NODDY_RANKS))


def _drew(turn: Mapping[str, Any]) -> str:
    return f", draws {' '.join(turn['drew'])}" if turn["drew"] else ""


def _turns(deal: Mapping[str, Any], labels: Sequence[str], scores: Sequence[int]) -> Iterator[str]:
    """Tell the turns of a deal, one line each; `scores` are those before it."""
    hands = [list(hand) for hand in deal["hands"]]
    now = [score + jack for score, jack in zip(scores, deal["jack"], strict=True)]
    for turn in deal["turns"]:
        seat = turn["seat"]
        line = f"    {labels[seat]}  {_sorted(hands[seat]) or 'no cards'}: "
        if turn["do"] == "lay":
            now[seat] += turn["points"]
            cards = " ".join(turn["cards"])
            line += f"lays {turn['combination']} {cards} for {_points(turn['points'])}{_drew(turn)}"
            line += f"; {now[seat]} in all"
            hands[seat] = [card for card in hands[seat] if card not in turn["cards"]]
        elif turn["do"] == "draw":
            line += f"draws {turn['drew'][0]}"
        else:
            line += "passes"
        hands[seat] += turn["drew"]
        yield line
        yield from _explained(turn)


def _explained(turn: Mapping[str, Any]) -> Iterator[str]:
    """Tell how the strategy valued its best options."""
    if "explain" in turn:
        options = turn["explain"]["options"]
        best = max(option["value"] for option in options)
        yield f"      ({len(options)} options, the best valued {best:g})"


def _ending(record: Mapping[str, Any], labels: Sequence[str]) -> Iterator[str]:
    winner, deals = record["winner"], len(record["deals"])
    if winner is None:
        played = "1 deal" if deals == 1 else f"{deals} deals"
        yield f"Nobody has won after {played}: the game is given up."
    else:
        yield f"Seat {winner} has {_points(record['scores'][winner])} and wins the game."
    yield "Scores:"
    for label, score in zip(labels, record["scores"], strict=True):
        yield f"  {label}  {score}"


def tell(record: Mapping[str, Any]) -> str:
    """Tell a recorded game in words, to be read beside a table.

    Parameters
    ----------
    record : mapping
        A record that `simulate.noddy.record.audit` finds nothing wrong with.
    """
    rules, seats = from_dict(record["rules"]), record["seats"]
    width = min(LABEL_WIDTH, max(map(len, seats)))
    labels = [f"seat {seat} {name[:width]:{width}}" for seat, name in enumerate(seats)]
    lines = [f"Noddy, game {record['index']} of seed {record['seed']}: {len(seats)} players."]
    lines += [f"Rules: {rules_text(rules)}. Seats and deals are counted from 0."]
    lines += [f"  seat {seat} {name}" for seat, name in enumerate(seats)]
    scores = [0] * len(seats)
    for number, deal in enumerate(record["deals"]):
        trumps = SUIT_NAMES[deal["turn_up"][1]]
        turned = f"turns up {deal['turn_up']}: {trumps} are trumps."
        lines += ["", f"Deal {number}. Seat {deal['dealer']} deals and {turned}"]
        lines += [
            f"  The jack scores {_points(points)} for seat {seat}."
            for seat, points in enumerate(deal["jack"])
            if points
        ]
        lines += _turns(deal, labels, scores)
        scores = deal["scores"]
        if number + 1 < len(record["deals"]) or record["winner"] is None:
            lines.append("  Everybody has passed: the deal is dead.")
    lines += ["", *_ending(record, labels)]
    return "\n".join(lines)
