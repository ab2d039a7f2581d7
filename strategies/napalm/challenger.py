"""Uses the dealer's last word, and answers it.

When all others have said No, they hold weak hands: the dealer says Yes from the middling strength
`dare` on. At stage 1 they may answer (N8), so he must sometimes have the hand. At stages where they
may not, nobody can contest the stake, and he takes it with anything: `free`, to be raised for rules
under which every stage has a challenge, as in the preset `tokens`.

Whoever is challenged knows that the dealer, too, may have dared. He answers Yes from `answer` on,
and needs `step` more with every answer of Yes before his. In all else he says Yes from `above` on;
all are strengths, 0 to 1.
"""


def p_yes(view, above=0.8, dare=0.5, free=0.0, answer=0.6, step=0.1):
    if view.turn == 2:
        needed = answer + step * (view.yes - 1)
    elif view.yes == 0 and view.position == view.n - 1:
        needed = dare if view.stage == 1 else free
    else:
        needed = above
    return 1.0 if view.strength >= needed else 0.0
