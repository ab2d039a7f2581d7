"""One writer for a folder at a time, by a lock of the system that dies with its process."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simulate.errors import InputError

NAME = ".lock"

if os.name == "nt":
    import msvcrt

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # beyond the text, which stays readable
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _same_file(descriptor: int, path: Path) -> bool:
    """Whether the file that is locked is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _sign(descriptor: int, folder: Path) -> None:
    """Write into the lock who holds it."""
    try:
        os.truncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None


@contextmanager
def locked(folder: Path, name: str = NAME, taken: str = "") -> Iterator[None]:
    """Hold the lock of a folder, or another one in it.

    Parameters
    ----------
    folder : Path
    name : str
        Its file.
    taken : str
        What it means that somebody holds it, where that is not that the folder is being written.

    Raises
    ------
    InputError
        At once, when another process holds it.
    """
    path = folder / name
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
        try:
            _take(descriptor)
        except OSError:
            holder = os.read(descriptor, 200).decode(errors="replace").strip() or "another process"
            os.close(descriptor)
            what = taken or f"{folder} is being written"
            raise InputError(f"{what} by {holder}: wait, or stop it") from None
        if _same_file(descriptor, path):
            break
        os.close(descriptor)  # its last holder removed it in between
    try:
        _sign(descriptor, folder)
        yield
    finally:
        if os.name == "nt":
            os.close(descriptor)
            path.unlink(missing_ok=True)
        else:
            path.unlink(missing_ok=True)  # while it is held: nobody can take it in between
            os.close(descriptor)
