"""The eyes as one thing: a picture goes in, sightings come out."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, bounds_xyxy, upright_quad
from vision.identify import Identifier
from vision.locate import Locator
from vision.refine import refine_quad
from vision.sightings import Image, Located, Sighting

__all__ = ["Eyes", "sharpness"]


Named = tuple[Floats, tuple[tuple[str, float], ...]]
"""A quad in the card's own orientation and its candidates, best first."""


SURELY_FRONT = 0.9
"""What reads as a face with this probability is a front, whatever side the locator took it for."""


class Eyes:
    """Locator and identifier of the deck in play; without an identifier cards are found but not named."""

    def __init__(self, locator: Locator, identifier: Identifier | None) -> None:
        self.locator, self.identifier = locator, identifier

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3), best located first, with their sides pulled onto the edges in the picture."""
        located = self.locator.locate(image)
        refined = np.array([refine_quad(image, quad) for quad in located.quads_px]).reshape(-1, 4, 2)
        return self.name(image, located, refined)

    def name(self, image: Image, located: Located, refined_px: Floats | None = None) -> tuple[Sighting, ...]:
        """Sightings of what has been located in `image`.

        With refined quads (n, 4, 2) each card is read twice and the surer reading counts: where refining has followed a
        wrong edge, the crop shows less of the card, and the identifier is less sure of it.
        """
        quads_px = located.quads_px if refined_px is None else refined_px
        readings = self._read(image, quads_px)
        if refined_px is not None:
            plain = self._read(image, located.quads_px)
            readings = {index: max(reading, plain[index], key=_sureness) for index, reading in readings.items()}
        sightings = []
        for index, (quad, score) in enumerate(zip(quads_px, located.scores, strict=True)):
            own, candidates = readings.get(index, (upright_quad(quad), ()))
            back = bool(located.backs[index]) and not (candidates and candidates[0][1] >= SURELY_FRONT)
            sightings.append(Sighting(own, "back" if back else "front", float(score), () if back else candidates))
        return tuple(sightings)

    def _read(self, image: Image, quads_px: Floats) -> dict[int, Named]:
        """Every quad by its number: in the card's own orientation, with candidates."""
        if self.identifier is None or not len(quads_px):
            return {}
        named = self.identifier.name(image, quads_px)
        return {index: (quad, reading.candidates) for index, (quad, reading) in enumerate(named)}


def _sureness(named: Named) -> float:
    return named[1][0][1] if named[1] else 0.0


def sharpness(image: Image, sighting: Sighting) -> float:
    """Variance of the Laplacian inside the bounds of a card: small for a blurred one (Pech-Pacheco et al., 2000)."""
    x0, y0, x1, y1 = np.round(bounds_xyxy(sighting.quad_px)).astype(int)
    patch = image[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    if patch.size == 0:
        return 0.0
    return float(cv2.Laplacian(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())
