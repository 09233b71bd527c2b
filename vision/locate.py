"""Locate: every card in a picture with its four corners.

The network (YOLO pose, two classes, four corners) runs in ONNX Runtime; scaling, decoding and the suppression of double
finds are plain numpy, once, here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.geometry import Floats, clip_quad, polygon_area
from vision.sightings import Image, Located
from vision.weights import load_weights, open_session

__all__ = ["STILL_LONG_SIDES", "Locator", "decode", "letterbox", "suppress"]

STILL_LONG_SIDES = (112, 160, 224, 320, 448, 640)
"""A still picture may show one card close by or a whole table, and the locator knows cards best that are 40 to 100 px
tall: it looks in half octaves, so that every card is of about that size in several of them."""
STRIDE = 32
_PAD_GREY = 114
"""The grey with which Ultralytics pads pictures in training."""
MAX_FINDS = 400
"""More raw finds than this (a card gives about ten) are cut off, weakest first."""
SAME_CARD_IOU = 0.6
"""Two quads that overlap more than this are one card found twice; neighbours in a tight fan stay below it."""
INSIDE, SMALLER = 0.7, 0.55
"""A quad that lies inside another one by this share and has less than this share of its area is no card of its own."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A picture as network input (1, 3, h, w) float32, and the factor from its pixels to the original's."""

    tensor: NDArray[np.float32]
    scale_xy: tuple[float, float]


def letterbox(image: Image, long_side: int) -> Fitted:
    """Scale `image` (H, W, 3) to a longer side of `long_side` pixels; pad to whole strides on right and bottom."""
    height, width = image.shape[:2]
    factor = long_side / max(height, width)
    new_w, new_h = max(1, round(width * factor)), max(1, round(height * factor))
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (new_w, new_h), interpolation=method)
    canvas = np.full((-(-new_h // STRIDE) * STRIDE, -(-new_w // STRIDE) * STRIDE, 3), _PAD_GREY, np.uint8)
    canvas[:new_h, :new_w] = small
    tensor = canvas[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 255
    return Fitted(np.ascontiguousarray(tensor), (width / new_w, height / new_h))


def decode(output: NDArray[np.float32], *, min_score: float) -> Located:
    """The network's output (1, 4 + 2 + 12, n) in input pixels as `Located`, best first, doubles still in it.

    Rows: box x y w h, scores of front and back, then x y v of the four corners.
    """
    rows = output[0].T
    scores = rows[:, 4:6]
    best = scores.max(axis=1)
    kept = rows[best >= min_score]
    order = np.argsort(-kept[:, 4:6].max(axis=1), kind="stable")[:MAX_FINDS]
    kept = kept[order].astype(np.float64)
    corners = kept[:, 6:].reshape(-1, 4, 3)[:, :, :2]
    return Located(corners, kept[:, 4:6].max(axis=1), kept[:, 5] > kept[:, 4])


def suppress(found: Located, *, max_iou: float = SAME_CARD_IOU) -> Located:
    """Keep the best of all quads that are one card; drops quads that are no quads.

    One card are two quads that overlap by more than `max_iou`, and a quad and the much larger one inside which it lies:
    cards on one table are of one size, so that is print on a card or a heap of cards taken for one. Overlap of bounds
    is looked at first, for all at once: exact overlap of quads costs a thousand times as much.
    """
    found = found[_are_quads(found.quads_px)]
    quads, areas, near = found.quads_px, _areas(found.quads_px).tolist(), _bounds_meet(found.quads_px)
    kept: list[int] = []
    for index, quad in enumerate(quads):
        rivals = [other for other in kept if near[index, other]]
        if not any(_one_card(quad, quads[other], (areas[index], areas[other]), max_iou) for other in rivals):
            kept.append(index)
    return found[np.array(kept, dtype=np.intp)]


def _one_card(first: Floats, second: Floats, areas: tuple[float, float], max_iou: float) -> bool:
    shared = polygon_area(clip_quad(first, second))
    smaller, larger = sorted(areas)
    inside = shared > INSIDE * smaller and smaller < SMALLER * larger
    return inside or shared > max_iou * (smaller + larger - shared)


def _bounds_meet(quads: Floats) -> NDArray[np.bool_]:
    """Which of the quads (n, 4, 2) have bounds that share a fair part, each with each: (n, n)."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    width, height = (np.minimum.outer(high[:, axis], high[:, axis]) - np.maximum.outer(low[:, axis], low[:, axis])
                     for axis in (0, 1))  # fmt: skip
    areas = np.prod(high - low, axis=1)
    return np.asarray(np.maximum(width, 0) * np.maximum(height, 0) > 0.3 * np.minimum.outer(areas, areas))


def _areas(quads: Floats) -> Floats:
    """Areas (n,) of simple quads (n, 4, 2): half of what their diagonals span."""
    across, down = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2)


def _are_quads(quads: Floats) -> NDArray[np.bool_]:
    """Which of the quads (n, 4, 2) are convex, and not mere lines."""
    edges = np.roll(quads, -1, axis=1) - quads
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    convex = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    return np.asarray(convex & (_areas(quads) >= 16))


LEAST_SCORE = 0.1
"""What one size shows with less than this is left out."""
ENLARGED = 1.4
"""Sizes that enlarge a picture by more than this show nothing new and are left out."""


class Locator:
    """Finds what may be cards. `long_sides` are the sizes at which a picture is looked at; more than one finds cards of
    very different size in one picture and costs accordingly."""

    def __init__(
        self,
        *,
        long_sides: tuple[int, ...] = (640,),
        min_score: float = LEAST_SCORE,
        folder: Path | None = None,
        threads: int = 0,
    ) -> None:
        self.weights = load_weights("locate", folder)
        self.session: ort.InferenceSession = open_session(self.weights, threads=threads)
        self.long_sides = long_sides
        self.min_score = min_score

    def looks(self, image: Image) -> tuple[Located, ...]:
        """All that may be a card in `image` (H, W, 3), size by size, best first, quads in pixels of `image`."""
        largest = ENLARGED * max(image.shape[:2])
        sides = [side for side in self.long_sides if side <= largest] or [min(self.long_sides)]
        return tuple(suppress(self.locate_raw(image, side)) for side in sides)

    def locate_raw(self, image: Image, long_side: int) -> Located:
        """What the network says at one size, best first, with doubles still in it."""
        fitted = letterbox(image, long_side)
        output = self.session.run(None, {self.session.get_inputs()[0].name: fitted.tensor})[0]
        found = decode(np.asarray(output), min_score=self.min_score)
        return Located(found.quads_px * np.array(fitted.scale_xy), found.scores, found.backs)
