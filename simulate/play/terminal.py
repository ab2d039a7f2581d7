"""The table in a terminal: what is told, what is asked, and what the coach says of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulate.cards import NODDY_RANKS, cards_text
from simulate.errors import InputError, was_stopped
from simulate.noddy.telling import SUIT_NAMES
from simulate.noddy.view import MAX_OPTIONS
from simulate.numerals import counted
from simulate.play.coach import Advice
from simulate.play.keeping import Kept
from simulate.play.noddy import cards_in
from simulate.play.summary import cost_text, mistakes, value_text

if TYPE_CHECKING:
    from simulate.play.sitting import Sitting

CARD = re.compile(r"\[([2-9TJQKA])([cdhs])\]")
SYMBOLS = dict(zip("cdhs", "♣♦♥♠", strict=True))
RED = "dh"

HELP = {
    "napalm": "y or n: say Yes or No",
    "noddy": "a number: lay that combination; d: draw a card; p: pass",
}
COMMANDS = "t: tell this deal again; q: stop here, the game is kept; ?: this help"
HINT = "h: what each answer is worth"

Advise = Callable[["Sitting"], Advice]
Read = Callable[[Text], str]


class Stopped(Exception):
    """The person has stopped; the game is kept."""


def pretty(text: str, symbols: bool = True) -> Text:
    """Write a line with its cards in colours, and with symbols for their suits."""
    line, end = Text(), 0
    for found in CARD.finditer(text):
        rank, suit = found.groups()
        line.append(text[end : found.start()])
        style = "bold red" if suit in RED else "bold"
        line.append(rank + (SYMBOLS[suit] if symbols else suit), style)
        end = found.end()
    return line.append(text[end:])


def has_symbols(console: Console) -> bool:
    """Tell whether a console can print the symbols of the suits."""
    try:
        "".join(SYMBOLS.values()).encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@dataclass
class TerminalTable:
    """A game played in a terminal.

    Parameters
    ----------
    kept : Kept
        The game.
    console : Console
        Where it is shown.
    read : callable
        Reads a line, given what stands before it.
    advise : callable, optional
        Values the answers that the person has.
    coach : bool
        Say after each answer what it cost.
    """

    kept: Kept
    console: Console
    read: Read
    advise: Advise | None = None
    coach: bool = True
    told: int = 0
    seen: Advice | None = field(default=None)
    silent: str = ""
    met: bool = False

    def play(self) -> None:
        """Play the game to its end.

        Raises
        ------
        Stopped
            When the person has had enough, or there is nothing more to read.
        """
        sitting = self.kept.sitting
        self.greet()
        while not sitting.over:
            self.tell()
            self.show()
            answer = self.hear()
            advice = self.advice() if self.coach and self.advise else self.seen
            self.kept.answer(answer, advice)
            if self.coach and self.advise:
                told = f"  Coach: this cannot be judged: {self.silent}."
                self.say(verdict(advice, answer) if advice else told)
            self.seen = None
        self.tell()
        self.summary()

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        line = pretty(text, has_symbols(self.console))
        if style:
            line.stylize(style)
        self.console.print(line, soft_wrap=True, highlight=False)

    def greet(self) -> None:
        """Say who plays what."""
        sitting = self.kept.sitting
        setting = sitting.setting
        again = ", going on" if self.kept.resumed and sitting.answers else ""
        game = f"{setting.game.capitalize()}, game {sitting.index} of seed {setting.seed}{again}"
        self.say(f"{game}. You sit in seat {setting.seat} of {setting.players}.", "bold")
        self.say(f"{HELP[setting.game]}; ?: more.", "dim")

    def tell(self) -> None:
        """Tell what has happened since the person was asked last."""
        lines = self.kept.sitting.lines()
        for line in lines[self.told :]:
            if line.startswith("Deal "):
                self.console.print()
            self.say(line, "" if line.startswith(" ") else "bold")
        self.told = len(lines)

    def show(self) -> None:
        """Show the table as it stands."""
        sitting = self.kept.sitting
        show = show_napalm if sitting.setting.game == "napalm" else show_noddy
        self.console.print()
        for part in show(sitting):
            if isinstance(part, Table):
                self.console.print(part)
            else:
                self.say(part)

    def hear(self) -> int:
        """Ask until the person answers."""
        sitting = self.kept.sitting
        by_key = {choice.key: choice for choice in sitting.choices}
        by_key |= {choice.text.lower(): choice for choice in sitting.choices}
        napalm = sitting.setting.game == "napalm"
        keys = "y/n" if napalm else "/".join(dict.fromkeys(c.key for c in sitting.choices))
        others = ", h, ?" if self.advise else ", ?"
        prompt = Text(f"{'Yes or No' if napalm else 'Which'}? ({keys}{others}) ", "bold")
        while True:
            try:
                word = self.read(prompt).strip().lower()
            except EOFError:
                raise Stopped from None
            if word in by_key:
                return by_key[word].answer
            if word == "q":
                raise Stopped
            if word == "h" and self.advise:
                self.hint()
            elif word == "t":
                lines = sitting.lines()
                last = max(i for i, line in enumerate(lines) if line.startswith("Deal "))
                for line in lines[last:]:
                    self.say(line)
            elif word in ("?", "help"):
                hint = f"; {HINT}" if self.advise else ""
                self.say(f"{HELP[sitting.setting.game]}{hint}; {COMMANDS}")
            else:
                self.say(f"{word!r} is none of {keys}; ? for help")

    def advice(self) -> Advice | None:
        """Return what the coach knows of the question that is asked; None where he knows nothing.

        `silent` is why then.
        """
        assert self.advise is not None  # noqa: S101  (asked where there is one)
        if self.seen is None:
            try:
                with self.console.status(f"The coach is thinking{self.patience()} ..."):
                    self.seen = self.advise(self.kept.sitting)
                self.met = True
            except InputError as error:
                if was_stopped(error):
                    raise KeyboardInterrupt from error
                self.silent = str(error)
        return self.seen

    def patience(self) -> str:
        """Say what the first question may take, where games are compiled for it."""
        return "" if self.met else ": with strategies that are new to him up to a minute"

    def hint(self) -> None:
        """Show what each answer is worth."""
        advice = self.advice()
        if advice is None:
            self.say(f"  No hint: {self.silent}.")
            return
        for choice in sorted(advice.choices, key=lambda choice: -choice.value):
            self.say(f"  {choice.text}: {value_text(advice, choice)}")

    def summary(self) -> None:
        """Show the mistakes by what they cost, and where the game is kept."""
        self.console.print()
        for line in mistakes(self.kept):
            self.say(line)
        index = self.kept.sitting.index
        self.say(f"The game is in {self.kept.log}: simulate replay {self.kept.log} --game {index}")


def verdict(advice: Advice, answer: int) -> str:
    """Say what an answer cost."""
    best, chosen = advice.best, advice.chosen(answer)
    if chosen is best:
        return f"  Coach: {best.text} was best, {value_text(advice, best)}."
    cost = cost_text(advice, answer)
    if not advice.worse(answer):
        return f"  Coach: as good as {best.text}, as far as can be told (behind by {cost})."
    return f"  Coach: that cost {cost}: {best.text} was best, {value_text(advice, best)}."


def show_napalm(sitting: Sitting) -> list[str | Table]:
    """Show the seats in the order of speaking, and the person's own hand."""
    view, known = sitting.ask.view, sitting.shown()["deals"][-1]
    n, labels = view.n, sitting.setting.labels
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("in order of speaking")
    table.add_column("collected", justify="right")
    for stage in known["stages"]:
        table.add_column(f"stage {stage['stage']}")
    for position in range(n):
        seat = (known["dealer"] + 1 + position) % n
        words: list[str] = []
        for stage in known["stages"]:
            said = [word for who, word in stage["declarations"] if who == seat]
            words.append(", ".join(said))
        asked = seat == sitting.ask.seat
        words[-1] += (", " if words[-1] and asked else "") + ("?" if asked else "")
        name = labels[seat] + (", deals" if position == n - 1 else "")
        style = "bold" if asked else ""
        table.add_row(name, str(view.counts[position]), *words, style=style)
    hand = " ".join(f"[{card}]" for card in known["cards"][sitting.ask.seat])
    better = f"beats {view.strength:.1%} of all hands"
    return [
        table,
        f"The pot is {view.pot}; {view.target} collected win.",
        f"You hold {hand}: {better}.",
    ]


