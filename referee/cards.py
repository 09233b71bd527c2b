"""Cards as the referee writes them down: a face is a short text, and a card that nobody has read is a value too.

Which faces there are, and which is higher, belongs to the game: here is only the notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType, cast

from referee.errors import CardError

__all__ = [
    "BACK",
    "FISH_COLOURS",
    "UNKNOWN",
    "Face",
    "Fish",
    "FishCard",
    "counted",
    "face",
    "faces",
    "fish_card",
    "is_known",
]

Face = NewType("Face", str)
"""The name of a card's face in its deck's notation, for example `R2+B4+Y1` or `KH`."""

UNKNOWN = Face("??")
"""A card that nobody has identified."""

BACK = Face("back")
"""A card that lies face down."""

FISH_COLOURS = "ROYGBVKW"
"""Red, orange, yellow, green, blue, violet, black, white."""

_PIRANHA = "P-"


def face(text: object) -> Face:
    """The face named by `text`. Raises `CardError` unless it is a text without blanks."""
    if not isinstance(text, str) or text.split() != [text]:
        raise CardError(f"{text!r} is not the name of a card.", hint="Write a face such as R2+B4+Y1, KH, ?? or back.")
    return Face(text)


def faces(texts: Iterable[object]) -> tuple[Face, ...]:
    """Every face of `texts`, in their order. Raises `CardError` at the first text that names none."""
    found = list(texts)
    names = [text for text in found if isinstance(text, str)]
    if len(names) == len(found) and " ".join(names).split() == names:  # a whole deck is checked at once
        return cast("tuple[Face, ...]", tuple(names))
    return tuple([face(text) for text in found])


@lru_cache
def counted(deck: tuple[Face, ...]) -> Mapping[Face, int]:
    """How often each face is in a deck."""
    return Counter(deck)


def is_known(card: Face) -> bool:
    """Whether the card's face has been read: neither unidentified nor lying face down."""
    return card not in (UNKNOWN, BACK)


@dataclass(frozen=True, slots=True, order=True)
class Fish:
    """One fish on a card: `colour` is a letter of `FISH_COLOURS`, `size` is 1 (tiny) to 4 (big)."""

    colour: str
    size: int


@dataclass(frozen=True, slots=True)
class FishCard:
    """A card of the fish deck: either some `fish`, or none and the colour of its `piranha`."""

    fish: tuple[Fish, ...] = ()
    piranha: str | None = None

    @property
    def colours(self) -> frozenset[str]:
        """The colours of its fish; empty for a piranha card."""
        return frozenset(one.colour for one in self.fish)


@lru_cache(maxsize=4096)
def fish_card(card: Face) -> FishCard:
    """The fish or the piranha on a card, read from its face: `R2+B4+Y1` or `P-R`.

    Raises `CardError`, which names the text, for anything else (an unread card has no fish to speak of).
    """
    if card.startswith(_PIRANHA) and len(card) == len(_PIRANHA) + 1 and card[-1] in FISH_COLOURS:
        return FishCard(piranha=card[-1])
    return FishCard(fish=tuple(_fish(part, card) for part in card.split("+")))


def _fish(part: str, card: Face) -> Fish:
    if len(part) == 2 and part[0] in FISH_COLOURS and part[1] in "1234":
        return Fish(colour=part[0], size=int(part[1]))
    raise CardError(
        f"{card!r} is not a fish card: {part!r} is no fish.",
        hint=f"A fish is a colour ({', '.join(FISH_COLOURS)}) and a size (1-4), as in R2+B4+Y1; a piranha is P-R.",
    )
