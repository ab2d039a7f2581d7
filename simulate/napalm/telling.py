"""A game of Napalm told in words, from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulate.cards import NAPALM_RANKS, parse_cards
from simulate.napalm.counts import HAND_SIZES
from simulate.napalm.ranking import hand_class, hand_name
from simulate.napalm.rules import FIELDS, PRESETS, NapalmRules, from_dict, value_text

STAGE_NAMES = {1: "best two cards", 2: "lowest five cards", 3: "best poker hand of seven cards"}
LABEL_WIDTH = 24


def rules_text(rules: NapalmRules) -> str:
    """Name the preset of some rules, and what was changed in it."""
    preset = PRESETS[rules.currency]
    changes = [
        f"{name}={value_text(rules.get(name))}"
        for name in FIELDS
        if rules.get(name) != preset.get(name)
    ]
    return rules.currency + (f" with {', '.join(changes)}" if changes else "")


def amount_text(number: int, unit: str) -> str:
    """Write a number of stakes or tokens."""
    return f"{number} {unit}" if number != 1 else f"1 {unit[:-1]}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _seats(seats: Sequence[int]) -> str:
    numbers = _listed([str(seat) for seat in seats])
    return f"seat {numbers}" if len(seats) == 1 else f"seats {numbers}"


def _words(
    stage: Mapping[str, Any], hands: Sequence[Sequence[int]], cards: Sequence[Sequence[str]],
    labels: Sequence[str], wheel: bool,
) -> Iterator[str]:  # fmt: skip
    """Tell who said what on which hand, one line for each word."""
    number, n = stage["stage"], len(hands)
    names = [hand_name(number, hand, wheel) for hand in hands]
    width = max(map(len, names))
    for place, (seat, word) in enumerate(stage["declarations"]):
        if place == n:
            yield "    The dealer alone says Yes, a challenge: the others speak again."
        shown = " ".join(cards[seat][: len(hands[seat])])
        line = f"    {labels[seat]}  {shown}  {names[seat]:{width}}  {word.capitalize()}"
        if "explain" in stage:
            answer = stage["explain"][place]
            strength = answer["view"]["strength"]
            line += f"  (strength {strength:.3f}, p_yes {answer['p_yes']:g})"
        yield line


def _settlement(
    stage: Mapping[str, Any], hands: Sequence[Sequence[int]], rules: NapalmRules
) -> Iterator[str]:
    """Tell who compared and what moved."""
    number = stage["stage"]
    last = dict(stage["declarations"])
    declarers = [seat for seat, word in last.items() if word == "yes"]
    unit = rules.currency
    if not declarers:
        yield "Nobody says Yes: nothing moves."
    elif len(declarers) == 1:
        award = rules.stage(number).lone_award if unit == "tokens" else max(stage["taken"])
        yield f"Seat {declarers[0]} alone says Yes and takes {amount_text(award, unit)}, unseen."
    else:
        classes = {seat: hand_class(number, hands[seat], rules.wheel) for seat in declarers}
        best = (min if number == 2 else max)(classes.values())
        tied = [seat for seat in declarers if classes[seat] == best]
        verb = "tie for" if len(tied) > 1 else "has"
        kind = "lowest" if number == 2 else "best"
        yield f"{_seats(declarers).capitalize()} compare: {_seats(tied)} {verb} the {kind} hand."
        yield from _payments(stage)
    counts = " ".join(map(str, stage["collected"]))
    yield f"The pot is {stage['pot']}; collected, by seat: {counts}."


def _payments(stage: Mapping[str, Any]) -> Iterator[str]:
    for seat, amount in enumerate(stage["paid"]):
        if amount:
            yield f"Seat {seat} pays {amount_text(amount, 'stakes')} into the pot."
    for seat, amount in enumerate(stage["taken"]):
        if amount:
            yield f"Seat {seat} takes {amount_text(amount, 'stakes')} from the pot."
    for seat, amount in enumerate(stage["side"]):
        if amount:
            verb = "wins" if amount > 0 else "pays"
            yield f"Seat {seat} {verb} {amount_text(abs(amount), 'stakes')} in side bets."


def _ending(record: Mapping[str, Any], labels: Sequence[str]) -> Iterator[str]:
    last = record["deals"][-1]["stages"][-1]
    winner, played = record["winner"], amount_text(len(record["deals"]), "deals")
    if winner is None:
        pot = amount_text(last["pot"], "stakes")
        yield f"Nobody has won after {played}: the game is given up, the pot of {pot} unclaimed."
    else:
        count, prize = last["collected"][winner], amount_text(record["prize"], "stakes")
        yield f"Seat {winner} has collected {count} and wins the game, and the pot of {prize}."
    yield "Over the game:"
    for label, net in zip(labels, record["net"], strict=True):
        yield f"  {label}  {net:+d}"


def tell(record: Mapping[str, Any]) -> str:
    """Tell a recorded game in words, to be read beside a table.

    Parameters
    ----------
    record : mapping
        A record that `simulate.napalm.record.audit` finds nothing wrong with.
    """
    rules, seats = from_dict(record["rules"]), record["seats"]
    width = min(LABEL_WIDTH, max(map(len, seats)))
    labels = [f"seat {seat} {name[:width]:{width}}" for seat, name in enumerate(seats)]
    lines = [f"Napalm, game {record['index']} of seed {record['seed']}: {len(seats)} players."]
    lines += [f"Rules: {rules_text(rules)}. Seats and deals are counted from 0."]
    lines += [f"  seat {seat} {name}" for seat, name in enumerate(seats)]
    for number, deal in enumerate(record["deals"]):
        pot = deal["pot_before"] + len(seats)
        lines.append("")
        lines.append(
            f"Deal {number}. Seat {deal['dealer']} deals. After the antes the pot is {pot}."
        )
        cards = [parse_cards(hand, NAPALM_RANKS) for hand in deal["cards"]]
        for stage in deal["stages"]:
            held = HAND_SIZES[stage["stage"]]
            hands = [hand[:held] for hand in cards]
            lines += [f"  Stage {stage['stage']}, {STAGE_NAMES[stage['stage']]}:"]
            lines += _words(stage, hands, deal["cards"], labels, rules.wheel)
            lines += [f"  {line}" for line in _settlement(stage, hands, rules)]
    lines += ["", *_ending(record, labels)]
    return "\n".join(lines)
