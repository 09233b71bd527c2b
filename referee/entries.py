"""Entries: the lines of the log, and how they are written down as JSON.

A line names its kind by a short word and carries a schema number, never the name of a class or a module, so that a
match of today can be read by a version of tomorrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from referee.cards import Face, face, faces
from referee.errors import EntryError, RefereeError
from referee.moves import Json, Move

__all__ = ["SCHEMA", "Amend", "Body", "Call", "Declare", "Entry", "Repaired", "Retract", "Source", "Start", "as_move"]

SCHEMA = 2
"""Number of the present form of an entry. 1 lacked the version of the rules in a start."""

Source = Literal["camera", "phone", "operator"]


@dataclass(frozen=True, slots=True)
class Start:
    """A game begins.

    players  names in seating order
    options  house rules that differ from the defaults
    deck     every face of the deck, copies included, where it is known; else empty
    setup    the position it begins from, in the keys of the game
    version  number of the game's rules when the match was begun (`Game.version`)
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Json] = field(default_factory=dict, hash=False)
    deck: tuple[Face, ...] = ()
    setup: Mapping[str, Json] = field(default_factory=dict, hash=False)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Declare:
    """Something said that no camera sees: a colour, an announcement, a number of cards."""

    player: str
    kind: str
    value: str | int


@dataclass(frozen=True, slots=True)
class Call:
    """A challenge or a claim: `wrong-card`, `stuck`, `mine`. `card` names the card meant, where somebody said which.

    `pressed_s` is the moment of the press where it is known better than by the entry's time.
    """

    player: str
    kind: str
    card: Face | None = None
    pressed_s: float | None = None


@dataclass(frozen=True, slots=True)
class Amend:
    """Entry `of` should read `body`. Everything after it is judged anew."""

    of: int
    body: Body


@dataclass(frozen=True, slots=True)
class Retract:
    """Entry `of` never happened. Retracting a correction brings back what it had corrected."""

    of: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """The table shows what verdict `of` ordered. Said by a person it also means: go on."""

    of: int


Body: TypeAlias = Start | Move | Declare | Call | Amend | Retract | Repaired


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the append-only log.

    seq       1, 2, 3 ... within the match
    time_s    seconds since the start of capture
    source    who vouches for it
    evidence  ids of the pictures it rests on
    """

    match: str
    seq: int
    time_s: float
    source: Source
    body: Body
    evidence: tuple[str, ...] = ()
    schema: int = SCHEMA

    def to_json(self) -> dict[str, Any]:
        """The entry as a JSON-ready dict; `Entry.from_json` is its inverse."""
        return {
            "schema": self.schema,
            "match": self.match,
            "seq": self.seq,
            "time_s": self.time_s,
            "source": self.source,
            "body": _body_to_json(self.body),
            "evidence": list(self.evidence),
        }

    @staticmethod
    def from_json(data: object) -> Entry:
        """The entry written down as `data`. Raises `EntryError`, which says what is wrong with it."""
        try:
            return _entry(_upcast(data))
        except (KeyError, TypeError, ValueError, RefereeError) as error:
            raise EntryError(
                f"This is not a log entry: {data!r} ({type(error).__name__}: {error}).",
                hint=getattr(error, "hint", "") or "The log was damaged or written by another program.",
            ) from error


def as_move(body: Move | Declare | Call) -> Move:
    """What was done, as a move of the game: declarations and calls are moves whose kind the camera cannot see."""
    if isinstance(body, Move):
        return body
    if isinstance(body, Declare):
        target = body.value if isinstance(body.value, str) else None
        data: dict[str, Json] = {} if target is not None else {"n": body.value}
        return Move(body.player, body.kind, target=target, data=data)
    cards = () if body.card is None else (body.card,)
    return Move(body.player, "call", cards=cards, target=body.kind, time_s=body.pressed_s)


def _upcast(data: object) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise TypeError("an entry is an object")
    schema = data["schema"]
    if schema == 1:
        return {**data, "schema": SCHEMA, "body": _with_version(data["body"])}
    if schema != SCHEMA:
        raise EntryError(
            f"The entry has schema {schema!r}, this version knows {SCHEMA} and older ones.",
            hint="Install the newest wrongcard: pip install --upgrade wrongcard",
        )
    return data


def _with_version(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A body of schema 1, where every game was played by the first version of its rules."""
    if body["type"] == "amend":
        return {**body, "body": _with_version(body["body"])}
    return {**body, "version": 1} if body["type"] == "start" else body


