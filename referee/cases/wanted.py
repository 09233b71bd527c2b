"""What may stand in a case, key by key: each check says what is possible where a value is not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias, get_args

from referee.cards import face
from referee.errors import CardError
from referee.games.position import MOST_CARDS
from referee.moves import TABLE, UNCLEAR
from referee.verdicts import Ruling

__all__ = ["BESIDE", "OF_ACTIONS", "OF_POSITION", "OF_THEN", "Check", "actor", "is_text", "mapping", "texts"]

Check: TypeAlias = Callable[[object, Sequence[str]], str | None]
"""Looks at a value, knowing the players; None when it is possible, else what would be."""

OF_POSITION = (
    "phase", "pile", "top", "turn", "hands", "known", "hand_size", "open", "hidden", "draw", "colour", "rank", "run",
    "out", "names", "wins", "counts", "holding", "boxed", "deck", "unseen", "games", "points",
)  # fmt: skip
"""The keys of `given`. Each game knows which of them it can read and refuses the others; `then` may look at them."""

_MOST_SECONDS = 10**9
_QUOTES = 'YAML reads no, yes, on and off as something else: write them in quotes, as in "no"'


def is_text(value: object) -> bool:
    """Whether this is a word or more, not something that only looks like one to a person."""
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_card(value: object) -> bool:
    try:
        face(value)
    except CardError:
        return False
    return True


def texts(value: object, players: Sequence[str] = ()) -> str | None:
    """A list of words."""
    del players
    fine = isinstance(value, list) and all(map(is_text, value))
    return None if fine else "a list of words in square brackets"


def mapping(value: object, players: Sequence[str] = ()) -> str | None:
    """Keys with values."""
    del players
    return None if isinstance(value, Mapping) else "keys with values in curly brackets"


def actor(value: object, players: Sequence[str]) -> str | None:
    """Somebody who can do something."""
    return _word(*players, TABLE, UNCLEAR)(value, players)


def _word(*allowed: str) -> Check:
    """One of some words, or any word."""

    def check(value: object, players: Sequence[str]) -> str | None:
        del players
        if is_text(value) and (not allowed or value in allowed):
            return None
        if isinstance(value, bool):
            return _QUOTES
        return ", ".join(allowed) if allowed else "a word"

    return check


def _player(value: object, players: Sequence[str]) -> str | None:
    return _word(*players)(value, players)


def _players(value: object, players: Sequence[str]) -> str | None:
    fine = isinstance(value, list) and all(name in players for name in value)
    return None if fine else f"a list of players in square brackets, out of {', '.join(players)}"


def _number(value: object, players: Sequence[str]) -> str | None:
    del players
    return None if _is_number(value) else "a whole number: 0, 1, 2 ..."


def _owed(value: object, players: Sequence[str]) -> str | None:
    del players
    fine = isinstance(value, int) and _is_number(value) and value <= MOST_CARDS
    return None if fine else f"a whole number from 0 to {MOST_CARDS}"


def _seconds(value: object, players: Sequence[str]) -> str | None:
    del players
    fine = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST_SECONDS
    return None if fine else "a time in seconds, 0 or later, as in 12.5"


def _rank(value: object, players: Sequence[str]) -> str | None:
    if isinstance(value, bool):
        return _QUOTES
    del players
    return None if _is_number(value) or is_text(value) else "a number or a word"


def _true(value: object, players: Sequence[str]) -> str | None:
    del players
    return None if value is True else "true"


def _flag(value: object, players: Sequence[str]) -> str | None:
    del players
    return None if isinstance(value, bool) else "true or false"


def _card(value: object, players: Sequence[str]) -> str | None:
    del players
    return None if _is_card(value) else "a card, as in R2+B4+Y1, KH, '??' or back"


def _cards(value: object, players: Sequence[str]) -> str | None:
    if isinstance(value, list):
        return None if all(map(_is_card, value)) else "cards in square brackets, as in [KH, 10S]"
    return _card(value, players)


def _some_cards(value: object, players: Sequence[str]) -> str | None:
    return "at least one card" if value == [] else _cards(value, players)


def _pile(value: object, players: Sequence[str]) -> str | None:
    return _cards(value, players) if isinstance(value, list) else "cards in square brackets, as in [KH, 10S]"


def _each(check: Check, *, also: Collection[str] = ()) -> Check:
    """Something for some of the players."""

    def checked(value: object, players: Sequence[str]) -> str | None:
        names = (*players, *also)
        if not isinstance(value, Mapping) or any(name not in names for name in value):
            return f"something for each player, as in {{{players[0]}: ...}}, out of {', '.join(names)}"
        return next((wrong for one in value.values() if (wrong := check(one, players)) is not None), None)

    return checked


def _or_nothing(check: Check) -> Check:
    def checked(value: object, players: Sequence[str]) -> str | None:
        return None if value is None else check(value, players)

    return checked


def _swap(value: object, players: Sequence[str]) -> str | None:
    fine = isinstance(value, Mapping) and value.keys() == {"hand", "open"}
    fine = fine and all(_card(one, players) is None for one in _values(value))
    return None if fine else "{hand: a card, open: a card}"


def _values(value: Any) -> Collection[object]:
    return list(value.values())


def _order(value: object, players: Sequence[str]) -> str | None:
    """What a remedy says to one player."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or any(key not in _OF_ORDERS for key in value):
        return "take, draw and to, as in {take: [KH], to: hand}"
    wrong = ((key, check(value[key], players)) for key, check in _OF_ORDERS.items() if key in value)
    return next((f"{key}: {possible}" for key, possible in wrong if possible is not None), None)


