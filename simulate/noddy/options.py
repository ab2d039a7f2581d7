"""What a player may do, and what he sees before he does it."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.combinations import kind_of, kinds_in, list_lays, points_of, size_of
from simulate.noddy.rules import HAND, KernelRules
from simulate.noddy.small_hands import LARGEST, look_up
from simulate.noddy.view import DRAW, MAX_OPTIONS, PASS, Option, View


def find_options(table, hand, held, answers, levels, allowed):
    """List what the player may do: any combination, or draw or pass (D6, D7)."""
    if held <= LARGEST:
        count = look_up(table, hand, held, answers)
    else:
        kinds = kinds_in(hand, table.turn_up & 3, table.court_value) & allowed
        count = list_lays(table, hand, kinds, levels, MAX_OPTIONS)
    if count == 0 or table.must_lay == 0:
        table.count = min(count, MAX_OPTIONS - 1)
        table.options = table.count + 1
    else:
        table.count = table.options = count


def option_at(table, index):
    """Build an option: a lay, or behind the last of them drawing or passing."""
    hand, held = table.hands[table.seat], table.sizes[table.seat]
    label, cards = table.lays[index, 0], table.lays[index, 1]
    kind, size, points = kind_of(label), size_of(label), points_of(label)
    drawn = max(0, min(HAND - (held - size), table.stock))  # D5
    if table.scores[table.seat] + points >= table.target:
        drawn = 0
    if index == table.count:
        kind, size, points, cards = DRAW if table.stock else PASS, 0, 0, 0  # D7
        drawn = min(table.stock, 1)
    return Option(kind, points, size, cards, hand ^ cards, drawn)


def rules_of(table):
    """Return the rules as they stand on the table."""
    p = table.points
    points = (p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10])
    return KernelRules(
        table.must_lay,
        table.turn_up_drawn,
        table.court_value,
        table.turned_jack,
        table.target,
        table.max_deals,
        points,
    )


def view_of(table, random):
    """Build what the player sees; the compiler leaves out what his strategy does not look at."""
    n, seat, scores, sizes = table.n, table.seat, table.scores, table.sizes
    first, second, third, fourth = places(table.eldest, n)
    # Numba takes no conditions inside a call of so many arguments.
    position = seat - first if seat >= first else seat - first + n
    score3, size3 = (scores[third], sizes[third]) if n > 2 else (0, 0)
    score4, size4 = (scores[fourth], sizes[fourth]) if n > 3 else (0, 0)
    best_other = -1
    for other in range(n):
        if other != seat:
            best_other = max(best_other, scores[other])
    return View(
        n=n,
        position=position,
        score=scores[seat],
        best_other=best_other,
        scores=(scores[first], scores[second], score3, score4),
        target=table.target,
        hand=table.hands[seat],
        count=sizes[seat],
        hand_sizes=(sizes[first], sizes[second], size3, size4),
        stock=table.stock,
        seen=table.seen,
        trump=table.turn_up & 3,
        turn_up=table.turn_up,
        deal=table.deal,
        turn=table.turn,
        random=random,
        rules=rules_of(table),
    )


def places(first, n):
    """Return the four seats from `first` on, round the table."""
    second = first + 1 if first + 1 < n else first + 1 - n
    third = second + 1 if second + 1 < n else second + 1 - n
    fourth = third + 1 if third + 1 < n else third + 1 - n
    return first, second, third, fourth


compile_module(
    __name__,
    fills_only=True,
    inlined=("find_options", "option_at", "rules_of", "view_of", "places"),
)
