"""A real server on the loopback address, run in a thread, with a scripted table behind it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from web_table import ScriptedTable, draw_evidence

from referee.web.app import create_app
from referee.web.evidence import EvidenceFolder
from referee.web.feed import Feed, FeedLimits
from referee.web.pairing import COOKIE, Pairing, Role
from referee.web.server import listen, server_for
from referee.web.site import Site

LIMITS = FeedLimits(batches=8, events_per_phone=64, phones=3, tick_s=0.05)


@dataclass
class Sse:
    """One event as it came over the wire."""

    name: str
    data: Any
    id: str | None


class House:
    """A running server: its address, its table, and a way to let the table do something in the server's own loop."""

    def __init__(self, url: str, site: Site, table: ScriptedTable, loop: asyncio.AbstractEventLoop) -> None:
        self.url, self.site, self.table, self._loop = url, site, table, loop

    def play(self, *scenes: str) -> None:
        for scene in scenes:
            asyncio.run_coroutine_threadsafe(self._there(scene), self._loop).result(10)

    async def _there(self, scene: str) -> None:
        self.table.scene(scene)

    def phone(self, role: Role = "spectator") -> httpx2.Client:
        cookies = {} if role == "spectator" else {COOKIE: self.site.pairing.cookie(role)}
        return httpx2.Client(base_url=self.url, cookies=cookies, timeout=20)


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """A server with its pictures in `folder`, running until the end of the block."""
    started: list[asyncio.AbstractEventLoop] = []
    ready = threading.Event()

    @asynccontextmanager
    async def telling() -> AsyncIterator[None]:
        started.append(asyncio.get_running_loop())
        ready.set()
        yield

    draw_evidence(folder)
    sock = listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    feed = Feed(LIMITS)
    table = ScriptedTable(feed)
    site = Site(
        feed,
        table,
        Pairing(b"secret"),
        address=url,
        evidence=EvidenceFolder(folder),
        hosts=frozenset({"table.local"}),
        source_url="https://example.org/source",
    )
    server = server_for(create_app(site, lifespan=telling))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    try:
        assert ready.wait(10)
        yield House(url, site, table, started[0])
    finally:
        server.stop()
        thread.join(10)


@contextmanager
def following(phone: httpx2.Client, path: str = "/events", **headers: str) -> Iterator[Iterator[Sse]]:
    """The events of one stream as they come; ticks are left out."""
    with phone.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200, response.read()
        yield (event for event in _events(response.iter_lines()) if event.name != "tick")


def _events(lines: Iterator[str]) -> Iterator[Sse]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield Sse(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id"))
            fields = {}
