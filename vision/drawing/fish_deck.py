"""Draw the printable fish deck: `python -m vision.drawing.fish_deck datasets/decks/fish`.

A fish card shows three fish one above the other, from top to bottom in the order of its face. Two things tell the size:
the length, and as many bubbles before the mouth; and big (4) and small (2) fish swim to the left, middle (3) and tiny
(1) ones to the right.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from vision.drawing.back import back_card
from vision.drawing.composition import COLOUR_ORDER, Fish, face_of, fish_cards
from vision.drawing.fish_shapes import fish
from vision.drawing.layout import CORNER, PANEL, SIZE_MM, bubble, card, gradient, water
from vision.drawing.piranha import piranha_card
from vision.drawing.svg import group, number

__all__ = ["LENGTH", "drawings", "fish_card", "main", "write_deck"]

LENGTH = {1: 140, 2: 246, 3: 362, 4: 490}
"""Length of a fish by its size, in tenths of a millimetre: 24, 43, 63 and 85 % of the panel's width."""

_BUBBLE_RADIUS = 17
_BUBBLE_STEP = 46


def fish_card(fish_on_it: Sequence[Fish]) -> str:
    """A fish card as SVG; its three fish are given from top to bottom. Without fish it is empty water."""
    x, y, width, height = PANEL
    band = height / 3
    bands = "".join(
        _band(one, (x + width / 2, y + band * (row + 0.5)), f"f{row}") for row, one in enumerate(fish_on_it)
    )
    return card(gradient("water", "#DFF3F8", "#BFE4EE"), water() + bands)


def drawings() -> dict[str, str]:
    """All pictures of the deck as SVG, by face, and the back as `back`."""
    pictures = {face_of(one): fish_card(one) for one in fish_cards()}
    pictures |= {f"P-{colour}": piranha_card(colour) for colour in COLOUR_ORDER}
    return pictures | {"back": back_card()}


def write_deck(folder: Path) -> None:
    """Write `deck.toml` and `art/*.svg` into a folder, which is made if it does not exist."""
    art = folder / "art"
    art.mkdir(parents=True, exist_ok=True)
    pictures = drawings()
    for name, svg in pictures.items():
        (art / f"{name}.svg").write_text(svg, encoding="utf-8", newline="\n")
    faces = [name for name in pictures if name != "back"]
    (folder / "deck.toml").write_text(_toml(faces), encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry of the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing.fish_deck", description="Draw the fish deck.")
    parser.add_argument("out", type=Path, help="folder for deck.toml and art")
    write_deck(parser.parse_args(arguments).out)


def _band(one: Fish, centre: tuple[float, float], clip_id: str) -> str:
    """One fish and its bubbles around the middle of its band."""
    colour, size = one
    forward = -1 if size in (4, 2) else 1
    x, y = centre[0] - forward * 29, centre[1]
    scale = LENGTH[size] / 100
    flip = -forward * scale
    placed = group(
        fish(colour, size, clip_id),
        transform=f"translate({number(x)} {number(y)}) scale({number(flip)} {number(scale)})",
    )
    return placed + _bubbles(size, (centre[0] + forward * (PANEL[2] / 2 - 38), y))


def _bubbles(count: int, middle: tuple[float, float]) -> str:
    lowest = middle[1] + (count - 1) * _BUBBLE_STEP / 2
    places = [(middle[0] + (5 if index % 2 else -5), lowest - index * _BUBBLE_STEP) for index in range(count)]
    return "".join(bubble(place, _BUBBLE_RADIUS) for place in places)


def _toml(faces: Sequence[str]) -> str:
    head = (
        'name = "fish"\n'
        'title = { en = "Fish and piranhas", de = "Fische und Piranhas" }\n'
        f"size_mm = [{SIZE_MM[0]}, {SIZE_MM[1]}]\n"
        f"corner_radius_mm = {CORNER // 10}\n"
        "half_turn_symmetric = false\n"
        'back = "art/back.svg"\n'
    )
    return head + "".join(f'\n[[cards]]\nface = "{face}"\ncount = 1\nart = "art/{face}.svg"\n' for face in faces)


if __name__ == "__main__":
    main()
