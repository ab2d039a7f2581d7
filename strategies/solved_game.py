"""Whole games of Napalm as a solver plays them: chances of Yes by collected counts and pot.

The arrays of the `.npz` file:

- ``chances``, uint8 in 255ths, shape (rows, pots, size): for every state of the race and each of a
  few pots, one after the other, the first words at stage 1 (words heard times 91 hands), the
  answers to the dealer's challenge (answers heard, 91), the words at stage 2 (words heard, classes
  of hands) and those at stage 3 (words heard, classes); under `tokens` the answers to the dealer's
  challenge (answers heard, classes) follow after the words of each stage;
- ``pots``, float64, shape (sums, pots): which pots these are, by the sum of all counts;
- ``equity``, float64, shape (rows, marks, n): what a player in each position may expect, beyond
  what he has paid so far, of a deal whose antes are in the pot; ``error`` has the same shape, and
  the marks are the pots of ``pots`` and the middle between any two of them;
- ``edges2``, ``edges3``, and the text ``about``: see `strategies.solved`.

Between four and five, the counts c0, c1, ... by position, each below `target`, have the row c0 + c1
* target + c2 * target**2 and so on. Among more it is left out who sits where, and there is

- ``counts``, int64, shape (rows, n): whose row it is, by what he has collected himself, and then
  the others, the least first.

So a decision, and an equity, is read in the row of the player whose it is. Words heard have numbers
as in `strategies.solved`. Between two pots the chance is on a straight line; below the least and
above the greatest it stays.

A table is made for one number of players. Asked what it was not made for (under `stakes`, a second
word at stages 2 and 3) it answers as if that had not been; a count of `target` or more is one
below it.
"""

from __future__ import annotations

import io
import json
import zipfile
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError
from strategies.solved import FULL, TIMES, TWOS, two_cards
from strategies.standing import Standing, counts_of_rows, number_of_rows, standing_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from simulate.napalm.view import View

TOKEN_TIMES = ((0, 1), (2, 3), (4, 5))
"""By stage, which kind of words first ones and answers to a challenge are under `tokens`."""

SMALL = ("pots", "equity", "error", "edges2", "edges3")


