"""Painting: cut-outs, shadows and light laid over a picture of shape (H, W, 3), uint8 BGR unless said otherwise."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, homography

__all__ = [
    "Bytes",
    "Reals",
    "blend",
    "cast_shadow",
    "cut_quad",
    "cut_sprite",
    "fill_quad",
    "low_noise",
    "mip_level",
    "premultiply",
]

Bytes = NDArray[np.uint8]
Reals = NDArray[np.float32]
Region = tuple[slice, slice]


def premultiply(picture: Bytes) -> Bytes:
    """Colours of `picture` (h, w, 4) times its alpha. Shrinking and warping straight colours would draw a dark rim
    round every cut-out, by which a network could tell pasted cards."""
    scaled = picture.copy()
    scaled[..., :3] = (picture[..., :3].astype(np.uint16) * picture[..., 3:] + 127) // 255
    return scaled


def mip_level(picture: Bytes, height_px: float) -> Bytes:
    """`picture` shrunk to about `height_px` rows (never enlarged), so that warping it neither skips pixels nor leaves
    edges jagged: a jag would tell a network where a pasted card ends."""
    factor = 1.1 * max(height_px, 4.0) / picture.shape[0]
    if factor >= 0.9:
        return picture
    size = (max(4, round(picture.shape[1] * factor)), max(4, round(picture.shape[0] * factor)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _region(points: Floats, shape: tuple[int, ...], margin: float) -> Region | None:
    low = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int)
    high = np.minimum(np.ceil(points.max(axis=0) + margin) + 1, (shape[1], shape[0])).astype(int)
    if (high <= low).any():
        return None
    return slice(low[1], high[1]), slice(low[0], high[0])


def cut_quad(
    picture: Bytes, quad_px: Floats, shape: tuple[int, ...], bow_px: Floats | None = None, *, bow_axis: str = "v"
) -> tuple[Bytes, Region] | None:
    """`picture` (h, w, 4) warped onto `quad_px`: the part (h', w', 4) inside an image of `shape`, and where it lies.

    `bow_px` (dx, dy) is by how much the middle of the card lies off the flat quad (a bent card); the offset falls off
    as a parabola towards the two ends along `bow_axis`. None when nothing of it is inside.
    """
    bow = np.zeros(2) if bow_px is None else bow_px
    region = _region(np.concatenate([quad_px, quad_px + bow]), shape, 1.0)
    if region is None:
        return None
    height_px = max(np.linalg.norm(quad_px[3] - quad_px[0]), np.linalg.norm(quad_px[2] - quad_px[1]))
    picture = mip_level(picture, float(height_px))
    height, width = picture.shape[:2]
    origin = np.array([region[1].start, region[0].start])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64) - 0.5
    size = (region[1].stop - region[1].start, region[0].stop - region[0].start)
    matrix = homography(quad_px - origin, corners)
    if not bow.any():
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpPerspective(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(cut, np.uint8), region
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    for _ in range(2):  # where a pixel comes from depends on the bow there: two rounds settle it
        u, v = _through(matrix, x, y)
        along = (v / height if bow_axis == "v" else u / width) * 2 - 1
        weight = np.clip(1 - along**2, 0, 1)
        x, y = _grid_minus(size, weight, bow)
    u, v = _through(matrix, x, y)
    return np.asarray(cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8), region


def _grid_minus(size: tuple[int, int], weight: Reals, bow: Floats) -> tuple[Reals, Reals]:
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    return (x - weight * np.float32(bow[0])).astype(np.float32), (y - weight * np.float32(bow[1])).astype(np.float32)


def _through(matrix: Floats, x: Reals, y: Reals) -> tuple[Reals, Reals]:
    m = matrix.astype(np.float32)
    w = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    return (m[0, 0] * x + m[0, 1] * y + m[0, 2]) / w, (m[1, 0] * x + m[1, 1] * y + m[1, 2]) / w


def cut_sprite(
    picture: Bytes,
    position_px: tuple[float, float],
    height_px: float,
    angle_deg: float,
    *,
    anchor_uv: tuple[float, float],
) -> Floats:
    """The quad (4, 2) onto which a sprite (h, w, 4) is warped: `anchor_uv` on `position_px`, turned clockwise."""
    width_px = height_px * picture.shape[1] / picture.shape[0]
    flat = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - anchor_uv) * (width_px, height_px)
    angle = math.radians(angle_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.asarray(flat @ turn.T + position_px, dtype=np.float64)


def blend(canvas: Bytes, cut: Bytes, region: Region, *, tint: Floats | None = None) -> None:
    """Lay `cut` (h, w, 4, premultiplied) over `canvas` in `region`, its colours times `tint` (3,) or (h, w, 1)."""
    alpha = cut[..., 3:].astype(np.float32) / 255
    colour = cut[..., :3].astype(np.float32)
    if tint is not None:
        colour = np.minimum(colour * tint.astype(np.float32), 255)
    part = canvas[region]
    canvas[region] = np.minimum(part * (1 - alpha) + colour + 0.5, 255).astype(np.uint8)


def cast_shadow(
    canvas: Bytes, cut: Bytes, region: Region, *, offset_px: tuple[float, float], softness_px: float, depth: float
) -> None:
    """Darken `canvas` by the shadow of `cut` (h, w, 4), moved by `offset_px` and blurred."""
    if depth <= 0.01:
        return
    pad = math.ceil(2 * softness_px + max(abs(offset_px[0]), abs(offset_px[1]))) + 1
    mask = cv2.copyMakeBorder(cut[..., 3], pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0.0,))
    move = np.array([[1, 0, offset_px[0]], [0, 1, offset_px[1]]], dtype=np.float64)
    mask = cv2.warpAffine(mask, move, (mask.shape[1], mask.shape[0]))
    if softness_px > 0.3:
        mask = cv2.GaussianBlur(mask, (0, 0), softness_px)
    top, left = region[0].start - pad, region[1].start - pad
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + mask.shape[0], canvas.shape[0]), min(left + mask.shape[1], canvas.shape[1])
    if y1 <= y0 or x1 <= x0:
        return
    light = 1 - depth / 255 * mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32)
    canvas[y0:y1, x0:x1] = (canvas[y0:y1, x0:x1] * light).astype(np.uint8)


def fill_quad(canvas: Bytes, quad_px: Floats, colour: tuple[float, float, float]) -> None:
    """Paint a convex polygon (n, 2) in one colour (0 to 1, BGR) with smooth edges."""
    points = np.round(np.clip(quad_px, -4000, 8000) * 16).astype(np.int32)
    blue, green, red = (float(255 * part) for part in colour)
    cv2.fillConvexPoly(canvas, points, (blue, green, red), cv2.LINE_AA, 4)


def low_noise(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> Reals:
    """Smooth noise (H, W) of about unit spread whose patches are `cell_px` wide."""
    cells = (max(2, round(shape[0] / cell_px) + 1), max(2, round(shape[1] / cell_px) + 1))
    coarse = rng.standard_normal(cells).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)
