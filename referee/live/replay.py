"""A whole recording judged from its first frame to its last, without a server and as fast as the machine can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.live.declared import Agenda, Declared, declared
from referee.live.door import translate
from referee.live.opening import begin, party_of
from referee.live.umpire import Ruled, Umpire
from referee.live.watching import Watches
from referee.match import Match
from referee.moves import Change
from referee.store import MemoryStore
from referee.wording import load_wording
from vision.changes import Change as SeenChange
from vision.recording import Recording, frames

__all__ = ["Happening", "Noticed", "Seen", "replay"]


@dataclass(frozen=True, slots=True)
class Seen:
    """The eyes have told a change."""

    change: Change
    told_s: float


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something troubles the eyes."""

    kind: str
    told_s: float


Happening = Seen | Ruled | Noticed


def replay(recording: Recording, watcher: Watches) -> Iterator[Happening]:
    """Everything that `watcher` sees in the recording and what the referee says, in the order in which it is told.

    What no camera can see is taken from the recording's truth, at its time. Raises `VisionError` and `RefereeError`.
    """
    match = Match(recording.folder.name, MemoryStore(), wording=load_wording())
    begin(match, party_of(recording.table))
    umpire, agenda = Umpire(match), Agenda(declared(recording.truth))
    told_s = 0.0
    for frame in frames(recording):
        told_s = frame.time_s
        yield from _judge(umpire, agenda.with_changes(_translated(watcher.see(frame)), told_s), told_s)
        yield from (Noticed(notice.kind, told_s) for notice in watcher.take_notices())
    yield from _judge(umpire, agenda.with_changes(_translated(watcher.finish()), told_s), told_s)
    yield from _judge(umpire, agenda.rest(), told_s)


def _translated(changes: Iterable[SeenChange]) -> Iterator[Change]:
    for seen in changes:
        yield from translate(seen)


def _judge(umpire: Umpire, items: Iterable[Change | Declared], told_s: float) -> Iterator[Happening]:
    for item in items:
        if isinstance(item, Change):
            yield Seen(item, told_s)
        yield from umpire.take(item, told_s)
