"""A decision in the middle of a game of Napalm, as a player at the table knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulate.cards import NAPALM_RANKS, cards_text, parse_cards
from simulate.errors import InputError
from simulate.napalm.counts import HAND_SIZES
from simulate.napalm.rules import DECLARERS, MAX_PLAYERS, MIN_PLAYERS, NapalmRules, make_rules
from simulate.numerals import counted, whole_number, whole_numbers

PLAYERS = 5
WORDS = {"yes": True, "y": True, "no": False, "n": False}
MOST_POT = 1_000_000


def read_words(what: str, words: str | Iterable[object]) -> tuple[bool, ...]:
    """Read words: ``"yes,no"``, ``["yes", "no"]`` or ``[True, False]``."""
    if isinstance(words, str):
        words = words.replace(",", " ").split()
    if not isinstance(words, Iterable):
        raise InputError(f"{what}: {words!r} are no words: allowed are yes and no")
    said = []
    for word in words:
        if isinstance(word, bool):
            said.append(word)
        elif isinstance(word, str) and word.lower() in WORDS:
            said.append(WORDS[word.lower()])
        else:
            raise InputError(f"{what}: {word!r} is no word: allowed are yes and no")
    return tuple(said)


@dataclass(frozen=True)
class NapalmSpot:
    """Where a game of Napalm stands when a player is to say Yes or No.

    Positions count from eldest (0) to the dealer. Everything may be given as text, as on the
    command line; it is kept in plain types.

    Parameters
    ----------
    players : int
        4 to 7; 5 when left out.
    position : int
        Who is to speak: 0 is eldest, ``players - 1`` the dealer.
    cards : str or sequence
        His cards, in the order dealt: two, five or seven, as `stage` says.
    heard : str or sequence, optional
        The words at this stage so far, from eldest on: one of each player before him. After a
        challenge all first words, and then the second words of those before him.
    stage : int
        1, 2 or 3.
    stage1, stage2 : str or sequence, optional
        The words at earlier stages of this deal, in the order spoken, second words last. When
        left out all are No; needed where a Yes does not end the deal.
    won1, won2 : str or sequence of int, optional
        Where several said Yes at an earlier stage: the positions whose hand was the best.
    pot : int, optional
        Stakes in the pot now, as `view.pot`: when left out, the antes of a first deal, and what the
        words of this deal have moved.
    collected : str or sequence of int, optional
        What each has collected by now, by position, as `view.counts`: when left out, what the words
        of this deal have brought him.
    deal : int
        Deals of this game before this one.
    before : sequence of (pot, counts), optional
        What was in the pot, and collected by position, before the words of each earlier stage;
        worked out from what there is now when left out.
    rules : str, mapping or NapalmRules, optional
        The rules, as in `simulate.run`.

    Raises
    ------
    InputError
        When no game can stand like this.
    """

    players: int = PLAYERS
    position: Any = None
    cards: Any = (
        None  # whatever is allowed is kept as a tuple: of int, and of bool where it is words
    )
    heard: Any = ()
    stage: int = 1
    stage1: Any = None
    stage2: Any = None
    won1: Any = None
    won2: Any = None
    pot: int | None = None
    collected: Any = None
    deal: int = 0
    before: Any = None
    rules: Any = None  # kept as NapalmRules

    def __post_init__(self) -> None:
        put = self._put
        put("rules", _rules(self.rules))
        put("players", self._players())
        n, rules = self.players, self.rules
        for name in ("position", "cards"):
            if getattr(self, name) is None:
                raise InputError(f"{name} is missing")
        put("position", _position("position", self.position, n))
        put("stage", whole_number("stage", self.stage, 1, 3))
        put("cards", self._cards())
        put("heard", read_words("heard", self.heard))
        for stage in (1, 2):
            self._check_earlier(stage)
        self._check_heard()
        put("deal", whole_number("deal", self.deal, 0, rules.max_deals - 1))
        self._settle_money()

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _players(self) -> int:
        number = whole_number("players", self.players, 0)
        if not MIN_PLAYERS <= number <= MAX_PLAYERS:
            raise InputError(f"players {number}: napalm takes {MIN_PLAYERS} to {MAX_PLAYERS}")
        return number

    def _cards(self) -> tuple[int, ...]:
        cards: Any = self.cards
        if not isinstance(cards, str):
            if not isinstance(cards, Iterable):
                raise InputError(f"cards {cards!r}: cards are wanted, as in 'Ah Kd'")
            cards = list(cards)
            if all(isinstance(card, int) for card in cards):
                for card in cards:
                    whole_number("card", card, 0, 51)
                cards = cards_text(cards, NAPALM_RANKS)
        hand = parse_cards(cards, NAPALM_RANKS)
        if len(hand) != HAND_SIZES[self.stage]:
            number, wanted = counted(len(hand), "card"), HAND_SIZES[self.stage]
            raise InputError(f"{number}: at stage {self.stage} a player holds {wanted}")
        return tuple(hand)

    def words(self, stage: int) -> tuple[bool, ...]:
        """Return the words of a stage so far, in the order spoken."""
        if stage == self.stage:
            heard: tuple[bool, ...] = self.heard
            return heard
        words: tuple[bool, ...] = (self.stage1, self.stage2)[stage - 1]
        return words

    def _check_earlier(self, stage: int) -> None:
        """Read and check what was said, and who won, at an earlier stage."""
        said, won = (self.stage1, self.stage2)[stage - 1], (self.won1, self.won2)[stage - 1]
        name, n, rules = f"stage{stage}", self.players, self.rules.stage(stage)
        if stage >= self.stage:
            if said is not None or won is not None:
                what = name if said is not None else f"won{stage}"
                raise InputError(f"{what} is given, but the deal is at stage {self.stage}")
            return
        if said is None and not rules.ends_on_yes:
            raise InputError(f"the words at stage {stage} are missing: name all {n} with {name}")
        words = read_words(name, (False,) * n if said is None else said)
        self._put(name, words)
        challenged = rules.challenge and is_challenge(words[:n])
        needed = 2 * n - 1 if challenged else n
        if len(words) != needed:
            why = (
                f"{n} players, and {n - 1} that answer the dealer" if challenged else f"{n} players"
            )
            raise InputError(f"{name} has {len(words)} words: {needed} are spoken ({why})")
        if rules.ends_on_yes and any(words):
            raise InputError(
                f"{name} has a Yes: by these rules that ends the deal at stage {stage}"
            )
        yes = declarers(words, n)
        if won is not None:
            one = (won,) if isinstance(won, int) else won
            best = whole_numbers(f"won{stage}", one, 0, n - 1)
            if len(yes) < 2 or not best or not set(best) <= set(yes):
                raise InputError(
                    f"won{stage} {' '.join(map(str, best))}: allowed are positions that said Yes, "
                    f"where several did: {', '.join(map(str, yes)) or 'nobody'} said Yes"
                )
            self._put(f"won{stage}", best)

    @property
    def turn(self) -> int:
        """1, or 2 when he answers the dealer's challenge."""
        return 1 if len(self.heard) < self.players else 2

    def _check_heard(self) -> None:
        n, position, heard = self.players, self.position, self.heard
        if len(heard) == position:
            return
        if len(heard) < n:
            which = "has not spoken yet" if len(heard) > position else "has spoken"
            at = position if len(heard) > position else position - 1
            raise InputError(
                f"heard has {len(heard)} words: position {position} speaks after {position} of "
                f"them; position {at} {which}"
            )
        if not self.rules.stage(self.stage).challenge or not is_challenge(heard[:n]):
            raise InputError(
                f"heard has {len(heard)} words of {n} players: a player speaks again only where "
                "the rules have a challenge, and the dealer alone has said Yes"
            )
        if position == n - 1:
            raise InputError(f"position {position} is the dealer: he does not answer himself")
        if len(heard) != n + position:
            raise InputError(
                f"heard has {len(heard)} words: position {position} answers the dealer after "
                f"{n} first words and {position} second ones"
            )

    def _settle_money(self) -> None:
        """Take pot and counts as they are given, or as the words of this deal leave them."""
        n = self.players
        if self.before is not None:  # the whole game is known
            self._put("pot", whole_number("pot", self.pot, 0, MOST_POT))
            self._put("collected", self._check_counts(self.collected))
            return
        pot = None if self.pot is None else whole_number("pot", self.pot, 0, MOST_POT)
        counts = None if self.collected is None else self._check_counts(self.collected)
        moved = money_moved(self)
        if pot is None and self.deal:
            raise InputError(f"deal {self.deal}: say what is in the pot now with pot")
        if moved is None:
            self._check_unknown(pot, counts)
        else:
            least, gained = moved
            if pot is None and counts not in (None, gained):
                text = ",".join(map(str, counts or ()))
                raise InputError(
                    f"collected {text} tells of earlier deals, which may have left something in "
                    "the pot: say what is in it now with pot"
                )
            pot = least if pot is None else pot
            if pot < least:
                raise InputError(
                    f"pot {pot}: with the antes of {n} players, and what the words of this deal "
                    f"have moved, it holds at least {least} now"
                )
            counts = self._check_counts(gained) if counts is None else counts
            for position, (count, gain) in enumerate(zip(counts, gained, strict=True)):
                if count < gain:
                    raise InputError(
                        f"collected {count} in position {position}: he has taken {gain} in this "
                        "deal, and collected is what everybody has by now"
                    )
        self._put("pot", pot)
        self._put("collected", counts)

    def _check_counts(self, given: object) -> tuple[int, ...]:
        n, target = self.players, self.rules.target
        counts = whole_numbers("collected", given, 0, 10**9)
        if len(counts) != n:
            raise InputError(f"collected has {len(counts)} counts: there are {n} players")
        for position, count in enumerate(counts):
            if count >= target:
                raise InputError(
                    f"collected {count} in position {position} has won the game: allowed is 0 to "
                    f"{target - 1}"
                )
        return counts

    def _check_unknown(self, pot: int | None, counts: tuple[int, ...] | None) -> None:
        """Refuse what cannot be where it is not known who won a showdown of this deal."""
        n, rules = self.players, self.rules
        for stage in range(1, self.stage):
            yes = declarers(self.words(stage), n)
            if len(yes) < 2 or (self.won1, self.won2)[stage - 1] is not None:
                continue
            names = " and ".join(map(str, yes))
            if pot is None or counts is None:
                raise InputError(
                    f"positions {names} compared hands at stage {stage}: say whose was the best "
                    f"with won{stage}, or how the table stands now with pot and collected"
                )
            if (
                rules.currency != "tokens"
                and rules.tie == "split"
                and not any(counts[position] for position in yes)
            ):
                raise InputError(
                    f"collected 0 in positions {names}: one of them has taken stakes at stage "
                    f"{stage}, and collected is what everybody has by now"
                )

    def money_before(self) -> tuple[list[int], list[list[int]]]:
        """Work out what was in the pot, and collected, before the words of each stage so far.

        Where several said Yes and it is not known who won, what there is now is taken for it.
        """
        pot, counts = int(self.pot or 0), list(self.collected or ())
        pots, collected = [pot], [counts]
        if self.before is not None:
            return (
                [*(int(at) for at, _ in self.before), pot],
                [*(list(then) for _, then in self.before), counts],
            )
        for stage in range(self.stage - 1, 0, -1):
            pot, counts = self._before(stage, pot, counts)
            pots.insert(0, pot)
            collected.insert(0, counts)
        return pots, collected

    def _before(self, stage: int, pot: int, counts: list[int]) -> tuple[int, list[int]]:
        n, rules, counts = self.players, self.rules.stage(stage), list(counts)
        yes = declarers(self.words(stage), n)
        tokens, best = self.rules.currency == "tokens", (self.won1, self.won2)[stage - 1]
        if len(yes) == 1:
            counts[yes[0]] = max(0, counts[yes[0]] - rules.lone_award)
            return (pot if tokens else pot + rules.lone_award), counts
        if len(yes) < 2 or best is None or tokens:
            return pot, counts
        penalty = len(yes) if rules.penalty == DECLARERS else int(rules.penalty)
        paid = penalty * (len(yes) - len(best))
        takes = len(best) == 1 or self.rules.tie == "split"
        each = len(yes) // len(best) if takes else 0
        for position in best:
            counts[position] = max(0, counts[position] - each)
        return max(0, pot + each * len(best) - paid), counts


