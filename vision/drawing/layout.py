"""The paper of every card of the fish deck: size, white margin, water. The unit is a tenth of a millimetre."""

from __future__ import annotations

from vision.drawing.svg import circle, document, group, number, path, rectangle, tag

__all__ = ["CARD_WH", "CORNER", "PANEL", "SIZE_MM", "bubble", "card", "gradient", "water"]

SIZE_MM = (63, 88)
CARD_WH = (SIZE_MM[0] * 10, SIZE_MM[1] * 10)
CORNER = 40
MARGIN = 26
PANEL = (MARGIN, MARGIN, CARD_WH[0] - 2 * MARGIN, CARD_WH[1] - 2 * MARGIN)
"""The printed area inside the white margin: x, y, width, height."""


def card(definitions: str, content: str) -> str:
    """A whole card as SVG: white paper with rounded corners, and `content` clipped to the panel."""
    panel = tag("clipPath", rectangle(PANEL, "#000", rx=CORNER - MARGIN + 8), id_="panel")
    paper = rectangle((0, 0, *CARD_WH), "#fff", rx=CORNER)
    return document(
        tag("defs", panel + definitions) + paper + group(content, clip_path="url(#panel)"),
        CARD_WH,
    )


def gradient(name: str, top: str, bottom: str) -> str:
    """A vertical gradient for `fill="url(#name)"`."""
    stops = tag("stop", stop_color=top) + tag("stop", offset="1", stop_color=bottom)
    return tag("linearGradient", stops, id_=name, x2="0", y2="1")


def water() -> str:
    """The pale water behind the fish: light from above, two swells between the bands, sand and weed at the bottom."""
    swells = "".join(f"M-10,{y}q53,-26 107,0t107,0t107,0t107,0t107,0t107,0" for y in (302, 578))
    return (
        rectangle(PANEL, "url(#water)")
        + path("M110,0L210,0L60,880L-120,880ZM330,0L390,0L330,880L190,880Z", "#fff", opacity=0.22)
        + path(swells, stroke="#fff", stroke_width=7, stroke_linecap="round", opacity=0.75)
        + _weed()
        + path("M0,842C120,812 220,848 330,836C450,822 540,812 640,838L640,880L0,880Z", "#F2E6C4", opacity=0.9)
    )


def bubble(centre: tuple[float, float], radius: float) -> str:
    """An air bubble with a glint."""
    half = number(radius * 0.5)
    glint = f"M{number(centre[0] - radius * 0.5)},{number(centre[1])}a{half},{half} 0 0 1 {half},-{half}"
    return circle(centre, radius, "#fff", stroke="#2F9BB5", stroke_width=5) + path(
        glint, stroke="#8FD0DF", stroke_width=4, stroke_linecap="round"
    )


def _weed() -> str:
    blades = (
        "M50,850C30,810 66,790 48,750C40,730 52,716 50,700M76,850C92,820 66,800 82,768"
        "M566,850C548,816 580,800 566,760C560,744 568,732 570,722M592,850C604,826 588,806 596,786"
    )
    return path(blades, stroke="#A9DCD8", stroke_width=11, stroke_linecap="round", opacity=0.8)
