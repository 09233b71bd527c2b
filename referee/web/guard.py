"""The door of the app: which hosts, origins and sizes come in, and which headers go out. Plain ASGI, so that streams
are passed through as they come."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.web.errors import RequestError
from referee.web.texts import choose_language, refusal

__all__ = ["LOOPBACK", "Guard", "answer"]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_BODY_BYTES = 16 * 1024
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def answer(error: RequestError, accept_language: str | None) -> JSONResponse:
    """The refusal as every endpoint gives it: `{"error": sentence, "hint": what to do}`."""
    return JSONResponse(refusal(error, choose_language(accept_language)), status_code=error.status)


class Guard:
    """Refuses foreign Host headers (DNS rebinding), foreign origins on writes (cross-site requests) and large bodies.

    `hosts` are names or addresses without a port; those of this computer are always allowed.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = LOOPBACK | {host.lower().strip("[]") for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        error = self._objection(str(scope["method"]), headers)
        app = self._app if error is None else answer(error, headers.get("accept-language"))
        await app(scope, receive, _with_headers(send))

    def _objection(self, method: str, headers: Headers) -> RequestError | None:
        host = headers.get("host", "")
        if _host_name(f"http://{host}") not in self._hosts:
            return RequestError(421, "host")
        if method in _SAFE_METHODS:
            return None
        origin = headers.get("origin")
        # Programs that are no browser send no Origin, and no cookie that they were not given.
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return RequestError(403, "origin")
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length[:9]) > MOST_BODY_BYTES:
            return RequestError(413, "size")
        return None


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
