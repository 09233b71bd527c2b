"""The FastAPI app of one table: errors as sentences, the guard at the door, the page's files, the endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.responses import Response

from referee import __version__
from referee.web.actions import Once
from referee.web.errors import RequestError
from referee.web.guard import Guard, answer
from referee.web.routes import router
from referee.web.site import Site
from referee.web.texts import LANGUAGES, PAGES, catalogue

__all__ = ["Lifespan", "create_app"]

Lifespan = Callable[[], AbstractAsyncContextManager[None]]
_KEYS = {404: "nowhere", 405: "method"}


def create_app(site: Site, *, lifespan: Lifespan | None = None) -> FastAPI:
    """The app of one table. `lifespan` is entered in the event loop once phones can be told of something, and left
    after the last stream has ended: the place for a camera thread. Raises `PageError` when the page is incomplete.
    """
    for language in LANGUAGES:
        catalogue(language)
    app = FastAPI(
        title="Wrongcard",
        version=__version__,
        openapi_url=None,
        lifespan=_attached(site, lifespan or nullcontext),
    )
    app.state.site = site
    app.state.once = Once(site.actions)
    _answer_errors(app)
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=PAGES), name="static")
    own = urlsplit(site.address).hostname
    app.add_middleware(Guard, hosts=site.hosts | ({own} if own else set()))
    return app


def _attached(site: Site, lifespan: Lifespan) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        site.feed.attach(asyncio.get_running_loop())
        async with lifespan():
            yield

    return running


def _answer_errors(app: FastAPI) -> None:
    @app.exception_handler(RequestError)
    async def refused(request: Request, error: RequestError) -> Response:
        return answer(error, request.headers.get("accept-language"))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, _error: RequestValidationError) -> Response:
        return answer(RequestError(422, "malformed"), request.headers.get("accept-language"))

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, error: HTTPException) -> Response:
        key = _KEYS.get(error.status_code, "malformed")
        return answer(RequestError(error.status_code, key), request.headers.get("accept-language"))

    @app.exception_handler(Exception)
    async def broken(request: Request, _error: Exception) -> Response:
        # The server logs the traceback; a phone is told no more than that something broke.
        return answer(RequestError(500, "broken"), request.headers.get("accept-language"))
