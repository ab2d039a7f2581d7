"""The coach's judgement: `simulate.advise` asked about the question that the person is asked.

It is asked with what the person knows, never with the record of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulate.advising import FIELD, advise_with
from simulate.cards import NODDY_RANKS, parse_cards
from simulate.napalm.spot import NapalmSpot
from simulate.noddy.rules import HAND
from simulate.noddy.spot import NoddySpot, bare_after
from simulate.play.coach import Advice, Valued
from simulate.sampling import Player, player
from strategies import StrategyError

if TYPE_CHECKING:
    from simulate.play.sitting import Sitting

TOOK = "took "
"""How the fault of a strategy begins that takes too long, or too much memory."""

MEASURE = {"napalm": "net", "noddy": "wins"}
UNIT = {"net": "stakes", "wins": "wins"}


class Adviser:
    """A coach who may be asked again and again; see `advise`.

    Where a strategy took too long once, he does not wait for it again.
    """

    def __init__(self) -> None:
        self.player = Player()
        self._endless: StrategyError | None = None

    def __call__(self, sitting: Sitting) -> Advice:
        """Value every answer that the person has now."""
        if self._endless is not None:
            raise self._endless
        try:
            return _advise(self.player, sitting)
        except StrategyError as error:
            if error.problem.startswith(TOOK):
                self._endless = error
            raise

    def close(self) -> None:
        """End all processes in which he thinks, whatever they are doing."""
        self.player.close()


def advise(sitting: Sitting) -> Advice:
    """Value every answer that the person has now.

    He is taken to go on as `simulate.review` takes it of a person.

    Raises
    ------
    InputError
        When hardly any cards agree with what was heard, or a strategy cannot be compiled, loops,
        raises or answers nonsense.
    """
    with player() as plays:
        return _advise(plays, sitting)


def _advise(plays: Player, sitting: Sitting) -> Advice:
    game, spot = sitting.setting.game, spot_of(sitting)
    found = advise_with(
        plays,
        spot,
        field=others(sitting),
        own=FIELD[game],
        measure=MEASURE[game],
        seed=len(sitting.answers),
    )
    choices = sitting.choices
    if game == "napalm":
        judged = [found.choice("yes" if choice.answer else "no") for choice in choices]
    else:
        judged = [found.choices[choice.answer] for choice in choices]
    values = [choice.values[found.measure] for choice in judged]
    return Advice(
        unit=UNIT[found.measure],
        choices=tuple(
            Valued(int(choice.answer), choice.text, value.value, value.margin)
            for choice, value in zip(choices, values, strict=True)
        ),
        gap={
            int(choice.answer): one.behind.margin
            for choice, one in zip(choices, judged, strict=True)
            if one is not found.choices[found.best]
        },
    )


def others(sitting: Sitting) -> list[Any]:
    """Return the other strategies, in the order of their positions in this deal."""
    strategies = sitting.setting.strategies
    n, dealer = len(strategies), sitting.shown()["deals"][-1]["dealer"]
    order = [strategies[(dealer + 1 + position) % n] for position in range(n)]
    return [strategy for strategy in order if strategy is not None]


def spot_of(sitting: Sitting) -> NapalmSpot | NoddySpot:
    """Return where the game stands, as the person knows it."""
    return _napalm(sitting) if sitting.setting.game == "napalm" else _noddy(sitting)


def _napalm(sitting: Sitting) -> NapalmSpot:
    view, known = sitting.ask.view, sitting.shown()["deals"]
    deal, n = known[-1], sitting.setting.players

    def position(seat: int) -> int:
        return int((seat - deal["dealer"] - 1) % n)

    stages = deal["stages"]
    words = [[word for _, word in stage["declarations"]] for stage in stages]
    best = [sorted(position(seat) for seat in _winners(stage)) or None for stage in stages]
    return NapalmSpot(
        players=n,
        position=view.position,
        cards=view.cards[: view.count],
        heard=words[-1],
        stage=view.stage,
        stage1=words[0] if view.stage > 1 else None,
        stage2=words[1] if view.stage > 2 else None,
        won1=best[0] if view.stage > 1 else None,
        won2=best[1] if view.stage > 2 else None,
        pot=view.pot,
        collected=view.counts[:n],
        deal=view.deal,
        before=_before(known, n),
        rules=sitting.setting.rules,
    )


def _winners(stage: dict[str, Any]) -> list[int]:
    """Return whose hand was the best of several, as far as payments tell it."""
    compared = stage.get("compared", [])
    return [seat for seat in compared if stage["taken"][seat] > 0 or stage["side"][seat] > 0]


def _before(known: list[dict[str, Any]], n: int) -> list[tuple[int, list[int]]]:
    """Return the pot and the counts by position before the words of each earlier stage."""
    deal = known[-1]
    counts = [0] * n
    for earlier in known[:-1]:
        counts = earlier["stages"][-1]["collected"]
    pot, found = deal["pot_before"] + n, []
    for stage in deal["stages"][:-1]:
        found.append((pot, [counts[(deal["dealer"] + 1 + p) % n] for p in range(n)]))
        pot, counts = stage["pot"], stage["collected"]
    return found


def _noddy(sitting: Sitting) -> NoddySpot:
    view, deal = sitting.ask.view, sitting.shown()["deals"][-1]
    n = sitting.setting.players
    passes = 0
    for turn in reversed(deal["turns"]):
        if turn["do"] != "pass":
            break
        passes += 1
    laid = [card for turn in deal["turns"] for card in turn.get("cards", [])]
    return NoddySpot(
        players=n,
        position=view.position,
        cards=[card for card in range(52) if view.hand >> card & 1],
        turn_up=view.turn_up,
        scores=view.scores[:n],
        laid=parse_cards(laid, NODDY_RANKS),
        sizes=view.hand_sizes[:n],
        passes=passes,
        turn=view.turn,
        deal=view.deal,
        bare=_bare(deal, n) if view.rules.must_lay else [0] * n,
        rules=sitting.setting.rules,
    )


def _bare(deal: dict[str, Any], n: int) -> list[int]:
    """Return, by position, how many cards hold no combination, where one must lay."""
    sizes, bare = [HAND] * n, [0] * n
    for place, turn in enumerate(deal["turns"]):
        position, laid = place % n, len(turn.get("cards", []))
        bare[position] = bare_after(bare[position], sizes[position], laid)
        sizes[position] += turn["drawn"] - laid
    return bare
