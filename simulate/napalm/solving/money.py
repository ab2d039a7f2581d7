"""What a stage brings one player, one deal at a time (N9 to N14)."""

from __future__ import annotations

from simulate.jit import compile_module


def settle_one(said, value, row, stage, n, pot, rules, position):
    """Settle a stage under ``currency = "stakes"`` for one player.

    Parameters
    ----------
    said : int
        Whose last word is Yes, as bits by position.
    value : ndarray of uint32, shape (deals, 3 n)
    row, stage, n : int
        Which deal, which stage from 0, how many players.
    pot : int
    rules : KernelRules
    position : int
        Whose money is asked for.

    Returns
    -------
    change, pot : int
        What he has received less what he has paid, and the pot after it.
    """
    yes, tied, best = 0, 0, value[row, stage * n]
    for other in range(n):
        if said >> other & 1:
            held = value[row, stage * n + other]
            if yes == 0 or held > best:
                best, tied = held, 1
            elif held == best:
                tied += 1
            yes += 1
    own = said >> position & 1
    if yes == 0:  # N9
        return 0, pot
    if yes == 1:  # N10, N12
        taken = min(rules.lone[stage], pot)
        return own * taken, pot - taken
    pays = yes if rules.penalty[stage] < 0 else rules.penalty[stage]  # N11
    pot += (yes - tied) * pays  # N12: losers pay before the winner takes
    takes = 0
    if tied == 1 or rules.split:  # N13
        takes = min(yes, pot) // tied
    change = 0
    if own:  # N14
        change = takes if value[row, stage * n + position] == best else -pays
    return change, pot - takes * tied


compile_module(__name__, fills_only=True)
