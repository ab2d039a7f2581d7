"""Slices played by a dask.distributed cluster: workers anywhere, results come back here."""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from simulate.errors import InputError

CONNECT = 10.0
"""Seconds within which the scheduler must answer."""

JOIN = 30.0
"""Seconds that may pass without a single worker."""

LOOK = 2.0
"""Seconds between questions to the scheduler about its workers."""

SECONDS, TASKS_A_SECOND = 1.0, 100
"""How long a slice takes at least, and how many the scheduler is given a second at most."""

LOUD = ("distributed", "tornado")  # loggers

ADDRESS = re.compile(r"(tcp|tls|ws|wss)://\S+:\d+|inproc://\S+")


def check_address(address: str) -> None:
    """Refuse what is no address of a scheduler."""
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"executor 'dask:{address}' names no scheduler: write dask:tcp://HOST:PORT"
        )


@dataclass
class Cluster:
    """A cluster that this process is a client of."""

    client: Any
    address: str
    _lonely: float | None = None
    _looked: float = -math.inf
    _workers: int = 0

    def submit(self, fn: Any, /, *args: Any) -> Future[Any]:
        """Have a function called by a worker.

        Dask's own executor takes the result of a worker that dies at that moment for an error.
        """
        sent: Future[Any] = Future()

        def settle(remote: Any) -> None:
            try:
                sent.set_result(remote.result())
            except BaseException as error:  # noqa: BLE001  (whoever waits raises it)
                sent.set_exception(error)

        self.client.submit(fn, *args, pure=False).add_done_callback(settle)
        return sent

    @property
    def workers(self) -> int:
        """How many slices the workers play at the same time, as of some seconds ago at most."""
        now = time.monotonic()
        if now - self._looked > LOOK:
            try:
                self._workers = sum(self.client.nthreads().values())
            except (OSError, CancelledError, TimeoutError) as error:
                raise self.lost() from error
            self._looked = now
        return self._workers

    @property
    def at_once(self) -> int:
        """How many slices are handed out, so that each worker has the next one with it."""
        return 2 * self.workers + 1

    @property
    def seconds(self) -> float:
        """How long a slice takes, about, so that the scheduler can follow."""
        return max(SECONDS, self.workers / TASKS_A_SECOND)

    def check(self) -> None:
        """Say so when the scheduler is lost, or no worker has been there for long."""
        if self.client.status != "running":
            raise self.lost()
        if self.workers:
            self._lonely = None
            return
        now = time.monotonic()
        self._lonely = self._lonely or now
        if now - self._lonely > JOIN:
            raise InputError(
                f"the dask scheduler at {self.address} has had no worker for {JOIN:g} s: start "
                f"some with: dask worker {self.address}"
            )

    def lost(self) -> InputError:
        """Make the error for a scheduler that answers no more."""
        return InputError(
            f"the dask scheduler at {self.address} is lost: the parts that are done are kept, and "
            "the same command goes on with them"
        )

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say in one line what went wrong on the way, where it was no strategy."""
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            yield
        except (CommClosedError, CancelledError) as error:
            raise self.lost() from error
        except KilledWorker as error:
            raise InputError(
                f"{error.allowed_failures + 1} dask workers died with the same slice: the last "
                f"was {getattr(error.last_worker, 'address', 'unknown')}"
            ) from error
        except ModuleNotFoundError as error:
            raise InputError(
                f"napalm-noddy must be installed where the scheduler and the workers run: {error}"
            ) from error


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect with a scheduler.

    Raises
    ------
    InputError
        When dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "dask is not installed: pip install 'napalm-noddy[dask]', here and where workers run"
        ) from None
    with _silent():
        try:
            client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"no dask scheduler answers at {address}: {error}") from error
        try:
            yield Cluster(client, address)
        finally:
            client.close(timeout=CONNECT)


@contextmanager
def _silent() -> Iterator[None]:
    """Let dask log nothing: what goes wrong is said in one line."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith(LOUD)]
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in names}
    for logger in levels:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)
