"""What a film's camera sees at one moment: the table with its resting cards, and the hands and cards in motion.

The table is rendered by the renderer of scenes and kept until a card comes to rest or leaves; what moves is painted
over it with the same tools, blurred along its way.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import TeachingError
from vision.geometry import Floats
from vision.teaching.catalogue import Catalogue
from vision.teaching.film_cups import paint_cup
from vision.teaching.film_motion import CARD_THICKNESS_MM, Choreography, Pose, Rest
from vision.teaching.film_script import Film, Point, Seat
from vision.teaching.layers import Bytes, Reals, blend, cast_shadow, cut_quad, cut_sprite
from vision.teaching.render import render
from vision.teaching.scenes import CardInScene, Lens, Lighting, Scene, Sprite, Stack

__all__ = ["Arm", "Layer", "Stage", "load_arm"]

Region = tuple[slice, slice]

_MARGIN_PX = 96
"""Things in motion are drawn on a larger sheet: what is blurred at the picture's edge comes from beyond it."""
_FOREARM_STRETCH, _FOREARM_EASE = 3.2, 2.2
"""An arm reaches to the player, further than the forearm of a cut-out does: it is made this many times as long, and the
larger the ease, the more of that comes from its far end."""
_HAND_THICKNESS_MM = 16.0
_ARM_SHADOW = 0.5
_PACKET_SHADOW = 0.35
"""Share of a card's shadow that reaches the card right below it."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Something in motion: pixels (h, w, 4), premultiplied, where they lie in the picture, and their shadow."""

    pixels: Bytes
    region: Region
    height_mm: float
    shadow: float


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A player's arm and hand: picture (h, w, 4), premultiplied, its fingertips and its other end in it, its scale."""

    picture: Bytes
    grip_px: Floats
    end_px: Floats
    px_per_mm: float


def load_arm(seat: Seat, catalogue: Catalogue) -> Arm:
    """The arm of a seat out of the catalogue's hands, with a forearm long enough for a table.

    Raises:
        TeachingError: There is no such hand, or `hands/hands.json` does not know it.
    """
    file = catalogue.folder / "hands" / "hands.json"
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))[seat.hand.rsplit("/", 1)[-1]]
    except (OSError, ValueError, KeyError) as error:
        raise TeachingError(
            f"{file} does not know the hand {seat.hand}.", hint="Prepare the assets anew, or choose another hand."
        ) from error
    whole = _longer(catalogue.sprite(seat.hand), round(facts["wrist_px"][1] + 0.2 * facts["hand_length_px"]))
    last_row = np.flatnonzero(whole[-3, :, 3] > 127)
    middle = float(last_row.mean()) if len(last_row) else whole.shape[1] / 2
    scale = facts["hand_length_px"] / seat.hand_mm
    return Arm(whole, np.array(facts["grip_px"], np.float64), np.array([middle, whole.shape[0]]), scale)


def _longer(picture: Bytes, from_row: int) -> Bytes:
    """A hand whose forearm goes on: the further down, the more rows are stretched, so that a cuff keeps its form."""
    rows = picture.shape[0] - from_row
    v = np.linspace(0, 1, round(rows * _FOREARM_STRETCH), dtype=np.float32)[:, None]
    source = from_row + (rows - 1) * (1 - (1 - v) ** np.float32(_FOREARM_EASE))
    across = np.arange(picture.shape[1], dtype=np.float32)[None, :]
    maps = np.broadcast_arrays(across, source)
    forearm = cv2.remap(picture, np.ascontiguousarray(maps[0]), np.ascontiguousarray(maps[1]), cv2.INTER_LINEAR)
    return np.asarray(np.concatenate([picture[:from_row], forearm]), np.uint8)


