"""Reckons for every option the chance to win the race, and takes the greatest: the strong one.

Belongs to `hold`. As a rule it hoards for a thirty-one, but it lays an early twenty-five, or a pair
or fifteen that leaves something better than it had. When another player is about to finish it takes
the quicker of two ways, otherwise the surer one. Under `lay` there is little to choose; it does so
with the chances of `hold` in mind.

For each card that it may draw now it sees whether its hand then holds a combination that wins, or a
fifteen or twenty-five that is worth laying: its next draw is exact. The card after that is exact as
to what wins, the third one nearly so. Further on, and for the others, of whom it knows the points
and the number of cards, it takes the chances in `pace`.
"""

from simulate.noddy.view import FIFTEEN, THIRTY_ONE, TWENTY_FIVE
from strategies.noddy.missing import COURT, COURTS, cards_bringing, chance_of_two, count, lacking
from strategies.noddy.pace import chance_to_win, others, still_open

DECK = (1 << 52) - 1
FRESH = 3  # cards in hand after a lay, as a rule


def value(view, option):
    to_go = view.target - view.score - option.points
    if to_go <= 0:
        return 2.0  # wins now: more than any chance
    rivals = others(view)
    cards = view.count - option.size + option.drawn
    if to_go <= 2 or option.drawn == FRESH or view.stock == 0:
        chance = chance_to_win(to_go, cards, rivals, 1)  # no sums, or no cards, to reckon with
    else:
        chance = look_ahead(view, option, to_go, cards, rivals)
    return chance / still_open(rivals, 0)


def worth_laying(points, to_go, rivals):
    """Return the chance to win by a lay of so many points at the next turn."""
    if points >= to_go:
        return still_open(rivals, 1)
    return chance_to_win(to_go - points, FRESH, rivals, 2) if points > 0 else 0.0


def look_ahead(view, option, to_go, cards, rivals):
    """Return the chance to win with the cards that stay in hand and up to two drawn to them."""
    points, court = view.rules.points, view.rules.court_value
    points = (points[FIFTEEN], points[TWENTY_FIVE], points[THIRTY_ONE])
    wins = (points[0] >= to_go, points[1] >= to_go, points[2] >= to_go)
    worth = (
        worth_laying(points[0], to_go, rivals),
        worth_laying(points[1], to_go, rivals),
        worth_laying(points[2], to_go, rivals),
    )
    sums = lacking(option.left, court)
    unseen = DECK & ~(view.hand | view.seen)
    number = count(unseen)
    early = option.drawn == 2  # the second of two cards drawn now comes a turn early
    turn = 1 if early else 2
    soon = (still_open(rivals, turn), still_open(rivals, turn + 1))
    late = chance_to_win(to_go, cards + turn, rivals, turn + 2)
    if option.drawn == 0:
        return ahead(sums, wins, worth, unseen, 1.0 / number, court, early, soon, late)
    chance = 0.0
    for place in range(COURT + 1):
        pips, rank = (place + 1, 15 << 4 * place) if place < COURT else (court, COURTS)
        more = with_card(sums, pips)
        like = count(unseen & rank)
        chance += like * ahead(more, wins, worth, unseen, 1.0 / number, court, early, soon, late)
    return chance / number


def with_card(sums, pips):
    """Return what is lacking for each total with one card more."""
    return (sums[0] | sums[0] >> pips, sums[1] | sums[1] >> pips, sums[2] | sums[2] >> pips)


def ahead(sums, wins, worth, unseen, each_card, court, early, soon, late):
    """Return the chance to win with cards that lack so much for each total.

    By laying one that is there, or by drawing on: a card that wins now, or else one more, or later.
    """
    lay, lack = 0.0, 0
    for each in range(3):
        if sums[each] & 1 and worth[each] > lay:
            lay = worth[each]
        if wins[each]:
            lack |= sums[each]
    if lack & 1:
        return lay
    first = count(unseen & cards_bringing(lack, court)) * each_card
    second = 1.0 - (1.0 - first) * (1.0 - chance_of_two(lack, court))
    onwards = second * soon[1] + (1.0 - second) * late
    chance = first * soon[0] + (1.0 - first) * onwards
    if early:
        for each in range(3):
            if not wins[each] and worth[each] > onwards:
                brought = count(unseen & cards_bringing(sums[each], court)) * each_card
                chance += brought * (worth[each] - onwards)
    return max(chance, lay)
