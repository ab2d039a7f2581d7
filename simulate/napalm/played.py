"""The kernel's ledger as records of games, in the form of a game log."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.cards import NAPALM_RANKS, cards_text
from simulate.napalm.games import NOBODY, Rows
from simulate.napalm.ledger import DEAL, DEALER, FIRST, GAME, POT, SECOND, STAGE, Ledger
from simulate.napalm.table import NOT_CHALLENGED

WORDS = ("no", "yes")
CARDS_DEALT = (2, 5, 7)


def stage_record(ledger: Ledger, at: int, tokens: bool) -> dict[str, Any]:
    """Write down one stage: one line of the ledger."""
    line, change = ledger.lines[at].tolist(), ledger.change[at].tolist()
    n, dealer = len(change), line[DEALER]
    order = [(dealer + 1 + position) % n for position in range(n)]
    words = [[seat, WORDS[line[FIRST] >> position & 1]] for position, seat in enumerate(order)]
    if line[SECOND] != NOT_CHALLENGED:
        answers = enumerate(order[:-1])
        words += [[seat, WORDS[line[SECOND] >> position & 1]] for position, seat in answers]
    nothing = [0] * n
    return {
        "stage": line[STAGE] + 1,
        "declarations": words,
        "paid": nothing if tokens else [max(-stakes, 0) for stakes in change],
        "taken": nothing if tokens else [max(stakes, 0) for stakes in change],
        "side": change if tokens else nothing,
        "pot": line[POT],
        "collected": ledger.collected[at].tolist(),
    }


def records(ledger: Ledger, filled: int, games: Rows, tokens: bool) -> list[dict[str, Any]]:
    """Write down whole games.

    Parameters
    ----------
    ledger : Ledger
        With cards.
    filled : int
        Its lines in use.
    games : Rows
        The rows of the same games.
    tokens : bool
        Whether tokens are apart from money: what changes hands are then side bets.

    Returns
    -------
    list of dict
        ``deals``, ``winner``, ``prize`` (or ``truncated``) and ``net`` of each game.
    """
    lines = ledger.lines[:filled]
    played: list[list[dict[str, Any]]] = [[] for _ in range(len(games.winner))]
    for at in np.lexsort((lines[:, STAGE], lines[:, DEAL], lines[:, GAME])).tolist():
        deals = played[int(lines[at, GAME])]
        stage, dealer = int(lines[at, STAGE]), int(lines[at, DEALER])
        if stage == 0:
            before = deals[-1]["stages"][-1]["pot"] if deals else 0
            deals.append({"dealer": dealer, "pot_before": before, "cards": [], "stages": []})
        n = ledger.change.shape[1]
        dealt = ledger.cards[at].tolist()[: CARDS_DEALT[stage] * n]
        hands = [dealt[(seat - dealer - 1) % n :: n] for seat in range(n)]
        deals[-1]["cards"] = [cards_text(hand, NAPALM_RANKS) for hand in hands]
        deals[-1]["stages"].append(stage_record(ledger, at, tokens))
    written = []
    for game, deals in enumerate(played):
        winner, net = int(games.winner[game]), games.net[game].tolist()
        if winner == NOBODY:
            end: dict[str, Any] = {"winner": None, "truncated": True, "net": net}
        else:
            end = {"winner": winner, "prize": int(games.prize[game]), "net": net}
        written.append({"deals": deals, **end})
    return written
