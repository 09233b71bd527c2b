"""Which of two overlapping cards lies above the other: the one whose edge can be seen inside the other."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats
from vision.sightings import Image

__all__ = ["edge_inside", "lies_above"]

SHARES: Floats = (np.arange(24) + 0.5) / 24
"""Where along an edge the picture is looked at."""
FEWEST = 3
"""An edge that meets the other card in fewer points says nothing."""
REACH_PX = 4
"""A located corner is off by a few pixels; the edge is looked for this far to both sides."""


def lies_above(image: Image, first_px: Floats, second_px: Floats) -> bool:
    """Does the card in the quad `first_px` (4, 2) lie above the one in `second_px`, as its edges in `image` tell?"""
    return edge_inside(image, first_px, second_px) >= edge_inside(image, second_px, first_px)


def edge_inside(image: Image, edges_px: Floats, card_px: Floats) -> float:
    """How clearly (grey levels) the edges of one quad show inside another; 0 where they do not meet."""
    starts, ends = edges_px, np.roll(edges_px, -1, axis=0)
    outline = card_px.astype(np.float32)
    weighted, count = 0.0, 0
    for start, end in zip(starts, ends, strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        points = start + (end - start) * SHARES[:, None]
        deep = [cv2.pointPolygonTest(outline, (float(x), float(y)), True) > REACH_PX for x, y in points]
        inner = points[np.array(deep, np.bool_)]
        if len(inner) >= FEWEST:
            # An edge is a straight line: its step has one offset and one sign all along. The steps of print cancel out.
            steps = np.diff(_profiles(image, inner, np.array([-along[1], along[0]])), axis=1)
            weighted += float(np.abs(steps.mean(axis=0)).max()) * len(inner)
            count += len(inner)
    return weighted / count if count else 0.0


def _profiles(image: Image, points: Floats, across: Floats) -> Floats:
    """Grey levels (n, 2 * REACH_PX + 1) on short lines through `points` (n, 2) along the direction `across` (2,)."""
    offsets = np.arange(-REACH_PX, REACH_PX + 1)
    places = points[:, None] + across * offsets[:, None]
    x, y = places[..., 0].astype(np.float32), places[..., 1].astype(np.float32)
    values = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values.astype(np.float64).mean(axis=-1), dtype=np.float64)