@dataclass(frozen=True)
class SolvedGame:
    """A table of chances for whole games, as it was read.

    Attributes
    ----------
    about : dict
        What was solved, and how near to best it is.
    pots, equity, error, edges2, edges3 : ndarray of float64
        See the head of this module.
    data : bytes
        The file: the chances are read when first asked for.
    seated : bool
        Whether it looks at who sits where.
    """

    about: dict[str, Any]
    pots: NDArray[np.float64]
    equity: NDArray[np.float64]
    error: NDArray[np.float64]
    edges2: NDArray[np.float64]
    edges3: NDArray[np.float64]
    data: bytes
    seated: bool = True

    @property
    def n(self) -> int:
        """For how many players it was made."""
        return int(self.about["players"])

    @property
    def target(self) -> int:
        """How many stakes win the game it was made for."""
        return int(self.about["rules"]["target"])

    @cached_property
    def chances(self) -> NDArray[np.uint8]:
        """The chances of Yes, in 255ths."""
        import numpy as np

        with np.load(io.BytesIO(self.data), allow_pickle=False) as found:
            chances: NDArray[np.uint8] = found["chances"]
        return chances

    @property
    def tokens(self) -> bool:
        """Whether it was made for tokens: there the dealer is challenged at every stage."""
        return bool(self.about["rules"]["currency"] == "tokens")

    @property
    def times(self) -> tuple[tuple[int, int], ...]:
        """By stage, which kind of words first ones and answers to a challenge are."""
        return TOKEN_TIMES if self.tokens else TIMES

    @property
    def starts(self) -> list[int]:
        """Where each kind of words begins in a row of chances, see the head of this module."""
        return starts(self.n, len(self.edges2) + 1, len(self.edges3) + 1, self.tokens)[:-1]

    @property
    def size(self) -> int:
        """How long a row of chances is."""
        return starts(self.n, len(self.edges2) + 1, len(self.edges3) + 1, self.tokens)[-1]

    @property
    def text(self) -> str:
        """What it is, in a sentence or two."""
        about, how = self.about, " for tokens" if self.tokens else ""
        if "reply" in about:
            return f"A best reply to a table for whole games{how} between {self.n}, a test of it."
        if "gain" not in about:
            return f"A whole game{how} between {self.n}, learned from {about['deals']:,} deals."
        gain, error = about["gain"], 1.96 * about["gain_error"]
        return (
            f"A whole game{how} between {self.n}, solved: from {about['deals']:,} deals; a best "
            f"reply gains {gain:.3f} ± {error:.3f} stakes a game or more."
        )

    @cached_property
    def standing(self) -> Standing:
        """How the row of a player is found."""
        return standing_of(self.n, self.target, self.seated)

    def number(self, counts: Sequence[int], position: int = 0) -> int:
        """Return the row that a player in this position looks at."""
        weights, rows = self.standing
        most = self.target - 1
        code = sum(
            weights[position, place, min(count, most)]
            for place, count in enumerate(counts[: self.n])
        )
        return int(rows[code])

    def between(self, counts: Sequence[int], pot: float) -> tuple[int, float]:
        """Find a pot: between which of those known and the next, and how much of the way."""
        row = self.pots[sum(min(count, self.target - 1) for count in counts[: self.n])].tolist()
        place = 0
        while place < len(row) - 2 and pot > row[place + 1]:
            place += 1
        part = (pot - row[place]) / (row[place + 1] - row[place])
        return place, min(max(part, 0.0), 1.0)

    def row(self, counts: Sequence[int], pot: float) -> NDArray[np.float64]:
        """Return all chances of Yes at some counts and pot: see the head of this module."""
        import numpy as np

        place, part = self.between(counts, pot)
        rows = np.array([self.number(counts, position) for position in range(self.n)])
        own, at = rows[self.speakers], np.arange(self.size)
        low, high = (self.chances[own, node, at].astype(float) for node in (place, place + 1))
        mixed: NDArray[np.float64] = (low + part * (high - low)) / FULL
        return mixed

    @cached_property
    def speakers(self) -> NDArray[np.int64]:
        """Who takes each of the decisions of a row."""
        import numpy as np

        found = []
        for times, kinds in zip(
            self.times, (TWOS, len(self.edges2) + 1, len(self.edges3) + 1), strict=True
        ):
            for answers in range(len(set(times))):
                players = np.arange(self.n - answers)
                found.append(np.repeat(players, kinds << players))
        return np.concatenate(found)

    def words(self, counts: Sequence[int], pot: float, time: int) -> NDArray[np.float64]:
        """Return the chances of one kind of words at some counts and pot.

        Parameters
        ----------
        counts : sequence of int
            By position.
        pot : float
        time : int
            0 for first words at stage 1, 1 for answers to a challenge, 2 and 3 for the stages;
            for tokens 0, 2 and 4 for first words at the stages, 1, 3 and 5 for answers.

        Returns
        -------
        ndarray of float64, shape (words heard, classes of hands)
        """
        stage = next(stage for stage, times in enumerate(self.times) if time in times)
        kinds = (TWOS, len(self.edges2) + 1, len(self.edges3) + 1)[stage]
        start, stop = [*self.starts, self.size][time : time + 2]
        return self.row(counts, pot)[start:stop].reshape(-1, kinds)

    def probability(self, view: View) -> float:
        """Return the probability of Yes."""
        said = view.said & (1 << view.position) - 1
        heard = (1 << view.position) - 1 + said
        time = self.times[view.stage - 1][min(view.turn, 2) - 1]
        if view.stage == 1:
            classes, kind = TWOS, two_cards(view.high, view.low)
        else:
            edges = self.edges2 if view.stage == 2 else self.edges3
            classes, kind = len(edges) + 1, bisect_right(edges, view.strength)
        at = self.starts[time] + heard * classes + kind
        place, part = self.between(view.counts, view.pot)
        row = self.number(view.counts, view.position)
        low, high = map(float, self.chances[row, place : place + 2, at])
        return (low + part * (high - low)) / FULL

    def expect(self, counts: Sequence[int], pot: float) -> NDArray[np.float64]:
        """Return what players may expect at some counts and pot, by position.

        That is beyond what they have paid so far, of a deal whose antes are in the pot; on straight
        lines between and beyond the pots that are known.
        """
        import numpy as np

        row = self.pots[sum(min(count, self.target - 1) for count in counts[: self.n])]
        marks = np.sort(np.concatenate([row, (row[:-1] + row[1:]) / 2]))
        place = int(np.clip(np.searchsorted(marks, pot) - 1, 0, len(marks) - 2))
        part = (pot - marks[place]) / (marks[place + 1] - marks[place])
        rows = [self.number(counts, position) for position in range(self.n)]
        low, high = self.equity[rows, place : place + 2, np.arange(self.n)].T
        found: NDArray[np.float64] = low + part * (high - low)
        return found

    def equities(self) -> pd.DataFrame:
        """Return what every state is worth, as a table.

        Returns
        -------
        DataFrame
            A row for each state, pot and position: ``counts`` (such as ``"2,1,0,3"``; where it
            is left out who sits where, the least first), ``collected`` (by the player himself),
            ``pot`` (antes included), ``position``, ``equity`` and ``error``.
        """
        import pandas as pd

        return pd.DataFrame(equity_columns(self))


