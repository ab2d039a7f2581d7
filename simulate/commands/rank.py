"""``simulate rank``: what a hand is worth."""

from __future__ import annotations

import argparse
from itertools import islice
from typing import TYPE_CHECKING, cast

from simulate.commands.options import rule_settings
from simulate.errors import InputError
from simulate.numerals import counted

if TYPE_CHECKING:
    from simulate.napalm.rules import NapalmRules
    from simulate.noddy.rules import NoddyRules

HELP = "say what a hand is worth"
EXAMPLES = """\
  simulate rank napalm "Ah Kd"
  simulate rank napalm --stage 3 --players 5 "Ah Kd Qs Jc Td 2c 2d"
  simulate rank noddy --trump h "5h Jd 5c Td"
"""
CARDS_AT = {1: 2, 2: 5, 3: 7}
MOST_OPTIONS = 64


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("game", metavar="GAME", help="napalm or noddy")
    parser.add_argument("cards", metavar="CARDS", nargs="+", help="rank and suit: Ah Td 2c")
    parser.add_argument("--stage", metavar="N", help="napalm: 1, 2 or 3; told by the cards if not")
    parser.add_argument("--players", metavar="N", help="napalm: the best of how many hands (all)")
    parser.add_argument("--trump", metavar="SUIT", help="noddy, where it is needed: c, d, h or s")
    parser.add_argument("--rules", metavar="PRESET", help="stakes or tokens; lay or hold")
    parser.add_argument(
        "--rule", action="append", default=[], metavar="FIELD=VALUE", help="change one rule"
    )


def main(args: argparse.Namespace) -> int:
    """Print what the hand is worth."""
    from simulate.cli import OK
    from simulate.config import check_game

    game = check_game(args.game)
    for name in ("trump",) if game == "napalm" else ("stage", "players"):
        if getattr(args, name) is not None:
            raise InputError(f"--{name} is not for {game}")
    print("\n".join(_napalm(args) if game == "napalm" else _noddy(args)))
    return OK


def _napalm(args: argparse.Namespace) -> list[str]:
    from simulate.cards import NAPALM_RANKS, parse_cards
    from simulate.config import check_players
    from simulate.numerals import whole_number
    from simulate.request import choose_rules

    chosen = rule_settings("napalm", args.rules, args.rule)
    rules = cast("NapalmRules", choose_rules("napalm", chosen))
    cards = parse_cards(" ".join(args.cards), NAPALM_RANKS)
    if args.stage is None:
        stage = next((stage for stage, count in CARDS_AT.items() if count == len(cards)), 0)
        if stage == 0:
            raise InputError(
                f"{counted(len(cards), 'card')}: a hand is 2, 5 or 7, at stages 1, 2 and 3"
            )
    else:
        stage = whole_number("stage", args.stage, 1, 3)
        if len(cards) != CARDS_AT[stage]:
            raise InputError(
                f"{counted(len(cards), 'card')}: at stage {stage} a hand is {CARDS_AT[stage]}"
            )
    tables = range(4, 8) if args.players is None else [check_players("napalm", args.players)]

    from simulate.napalm.odds import chance_best, standing
    from simulate.napalm.ranking import hand_name, strength

    against = standing(stage, cards, rules.wheel)
    lines = [
        hand_name(stage, cards, rules.wheel) + (", as a low hand" if stage == 2 else ""),
        f"strength {strength(stage, cards, rules.wheel):.4f}",
        f"beats {against.beats:,} of {against.all:,} hands, ties with {against.ties:,}",
    ]
    for players in tables:
        best = chance_best(stage, cards, players, rules.wheel)
        lines.append(f"best or tied of {players}: {best.value:.1%} ± {best.margin:.1%}")
    return lines


def _noddy(args: argparse.Namespace) -> list[str]:
    from simulate.cards import NODDY_RANKS, SUITS, cards_text, parse_cards
    from simulate.request import choose_rules

    chosen = rule_settings("noddy", args.rules, args.rule)
    rules = cast("NoddyRules", choose_rules("noddy", chosen))
    cards = parse_cards(" ".join(args.cards), NODDY_RANKS)
    if not cards:
        raise InputError("an empty hand: name its cards, for example 5h Jd 5c Td")
    if args.trump is None:
        raise InputError("trumps are missing: name a suit with --trump c, d, h or s")
    if args.trump.lower() not in [*SUITS]:
        raise InputError(f"trump {args.trump}: name a suit with --trump c, d, h or s")

    from simulate.noddy.reference import lays
    from simulate.noddy.rules import COMBINATIONS

    said = list(COMBINATIONS.values())
    options = list(islice(lays(cards, SUITS.index(args.trump.lower()), rules), MOST_OPTIONS + 1))
    lines = [
        f"{points:>4}  {said[kind]:<18}{' '.join(cards_text(laid, NODDY_RANKS))}"
        for kind, laid, points in options[:MOST_OPTIONS]
    ]
    if len(options) > MOST_OPTIONS:
        lines.append(f"      and more: a player is offered the first {MOST_OPTIONS}")
    if not options or not rules.must_lay:
        lines.append("   0  draw")
    return lines
