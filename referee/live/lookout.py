"""The eyes' thread: pictures from a camera or a film, changes for the table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from referee.live.clock import CaptureClock
from referee.live.declared import Agenda
from referee.live.door import translate
from referee.live.news import News
from referee.live.pictures import Album
from referee.live.watching import Watches
from referee.moves import Change
from vision.camera import NewestFrame, Source, open_source
from vision.changes import Change as SeenChange
from vision.errors import CameraError
from vision.sightings import Frame

__all__ = ["Lookout", "Post", "Tell"]

TAKE_S = 5.0
"""A camera that sends no picture for this long is gone."""
RETRY_S = 2.0

Tell = Callable[[News], None]


@dataclass(frozen=True, slots=True)
class Post:
    """Where a lookout stands: the `source` of pictures as people write it, a watcher for every sitting of it, the
    `speed` at which a film is shown, and what a recording says was said."""

    source: str
    new_watcher: Callable[[], Watches]
    speed: float = 1.0
    agenda: Agenda = field(default_factory=Agenda)


class Lookout:
    """Looks until the film is over or somebody says `stop`. A camera that has worked and is gone is waited for."""

    def __init__(self, post: Post, clock: CaptureClock, album: Album | None) -> None:
        self._post, self._clock, self._album = post, clock, album
        self._stop = threading.Event()
        self._live = False
        self._worked = False
        self._lost = False

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._stop.set()

    def run(self, tell: Tell) -> None:
        """Look, in a thread of its own; `tell` is called in that thread.

        Raises `VisionError` when there is nothing to see from the start or a film is damaged, `StoreError` when a
        picture cannot be kept.
        """
        while not self._stop.is_set():
            try:
                self._sitting(tell)
            except CameraError:
                if not (self._live and self._worked):
                    raise
                self._lose(tell)
            else:
                return

    def _lose(self, tell: Tell) -> None:
        if not self._lost:
            tell(News(self._clock.now(), event="lost"))
        self._lost = True
        self._stop.wait(RETRY_S)

    def _sitting(self, tell: Tell) -> None:
        source = open_source(self._post.source)
        self._live = source.live
        if self._worked:
            self._clock.sit_down()
        watcher = self._post.new_watcher()
        last = None
        for frame in _newest(source) if source.live else self._paced(source):
            if self._stop.is_set():
                return
            self._look(watcher, frame, tell)
            last = frame
        if last is not None:
            self._finish(watcher, last, tell)

    def _paced(self, source: Source) -> Iterator[Frame]:
        """Every picture of a film, none before its time."""
        begin_s = time.monotonic()
        with source:
            for frame in source:
                early_s = begin_s + frame.time_s / self._post.speed - time.monotonic()
                self._stop.wait(max(0.0, early_s))
                yield frame

    def _look(self, watcher: Watches, frame: Frame, tell: Tell) -> None:
        changes = self._translated(watcher.see(frame), frame)
        now_s = self._clock.saw(frame.time_s)
        if self._lost:
            tell(News(now_s, event="back"))
        self._worked, self._lost = True, False
        items = tuple(self._post.agenda.with_changes(changes, now_s))
        notices = tuple(notice.kind for notice in watcher.take_notices())
        if items or notices:
            tell(News(now_s, items, notices))

    def _finish(self, watcher: Watches, last: Frame, tell: Tell) -> None:
        now_s = self._clock.now()
        items = tuple(self._post.agenda.with_changes(self._translated(watcher.finish(), last), now_s))
        tell(News(now_s, (*items, *self._post.agenda.rest()), event="end"))

    def _translated(self, seen: tuple[SeenChange, ...], frame: Frame) -> list[Change]:
        """For the referee, with the pictures kept. Of several cards told at once only the last one lies open now."""
        changes: list[Change] = []
        for place, one in enumerate(seen, start=1):
            scene = frame.image if place == len(seen) else None
            evidence = () if self._album is None else self._album.keep(one, scene)
            changes += translate(one, base_s=self._clock.base_s, evidence=evidence)
        return changes


def _newest(source: Source) -> Iterator[Frame]:
    with NewestFrame(source) as newest:
        while (frame := newest.take(TAKE_S)) is not None:
            yield frame
