"""What the eyes' thread tells the table: the one kind of message that crosses from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.live.declared import Declared
from referee.moves import Change

__all__ = ["Event", "News"]

Event = Literal["lost", "back", "end"]
"""The camera is gone, the camera is back, the film has come to its end."""


@dataclass(frozen=True, slots=True)
class News:
    """What has become known at `told_s`, in seconds since the start of capture.

    items    changes, and what a recording says was said, in the order in which it happened
    notices  kinds of what troubles the eyes
    """

    told_s: float
    items: tuple[Change | Declared, ...] = ()
    notices: tuple[str, ...] = ()
    event: Event | None = None