def money_moved(spot: NapalmSpot) -> tuple[int, tuple[int, ...]] | None:
    """Follow the money of a first deal through its words so far (N9 to N13).

    Returns
    -------
    pot : int
        What is in it now; more where earlier deals have left something.
    gained : tuple of int
        What everybody has collected in this deal, by position.
    None
        Where it is not known who had the best of several hands.
    """
    n, tokens = spot.players, spot.rules.currency == "tokens"
    pot, gained = n, [0] * n
    for stage in range(1, spot.stage):
        rules, best = spot.rules.stage(stage), (spot.won1, spot.won2)[stage - 1]
        yes = declarers(spot.words(stage), n)
        if len(yes) == 1:
            gained[yes[0]] += rules.lone_award if tokens else min(rules.lone_award, pot)
            pot -= 0 if tokens else min(rules.lone_award, pot)
        elif len(yes) > 1 and not tokens:
            if best is None:
                return None
            penalty = len(yes) if rules.penalty == DECLARERS else int(rules.penalty)
            pot += penalty * (len(yes) - len(best))
            takes = len(best) == 1 or spot.rules.tie == "split"
            each = min(len(yes), pot) // len(best) if takes else 0
            for position in best:
                gained[position] += each
            pot -= each * len(best)
    return pot, tuple(gained)


def declarers(words: Sequence[bool], n: int) -> list[int]:
    """List the positions whose last word at a stage was Yes."""
    said = last_words(words, n)
    return [position for position in range(n) if said >> position & 1]


def is_challenge(first: Sequence[bool]) -> bool:
    """Say whether the dealer alone has said Yes (N8)."""
    return bool(first[-1]) and not any(first[:-1])


def last_words(words: Sequence[bool], n: int) -> int:
    """Return whose last word at a stage was Yes, as bits by position."""
    return sum(1 << place % n for place, word in enumerate(words) if word)


def _position(what: str, value: object, n: int) -> int:
    return whole_number(what, value, 0, n - 1)


def _rules(rules: object) -> NapalmRules:
    if rules is None or isinstance(rules, NapalmRules):
        return rules or NapalmRules()
    if isinstance(rules, str):
        return make_rules(rules)
    if isinstance(rules, Mapping):
        fields = dict(rules)
        return make_rules(str(fields.pop("preset", "stakes")), fields)
    raise InputError(f"rules {rules!r}: allowed is a preset, a table of fields or NapalmRules")
