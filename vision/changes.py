"""What the eyes tell: what a person at the table would say has happened, and nothing that was not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from vision.geometry import Floats
from vision.sightings import Image, Sighting

__all__ = ["Change", "Looks", "Notice", "Who"]

Who = tuple[str, float]
"""A seat's name and how sure it is, 0 to 1."""


class Looks(Protocol):
    """Anything that finds cards in a picture; `vision.eyes.Eyes` does."""

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3), quads in its pixels."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Something has changed on the table.

    appeared    one card came to rest on top. `candidates` (face, probability) best first; empty: a card came, but it
                was covered before it could be read.
    vanished    the `count` upper cards are gone.

    It happened after `since_s`, the last frame without, and until `until_s`, the first frame with: the first one in
    which the card lies still and practically uncovered. `who` reached in, None where no seat is known or nobody was
    seen, as for a card that lies there from the start or is turned over in its place. `quad_px` (4, 2) is where the
    card lies or lay; `evidence` are pictures of the zone before and after.
    """

    kind: Literal["appeared", "vanished"]
    zone: str
    since_s: float
    until_s: float
    candidates: tuple[tuple[str, float], ...] = ()
    count: int = 1
    who: Who | None = None
    quad_px: Floats | None = None
    evidence: tuple[Image, Image] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something keeps the eyes from seeing, and the people at the table can mend it.

    too-dark    hardly any light reaches the camera
    blurred     the picture has been sharp and is not any more: lens, focus
    hand        something rests on the zone, so that nothing can be read there
    face-down   the upper card in the zone shows its back
    """

    kind: Literal["too-dark", "blurred", "hand", "face-down"]
    since_s: float
    time_s: float
