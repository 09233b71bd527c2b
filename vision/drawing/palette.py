"""The eight colours of the fish deck.

They are chosen to stay apart for people with any of the three dichromacies, under a lamp of 2700 K that the camera has
not balanced, and in dim light (`tests/vision/test_fish_deck.py` measures this as CIEDE2000 differences). They differ in
lightness first: from dark to light K, V, R, B, G, O, Y, W. What colour leaves unclear, body shape and pattern tell.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["COLOURS", "Ink"]


@dataclass(frozen=True, slots=True)
class Ink:
    """Hexadecimal sRGB colours of one kind of fish: the body, its parts, and what is drawn upon it."""

    body: str
    fin: str
    line: str
    light: str
    mark: str
    cheek: str


COLOURS: dict[str, Ink] = {
    "R": Ink("#D01F35", "#B8162D", "#6E0818", "#DC3146", "#FFFFFF", "#FF9AA2"),
    "O": Ink("#FB7F14", "#FF9A3D", "#A34600", "#FFA552", "#D65F00", "#FFD0A6"),
    "Y": Ink("#FFE23F", "#FFD02B", "#8F6600", "#FFEF8F", "#CE8E00", "#FFB05C"),
    "G": Ink("#2BB57E", "#22A270", "#0A5438", "#5CCF9F", "#D9F8C4", "#B5F0D0"),
    "B": Ink("#1E7FE0", "#1A6FCA", "#0A376E", "#4C9DEE", "#A9DCFF", "#9CCBFA"),
    "V": Ink("#5E2391", "#7A3DB0", "#2F0C50", "#7438A8", "#A873DB", "#C79AEC"),
    "K": Ink("#14141C", "#2A2A36", "#000000", "#262632", "#FFE9A3", "#4A4A5C"),
    "W": Ink("#FFFFFF", "#FFFFFF", "#27395A", "#FFFFFF", "#A9BACD", "#FFC9C9"),
}
