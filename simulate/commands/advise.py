"""``simulate advise``: what each choice is worth in the middle of a game."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.commands.options import rule_settings
from simulate.errors import InputError

if TYPE_CHECKING:
    from simulate.advice import Advice
    from simulate.napalm.spot import NapalmSpot
    from simulate.noddy.spot import NoddySpot

HELP = "say what each choice is worth in the middle of a game"
EXAMPLES = """\
  simulate advise napalm --players 5 --position 2 --heard yes,no --cards "Ah Kd"
  simulate advise napalm --position 4 --heard no,no,no,no --cards "9h 8d" --pot 14 \\
    --collected 2,1,0,3,0 --field tight --precision 0.05
  simulate advise napalm --position 1 --stage 2 --heard yes --cards "2c 7d 4h 9s Jc"
  simulate advise noddy --position 1 --cards "5h Jd 5c 2d" --turn-up 7h --scores 15,20 \\
    --sizes 5,4 --rules hold
"""
NAPALM = ("stage", "heard", "stage1", "stage2", "won1", "won2", "pot", "collected", "slip")
NODDY = ("turn_up", "scores", "laid", "sizes", "passes", "turn", "bare")
BOTH = ("position", "cards", "deal")
CELLS = {"net": "net stakes", "wins": "games won", "score": "points", "turns": "turns"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add = parser.add_argument
    add("game", metavar="GAME", help="napalm or noddy")
    add("--players", metavar="N", help="napalm 4 to 7 (5), noddy 2 to 4 (2)")
    add("--position", metavar="N", help="whose choice it is: 0 is eldest, the last the dealer")
    add("--cards", metavar="CARDS", help="his cards: Ah Kd")
    add("--deal", metavar="N", help="deals of this game before this one (0)")
    add("--stage", metavar="N", help="napalm: 1, 2 or 3 (1)")
    add("--heard", metavar="WORDS", help="napalm: the words at this stage so far: yes,no")
    for stage in (1, 2):
        add(
            f"--stage{stage}",
            metavar="WORDS",
            help="napalm: the words then; needed where a Yes would not have ended the deal",
        )
        add(f"--won{stage}", metavar="N,N", help="napalm: whose hand then was the best of several")
    add(
        "--pot",
        metavar="N",
        help="napalm: stakes in the pot now (the antes of a first deal, and what its words moved)",
    )
    add(
        "--collected",
        metavar="N,N,...",
        help="napalm: collected by now, by position (what this deal has brought)",
    )
    add("--turn-up", metavar="CARD", help="noddy: the card that was turned up")
    add(
        "--scores",
        metavar="N,N,...",
        help="noddy: points by now, by position (those of a jack turned up, if nothing was laid)",
    )
    add("--laid", metavar="CARDS", help="noddy: all cards laid in this deal so far")
    add(
        "--sizes",
        metavar="N,N,...",
        help="noddy: cards in hand now, by position (where nothing was laid, 3 and those drawn)",
    )
    add("--passes", metavar="N", help="noddy: how many have just passed in succession (0)")
    add("--turn", metavar="N", help="noddy: turns of this deal before this one")
    add("--bare", metavar="N,N,...", help="noddy: how many cards hold no combination, by position")
    add("--rules", metavar="PRESET", help="stakes or tokens; lay or hold")
    add("--rule", action="append", default=[], metavar="FIELD=VALUE", help="change one rule")
    add(
        "--field",
        action="append",
        metavar="SPEC",
        help="how the others play (positional; reckoner); repeat for each of them, by position",
    )
    add("--own", metavar="SPEC", help="how the player goes on himself (as the others)")
    add(
        "--slip",
        metavar="P",
        help="napalm: how often the others err (0; 0.02 without --field)",
    )
    add("--measure", metavar="WHAT", help="net or wins in napalm, wins or score in noddy")
    add("--precision", metavar="X", help="go on until differences are known within plus or minus X")
    add("--games", metavar="N", help="most games played on for each choice (400k)")
    add("--seed", metavar="N", help="any whole number >= 0 (1)")
    add("--json", action="store_true", help="print for programs")


def main(args: argparse.Namespace) -> int:
    """Print what each choice is worth."""
    from simulate.advising import advise
    from simulate.cli import OK
    from simulate.commands.progress import thinking
    from simulate.config import check_game
    from simulate.numerals import whole_number

    spot = spot_of(args, check_game(args.game))
    asked = ("field", "own", "slip", "measure", "precision", "games")
    given = {name: getattr(args, name) for name in asked if getattr(args, name) is not None}
    if args.seed is not None:
        given["seed"] = whole_number("seed", args.seed, 0)
    with thinking(hidden=args.json) as progress:
        advice = advise(spot, **given, progress=progress)
    print(json.dumps(advice.to_dict(), indent=2) if args.json else show(advice))
    return OK


def spot_of(args: argparse.Namespace, game: str) -> NapalmSpot | NoddySpot:
    """Make a spot of the options, and refuse those of the other game."""
    from simulate.napalm.spot import NapalmSpot
    from simulate.noddy.spot import NoddySpot

    own, others = (NAPALM, NODDY) if game == "napalm" else (NODDY, NAPALM)
    for name in others:
        if getattr(args, name) is not None:
            raise InputError(f"--{name.replace('_', '-')} is not for {game}")
    for name in ("position", "cards", *(("turn_up",) if game == "noddy" else ())):
        if getattr(args, name) is None:
            raise InputError(f"--{name.replace('_', '-')} is missing")
    given: dict[str, Any] = {
        name: getattr(args, name)
        for name in (*own, *BOTH)
        if name != "slip" and getattr(args, name) is not None
    }
    if args.players is not None:
        given["players"] = args.players
    given["rules"] = rule_settings(game, args.rules, args.rule)
    return NapalmSpot(**given) if game == "napalm" else NoddySpot(**given)


def show(advice: Advice) -> str:
    """Write advice as text."""
    from simulate.advice import amount
    from simulate.commands.show import may_colour
    from simulate.text import columns

    measures = list(advice.choices[0].values)
    rows = []
    for choice in advice.choices:
        cells = [amount(name, value, unit=False) for name, value in choice.values.items()]
        mark = "*" if choice.maybe_best else ""
        behind = amount(advice.measure, choice.behind, unit=False).lstrip("+")
        best = choice is advice.choices[advice.best]
        rows.append([f"{choice.name} {mark}".strip(), *cells, "" if best else behind])
    head = ["", *(CELLS[name] for name in measures), f"behind ({CELLS[advice.measure]})"]
    lines = [*columns(head, rows, colour=may_colour(sys.stdout)), "", advice.sentence]
    if len(advice.choices) > 1:
        lines.append("* may be the best")
    return "\n".join([*lines, *_played(advice)])


def _played(advice: Advice) -> Iterator[str]:
    """Say how much was played, and what that did not come to."""
    from simulate.noddy.view import MAX_OPTIONS
    from simulate.text import in_short

    early = sorted({one.samples for one in advice.choices if one.samples < advice.samples})
    dropped = ""
    if early:
        number = sum(one.samples < advice.samples for one in advice.choices)
        after = f"{early[0]:,}" + (f" to {early[-1]:,}" if len(early) > 1 else "")
        which = "1 surely worse choice was" if number == 1 else f"{number} surely worse ones were"
        dropped = f"; {which} dropped after {after}"
    yield (
        f"{advice.samples:,} games played on for each choice (worth {advice.effective:,.0f} of "
        f"equal weight), of {advice.dealt:,} dealt{dropped}; field: {in_short(advice.field)}"
    )
    if advice.given_up:
        share = f"{advice.given_up:.1%} of the games"
        yield f"{share} ended without a winner: nobody had won after the most deals there may be"
    if not advice.answered:
        scale, unit = (100, "% of the games") if advice.measure == "wins" else (1, "")
        wanted = f"{scale * advice.precision:g}{unit or ' ' + CELLS[advice.measure]}"
        rare = advice.dealt >= import_module(f"simulate.{advice.game}.adviser").MOST_DEALT
        more = "few tables agree with what is known" if rare else "--games allows more"
        yield (
            "That was not enough to tell the choices apart, or to know their differences within "
            f"{wanted}: {more}"
        )
    if len(advice.choices) == MAX_OPTIONS:
        yield f"Only the first {MAX_OPTIONS} options are looked at, those that score most"
