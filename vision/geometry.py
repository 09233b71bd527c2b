"""Plane geometry of quads: four corners TL, TR, BR, BL, clockwise on the screen (y grows downwards).

All functions take and return float64 arrays; a quad has shape (4, 2), a batch of quads (n, 4, 2).
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Floats",
    "bounds_xyxy",
    "clip_quad",
    "frame_quad",
    "homography",
    "in_step",
    "polygon_area",
    "project",
    "quad_iou",
    "shift_corners",
    "straighten",
    "upright_quad",
]

Floats = NDArray[np.float64]


def polygon_area(points: Floats) -> float:
    """Area of a simple polygon (n, 2) by the shoelace formula; at least 0, in squared units of its points."""
    return abs(_signed_area(points.tolist()))


Corners = list[list[float]]
"""The points of a polygon as plain numbers: for four of them Python is several times as fast as numpy."""


def _signed_area(points: Corners) -> float:
    if len(points) < 3:
        return 0.0
    # About one of the corners: far from the origin the products are large and their differences small.
    x0, y0 = points[0]
    total, before_x, before_y = 0.0, points[-1][0] - x0, points[-1][1] - y0
    for x, y in points:
        total += before_x * (y - y0) - (x - x0) * before_y
        before_x, before_y = x - x0, y - y0
    return total / 2


def clip_quad(subject: Floats, clip: Floats) -> Floats:
    """The part of the convex polygon `subject` (n, 2) inside the convex polygon `clip`: (m, 2), m may be 0.

    Sutherland and Hodgman (1974); `clip` may run either way round.
    """
    return np.array(_clipped(subject.tolist(), clip.tolist()), dtype=np.float64).reshape(-1, 2)


def _clipped(kept: Corners, clip: Corners) -> Corners:
    orientation = -1.0 if _signed_area(clip) < 0 else 1.0
    start_x, start_y = clip[-1]
    for end_x, end_y in clip:
        if not kept:
            break
        edge_x, edge_y = orientation * (end_x - start_x), orientation * (end_y - start_y)
        side = [edge_x * (y - start_y) - edge_y * (x - start_x) for x, y in kept]
        kept = _clipped_by_side(kept, side)
        start_x, start_y = end_x, end_y
    return kept


def _clipped_by_side(points: Corners, side: list[float]) -> Corners:
    """Keep what has `side` >= 0, adding the points where an edge crosses to the other side."""
    out: Corners = []
    before, before_side = points[-1], side[-1]
    for point, here in zip(points, side, strict=True):
        if (here >= 0) != (before_side >= 0):
            share = before_side / (before_side - here)
            out.append([before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])])
        if here >= 0:
            out.append(point)
        before, before_side = point, here
    return out


def quad_iou(first: Floats, second: Floats) -> float:
    """Intersection over union of two convex quads, 0 to 1."""
    low = np.maximum(first.min(axis=0), second.min(axis=0))
    high = np.minimum(first.max(axis=0), second.max(axis=0))
    if (low >= high).any():
        return 0.0
    shared = polygon_area(clip_quad(first, second))
    union = polygon_area(first) + polygon_area(second) - shared
    return shared / union if union > 0 else 0.0


def bounds_xyxy(points: Floats) -> Floats:
    """Axis-parallel bounds (x0, y0, x1, y1) of points (n, 2)."""
    return np.concatenate([points.min(axis=0), points.max(axis=0)])


def shift_corners(quad: Floats, steps: int) -> Floats:
    """The same outline read from another corner; 2 steps turn a card upside down."""
    return quad[[(corner + steps) % 4 for corner in range(4)]]


def in_step(quad: Floats, beside: Floats) -> Floats:
    """The same outline, read from the corner that fits the quad `beside` best."""
    turns = np.stack([shift_corners(quad, steps) for steps in range(4)])
    return np.asarray(turns[np.abs(turns - beside).sum(axis=(1, 2)).argmin()], np.float64)


def frame_quad(size_wh: tuple[int, int]) -> Floats:
    """The quad (4, 2) around a whole picture of this size."""
    width, height = size_wh
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)


def upright_quad(quad: Floats) -> Floats:
    """The same outline, read so that the first edge is a short one and the card stands as upright as it can.

    A locator cannot tell which end of a card is its head; this picks the reading whose first edge lies higher in the
    picture, and for lying cards the one further left, so that equal pictures give equal quads.
    """
    a, b, c, d = quad.tolist()
    if math.dist(a, b) + math.dist(c, d) > math.dist(b, c) + math.dist(d, a):
        quad = shift_corners(quad, 1)
    head, foot = quad[:2].mean(axis=0), quad[2:].mean(axis=0)
    lying = abs(head[1] - foot[1]) < abs(head[0] - foot[0])
    upside_down = head[0] > foot[0] if lying else head[1] > foot[1]
    return shift_corners(quad, 2) if upside_down else quad


def homography(source: Floats, target: Floats) -> Floats:
    """The 3x3 matrix that takes the four points `source` (4, 2) to `target` (4, 2)."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def project(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 2) through a homography 3x3."""
    ends = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
    return np.asarray(ends[:, :2] / ends[:, 2:], dtype=np.float64)


def straighten(image: NDArray[np.uint8], quad_px: Floats, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """The card inside `quad_px` of an image (H, W, 3), seen from straight above: (h, w, 3).

    Shrinks the neighbourhood first where the card is larger than the result: a plain warp would skip pixels and make
    small print flicker.
    """
    width, height = size_wh
    box = bounds_xyxy(quad_px)
    x0, y0 = np.maximum(np.floor(box[:2]).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(box[2:]).astype(int) + 3, (image.shape[1], image.shape[0]))
    patch, quad = image[y0:y1, x0:x1], quad_px - (x0, y0)
    if patch.size == 0:
        return np.zeros((height, width, 3), np.uint8)
    factor = float(np.sqrt(polygon_area(quad) / (width * height)))
    if factor > 1.5:
        size = (max(1, round(patch.shape[1] / factor)), max(1, round(patch.shape[0] / factor)))
        quad = quad * (np.array(size) / (patch.shape[1], patch.shape[0]))
        patch = cv2.resize(patch, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    matrix = homography(quad, frame_quad(size_wh))
    return np.asarray(cv2.warpPerspective(patch, matrix, size_wh, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
