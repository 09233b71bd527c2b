"""Cards of the fish deck once more, as plain texts: which card fits on which, and what is said then."""

from __future__ import annotations

__all__ = ["WORDS", "fits", "right_words", "rule_of_fit", "rule_of_words"]

WORDS = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    "K": "black",
    "W": "white",
}
"""What is said for a colour letter."""


def is_piranha(card: str) -> bool:
    """Whether it is a piranha card, written `P-R`."""
    return card.startswith("P-")


def fish_of(card: str) -> list[tuple[str, int]]:
    """The fish on a card as (colour, size): `R2+B4` -> [("R", 2), ("B", 4)]."""
    return [(part[0], int(part[1])) for part in card.split("+")]


def shows(card: str, colour: str) -> bool:
    """Whether a fish of that colour swims on the card."""
    return any(fish_colour == colour for fish_colour, _ in fish_of(card))


def eating_colours(card: str, target: str) -> set[str]:
    """The colours in which a fish of `card` is larger than one of the same colour on `target` (P-F2, P-A2, P-A22)."""
    return {
        colour
        for colour, size in fish_of(card)
        for prey_colour, prey_size in fish_of(target)
        if colour == prey_colour and size > prey_size
    }


def fits(card: str, target: str) -> bool:
    """Whether `card` may lie on `target` (P-F2, P-F5, P-F7, P-F8)."""
    if is_piranha(card) and is_piranha(target):
        return True
    if is_piranha(card):
        return not shows(target, card[2])
    if is_piranha(target):
        return not shows(card, target[2])
    return bool(eating_colours(card, target))


def rule_of_fit(card: str, target: str) -> str:
    """The rule that decides whether `card` fits on `target`."""
    if is_piranha(card):
        return "P-F7" if is_piranha(target) else "P-F5"
    return "P-F8" if is_piranha(target) else "P-F2"


def right_words(card: str, target: str) -> set[str]:
    """What may be said when `card` fits on `target` (P-F4, P-F6, P-F9, P-A5)."""
    if is_piranha(card):
        return {"piranhas"}
    if is_piranha(target):
        return {"fresh-fish"}
    return {WORDS[colour] for colour in eating_colours(card, target)}


def rule_of_words(card: str, target: str) -> str:
    """The rule that asks for an announcement when `card` is put on `target`."""
    if is_piranha(card):
        return "P-F6"
    return "P-F9" if is_piranha(target) else "P-F4"
