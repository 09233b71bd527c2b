"""Moves: what somebody at the table did, in the vocabulary of the game, before anybody has judged it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.cards import Face

__all__ = ["TABLE", "UNCLEAR", "Change", "Json", "Move"]

Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None
"""A value that JSON can carry."""

TABLE = "table"
"""Who acts when the dealer or the game does: deals, draws and turned-up cards are moves too."""

UNCLEAR = "?"
"""Who acts when nobody could see it."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action at the table.

    player      a name, `TABLE` or `UNCLEAR`
    kind        a word of the game's vocabulary, for example `play`, `discard`, `call`
    cards       the faces concerned, in the order in which they were laid
    target      what or whom it is aimed at: the kind of a call, a colour, another player
    data        further facts, for example `{"say": "red"}` or `{"from": "discard"}`
    candidates  the plausible faces of an uncertainly read card with their probabilities, best first; else empty
    time_s      when it happened, in seconds since the start of capture; None where time does not matter
    seq         the number of the entry it was written down in, set when the log is folded, never stored
    late        the table had long played on when a correction changed what this move is worth: it stands, a fault is
                only noted, since nobody can be stopped in the past; set when the log is folded, never stored
    """

    player: str
    kind: str
    cards: tuple[Face, ...] = ()
    target: str | None = None
    data: Mapping[str, Json] = field(default_factory=dict, hash=False)
    candidates: tuple[tuple[Face, float], ...] = ()
    time_s: float | None = None
    seq: int | None = None
    late: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What the eyes say has happened, in plain values: the only thing that reaches the referee from a camera.

    what            appeared, vanished or turned (from one side to the other)
    zone            where: `pile`, `draw`, `burn` or `seat.<player>`
    candidates      the plausible faces with their probabilities, in any order; empty when the face was not read.
                    `back` is a card lying face down.
    since_s         time of the last frame before it, seconds since the start of capture
    until_s         time of the first frame after it
    who             the player whose hand it was, as far as it was seen
    who_confidence  0-1
    evidence        ids of the pictures
    """

    what: Literal["appeared", "vanished", "turned"]
    zone: str
    since_s: float
    until_s: float
    candidates: tuple[tuple[Face, float], ...] = ()
    who: str | None = None
    who_confidence: float = 0.0
    evidence: tuple[str, ...] = ()

    @property
    def owner(self) -> str | None:
        """Whose seat it happened at, or None for the common zones."""
        kind, _, name = self.zone.partition(".")
        return name if kind == "seat" and name else None
