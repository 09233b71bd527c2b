"""Fit: a second, closer look at what was located: is it a card, and where exactly are its corners?

The locator sees a whole table in few pixels. Here every find is straightened with its surroundings, out of the full
picture, and a small network says how far each corner is from where the locator put it, how sure it is of that corner,
and whether the find is a whole card at all or half of one, a heap, a column of print.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, frame_quad, homography, project, straighten, upright_quad
from vision.sightings import Image, Located
from vision.weights import load_weights, open_session

__all__ = ["CARD_IN_CROP", "CROP_WH", "GROWN", "Fits", "Fitter", "grown"]

CROP_WH = (96, 128)
"""Width and height of a straightened find with its surroundings."""
GROWN = 1.8
"""How much larger than the find the crop is: where only half of a card was found, most of the other half shows too."""
CARD_IN_CROP: Floats = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) / GROWN * CROP_WH + CROP_WH) / 2
"""Where the corners of the find lie in the crop, (4, 2) in its pixels."""
CARD_WH: Floats = np.array(CROP_WH, np.float64) / GROWN
"""Width and height of the find in the crop: the unit of the network's corners."""


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """What n finds turned out to be: quads_px (n, 4, 2), `cards` (n,) the probability that it is a whole card,
    `backs` (n,) that it lies face down."""

    quads_px: Floats
    cards: Floats
    backs: Floats


def grown(quad: Floats, factor: float = GROWN) -> Floats:
    """The quad (4, 2), `factor` times as large about its middle."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * factor, np.float64)


class Fitter:
    """Takes a closer look at finds."""

    def __init__(self, *, folder: Path | None = None, threads: int = 0) -> None:
        self.weights = load_weights("fit", folder)
        self.session = open_session(self.weights, threads=threads)

    def fit(self, image: Image, quads_px: Floats) -> Fits:
        """The finds (n, 4, 2) in `image` (H, W, 3), each looked at once; corners in the order of `upright_quad`."""
        if not len(quads_px):
            return Fits(np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0))
        wide = [grown(upright_quad(quad)) for quad in quads_px]
        crops = np.stack([straighten(image, quad, CROP_WH) for quad in wide])
        tensor = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).astype(np.float32) / 255
        out = np.asarray(self.session.run(None, {"crops": tensor})[0], np.float64)
        return Fits(
            np.stack([_back_in_picture(row, quad) for row, quad in zip(out, wide, strict=True)]),
            _probability(out[:, 12]),
            _probability(out[:, 13]),
        )

    def settle(self, image: Image, found: Located) -> Located:
        """The finds where a closer look puts them, best first; each score is the geometric mean of what it was and of
        the probability of a card: the locator sees the surroundings of a find, the fitter its details."""
        fits = self.fit(image, found.quads_px)
        scores = np.sqrt(found.scores * fits.cards)
        order = np.argsort(-scores, kind="stable")
        return Located(fits.quads_px[order], scores[order], fits.backs[order] > 0.5)


def _back_in_picture(row: Floats, wide: Floats) -> Floats:
    """Corners that the network gives in cards beside those of the find, as pixels of the picture."""
    corners = CARD_IN_CROP + row[:8].reshape(4, 2) * CARD_WH
    return project(homography(frame_quad(CROP_WH), wide), corners)


def _probability(logits: NDArray[np.float64]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float64)
