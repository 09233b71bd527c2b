"""The errors that somebody at the table can do something about, of all parts of the program.

RefereeError   rules, log and storage: see `referee.errors`
VisionError    cameras, recordings, weights, decks: see `vision.errors`
WebError       addresses and pages: see `referee.web.errors`
"""

from __future__ import annotations

from referee.errors import RefereeError
from referee.web.errors import WebError
from vision.errors import VisionError

__all__ = ["MENDABLE"]

MENDABLE = (RefereeError, VisionError, WebError)
"""Each of them is a sentence, with a `hint` what to do."""
