"""The piranha cards: one big piranha from the front, all grin, bursting out of dark water.

Nothing of a fish card is repeated here: no pale water, no side view, no bubbles. The colour's own pattern is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from vision.drawing.layout import CARD_WH, PANEL, card
from vision.drawing.palette import COLOURS, Ink
from vision.drawing.svg import circle, group, number, path, rectangle, star, tag

__all__ = ["piranha_card"]

_BODY = "M315,168C470,168 574,290 574,470C574,660 470,812 315,812C160,812 56,660 56,470C56,290 160,168 315,168Z"
_MOUTH = "M118,536C190,580 440,580 512,536C532,532 532,566 522,590C494,660 424,704 315,704C206,704 136,660 108,590"
_MOUTH += "C98,566 98,532 118,536Z"
_CREST = "M172,232C160,190 158,150 166,112C192,126 214,146 232,172C236,124 246,86 264,50C290,78 308,112 318,150"
_CREST += "C332,112 348,84 372,58C386,92 394,126 396,166C416,142 438,126 464,116C472,154 470,196 458,232Z"
_FIN_LEFT = "M96,380C52,350 6,344 -40,352C-30,380 -26,400 -34,424C-22,434 -16,450 -22,474C-8,484 -2,500 -8,524"
_FIN_LEFT += "C30,540 60,540 92,530Z"
_RAYS = "M206,216L186,150M268,190L266,104M318,186L318,176M366,190L368,112M424,214L444,152"
_RAYS_LEFT = "M60,400L4,384M54,440L2,434M54,480L16,488"


def piranha_card(colour: str) -> str:
    """The piranha card of a colour as SVG."""
    ink = COLOURS[colour]
    clips = tag("clipPath", path(_BODY), id_="body") + tag("clipPath", path(_MOUTH), id_="mouth")
    clips += tag("clipPath", path(_MOUTH + "M0,0H630V585H0Z"), id_="fangs")
    return card(clips, _deep() + _body(ink, colour) + _mouth(ink) + _eyes(ink))


def _deep() -> str:
    """Dark water with rays that point at the piranha."""
    middle = (CARD_WH[0] / 2, CARD_WH[1] / 2 + 30)
    rays = []
    for index in range(16):
        angles = (math.tau * (index + share) / 16 for share in (0.02, 0.5))
        corners = ((middle[0] + 760 * math.cos(angle), middle[1] + 760 * math.sin(angle)) for angle in angles)
        rays.append(f"M{middle[0]:g},{middle[1]:g}" + "".join(f"L{number(x)},{number(y)}" for x, y in corners) + "Z")
    return rectangle(PANEL, "#0B2F4D") + path("".join(rays), "#124A70")


def _body(ink: Ink, colour: str) -> str:
    line: dict[str, str | float] = {"stroke": ink.line, "stroke_width": 9, "stroke_linejoin": "round"}
    rays: dict[str, str | float] = {"stroke": ink.line, "stroke_width": 7, "stroke_linecap": "round", "opacity": 0.55}
    halo: dict[str, str | float] = {"stroke": "#fff", "stroke_width": 36, "stroke_linejoin": "round"}
    mirror = f"translate({CARD_WH[0]} 0) scale(-1 1)"
    fin = path(_FIN_LEFT, ink.fin, **line) + path(_RAYS_LEFT, **rays)
    return (
        path(_CREST + _BODY + _FIN_LEFT, "#fff", **halo)
        + path(_FIN_LEFT, "#fff", transform=mirror, **halo)
        + fin
        + group(fin, transform=mirror)
        + path(_CREST, ink.fin, **line)
        + path(_RAYS, **rays)
        + path(_BODY, ink.body)
        + group(_PATTERNS[colour](ink), clip_path="url(#body)")
        + path("M120,330C142,262 196,216 262,200", stroke="#fff", stroke_width=13, stroke_linecap="round", opacity=0.4)
        + path(_BODY, **line)
    )


def _mouth(ink: Ink) -> str:
    inside = (
        rectangle((80, 500, 470, 240), "#5A0F24")
        + tag("ellipse", cx=315, cy=714, rx=104, ry=52, fill="#F0708A")
        + path(_teeth(), "#fff", stroke="#fff", stroke_width=7, stroke_linejoin="round")
    )
    fangs = (
        "M134,720C134,620 142,540 166,478C196,534 204,620 206,720Z"
        "M424,720C426,620 434,534 464,478C488,540 496,620 496,720Z"
    )
    return (
        path(_MOUTH, stroke=ink.line, stroke_width=26, stroke_linejoin="round")
        + group(inside, clip_path="url(#mouth)")
        + group(path(fangs, "#fff", stroke=ink.line, stroke_width=7, stroke_linejoin="round"), clip_path="url(#fangs)")
    )


def _teeth() -> str:
    """Upper and lower teeth that would interlock if the piranha ever closed its mouth."""
    upper = [_tooth(x, 54, _lip(x), _lip(x) + 0.56 * (_jaw(x) - _lip(x))) for x in range(234, 397, 54)]
    lower = [_tooth(x, 54, _jaw(x), _jaw(x) - 0.4 * (_jaw(x) - _lip(x))) for x in range(261, 380, 54)]
    return "".join((*upper, *lower))


def _tooth(x: float, width: float, root: float, tip: float) -> str:
    half, away = width / 2 - 4, 40 if root > tip else -40
    return (
        f"M{number(x - half)},{number(root + away)}L{number(x - half)},{number(root)}"
        f"L{number(x)},{number(tip)}L{number(x + half)},{number(root)}L{number(x + half)},{number(root + away)}Z"
    )


def _lip(x: float) -> float:
    """Height of the upper lip at x."""
    return 569 - 33 * ((x - 315) / 197) ** 2


def _jaw(x: float) -> float:
    """Height of the lower lip at x."""
    return 704.0 - 112 * math.pow(abs(x - 315) / 207, 2.5)


def _eyes(ink: Ink) -> str:
    white = "#FFE45C" if ink is COLOURS["K"] else "#fff"
    parts = []
    for x, y, radius, side in ((208, 368, 88, 1), (412, 376, 74, -1)):
        pupil = (x + side * radius * 0.3, y + 12)
        parts.append(
            circle((x, y), radius, white, stroke=ink.line, stroke_width=10)
            + circle(pupil, radius * 0.42, "#10131A")
            + circle((pupil[0] - radius * 0.14, pupil[1] - radius * 0.16), radius * 0.15, "#fff")
            + _brow((x, y), radius, side, ink)
        )
    return "".join(parts)


def _brow(eye: tuple[float, float], radius: float, side: int, ink: Ink) -> str:
    x, y = eye
    points = ((-1.02, -1.0), (0.2, -1.02), (0.92, -0.5))
    start, bend, end = (f"{number(x + side * radius * dx)},{number(y + radius * dy)}" for dx, dy in points)
    d = f"M{start}Q{bend} {end}"
    return path(d, stroke=ink.line, stroke_width=30, stroke_linecap="round")


def _bands(ink: Ink) -> str:
    d = "M315,150L315,550M130,250C70,400 70,560 128,720M500,250C560,400 560,560 502,720"
    return path(d, stroke=ink.line, stroke_width=50) + path(d, stroke=ink.mark, stroke_width=34)


def _scales(ink: Ink) -> str:
    rows = "".join(f"M{15 + 33 * (row % 2) - 33},{y}" + "q33,48 66,0" * 10 for row, y in enumerate(range(180, 830, 46)))
    return path(rows, stroke=ink.mark, stroke_width=10)


def _spots(ink: Ink) -> str:
    places = ((315, 222, 32), (240, 232, 17), (392, 228, 20), (312, 452, 24), (104, 454, 26), (520, 466, 24))
    more = (
        (84, 380, 15),
        (548, 390, 15),
        (104, 664, 20),
        (532, 650, 20),
        (214, 784, 16),
        (430, 782, 17),
        (316, 300, 17),
    )
    return "".join(circle((x, y), r, ink.mark) for x, y, r in (*places, *more))


def _zigzag(ink: Ink) -> str:
    steps = "".join("l52,-54l52,54" for _ in range(6))
    return path("".join(f"M3,{y}{steps}" for y in (252, 494, 792)), stroke=ink.mark, stroke_width=24)


def _waves(ink: Ink) -> str:
    lines = "".join(f"M-5,{y}q40,-46 80,0" + "t80,0" * 7 for y in (222, 276, 470, 520, 768))
    return path(lines, stroke=ink.mark, stroke_width=18)


def _checks(ink: Ink) -> str:
    diamonds = "".join(
        f"M{x},{y - 34}l26,34l-26,34l-26,-34z"
        for row, y in enumerate(range(226, 830, 47))
        for x in range(33 if row % 2 else 80, 640, 94)
    )
    return path(diamonds, ink.mark)


def _stars(ink: Ink) -> str:
    places = ((315, 234, 42), (244, 222, 20), (388, 222, 22), (312, 462, 28), (100, 470, 28), (530, 470, 28))
    more = ((230, 758, 20), (402, 758, 22))
    return path("".join(star((x, y), r) for x, y, r in (*places, *more)), ink.mark)


def _rings(ink: Ink) -> str:
    places = ((315, 236, 36), (240, 226, 18), (390, 222, 18), (312, 460, 24), (98, 468, 26), (532, 470, 26))
    more = ((236, 758, 18), (398, 758, 18))
    return "".join(circle((x, y), r, stroke=ink.mark, stroke_width=13) for x, y, r in (*places, *more))


_PATTERNS: dict[str, Callable[[Ink], str]] = {
    "R": _bands,
    "O": _scales,
    "Y": _spots,
    "G": _zigzag,
    "B": _waves,
    "V": _checks,
    "K": _stars,
    "W": _rings,
}
