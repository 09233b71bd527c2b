"""What is true of a film: when each card came to rest, when it could first be seen, and where the zones are."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.errors import TeachingError
from vision.geometry import Floats
from vision.teaching.film_motion import Choreography, Landing, Rest
from vision.teaching.film_script import Film, Point, Seat
from vision.teaching.film_stage import Layer
from vision.teaching.layers import Bytes
from vision.teaching.scenes import CardInScene, card_corners_mm

__all__ = ["Witness", "table_toml"]

HIDDEN_AT_MOST = 0.04
"""Share of a card that hands and cards on their way may still hide when it counts as uncovered."""
_OPAQUE = 100
"""Alpha (0 to 255) above which something hides what lies below."""
_ROOM_MM = 18.0
"""A zone reaches this far beyond the cards that lie in its middle."""


@dataclass(slots=True)
class Witness:
    """Looks at every frame and notes when the cards that have landed can be seen; `seen_s` is by number of landing."""

    film: Film
    card_mm: Point
    plan: Choreography
    seen_s: dict[int, float] = field(default_factory=dict)

    def still_s(self, landing: Landing) -> float:
        """The first frame whose whole exposure came after the landing."""
        return math.ceil((landing.event.t + self.film.shutter_s) * self.film.fps - 1e-6) / self.film.fps

    def look(self, time_s: float, layers: Sequence[Layer]) -> None:
        """The frame at `time_s` with these things in motion.

        Raises:
            TeachingError: A card was covered or taken before anybody could see it.
        """
        for number, landing in enumerate(self.plan.landings):
            if number in self.seen_s or time_s < self.still_s(landing) - 1e-6:
                continue
            if time_s >= landing.top.until_s:
                raise TeachingError(
                    f"{landing.cards[-1]} of {landing.event.player} at {landing.event.t} s is never seen uncovered.",
                    hint="Leave more time before the next event.",
                )
            if self.hidden(landing.top, time_s, layers) <= HIDDEN_AT_MOST:
                self.seen_s[number] = time_s

    def hidden(self, card: Rest, time_s: float, layers: Sequence[Layer]) -> float:
        """Share of a card that is behind something in motion or below a card that came later."""
        width, height = self.film.camera.size_wh
        mask = np.zeros((height, width), np.uint8)
        self._fill(mask, card, 1.0)
        total = int(mask.sum())
        for other in self.plan.resting(time_s):
            if other.since_s > card.since_s:
                self._fill(mask, other, 0.0)
        for layer in layers:
            mask[layer.region][layer.pixels[..., 3] > _OPAQUE] = 0
        return 1 - int(mask.sum()) / max(total, 1)

    def _fill(self, mask: Bytes, card: Rest, value: float) -> None:
        quad = self.film.camera.project(card.pose.corners_mm(self.card_mm))
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (value,))

    def lines(self) -> str:
        """The truth, one JSON object a line, in order of time.

        Raises:
            TeachingError: The film ended before a card could be seen.
        """
        found = [self._line(number, landing) for number, landing in enumerate(self.plan.landings)]
        found += [
            {"t": round(event.t, 3), "player": "table", "kind": "start", "cards": []}
            for event in self.film.events
            if event.kind == "start"
        ]
        found.sort(key=lambda line: float(str(line["t"])))
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)

    def _line(self, number: int, landing: Landing) -> dict[str, object]:
        event = landing.event
        if number not in self.seen_s:
            raise TeachingError(
                f"The film ends before {landing.cards[-1]} of {event.player} can be seen.",
                hint="Make it longer: length_s.",
            )
        kind = "take" if event.kind == "take_back" else event.kind
        line: dict[str, object] = {"t": round(self.seen_s[number], 3), "player": event.player, "kind": kind}
        line["cards"] = list(landing.cards)
        if event.ruling is not None:
            line |= {"ruling": event.ruling, "rules": list(event.rules)}
        if event.kind == "take_back" and event.rules:
            line["remedy_of"] = event.rules[0]
            line.pop("rules", None)
        return line | {"t_still": round(self.still_s(landing), 3)}


def table_toml(film: Film, card_mm: Point) -> str:
    """The recording's `table.toml` with zones as the camera sees them."""
    players = ", ".join(json.dumps(seat.player, ensure_ascii=False) for seat in film.seats)
    pile = CardInScene("", None, (card_mm[1] + _ROOM_MM, card_mm[1] + _ROOM_MM), film.pile_mm, 0.0)
    lines = [
        f"game = {json.dumps(film.game)}",
        f"deck = {json.dumps(film.deck)}",
        f"players = [{players}]",
        "\n[options]",
        "\n[zones]",
        f"pile = {_polygon(film, pile)}",
        "\n[zones.seat]",
        *(f"{_key(seat.player)} = {_polygon(film, _seat_area(seat, card_mm))}" for seat in film.seats),
    ]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    """A TOML key: bare where that is allowed."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _seat_area(seat: Seat, card_mm: Point) -> CardInScene:
    """A rectangle about both piles of a seat, turned as they are."""
    ends: Floats = np.array([seat.deck_mm, seat.discard_mm])
    apart = float(np.hypot(*(ends[1] - ends[0])))
    middle = ends.mean(axis=0)
    size = (card_mm[0] + apart + _ROOM_MM, card_mm[1] + _ROOM_MM)
    return CardInScene("", None, size, (float(middle[0]), float(middle[1])), seat.turn_deg)


def _polygon(film: Film, area: CardInScene) -> list[list[float]]:
    corners = film.camera.project(card_corners_mm(area))
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]
