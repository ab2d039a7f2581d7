"""The rules of Napalm: in prose, and as a frozen record with presets.

A *deal* is one distribution of cards and everything played with it, a *game* the run of deals
until somebody wins. *Eldest* sits to the left of the dealer, who is last in turn order. A *stake*
is the unit of money. Rules marked [open] are decisions of this project where the source, a short
Russian description, is silent or can be read in more ways than one.

N1. 4 to 7 players (n), one 52-card deck, ace always high. The first dealer is drawn by lot; after
each deal the next seat clockwise deals.

N2. **Ante.** Everybody puts 1 stake into the pot at the start of every deal. What an earlier deal
of the same game left in the pot is still there. [open]

N3. **Stage 1, best two cards.** Two cards to each. Everybody declares (N7); Yes means "I hold the
best two cards". A pair beats two unpaired cards; of two pairs the higher. [open] Of two unpaired
hands the higher top card, then the higher second card. Suits count for nothing; no flushes, no
straights.

N4. **Stage 2, lowest five cards.** Three more cards to each. Yes means "I hold the lowest hand".
[open] Hands rank as five-card poker hands, ace high, straights and flushes counting (against you):
the best low is 7-5-4-3-2 in mixed suits. A-2-3-4-5 is an ace-high hand here, whatever `wheel`
says.

N5. **Stage 3, best poker hand.** Two more cards to each. Yes means "my best five of seven is the
highest". [open] A-2-3-4-5 is not a straight; `wheel = True` makes it one, the lowest.

N6. **What ends a deal.** A deal ends after stage 3, and after a stage with `ends_on_yes` at which
somebody's last word was Yes. [open] `ends_on_yes` = True, False at stages 1 and 2.

N7. **Declaring.** From eldest clockwise each player says Yes or No aloud, once, hearing all
earlier answers. The dealer speaks last.

N8. **The challenge.** At a stage with `challenge`, when everybody else has said No and the dealer
says Yes, each other player, again from eldest round, speaks a second time, hearing what was said
before; that is his last word. [open] `challenge` = True, False, False.

Settling a stage: let Y be the number of players whose last word is Yes.

N9. Y = 0: nothing moves.

N10. Y = 1: that player takes `lone_award` stakes (1) from the pot, unseen. [open] So at all stages.

N11. Y >= 2: they compare hands. The winner takes Y stakes from the pot. Each loser among them pays
`penalty` stakes into the pot: 2 at stage 1, Y at stages 2 and 3 (`"declarers"`). [open]

N12. [open] Losers pay before the winner takes, and nobody takes more than the pot holds.

N13. [open] Ties for best. With `tie = "split"` the t tied players each take floor(min(Y, pot) / t)
stakes, the odd stakes stay in the pot, none of them pays. With `tie = "nothing"` the tied neither
take nor pay; the other declarers pay.

N14. Those whose last word is No neither take nor pay.

N15. A player's *collected* count adds up every stake he took from the pot under N10 to N13. [open]
It is a gross count: payments do not lower it, antes do not count.

N16. Whoever has `target` (5) or more after a settlement takes the whole pot at once; the game
ends, the rest of the deal is not played. [open] If one settlement takes several players there, the
highest count wins, then the one nearest eldest.

N17. A new game starts with an empty pot and counts of 0. Over a finished game the net results add
up to zero.

N18. [open] A game that nobody has won after `max_deals` deals (1,000) is *truncated*: no winner,
the pot stays unclaimed, net results and pot add up to zero.

The preset `stakes` is that source, and the default. `tokens` is the English-language tradition
(also known as Whipsaw), where tokens are apart from money and all three stages are always dealt.
With ``currency = "tokens"`` N10 gives `lone_award` tokens, collected by as many, and moves no
money. N11: each loser pays the winner directly a *side bet* equal to the pot as it stands; the pot
and the collected counts do not change. N13: with `"split"` each loser pays floor(pot / t) to each
of the t tied players; with `"nothing"` no money moves. N16: the prize is the pot, which then holds
the antes.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from simulate.errors import InputError, unknown

MIN_PLAYERS, MAX_PLAYERS = 4, 7
STAGES = (1, 2, 3)
DECLARERS = "declarers"


class Field(NamedTuple):
    """One field of the rules: what it means and which values it takes.

    With neither `words` nor a range it is true or false.
    """

    about: str
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        words = " or ".join(repr(word) for word in self.words)
        if self.low is None:
            return words or "true or false"
        number = f"a whole number from {self.low} to {self.high:,}"
        return f"{number}, or {words}" if words else number

    def accepts(self, value: object) -> bool:
        """Whether a value is of the right type and in range."""
        if isinstance(value, bool):
            return self.low is None and not self.words
        if isinstance(value, int):
            return self.low is not None and self.high is not None and self.low <= value <= self.high
        return isinstance(value, str) and value in self.words


def _fields() -> dict[str, Field]:
    ends = Field("whether a Yes at this stage ends the deal (N6)")
    challenge = Field("whether a dealer's lone Yes makes the others speak again (N8)")
    award = Field("what a lone Yes takes (N10)", 1, 52)
    penalty = Field("what each loser of a showdown pays into the pot (N11)", 0, 52, (DECLARERS,))
    fields = {"currency": Field("what a Yes collects (N10, N11)", words=("stakes", "tokens"))}
    for stage in STAGES:
        if stage != 3:  # the deal ends there in any case
            fields[f"stage{stage}.ends_on_yes"] = ends
        fields[f"stage{stage}.challenge"] = challenge
        fields[f"stage{stage}.lone_award"] = award
        fields[f"stage{stage}.penalty"] = penalty
    fields["tie"] = Field("what those tied for best take (N13)", words=("split", "nothing"))
    fields["wheel"] = Field("whether A-2-3-4-5 is a straight at stage 3 (N5)")
    fields["target"] = Field("the collected count that wins the game (N16)", 1, 1_000)
    fields["max_deals"] = Field("deals after which a game is given up (N18)", 1, 1_000_000)
    return fields


FIELDS = _fields()
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
class StageRules:
    """How one stage is declared and settled.

    Parameters
    ----------
    ends_on_yes : bool
        Whether a Yes ends the deal (N6); without effect at stage 3, where it stays True.
    challenge : bool
        Whether a dealer's lone Yes makes the others speak again (N8).
    lone_award : int
        What a lone Yes takes (N10).
    penalty : int or "declarers"
        What each loser of a showdown pays into the pot (N11); without effect with tokens.
    """

    ends_on_yes: bool = True
    challenge: bool = False
    lone_award: int = 1
    penalty: int | str = DECLARERS


@dataclass(frozen=True)
class NapalmRules:
    """The rules of one variant of Napalm; the defaults are the preset ``stakes``.

    Parameters
    ----------
    stage1, stage2, stage3 : StageRules
        How each stage is declared and settled.
    currency : {"stakes", "tokens"}
        Whether a Yes collects stakes from the pot, or tokens apart from money.
    tie : {"split", "nothing"}
        What those tied for best take (N13).
    wheel : bool
        Whether A-2-3-4-5 is a straight at stage 3 (N5).
    target : int
        The collected count that wins the game (N16).
    max_deals : int
        Deals after which a game is given up (N18).

    Raises
    ------
    InputError
        When a value is of the wrong type or out of range.
    """

    stage1: StageRules = StageRules(challenge=True, penalty=2)
    stage2: StageRules = StageRules(ends_on_yes=False)
    stage3: StageRules = StageRules()
    currency: str = "stakes"
    tie: str = "split"
    wheel: bool = False
    target: int = 5
    max_deals: int = 1_000

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Refuse the first value that is of the wrong type or out of range."""
        for stage in STAGES:
            value = self.stage(stage)
            if not isinstance(value, StageRules):
                raise InputError(f"rule stage{stage} = {value!r}: allowed is a StageRules")
        for name in FIELDS:
            _checked(name, self.get(name))
        if self.stage3.ends_on_yes is not True:
            raise InputError("rule stage3.ends_on_yes cannot be changed: a deal ends after stage 3")

    def stage(self, stage: int) -> StageRules:
        """Return the rules of stage 1, 2 or 3."""
        return (self.stage1, self.stage2, self.stage3)[stage - 1]

    def get(self, name: str) -> Any:
        """Return the value of a field of `FIELDS`, for example ``"stage1.penalty"``."""
        return operator.attrgetter(name)(self)

    def preset_name(self) -> str | None:
        """Return the name of the preset that these rules are unchanged, or None."""
        return next((name for name, preset in PRESETS.items() if preset == self), None)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, nested by stage, and ``preset`` where the rules are one unchanged."""
        data = asdict(self)
        del data["stage3"]["ends_on_yes"]
        preset = self.preset_name()
        return data if preset is None else {"preset": preset, **data}


PRESETS: dict[str, NapalmRules] = {
    "stakes": NapalmRules(),
    "tokens": NapalmRules(
        stage1=StageRules(ends_on_yes=False, challenge=True, penalty=2),
        stage2=StageRules(ends_on_yes=False, challenge=True),
        stage3=StageRules(challenge=True),
        currency="tokens",
    ),
}


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """Turn ``{"stage1": {"penalty": 2}}`` into ``{"stage1.penalty": 2}``."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": item for inner, item in value.items()}
        else:
            flat[name] = value
    return flat


