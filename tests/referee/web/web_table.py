"""A table without a camera, for the tests of the web edge and for looking at the page by hand:

    python tests/referee/web/web_table.py --port 8765

Names of scenes come in by standard input, one a line; presses of the phones go out by standard output, as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.web.actions import Action, ActionResult
from referee.web.app import create_app
from referee.web.evidence import EvidenceFolder
from referee.web.feed import Feed
from referee.web.pairing import Pairing
from referee.web.server import listen, serve
from referee.web.site import Site

Json = dict[str, Any]

LEGAL = {
    "player": "Mia", "kind": "play", "cards": ["R4+G3+K1"], "beneath": "R2+B3+W2", "ruling": "legal", "rules": [],
    "text": {
        "en": "The large red fish eats the small red one.",
        "de": "Der große rote Fisch frisst den kleinen roten.",
    },
}  # fmt: skip
FOUL = {
    "player": "Jonas", "kind": "play", "cards": ["R2+B4+Y1"], "beneath": "R4+G3+K1", "ruling": "foul",
    "rules": ["P-F2"], "evidence": ["disputed"],
    "remedy": [{"player": "Jonas", "action": "take", "cards": ["R2+B4+Y1"], "count": 3, "to": "discard"}],
    "text": {
        "en": "The red fish underneath is large. Only a bigger red fish may eat it, and this one is small.",
        "de": "Der rote Fisch darunter ist groß. Nur ein größerer roter Fisch darf ihn fressen, dieser ist klein.",
    },
    "steps": {
        "en": [
            "Everybody puts the card in hand on the own discard pile.",
            "Jonas: take back the wrong card and the two cards underneath, onto your discard pile.",
            "Then press “Go on!”.",
        ],
        "de": [
            "Alle legen ihre aufgedeckte Karte auf den eigenen Ablagestapel.",
            "Jonas: Nimm die falsche Karte und die zwei Karten darunter auf deinen Ablagestapel.",
            "Drückt dann auf „Weiter!“.",
        ],
    },
}  # fmt: skip
REJECTED = {
    "player": "Jonas", "kind": "call", "cards": ["V3+W4+O2"], "beneath": "P-R", "ruling": "rejected", "rules": [],
    "text": {
        "en": "None of these fish is red, so the red piranha lets them pass.",
        "de": "Keiner dieser Fische ist rot, also lässt der rote Piranha sie vorbei.",
    },
    "steps": {
        "en": ["Jonas: take the three upper cards of the target pile onto your discard pile."],
        "de": ["Jonas: Nimm die drei obersten Karten des Zielstapels auf deinen Ablagestapel."],
    },
}  # fmt: skip
VOID = {
    "player": "Ben", "kind": "play", "cards": ["P-G"], "beneath": "R4+G3+K1", "ruling": "void", "rules": ["P-W1"],
    "text": {
        "en": "Everybody has stopped: this card does not count.",
        "de": "Alle haben gestoppt: Diese Karte zählt nicht.",
    },
}  # fmt: skip
PIRANHA = {
    "player": "Ben", "kind": "play", "cards": ["P-R"], "beneath": "V3+W4+O2", "ruling": "legal", "rules": [],
    "text": {
        "en": "No red fish there: the red piranha may come.",
        "de": "Dort ist kein roter Fisch: Der rote Piranha darf kommen.",
    },
}  # fmt: skip

CORRECTED = {
    "en": "Corrected, judged anew: Jonas plays R2+B4+Y1: wrong → all right. Score: Jonas 14 → 12.",
    "de": "Korrigiert, neu beurteilt: Jonas spielt R2+B4+Y1: falsch → in Ordnung. Punktestand: Jonas 14 → 12.",
}


def verdict(seq: int, facts: Json) -> Json:
    """A verdict with everything that `facts` leaves out."""
    blank: Json = {
        "time_s": seq * 2.5, "player": None, "kind": "play", "cards": [], "beneath": None, "reminders": [],
        "remedy": [], "asks": {}, "evidence": [], "steps": {"en": [], "de": []},
    }  # fmt: skip
    return {"seq": seq, **blank, **facts}


def view(seq: int, **changes: Any) -> Json:
    """A view in the middle of a game, with `changes`."""
    tallies = [("Mia", 9, 0, 17), ("Jonas", 14, 3, 12), ("Ben", 11, 1, 15), ("Alexandra", None, 0, 13)]
    players = [dict(zip(("name", "count", "wrong", "played"), tally, strict=True)) for tally in tallies]
    return {
        "match": "m1", "game": "piranhas", "seq": seq, "phase": "playing",
        "players": players,
        "target": {"face": "R4+G3+K1", "player": "Mia", "pile": 7},
        "stop": None, "asks": [], "verdicts": [], "over": None, **changes,
    }  # fmt: skip


class ScriptedTable:
    """Publishes scenes and remembers presses. `go` ends a stop; a call by "Ben" comes too late."""

    def __init__(self, feed: Feed, heard: Callable[[Action], None] | None = None) -> None:
        self.feed = feed
        self.seq = 0
        self.verdicts: list[Json] = []
        self.pressed: list[Action] = []
        self._heard = heard

    async def act(self, action: Action) -> ActionResult:
        self.pressed.append(action)
        if self._heard:
            self._heard(action)
        if action.kind == "call" and action.player == "Ben":
            return ActionResult("late", hint={"en": "Mia was faster.", "de": "Mia war schneller."})
        if action.kind == "go":
            self.scene("playing")
        return ActionResult("done", seq=self.seq)

    def scene(self, name: str) -> None:
        """Publish the scene of this name. Raises KeyError for an unknown one."""
        self.seq += 1
        ruled, changes = self.scenes()[name]
        news = [verdict(self.seq, ruled)] if ruled else []
        self.verdicts = [*news, *self.verdicts][:12]
        self.feed.publish(view(self.seq, **{"verdicts": self.verdicts, **changes}), news)

    def scenes(self) -> dict[str, tuple[Json | None, Json]]:
        """Each scene: its verdict, and what its view changes."""
        stopped = {"phase": "stopped", "stop": {"seq": self.seq}}
        moved = {"id": "moved", "text": {"en": "The camera was moved.", "de": "Die Kamera wurde bewegt."}}
        blank = {"face": None, "player": None, "pile": 1}
        return {
            "setup": (None, {"phase": "setup", "verdicts": [], "target": blank}),
            "playing": (None, {}),
            "quiet": (None, {"options": {"calls": "players"}}),
            "legal": (LEGAL, {}),
            "piranha": (PIRANHA, {"target": {"face": "P-R", "player": "Ben", "pile": 8}}),
            "void": (VOID, {}),
            "foul": (FOUL, {**stopped, "target": {"face": "R2+B4+Y1", "player": "Jonas", "pile": 8}}),
            "rejected": (REJECTED, stopped),
            "asks": (None, {"asks": self.questions()}),
            "notice": (None, {"notices": [moved]}),
            "corrected": (None, {"correction": {"seq": self.seq, "of": 1, "changed": [1], "text": CORRECTED}}),
            "over": (None, {"phase": "over", "over": {"reason": "last-card", "winners": ["Mia"]}}),
            "shared": (None, {"phase": "over", "over": {"reason": "stalemate", "winners": ["Mia", "Ben"]}}),
        }

    def questions(self) -> list[Json]:
        cards = {
            "id": "q1",
            "seq": self.seq,
            "kind": "which-card",
            "player": "Ben",
            "choices": ["O3+V4+W1", "R3+V4+W1"],
        }
        whose = {"id": "q2", "seq": self.seq, "kind": "whose", "player": None, "choices": ["Mia", "Jonas", "Ben"]}
        return [whose, cards]


def draw_evidence(folder: Path) -> None:
    """A picture `disputed.jpg`, as a camera might have taken it."""
    picture = np.full((360, 480, 3), (70, 96, 60), np.uint8)
    for centre, angle, colour in (((200, 190), 12, (235, 240, 240)), ((260, 180), -9, (250, 252, 252))):
        corners = cv2.boxPoints((centre, (150.0, 210.0), angle)).astype(np.int32)
        cv2.fillPoly(picture, [corners], colour)
        cv2.polylines(picture, [corners], True, (60, 60, 60), 2)
    cv2.ellipse(picture, (265, 180), (44, 22), -9.0, 0.0, 360.0, (60, 60, 220), -1)
    cv2.imwrite(str(folder / "disputed.jpg"), picture)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--secret", default="a secret of the tests")
    parser.add_argument("--evidence", type=Path)
    parser.add_argument("--scene", action="append", default=[])
    options = parser.parse_args()
    sock = listen(options.host, options.port)
    feed = Feed()
    table = ScriptedTable(feed, lambda action: say({"pressed": dataclasses.asdict(action)}))
    for scene in options.scene:
        table.scene(scene)
    if options.evidence:
        draw_evidence(options.evidence)

    @asynccontextmanager
    async def listening() -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        threading.Thread(target=obey, args=(loop, table), daemon=True).start()
        say({"ready": sock.getsockname()[1]})
        yield

    site = Site(
        feed,
        table,
        Pairing(options.secret.encode()),
        address=f"http://{options.host}:{sock.getsockname()[1]}",
        evidence=EvidenceFolder(options.evidence),
        hosts=frozenset({"table.local"}),
    )
    say({"player": site.join_address("player"), "host": site.join_address("host")})
    serve(create_app(site, lifespan=listening), sock)


def obey(loop: asyncio.AbstractEventLoop, table: ScriptedTable) -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(table.scene, line.strip())


def say(message: Json) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
