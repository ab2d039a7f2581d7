"""The rules of Noddy: in prose, and as a frozen record with presets.

A *deal* is one distribution of cards and everything played with it, a *game* the run of deals until
somebody wins. *Eldest* sits to the left of the dealer, who is last in turn order. Rules marked
[open] are decisions of this project where the source, a short Russian description, is silent or can
be read in more ways than one.

D1. 2 to 4 players (n), each for himself, one 52-card deck, ace always low. Pip values: ace 1, 2 to
10 their number, J, Q and K `court_value` (10) [open]. The first dealer is drawn by lot; players
deal in turn. The first to have `target` (31) points or more wins.

D2. Three cards to each player. The rest lies face down (the *stock*). Its top card is turned up and
laid crosswise under the stock, face up: its suit is *trump*. [open] It is the last card of the
stock and is drawn last; `turn_up_drawn = False` leaves it out of play.

D3. If the turn-up is a jack, every opponent of the dealer scores `turned_jack` (2) at once, from
eldest round.

D4. From eldest, clockwise, each player in turn does one thing: **lay** one combination (announce
it, put its cards face up on the table, out of play, and score it), or **draw** one card from the
stock.

D5. Whoever has laid and then holds fewer than three cards draws from the stock up to three, as far
as it lasts. The lay that wins draws nothing.

D6. Whoever holds no combination draws. [open] The source says that whoever sees a combination lays
it: `must_lay = True`, the preset `lay`. Nobody at a table could enforce it, and holding back for a
greater combination is the game's finest question: the preset `hold` has `must_lay = False`.

D7. [open] With the stock empty, whoever does not lay passes; when all players pass in succession
the deal is dead, scores stand, the next seat deals.

D8. Reaching the target ends the game at once. [open] If D3 takes several players there, the one
nearest eldest wins. A game nobody has won after `max_deals` deals (1,000) is *truncated*.

==================  =========================================  ======
combination         cards                                      points
==================  =========================================  ======
knave noddy         the jack of trumps, laid alone [open]           1
fifteen             2 or more cards whose pips add up to 15        15
twenty-five         3 or more cards, pips adding up to 25          25
thirty-one          4 or more cards, pips adding up to 31          31
pair                2 of one rank                                   2
pair royal          3 of one rank                                   6
double pair royal   4 of one rank                                  12
flush               3 or 4 cards of one suit                        1
run of three        3 in sequence, any suits                        2
run of four         4 in sequence                                   4
long run            5 or more in sequence                          10
==================  =========================================  ======

D9. A-2-3 is a run, Q-K-A is not. Every card laid belongs to the one combination announced. [open]
One lay a turn, one combination a lay: cards that are two things at once score as the one announced.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import Any, NamedTuple

from simulate.errors import InputError, unknown

MIN_PLAYERS, MAX_PLAYERS = 2, 4
HAND = 3
"""Cards dealt to each player (D2), and drawn up to after a lay (D5)."""


class Field(NamedTuple):
    """One field of the rules: what it means and which values it takes.

    Without a range it is true or false.
    """

    about: str
    low: int | None = None
    high: int | None = None

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.low is None:
            return "true or false"
        return f"a whole number from {self.low} to {self.high:,}"

    def accepts(self, value: object) -> bool:
        """Whether a value is of the right type and in range."""
        if isinstance(value, bool) or not isinstance(value, int):
            return isinstance(value, bool) and self.low is None
        return self.low is not None and self.high is not None and self.low <= value <= self.high


@dataclass(frozen=True)
class Points:
    """What each combination scores, in the order of the table of combinations; 0 takes it out."""

    knave_noddy: int = 1
    fifteen: int = 15
    twenty_five: int = 25
    thirty_one: int = 31
    pair: int = 2
    pair_royal: int = 6
    double_pair_royal: int = 12
    flush: int = 1
    run_of_three: int = 2
    run_of_four: int = 4
    long_run: int = 10


NAMES = (
    "knave noddy",
    "fifteen",
    "twenty-five",
    "thirty-one",
    "pair",
    "pair royal",
    "double pair royal",
    "flush",
    "run of three",
    "run of four",
    "long run",
)
"""The combinations as they are called, in the order of the table."""

COMBINATIONS = dict(zip((field.name for field in fields(Points)), NAMES, strict=True))
"""The combinations by the name of their field: ``"twenty_five"`` is called ``"twenty-five"``."""

FIELDS = {
    "must_lay": Field("whether whoever holds a combination must lay one (D6)"),
    "turn_up_drawn": Field("whether the turn-up is the last card of the stock (D2)"),
    "court_value": Field("pips of a jack, queen or king (D1)", 1, 13),
    "turned_jack": Field("what a turned-up jack scores the dealer's opponents (D3)", 0, 1_000),
    **{
        f"points.{name}": Field(f"what a {said} scores; 0 takes it out of the game", 0, 1_000)
        for name, said in COMBINATIONS.items()
    },
    "target": Field("the score that wins the game (D8)", 1, 100_000),
    "max_deals": Field("deals after which a game is given up (D8)", 1, 1_000_000),
}
"""Every field by the name it has in TOML, JSON and ``--rule``, in the order of the rules."""


def _checked(name: str, value: object) -> Any:
    if name not in FIELDS:
        raise unknown("rule", name, FIELDS)
    if not isinstance(value, int) and hasattr(value, "__index__"):  # a number of numpy's
        value = operator.index(value)
    if not FIELDS[name].accepts(value):
        raise InputError(f"rule {name} = {value!r}: allowed is {FIELDS[name].allowed}")
    return value


@dataclass(frozen=True)
class NoddyRules:
    """The rules of one variant of Noddy; the defaults are the preset ``lay``.

    Parameters
    ----------
    must_lay : bool
        Whether whoever holds a combination must lay one (D6).
    turn_up_drawn : bool
        Whether the turn-up is the last card of the stock (D2).
    court_value : int
        Pips of a jack, queen or king (D1).
    turned_jack : int
        What a turned-up jack scores every opponent of the dealer (D3).
    points : Points
        What each combination scores; 0 takes it out of the game.
    target : int
        The score that wins the game (D8).
    max_deals : int
        Deals after which a game is given up (D8).

    Raises
    ------
    InputError
        When a value is of the wrong type or out of range.
    """

    must_lay: bool = True
    turn_up_drawn: bool = True
    court_value: int = 10
    turned_jack: int = 2
    points: Points = Points()
    target: int = 31
    max_deals: int = 1_000

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Refuse the first value that is of the wrong type or out of range."""
        if not isinstance(self.points, Points):
            raise InputError(f"rule points = {self.points!r}: allowed is a Points")
        for name in FIELDS:
            _checked(name, self.get(name))

    def get(self, name: str) -> Any:
        """Return the value of a field of `FIELDS`, for example ``"points.fifteen"``."""
        return operator.attrgetter(name)(self)

    def preset_name(self) -> str | None:
        """Return the name of the preset that these rules are unchanged, or None."""
        return next((name for name, preset in PRESETS.items() if preset == self), None)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, and ``preset`` where the rules are one unchanged."""
        preset = self.preset_name()
        return asdict(self) if preset is None else {"preset": preset, **asdict(self)}


PRESETS: dict[str, NoddyRules] = {"lay": NoddyRules(), "hold": NoddyRules(must_lay=False)}


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """Turn ``{"points": {"pair": 2}}`` into ``{"points.pair": 2}``."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": item for inner, item in value.items()}
        else:
            flat[name] = value
    return flat


