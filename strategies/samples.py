"""Made-up views to ask strategies about: every kind of decision, plausible and extreme numbers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from simulate.napalm.view import View as NapalmView
from simulate.noddy import rules as noddy_rules
from simulate.noddy import view as noddy
from simulate.noddy.view import Option
from simulate.noddy.view import View as NoddyView

Asked = tuple[NapalmView] | tuple[NoddyView, Option]

CARDS_AT = {1: 2, 2: 5, 3: 7}
LAST_BELOW_ONE = 1.0 - 2.0**-53


def samples(game: str, each: int, seed: int = 1) -> Iterator[Asked]:
    """Make up what strategies are asked: ``(view,)`` in Napalm, ``(view, option)`` in Noddy.

    Parameters
    ----------
    game : str
        ``"napalm"`` or ``"noddy"``.
    each : int
        Views for each number of players, stage, position and turn (Noddy: players and position).
    seed : int
        The same views come for the same seed.
    """
    draw = random.Random(seed)
    kinds = list(_napalm_kinds() if game == "napalm" else _noddy_kinds())
    for _ in range(each):
        for kind in kinds:
            if game == "napalm":
                yield (_napalm_view(draw, *kind),)
            else:
                view = _noddy_view(draw, *kind)
                options = _options(view)
                for option in options:
                    yield view._replace(random=_uniform(draw)), option


def sample(game: str) -> Asked:
    """Make up one view, to show Numba of which types it consists."""
    return next(samples(game, 1))


def _uniform(draw: random.Random) -> float:
    return draw.choice((0.0, LAST_BELOW_ONE)) if draw.random() < 0.05 else draw.random()


def _strength(draw: random.Random) -> float:
    return draw.choice((0.0, 0.5, 1.0)) if draw.random() < 0.2 else draw.random()


def _race(draw: random.Random, n: int, target: int, length: int) -> Any:
    """Draw a count below the target for each of `n` players, then zeros."""
    top = draw.choice((0, target - 1, target - 1))
    return tuple(draw.randint(0, top) if place < n else 0 for place in range(length))


# --- Napalm ------------------------------------------------------------------------------------


def _napalm_kinds() -> Iterator[tuple[int, int, int, int]]:
    for n, stage in itertools.product(range(4, 8), (1, 2, 3)):
        for position in range(n):
            yield n, stage, position, 1
        for position in range(n - 1):  # the dealer does not answer his own challenge
            yield n, stage, position, 2


def _napalm_view(draw: random.Random, n: int, stage: int, position: int, turn: int) -> NapalmView:
    count = CARDS_AT[stage]
    dealt = draw.sample(range(52), count)
    cards: Any = tuple(dealt + [-1] * (7 - count))
    ranks = sorted(card // 4 + 2 for card in dealt[:2])
    said = draw.getrandbits(position) if position else 0
    if turn == 2:
        said |= 1 << (n - 1)
    target = draw.choice((1, 3, 5, 5, 5, 20, 1000))
    counts = _race(draw, n, target, 7)
    return NapalmView(
        n=n,
        stage=stage,
        position=position,
        turn=turn,
        strength=_strength(draw),
        strength1=_strength(draw) if stage > 1 else 0.0,
        strength2=_strength(draw) if stage > 2 else 0.0,
        cards=cards,
        count=count,
        high=ranks[1],
        low=ranks[0],
        pair=ranks[0] == ranks[1],
        yes=said.bit_count(),
        spoken=n if turn == 2 else position,
        said=said,
        said1=draw.getrandbits(n) if stage > 1 else 0,
        said2=draw.getrandbits(n) if stage > 2 else 0,
        pot=draw.choice((n, draw.randint(0, 60), 0, 1_000_000)),
        target=target,
        collected=counts[position],
        best_other=max(counts[place] for place in range(n) if place != position),
        counts=counts,
        deal=draw.choice((0, draw.randint(0, 20), 999_999)),
        random=_uniform(draw),
    )


# --- Noddy -------------------------------------------------------------------------------------


def _noddy_kinds() -> Iterator[tuple[int, int]]:
    for n in range(2, 5):
        for position in range(n):
            yield n, position


def _noddy_view(draw: random.Random, n: int, position: int) -> NoddyView:
    rules = noddy_rules.make_rules(draw.choice(tuple(noddy_rules.PRESETS)))
    deck = draw.sample(range(52), 52)
    count = draw.choice((1, 2, 3, 3, 3, 4, 5, 6, 9))
    turn_up, hand, rest = deck[0], deck[1 : count + 1], deck[count + 1 :]
    sizes: Any = [count if place == position else draw.randint(1, 5) for place in range(n)]
    laid = draw.choice((0, 0, draw.randint(0, 10), len(rest) - sum(sizes) + count))
    unseen = len(rest) - (sum(sizes) - count) - laid
    target = draw.choice((1, 31, 31, 31, 61, 100_000))
    scores = _race(draw, n, target, 4)
    return NoddyView(
        n=n,
        position=position,
        score=scores[position],
        best_other=max(scores[place] for place in range(n) if place != position),
        scores=scores,
        target=target,
        hand=_mask(hand),
        count=count,
        hand_sizes=tuple(sizes + [0] * (4 - n)),
        stock=draw.choice((0, 1)) if unseen == 0 else unseen + 1,  # the turn-up is its last card
        seen=_mask([turn_up, *rest[:laid]]),
        trump=turn_up % 4,
        turn_up=turn_up,
        deal=draw.choice((0, draw.randint(0, 20), 999_999)),
        turn=draw.randint(0, 60),
        random=_uniform(draw),
        rules=noddy_rules.kernel_rules(rules),
    )


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def _options(view: NoddyView) -> list[Option]:
    """List options as a game would offer them, among combinations of up to five cards."""
    hand = [card for card in range(52) if view.hand >> card & 1]
    options = []
    for size in range(1, min(5, view.count) + 1):
        for cards in itertools.combinations(hand, size):
            for kind in _combinations(cards, view):
                points = view.rules.points[kind]
                drawn = max(0, min(view.stock, 3 - (view.count - size)))
                drawn = 0 if view.score + points >= view.target else drawn
                laid = _mask(list(cards))
                options.append(Option(kind, points, size, laid, view.hand & ~laid, drawn))
    options.sort(key=lambda option: (-option.points, option.size, option.kind))
    last = noddy.DRAW if view.stock else noddy.PASS
    return [
        *options[: noddy.MAX_OPTIONS - 1],
        Option(last, 0, 0, 0, view.hand, int(view.stock > 0)),
    ]


def _combinations(cards: tuple[int, ...], view: NoddyView) -> list[int]:
    """List the combinations that these cards are."""
    size, ranks = len(cards), sorted(card // 4 + 1 for card in cards)
    pips = sum(min(rank, view.rules.court_value) for rank in ranks)
    kinds = [noddy.KNAVE_NODDY] if cards == (40 + view.trump,) else []
    sums = {(15, 2): noddy.FIFTEEN, (25, 3): noddy.TWENTY_FIVE, (31, 4): noddy.THIRTY_ONE}
    kinds += [kind for (total, least), kind in sums.items() if pips == total and size >= least]
    if size > 1 and ranks[0] == ranks[-1]:
        kinds.append({2: noddy.PAIR, 3: noddy.PAIR_ROYAL, 4: noddy.DOUBLE_PAIR_ROYAL}[size])
    if size in (3, 4) and len({card % 4 for card in cards}) == 1:
        kinds.append(noddy.FLUSH)
    if size > 2 and ranks == list(range(ranks[0], ranks[0] + size)):
        kinds.append({3: noddy.RUN_OF_THREE, 4: noddy.RUN_OF_FOUR}.get(size, noddy.LONG_RUN))
    return kinds
