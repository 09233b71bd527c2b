"""The pictures that verdicts rest on, kept as JPEG files in the match's folder."""

from __future__ import annotations

import re
from pathlib import Path

import cv2

from referee.errors import StoreError
from vision.changes import Change
from vision.geometry import straighten
from vision.sightings import Image

__all__ = ["Album"]

JPEG_QUALITY = 88
CARD_WH = (224, 320)
"""Twice what the identifier reads: a person wants to see the card, too."""


class Album:
    """Writes the pictures of one match; numbers go on where an earlier sitting has ended."""

    def __init__(self, folder: Path) -> None:
        """Pictures go to the existing `folder`."""
        self._folder = folder
        taken = [int(name[1]) for path in folder.glob("*.jpg") if (name := re.match(r"(\d+)-", path.name))]
        self._next = max(taken, default=0) + 1

    def keep(self, change: Change, scene: Image | None) -> tuple[str, ...]:
        """Ids of the pictures of `change`: the zone before and after, and the card itself if it lies open in `scene`.

        Raises `StoreError` when they cannot be written.
        """
        pictures: dict[str, Image] = {}
        if change.evidence is not None:
            pictures["before"], pictures["after"] = change.evidence
        if scene is not None and change.quad_px is not None and change.kind == "appeared":
            pictures["card"] = straighten(scene, change.quad_px, CARD_WH)
        number, self._next = self._next, self._next + 1
        return tuple(self._write(f"{number:05d}-{name}", image) for name, image in pictures.items())

    def _write(self, picture_id: str, image: Image) -> str:
        path = self._folder / f"{picture_id}.jpg"
        unfinished = path.with_suffix(".part")
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        try:
            unfinished.write_bytes(jpeg.tobytes())
            unfinished.replace(path)  # a phone never gets half a picture
        except OSError as error:
            raise StoreError(
                f"The picture {path} cannot be written: {error.strerror}.",
                hint="Is the disk full, is the folder still there?",
            ) from error
        return picture_id
