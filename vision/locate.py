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

from vision.agreement import VOTES, agree
from vision.geometry import Floats, clip_quad, polygon_area
from vision.sightings import Image, Located
from vision.weights import load_weights, open_session

__all__ = ["Locator", "decode", "letterbox", "merge", "suppress"]

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
    found = found[np.array([index for index, quad in enumerate(found.quads_px) if _is_quad(quad)], dtype=np.intp)]
    boxes = np.concatenate([found.quads_px.min(axis=1), found.quads_px.max(axis=1)], axis=1)
    kept: list[int] = []
    for index, quad in enumerate(found.quads_px):
        near = np.flatnonzero(_boxes_meet(boxes[index], boxes[kept]))
        if not any(_one_card(quad, found.quads_px[kept[other]], max_iou) for other in near):
            kept.append(index)
    return found[np.array(kept, dtype=np.intp)]


def _one_card(first: Floats, second: Floats, max_iou: float) -> bool:
    shared = polygon_area(clip_quad(first, second))
    smaller, larger = sorted((polygon_area(first), polygon_area(second)))
    inside = shared > INSIDE * smaller and smaller < SMALLER * larger
    return inside or shared > max_iou * (smaller + larger - shared)


def merge(first: Located, second: Located) -> Located:
    """Finds of two passes over one picture as one, best first."""
    scores = np.concatenate([first.scores, second.scores])
    order = np.argsort(-scores, kind="stable")
    return Located(
        np.concatenate([first.quads_px, second.quads_px])[order],
        scores[order],
        np.concatenate([first.backs, second.backs])[order],
    )


def _boxes_meet(box: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Which of the bounds (n, 4) share a fair part with the bounds (4,)."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    return np.asarray(shared > 0.3 * np.minimum(areas, np.prod(box[2:] - box[:2])))


def _is_quad(quad: Floats) -> bool:
    """Convex, and not a mere line."""
    edges = np.roll(quad, -1, axis=0) - quad
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    return bool((turns > 0).all() or (turns < 0).all()) and polygon_area(quad) >= 16


LEAST_VOTE = 0.15
"""A find of one size that is surer than this counts as a vote."""
ENLARGED = 1.4
"""Sizes that enlarge a picture by more than this show nothing new and are left out."""


class Locator:
    """Finds cards. `long_sides` are the sizes at which a picture is looked at; more than one finds cards of very
    different size in one picture and costs accordingly. From `VOTES` sizes on, a card is what several agree about."""

    def __init__(
        self,
        *,
        long_sides: tuple[int, ...] = (640,),
        min_score: float = 0.35,
        folder: Path | None = None,
        threads: int = 0,
    ) -> None:
        self.weights = load_weights("locate", folder)
        self.session: ort.InferenceSession = open_session(self.weights, threads=threads)
        self.long_sides = long_sides
        self.min_score = min_score

    def locate(self, image: Image) -> Located:
        """All cards in `image` (H, W, 3), best first, quads in its pixels."""
        if len(self.long_sides) >= VOTES:
            return self._agreed(image)
        found = self.locate_raw(image, self.long_sides[0])
        for long_side in self.long_sides[1:]:
            found = merge(found, self.locate_raw(image, long_side))
        return suppress(found)

    def _agreed(self, image: Image) -> Located:
        largest = ENLARGED * max(image.shape[:2])
        sides = [side for side in self.long_sides if side <= largest] or [min(self.long_sides)]
        found = agree([suppress(self.locate_raw(image, side, min_score=LEAST_VOTE)) for side in sides])
        return suppress(found[found.scores >= self.min_score])

    def locate_raw(self, image: Image, long_side: int, *, min_score: float | None = None) -> Located:
        """What the network says at one size, best first, with doubles still in it; `min_score` default: its own."""
        fitted = letterbox(image, long_side)
        output = self.session.run(None, {self.session.get_inputs()[0].name: fitted.tensor})[0]
        found = decode(np.asarray(output), min_score=self.min_score if min_score is None else min_score)
        return Located(found.quads_px * np.array(fitted.scale_xy), found.scores, found.backs)
