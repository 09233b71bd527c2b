"""The table's zones in pixels of the frame, and how the pile is found where nobody has drawn it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.geometry import Floats, bounds_xyxy, polygon_area, quad_iou
from vision.sightings import Frame, Sighting

__all__ = ["Box", "PileFinder", "Zones", "around", "grown_box", "inside"]

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels, x1 and y1 exclusive."""

ROOM = 1.6
"""A pile takes up this many times the width and height of one card: people drop cards askew and beside each other."""
MIDDLE_SHARE = 0.5
"""A pile that nobody has drawn is looked for in this share of the frame's width and height, about its middle."""
SAME_PLACE_IOU = 0.7
FIND_EVERY_S = 0.4
"""Looking at whole frames is expensive, and a card that has just been turned lies there for seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Polygons (n, 2), n >= 3; None or missing where nobody has drawn one. `seats` in seating order."""

    pile: Floats | None = None
    draw: Floats | None = None
    burn: Floats | None = None
    seats: Mapping[str, Floats] = field(default_factory=dict)


def around(outline_px: Floats, factor: float) -> Floats:
    """The polygon (n, 2) scaled about the middle of its corners."""
    middle = outline_px.mean(axis=0)
    return np.asarray(middle + (outline_px - middle) * factor, dtype=np.float64)


def grown_box(polygon_px: Floats, share: float, frame_wh: tuple[int, int]) -> Box:
    """The bounds of a polygon, wider by `share` of its width and height, inside the frame."""
    x0, y0, x1, y1 = bounds_xyxy(polygon_px)
    more_x, more_y = (x1 - x0) * share / 2, (y1 - y0) * share / 2
    low = np.maximum(np.floor([x0 - more_x, y0 - more_y]), 0).astype(int)
    high = np.minimum(np.ceil([x1 + more_x, y1 + more_y]), frame_wh).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def inside(quad_px: Floats, polygon_px: Floats) -> bool:
    """Does the middle of a card lie in a polygon (n, 2), convex or not?"""
    x, y = quad_px.mean(axis=0)
    return cv2.pointPolygonTest(polygon_px.astype(np.float32), (float(x), float(y)), False) >= 0


class PileFinder:
    """Finds the pile: where the first card lies face up and still near the middle of the frame.

    It has to be seen twice in a row at the same place; of several cards the one nearest to the middle counts.
    """

    def __init__(self) -> None:
        self._last: Floats | None = None
        self._next_s = float("-inf")

    def due(self, time_s: float) -> bool:
        """Is it time for the next look at a whole frame?"""
        return time_s >= self._next_s

    def see(self, frame: Frame, sightings: tuple[Sighting, ...]) -> Floats | None:
        """The pile's polygon (4, 2) as soon as it is known."""
        self._next_s = frame.time_s + FIND_EVERY_S
        height, width = frame.image.shape[:2]
        before, self._last = self._last, _most_central(sightings, np.array([width, height], dtype=np.float64))
        if self._last is None or before is None or quad_iou(self._last, before) < SAME_PLACE_IOU:
            return None
        return around(self._last, ROOM)


def _most_central(sightings: tuple[Sighting, ...], frame_wh: Floats) -> Floats | None:
    def distance(quad_px: Floats) -> float:
        return float(np.abs((quad_px.mean(axis=0) - frame_wh / 2) / frame_wh).max())

    fronts = [s.quad_px for s in sightings if s.side == "front" and polygon_area(s.quad_px) > 0]
    central = [quad for quad in fronts if distance(quad) <= MIDDLE_SHARE / 2]
    return min(central, key=distance, default=None)
