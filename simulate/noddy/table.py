"""The table at which games are played, one after the other: a record of numbers.

A record is handed on as one address, whatever it holds. Cards are sets, and whatever goes by seat
has four places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.noddy.combinations import REACH
from simulate.noddy.deck import PLACES
from simulate.noddy.rules import KernelRules
from simulate.noddy.tally import LEAD_TURNS
from simulate.noddy.view import MAX_OPTIONS

MAX_PARAMS = 32

TABLE = np.dtype(
    [
        # The game and its rules.
        ("key", np.uint64),
        ("game", np.int64),
        ("n", np.int64),
        ("must_lay", np.int64),
        ("turn_up_drawn", np.int64),
        ("court_value", np.int64),
        ("turned_jack", np.int64),
        ("target", np.int64),
        ("max_deals", np.int64),
        ("points", np.int64, (11,)),
        # Of each player, by seat: points, turns taken in this game, hand, size of the hand.
        ("scores", np.int64, (4,)),
        ("turns", np.int64, (4,)),
        ("hands", np.int64, (4,)),
        ("sizes", np.int64, (4,)),
        # The deal: its number, dealer's seat and eldest's, the card turned up, what has been seen
        # of the cards, how many can be drawn, and the place in the deck of the next.
        ("deal", np.int64),
        ("dealer", np.int64),
        ("eldest", np.int64),
        ("turn_up", np.int64),
        ("seen", np.int64),
        ("stock", np.int64),
        ("place", np.int64),
        # The turn: its number, whose it is, how many options he has, how many of them are lays,
        # and these, each as label and cards (see `combinations`).
        ("turn", np.int64),
        ("seat", np.int64),
        ("options", np.int64),
        ("count", np.int64),
        ("lays", np.int64, (MAX_OPTIONS, 2)),
        # Of each distinct strategy: its parameters, and which function it is.
        ("params", np.float64, (4, MAX_PARAMS + 1)),
        # Work space: see `deck`, `combinations`, `tally`, `ledger`.
        ("ready", np.int64),
        ("left", np.int64, (PLACES + 1,)),
        ("reach", np.int64, REACH),
        ("trail", np.int64, (4 * LEAD_TURNS,)),
        ("steps", np.int64),
        ("deals_kept", np.int64),
        ("turns_kept", np.int64),
    ],
    align=True,
)


def set_table(n: int, rules: KernelRules, key: np.uint64, params: Any) -> Any:
    """Return a table for `n` players.

    Parameters
    ----------
    n : int
    rules : KernelRules
    key : uint64
        From `simulate.rng.fold_seed`.
    params : array_like of float, shape (strategies, MAX_PARAMS + 1)
        From `simulate.noddy.lineup.params_of`.
    """
    table = np.zeros(1, TABLE).view(np.recarray)[0]
    table.n, table.key = n, key
    for name, value in rules._asdict().items():
        setattr(table, name, value)
    table.params[: len(params)] = params
    return table
