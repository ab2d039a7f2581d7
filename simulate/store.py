"""Keep results on disk: commit a part, verify it, read it back. The one module that knows Parquet.

A run is a folder with ``run.json``, written before anything is dealt, and for each part one
Parquet file a table, ``<table>-<part>.parquet``. The folder is the log: a part is done when all its
files are there and verify. A file appears whole or not at all, and carries in its footer the
SHA-256 of all its other bytes, so that every flipped bit is noticed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simulate.errors import InputError
from simulate.version import SCHEMA

MANIFEST = "run.json"
SEAL = b"content_sha256"
UNSEALED = b"0" * 64
ROW_GROUP = 1 << 20
PART = re.compile(r"-\d{6,}$")

RISING = "game"
"""The column of rows that counts up: its steps are kept, in a tenth of the room and of the time."""


class DamagedFile(InputError):
    """A file of a run that is not what was committed; the message says what is wrong with it."""


@dataclass(frozen=True)
class Fault:
    """One file of a run that is missing or damaged."""

    part: int
    file: str
    what: str

    @property
    def missing(self) -> bool:
        """Whether the file is not there at all."""
        return self.what == "missing"


@dataclass(frozen=True)
class Folder:
    """The folder of a run, as its ``run.json`` describes it.

    Attributes
    ----------
    path : Path
        The folder.
    manifest : dict
        What stands in ``run.json``.
    """

    path: Path
    manifest: dict[str, Any]

    @property
    def config(self) -> dict[str, Any]:
        """The resolved configuration."""
        return dict(self.manifest["config"])

    @property
    def games(self) -> int:
        """How many games the run has."""
        return int(self.manifest["config"]["games"])

    @property
    def part_games(self) -> int:
        """How many games a part has; the last one may have fewer."""
        return int(self.manifest["part_games"])

    @property
    def ends(self) -> list[int]:
        """Where each part ends, when parts are not of one size."""
        return list(self.manifest.get("ends", []))

    @property
    def parts(self) -> range:
        """The numbers of the parts."""
        return range(len(self.ends) or -(-self.games // self.part_games))

    @property
    def begun(self) -> range:
        """The parts that must be there: all, or up to the last of a run that may end early."""
        if not self.manifest.get("may_end_early"):
            return self.parts
        there = [any(self.file(t, part).exists() for t in self.summary) for part in self.parts]
        return range(max((part + 1 for part in self.parts if there[part]), default=0))

    @property
    def summary(self) -> tuple[str, ...]:
        """The tables of the summary."""
        return tuple(self.manifest["summary"])

    @property
    def rows(self) -> tuple[str, ...]:
        """The tables of rows: none, or the one that ``--detail`` asked for."""
        return tuple(self.manifest["rows"])

    def games_of(self, part: int) -> tuple[int, int]:
        """Return the first game of a part, and the one after its last."""
        if self.ends:
            return self.ends[part - 1] if part else 0, self.ends[part]
        start = part * self.part_games
        return start, min(start + self.part_games, self.games)

    def file(self, table: str, part: int) -> Path:
        """Return where a table of a part is kept."""
        return self.path / f"{table}-{part:06d}.parquet"

    def about(self, table: str, part: int) -> dict[str, str]:
        """Say what the footer of a file must say: whose it is, and which games are in it."""
        start, stop = self.games_of(part)
        return {
            "run": self.manifest["run"],
            "table": table,
            "part": str(part),
            "first_game": str(start),
            "stop_game": str(stop),
        }


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say in one line that something cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _flush_folder(path: Path) -> None:
    if os.name != "nt":  # Windows has no such thing
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _stage(path: Path, data: bytes | bytearray) -> Path:
    """Write and flush a file under a temporary name, which starts with a dot."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _appear(files: Mapping[Path, bytes | bytearray]) -> None:
    """Make files appear under their names, each whole or not at all, the last one last."""
    staged: dict[Path, Path] = {}
    folder = next(iter(files)).parent
    with _writing(folder):
        try:
            for path, data in files.items():
                staged[path] = _stage(path, data)
            for path in files:
                staged[path].replace(path)
                del staged[path]
            _flush_folder(folder)
        finally:
            for temporary in staged.values():
                temporary.unlink(missing_ok=True)


