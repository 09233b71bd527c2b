"""The eyes as one thing: a picture goes in, sightings come out."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import bounds_xyxy, upright_quad
from vision.identify import Identifier
from vision.locate import Locator
from vision.refine import refine_quad
from vision.sightings import Image, Located, Sighting

__all__ = ["Eyes", "sharpness"]


class Eyes:
    """Locator and identifier of the deck in play; without an identifier cards are found but not named."""

    def __init__(self, locator: Locator, identifier: Identifier | None) -> None:
        self.locator, self.identifier = locator, identifier

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3), best located first."""
        located = self.locator.locate(image)
        quads_px = [refine_quad(image, quad) for quad in located.quads_px]
        return self.name(image, Located(np.array(quads_px).reshape(-1, 4, 2), located.scores, located.backs))

    def name(self, image: Image, located: Located) -> tuple[Sighting, ...]:
        """Sightings of what has been located in `image`."""
        fronts = np.flatnonzero(~located.backs)
        named = {}
        if self.identifier is not None and len(fronts):
            named = dict(zip(fronts.tolist(), self.identifier.name(image, located.quads_px[fronts]), strict=True))
        sightings = []
        for index in range(len(located)):
            score = float(located.scores[index])
            if index in named:
                quad, reading = named[index]
                sightings.append(Sighting(quad, "front", score, reading.candidates))
            else:
                side = "back" if located.backs[index] else "front"
                sightings.append(Sighting(upright_quad(located.quads_px[index]), side, score))
        return tuple(sightings)


def sharpness(image: Image, sighting: Sighting) -> float:
    """Variance of the Laplacian inside the bounds of a card: small for a blurred one (Pech-Pacheco et al., 2000)."""
    x0, y0, x1, y1 = np.round(bounds_xyxy(sighting.quad_px)).astype(int)
    patch = image[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    if patch.size == 0:
        return 0.0
    return float(cv2.Laplacian(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())
