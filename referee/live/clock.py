"""What time it is at the table, also between two pictures."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["CaptureClock"]


class CaptureClock:
    """Seconds since the start of capture, going on across several sittings of the camera.

    The eyes' thread tells it the time of every picture that they are through with; the event loop asks for the time
    of a press. Each of the two values that both threads share is replaced as a whole, so no lock is needed.
    """

    def __init__(
        self, *, begin_s: float = 0.0, speed: float = 1.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Starts at `begin_s`; a film that is shown at `speed` 2 makes twice the seconds of the wall."""
        self._monotonic = monotonic
        self._speed = speed
        self._base_s = begin_s
        self._mark = (begin_s, monotonic())

    @property
    def base_s(self) -> float:
        """When the present sitting began."""
        return self._base_s

    @property
    def seen_s(self) -> float:
        """The time of the last picture that the eyes are through with."""
        return self._mark[0]

    def sit_down(self) -> None:
        """A new sitting begins now: its pictures count from 0 again."""
        self._base_s = self.now()
        self._mark = (self._base_s, self._monotonic())

    def saw(self, time_s: float) -> float:
        """The eyes are through with the picture at `time_s` of this sitting; the same in seconds of the capture."""
        self._mark = (self._base_s + time_s, self._monotonic())
        return self._mark[0]

    def now(self) -> float:
        """Seconds since the start of capture."""
        seen_s, at_s = self._mark
        return seen_s + (self._monotonic() - at_s) * self._speed