class Stage:
    """The table of one film. `moving` and `table` may be asked for any time, in any order."""

    def __init__(self, film: Film, catalogue: Catalogue, plan: Choreography, card_mm: Point) -> None:
        self.film, self.catalogue, self.plan, self.card_mm = film, catalogue, plan, card_mm
        self._arms = {seat.player: load_arm(seat, catalogue) for seat in film.seats}
        self._kept: tuple[object, Bytes] = (None, np.zeros((1, 1, 3), np.uint8))
        width, height = film.camera.size_wh
        self._sheet_shape = (height + 2 * _MARGIN_PX, width + 2 * _MARGIN_PX, 4)

    def table(self, time_s: float) -> Bytes:
        """The table and all that lies still, unlit (H, W, 3); the same array as long as nothing changes."""
        drawn = tuple(self.plan.drawn(seat.player, time_s) for seat in self.film.seats)
        key = (self.plan.resting(time_s), drawn)
        if key != self._kept[0]:
            self._kept = (key, self._painted(*key))
        return self._kept[1]

    def _painted(self, resting: tuple[Rest, ...], drawn: tuple[int, ...]) -> Bytes:
        film = self.film
        decks = [self._deck(seat, count) for seat, count in zip(film.seats, drawn, strict=True)]
        cards = [card for card in decks if card is not None]
        heights = [card.lift_mm for card in cards]
        scene = Scene(
            seed=film.seed,
            camera=film.camera,
            table=film.table,
            lighting=self._plain_lighting(),
            lens=Lens(),
            cards=(*cards, *(self._lying(rest) for rest in resting)),
            stacks=tuple(Stack(index, height, (1.0, -0.6)) for index, height in enumerate(heights)),
            things=film.things,
            sprites=tuple(self._sprites()),
        )
        picture = render(scene, self.catalogue).image
        for cup in film.cups:
            paint_cup(picture, cup, film.camera, film.lighting)
        return picture

    def _plain_lighting(self) -> Lighting:
        """Shadows only: the light itself falls on the finished frame."""
        return replace(
            self.film.lighting, gradient=(0.0, 0.0), vignette=0.0, colour=(1.0, 1.0, 1.0), spots=(), shades=()
        )

    def _deck(self, seat: Seat, drawn: int) -> CardInScene | None:
        left = seat.cards - drawn
        if left <= 0:
            return None
        height = CARD_THICKNESS_MM * left
        art = f"own/{self.film.deck}/back"
        return CardInScene(art, None, self.card_mm, seat.deck_mm, seat.turn_deg, lift_mm=height, gloss=0.25)

    def _lying(self, rest: Rest) -> CardInScene:
        pose, back = rest.pose, rest.pose.roll_deg == 180.0
        art = f"own/{self.film.deck}/{'back' if back else rest.face}"
        face = None if back else rest.face
        return CardInScene(art, face, self.card_mm, (pose.x, pose.y), pose.angle_deg, lift_mm=pose.z, gloss=0.25)

    def _sprites(self) -> list[Sprite]:
        camera = self.film.camera
        found = []
        for piece in self.film.clutter:
            place = np.array([[*piece.place_mm, 0.0]])
            (x, y), depth = camera.project(place)[0], float(camera.depth_mm(place)[0])
            height_px = piece.height_mm * camera.focal_px / depth
            found.append(
                Sprite(piece.picture, (float(x), float(y)), height_px, piece.angle_deg, shadow=0.45, below_cards=True)
            )
        return found

    def moving(self, time_s: float) -> list[Layer]:
        """Hands and the cards in them in the middle of an exposure that ends at `time_s`, from bottom to top."""
        middle_s = time_s - self.film.shutter_s / 2
        active = [
            (reached, seat)
            for seat in self.film.seats
            if (reached := self.plan.fingertips(seat.player, middle_s)) is not None
        ]
        layers = []
        for fingertips, seat in sorted(active, key=lambda pair: pair[0][2]):
            way_px = self._way_px(seat, time_s)
            flights = self.plan.flying(seat.player, middle_s)
            for flight in flights:
                lowest = flight is flights[0]
                layers.append(self._card_layer(flight.pose(middle_s), flight.face, way_px, lowest=lowest))
            layers.append(self._hand_layer(seat, fingertips, way_px))
        return [layer for layer in layers if layer is not None]

    def _way_px(self, seat: Seat, time_s: float) -> Floats:
        """How far the fingertips get in the picture while a frame is exposed, (2,)."""
        before = self.plan.fingertips(seat.player, time_s - self.film.shutter_s)
        after = self.plan.fingertips(seat.player, time_s)
        if before is None or after is None:
            return np.zeros(2)
        ends = self.film.camera.project(np.stack([before, after]))
        return np.asarray(ends[1] - ends[0], np.float64)

    def _card_layer(self, pose: Pose, face: str, way_px: Floats, *, lowest: bool) -> Layer | None:
        """A card on its way. In a packet only the lowest throws its shadow on the table, the others on each other."""
        quad = self.film.camera.project(pose.corners_mm(self.card_mm))
        back = 90.0 < pose.roll_deg % 360 < 270.0
        art = self.catalogue.art(f"own/{self.film.deck}/{'back' if back else face}")
        depth = self.film.lighting.shadow
        shadow = (pose.z, depth) if lowest else (0.0, depth * _PACKET_SHADOW)
        return self._layer(art, quad[[1, 0, 3, 2]] if back else quad, way_px, shadow)

    def _hand_layer(self, seat: Seat, fingertips_mm: Floats, way_px: Floats) -> Layer | None:
        arm, camera = self._arms[seat.player], self.film.camera
        tips = camera.project(fingertips_mm[None])[0]
        shoulder = camera.project(np.array([[*seat.shoulder_mm, 60.0]]))[0]
        (x, y), own = tips - shoulder, arm.grip_px - arm.end_px
        angle = math.degrees(math.atan2(y, x) - math.atan2(own[1], own[0]))
        scale = camera.focal_px / float(camera.depth_mm(fingertips_mm[None])[0]) / arm.px_per_mm
        height, width = arm.picture.shape[:2]
        anchor = (float(arm.grip_px[0]) / width, float(arm.grip_px[1]) / height)
        quad = cut_sprite(arm.picture, (float(tips[0]), float(tips[1])), height * scale, angle, anchor_uv=anchor)
        return self._layer(arm.picture, quad, way_px, (float(fingertips_mm[2]) + _HAND_THICKNESS_MM, _ARM_SHADOW))

    def _layer(self, picture: Bytes, quad_px: Floats, way_px: Floats, shadow: tuple[float, float]) -> Layer | None:
        cut = cut_quad(picture, quad_px + _MARGIN_PX, self._sheet_shape)
        if cut is None:
            return None
        pixels, (rows, columns) = cut
        kernel = _line_kernel(way_px)
        pad = kernel.shape[0] // 2
        if pad:
            pixels = np.asarray(cv2.copyMakeBorder(pixels, pad, pad, pad, pad, cv2.BORDER_CONSTANT), np.uint8)
            pixels = np.asarray(cv2.filter2D(pixels, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.uint8)
        top, left = rows.start - pad - _MARGIN_PX, columns.start - pad - _MARGIN_PX
        return self._cropped(pixels, (top, left), shadow)

    def _cropped(self, pixels: Bytes, corner: tuple[int, int], shadow: tuple[float, float]) -> Layer | None:
        """The part of a sheet's pixels, whose first lies at `corner` (row, column), that is in the picture."""
        (width, height), (top, left) = self.film.camera.size_wh, corner
        y0, x0 = max(top, 0), max(left, 0)
        y1, x1 = min(top + pixels.shape[0], height), min(left + pixels.shape[1], width)
        if y1 <= y0 or x1 <= x0:
            return None
        return Layer(pixels[y0 - top : y1 - top, x0 - left : x1 - left], (slice(y0, y1), slice(x0, x1)), *shadow)

    def lay(self, canvas: Bytes, layer: Layer) -> None:
        """Paint a layer and its shadow onto a table."""
        lighting, camera = self.film.lighting, self.film.camera
        length = (2.0 + layer.height_mm) * lighting.reach * camera.focal_px / camera.distance_mm
        angle = math.radians(lighting.direction_deg)
        cast_shadow(
            canvas,
            layer.pixels,
            layer.region,
            offset_px=(math.cos(angle) * length, math.sin(angle) * length),
            softness_px=lighting.softness_px * (0.4 + 0.04 * layer.height_mm),
            depth=layer.shadow,
        )
        blend(canvas, layer.pixels, layer.region)


def _line_kernel(way_px: Floats) -> Reals:
    """Blur along a straight way (2,), of which a camera has seen every part for the same time."""
    length = float(np.hypot(*way_px))
    if length < 1.0:
        return np.ones((1, 1), np.float32)
    reach = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 4 * math.ceil(length)):
        x, y = way_px * share + reach
        column, row = int(x), int(y)
        u, v = x - column, y - row
        kernel[row : row + 2, column : column + 2] += np.outer([1 - v, v], [1 - u, u])
    return np.asarray(kernel / kernel.sum(), np.float32)
