"""The eyes as one thing: a picture goes in, sightings come out."""

from __future__ import annotations

from pathlib import Path

from vision.agreement import VOTES, agree
from vision.fit import Fitter
from vision.identify import Identifier
from vision.locate import Locator, suppress
from vision.sightings import Image, Located, Sighting

__all__ = ["Eyes", "open_eyes"]

SURE_CARD = 0.4
"""What scores less is not told: chosen on rendered pictures, see models/fit.md."""
SURELY_FRONT = 0.9
"""What reads as a face with this probability is a front, whatever side the fitter took it for."""


class Eyes:
    """Locator, fitter and identifier of the deck in play."""

    def __init__(self, locator: Locator, fitter: Fitter, identifier: Identifier) -> None:
        self.locator, self.fitter, self.identifier = locator, fitter, identifier

    def find(self, image: Image) -> Located:
        """All cards in `image` (H, W, 3), best first.

        A first closer look moves what each size shows onto a card, so that the sizes can agree about it; a second one
        puts the corners in their place.
        """
        looks = [suppress(self.fitter.settle(image, look)) for look in self.locator.looks(image)]
        agreed = agree(looks, votes=VOTES if len(looks) >= VOTES else 1)
        agreed = agreed[agreed.scores >= SURE_CARD]
        fits = self.fitter.fit(image, agreed.quads_px)
        return suppress(Located(fits.quads_px, agreed.scores, fits.backs > 0.5))

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3) with their names, best found first."""
        found = self.find(image)
        sightings = []
        named = self.identifier.name(image, found.quads_px)
        for (own, reading), score, looks_back in zip(named, found.scores, found.backs, strict=True):
            candidates = reading.candidates
            back = bool(looks_back) and not (candidates and candidates[0][1] >= SURELY_FRONT)
            sightings.append(Sighting(own, "back" if back else "front", float(score), () if back else candidates))
        return tuple(sightings)


def open_eyes(deck: str, *, long_sides: tuple[int, ...] = (640,), models: Path | None = None, threads: int = 0) -> Eyes:
    """Eyes that read `deck`, with the weights in the folder `models`, or else the shipped ones.

    Raises `ModelError` with what is missing.
    """
    return Eyes(
        Locator(long_sides=long_sides, folder=models, threads=threads),
        Fitter(folder=models, threads=threads),
        Identifier(deck, folder=models, threads=threads),
    )
