"""What was said at a recorded table: the lines of `truth.jsonl` that no camera can see, as a phone would send them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.cards import face
from referee.entries import Body, Call, Declare
from referee.errors import MoveError
from referee.moves import TABLE, Change, Move
from vision.recording import Truth

__all__ = ["DECLARATIONS", "HOLD_S", "Agenda", "Declared", "declared"]

DECLARATIONS = ("name", "war", "ask", "answer", "call", "start")
"""The kinds of lines that are fed to the match; all others are what the eyes have to find out by themselves."""

HOLD_S = 0.75
"""The eyes need up to this long to tell of a card that has come to rest. What is said in the meantime waits, so that a
call meets the card that lay there when it was made."""

_VALUES = ("target", "value", "colour", "say", "n")


@dataclass(frozen=True, slots=True)
class Declared:
    """Something said at `time_s`."""

    time_s: float
    body: Body


def declared(truth: Iterable[Truth]) -> tuple[Declared, ...]:
    """Everything that was said, in the order of time. Raises `MoveError` for a line that says too little."""
    said = [line for line in truth if line.kind in DECLARATIONS]
    return tuple(Declared(line.time_s, _body(line)) for line in sorted(said, key=lambda line: line.time_s))


def _body(line: Truth) -> Body:
    if line.kind == "start":
        return Move(TABLE, "start", time_s=line.time_s)
    if line.player is None:
        raise MoveError(f"The '{line.kind}' at {line.time_s:g} s does not say who.", hint='Add "player": "...".')
    if line.kind == "call":
        card = face(line.cards[0]) if line.cards else None
        return Call(line.player, str(line.more.get("target", "wrong-card")), card, line.time_s)
    return Declare(line.player, line.kind, _value(line))


def _value(line: Truth) -> str | int:
    given = [line.more[key] for key in _VALUES if key in line.more]
    for value in given:
        if isinstance(value, str | int) and not isinstance(value, bool):
            return value
    raise MoveError(
        f"The '{line.kind}' of {line.player} at {line.time_s:g} s does not say what.",
        hint=f"Add one of: {', '.join(_VALUES)}.",
    )


class Agenda:
    """Puts what is seen and what was said into the order in which it happened."""

    def __init__(self, said: Iterable[Declared] = ()) -> None:
        """`said` in the order of time."""
        self._said = deque(said)

    def with_changes(self, changes: Iterable[Change], now_s: float) -> Iterator[Change | Declared]:
        """The changes told at `now_s`, and between them what was said before each, and long enough ago."""
        for change in changes:
            yield from self._until(change.until_s)
            yield change
        yield from self._until(now_s - HOLD_S)

    def rest(self) -> Iterator[Declared]:
        """What is left when the pictures have ended."""
        yield from self._until(float("inf"))

    def _until(self, time_s: float) -> Iterator[Declared]:
        while self._said and self._said[0].time_s <= time_s:
            yield self._said.popleft()
