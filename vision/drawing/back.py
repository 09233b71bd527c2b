"""The back of the fish deck: deep water in overlapping scales, the same after half a turn."""

from __future__ import annotations

import math

from vision.drawing.layout import CARD_WH, PANEL, card
from vision.drawing.svg import circle, group, number, path, rectangle, tag

__all__ = ["back_card"]

_RADIUS = 57.8
_NIGHT, _DEEP, _SEA, _LAGOON, _SHALLOW, _FOAM = "#0A2740", "#0E4564", "#13677F", "#2A93A0", "#7CCBCB", "#D3EFEA"


def back_card() -> str:
    """The back as SVG. The upper half is drawn once and repeated upside down."""
    middle = (CARD_WH[0] / 2, CARD_WH[1] / 2)
    x, y = (number(value) for value in middle)
    upper = tag("clipPath", path(f"M0,0H{CARD_WH[0]}V{y}{_swell()}Z"), id_="upper")
    scales = group(_scales(), id_="scales", clip_path="url(#upper)")
    turned = tag("use", href="#scales", transform=f"rotate(180 {x} {y})")
    return card(upper + _scale(), rectangle(PANEL, _NIGHT) + scales + turned + _current(middle) + _medal(middle))


def _swell() -> str:
    """A wave from the right edge to the left one through the middle of the card, odd around it."""
    return "q-52.5,46 -105,0t-105,0t-105,0t-105,0t-105,0t-105,0"


def _scale() -> str:
    """One scale as a symbol to be repeated."""
    rings = zip((1, 0.78, 0.56, 0.34), (_DEEP, _SEA, _LAGOON, _SHALLOW), strict=True)
    return group(
        "".join(circle((0, 0), _RADIUS * share, fill, stroke=_NIGHT, stroke_width=4) for share, fill in rings), id_="s"
    )


def _scales() -> str:
    """Rows of scales, each row half a scale aside and over the one above."""
    places = (
        (CARD_WH[0] / 2 + (column - 3 + row % 2 / 2) * 2 * _RADIUS, 30 + row * _RADIUS / 2 * 1.02)
        for row in range(17)
        for column in range(-1, 7)
    )
    return "".join(tag("use", href="#s", x=x, y=y) for x, y in places)


def _current(middle: tuple[float, float]) -> str:
    """The foam where the two halves meet."""
    d = f"M{CARD_WH[0]},{number(middle[1])}{_swell()}"
    return (
        path(d, stroke=_NIGHT, stroke_width=34)
        + path(d, stroke=_FOAM, stroke_width=20)
        + path(d, stroke=_LAGOON, stroke_width=6)
    )


def _medal(middle: tuple[float, float]) -> str:
    """A whirlpool with two pairs of arms."""
    arms = "".join(_arm(middle, index * math.pi / 2) for index in range(4))
    return (
        circle(middle, 172, _NIGHT)
        + circle(middle, 162, _FOAM)
        + circle(middle, 148, _NIGHT)
        + circle(middle, 134, _SEA)
        + path(arms, _FOAM, stroke=_NIGHT, stroke_width=4, stroke_linejoin="round")
        + circle(middle, 15, _NIGHT)
    )


def _arm(middle: tuple[float, float], start: float) -> str:
    """One arm between two spirals that meet at the rim."""
    inner = [(12 + 122 * step / 16, start + 3.6 * step / 16) for step in range(17)]
    outer = [(radius, angle + 0.85 * (1 - step / 16)) for step, (radius, angle) in enumerate(inner)]
    points = (
        f"{number(middle[0] + radius * math.cos(angle))},{number(middle[1] + radius * math.sin(angle))}"
        for radius, angle in (*inner, *reversed(outer))
    )
    return f"M{'L'.join(points)}Z"
