"""Noddy strategies that a solver made: chances to finish by hand, in an `.npz` file.

The arrays of the file:

- ``finish``, shape (classes, hands, 6), int16: how probably a player who plays well finishes with
  his next turn, the one after it, ..., in `FULL`-ths, by his points to go and by his hand. A hand
  is known by its pips, up to `MOST` cards; one of fewer than three stands for what it becomes when
  its player has drawn up to three.
- ``still``, shape (classes, sizes, 6), float64: how probably another player has not finished after
  so many turns of his, by his points to go and the number of his cards, 3 to `MOST`.

- ``win``, shape (classes, sizes, classes, sizes), float64: the chance to win of the player whose
  turn it is, by his points to go and number of cards and by those of the one other player, nobody's
  cards being known; ``seen`` and ``won``, int64, of the same shape: how many such turns there were
  in the last games that the solver played, and how many of them in games that were won.

With a hand his chance to win is the sum over turns of ``finish`` times the product of ``still`` of
the others. As ``finish`` was fitted to what the solver found for such races, its numbers are no
pure probabilities: some are a little below 0. The text ``about`` is JSON: what was solved, and from
what.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError, unknown

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from simulate.noddy.view import Option, View

FORMAT = 1
FULL = 20_000
"""What a chance of 1 is."""

AT_MOST = (1, 2, 4, 6, 12, 15, 16, 17, 25, 27, 31)
"""Points to go are told apart in these classes, by the greatest number of each."""

FRESH, MOST, TURNS = 3, 8, 6
PIPS = 10
HANDS = comb(PIPS + MOST, MOST)
SIZES = MOST - FRESH + 1
ARRAYS = ("finish", "still", "win", "seen", "won")
FINISH_SHAPE = (len(AT_MOST), HANDS, TURNS)
STILL_SHAPE = (len(AT_MOST), SIZES, TURNS)
RACE_SHAPE = (len(AT_MOST), SIZES) * 2
TABLES = ("finish", "still", "race")


@dataclass(frozen=True)
class RaceTable:
    """A table of chances to finish, as it was read.

    Attributes
    ----------
    about : dict
        What was solved.
    finish : ndarray of int16
    still, win : ndarray of float64
    seen, won : ndarray of int64
        See the head of this module.
    """

    about: dict[str, Any]
    finish: NDArray[np.int16]
    still: NDArray[np.float64]
    win: NDArray[np.float64]
    seen: NDArray[np.int64]
    won: NDArray[np.int64]

    @property
    def n(self) -> None:
        """It is for any number of players."""
        return None

    @property
    def text(self) -> str:
        """What it is, in a sentence or two."""
        return (
            "The race under hold, solved backwards over own points, own hand and the progress of "
            f"the others, who play by the same table: {self.about['rounds']} rounds, the others' "
            f"progress from {self.about['games']:,} games each."
        )

    @cached_property
    def addresses(self) -> tuple[float, float]:
        """Where the arrays lie, for compiled code; they live as long as the table."""
        return float(self.finish.ctypes.data), float(self.still.ctypes.data)

    def worth(self, view: View, option: Option) -> float:
        """Return the chance to win with an option; 2 where it wins now."""
        from simulate.noddy.race import worth

        return float(worth(view, option, *self.addresses))

    def table(self, name: str) -> pd.DataFrame:
        """Return what the arrays hold as a table; ``to_go`` is the most points of a class.

        Parameters
        ----------
        name : str
            ``"finish"``, ``"still"`` or ``"race"``.

        Returns
        -------
        DataFrame
            ``finish``: ``to_go``, ``hand`` (its pips, ``"5 10 10"``), ``cards``, and ``turn_1`` to
            ``turn_6``. ``still``: ``to_go``, ``cards``, and ``after_1`` to ``after_6``. ``race``:
            ``to_go``, ``cards``, ``other_to_go``, ``other_cards``, ``win``, ``seen``, ``won``.
        """
        import numpy as np
        import pandas as pd

        if name not in TABLES:
            raise unknown("table", name, TABLES)
        if name == "race":
            places = [part.reshape(-1) for part in np.indices(RACE_SHAPE)]
            columns = {
                "to_go": np.array(AT_MOST)[places[0]],
                "cards": places[1] + FRESH,
                "other_to_go": np.array(AT_MOST)[places[2]],
                "other_cards": places[3] + FRESH,
            }
            columns |= {each: getattr(self, each).reshape(-1) for each in ("win", "seen", "won")}
            return pd.DataFrame(columns)
        array = self.finish / FULL if name == "finish" else self.still
        row, place = (part.reshape(-1) for part in np.indices(array.shape[:2]))
        columns = {"to_go": np.array(AT_MOST)[row]}
        if name == "finish":
            hands = hand_pips()
            columns["hand"] = np.array([" ".join(map(str, hand)) for hand in hands])[place]
            columns["cards"] = np.array([len(hand) for hand in hands])[place]
        else:
            columns["cards"] = place + FRESH
        word = "turn" if name == "finish" else "after"
        flat = array.reshape(-1, TURNS)
        columns |= {f"{word}_{turn + 1}": flat[:, turn] for turn in range(TURNS)}
        return pd.DataFrame(columns)[flat.any(axis=1)].reset_index(drop=True)  # no more fives


def hand_pips() -> list[tuple[int, ...]]:
    """List the pips of every hand, by number (see `simulate.noddy.race`)."""
    hands: list[tuple[int, ...]] = []
    for held in range(MOST + 1):
        found = combinations_with_replacement(range(1, PIPS + 1), held)
        hands += sorted(found, key=lambda hand: hand[::-1])
    return hands


def file_bytes(table: RaceTable) -> bytes:
    """Write a table as the bytes of its file."""
    import numpy as np

    stream = io.BytesIO()
    about = json.dumps({"format": FORMAT, **table.about}, sort_keys=True)
    arrays = {name: getattr(table, name) for name in ARRAYS}
    np.savez_compressed(stream, about=np.array(about), **arrays)
    return stream.getvalue()


def read_race(path: Path, data: bytes) -> RaceTable:
    """Read the bytes of a file.

    Raises
    ------
    InputError
        When they are no such table.
    """
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays = {name: np.ascontiguousarray(found[name]) for name in ARRAYS}
            about = json.loads(str(found["about"]))
        if about["format"] != FORMAT:
            raise InputError(
                f"{path} is a solved strategy of format {about['format']}, this version reads "
                f"format {FORMAT}"
            )
        table = RaceTable(about, **arrays)
        _ = table.text
        wanted = {
            "finish": (FINISH_SHAPE, np.int16),
            "still": (STILL_SHAPE, np.float64),
            "win": (RACE_SHAPE, np.float64),
            "seen": (RACE_SHAPE, np.int64),
            "won": (RACE_SHAPE, np.int64),
        }
        fits = about["game"] == "noddy" and all(
            arrays[name].shape == shape and arrays[name].dtype == kind
            for name, (shape, kind) in wanted.items()
        )
        sound = all(np.all((arrays[name] >= 0) & (arrays[name] <= 1)) for name in ("still", "win"))
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is no solved strategy: {error}") from None
    if not (fits and sound):
        raise InputError(f"{path} is no solved strategy: its arrays do not fit each other")
    return table


def game_of(data: bytes) -> str:
    """Return the game that an `.npz` file says it is for; Napalm where it says nothing sound."""
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            about = json.loads(str(found["about"]))
        return "noddy" if about["game"] == "noddy" else "napalm"
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile):
        return "napalm"  # whose reader says what is wrong with it
