"""Cups and glasses on the table, drawn as the solids they are: a cut-out seen from the side would lie there."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.geometry import Floats
from vision.teaching.film_script import Cup
from vision.teaching.layers import Bytes, blend, cast_shadow, premultiply
from vision.teaching.pinhole import Pinhole
from vision.teaching.scenes import Lighting

__all__ = ["paint_cup"]

_CORNERS = 96
_WALL_MM = 4.0
_SMOOTH = 4
"""Drawn this many times larger and shrunk: smooth edges."""


def paint_cup(canvas: Bytes, cup: Cup, camera: Pinhole, lighting: Lighting) -> None:
    """Paint a cup and its shadow onto a table (H, W, 3)."""
    sheet = _CupSheet(cup, camera, lighting)
    sheet.draw()
    pixels = premultiply(sheet.picture())
    scale = camera.focal_px / camera.distance_mm
    angle, height, width = math.radians(lighting.direction_deg), *canvas.shape[:2]
    top, left = sheet.corner
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + pixels.shape[0], height), min(left + pixels.shape[1], width)
    if y1 <= y0 or x1 <= x0:
        return
    part, region = pixels[y0 - top : y1 - top, x0 - left : x1 - left], (slice(y0, y1), slice(x0, x1))
    for share, depth in ((0.15, 0.35), (0.4, 0.3)):
        length = cup.height_mm * share * lighting.reach * scale
        offset = (math.cos(angle) * length, math.sin(angle) * length)
        cast_shadow(canvas, part, region, offset_px=offset, softness_px=4 + 14 * share, depth=depth * lighting.shadow)
    blend(canvas, part, region)


class _CupSheet:
    """A cup drawn on a sheet of its own, `_SMOOTH` times as large as it appears."""

    def __init__(self, cup: Cup, camera: Pinhole, lighting: Lighting) -> None:
        self.cup, self.camera, self.lighting = cup, camera, lighting
        outline = np.concatenate([self.circle(cup.radius_mm * 1.7, z) for z in (0.0, cup.height_mm)])
        low, high = np.floor(outline.min(axis=0)) - 2, np.ceil(outline.max(axis=0)) + 2
        self.corner = (int(low[1]), int(low[0]))
        self.low = low
        size = ((high - low) * _SMOOTH).astype(int)
        self.sheet = np.zeros((size[1], size[0], 4), np.uint8)

    def circle(self, radius_mm: float, z_mm: float, shift_mm: Floats | None = None) -> Floats:
        """A level circle about the cup's axis in pixels of the frame (n, 2)."""
        around = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
        middle = np.array(self.cup.place_mm) + (0 if shift_mm is None else shift_mm)
        flat = np.stack([np.cos(around), np.sin(around)], axis=1) * radius_mm + middle
        return self.camera.project(np.column_stack([flat, np.full(_CORNERS, z_mm)]))

    def fill(self, points: Floats, colour: tuple[float, float, float], light: float) -> None:
        blue, green, red = (min(255.0, 255 * part * light) for part in colour)
        corners = np.round((points - self.low) * _SMOOTH * 16).astype(np.int32)
        cv2.fillPoly(self.sheet, [corners], (blue, green, red, 255.0), cv2.LINE_8, 4)

    def draw(self) -> None:
        cup = self.cup
        self._handle()
        for share in np.linspace(0, 1, 40):  # the wall, darker towards the table
            self.fill(self.circle(cup.radius_mm * (0.88 + 0.12 * share), cup.height_mm * share), cup.colour,
                      0.5 + 0.35 * share)  # fmt: skip
        self.fill(self.circle(cup.radius_mm, cup.height_mm), cup.colour, 1.0)
        inner = cup.radius_mm - _WALL_MM
        for share in np.linspace(1, 0.8, 12):  # looking in: the wall's inside lies in its own shade
            self.fill(self.circle(inner * (0.96 + 0.04 * share), cup.height_mm * share), cup.colour, 0.2 + 0.55 * share)
        self.fill(self.circle(inner * 0.985, cup.height_mm * 0.8), cup.drink, 0.8)
        self.fill(self.circle(inner * 0.86, cup.height_mm * 0.8), cup.drink, 1.0)
        self._gleam(inner)

    def _handle(self) -> None:
        cup, angle = self.cup, math.radians(self.cup.handle_deg)
        out = np.array([math.cos(angle), math.sin(angle)])
        for share in np.linspace(-1, 1, 60):
            reach = cup.radius_mm * (0.9 + 0.5 * math.sqrt(max(0.0, 1 - share * share)))
            height = cup.height_mm * (0.52 + 0.3 * share)
            self.fill(self.circle(5.0, height, out * reach), cup.colour, 0.72 + 0.18 * share)

    def _gleam(self, inner_mm: float) -> None:
        """The lamp in the drink."""
        cup, angle = self.cup, math.radians(self.lighting.direction_deg + 180)
        shift = np.array([math.cos(angle), math.sin(angle)]) * inner_mm * 0.45
        bright = tuple(min(1.0, part + 0.35) for part in cup.drink)
        self.fill(self.circle(inner_mm * 0.16, cup.height_mm * 0.8, shift), (bright[0], bright[1], bright[2]), 1.0)

    def picture(self) -> Bytes:
        """The sheet at its size in the frame (h, w, 4), colours not multiplied by alpha."""
        size = (self.sheet.shape[1] // _SMOOTH, self.sheet.shape[0] // _SMOOTH)
        soft = np.asarray(cv2.GaussianBlur(premultiply(self.sheet), (0, 0), 0.45 * _SMOOTH), np.float32)
        small = np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.float32)
        alpha = np.maximum(small[..., 3:], 1.0) / 255
        return np.asarray(np.clip(np.dstack([small[..., :3] / alpha, small[..., 3:]]), 0, 255), np.uint8)
