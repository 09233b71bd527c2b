"""From a drawn card to one that looks printed and cut.

Card pictures for screens carry a dark outline on their very edge, printed cards have none. The outline is measured,
cut away, and the corners are rounded again with an antialiased alpha.

Pictures are BGRA, shape (height, width, 4), as OpenCV writes them.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CARD_HEIGHT_PX", "finish_card", "outline_width_px", "paper_colour_bgr", "round_corners", "trim_margin"]

Image = NDArray[np.uint8]

CARD_HEIGHT_PX = 500
# A bridge or poker card is 88-89 mm high with a corner radius of about 3 mm.
_CORNER_RADIUS = 0.035
_OPAQUE = 128
# The widest outline looked for, in card heights: further in lie the indices.
_DEEPEST_OUTLINE = 0.04
_PAPER_TOLERANCE = 16.0
_LEAST_CROP = 0.01


def trim_margin(card_bgra: Image) -> Image:
    """The card without the empty or shadowed rows and columns around it (alpha of 128 and less counts as empty)."""
    solid = card_bgra[..., 3] > _OPAQUE
    rows = np.flatnonzero(solid.mean(axis=1) > 0.5)
    columns = np.flatnonzero(solid.mean(axis=0) > 0.5)
    if not rows.size or not columns.size:
        return card_bgra
    return card_bgra[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def paper_colour_bgr(card_bgra: Image) -> NDArray[np.float64]:
    """The colour of most of a card's face, shape (3,): the paper, on a card with few pips."""
    pixels = card_bgra[card_bgra[..., 3] > 250][:, :3]
    return np.asarray(np.median(pixels, axis=0), dtype=np.float64)


def outline_width_px(cards_bgra: Iterable[Image]) -> int:
    """How far the outline reaches into cards with few pips (twos and threes), in pixels; 0 if there is none.

    At each depth the median along the whole edge is compared with the paper, so that indices do not count.
    """
    return max((_outline_of(card) for card in cards_bgra), default=0)


def _outline_of(card_bgra: Image) -> int:
    depth_px = _depth_px(card_bgra[..., 3] > _OPAQUE)
    paper = paper_colour_bgr(card_bgra)
    away = np.abs(card_bgra[..., :3].astype(np.float64) - paper).max(axis=2)
    deepest = round(_DEEPEST_OUTLINE * card_bgra.shape[0])
    inked = [d for d in range(1, deepest + 1) if np.median(away[np.ceil(depth_px) == d]) > _PAPER_TOLERANCE]
    return max(inked, default=0)


def finish_card(card_bgra: Image, *, outline_px: int, margin: float = 0.0) -> Image:
    """The card without its outline, 500 px high, with fresh round corners.

    A `margin` (in card heights) of the colours at its edge is put around a card whose art leaves none.
    """
    least_px = 0 if margin else round(_LEAST_CROP * card_bgra.shape[0])
    crop_px = max(outline_px + 2, least_px)
    depth_px = _depth_px(card_bgra[..., 3] > _OPAQUE)
    inside = depth_px > crop_px
    filled = _filled_from(card_bgra[..., :3], inside)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    face = filled[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    around_px = round(margin * card_bgra.shape[0])
    face = np.pad(face, ((around_px, around_px), (around_px, around_px), (0, 0)), mode="edge")
    width_px = round(CARD_HEIGHT_PX * face.shape[1] / face.shape[0])
    way = cv2.INTER_AREA if face.shape[0] >= CARD_HEIGHT_PX else cv2.INTER_CUBIC
    return round_corners(np.asarray(cv2.resize(face, (width_px, CARD_HEIGHT_PX), interpolation=way), dtype=np.uint8))


def round_corners(face_bgr: Image, *, radius: float = _CORNER_RADIUS) -> Image:
    """The face with an alpha that rounds its corners; `radius` in card heights."""
    height, width = face_bgr.shape[:2]
    radius_px = radius * height
    across = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius_px)
    down = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius_px)
    beyond = np.hypot(np.maximum(across, 0)[None, :], np.maximum(down, 0)[:, None])
    alpha = np.clip(radius_px - beyond + 0.5, 0, 1)
    return np.dstack([face_bgr, np.rint(alpha * 255).astype(np.uint8)])


def _depth_px(solid: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Distance of each pixel to the card's outside; the picture's border counts as outside."""
    padded = np.pad(solid.astype(np.uint8), 1)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1], dtype=np.float32)


def _filled_from(colours: Image, inside: NDArray[np.bool_]) -> Image:
    """Pixels outside take the colour of the nearest pixel inside."""
    outside = (~inside).astype(np.uint8)
    _, labels = cv2.distanceTransformWithLabels(outside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    of_label = np.zeros((int(labels.max()) + 1, 3), dtype=np.uint8)
    of_label[labels[inside]] = colours[inside]
    return np.asarray(of_label[labels], dtype=np.uint8)
