"""The mistakes of a game, by what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulate.numerals import number_text
from simulate.play.coach import Advice, Valued

if TYPE_CHECKING:
    from simulate.play.keeping import Kept

MOST = 10
"""Mistakes that are listed."""


class Mistake(NamedTuple):
    """An answer that was behind the best: which one, and the advice."""

    number: int
    where: str
    answer: int
    advice: Advice


def value_text(advice: Advice, choice: Valued) -> str:
    """Write what an answer is worth, and how sure that is."""
    if advice.unit == "wins":
        return f"{number_text(100 * choice.value, 1)}% ± {choice.margin:.1%} to win the game"
    return f"{number_text(choice.value, 2, '+')} ± {choice.margin:.2f} stakes"


def cost_text(advice: Advice, answer: int) -> str:
    """Write what an answer cost, and how sure that is."""
    cost, margin = advice.cost(answer), advice.gap.get(answer, 0.0)
    if advice.unit == "wins":
        return f"{cost:.1%} ± {margin:.1%} of the chance to win"
    return f"{cost:.2f} ± {margin:.2f} stakes"


def found_mistakes(kept: Kept) -> list[Mistake]:
    """List the answers that were surely behind the best, the most costly first."""
    found = [
        Mistake(number, where, answer, advice)
        for number, (answer, advice, where) in enumerate(
            zip(kept.sitting.answers, kept.advice, kept.sitting.places, strict=True)
        )
        if advice is not None and advice.worse(answer)
    ]
    return sorted(found, key=lambda mistake: -mistake.advice.cost(mistake.answer))


def mistakes(kept: Kept) -> list[str]:
    """Tell the mistakes of a game, the most costly first."""
    judged = sum(advice is not None for advice in kept.advice)
    if not judged:
        return []
    found = found_mistakes(kept)
    if not found and judged == 1:
        return ["The one answer that was judged was not surely behind the best."]
    if not found:
        return [f"Of {judged} answers none was surely behind the best."]
    answers = "1 answer" if judged == 1 else f"{judged} answers"
    unit = found[0].advice.unit
    total = sum(mistake.advice.cost(mistake.answer) for mistake in found)
    whole = f"{total:.1%} of the chance to win" if unit == "wins" else f"{total:.2f} stakes"
    lines = [f"Of {answers} {len(found)} cost something, {whole} in all:"]
    for mistake in found[:MOST]:
        chosen = mistake.advice.chosen(mistake.answer).text
        cost = cost_text(mistake.advice, mistake.answer)
        lines.append(f"  {mistake.where}: {chosen}, not {mistake.advice.best.text}: {cost}")
    if len(found) > MOST:
        lines.append(f"  and {len(found) - MOST} smaller ones")
    return lines
