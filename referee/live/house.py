"""A table with its server: the eyes in a thread, everything else in one event loop, until Ctrl+C or an error."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from referee.live.lookout import Lookout, Tell
from referee.live.news import News
from referee.live.table import Table
from referee.web.app import create_app
from referee.web.server import Server, server_for
from referee.web.site import Site

__all__ = ["House"]


class House:
    """Serves one table. Whatever ends the eyes or the table ends the house, and is raised again by `run`."""

    def __init__(self, table: Table, lookout: Lookout, site: Site) -> None:
        self._table, self._lookout = table, lookout
        self._failure: BaseException | None = None
        self.app: FastAPI = create_app(site, lifespan=self._lived_in)
        self._server: Server = server_for(self.app)

    def run(self, sock: socket.socket) -> None:
        """Serve on a listening socket until Ctrl+C or SIGTERM.

        Raises what ended the eyes' thread (`VisionError`, `StoreError`) or the table (`RefereeError`).
        """
        self._table.publish()
        self._server.run(sockets=[sock])
        if self._failure is not None:
            raise self._failure

    @asynccontextmanager
    async def _lived_in(self) -> AsyncIterator[None]:
        news: asyncio.Queue[News] = asyncio.Queue()
        tell = _crossing(asyncio.get_running_loop(), news)
        eyes = self._begin(asyncio.to_thread(self._lookout.run, tell))
        others = [self._begin(self._listen(news)), self._begin(self._table.tick())]
        try:
            yield
        finally:
            self._lookout.stop()
            await asyncio.wait([eyes])
            for task in others:
                task.cancel()
            await asyncio.wait(others)

    async def _listen(self, news: asyncio.Queue[News]) -> None:
        while True:
            self._table.take(await news.get())

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self._lookout.stop()
            self._server.stop()


def _crossing(loop: asyncio.AbstractEventLoop, news: asyncio.Queue[News]) -> Tell:
    """The one way from the eyes' thread into the event loop."""

    def tell(one: News) -> None:
        loop.call_soon_threadsafe(news.put_nowait, one)

    return tell
