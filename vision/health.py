"""Can the eyes see at all? Light and sharpness of the whole picture, looked at now and then."""

from __future__ import annotations

import cv2
import numpy as np

from vision.changes import Notice
from vision.sightings import Frame, Image

__all__ = ["Health"]

EVERY_S = 1.0
DARK_LEVEL = 28.0
"""Mean grey level below which the print of a card drowns in the noise of a common camera."""
BLURRED_SHARE = 0.2
"""Sharpness against the best of this session below which an index cannot be read: a smudged lens, a lost focus."""
TOLD_AFTER_S = 3.0
"""A hand or a sleeve close to the lens is gone by then."""


class Health:
    """Tells each condition once, when it has lasted, and again only after it was gone."""

    def __init__(self) -> None:
        self._next_s = float("-inf")
        self._best = 0.0
        self._since_s: dict[str, float] = {}
        self._told: set[str] = set()

    def see(self, frame: Frame) -> tuple[Notice, ...]:
        """What is to be told now."""
        if frame.time_s < self._next_s:
            return ()
        self._next_s = frame.time_s + EVERY_S
        grey = _small(frame.image)
        sharpness = float(cv2.Laplacian(grey, cv2.CV_32F).var())
        self._best = max(self._best, sharpness)
        dark = self.lasts("too-dark", bool(grey.mean() < DARK_LEVEL), frame.time_s)
        blurred = self.lasts("blurred", sharpness < BLURRED_SHARE * self._best and not dark, frame.time_s)
        notices = []
        if dark is not None:
            notices.append(Notice("too-dark", dark, frame.time_s))
        if blurred is not None:
            notices.append(Notice("blurred", blurred, frame.time_s))
        return tuple(notices)

    def lasts(self, kind: str, holds: bool, time_s: float) -> float | None:
        """Since when a condition has held, once, as soon as it has held for long enough."""
        if not holds:
            self._since_s.pop(kind, None)
            self._told.discard(kind)
            return None
        since_s = self._since_s.setdefault(kind, time_s)
        if kind in self._told or time_s - since_s < TOLD_AFTER_S:
            return None
        self._told.add(kind)
        return since_s


def _small(image: Image) -> Image:
    """A quarter of the width and height, grey: (h, w)."""
    thinned = np.ascontiguousarray(image[::4, ::4])
    return np.asarray(cv2.cvtColor(thinned, cv2.COLOR_BGR2GRAY), np.uint8)
