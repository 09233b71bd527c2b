"""Eight kinds of fish, one for each colour, in a box of length 100.

A kind is drawn swimming to the left: nose at x = -50, tip of the tail at x = 50, y downwards around the middle of the
body. The size of a fish decides its length on the card and also its face: the smaller, the larger its eye.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.drawing.palette import COLOURS, Ink
from vision.drawing.svg import circle, group, number, path, star, tag

__all__ = ["SPECIES", "Species", "fish"]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Species:
    """Outlines of one kind of fish; `behind` (with its `rays`) and `front` are fins drawn before and after the body."""

    body: str
    behind: str
    rays: str
    front: str
    eye: Point
    mouth: Point
    pattern: Callable[[Ink], str]


def _bands(ink: Ink) -> str:
    d = "M-21,-32C-13,-14 -13,12 -21,32M11,-32C17,-14 17,12 11,32"
    return path(d, stroke=ink.line, stroke_width=9.4) + path(d, stroke=ink.mark, stroke_width=6.6)


def _scales(ink: Ink) -> str:
    columns = "".join(
        f"M{x},{y}" + "a5.2,5.2 0 0 1 0,10.4" * 6 for x, y in ((-14, -31.2), (-6, -26), (2, -31.2), (10, -26))
    )
    return path(columns, stroke=ink.mark, stroke_width=2.2)


def _spots(ink: Ink) -> str:
    spots = ((-12, -13, 3.4), (4, -15, 2.8), (-3, -3, 3.6), (12, -4, 3.4), (24, -6, 2.4), (2, 9, 3.0), (18, 9, 3.0))
    return "".join(circle((x, y), r, ink.mark) for x, y, r in spots)


def _zigzag(ink: Ink) -> str:
    points = "L".join(f"{x},{-6 if i % 2 else 6}" for i, x in enumerate(range(-21, 49, 7)))
    return path(f"M{points}", stroke=ink.mark, stroke_width=3.2, stroke_linejoin="round")


def _waves(ink: Ink) -> str:
    lines = "".join(f"M-22,{y}q5,-6 10,0t10,0t10,0t10,0t10,0t10,0" for y in (-11, 0, 11))
    return path(lines, stroke=ink.mark, stroke_width=2.5, stroke_linecap="round")


def _checks(ink: Ink) -> str:
    diamonds = "".join(
        f"M{x},{y - 5.5}l5,5.5l-5,5.5l-5,-5.5z"
        for row, y in enumerate((-16.5, -5.5, 5.5, 16.5))
        for x in ((-14, 0, 14, 28) if row % 2 else (-7, 7, 21))
    )
    return path(diamonds, ink.mark)


def _stars(ink: Ink) -> str:
    places = ((-6, -11, 4.2), (8, -3, 4.6), (-2, 10, 3.6), (20, 3, 3.0), (12, 13, 2.6))
    return path("".join(star((x, y), r) for x, y, r in places), ink.mark)


def _rings(ink: Ink) -> str:
    rings = ((-6, -11, 4.6), (9, -5, 5.2), (-2, 8, 4.8), (22, 3, 3.6), (12, 14, 3.4))
    return "".join(circle((x, y), r, stroke=ink.mark, stroke_width=2.6) for x, y, r in rings)


SPECIES: dict[str, Species] = {
    # A clownfish: round fins, two white bands.
    "R": Species(
        body="M-50,3C-49,-11 -31,-21 -9,-21C10,-21 22,-13 31,-6L31,6C22,15 9,22 -10,22C-32,22 -48,15 -50,3Z",
        behind="M28,0C31,-13 38,-19 44,-18C49,-17 50,-8 50,0C50,9 49,18 44,19C38,20 31,13 28,0Z"
        "M-24,-17C-22,-26 -10,-27 -5,-20C-2,-26 12,-25 20,-12ZM2,19C6,27 18,26 20,13Z",
        rays="M34,-4L44,-11M34,0L46,0M34,4L44,11",
        front="M-7,5C-3,-1 8,0 10,6C11,13 0,17 -5,12C-8,10 -8,7 -7,5Z",
        eye=(-33, -5),
        mouth=(-47.5, 7),
        pattern=_bands,
    ),
    # A goldfish: a plump body, a sail and a flowing tail with two lobes.
    "O": Species(
        body="M-50,2C-49,-12 -31,-21 -10,-21C8,-21 16,-12 22,-4L22,5C15,14 6,23 -12,23C-32,23 -48,15 -50,2Z",
        behind="M18,0C22,-15 36,-26 48,-24C52,-21 46,-15 44,-10C42,-5 40,-2 36,1C40,4 42,8 44,12C46,17 52,23 48,25"
        "C36,27 22,17 18,2ZM-24,-17C-22,-25 -6,-27 8,-23C13,-21 14,-15 15,-9Z"
        "M-6,21C-3,27 5,28 10,24C11,20 11,17 9,14Z",
        rays="M26,-6L40,-17M28,-2L38,-7M28,3L38,8M26,6L40,18",
        front="M-10,8C-5,5 4,8 8,16C1,19 -8,17 -10,8Z",
        eye=(-32, -5),
        mouth=(-48, 7),
        pattern=_scales,
    ),
    # A sunfish: a disc with a rim of rays.
    "Y": Species(
        body="M-50,3C-47,-13 -28,-20 -8,-20C14,-20 30,-11 34,-3L34,4C30,13 14,21 -8,21C-28,21 -47,17 -50,3Z",
        behind="M-31,-15C-32,-23 -23,-25 -19,-20C-18,-27 -9,-27 -6,-21C-4,-27 5,-26 7,-20C10,-25 18,-23 19,-16"
        "C23,-20 29,-17 29,-9L28,10C29,18 23,21 19,17C18,24 10,26 7,21C5,27 -4,28 -6,22C-9,28 -18,28 -19,21"
        "C-24,25 -32,23 -31,15Z"
        "M31,0C35,-8 42,-13 46,-12C47,-9 48,-8 49,-7C48,-4 50,-2 50,0C50,3 48,5 49,8C48,9 47,10 46,13C42,14 35,9 31,0Z",
        rays="M37,-3L44,-7M38,0.5L46,0.5M37,4L44,8",
        front="M-14,6C-10,2 -2,3 1,8C0,13 -8,15 -12,11Z",
        eye=(-33, -5),
        mouth=(-48, 8),
        pattern=_spots,
    ),
    # A pike: long and pointed, fins and tail cut straight.
    "G": Species(
        body="M-50,3C-43,-5 -33,-14 -12,-15C8,-15 24,-9 35,-4L35,5C24,11 8,17 -12,17C-33,17 -44,10 -50,3Z",
        behind="M31,0L48,-18L50,-17L42,0.5L50,18L48,19ZM0,-13L22,-23L25,-6ZM2,15L21,24L25,8ZM-22,14L-11,23L-6,14Z",
        rays="M37,-5L45,-13M37,6L45,14M13,-13L19,-19M11,17L18,20",
        front="M-14,9L2,7L-3,15Z",
        eye=(-31, -3),
        mouth=(-47, 5.5),
        pattern=_zigzag,
    ),
    # A little whale of a tuna: a drop with a crescent tail.
    "B": Species(
        body="M-50,1C-50,-13 -36,-20 -17,-20C6,-20 24,-9 41,-2L41,3C26,10 8,21 -17,21C-36,21 -50,14 -50,1Z",
        behind="M37,0C40,-9 44,-18 50,-23C49,-14 47,-5 47,0.5C47,6 49,15 50,24C44,19 40,10 37,0Z"
        "M-14,-18C-8,-23 2,-26 12,-26C9,-21 10,-15 16,-9ZM6,16C10,19 16,22 22,22C19,18 19,14 20,9Z",
        rays="M43,-7L47,-15M43,8L47,16M-3,-20L5,-23.5",
        front="M-14,10C-8,6 2,9 8,19C-1,22 -12,19 -14,10Z",
        eye=(-33, -5),
        mouth=(-48.5, 6),
        pattern=_waves,
    ),
    # An angelfish: a rhomb with long swept fins.
    "V": Species(
        body="M-50,2C-40,-5 -27,-19 -6,-20C10,-20 23,-10 34,-3L34,4C23,11 10,21 -6,22C-27,21 -40,9 -50,2Z",
        behind="M-22,-14C-10,-24 14,-26 44,-25C31,-21 24,-15 22,-8ZM-22,16C-10,26 14,27 44,26C31,22 24,16 22,9Z"
        "M31,0C36,-6 43,-12 50,-14C46,-6 46,6 50,15C43,13 36,7 31,0Z",
        rays="M37,-3L45,-9M38,0.5L45,0.5M37,4L45,10M6,-20L30,-23M6,22L30,24",
        front="M-12,4C-6,1 3,4 6,12C-2,15 -10,12 -12,4Z",
        eye=(-30, -4),
        mouth=(-46.5, 5),
        pattern=_checks,
    ),
    # An anglerfish: a big head, ragged fins, a lamp.
    "K": Species(
        body="M-50,4C-50,-12 -34,-19 -14,-19C8,-19 22,-10 33,-4L33,6C22,14 8,22 -16,22C-37,22 -50,16 -50,4Z",
        behind="M30,1L40,-15L43,-9L49,-14L47,-3L50,2L47,6L49,17L43,12L40,18Z"
        "M-8,-16L0,-25L4,-17L12,-23L14,-13L23,-17L22,-6ZM-2,20L7,25L9,18L17,21L18,11Z",
        rays="M36,-3L43,-8M37,1L46,1M36,5L43,10",
        front="M-8,8L8,5L5,10L10,13L3,15L4,20C-3,19 -8,15 -8,8Z",
        eye=(-31, -3),
        mouth=(-49, 9),
        pattern=_stars,
    ),
    # A puffer: a ball with little spikes and a small tail.
    "W": Species(
        body="M-49.5,2C-48,-11 -29,-19 -8,-19C14,-19 31,-11 35,-3L35,4C31,13 14,20 -8,20C-30,20 -48,14 -49.5,2Z",
        behind="M-35,-12L-35,-20L-26,-16ZM-21,-17L-17,-24.5L-11,-18ZM-5,-18L1,-24.5L5,-18ZM11,-16L18,-22L20,-13Z"
        "M-35,13L-35,21L-26,17ZM-21,18L-17,25.5L-11,19ZM-5,19L1,25.5L5,19ZM11,17L18,23L20,14Z"
        "M32,0C36,-6 42,-11 47,-10C51,-7 49,-3 47,0.5C49,4 51,9 47,11C42,12 36,7 32,0Z",
        rays="M38,-3L45,-6M39,0.5L46,0.5M38,4L45,7",
        front="M-9,4C-4,-1 5,0 8,6C7,13 -3,15 -8,10Z",
        eye=(-33, -5),
        mouth=(-48, 7),
        pattern=_rings,
    ),
}

# Radius of the eye by size: what is young has big eyes.
_EYE = {1: 9.5, 2: 8.0, 3: 7.0, 4: 6.2}
# Stroke width of outlines by size, in the unit of the fish: small fish keep lines that can be printed.
_LINE = {1: 2.6, 2: 2.0, 3: 1.6, 4: 1.4}


# Light along the back: the outline once more, moved into the body, in dashes counted from the nose.
_GLEAM: dict[str, str | float] = {
    "stroke": "#fff",
    "stroke_width": 2.2,
    "stroke_linecap": "round",
    "stroke_dasharray": "24 6 4 400",
    "stroke_dashoffset": -15,
    "opacity": 0.45,
}


def fish(colour: str, size: int, clip_id: str) -> str:
    """One fish swimming to the left in its box of length 100; `clip_id` must be unique within the file."""
    species, ink = SPECIES[colour], COLOURS[colour]
    width = _LINE[size] * (1.5 if colour == "W" else 1)
    line: dict[str, str | float] = {"stroke": ink.line, "stroke_width": width, "stroke_linejoin": "round"}
    inside = (
        tag("ellipse", cx=-10, cy=21, rx=42, ry=10, fill=ink.light)
        + path(species.body, transform="translate(1 3.8)", **_GLEAM)
        + species.pattern(ink)
    )
    return "".join(
        (
            tag("clipPath", path(species.body), id_=clip_id),
            _lamp(ink, width) if colour == "K" else "",
            path(species.behind, ink.fin, **line),
            path(species.rays, stroke=ink.line, stroke_width=width * 0.8, stroke_linecap="round", opacity=0.5),
            path(species.body, ink.body),
            group(inside, clip_path=f"url(#{clip_id})"),
            path(species.body, **line),
            path(species.front, ink.fin, **line),
            _face(species, ink, size),
        )
    )


def _lamp(ink: Ink, width: float) -> str:
    return path("M-20,-17C-22,-26 -36,-27 -42,-20", stroke=ink.line, stroke_width=width + 0.6) + circle(
        (-44, -19), 4.6, ink.mark, stroke=ink.line, stroke_width=width * 0.7
    )


def _face(species: Species, ink: Ink, size: int) -> str:
    radius = _EYE[size]
    x, y = species.eye
    white = "#FFE45C" if ink is COLOURS["K"] else "#fff"
    eye = (
        circle((x, y), radius, white, stroke=ink.line, stroke_width=1.2)
        + circle((x - radius * 0.2, y + radius * 0.05), radius * 0.62, "#10131A")
        + circle((x - radius * 0.4, y - radius * 0.25), radius * 0.24, "#fff")
    )
    cheek = circle((x + 3, y + radius + 5.5), 3.6, ink.cheek, opacity=0.75)
    return cheek + eye + _lid(species, ink, size) + _mouth(species, ink, size)


def _lid(species: Species, ink: Ink, size: int) -> str:
    """A lowered lid: the biggest fish fears nobody."""
    if size < 4:
        return ""
    x, y = species.eye
    r = _EYE[size] + 0.5
    d = f"M{number(x - r)},{number(y - 1)}A{number(r)},{number(r)} 0 0 1 {number(x + r)},{number(y - 2.4)}Z"
    return path(d, ink.fin if ink is not COLOURS["W"] else "#D5DEE8", stroke=ink.line, stroke_width=1.2)


def _mouth(species: Species, ink: Ink, size: int) -> str:
    x, y = species.mouth
    colour = ink.mark if ink is COLOURS["K"] else ink.line
    if size == 1:
        return circle((x + 4.5, y + 1.5), 2.6, "#7A2230" if ink is not COLOURS["K"] else ink.mark)
    reach = {2: 7.0, 3: 9.0, 4: 12.0}[size]
    d = f"M{number(x)},{number(y)}q{number(reach * 0.4)},{number(reach * 0.5)} {number(reach)},{number(reach * 0.32)}"
    return path(d, stroke=colour, stroke_width=1.6 + 0.5 / size, stroke_linecap="round")
