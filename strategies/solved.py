"""Napalm strategies that a solver made: a table of chances of Yes, in an `.npz` file.

The arrays of the file, chances in 255ths as uint8:

- ``first``, shape (words heard, 91): the first word at stage 1;
- ``challenged``, shape (answers heard, 91): the answer to the dealer's challenge;
- ``second``, shape (words heard, classes): the word at stage 2;
- ``third``, shape (2**n, words heard, classes): at stage 3, after who said Yes at stage 2.

Words heard have the number ``(1 << position) - 1 + said``, where bit p of `said` is set if position
p has said Yes. The 91 hands of two cards stand lowest first; at stages 2 and 3 a hand is of class k
where its strength is at least ``edges2[k - 1]`` (``edges3[k - 1]``) and less than the next. The
text ``about`` is JSON: what was solved, from how many deals, and how near to best it is.

A table is made for one number of players. Asked what it was not made for (a second word at stages
2 and 3, whatever was said at stage 1) it answers as if that had not been.
"""

from __future__ import annotations

import io
import json
import zipfile
from bisect import bisect_right
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.cards import NAPALM_RANKS
from simulate.errors import InputError, unknown

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from simulate.napalm.view import View
    from strategies.solved_game import SolvedGame

FORMAT = 1
FULL = 255
"""What a chance of 1 is."""

WHOLE_GAME = "a whole game"
"""What a table for whole games says it has solved: see `strategies.solved_game`."""

TWOS = 91
ARRAYS = ("first", "challenged", "second", "third")
TIMES = ((0, 1), (2, 2), (3, 3))
"""By stage, which of these has first words and answers to a challenge: none at stages 2 and 3."""

EDGES = ("edges2", "edges3")


@dataclass(frozen=True)
class Solved:
    """A table of chances, as it was read.

    Attributes
    ----------
    about : dict
        What was solved, and how near to best it is.
    first, challenged, second, third : ndarray of uint8
        See the head of this module.
    edges2, edges3 : ndarray of float64
    """

    about: dict[str, Any]
    first: NDArray[np.uint8]
    challenged: NDArray[np.uint8]
    second: NDArray[np.uint8]
    third: NDArray[np.uint8]
    edges2: NDArray[np.float64]
    edges3: NDArray[np.float64]

    @property
    def n(self) -> int:
        """For how many players it was made."""
        return int(self.about["players"])

    @property
    def times(self) -> tuple[tuple[int, int], ...]:
        """Which of `ARRAYS` has what is said: see `TIMES`."""
        return TIMES

    @property
    def text(self) -> str:
        """What it is, in a sentence or two."""
        return (
            f"One deal for money between {self.n}, solved: from {self.about['deals']:,} deals; "
            f"best replies of all {self.n} together gain {self.about['nash_conv']:.4f} ± "
            f"{1.96 * self.about['nash_conv_error']:.4f} stakes a deal or more."
        )

    def probability(self, view: View) -> float:
        """Return the probability of Yes."""
        said = view.said & (1 << view.position) - 1
        heard = (1 << view.position) - 1 + said
        if view.stage == 1:
            table = self.first if view.turn == 1 else self.challenged
            return float(table[heard, two_cards(view.high, view.low)]) / FULL
        if view.stage == 2:
            return float(self.second[heard, bisect_right(self.edges2, view.strength)]) / FULL
        kind = bisect_right(self.edges3, view.strength)
        return float(self.third[view.said2, heard, kind]) / FULL

    def table(self, name: str) -> pd.DataFrame:
        """Return one of the arrays as a table: a row for each decision.

        Parameters
        ----------
        name : str
            ``"first"``, ``"challenged"``, ``"second"`` or ``"third"``.

        Returns
        -------
        DataFrame
            ``position``; ``said2`` (at stage 3); ``said``, and ``heard``, how many bits that has;
            ``hand`` (at stage 1, such as ``"AK"``) or ``strength`` (with which the class begins);
            and ``yes``, the chance of Yes.
        """
        import numpy as np
        import pandas as pd

        if name not in ARRAYS:
            raise unknown("table", name, ARRAYS)
        array = getattr(self, name)
        places = np.indices(array.shape)
        words, kind = places[-2].reshape(-1), places[-1].reshape(-1)
        position = np.floor(np.log2(words + 1)).astype(int)
        said = words + 1 - (1 << position)
        columns: dict[str, Any] = {"position": position}
        if name == "third":
            columns["said2"] = places[0].reshape(-1)
        columns["said"] = said
        columns["heard"] = sum(said >> place & 1 for place in range(self.n))
        if name in ("first", "challenged"):
            columns["hand"] = np.array(hand_names())[kind]
        else:
            edges = self.edges2 if name == "second" else self.edges3
            columns["strength"] = np.concatenate([[0.0], edges])[kind]
        columns["yes"] = array.reshape(-1) / FULL
        return pd.DataFrame(columns)


def hand_names() -> list[str]:
    """Name the hands of two cards, such as ``"AK"`` and ``"77"``, the lowest first."""
    names = [""] * TWOS
    for high, low in combinations_with_replacement(range(2, 15), 2):
        names[two_cards(max(high, low), min(high, low))] = (
            NAPALM_RANKS[max(high, low) - 2] + NAPALM_RANKS[min(high, low) - 2]
        )
    return names


def two_cards(high: int, low: int) -> int:
    """Return the number of a hand of two cards, of 91: unpaired ones first, the lowest 0."""
    return 78 + high - 2 if high == low else (high - 2) * (high - 3) // 2 + low - 2


def shapes(n: int, second: int, third: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays for n players and so many classes at stages 2 and 3."""
    words = (1 << n) - 1
    return {
        "first": (words, TWOS),
        "challenged": (words >> 1, TWOS),
        "second": (words, second),
        "third": (1 << n, words, third),
    }


def file_bytes(solved: Solved) -> bytes:
    """Write a table as the bytes of its file."""
    import numpy as np

    arrays = {name: getattr(solved, name) for name in (*ARRAYS, *EDGES)}
    stream = io.BytesIO()
    about = json.dumps({"format": FORMAT, **solved.about}, sort_keys=True)
    np.savez_compressed(stream, about=np.array(about), **arrays)
    return stream.getvalue()


def read_solved(path: Path, data: bytes) -> Solved | SolvedGame:
    """Read the bytes of a file: a table for one deal, or for whole games.

    Raises
    ------
    InputError
        When they are no such table.
    """
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            about = json.loads(str(found["about"]))
            if about["format"] != FORMAT:
                raise InputError(
                    f"{path} is a solved strategy of format {about['format']}, this version reads "
                    f"format {FORMAT}"
                )
            if about.get("solved") == WHOLE_GAME:
                from strategies.solved_game import read_game

                return read_game(path, data, about)
            arrays = {name: found[name] for name in (*ARRAYS, *EDGES)}
        sizes = [len(arrays[name]) + 1 for name in EDGES]
        wanted = shapes(int(about["players"]), sizes[0], sizes[1])
        fits = about["game"] == "napalm" and all(
            arrays[name].shape == shape and arrays[name].dtype == np.uint8
            for name, shape in wanted.items()
        )
        solved = Solved(about=about, **arrays)
        _ = solved.text
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is no solved strategy: {error}") from None
    if not fits or not all(np.all(np.diff(arrays[name]) > 0) for name in EDGES):
        raise InputError(f"{path} is no solved strategy: its arrays do not fit each other")
    return solved