def make_rules(preset: str = "lay", overrides: Mapping[str, Any] | None = None) -> NoddyRules:
    """Take a preset and change some of its fields.

    Parameters
    ----------
    preset : str
        ``"lay"`` or ``"hold"``.
    overrides : mapping, optional
        New values by field name, ``{"target": 61, "points.pair": 0}``, or nested,
        ``{"points": {"pair": 0}}``.

    Raises
    ------
    InputError
        For an unknown preset or field, a wrong type, or a value out of range.
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise unknown("preset", preset, PRESETS)
    rules = PRESETS[preset]
    changes = {name: _checked(name, value) for name, value in _flat(overrides or {}).items()}
    points = {name[7:]: changes.pop(name) for name in list(changes) if name.startswith("points.")}
    return replace(rules, points=replace(rules.points, **points), **changes)


def from_dict(data: object) -> NoddyRules:
    """Read complete rules, as `NoddyRules.to_dict` writes them.

    Raises
    ------
    InputError
        When a field is missing, unknown or wrong, or ``preset`` names rules that these are not.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"rules {data!r}: allowed is a table of fields")
    flat = _flat(data)
    preset = flat.pop("preset", None)
    rules = make_rules(overrides=flat)
    missing = [name for name in FIELDS if name not in flat]
    if missing:
        field = FIELDS[missing[0]]
        raise InputError(f"rules lack the field {missing[0]}: allowed is {field.allowed}")
    if preset is not None and preset != rules.preset_name():
        raise InputError(f"rules name the preset {preset!r}, but are not that preset unchanged")
    return rules


def parse_value(name: str, text: str) -> bool | int:
    """Read the value of a field from the text of ``--rule name=text``.

    Raises
    ------
    InputError
        For an unknown field, or a text that is none of its values.
    """
    if name not in FIELDS:
        raise unknown("rule", name, FIELDS)
    word = text.strip().lower()
    value: bool | int | None = {"true": True, "false": False}.get(word)
    if value is None:
        try:
            value = int(word)
        except ValueError:
            pass  # then it is wrong
    if value is None or not FIELDS[name].accepts(value):
        raise InputError(f"rule {name} = {text}: allowed is {FIELDS[name].allowed}")
    return value


def value_text(value: object) -> str:
    """Write a value as `parse_value` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def field_listing() -> list[tuple[str, str, str, str, str]]:
    """List every field for a help text: name, allowed values, ``lay``, ``hold``, meaning."""
    lay, hold = PRESETS.values()
    return [
        (name, field.allowed, value_text(lay.get(name)), value_text(hold.get(name)), field.about)
        for name, field in FIELDS.items()
    ]


class KernelRules(NamedTuple):
    """The rules as plain whole numbers for compiled code.

    Attributes
    ----------
    must_lay, turn_up_drawn : int
        1 for true, 0 for false.
    court_value, turned_jack, target, max_deals : int
        As in `NoddyRules`.
    points : tuple of 11 int
        What each combination scores, by its place in the table of combinations.
    """

    must_lay: int
    turn_up_drawn: int
    court_value: int
    turned_jack: int
    target: int
    max_deals: int
    points: tuple[int, ...]


def kernel_rules(rules: NoddyRules) -> KernelRules:
    """Write the rules in plain whole numbers."""
    return KernelRules(
        must_lay=int(rules.must_lay),
        turn_up_drawn=int(rules.turn_up_drawn),
        court_value=rules.court_value,
        turned_jack=rules.turned_jack,
        target=rules.target,
        max_deals=rules.max_deals,
        points=astuple(rules.points),
    )
