"""A table scene as data: all that a picture of cards on a table depends on, and nothing else.

A scene names its art and its surfaces by key; the pixels come from a `Catalogue`. The same scene rendered twice gives
the same picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats
from vision.teaching.pinhole import Pinhole

__all__ = [
    "CardInScene",
    "Lens",
    "Lighting",
    "Scene",
    "Shade",
    "Sprite",
    "Stack",
    "TableTop",
    "Thing",
    "card_corners_mm",
]

Colour = tuple[float, float, float]
"""Blue, green, red, each 0 to 1."""


@dataclass(frozen=True, slots=True)
class CardInScene:
    """One card; the list of cards of a scene is ordered from bottom to top.

    `art` is a key of the catalogue, `face` is None for a back. `centre_mm` and `angle_deg` (clockwise from above) place
    it on the table, `lift_mm` is its height above it. `bend_mm` is how far its ends (`bend_axis` "v") or its long
    sides ("u") stand above its middle; negative: its middle is raised. `gloss` 0 to 1 is how strongly it mirrors lamps.
    """

    art: str
    face: str | None
    size_mm: tuple[float, float]
    centre_mm: tuple[float, float]
    angle_deg: float
    lift_mm: float = 0.0
    bend_mm: float = 0.0
    bend_axis: str = "v"
    gloss: float = 0.3
    wear: float = 0.0


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards squared up under `scene.cards[top]`, `height_mm` high: only their edges can be seen."""

    top: int
    height_mm: float
    slant_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class TableTop:
    """What the cards lie on: a surface of the catalogue, its grain, and where the table ends."""

    surface: str
    tile_mm: float
    angle_deg: float
    tint: Colour
    contrast: float
    half_size_mm: tuple[float, float]
    angle_table_deg: float
    background: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A flat thing on the table that is not a card: paper, a phone, a book, a coaster, a plate."""

    kind: str
    size_mm: tuple[float, float]
    centre_mm: tuple[float, float]
    angle_deg: float
    colour: Colour
    picture: str | None = None
    above_cards: bool = False


@dataclass(frozen=True, slots=True)
class Sprite:
    """A cut-out in front of or among the cards (hand, cup, coin), placed in the picture.

    `anchor_uv` (0 to 1 within the sprite) comes to lie on `position_px`, `height_px` is its height, `angle_deg` turns
    it clockwise; `below_cards` puts it on the table under the cards.
    """

    picture: str
    position_px: tuple[float, float]
    height_px: float
    angle_deg: float
    anchor_uv: tuple[float, float] = (0.5, 0.5)
    shadow: float = 0.4
    below_cards: bool = False
    tint: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Shade:
    """The shadow of something outside the picture: a soft-edged polygon in which `strength` of the light is missing."""

    polygon_px: tuple[tuple[float, float], ...]
    strength: float
    softness_px: float


@dataclass(frozen=True, slots=True)
class Lighting:
    """Lamps and daylight.

    `direction_deg` is where shadows fall, `shadow` 0 to 1 their depth, `reach` their length per millimetre of height,
    `softness_px` their blur; `gradient` (dx, dy) is the change of brightness over the picture; `spots` are lamps that
    mirror in glossy cards: (x, y, radius_px, strength); `colour` tints everything.
    """

    direction_deg: float
    shadow: float
    reach: float
    softness_px: float
    gradient: tuple[float, float]
    vignette: float
    colour: Colour
    spots: tuple[tuple[float, float, float, float], ...] = ()
    shades: tuple[Shade, ...] = ()


@dataclass(frozen=True, slots=True)
class Lens:
    """What camera and compression do: exposure (factor), gamma, defocus and motion blur in pixels, noise (grey levels),
    downscale (the picture was smaller and enlarged), sharpening, JPEG quality (0: none)."""

    exposure: float = 1.0
    gamma: float = 1.0
    defocus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 0.0
    noise_grain_px: int = 1
    downscale: float = 1.0
    sharpen: float = 0.0
    jpeg_quality: int = 0
    black_level: float = 0.0
    saturation: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in one picture. `seed` feeds the grain of noise and wear."""

    seed: int
    camera: Pinhole
    table: TableTop
    lighting: Lighting
    lens: Lens
    cards: tuple[CardInScene, ...] = ()
    stacks: tuple[Stack, ...] = ()
    things: tuple[Thing, ...] = ()
    sprites: tuple[Sprite, ...] = ()


def card_corners_mm(card: CardInScene) -> Floats:
    """The corners TL, TR, BR, BL of a card in space, (4, 3) in millimetres, in the card's own orientation."""
    width, height = card.size_mm
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = math.radians(card.angle_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    lift = card.lift_mm + max(card.bend_mm, 0.0)
    return np.concatenate([flat @ turn.T + card.centre_mm, np.full((4, 1), lift)], axis=1)