def _entry(data: Mapping[str, Any]) -> Entry:
    source = data["source"]
    if source not in get_args(Source):
        raise ValueError(f"source {source!r} is none of {', '.join(get_args(Source))}")
    return Entry(
        match=_text(data["match"]),
        seq=_whole(data["seq"]),
        time_s=_time(data["time_s"]),
        source=source,
        body=_body_from_json(data["body"]),
        evidence=tuple(_text(one) for one in data["evidence"]),
        schema=_whole(data["schema"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a time in seconds")
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is not a time in seconds")
    return float(value)


def _time(value: object) -> float:
    time_s = _seconds(value)
    if time_s is None:
        raise TypeError("the time is missing")
    return time_s


def _body_to_json(body: Body) -> dict[str, Any]:
    match body:
        case Start():
            return {
                "type": "start",
                "game": body.game,
                "players": list(body.players),
                "options": dict(body.options),
                "deck": list(body.deck),
                "setup": dict(body.setup),
                "version": body.version,
            }
        case Move():
            return _move_to_json(body)
        case Declare():
            return {"type": "declare", "player": body.player, "kind": body.kind, "value": body.value}
        case Call():
            call = {"type": "call", "player": body.player, "kind": body.kind}
            return call | {"card": body.card, "pressed_s": body.pressed_s}
        case Amend():
            return {"type": "amend", "of": body.of, "body": _body_to_json(body.body)}
        case Retract():
            return {"type": "retract", "of": body.of}
        case Repaired():
            return {"type": "repaired", "of": body.of}


def _move_to_json(move: Move) -> dict[str, Any]:
    return {
        "type": "move",
        "player": move.player,
        "kind": move.kind,
        "cards": list(move.cards),
        "target": move.target,
        "data": dict(move.data),
        "candidates": [[card, p] for card, p in move.candidates],
        "time_s": move.time_s,
    }


def _body_from_json(data: Mapping[str, Any]) -> Body:
    kind = data["type"]
    if kind not in _READERS:
        raise ValueError(f"{kind!r} is none of the kinds of entries: {', '.join(_READERS)}")
    return _READERS[kind](data)


def _read_start(data: Mapping[str, Any]) -> Start:
    return Start(
        game=_text(data["game"]),
        players=tuple(_text(name) for name in data["players"]),
        options=dict(data["options"]),
        deck=faces(data["deck"]),
        setup=dict(data["setup"]),
        version=_whole(data["version"]),
    )


def _read_move(data: Mapping[str, Any]) -> Move:
    return Move(
        player=_text(data["player"]),
        kind=_text(data["kind"]),
        cards=faces(data["cards"]),
        target=None if data["target"] is None else _text(data["target"]),
        data=dict(data["data"]),
        candidates=tuple((face(card), float(p)) for card, p in data["candidates"]),
        time_s=_seconds(data["time_s"]),
    )


def _read_declare(data: Mapping[str, Any]) -> Declare:
    value = data["value"]
    return Declare(_text(data["player"]), _text(data["kind"]), value if isinstance(value, str) else _whole(value))


def _read_call(data: Mapping[str, Any]) -> Call:
    card = None if data["card"] is None else face(data["card"])
    return Call(_text(data["player"]), _text(data["kind"]), card, _seconds(data["pressed_s"]))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Body]] = {
    "start": _read_start,
    "move": _read_move,
    "declare": _read_declare,
    "call": _read_call,
    "amend": lambda data: Amend(_whole(data["of"]), _body_from_json(data["body"])),
    "retract": lambda data: Retract(_whole(data["of"])),
    "repaired": lambda data: Repaired(_whole(data["of"])),
}
