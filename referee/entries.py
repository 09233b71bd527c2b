"""Entries: the lines of the log, and how they are written down as JSON.

A line names its kind by a short word and carries a schema number, never the name of a class or a module, so that a
match of today can be read by a version of tomorrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, assert_never, get_args

from referee.cards import Face, face
from referee.errors import EntryError, RefereeError
from referee.moves import Json, Move

__all__ = ["SCHEMA", "Amend", "Body", "Call", "Declare", "Entry", "Repaired", "Retract", "Source", "Start", "as_move"]

SCHEMA = 2
"""Number of the present form of an entry. 1 lacked the version of the rules in a start."""

Source = Literal["camera", "phone", "operator"]

MOST = 10**15
"""No number in a log is larger: every program reads such numbers back as they were."""

DEPTH = 8
"""Lists and objects stand in one another at most so deep."""

SHOWN_CHARACTERS = 300


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
        except EntryError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError, RefereeError) as error:
            what = f"it lacks {error}" if isinstance(error, KeyError) else str(error).removesuffix(".")
            raise EntryError(
                f"This is not a log entry: {what}. It reads {_shown(data)}.",
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
            f"The entry has schema {_shown(schema)}, this version knows {SCHEMA} and older ones.",
            hint="Install the newest wrongcard: pip install --upgrade wrongcard",
        )
    return data


def _with_version(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A body of schema 1, where every game was played by the first version of its rules."""
    kind = body.get("type") if isinstance(body, Mapping) else None
    if kind == "amend":
        return {**body, "body": _with_version(body["body"])}
    return {**body, "version": 1} if kind == "start" else body


def _entry(data: Mapping[str, Any]) -> Entry:
    source = data["source"]
    if source not in get_args(Source):
        raise ValueError(f"source {_shown(source)} is none of {', '.join(get_args(Source))}")
    return Entry(
        match=_text(data["match"]),
        seq=_whole(data["seq"]),
        time_s=_time(data["time_s"]),
        source=source,
        body=_body_from_json(data["body"]),
        evidence=tuple(_text(one) for one in _items(data["evidence"])),
        schema=_whole(data["schema"]),
    )


def _shown(value: object) -> str:
    """A value as an error may show it: not endless, also where Python refuses to write it out."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"something of the kind {type(value).__name__}"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _text(value: object) -> str:
    # Half a character, as a broken file may hold it, cannot be stored or sent.
    if not isinstance(value, str) or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise TypeError(f"{_shown(value)} is not a text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST:
        raise TypeError(f"{_shown(value)} is not a whole number")
    return value


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST:
        raise TypeError(f"{_shown(value)} is not {what}")
    return float(value)


def _seconds(value: object) -> float | None:
    return None if value is None else _number(value, "a time in seconds")


def _time(value: object) -> float:
    time_s = _seconds(value)
    if time_s is None:
        raise TypeError("the time is missing")
    return time_s


def _items(value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{_shown(value)} is not a list")
    return value


def _object(value: object, *, depth: int = 0) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{_shown(value)} is not an object")
    return {_text(key): _json(one, depth=depth) for key, one in value.items()}


def _json(value: object, *, depth: int) -> Json:
    """A value that JSON can carry there and back."""
    if depth > DEPTH:
        raise ValueError(f"{_shown(value)} is nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        return _object(value, depth=depth + 1)
    if isinstance(value, list | tuple):
        return [_json(one, depth=depth + 1) for one in value]
    if isinstance(value, int):
        return _whole(value)
    return _number(value, "a number") if isinstance(value, float) else _text(value)


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
    assert_never(body)


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


def _body_from_json(data: object) -> Body:
    if not isinstance(data, Mapping):
        raise TypeError(f"{_shown(data)} is not an object")
    kind = _text(data["type"])
    if kind not in _READERS:
        raise ValueError(f"{kind!r} is none of the kinds of entries: {', '.join(_READERS)}")
    return _READERS[kind](data)


def _face(value: object) -> Face:
    return face(_text(value))


def _faces(value: object) -> tuple[Face, ...]:
    return tuple(map(_face, _items(value)))


def _candidate(value: object) -> tuple[Face, float]:
    card, p = _items(value)
    return _face(card), _number(p, "a probability")


def _read_start(data: Mapping[str, Any]) -> Start:
    return Start(
        game=_text(data["game"]),
        players=tuple(_text(name) for name in _items(data["players"])),
        options=_object(data["options"]),
        deck=_faces(data["deck"]),
        setup=_object(data["setup"]),
        version=_whole(data["version"]),
    )


def _read_move(data: Mapping[str, Any]) -> Move:
    cards, candidates = _faces(data["cards"]), tuple(map(_candidate, _items(data["candidates"])))
    if candidates and len(cards) != 1:
        raise ValueError(f"{_shown(data['candidates'])} are readings of one card, not of {len(cards)}")
    return Move(
        player=_text(data["player"]),
        kind=_text(data["kind"]),
        cards=cards,
        target=None if data["target"] is None else _text(data["target"]),
        data=_object(data["data"]),
        candidates=candidates,
        time_s=_seconds(data["time_s"]),
    )


def _read_declare(data: Mapping[str, Any]) -> Declare:
    value = data["value"]
    return Declare(
        _text(data["player"]), _text(data["kind"]), _text(value) if isinstance(value, str) else _whole(value)
    )


def _read_call(data: Mapping[str, Any]) -> Call:
    card = None if data["card"] is None else _face(data["card"])
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
