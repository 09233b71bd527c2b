"""The fan-out of published views and verdicts to the phones.

A publication is a batch: its verdicts, then the view. Only the view carries the event id `<epoch>-<seq>`, so a phone
that is cut off in the middle of a batch asks for the whole batch again. An epoch is one uninterrupted count of `seq`:
a new process, another match or a smaller `seq` begins a new one, and every phone then gets a snapshot.

Nothing here grows: each phone has a bounded queue, and one that overflows is dropped in favour of a snapshot.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.web.errors import WebError

__all__ = ["Event", "Feed", "FeedLimits", "JsonObject"]

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One Server-Sent Event: its name, its data as one line of JSON, and for views and snapshots its id."""

    name: str
    json: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class FeedLimits:
    """How much is kept: batches for phones that come back, events per slow phone, phones; and the idle tick."""

    batches: int = 256
    events_per_phone: int = 64
    phones: int = 64
    tick_s: float = 10.0


@dataclass(frozen=True, slots=True)
class _Batch:
    seq: int
    again: bool
    events: tuple[Event, ...]


class _Phone:
    """The queue of one phone. `lost` means: it overflowed, and only a snapshot helps."""

    def __init__(self, most: int) -> None:
        self.lost = False
        self._most = most
        self._events: deque[Event] = deque()
        self._news = asyncio.Event()

    def offer(self, events: Sequence[Event]) -> None:
        if self.lost or len(self._events) + len(events) > self._most:
            self.drop()
        else:
            self._events.extend(events)
        self._news.set()

    def drop(self) -> None:
        self._events.clear()
        self.lost = True
        self._news.set()

    def take(self) -> Event | None:
        return self._events.popleft() if self._events else None

    def wake(self) -> None:
        self._news.set()

    async def wait(self, timeout_s: float) -> bool:
        """Wait for news; False when `timeout_s` passed without any."""
        try:
            await asyncio.wait_for(self._news.wait(), timeout_s)
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Feed:
    """What was published last, and everybody who follows it. All methods but the `_threadsafe` ones belong to the
    event loop's thread; before the loop runs, `publish` may be called from the thread that will run it.

    The caller commits first and publishes afterwards: what a phone has heard is on disk.
    """

    def __init__(self, limits: FeedLimits | None = None, *, new_epoch: Callable[[], str] | None = None) -> None:
        self.limits = limits or FeedLimits()
        self._new_epoch = new_epoch or (lambda: secrets.token_hex(4))
        self._epoch = self._new_epoch()
        self._view: JsonObject | None = None
        self._view_json = ""
        self._batches: deque[_Batch] = deque(maxlen=self.limits.batches)
        self._phones: set[_Phone] = set()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def epoch(self) -> str:
        """The name of the present count of `seq`."""
        return self._epoch

    @property
    def view(self) -> JsonObject | None:
        """The view that was published last, None before the first one."""
        return self._view

    @property
    def view_json(self) -> str:
        """The same as one line of JSON, empty before the first one."""
        return self._view_json

    @property
    def phones(self) -> int:
        """How many phones follow at this moment."""
        return len(self._phones)

    @property
    def full(self) -> bool:
        """Whether one more phone would be too many."""
        return len(self._phones) >= self.limits.phones

    def publish(self, view: JsonObject, verdicts: Sequence[JsonObject] = ()) -> None:
        """Send `verdicts` (oldest first) and then `view` to every phone.

        Raises KeyError when the view names no match or seq, ValueError or TypeError when something is not JSON:
        then nothing has been sent.
        """
        match, seq = str(view["match"]), int(view["seq"])
        view_json = _one_line(view)
        events = [Event("verdict", _one_line(verdict)) for verdict in verdicts]
        begins = self._begins_epoch(match, seq)
        if begins:
            self._begin_epoch()
        again = bool(self._batches) and self._batches[-1].seq == seq
        self._view, self._view_json = view, view_json
        batch = _Batch(seq, again, (*events, Event("view", view_json, f"{self._epoch}-{seq}")))
        self._batches.append(batch)
        for phone in self._phones:
            if begins:
                phone.drop()
            else:
                phone.offer(batch.events)

    def publish_threadsafe(self, view: JsonObject, verdicts: Sequence[JsonObject] = ()) -> None:
        """`publish` from another thread: the one crossing from the eyes to the phones. Raises `WebError` when no
        server is running."""
        self._running_loop().call_soon_threadsafe(self.publish, view, tuple(verdicts))

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the loop that serves the phones; the app does this when it starts."""
        self._loop = loop

    def close(self) -> None:
        """End every stream with a last event `bye`, after what is still queued for it."""
        self._closed = True
        for phone in self._phones:
            phone.wake()

    def close_threadsafe(self) -> None:
        """`close` from another thread or from a signal handler. Without a running server nobody follows."""
        if self._loop is None or self._loop.is_closed():
            self.close()
        else:
            self._loop.call_soon_threadsafe(self.close)

    async def follow(self, after: str | None = None) -> AsyncIterator[Event]:
        """Everything from now on for one phone; first what came after the id `after`, or else a snapshot.

        Ends with `bye` after `close`; sends a `tick` whenever nothing happened for `limits.tick_s` seconds.
        """
        phone = _Phone(self.limits.events_per_phone)
        self._greet(phone, after)
        self._phones.add(phone)
        try:
            async for event in self._events_for(phone):
                yield event
        finally:
            self._phones.discard(phone)

    async def _events_for(self, phone: _Phone) -> AsyncIterator[Event]:
        while True:
            if phone.lost:
                phone.lost = False
                yield self._snapshot()
            elif event := phone.take():
                yield event
            elif self._closed:
                yield Event("bye", "{}")
                return
            elif not await phone.wait(self.limits.tick_s):
                yield Event("tick", "{}")

    def _greet(self, phone: _Phone, after: str | None) -> None:
        missed = None if after is None else self._since(after)
        if missed is not None:
            phone.offer(missed)
        elif self._view is not None:
            phone.drop()
        if self._view is None or missed == []:
            phone.offer([Event("tick", "{}")])

    def _since(self, after: str) -> list[Event] | None:
        """What came after the id `after`, None when that is another epoch or no longer kept."""
        epoch, _, number = after.rpartition("-")
        if epoch != self._epoch or not number.isascii() or not number.isdecimal() or len(number) > 18:
            return None
        seq = int(number)
        if all(batch.seq != seq for batch in self._batches):
            return None
        # A view may be published twice under one seq; which of the two this phone has is not known.
        missed = [batch for batch in self._batches if batch.seq > seq or (batch.seq == seq and batch.again)]
        return [event for batch in missed for event in batch.events]

    def _snapshot(self) -> Event:
        seq = self._batches[-1].seq
        return Event("snapshot", self._view_json, f"{self._epoch}-{seq}")

    def _begins_epoch(self, match: str, seq: int) -> bool:
        if self._view is None:
            return True
        return match != self._view["match"] or seq < self._batches[-1].seq

    def _begin_epoch(self) -> None:
        if self._view is not None:
            self._epoch = self._new_epoch()
        self._batches.clear()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._loop.is_closed():
            raise WebError("No server is running that could tell the phones.", hint="Start the server first.")
        return self._loop


def _one_line(data: JsonObject) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