def equity_columns(solved: SolvedGame) -> dict[str, Any]:
    """Write the equities as columns, see `SolvedGame.equities`."""
    import numpy as np

    row, mark, position = (part.reshape(-1) for part in np.indices(solved.equity.shape))
    rows = counts_of_rows(solved.n, solved.target, solved.seated)
    collected = rows[row, position if solved.seated else 0]
    low, high = mark // 2, np.minimum((mark + 1) // 2, solved.pots.shape[1] - 1)
    total = rows.sum(axis=1)[row]
    shown = rows if solved.seated else np.sort(rows, axis=1)
    names = np.array([",".join(map(str, counts)) for counts in shown.tolist()])
    return {
        "counts": names[row],
        "collected": collected,
        "pot": (solved.pots[total, low] + solved.pots[total, high]) / 2,
        "position": position,
        "equity": solved.equity.reshape(-1),
        "error": solved.error.reshape(-1),
    }


def starts(n: int, second: int, third: int, tokens: bool = False) -> list[int]:
    """Return where each kind of words begins in a row, and how long it is."""
    words, answers = (1 << n) - 1, (1 << n - 1) - 1
    found = [0]
    for stage, kinds in enumerate((TWOS, second, third)):
        found.append(found[-1] + words * kinds)
        if stage == 0 or tokens:
            found.append(found[-1] + answers * kinds)
    return found


def game_bytes(about: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """Write a table as the bytes of its file."""
    import numpy as np

    stream = io.BytesIO()
    text = json.dumps({"format": 1, **about}, sort_keys=True)
    np.savez_compressed(stream, about=np.array(text), **arrays)
    return stream.getvalue()


def read_game(path: Path, data: bytes, about: dict[str, Any]) -> SolvedGame:
    """Read the bytes of a file whose `about` has been read.

    Raises
    ------
    InputError
        When its arrays do not fit each other.
    """
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        small = {name: found[name] for name in SMALL}
        counts = found.get("counts")
    solved = SolvedGame(about=about, data=data, seated=counts is None, **small)
    n, target = solved.n, solved.target
    rows = number_of_rows(n, target, solved.seated)
    nodes = solved.pots.shape[-1]
    fits = (
        about["game"] == "napalm"
        and nodes >= 2
        and header(data) == ((rows, nodes, solved.size), np.dtype(np.uint8))
        and solved.pots.shape == (n * (target - 1) + 1, nodes)
        and solved.equity.shape == solved.error.shape == (rows, 2 * nodes - 1, n)
        and all(array.dtype == np.float64 for array in (solved.pots, solved.equity))
        and all(np.all(np.diff(array) > 0) for array in (solved.pots, solved.edges2, solved.edges3))
        and (counts is None or np.array_equal(counts, counts_of_rows(n, target, seated=False)))
    )
    _ = solved.text
    if not fits:
        raise InputError(f"{path} is no solved strategy: its arrays do not fit each other")
    return solved


def header(data: bytes) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type of the chances; all of the file is looked through for damage."""
    from numpy.lib import format as npy

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.testzip() is not None:
            raise ValueError("it is damaged")
        with archive.open("chances.npy") as stream:
            npy.read_magic(stream)
            shape, _, kind = npy.read_array_header_1_0(stream)
    return shape, kind
