"""Shithead: the ranks of cards, and which rank may lie on which (S-K2, S-X2, S-X3, S-X7, S-A1 to S-A4, S-A40).

A rank is a number from 2 to 14, the ace; a joker has none of its own until it is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.cards import BACK, UNKNOWN, Face
from referee.errors import CardError, MoveError
from referee.moves import Json

__all__ = [
    "ANYTHING", "FREE", "JOKER", "JOKER_FACE", "RANKS", "SPECIAL_LAST", "UNREAD", "Bar", "Together", "bars_of",
    "height_fault", "is_wild_name", "match", "may_fit", "observed", "rank_named", "rank_of", "surely_fitting",
    "together", "word",
]  # fmt: skip

UNREAD: Final = 0
"""The rank of a card whose face nobody has read."""
JOKER: Final = 1
JOKER_FACE: Final = Face("JK")
RANKS: Final = tuple(range(2, 15))
SPECIAL_LAST: Final = frozenset({2, 3, 8, 10, JOKER})
"""Printed ranks that may not be a player's last play with `no_special_finish`."""

_SEVEN, _TEN = 7, 10
_COURT: Mapping[int, str] = {11: "J", 12: "Q", 13: "K", 14: "A"}
_ALWAYS = (2, 3)
_NOT_FOR_JOKERS = frozenset({2, 3, 7, 8, 10})
_ANY_SUIT = "?"


def word(rank: int) -> str:
    """The rank as cards show it: `9`, `K`."""
    return _COURT.get(rank, str(rank))


def observed(rank: int) -> int | str | None:
    """The rank as rule cases write it; None for no rank."""
    return None if rank == UNREAD else _COURT.get(rank, rank)


_BY_WORD: Mapping[str, int] = MappingProxyType({word(rank): rank for rank in RANKS})
_BY_FACE: Mapping[Face, int] = MappingProxyType(
    {Face(word(rank) + suit): rank for rank in RANKS for suit in f"CDHS{_ANY_SUIT}"}
    | {JOKER_FACE: JOKER, UNKNOWN: UNREAD, BACK: UNREAD}
)
_SUITLESS = frozenset(Face(word(rank) + _ANY_SUIT) for rank in RANKS)


def rank_of(card: Face) -> int:
    """The printed rank; `JOKER` and `UNREAD` for cards without one. Raises `CardError` for a face of another deck."""
    try:
        return _BY_FACE[card]
    except KeyError:
        raise CardError(
            f"{card!r} is no French card.", hint="Write rank and suit, as in 9S, 10H, QD, AC; JK is a joker."
        ) from None


def rank_named(value: Json) -> int:
    """The rank that somebody named, as a number or as a letter. Raises `MoveError` when it is none."""
    rank = _BY_WORD.get(str(value).upper()) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if rank is None:
        raise MoveError(f"{value!r} is no rank.", hint=f"Name one of {', '.join(_BY_WORD)}.")
    return rank


def match(cards: Collection[Face], card: Face) -> Face | None:
    """The one of `cards` that `card` is: itself, or the same rank where one of the two leaves the suit open."""
    if card in cards:
        return card
    if card not in _SUITLESS and _SUITLESS.isdisjoint(cards):
        return None
    rank = _BY_FACE.get(card)
    alike = (one for one in cards if _BY_FACE.get(one) == rank and (one in _SUITLESS or card in _SUITLESS))
    return next(alike, None)


class Together(NamedTuple):
    """What cards are that are played at once.

    rank     the printed rank of those that are no jokers; `UNREAD` where there is none, or several
    several  they are of different ranks (S-K3)
    unread   nobody has read some of them
    jokers   so many of them are jokers
    """

    rank: int
    several: bool
    unread: bool
    jokers: int


@lru_cache(maxsize=4096)
def together(cards: tuple[Face, ...]) -> Together:
    """What `cards` are together. Raises `CardError` for a face of another deck."""
    ranks = [rank_of(card) for card in cards]
    printed = set(ranks) - {JOKER, UNREAD}
    rank = min(printed) if len(printed) == 1 else UNREAD
    return Together(rank, len(printed) > 1, UNREAD in ranks, ranks.count(JOKER))


class Bar(NamedTuple):
    """What the next card has to beat: a rank, `height` 0 for nothing; `duty` where it is a 7 in force (S-X7)."""

    height: int = 0
    duty: bool = False


FREE: Final = (Bar(),)
"""Nothing to beat."""
ANYTHING: Final = tuple(Bar(rank, rank == _SEVEN) for rank in RANKS)
"""What there may be to beat on a card that nobody has read."""


def bars_of(faces: Iterable[Face]) -> tuple[Bar, ...]:
    """What there may be to beat on a card that is one of `faces`; a joker may have any rank."""
    ranks = {rank_of(card) for card in faces}
    if not ranks or ranks & {JOKER, UNREAD}:
        return ANYTHING
    return tuple(Bar(rank, rank == _SEVEN) for rank in sorted(ranks))


@cache
def height_fault(ten: str, bars: tuple[Bar, ...], rank: int) -> str | None:
    """The rule that a card of `rank` breaks on `bars` under the option `ten`, or "" if it fits.

    None where it fits some of several bars, but not all.
    """
    faults = {_broken(ten, bar, rank) for bar in bars}
    if faults == {""}:
        return ""
    return None if "" in faults else min(faults)


@cache
def may_fit(ten: str, bars: tuple[Bar, ...]) -> Mapping[Face, int]:
    """The faces that fit on `bars`, or on some of them, with their ranks; a joker does, since it may be named."""
    ranks = {JOKER, *(rank for rank in RANKS if not height_fault(ten, bars, rank))}
    return {card: rank for card, rank in _BY_FACE.items() if rank in ranks}


@cache
def surely_fitting(ten: str, bars: tuple[Bar, ...]) -> frozenset[Face]:
    """The faces that fit on all of `bars`."""
    ranks = [rank for rank in RANKS if height_fault(ten, bars, rank) is None]
    return frozenset(card for card, rank in may_fit(ten, bars).items() if rank not in ranks)


def _broken(ten: str, bar: Bar, rank: int) -> str:
    if not bar.height or rank in _ALWAYS or (rank == _TEN and ten == "wild"):
        return ""
    if bar.duty:
        return "" if rank <= _SEVEN else "S-X7"
    if rank == _TEN and ten == "wild_not_on_7":
        return ""
    return "" if rank >= bar.height else "S-K2"


def is_wild_name(rank: int, option: str) -> bool:
    """Whether a joker may be named so at all (S-XJ, option `joker`), whatever lies there."""
    return option != "no_specials" or rank not in _NOT_FOR_JOKERS
