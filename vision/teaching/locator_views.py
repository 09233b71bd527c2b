"""What a training looks at: parts of rendered pictures, from near and from afar.

The running program looks at one picture in several sizes. In the large ones a card can fill the whole view, and what is
printed on it looks like a card of its own: the network has to see that too, and learn to say nothing.
"""

from __future__ import annotations

import math
import random
from typing import Any

import cv2
import numpy as np
from ultralytics.data.augment import RandomPerspective

__all__ = ["View", "look_through"]

FEWEST_CORNERS = 2
"""A card of which fewer corners are in view is not asked for: nobody could say where it ends."""
SMALLEST_PX = 9.0
"""Nor is one that is smaller than this in the view, as the root of its box area: a larger size finds it."""


class View(RandomPerspective):
    """A square part of a picture, `zoom` (low, high) pixels of the view for one of the picture.

    Every zoom is as likely as half and twice of it; the part is anywhere inside the picture, or, where the picture is
    the smaller one, the picture anywhere inside the view.
    """

    def __init__(self, side_px: int, zoom: tuple[float, float]) -> None:
        super().__init__(size=(side_px, side_px))
        self.zoom = zoom

    def _compute_affine_matrix(self, img: Any, size: tuple[int, int]) -> tuple[Any, float]:
        """The matrix from pixels of the picture to pixels of the view, and its zoom."""
        factor = math.exp(random.uniform(math.log(self.zoom[0]), math.log(self.zoom[1])))
        matrix = np.eye(3, dtype=np.float32)
        for axis, extent in enumerate((img.shape[1], img.shape[0])):
            matrix[axis, axis] = factor
            matrix[axis, 2] = random.random() * (size[axis] - factor * extent)
        return matrix, factor

    def apply_image(self, labels: dict[str, Any], params: Any = None) -> dict[str, Any]:
        """Shrink by areas before cutting: the running program does so too, and skipped pixels make other pictures."""
        factor = params["scale"]
        if factor > 0.8:
            return super().apply_image(labels, params)
        image = labels["img"]
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        back = np.diag([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0], 1.0])
        matrix = (params["M"] @ back).astype(np.float32)
        return super().apply_image({**labels, "img": small}, {**params, "M": matrix})

    def apply_instances(self, labels: dict[str, Any], params: Any = None) -> dict[str, Any]:
        """The cards that are asked for in the view."""
        labels = super().apply_instances(labels, params)
        cards = labels["instances"]
        boxes = cards.bboxes
        sizes = np.sqrt((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
        asked = ((cards.keypoints[..., 2] > 0).sum(axis=1) >= FEWEST_CORNERS) & (sizes >= SMALLEST_PX)
        return {**labels, "instances": cards[asked], "cls": labels["cls"][asked]}


def look_through(dataset: Any, view: View) -> None:
    """Make an Ultralytics data set give views in the place of whole pictures."""
    steps = dataset.transforms.transforms[0].transforms
    places = [index for index, step in enumerate(steps) if isinstance(step, RandomPerspective)]
    steps[places[0]] = view