def make_rules(preset: str = "stakes", overrides: Mapping[str, Any] | None = None) -> NapalmRules:
    """Take a preset and change some of its fields.

    Parameters
    ----------
    preset : str
        ``"stakes"`` or ``"tokens"``.
    overrides : mapping, optional
        New values by field name, ``{"target": 3, "stage3.penalty": 0}``, or nested by stage,
        ``{"stage3": {"penalty": 0}}``.

    Raises
    ------
    InputError
        For an unknown preset or field, a wrong type, or a value out of range.
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise unknown("preset", preset, PRESETS)
    rules = PRESETS[preset]
    changes: dict[str, dict[str, Any]] = {"": {}}
    for name, value in _flat(overrides or {}).items():
        checked = _checked(name, value)
        stage, _, inner = name.rpartition(".")
        changes.setdefault(stage, {})[inner] = checked
    whole = changes.pop("")
    stages = {stage: replace(getattr(rules, stage), **some) for stage, some in changes.items()}
    return replace(rules, **whole, **stages)


def from_dict(data: object) -> NapalmRules:
    """Read complete rules, as `NapalmRules.to_dict` writes them.

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
    for name, field in FIELDS.items():
        if name not in flat:
            raise InputError(f"rules lack the field {name}: allowed is {field.allowed}")
    if preset is not None and preset != rules.preset_name():
        raise InputError(f"rules name the preset {preset!r}, but are not that preset unchanged")
    return rules


