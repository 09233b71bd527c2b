"""Crazy Old Fish War: what a face stands for, and what matches (C-T1, C-81, C-M1, C-A24, C-A25). Pure functions.

Two notations: the game's own (`G6`, `R10`, `W8`, `MM`) and a French pack, whose suits are the colours, whose eights are
the Crazy 8s and whose jokers are the Old Mermaids (C-A1).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from referee.cards import Face, is_known
from referee.errors import CardError
from referee.verdicts import Finding

__all__ = [
    "ANY",
    "MERMAID",
    "Card",
    "choices",
    "colour_word",
    "colours_of",
    "fits",
    "is_card",
    "is_mermaid",
    "is_wild",
    "match_ground",
    "number_of",
    "read_card",
    "value_of",
]

ANY = "any"
"""In place of a named colour: the next player may play anything (C-A2, C-A4)."""

MERMAID = 100
"""The value of an Old Mermaid in a war: above every number (C-V11)."""

_COLOURS: Mapping[str, str] = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
_SUITS: Mapping[str, str] = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
_RANKS: Mapping[str, int] = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 11)}
_LETTERS: Mapping[str, str] = {**_COLOURS, **_SUITS}
_WORDS = frozenset(_LETTERS.values())


class Card(NamedTuple):
    """What a face stands for.

    colour  the word of a colour or suit, or the letter of a colour that only an enrolled deck has; None if wild
    number  what counts in a war and for a match; `MERMAID` for an Old Mermaid
    wild    a Crazy 8 or an Old Mermaid
    """

    colour: str | None
    number: int
    wild: bool = False


@cache
def read_card(card: Face) -> Card:
    """The card of this face. Raises `CardError`, which names the text, for anything else."""
    if card in ("MM", "JK"):
        return Card(None, MERMAID, wild=True)
    if card == "W8":
        return Card(None, 8, wild=True)
    if card[-1:] in _SUITS and card[:-1] in _RANKS:
        return _numbered(_SUITS[card[-1]], _RANKS[card[:-1]])
    letter, number = card[:1], card[1:]
    if letter.isascii() and letter.isupper() and number.isascii() and number.isdigit() and len(number) <= 2:
        return _numbered(_COLOURS.get(letter, letter), int(number))
    raise CardError(
        f"{card!r} is no card of Crazy Old Fish War.",
        hint="Write G6, W8 or MM, or with a French pack 6S, 8H or JK; a card that nobody has read is ??.",
    )


@cache
def is_card(card: Face) -> bool:
    """True for a card of this game, also one that nobody has read. Raises `CardError` for anything else."""
    return not is_known(card) or read_card(card) is not None


def _numbered(colour: str, number: int) -> Card:
    """Every eight is a Crazy 8."""
    return Card(None, 8, wild=True) if number == 8 else Card(colour, number)


@cache
def is_wild(card: Face) -> bool:
    """Whether it is read and a Crazy 8 or an Old Mermaid."""
    return is_known(card) and read_card(card).wild


@cache
def is_mermaid(card: Face) -> bool:
    """Whether it is read and an Old Mermaid."""
    return is_known(card) and read_card(card).number == MERMAID


def value_of(card: Face) -> int:
    """What a read card is worth in a war (C-V3, C-V11, C-V15, C-A24)."""
    return read_card(card).number


@cache
def fits(top: Face, colour: str | None, card: Face) -> bool | None:
    """Whether `card` matches the pile whose top card is `top`, with the named `colour` in force on a wild card.

    None when that cannot be told: the card or the top is not read, or nobody knows the colour in force.
    """
    if colour == ANY:
        return True
    if not is_known(card):
        return None
    over = read_card(card)
    if over.wild:
        return True
    if not is_known(top):
        return None
    under = read_card(top)
    if under.wild:
        return None if colour is None else over.colour == _key(colour)
    return over.colour == under.colour or over.number == under.number


@cache
def match_ground(top: Face, colour: str | None, card: Face) -> tuple[Finding, ...]:
    """Why a read card that matches does so; nothing to say on a top that nobody has read."""
    over = read_card(card)
    if over.wild:
        return (Finding("C-M1" if over.number == MERMAID else "C-81", (card,)),)
    if colour == ANY or not is_known(top):
        return ()
    under = read_card(top)
    if under.wild:
        return (Finding("C-A25", (card, top), {"colour": colour}),)
    case = "colour" if over.colour == under.colour else "number"
    return (Finding("C-T1", (card, top), {"case": case, "colour": under.colour, "number": number_of(top)}),)


def number_of(card: Face) -> str:
    """The number of a numbered card as it is printed: `10`, `Q`."""
    return card[:-1] if card[-1] in _SUITS else card[1:]


@cache
def colours_of(deck: frozenset[Face]) -> tuple[str, ...]:
    """The colours of these faces in alphabetical order: words, or letters that only an enrolled deck has."""
    cards = (read_card(card) for card in deck if is_known(card))
    return tuple(sorted({card.colour for card in cards if card.colour is not None}))


@cache
def _own_choices(*, french: bool) -> tuple[str, ...]:
    return tuple((_SUITS if french else _COLOURS).values())


def choices(pile: tuple[Face, ...], deck_colours: tuple[str, ...]) -> tuple[str, ...]:
    """The colours to name: those of the deck, or, where it is not known, those of the notation of the pile."""
    return deck_colours or _own_choices(french=_is_french(pile))


def _is_french(pile: tuple[Face, ...]) -> bool:
    return any(card == "JK" or card[-1:] in _SUITS for card in pile)


def colour_word(word: str, *, pile: tuple[Face, ...] = (), deck_colours: tuple[str, ...] = ()) -> str | None:
    """A named colour in small letters, also where only its letter was written (`R` is red); None if it is none.

    In a known deck it must be one of its colours. In an unknown one it may be any colour, since the deck may be an
    enrolled one (C-A1), but a French pack on the pile has suits and no other deck has them.
    """
    named = word.strip()
    colour = _LETTERS.get(named.upper(), named.casefold())
    if not colour[:1].isalpha() or colour == ANY:
        return None
    if deck_colours:
        return colour if _key(colour) in deck_colours else None
    suit = colour in _SUITS.values()
    return colour if not pile or suit == _is_french(pile) else None


def _key(colour: str) -> str:
    """How cards carry a named colour: by its word, or by its first letter where only an enrolled deck has it."""
    return colour if colour in _WORDS else colour[0].upper()
