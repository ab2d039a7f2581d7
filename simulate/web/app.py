"""The small server behind the page: who may ask it, and what it answers.

It listens on this machine alone. The page itself holds no secret and may be read by anybody here;
everything about the game needs the token, which stands behind the ``#`` of the address: browsers
send that nowhere, and the page sends it in a header that no other site's page can send. Requests
under another name of this machine (DNS rebinding) or from another site's page are refused as well.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from simulate.errors import InputError
from simulate.web.table import WebTable

HEADER = "x-table-token"
LONGEST = 1_000
"""Bytes that a request may have."""

FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/table.css": ("table.css", "text/css; charset=utf-8"),
    "/table.js": ("table.js", "text/javascript; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RefusedError(Exception):
    """A request that is not answered: its status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


def check_origin(request: Request, port: int) -> None:
    """Refuse a request that comes under another name, or from another site's page.

    Raises
    ------
    RefusedError
        When it does.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    if request.headers.get("host") not in hosts:
        raise RefusedError(421, "this is no address of the table")
    origin = request.headers.get("origin")
    if origin is not None and origin not in {f"http://{host}" for host in hosts}:
        raise RefusedError(403, "another site may not ask the table")
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise RefusedError(403, "another site may not ask the table")


def check_token(request: Request, token: str) -> None:
    """Refuse a request without the token.

    Raises
    ------
    RefusedError
        When it has none, or another one.
    """
    given = request.headers.get(HEADER, "").encode()
    if not secrets.compare_digest(given, token.encode()):
        raise RefusedError(403, "open the address that simulate play has printed")


async def read_json(request: Request) -> dict[str, Any]:
    """Read what is asked.

    Raises
    ------
    RefusedError
        When it is too long, or no JSON object.
    """
    if request.headers.get("content-type") != "application/json":
        raise RefusedError(415, "a request is application/json")
    text = b""
    async for piece in request.stream():
        text += piece
        if len(text) > LONGEST:
            raise RefusedError(413, "a request is a few words")
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise RefusedError(400, "a request is a JSON object")
    return asked


def make_app(table: WebTable, token: str, port: int) -> Starlette:
    """Make the server of a table.

    Parameters
    ----------
    table : WebTable
        The table.
    token : str
        What whoever asks must know.
    port : int
        The port it is reached at.
    """

    async def guard(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
        try:
            check_origin(request, port)
            if request.url.path not in FILES:
                check_token(request, token)
            response = await call(request)
        except RefusedError as refused:
            response = PlainTextResponse(refused.why, refused.status)
        response.headers.update(HEADERS)
        return response

    async def file(request: Request) -> Response:
        name, kind = FILES[request.url.path]
        content = files("simulate.web").joinpath(name).read_bytes()
        return Response(content, media_type=kind)

    async def state(_: Request) -> Response:
        return await told(table.state)

    async def answer(request: Request) -> Response:
        asked = await read_json(request)
        return await told(table.answer, asked.get("number"), asked.get("answer"))

    async def hint(request: Request) -> Response:
        return await told(table.hint, (await read_json(request)).get("number"))

    async def next_game(request: Request) -> Response:
        await read_json(request)
        return await told(table.next_game)

    return Starlette(
        routes=[
            *(Route(path, file, methods=["GET"]) for path in FILES),
            Route("/api/state", state, methods=["GET"]),
            Route("/api/answer", answer, methods=["POST"]),
            Route("/api/hint", hint, methods=["POST"]),
            Route("/api/next", next_game, methods=["POST"]),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
    )


async def told(method: Callable[..., dict[str, Any]], *args: object) -> Response:
    """Answer with what a method of the table returns, or with why it does not."""
    try:
        return JSONResponse(await run_in_threadpool(method, *args))
    except InputError as error:
        return JSONResponse({"error": str(error)}, 409)
