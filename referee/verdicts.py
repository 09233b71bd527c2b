"""Verdicts: what the referee says about a move. They are recomputed from the log and never stored as truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.cards import Face
from referee.moves import Json, Move

__all__ = ["Ask", "Correction", "Finding", "Result", "Ruling", "Step", "Verdict"]

Ruling = Literal["legal", "pending", "foul", "void", "upheld", "rejected", "accepted", "disproved"]
"""The words of the rules: what becomes of the action."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule applied to cards: a fault where it was broken, a ground where it explains the ruling.

    facts    what a sentence about it needs, JSON-ready; `case` picks among several sentences of one rule
    certain  False when it rests on a reading or an owner that is not sure
    """

    rule: str
    cards: tuple[Face, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict, hash=False)
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One physical step of a remedy.

    player  who does it, or `TABLE` for everybody together
    action  take, draw, discard, turn or setup
    cards   the faces moved, in this order; `count` says how many they are, also where they are not known
    to      where they go: discard, hand, open, hidden, pile
    how     which sentence describes it
    """

    player: str
    action: str
    cards: tuple[Face, ...] = ()
    count: int = 0
    to: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the table. `player` is who should answer (None: anybody), `seq` the entry that it is about."""

    kind: str
    seq: int | None = None
    player: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A name for the question that stays the same for as long as it is open."""
        return f"{self.kind}-{self.seq}" if self.seq is not None else f"{self.kind}-{self.player or 'table'}"


@dataclass(frozen=True, slots=True)
class Result:
    """How something ended. `points` are totals over the series, `wrong` the faults listed only afterwards.

    `fatality` names the special last play that decided it.
    """

    over: Literal["round", "game", "series"]
    reason: str
    winners: tuple[str, ...]
    points: tuple[tuple[str, int], ...] = ()
    wrong: tuple[Face, ...] = ()
    fatality: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The ruling on one move.

    seq        number of the entry judged; None until the log numbers it
    beneath    the card that the played one was compared with, where there is one
    faults     every rule broken
    grounds    rules and decisions that explain the ruling although nothing was broken
    reminders  duties missed without a consequence
    proves     rules shown broken by an earlier claim
    remedy     ordered physical steps
    result     set when the move ended something
    routine    nothing that anybody needs to be told
    changed    for a correction: the entries whose verdicts read differently now
    scores     for a correction: players whose score reads differently now, with the score before and after
    """

    move: Move
    ruling: Ruling
    seq: int | None = None
    beneath: Face | None = None
    faults: tuple[Finding, ...] = ()
    grounds: tuple[Finding, ...] = ()
    reminders: tuple[Finding, ...] = ()
    proves: tuple[str, ...] = ()
    remedy: tuple[Step, ...] = ()
    asks: tuple[Ask, ...] = ()
    result: Result | None = None
    routine: bool = False
    evidence: tuple[str, ...] = ()
    changed: tuple[int, ...] = ()
    scores: tuple[tuple[str, int, int], ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of the broken rules."""
        return tuple(fault.rule for fault in self.faults)


@dataclass(frozen=True, slots=True)
class Correction:
    """What one correction of the log has changed.

    seq     number of the correcting entry
    of      number of the corrected one
    pairs   every verdict that reads differently now, as it was and as it is; None where there was or is none
    scores  players whose score reads differently now, with the score before and after
    """

    seq: int
    of: int
    pairs: tuple[tuple[Verdict | None, Verdict | None], ...] = ()
    scores: tuple[tuple[str, int, int], ...] = ()

    @property
    def changed(self) -> tuple[int, ...]:
        """The entries whose verdicts read differently now."""
        seqs = (one.seq for pair in self.pairs for one in pair if one is not None)
        return tuple(dict.fromkeys(seq for seq in seqs if seq is not None))
