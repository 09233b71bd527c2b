"""The few pieces of SVG that the drawings need, as functions that return text."""

from __future__ import annotations

import math

__all__ = ["circle", "document", "group", "number", "path", "rectangle", "star", "tag"]


def number(value: float) -> str:
    """A coordinate with at most two decimals and no needless zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name: str, content: str = "", /, **attributes: str | float) -> str:
    """An element. `stroke_width=2` becomes `stroke-width="2"`; an attribute called `id_` becomes `id`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def path(d: str, fill: str = "none", /, **attributes: str | float) -> str:
    """A path with its outline data `d`."""
    return tag("path", d=d, fill=fill, **attributes)


def circle(centre: tuple[float, float], radius: float, fill: str = "none", /, **attributes: str | float) -> str:
    """A circle around `centre` (x, y)."""
    return tag("circle", cx=centre[0], cy=centre[1], r=radius, fill=fill, **attributes)


def rectangle(box: tuple[float, float, float, float], fill: str, /, **attributes: str | float) -> str:
    """A rectangle from `box` = (x, y, width, height)."""
    x, y, width, height = box
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def group(content: str, /, **attributes: str | float) -> str:
    """A group."""
    return tag("g", content, **attributes)


def star(centre: tuple[float, float], radius: float) -> str:
    """Outline data of a five-pointed star standing on two points."""
    corners = []
    for index in range(10):
        reach = radius if index % 2 == 0 else radius * 0.45
        angle = math.pi * index / 5
        corners.append(f"{number(centre[0] + reach * math.sin(angle))},{number(centre[1] - reach * math.cos(angle))}")
    return f"M{'L'.join(corners)}Z"


def document(content: str, size_wh: tuple[int, int]) -> str:
    """A whole SVG file whose unit is its own; `size_wh` is (width, height) in that unit."""
    width, height = size_wh
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{content}</svg>\n'
