"""What the second model of Crazy Old Fish War knows of cards and house rules."""

from __future__ import annotations

from typing import Any

__all__ = ["COLOURS", "DEFAULTS", "SUITS", "colour_of", "fits", "is_eight", "is_mermaid", "is_wild", "number_of"]

DEFAULTS: dict[str, Any] = {
    "start_special": "turn_more",
    "fallback": "choice",
    "war_eight_colour": "winner",
    "war_mermaid_draw5": False,
    "war_last": "wins",
    "give_last": "wins",
    "mermaid_finish": "draws",
    "shout_penalty": 0,
    "renege_penalty": 0,
    "fish_names": "game",
    "empty_draw": "reshuffle",
    "next_dealer": "left",
    "rounds_to_win": 3,
    "hints": False,
}

COLOURS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
SUITS = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
COURT = {"A": 1, "J": 11, "Q": 12, "K": 13}


def is_mermaid(face: str) -> bool:
    """Whether the card is an Old Mermaid (a joker)."""
    return face in ("MM", "JK")


def is_eight(face: str) -> bool:
    """Whether the card is a Crazy 8 (any eight of a French deck)."""
    return face == "W8" or (face[0] == "8" and face[-1] in SUITS)


def is_wild(face: str) -> bool:
    """Whether the card matches everything."""
    return is_mermaid(face) or is_eight(face)


def colour_of(face: str) -> str | None:
    """The colour printed on a normal card; None for a wild card."""
    if is_wild(face):
        return None
    return SUITS.get(face[-1]) if face[-1] in SUITS else COLOURS.get(face[0])


def number_of(face: str) -> int | None:
    """The number that a card has in a war; None for a Mermaid (and for a card that nobody knows)."""
    if is_eight(face):
        return 8
    text = face[:-1] if face[-1] in SUITS else face[1:]
    return COURT.get(text) or (int(text) if text.isdigit() else None)


def fits(face: str, top: str, named: str | None) -> bool:
    """C-T1, C-81, C-M1, C-A25: whether the card may be played on `top`, with the colour named for a wild one."""
    if is_wild(face):
        return True
    if colour_of(face) is None:
        return False
    if is_wild(top):
        return colour_of(face) == named
    return colour_of(face) == colour_of(top) or number_of(face) == number_of(top)
