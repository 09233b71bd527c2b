"""The eyes as one thing: a picture goes in, sightings come out."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats, upright_quad
from vision.identify import Identifier
from vision.locate import Locator
from vision.refine import refine_quad
from vision.sightings import Image, Sighting

__all__ = ["Eyes"]

Named = tuple[Floats, tuple[tuple[str, float], ...]]
"""A quad in the card's own orientation and its candidates, best first."""


SURELY_FRONT = 0.9
"""What reads as a face with this probability is a front, whatever side the locator took it for."""


class Eyes:
    """Locator and identifier of the deck in play; without an identifier cards are found but not named."""

    def __init__(self, locator: Locator, identifier: Identifier | None) -> None:
        self.locator, self.identifier = locator, identifier

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3), best located first, with their sides pulled onto the edges in the picture.

        Each card is read twice, as located and as refined, and the surer reading counts: where refining has followed a
        wrong edge, the crop shows less of the card, and the identifier is less sure of it.
        """
        located = self.locator.locate(image)
        quads_px = np.array([refine_quad(image, quad) for quad in located.quads_px]).reshape(-1, 4, 2)
        plain = self._read(image, located.quads_px)
        refined = self._read(image, quads_px)
        readings = {index: max(reading, plain[index], key=_sureness) for index, reading in refined.items()}
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
