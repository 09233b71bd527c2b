"""Errors of the eyes, one branch per decision of the caller.

VisionError                 anything that the person at the table can do something about
├── CameraError             no picture comes: other camera, other address, check the cable
├── RecordingError          a recording's folder, video or truth is broken: other file
├── ModelError              weights are missing or not the ones that were published: reinstall
├── DeckError               a deck's folder is incomplete or contradicts itself: mend the deck
└── TeachingError           scenes, training or export cannot go on: install, free disk, other folder
"""

from __future__ import annotations

__all__ = ["CameraError", "DeckError", "ModelError", "RecordingError", "TeachingError", "VisionError"]


class VisionError(Exception):
    """What is wrong and where (`str(error)`), and what to do about it (`hint`)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class CameraError(VisionError):
    """A camera, stream or picture file gives no picture."""


class RecordingError(VisionError):
    """A recording cannot be read to its end."""


class ModelError(VisionError):
    """Weights are missing, damaged or of another kind than their manifest says."""


class DeckError(VisionError):
    """A deck's folder is incomplete or contradicts itself."""


class TeachingError(VisionError):
    """Rendering, training, exporting or measuring cannot go on."""