def parse_value(name: str, text: str) -> bool | int | str:
    """Read the value of a field from the text of ``--rule name=text``.

    Raises
    ------
    InputError
        For an unknown field, or a text that is none of its values.
    """
    if name not in FIELDS:
        raise unknown("rule", name, FIELDS)
    value: bool | int | str = text.strip().lower()
    if value in ("true", "false"):
        value = value == "true"
    else:
        try:
            value = int(value)
        except ValueError:
            pass  # then it is a word, or wrong
    if not FIELDS[name].accepts(value):
        raise InputError(f"rule {name} = {text}: allowed is {FIELDS[name].allowed}")
    return value


def value_text(value: object) -> str:
    """Write a value as `parse_value` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def field_listing() -> list[tuple[str, str, str, str, str]]:
    """List every field for a help text: name, allowed values, ``stakes``, ``tokens``, meaning."""
    stakes, tokens = PRESETS["stakes"], PRESETS["tokens"]
    listing = []
    for name, field in FIELDS.items():
        defaults = value_text(stakes.get(name)), value_text(tokens.get(name))
        listing.append((name, field.allowed, *defaults, field.about))
    return listing


class KernelRules(NamedTuple):
    """The rules as plain whole numbers for compiled code; tuples hold a number for each stage.

    Attributes
    ----------
    tokens, wheel, split : int
        1 for ``currency = "tokens"``, for `wheel`, and for ``tie = "split"``; otherwise 0.
    target, max_deals : int
        As in `NapalmRules`.
    ends, challenge : tuple of 3 int
        1 where a Yes ends the deal (at stage 3 always), and where there is a challenge.
    lone, penalty : tuple of 3 int
        What a lone Yes takes, and what losers pay, -1 for ``"declarers"``.
    """

    tokens: int
    wheel: int
    split: int
    target: int
    max_deals: int
    ends: tuple[int, int, int]
    challenge: tuple[int, int, int]
    lone: tuple[int, int, int]
    penalty: tuple[int, int, int]


def kernel_rules(rules: NapalmRules) -> KernelRules:
    """Write the rules in plain whole numbers."""

    def each(name: str) -> tuple[int, int, int]:
        values = [getattr(rules.stage(stage), name) for stage in STAGES]
        first, second, third = (-1 if value == DECLARERS else int(value) for value in values)
        return first, second, third

    return KernelRules(
        tokens=int(rules.currency == "tokens"),
        wheel=int(rules.wheel),
        split=int(rules.tie == "split"),
        target=rules.target,
        max_deals=rules.max_deals,
        ends=each("ends_on_yes"),
        challenge=each("challenge"),
        lone=each("lone_award"),
        penalty=each("penalty"),
    )
