"""Refine: pull the sides of a located quad onto the card's edges in the full picture.

A locator works on a reduced picture and is a few per cent off; the edges of the card are in the picture to the pixel.
Each side looks for a straight edge near itself. A side that finds none, because another card or a hand lies there,
stays where the locator put it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, bounds_xyxy, polygon_area, quad_iou
from vision.sightings import Image

__all__ = ["refine_quad"]

SAMPLES = 28
"""Places along a side at which an edge is looked for."""
ENDS = 0.1
"""Share of a side at each end that is left out: corners are round."""
REACH = 0.11
"""How far on both sides of a side is looked, as a share of the card's shorter side."""
STEPS = 25
"""Places along each profile across a side."""
ENOUGH = 0.5
"""Share of the samples that have to agree on one line."""
CONTRAST = 7.0
"""Grey levels a step that an edge has at least."""
OUTER = 0.85
"""A line further out that is this strong beside the strongest wins: many cards have a printed frame near their edge."""
AT_LEAST_IOU = 0.65
"""A refined quad that shares less than this with the located one has lost its way."""


def refine_quad(image: Image, quad_px: Floats) -> Floats:
    """The quad (4, 2) with its sides on the edges in `image` (H, W, 3); the given quad where there are none."""
    size = min(np.linalg.norm(quad_px - np.roll(quad_px, -1, axis=0), axis=1))
    if size < 12:
        return quad_px
    reach = max(2.0, REACH * float(size))
    patch, origin = _patch(image, quad_px, reach)
    if patch.size == 0:
        return quad_px
    local, centre = quad_px - origin, quad_px.mean(axis=0) - origin
    sides = [_side(patch, local[i], local[(i + 1) % 4], centre, reach) for i in range(4)]
    corners = [_crossing(sides[i - 1], sides[i]) for i in range(4)]
    if any(corner is None for corner in corners):
        return quad_px
    refined = np.array(corners) + origin
    if polygon_area(refined) < 16 or quad_iou(refined, quad_px) < AT_LEAST_IOU:
        return quad_px
    return refined


def _patch(image: Image, quad: Floats, reach: float) -> tuple[NDArray[np.float32], Floats]:
    """The neighbourhood of the quad, slightly smoothed, and where its first pixel lies."""
    box = bounds_xyxy(quad)
    x0, y0 = np.maximum(np.floor(box[:2] - reach - 2), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(box[2:] + reach + 3), (image.shape[1], image.shape[0])).astype(int)
    if x1 - x0 < 3 or y1 - y0 < 3:
        return np.zeros((0, 0, 3), np.float32), np.zeros(2)
    patch = cv2.GaussianBlur(image[y0:y1, x0:x1], (0, 0), 0.8).astype(np.float32)
    return patch, np.array([x0, y0], dtype=np.float64)


def _side(
    patch: NDArray[np.float32], start: Floats, end: Floats, centre: Floats, reach: float
) -> tuple[Floats, Floats]:
    """Two points of the line on which the side from `start` to `end` lies."""
    direction = end - start
    normal = np.array([direction[1], -direction[0]]) / np.linalg.norm(direction)
    if np.dot(normal, (start + end) / 2 - centre) < 0:
        normal = -normal
    along = np.linspace(ENDS, 1 - ENDS, SAMPLES)
    offsets = np.linspace(-reach, reach, STEPS)
    steps = _steps(patch, start + along[:, None] * direction, normal, offsets)
    line = _line(along, (offsets[1:] + offsets[:-1]) / 2, steps, tolerance=max(1.2, 0.1 * reach))
    if line is None:
        return start, end
    return start + normal * line[0], end + normal * line[1]


def _steps(patch: NDArray[np.float32], places: Floats, normal: Floats, offsets: Floats) -> Floats:
    """How much the picture changes between neighbouring offsets at each place: (samples, steps - 1), outside it 0."""
    points = places[:, None, :] + offsets[None, :, None] * normal
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    profiles = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = np.abs(np.diff(profiles, axis=1)).max(axis=2)
    inside = (x >= 0) & (y >= 0) & (x <= patch.shape[1] - 1) & (y <= patch.shape[0] - 1)
    return np.asarray(np.where(inside[:, 1:] & inside[:, :-1], steps, 0.0), dtype=np.float64)


def _line(along: Floats, offsets: Floats, steps: Floats, *, tolerance: float) -> tuple[float, float] | None:
    """Offsets of the edge's line at both ends of the side, or None where no line has enough samples on it.

    Every line through an offset at the first and one at the last sample is tried: the strongest change within the
    tolerance counts for each sample, faded by how far the line lies from the located side.
    """
    firsts, lasts = np.meshgrid(offsets, offsets, indexing="ij")
    slopes = np.abs(firsts - lasts) <= 0.9 * (offsets[-1] - offsets[0])
    first, last = firsts[slopes], lasts[slopes]
    share = (along - along[0]) / (along[-1] - along[0])
    at = first[:, None] * (1 - share) + last[:, None] * share
    index = np.clip(np.round((at - offsets[0]) / (offsets[1] - offsets[0])).astype(int), 0, len(offsets) - 1)
    strength = np.minimum(steps, 60.0)
    on_line = strength[np.arange(len(along))[None, :], index]
    agree = (on_line >= CONTRAST).mean(axis=1)
    faded = np.exp(-(((np.abs(first) + np.abs(last)) / 2) ** 2) / (2 * (0.6 * offsets[-1]) ** 2))
    score = np.where(agree >= ENOUGH, on_line.mean(axis=1) * faded, 0.0)
    best = int(score.argmax())
    if score[best] <= 0:
        return None
    middle = (first + last) / 2
    outer = np.flatnonzero((score >= OUTER * score[best]) & (middle > middle[best] + tolerance))
    if len(outer):
        best = int(outer[score[outer].argmax()])
    slope = (last[best] - first[best]) / (along[-1] - along[0])
    begin = first[best] - slope * along[0]
    return float(begin), float(begin + slope)


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines, each through two points, meet; None for parallels."""
    (a, b), (c, d) = one, other
    first, second = b - a, d - c
    cross = first[0] * second[1] - first[1] * second[0]
    if abs(cross) < 1e-6:
        return None
    share = ((c[0] - a[0]) * second[1] - (c[1] - a[1]) * second[0]) / cross
    return np.asarray(a + share * first, dtype=np.float64)
