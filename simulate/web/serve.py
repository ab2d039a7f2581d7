"""Serve a table to the browser of this machine."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulate.errors import InputError
from simulate.numerals import whole_number

if TYPE_CHECKING:
    import uvicorn

    from simulate.web.table import WebTable

HOST = "127.0.0.1"
MISSING = "simulate play --web needs an optional extra: pip install 'napalm-noddy[web]'"


@dataclass
class Place:
    """Where a table is served: a socket that listens, and the token that is asked for."""

    listening: socket.socket
    token: str

    @property
    def port(self) -> int:
        """The port."""
        return int(self.listening.getsockname()[1])

    @property
    def address(self) -> str:
        """What is opened in the browser."""
        return f"http://{HOST}:{self.port}/#{self.token}"


def find_place(port: object = 0) -> Place:
    """Listen on a port of this machine, any free one when it is 0.

    Raises
    ------
    InputError
        When it is no port, or another program has it.
    """
    number = whole_number("port", port, 0, 65_535)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, number))
    except OSError as error:
        listening.close()
        raise InputError(f"port {number} cannot be listened on: {error.strerror}") from error
    return Place(listening, secrets.token_urlsafe(24))


def check_extra() -> None:
    """Refuse where the extra is not installed.

    Raises
    ------
    InputError
        With how to install it.
    """
    try:
        import starlette
        import uvicorn
    except ModuleNotFoundError as error:
        raise InputError(f"{MISSING} ({error})") from error
    del starlette, uvicorn


def make_server(table: WebTable, place: Place) -> uvicorn.Server:
    """Make the server of a table; ``run(sockets=[place.listening])`` serves until Ctrl-C."""
    import uvicorn

    from simulate.web.app import make_app

    app = make_app(table, place.token, place.port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        lifespan="off",
    )
    return uvicorn.Server(config)
