"""Games that are played are kept: what the person answered while they go on, then as game logs.

While a game goes on, its file holds the setting and the person's own answers, and no card: it is
dealt again from the seed when it goes on. A finished game is a line of a game log.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulate import gamelog
from simulate.difference import INDEX_LIMIT
from simulate.errors import InputError
from simulate.lock import locked
from simulate.numerals import whole_number
from simulate.play.coach import Advice
from simulate.play.setting import Setting
from simulate.play.sitting import Sitting

FORMAT = 2
FOLDER = Path("results/played")
SUFFIX = ".going-on.json"


@dataclass
class Kept:
    """A game, and where it is kept.

    Attributes
    ----------
    sitting : Sitting
        The game.
    log : Path
        The game log that it becomes a line of.
    advice : list of Advice or None
        What the coach said of each answer.
    resumed : bool
        Whether it had been begun before.
    """

    sitting: Sitting
    log: Path
    advice: list[Advice | None] = field(default_factory=list)
    resumed: bool = False

    @property
    def path(self) -> Path:
        """Where it is kept while it goes on."""
        return going_on(self.log)

    def answer(self, answer: int, advice: Advice | None = None) -> None:
        """Answer, and keep the answer, or the whole game if it is over then.

        Parameters
        ----------
        answer : int
            What is answered.
        advice : Advice, optional
            What the coach says of it.

        Raises
        ------
        InputError
            When that cannot be answered, a file cannot be written, or a strategy fails at its own
            move: then it is as if nothing had been answered.
        """
        before = self.sitting.answers.copy()
        try:
            self.sitting.answer(answer)
        except InputError as error:
            if self.sitting.answers == before:
                raise
            self.sitting = again(self.sitting, before)  # a strategy has failed at its own move
            raise InputError(f"{error}; the game is kept as before this answer") from error
        self.advice.append(advice)
        self.write()
        self.finish()

    def finish(self) -> None:
        """Put the game into its log, if it is over."""
        if self.sitting.over:
            add_game(self.log, self.sitting.record)
            self.path.unlink(missing_ok=True)

    def write(self) -> None:
        """Write what was answered so far."""
        answers = [
            {"answer": int(answer), "advice": advice and advice.to_dict()}
            for answer, advice in zip(self.sitting.answers, self.advice, strict=True)
        ]
        content = {
            "format": FORMAT,
            "setting": self.sitting.setting.to_dict(),
            "index": self.sitting.index,
            "answers": answers,
        }
        target = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(content) + "\n", encoding="utf-8")
            target.replace(self.path)
        except OSError as error:
            why = error.strerror or error
            raise InputError(f"cannot write {str(self.path)!r}: {why}") from error


def again(sitting: Sitting, answers: list[int]) -> Sitting:
    """Return the same game, with these answers."""
    other = Sitting(sitting.setting, sitting.index)
    for answer in answers:
        other.answer(answer)
    return other


def log_of(setting: Setting, log: Path | None) -> Path:
    """Return the game log of a setting: one in `FOLDER` when none is named."""
    return FOLDER / f"{setting.name}.jsonl" if log is None else log


@contextmanager
def held(log: Path) -> Iterator[None]:
    """Let nobody else play at the table of a log.

    Raises
    ------
    InputError
        At once, when somebody plays there, or nothing can be written.
    """
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {str(log)!r}: {error.strerror or error}") from error
    with locked(log.parent, f".{log.name}.lock", f"{log} is being played"):
        yield


def going_on(log: Path) -> Path:
    """Return where a game is kept that will be a line of this log."""
    return log.with_name(log.name + SUFFIX)


def games_in(log: Path) -> list[dict[str, Any]]:
    """Return the games of a log, none where there is no such file.

    Raises
    ------
    InputError
        When it is no game log.
    """
    return [record for _, record in gamelog.read(log)] if log.exists() else []


def is_of(record: dict[str, Any], setting: Setting) -> bool:
    """Tell whether a game has the cards that a game of a setting of its index has."""
    same = (record.get("game"), record.get("seed")) == (setting.game, setting.seed)
    return same and len(record.get("seats", ())) == setting.players


def add_game(log: Path, record: dict[str, Any]) -> None:
    """Add a game to a log, which is there with all its games at any moment."""
    games = games_in(log)
    name = {key: record[key] for key in ("game", "seed", "index", "seats")}
    if any(all(game.get(key) == value for key, value in name.items()) for game in games):
        return  # stopped between here and the end of the file of the game going on
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {str(log)!r}: {error.strerror or error}") from error
    gamelog.write(log, [*games, record])


def open_game(setting: Setting, log: Path | None = None, index: object = None) -> Kept:
    """Go on with the game that is going on, or begin the next.

    Parameters
    ----------
    setting : Setting
        Who plays by which rules.
    log : Path, optional
        The game log; one named by the setting, in `FOLDER`, when None.
    index : int, optional
        Which game of the seed; when None the one that is going on, else the first after those in
        the log.

    Raises
    ------
    InputError
        When that game has been played, another is going on, or a file is broken.
    """
    log = log_of(setting, log)
    wanted = None if index is None else whole_number("game", index, 0, INDEX_LIMIT - 1)
    played = [record["index"] for record in games_in(log) if is_of(record, setting)]
    path = going_on(log)
    content = _read(path) if path.exists() else None
    if content is not None and content["index"] in played and _same(content, setting):
        content = None  # it was over, and stopped before its file was taken away
    if content is not None:
        return _go_on(setting, log, wanted, content)
    if wanted in played:
        raise InputError(f"game {wanted} is in {str(log)!r}: it has been played")
    number = max(played, default=-1) + 1 if wanted is None else wanted
    kept = Kept(Sitting(setting, number), log)
    kept.finish()  # in Noddy it may be over before there is anything to choose
    return kept


def _read(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        right = content["format"] == FORMAT and isinstance(content["setting"], dict)
        right = right and isinstance(content["index"], int)
        [(answer["answer"], answer["advice"]) for answer in content["answers"]]
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{str(path)!r} is not the file of a game going on") from error
    if not right:
        raise InputError(f"{str(path)!r} is not the file of a game going on")
    return content


def _same(content: dict[str, Any], setting: Setting) -> bool:
    return bool(content["setting"] == setting.to_dict())


def _go_on(setting: Setting, log: Path, wanted: int | None, content: dict[str, Any]) -> Kept:
    path, index = going_on(log), content["index"]
    if not _same(content, setting):
        seats = ", ".join(map(str, content["setting"].get("seats", ())))
        raise InputError(
            f"{str(path)!r} is a game going on of another setting (seats: {seats}): finish that "
            "first, or delete the file"
        )
    if wanted not in (None, index):
        raise InputError(
            f"game {index} is going on in {str(path)!r}: finish it before game {wanted}"
        )
    kept = Kept(Sitting(setting, index), log, resumed=True)
    for answer in content["answers"]:
        try:
            kept.sitting.answer(answer["answer"])
            advice = answer["advice"]
            kept.advice.append(None if advice is None else Advice.from_dict(advice))
        except (InputError, KeyError, TypeError, ValueError) as error:
            number = len(kept.sitting.answers)
            raise InputError(f"{str(path)!r}: answer {number} does not fit: {error}") from error
    kept.finish()
    return kept
