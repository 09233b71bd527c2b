"""Identify: name a straightened card within the deck in play.

One small network a deck family answers, for a batch of crops, which face it is, whether the crop stands upright, and
whether it is a face of this deck at all. Probabilities are calibrated with one temperature from the manifest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.geometry import Floats, shift_corners, straighten, upright_quad
from vision.sightings import Image
from vision.weights import load_weights, manifest_names, open_session

__all__ = ["CROP_WH", "Identifier", "Reading", "crops_of"]

CROP_WH = (112, 160)
"""Width and height of a straightened card: at 160 px an index is still legible, and a batch stays cheap."""
CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """What one crop shows: (face, probability) best first, and whether it has to be turned by 180 degrees.

    The probabilities of all faces and of `no face of this deck` sum to 1.
    """

    candidates: tuple[tuple[str, float], ...]
    upside_down: bool


def crops_of(image: Image, quads_px: Floats) -> NDArray[np.uint8]:
    """The straightened cards (n, 160, 112, 3) inside quads (n, 4, 2); the short edges become top and bottom."""
    crops = [straighten(image, upright_quad(quad), CROP_WH) for quad in quads_px]
    return np.stack(crops) if crops else np.zeros((0, CROP_WH[1], CROP_WH[0], 3), np.uint8)


class Identifier:
    """Names the faces of one deck."""

    def __init__(self, deck_name: str, *, folder: Path | None = None, threads: int = 0) -> None:
        name = f"identify-{deck_name}"
        if name not in manifest_names(folder):
            known = [n.removeprefix("identify-") for n in manifest_names(folder) if n.startswith("identify-")]
            raise ModelError(
                f"No model can read the deck '{deck_name}' yet.", hint=f"Decks that can be read: {', '.join(known)}"
            )
        self.weights = load_weights(name, folder)
        self.faces: tuple[str, ...] = tuple(self.weights.about["faces"])
        self.temperature = float(self.weights.about["temperature"])
        self.turns = not self.weights.about["half_turn_symmetric"]
        self.session = open_session(self.weights, threads=threads)

    def read(self, crops: NDArray[np.uint8]) -> tuple[Reading, ...]:
        """Readings of crops (n, 160, 112, 3) BGR."""
        if not len(crops):
            return ()
        tensor = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).astype(np.float32) / 255
        logits, turned = (np.asarray(part, np.float64) for part in self.session.run(None, {"crops": tensor}))
        probabilities = _softmax(logits / self.temperature)
        return tuple(self._reading(row, float(turn)) for row, turn in zip(probabilities, turned[:, 0], strict=True))

    def _reading(self, probabilities: Floats, turned_logit: float) -> Reading:
        order = np.argsort(-probabilities[: len(self.faces)], kind="stable")[:CANDIDATES]
        candidates = tuple((self.faces[index], round(float(probabilities[index]), 4)) for index in order)
        return Reading(candidates, self.turns and turned_logit > 0)

    def name(self, image: Image, quads_px: Floats) -> tuple[tuple[Floats, Reading], ...]:
        """For each quad (n, 4, 2) in `image` the quad in the card's own orientation and the reading."""
        readings = self.read(crops_of(image, quads_px))
        named = []
        for quad, reading in zip(quads_px, readings, strict=True):
            own = upright_quad(quad)
            named.append((shift_corners(own, 2) if reading.upside_down else own, reading))
        return tuple(named)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)
