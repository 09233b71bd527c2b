"""What the eyes report: frames go in, sightings come out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

__all__ = ["UNSURE_BELOW", "Frame", "Image", "Located", "Sighting"]

Image = NDArray[np.uint8]
"""(H, W, 3) blue, green, red."""

UNSURE_BELOW = 0.75
"""A face that is less probable than this is not named; the candidates are still told."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream; `time_s` since the start of the capture is the only clock behind it."""

    image: Image
    index: int
    time_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Cards found in a picture, best first: quads_px (n, 4, 2), scores (n,) 0 to 1, backs (n,) bool.

    The corners run clockwise from one end of the card; which end is its head only the identifier can tell.
    """

    quads_px: Floats
    scores: Floats
    backs: NDArray[np.bool_]

    def __post_init__(self) -> None:
        count = len(self.scores)
        if self.quads_px.shape != (count, 4, 2) or self.backs.shape != (count,):
            raise ValueError(
                f"expected quads (n, 4, 2) and backs (n,) for n = {count} scores, "
                f"got {self.quads_px.shape} and {self.backs.shape}"
            )

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Located:
        return Located(self.quads_px[chosen], self.scores[chosen], self.backs[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One card in one picture: quad_px (4, 2) TL TR BR BL in the card's own orientation, `side` front or back,
    candidates (face, probability) best first, empty for a back; `score` of the locator."""

    quad_px: Floats
    side: str
    score: float
    candidates: tuple[tuple[str, float], ...] = ()

    @property
    def face(self) -> str | None:
        """The face when it is sure enough to be named, else None."""
        if self.candidates and self.candidates[0][1] >= UNSURE_BELOW:
            return self.candidates[0][0]
        return None
