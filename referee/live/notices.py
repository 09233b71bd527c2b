"""What the table is told besides verdicts: sentences by kind, shown for as long as they hold."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["NoticeBoard", "notice_texts"]

SHOWN_S = 10.0
"""The eyes tell when something begins to trouble them, not when it ends; a trouble that lasts is told again."""
_CLEARED_BY_A_CARD = ("hand", "face-down", "stuck")
"""Whoever reads a card knows that the pile can be seen."""


@cache
def notice_texts() -> Mapping[str, Mapping[str, str]]:
    """The sentences by kind and language: constant data, read once."""
    text = resources.files("referee.live").joinpath("notices.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class NoticeBoard:
    """The notices that hang at the moment; times are seconds since the start of capture."""

    def __init__(self) -> None:
        self._until_s: dict[str, float] = {}

    def put(self, kind: str, time_s: float, *, lasting: bool = False) -> None:
        """Hang up the notice `kind`, for good when `lasting`."""
        self._until_s[kind] = float("inf") if lasting else time_s + SHOWN_S

    def take(self, kind: str) -> None:
        """Take the notice `kind` down, if it hangs."""
        self._until_s.pop(kind, None)

    def card_seen(self) -> None:
        """A card was read: what hindered that is over."""
        for kind in _CLEARED_BY_A_CARD:
            self.take(kind)

    def shown(self, time_s: float) -> list[dict[str, Any]]:
        """What hangs at `time_s`, as phones get it."""
        self._until_s = {kind: until_s for kind, until_s in self._until_s.items() if until_s > time_s}
        return [{"id": kind, "text": dict(notice_texts()[kind])} for kind in self._until_s]
