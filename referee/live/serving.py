"""`wrongcard play` and `wrongcard demo`: a table with eyes, a log on the disk and a page for phones."""

from __future__ import annotations

import io
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import segno
from rich.console import Console
from rich.markup import escape

from referee.live.address import Addresses, addresses
from referee.live.clock import CaptureClock
from referee.live.declared import Agenda
from referee.live.house import House
from referee.live.lookout import Lookout, Post
from referee.live.opening import Party, begin
from referee.live.pictures import Album
from referee.live.storage import Storage
from referee.live.table import Table
from referee.live.umpire import Umpire
from referee.live.watching import Watches
from referee.match import Match
from referee.store import SqliteStore
from referee.web.evidence import EvidenceFolder
from referee.web.feed import Feed
from referee.web.pairing import Pairing
from referee.web.server import listen
from referee.web.site import Site
from referee.wording import load_wording

__all__ = ["Doorstep", "Evening", "match_name", "serve_evening"]

_PAUSE_S = 1.0
"""A match that is taken up again goes on this long after its last entry."""


@dataclass(frozen=True, slots=True)
class Doorstep:
    """Where and how the page is served. `data` is the folder in which matches are kept, None keeps nothing."""

    host: str
    port: int
    data: Path | None
    open_browser: bool = False


@dataclass(frozen=True, slots=True)
class Evening:
    """What is played and what is watched.

    open_eyes  makes the watcher's maker; called once, before anything else starts
    ending     what is said in the terminal besides the addresses
    """

    party: Party
    source: str
    open_eyes: Callable[[], Callable[[], Watches]]
    match: str
    speed: float = 1.0
    agenda: Agenda = field(default_factory=Agenda)
    ending: str = ""


def match_name(game: str) -> str:
    """A name for a match that begins now."""
    return f"{game}-{datetime.now():%Y%m%d-%H%M%S}"


def serve_evening(evening: Evening, doorstep: Doorstep) -> None:
    """Play one match until Ctrl+C.

    Raises `AddressError` before anything has started, `VisionError` and `RefereeError` with what went wrong later.
    """
    sock = listen(doorstep.host, doorstep.port)
    place = addresses(doorstep.host, sock.getsockname()[1])
    with sock, _storage(doorstep.data) as storage, SqliteStore(storage.log_file) as store:
        match = Match(evening.match, store, wording=load_wording())
        begin(match, evening.party)
        house, site = _house(evening, match, storage, place)
        _welcome(evening, place, site, kept=doorstep.data is not None)
        if doorstep.open_browser and sys.stdout.isatty():
            webbrowser.open(_own_address(place, site))
        house.run(sock)


@contextmanager
def _storage(folder: Path | None) -> Iterator[Storage]:
    if folder is not None:
        storage = Storage(folder)
        storage.open()
        yield storage
        return
    with tempfile.TemporaryDirectory(prefix="wrongcard-") as passing:
        yield Storage(Path(passing))


def _house(evening: Evening, match: Match, storage: Storage, place: Addresses) -> tuple[House, Site]:
    folder = storage.match(match.name)
    last_s = match.entries[-1].time_s
    clock = CaptureClock(begin_s=last_s + _PAUSE_S if len(match.entries) > 1 else last_s, speed=evening.speed)
    feed = Feed()
    table = Table(Umpire(match), feed, clock, transcript=folder.transcript())
    post = Post(evening.source, evening.open_eyes(), evening.speed, evening.agenda)
    site = Site(
        feed,
        table,
        Pairing(folder.secret()),
        address=place.phones or place.own,
        evidence=EvidenceFolder(folder.pictures),
        hosts=place.hosts,
    )
    return House(table, Lookout(post, clock, Album(folder.pictures)), site), site


def _own_address(place: Addresses, site: Site) -> str:
    return f"{place.own}/#t={site.pairing.token('host')}"


def _welcome(evening: Evening, place: Addresses, site: Site, *, kept: bool) -> None:
    """Where to look, in the terminal; on its own lines, so that addresses can be copied whole."""
    console = Console(highlight=False, soft_wrap=True)
    players = escape(", ".join(evening.party.players))
    console.print(f"[bold]Wrongcard[/bold] watches {evening.party.game}: {players}")
    console.print(f"  This computer:  {_own_address(place, site)}")
    if place.phones is None:
        console.print("  Phones:         only with --lan; this page is for this computer alone")
    else:
        console.print(f"  Phones:         {site.join_address('player')}")
        console.print(f"  Just watching:  {site.join_address('spectator')}")
        console.print(_qr(site.join_address("player")), markup=False)
    if kept:
        console.print(f"  The match is kept as {evening.match}")
    if evening.ending:
        console.print(f"  {evening.ending}")
    console.print("  Ctrl+C ends it.")


def _qr(address: str) -> str:
    picture = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out=picture, compact=True)
    return picture.getvalue()