def _sealed(data: bytes | bytearray, at: int) -> str:
    """Hash all bytes but the hash itself, which starts at `at`."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:at])
    digest.update(UNSEALED)
    digest.update(view[at + len(UNSEALED) :])
    return digest.hexdigest()


def encode(table: pa.Table, about: Mapping[str, str]) -> bytearray:
    """Write a table as the bytes of a Parquet file.

    Parameters
    ----------
    table : pyarrow.Table
        The table; int64 and float64 columns of a summary add up, others tell rows apart.
    about : mapping of str to str
        What the footer says, beside the hash of the content.
    """
    sink = pa.BufferOutputStream()
    rising = {RISING: "DELTA_BINARY_PACKED"} if RISING in table.column_names else None
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=1,
        write_page_checksum=True,
        # Only the numbers of games differ from part to part, and tell a reader which he needs.
        write_statistics=[RISING] if rising else True,
        use_dictionary=[name for name in table.column_names if name != RISING],
        column_encoding=rising,
    ) as writer:
        writer.write_table(table.combine_chunks(), row_group_size=ROW_GROUP)
        writer.add_key_value_metadata({**about, SEAL.decode(): UNSEALED.decode()})
    data = bytearray(sink.getvalue())
    at = data.index(UNSEALED, data.rindex(SEAL))
    data[at : at + len(UNSEALED)] = _sealed(data, at).encode()
    return data


def decode(data: bytes | bytearray, about: Mapping[str, str]) -> pa.Table:
    """Read the bytes of a file back.

    Raises
    ------
    DamagedFile
        When a single bit is not as `encode` wrote it, or the file belongs elsewhere.
    """
    match = re.search(re.escape(SEAL) + rb"..([0-9a-f]{64})", data[data.rfind(SEAL) :], re.DOTALL)
    if match is None or data.rfind(SEAL) < 0:
        raise DamagedFile("truncated or no file of a run")
    at = data.rfind(SEAL) + match.start(1)
    if _sealed(data, at).encode() != match[1]:
        raise DamagedFile("its content does not match its hash")
    try:
        file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        found = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
        table = file.read()
    except (OSError, ValueError, pa.ArrowException) as error:
        raise DamagedFile(f"cannot be read: {str(error).splitlines()[0]}") from None
    for name, value in about.items():
        if found.get(name) != value:
            raise DamagedFile(f"belongs elsewhere: its {name} is {found.get(name)}, not {value}")
    return table.replace_schema_metadata(None)


def _manifest_seal(manifest: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in manifest.items() if key != SEAL.decode()}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def create(
    path: Path,
    run: str,
    config: Mapping[str, Any],
    *,
    part_games: int,
    ends: Sequence[int] = (),
    may_end_early: bool = False,
    summary: Iterable[str],
    rows: Iterable[str],
    versions: Mapping[str, str],
) -> Folder:
    """Fix in ``run.json`` what a run is, before anything is dealt.

    Parameters
    ----------
    path : Path
        The folder, which exists.
    run : str
        The hash that names the run.
    config : mapping
        The resolved configuration.
    part_games : int
        How many games a part has.
    ends : sequence of int
        Where each part ends, if parts are not of one size.
    may_end_early : bool
        Whether the run may be complete without its last parts.
    summary, rows : iterable of str
        The tables of each part.
    versions : mapping of str to str
        Of the program and of what it is built on.
    """
    manifest: dict[str, Any] = {
        "schema": SCHEMA,
        "run": run,
        "config": dict(config),
        "part_games": part_games,
        "summary": list(summary),
        "rows": list(rows),
        "versions": dict(versions),
    }
    if ends:
        manifest |= {"ends": list(ends), "may_end_early": may_end_early}
    manifest[SEAL.decode()] = _manifest_seal(manifest)
    text = json.dumps(manifest, indent=2) + "\n"
    _appear({path / MANIFEST: text.encode()})
    return Folder(path, manifest)


def open_folder(path: str | Path) -> Folder:
    """Read the ``run.json`` of a run.

    Raises
    ------
    InputError
        When there is no run, or its ``run.json`` is damaged or of another schema.
    """
    path = Path(path)
    file = path / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = f"has no {MANIFEST}: it is no run" if path.is_dir() else "does not exist"
        raise InputError(f"{path}: {what}") from None
    except NotADirectoryError:
        raise InputError(f"{path}: is a file, a run is a folder") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{file} is damaged: it is no JSON") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("schema"), int):
        raise InputError(f"{file} is damaged: it names no schema")
    if manifest["schema"] != SCHEMA:
        raise InputError(
            f"{path} has results of schema {manifest['schema']}, this version reads schema {SCHEMA}"
        )
    if manifest.get(SEAL.decode()) != _manifest_seal(manifest):
        raise InputError(f"{file} is damaged: its content does not match its hash")
    return Folder(path, manifest)


def clear(path: Path) -> None:
    """Remove all results from the folder of a run, its ``run.json`` last."""
    with _writing(path):
        for file in sorted(path.glob("*-*.parquet")):
            file.unlink()
        clear_temporary(path)
        (path / MANIFEST).unlink(missing_ok=True)


def clear_temporary(path: Path) -> None:
    """Remove what a process that was killed left half written."""
    with _writing(path):
        for file in path.glob(".*.tmp"):
            file.unlink()


def commit(folder: Folder, part: int, tables: Mapping[str, pa.Table]) -> None:
    """Keep the tables of one part, each file whole or not at all.

    Raises
    ------
    InputError
        When the folder cannot be written or the disk is full; nothing of the part is left then.
    """
    _appear(
        {
            folder.file(name, part): encode(tables[name], folder.about(name, part))
            for name in (*folder.rows, *folder.summary)
        }
    )


def keep_table(path: Path, name: str, table: pa.Table) -> Path:
    """Keep a table that was made from the results of a run, as ``<name>.parquet`` beside them."""
    file = path / f"{name}.parquet"
    keep_file(file, encode(table, {"table": name}))
    return file


def keep_file(path: Path, data: bytes | bytearray) -> None:
    """Keep a file of any kind, whole or not at all."""
    _appear({path: data})


def read_kept(path: Path) -> pa.Table:
    """Read a table that `keep_table` has kept.

    Raises
    ------
    DamagedFile
        When the file is not what was kept.
    """
    return decode(path.read_bytes(), {"table": path.stem})


def read(folder: Folder, table: str, part: int) -> pa.Table:
    """Read one table of one part.

    Raises
    ------
    DamagedFile
        When the file is missing or not what was committed.
    """
    path = folder.file(table, part)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DamagedFile("missing") from None
    except OSError as error:
        raise DamagedFile(f"cannot be read: {error.strerror}") from None
    return decode(data, folder.about(table, part))


def kept_tables(path: Path) -> list[Path]:
    """List the tables that are kept beside the parts of a run."""
    return [file for file in sorted(path.glob("*.parquet")) if not PART.search(file.stem)]


def faults(folder: Folder) -> list[Fault]:
    """Read every file of the parts of a run, and list those that are missing or damaged."""
    found = []
    for part in folder.begun:
        for table in (*folder.summary, *folder.rows):
            try:
                read(folder, table, part)
            except DamagedFile as error:
                found.append(Fault(part, folder.file(table, part).name, str(error)))
    return found
