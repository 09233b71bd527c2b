"""The one door between the eyes and the referee: a change in pixels becomes a change in plain values."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Face
from referee.moves import Change
from vision.changes import Change as SeenChange

__all__ = ["PLAUSIBLE", "plausible", "translate"]

PLAUSIBLE = 0.1
"""A face less probable than this beside a better one is no doubt worth a question to the table."""


def translate(seen: SeenChange, *, base_s: float = 0.0, evidence: tuple[str, ...] = ()) -> tuple[Change, ...]:
    """What the eyes told as the referee's changes, one a card; `base_s` is when the camera's clock started."""
    who, confidence = seen.who or (None, 0.0)
    change = Change(
        what=seen.kind,
        zone=seen.zone,
        since_s=base_s + seen.since_s,
        until_s=base_s + seen.until_s,
        candidates=plausible(seen.candidates),
        who=who,
        who_confidence=confidence,
        evidence=evidence,
    )
    return (change,) * (seen.count if seen.kind == "vanished" else 1)


def plausible(candidates: Iterable[tuple[str, float]]) -> tuple[tuple[Face, float], ...]:
    """The faces that a card may have, best first: those that are not negligible beside the best one."""
    ordered = sorted(candidates, key=lambda one: -one[1])
    return tuple((Face(face), p) for face, p in ordered if p >= PLAUSIBLE)
