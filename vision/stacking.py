"""Questions that pixels answer better than the eyes: which card lies above, is it still there, is the place bare?"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.change_test import Mask
from vision.geometry import Floats
from vision.sightings import Image

__all__ = ["edge_inside", "lies_above", "looks_bare", "still_there"]

SHARES: Floats = (np.arange(24) + 0.5) / 24
"""Where along an edge the picture is looked at."""
FEWEST = 3
"""An edge that meets the other card in fewer points says nothing."""
REACH_PX = 4
"""A located corner is off by a few pixels; the edge is looked for this far to both sides."""


MARGIN_PX = 2
"""Pixels along edges change with every jitter of a corner and are left out."""
FEWEST_PX = 40
BARE_LEVELS = 30.0
"""Grey levels by which the light of a lamp may differ between a place and the table around it."""
BARE_ROUGHNESS = 1.5
"""Print is rougher than a table; a patterned cloth is as rough here as there."""
SAME_LEVELS = 20.0
"""Grey levels: below this mean difference two pictures show the same thing, noise and shadow included."""


def still_there(pictures: tuple[Image, Image, Image], card_px: Floats, over_px: Sequence[Floats]) -> bool:
    """Does that part of a card which the quads `over_px` leave free still look as it did?

    `pictures` of one size: before the card came, with the card, and now. False where too little is free, or where the
    card looks like what lay there before: then nothing can be told.
    """
    before, then, now = pictures
    region = np.zeros(now.shape[:2], np.uint8)
    cv2.fillConvexPoly(region, np.round(card_px).astype(np.int32), 1)
    for quad in over_px:
        cv2.fillConvexPoly(region, np.round(quad).astype(np.int32), 0)
    free = cv2.erode(region, np.ones((2 * MARGIN_PX + 1, 2 * MARGIN_PX + 1), np.uint8)).astype(np.bool_)
    if free.sum() < FEWEST_PX:
        return False
    return _difference(then, now, free) < SAME_LEVELS < _difference(then, before, free)


def looks_bare(picture: Image, card_px: Floats) -> bool:
    """Does the place of a card look like the table around it? A card that the eyes miss does not."""
    spot = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(spot, np.round(card_px).astype(np.int32), 1)
    place = picture[spot.astype(np.bool_)].astype(np.float64)
    table = picture[~cv2.dilate(spot, np.ones((9, 9), np.uint8)).astype(np.bool_)].astype(np.float64)
    if not len(place) or not len(table):
        return False
    like_table = np.abs(np.median(place, axis=0) - np.median(table, axis=0)).max() < BARE_LEVELS
    return bool(like_table and place.std(axis=0).max() < BARE_ROUGHNESS * table.std(axis=0).max() + BARE_LEVELS / 2)


def _difference(first: Image, second: Image, region: Mask) -> float:
    return float(cv2.absdiff(first, second).max(axis=2)[region].mean())


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