def _take(value: object, players: Sequence[str]) -> str | None:
    fine = value is None or _is_number(value) or _cards(value, players) is None
    return None if fine else "cards in square brackets or their number"


def _asked(value: object, players: Sequence[str]) -> str | None:
    fine = value is None or is_text(value) or texts(value, players) is None
    return None if fine else "what is asked, as in colour"


_OF_ORDERS: Mapping[str, Check] = {
    "take": _take,
    "draw": _or_nothing(_number),
    "to": _word("hand", "discard", "open", "hidden"),
}

OF_ACTIONS: Mapping[str, Check] = {
    "call": _word(),
    "name": _rank,
    "war": _word(),
    "ask": _word(),
    "answer": _word(),
    "take": _word("pile", "own"),
    "shout": _word(),
    "play": _some_cards,
    "give": _some_cards,
    "lay": _some_cards,
    "discard": _some_cards,
    "reveal": _some_cards,
    "flip": _true,
    "draw": _owed,
    "swap": _swap,
    "turnover": _true,
    "start": _true,
    "from": _word("open", "blind", "discard", "draw"),
    "with": _cards,
    "as": _rank,
    "say": _word(),
    "card": _card,
    "cards": _each(_card),
    "at": _seconds,
}
"""Every key of an action but `by`."""

BESIDE: Mapping[str, tuple[str, ...]] = {
    "from": ("play", "lay", "give", "discard", "reveal", "draw"),
    "with": ("play", "take"),
    "as": ("play", "reveal"),
    "say": ("play",),
    "card": ("call",),
    "cards": ("flip",),
}
"""Beside which verbs a key means something."""

OF_THEN: Mapping[str, Check] = {
    key: _or_nothing(check)
    for key, check in {
        "ruling": _word(*get_args(Ruling)),
        "rules": texts,
        "reminders": texts,
        "proves": texts,
        "remedy": _each(_order, also=(TABLE, UNCLEAR)),
        "asks": _each(_asked, also=(TABLE,)),
        "over": _word("round", "game", "series"),
        "reason": _word(),
        "fatality": _word(),
        "winner": _players,
        "wrong": _pile,
        "burned": _flag,
        "turn": _player,
        "pile": _pile,
        "top": _card,
        "rank": _rank,
        "colour": _word(),
        "draw": _number,
        "hand_size": _each(_or_nothing(_number)),
        "counts": _each(_or_nothing(_number)),
        "points": _each(_or_nothing(_number)),
        "wins": _each(_or_nothing(_number)),
        "holding": _players,
        "out": _players,
        "open": _each(_or_nothing(_pile)),
        "hidden": _each(_or_nothing(_number)),
        "run": _number,
        "names": texts,
        "boxed": _number,
        "games": _number,
    }.items()
}
"""Every key of `then` whose value is the same in all games."""
