"""A table that follows a script, drawn frame by frame, and eyes that read the script instead of the picture.

The drawing is crude and the picture is real: the watching code sees noise, light, hands and cards only as pixels. The
eyes are truthful up to what real ones do: corners jitter, half covered cards are read badly, some readings are wrong.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.changes import Change
from vision.geometry import Floats, quad_iou
from vision.sightings import Frame, Image, Sighting
from vision.watch import Watcher
from vision.zones import Zones

WIDTH, HEIGHT, FPS = 640, 360, 15.0
PILE = (320.0, 180.0)
CARD_WH = (40.0, 56.0)
REACH_S = 0.35
"""How long a hand takes from the border to the pile and back."""
SEATS = {"Ada": (-60.0, 180.0), "Ben": (700.0, 150.0), "Cem": (330.0, 440.0)}
SKIN = {"Ada": (120, 150, 205), "Ben": (70, 95, 140), "Cem": (150, 185, 230)}
BACK = "back"
GRAIN = np.random.default_rng(0).normal(0, 1, (HEIGHT, WIDTH, 3)).astype(np.float32)
"""Drawing noise anew for every frame takes longer than all the rest; shifted, it is as good."""


def box(x: float, y: float, width: float, height: float) -> Floats:
    """A rectangle about (x, y) as a polygon (4, 2)."""
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return np.asarray(half + np.array([x, y]), dtype=np.float64)


ZONES = Zones(
    pile=box(*PILE, 74, 90),
    seats={"Ada": box(90, 180, 80, 150), "Ben": box(550, 160, 80, 150), "Cem": box(330, 315, 150, 70)},
)


@dataclass(frozen=True)
class Event:
    """At `at_s` a card comes to rest, cards are taken, a hand arrives or the pile is pushed."""

    kind: str
    at_s: float
    seat: str
    face: str = ""
    offset: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    count: int = 1
    hold_s: float = 0.15

    @property
    def free_s(self) -> float:
        """When the hand has left the card: a tenth of its way back is enough."""
        return self.at_s + self.hold_s + 0.3 * REACH_S


@dataclass(frozen=True)
class Card:
    face: str
    quad_px: Floats
    still: bool = True


@dataclass
class ScriptedTable:
    """`events` in any order; `start` lies there from the first frame on."""

    events: list[Event] = field(default_factory=list)
    start: tuple[str, ...] = ()
    noise: float = 2.0
    light: Callable[[float], float] = lambda _: 1.0
    seed: int = 0

    def play(self, at_s: float, face: str, seat: str = "Ada", **more: object) -> ScriptedTable:
        self.events.append(Event("play", at_s, seat, face, **more))  # type: ignore[arg-type]
        return self

    def take(self, at_s: float, count: int, seat: str = "Ada") -> ScriptedTable:
        self.events.append(Event("take", at_s, seat, count=count))
        return self

    def hover(self, at_s: float, seat: str, hold_s: float = 0.6, face: str = "") -> ScriptedTable:
        """A hand over the pile, with or without a card in it, which leaves nothing behind."""
        self.events.append(Event("hover", at_s, seat, face, hold_s=hold_s))
        return self

    def bump(self, at_s: float, seat: str, offset: tuple[float, float], count: int = 1) -> ScriptedTable:
        self.events.append(Event("bump", at_s, seat, offset=offset, count=count))
        return self

    def turn(self, at_s: float, face: str, seat: str = "Ada") -> ScriptedTable:
        """The upper card, which lies face down, is turned over in its place."""
        self.events.append(Event("turn", at_s, seat, face))
        return self

    def state(self, time_s: float) -> tuple[list[Card], list[tuple[str, Floats, Floats]]]:
        """Cards from bottom to top, and arms as (seat, from, to)."""
        pile = [Card(face, _card_quad(PILE, (0, 0), 4.0 * i)) for i, face in enumerate(self.start)]
        carried: list[Card] = []
        arms = []
        for event in sorted(self.events, key=lambda e: e.at_s):
            since_s = time_s - event.at_s
            if since_s < -REACH_S:
                continue
            hand = self._hand(event, since_s)
            if hand is not None:
                arms.append((event.seat, np.array(SEATS[event.seat]), hand))
            self._apply(event, since_s, pile, carried)
        return pile + carried, arms

    def _apply(self, event: Event, since_s: float, pile: list[Card], carried: list[Card]) -> None:
        rest = _card_quad(PILE, event.offset, event.angle)
        away = np.array(SEATS[event.seat]) - PILE
        if event.kind == "play" or (event.kind == "hover" and event.face):
            if since_s < 0:
                carried.append(Card(event.face, rest + away * -since_s / REACH_S, still=False))
            elif event.kind == "play":
                pile.append(Card(event.face, rest))
            elif since_s < event.hold_s + REACH_S:
                wobble = np.array([7.0 * np.sin(since_s * 19), 5.0 * np.cos(since_s * 17)])
                gone = max(0.0, since_s - event.hold_s) / REACH_S
                carried.append(Card(event.face, rest + wobble + away * gone, still=False))
        elif event.kind == "take" and since_s >= 0:
            taken = pile[-event.count :]
            del pile[-event.count :]
            if since_s < REACH_S:
                carried += [Card(c.face, c.quad_px + away * since_s / REACH_S, still=False) for c in taken]
        elif event.kind == "bump" and since_s >= 0:
            pushed = np.array(event.offset) * min(1.0, since_s / 0.15)
            pile[-event.count :] = [Card(c.face, c.quad_px + pushed, since_s > 0.15) for c in pile[-event.count :]]
        elif event.kind == "turn" and since_s >= 0:
            pile[-1] = Card(event.face, pile[-1].quad_px)

    def _hand(self, event: Event, since_s: float) -> Floats | None:
        away = np.array(SEATS[event.seat]) - PILE
        grip = np.array(PILE) + event.offset + away / np.linalg.norm(away) * 26
        way = -since_s if since_s < 0 else max(0.0, since_s - event.hold_s)
        wobble = 2.0 * np.sin(since_s * 11) if event.kind == "hover" else 0.0
        return None if way > REACH_S else np.asarray(grip + away * way / REACH_S + wobble, np.float64)

    def draw(self, time_s: float, rng: np.random.Generator) -> Image:
        """The frame at a time (HEIGHT, WIDTH, 3)."""
        image = np.full((HEIGHT, WIDTH, 3), (92, 118, 140), np.uint8)
        image[::24] = (80, 104, 124)
        cards, arms = self.state(time_s)
        for card in cards:
            draw_card(image, card)
        for seat, start, hand in arms:
            _draw_arm(image, start, hand, SKIN[seat])
        grain = np.roll(GRAIN, int(rng.integers(GRAIN.size)))
        noisy = image.astype(np.float32) * self.light(time_s) + self.noise * grain
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def frames(self, until_s: float) -> Iterator[Frame]:
        rng = np.random.default_rng(self.seed)
        for index in range(round(until_s * FPS)):
            yield Frame(self.draw(index / FPS, rng), index, index / FPS)

    def seen(self, time_s: float) -> list[tuple[Card, float]]:
        """Every card with the share of it that can be seen."""
        cards, arms = self.state(time_s)
        labels = np.zeros((HEIGHT, WIDTH), np.uint8)
        for number, card in enumerate(cards, start=1):
            cv2.fillPoly(labels, [np.round(card.quad_px).astype(np.int32)], number)
        for _, start, hand in arms:
            _draw_arm(labels, start, hand, (255,))
        area = CARD_WH[0] * CARD_WH[1]
        return [(card, min(1.0, float((labels == n).sum()) / area)) for n, card in enumerate(cards, start=1)]


def _card_quad(middle: tuple[float, float], offset: tuple[float, float], angle: float) -> Floats:
    turn = np.deg2rad(angle)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(box(0, 0, *CARD_WH) @ matrix.T + middle + np.array(offset), dtype=np.float64)


def draw_card(image: Image, card: Card) -> None:
    """Paper, a thin edge, and three spots that tell faces apart."""
    quad = card.quad_px
    code = zlib.crc32(card.face.encode())
    paper = (130, 60, 40) if card.face == BACK else (238, 240, 242)
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), paper, cv2.LINE_AA)
    cv2.polylines(image, [np.round(quad).astype(np.int32)], True, (110, 110, 110), 1, cv2.LINE_AA)
    for spot in range(0 if card.face == BACK else 3):
        bits = code >> (spot * 10)
        u, v = 0.3 + 0.4 * (bits & 1), 0.2 + 0.3 * spot
        place = (quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v
        colour = [int((bits >> shift & 3) * 70) for shift in (1, 3, 5)]
        cv2.circle(image, np.round(place).astype(int).tolist(), 7, colour, -1, cv2.LINE_AA)


def _draw_arm(image: Image, start: Floats, hand: Floats, colour: tuple[int, ...]) -> None:
    first, last = np.round(start).astype(int).tolist(), np.round(hand).astype(int).tolist()
    cv2.line(image, first, last, colour, 26)
    cv2.circle(image, last, 18, colour, -1)


class ScriptedEyes:
    """Reads the script at `time_s`; finds out from the picture's memory which part of the frame it is shown."""

    def __init__(self, table: ScriptedTable, *, misread: float = 0.0, seed: int = 0) -> None:
        self.table, self.misread = table, misread
        self.rng = np.random.default_rng(seed)
        self.frame: Frame | None = None
        self.looks = 0
        self.blind = False

    def look(self, image: Image) -> tuple[Sighting, ...]:
        assert self.frame is not None
        self.looks += 1
        if self.blind:
            return ()
        corner = _corner(image, self.frame.image)
        found = [
            self._sighting(card, share, corner) for card, share in self.table.seen(self.frame.time_s) if share > 0.2
        ]
        found.sort(key=lambda s: -s.score)
        kept: list[Sighting] = []
        for sighting in found:
            x, y = sighting.quad_px.mean(axis=0)
            within = 0 <= x < image.shape[1] and 0 <= y < image.shape[0]
            if within and all(quad_iou(sighting.quad_px, other.quad_px) < 0.6 for other in kept):
                kept.append(sighting)
        return tuple(kept)

    def _sighting(self, card: Card, share: float, corner: tuple[int, int]) -> Sighting:
        quad = card.quad_px - corner + self.rng.normal(0, 0.7, (4, 2))
        if card.face == BACK:
            return Sighting(quad, "back", share)
        other = f"not-{card.face}"
        if self.rng.random() < self.misread:
            return Sighting(quad, "front", share, ((other, 0.86), (card.face, 0.1)))
        sure = 0.97 if share > 0.7 and card.still else 0.55
        return Sighting(quad, "front", share, ((card.face, sure), (other, 1 - sure)))


def _corner(part: Image, whole: Image) -> tuple[int, int]:
    """Where the view `part` begins in the picture `whole`: (x, y)."""
    assert np.may_share_memory(part, whole), "the eyes are shown a part of the frame itself"
    bytes_in = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    y, rest = divmod(bytes_in, whole.strides[0])
    return rest // whole.strides[1], y


@dataclass(frozen=True)
class Told:
    """A change and when it was told."""

    time_s: float
    change: Change


def watch(
    table: ScriptedTable,
    until_s: float,
    *,
    misread: float = 0.0,
    zones: Zones = ZONES,
    twins: frozenset[str] = frozenset(),
) -> tuple[list[Told], Watcher]:
    """Let a watcher see the script up to a time."""
    eyes = ScriptedEyes(table, misread=misread, seed=table.seed)
    watcher = Watcher(eyes, zones, twins=twins)
    told = []
    for frame in table.frames(until_s):
        eyes.frame = frame
        told += [Told(frame.time_s, change) for change in watcher.see(frame)]
    told += [Told(until_s, change) for change in watcher.finish()]
    return told, watcher