def show_noddy(sitting: Sitting) -> list[str | Table]:
    """Show the seats in turn order, the person's own hand, and what he may do."""
    view, known = sitting.ask.view, sitting.shown()["deals"][-1]
    labels = sitting.setting.labels
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("in turn order", "points", "cards"):
        table.add_column(name, justify="left" if name == "in turn order" else "right")
    for position in range(view.n):
        seat = (known["dealer"] + 1 + position) % view.n
        cells = [labels[seat], str(view.scores[position]), str(view.hand_sizes[position])]
        table.add_row(*cells, style="bold" if seat == sitting.ask.seat else "")
    turn_up = cards_text([view.turn_up], NODDY_RANKS)[0]
    trumps = f"Turned up: [{turn_up}], {SUIT_NAMES[turn_up[1]]} are trumps"
    parts: list[Any] = [
        table,
        f"{trumps}; {counted(view.stock, 'card')} in the stock; {view.target} points win.",
        f"You hold {' '.join(f'[{card}]' for card in cards_in(view.hand))}:",
    ]
    parts += [f"  {choice.key:>3}  {choice.text}" for choice in sitting.choices]
    if len(sitting.choices) == MAX_OPTIONS:
        parts.append(f"  At most {MAX_OPTIONS} are offered: those that score most.")
    return parts
