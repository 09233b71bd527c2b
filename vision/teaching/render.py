"""From a scene to a picture and the exact truth about it.

The cards are composited in the picture plane by the camera's homographies: fast enough to make training pictures by the
thousand on two cores, while quads, faces and coverage are exact because nothing is estimated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, polygon_area
from vision.teaching.catalogue import Catalogue
from vision.teaching.layers import (
    Bytes,
    Reals,
    blend,
    cast_shadow,
    cut_quad,
    cut_sprite,
    fill_quad,
    mip_level,
)
from vision.teaching.lens import expose, light_up
from vision.teaching.scenes import CardInScene, Scene, Sprite, Stack, Thing, card_corners_mm

__all__ = ["CardTruth", "Picture", "render"]

_CARD_GAP_MM = 0.5
"""Cards never lie perfectly flat: the shadow under one that lies on the table is as if it hovered this high."""


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """What is true of one card in the picture: quad (4, 2) in pixels in the card's own orientation, also where it
    leaves the picture; `visible` is the share of the whole card that can be seen."""

    quad_px: Floats
    face: str | None
    art: str
    visible: float

    @property
    def side(self) -> str:
        """`front` or `back`."""
        return "back" if self.face is None else "front"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A rendered image (H, W, 3) uint8 BGR and its cards from bottom to top."""

    image: Bytes
    cards: tuple[CardTruth, ...]


def render(scene: Scene, catalogue: Catalogue) -> Picture:
    """Render one scene; equal scenes and catalogues give equal pictures."""
    painter = _Painter(scene, catalogue)
    painter.paint_table()
    for thing in scene.things:
        if not thing.above_cards:
            painter.paint_thing(thing)
    for sprite in scene.sprites:
        if sprite.below_cards:
            painter.paint_sprite(sprite)
    stacks = {stack.top: stack for stack in scene.stacks}
    for index, card in enumerate(scene.cards):
        if index in stacks:
            painter.paint_stack(card, stacks[index])
        painter.paint_card(card, index)
    for thing in scene.things:
        if thing.above_cards:
            painter.paint_thing(thing)
    for sprite in scene.sprites:
        if not sprite.below_cards:
            painter.paint_sprite(sprite)
    lit = light_up(painter.canvas, scene.lighting, painter.gloss)
    image = expose(lit, scene.lens, scene.seed)
    return Picture(image, tuple(painter.truth(index) for index in range(len(scene.cards))))


class _Painter:
    """The canvas, which card each pixel shows (-1: none), and how glossy each pixel is."""

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        width, height = scene.camera.size_wh
        self.scene, self.catalogue = scene, catalogue
        self.canvas: Bytes = np.zeros((height, width, 3), np.uint8)
        self.owner = np.full((height, width), -1, np.int16)
        self.gloss: Reals = np.full((height, width), 0.08, np.float32)
        self._full_px: dict[int, tuple[Floats, float]] = {}

    def paint_table(self) -> None:
        """The table top through the camera's homography, and behind its edges the background."""
        table, camera = self.scene.table, self.scene.camera
        height, width = self.owner.shape
        background = self.catalogue.surface(table.background)
        self.canvas[:] = cv2.resize(mip_level(background, height), (width, height))
        inverse = np.linalg.inv(camera.table_homography())
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        depth = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
        depth = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        x_mm = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) / depth
        y_mm = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / depth
        tile = self._table_tile()
        angle = math.radians(table.angle_deg)
        scale = tile.shape[1] / table.tile_mm
        u = (math.cos(angle) * x_mm + math.sin(angle) * y_mm) * scale
        v = (-math.sin(angle) * x_mm + math.cos(angle) * y_mm) * scale
        top = cv2.remap(
            tile,
            np.mod(u, tile.shape[1]).astype(np.float32),
            np.mod(v, tile.shape[0]).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )
        mask = self._table_mask(x_mm, y_mm)
        self.canvas[:] = (self.canvas + (top.astype(np.float32) - self.canvas) * mask[..., None]).astype(np.uint8)

    def _table_tile(self) -> Bytes:
        table, camera = self.scene.table, self.scene.camera
        tile = self.catalogue.surface(table.surface)
        px_per_mm = camera.focal_px / camera.distance_mm
        tile = mip_level(tile, table.tile_mm * px_per_mm * tile.shape[0] / tile.shape[1] * 0.8)
        grey = tile.reshape(-1, 3).mean(axis=0)
        toned = ((tile - grey) * table.contrast + grey) * np.array(table.tint)
        return np.asarray(np.clip(toned, 0, 255), np.uint8)

    def _table_mask(self, x_mm: NDArray[np.floating], y_mm: NDArray[np.floating]) -> Reals:
        """1 where the table is: inside its edges and before the horizon."""
        table, camera = self.scene.table, self.scene.camera
        angle = math.radians(table.angle_table_deg)
        along = math.cos(angle) * x_mm + math.sin(angle) * y_mm
        across = -math.sin(angle) * x_mm + math.cos(angle) * y_mm
        inside = (np.abs(along) < table.half_size_mm[0]) & (np.abs(across) < table.half_size_mm[1])
        matrix = camera.table_homography()
        inside &= matrix[2, 0] * x_mm + matrix[2, 1] * y_mm + matrix[2, 2] > 0
        return np.asarray(cv2.GaussianBlur(inside.astype(np.float32), (3, 3), 0), np.float32)

    def px_per_mm(self, point_mm: tuple[float, float]) -> float:
        """Scale of the picture at a point of the table."""
        camera = self.scene.camera
        return camera.focal_px / max(float(camera.depth_mm(np.array([[*point_mm, 0.0]]))[0]), 1.0)

    def _shadow_offset(self, height_mm: float, scale: float) -> tuple[float, float]:
        lighting = self.scene.lighting
        length = height_mm * scale * lighting.reach
        angle = math.radians(lighting.direction_deg)
        return math.cos(angle) * length, math.sin(angle) * length

    def paint_card(self, card: CardInScene, index: int) -> None:
        """A card with its shadow, its bend and its gloss."""
        corners = card_corners_mm(card)
        quad = self.scene.camera.project(corners)
        self._full_px[index] = (quad, polygon_area(quad))
        centre = np.array([[*card.centre_mm, card.lift_mm], [*card.centre_mm, card.lift_mm + 1.0]])
        low, high = self.scene.camera.project(centre)
        bow = (high - low) * -card.bend_mm if card.bend_mm else None
        cut = cut_quad(self.catalogue.art(card.art), quad, self.canvas.shape, bow, bow_axis=card.bend_axis)
        if cut is None:
            return
        pixels, region = cut
        lighting, scale = self.scene.lighting, self.px_per_mm(card.centre_mm)
        height_mm = _CARD_GAP_MM + 0.35 * card.lift_mm + 0.6 * abs(card.bend_mm)
        cast_shadow(
            self.canvas,
            pixels,
            region,
            offset_px=self._shadow_offset(height_mm, scale),
            softness_px=min(lighting.softness_px * (0.25 + 0.15 * height_mm), 14.0),
            depth=lighting.shadow,
        )
        blend(self.canvas, pixels, region, tint=self._bend_light(card, pixels.shape))
        solid = pixels[..., 3] > 127
        self.owner[region][solid] = index
        self.gloss[region][solid] = card.gloss

    def _bend_light(self, card: CardInScene, shape: tuple[int, ...]) -> Floats | None:
        """A bent card is brighter where it turns towards the lamp."""
        if not card.bend_mm:
            return None
        ramp = np.linspace(-1, 1, shape[0])[:, None] + np.linspace(-1, 1, shape[1])[None, :] * 0.6
        strength = max(-0.12, min(0.12, 0.02 * card.bend_mm))
        return np.asarray((1 + strength * ramp)[..., None], np.float64)

    def paint_stack(self, card: CardInScene, stack: Stack) -> None:
        """The edges of the cards squared up below `card`, one thin layer after the other."""
        corners = card_corners_mm(card)
        layers = max(2, min(24, round(stack.height_mm / 0.6)))
        rng = np.random.default_rng(self.scene.seed + 7919 * stack.top)
        for layer in range(layers):
            height = card.lift_mm - stack.height_mm * (1 - layer / layers)
            share = layer / layers - 1
            shift = np.array([*(np.array(stack.slant_mm) * share + rng.normal(0, 0.25, 2)), 0.0])
            corners_here = corners + shift
            corners_here[:, 2] = height
            quad = self.scene.camera.project(corners_here)
            light = 0.93 if layer % 2 else rng.uniform(0.62, 0.8)
            fill_quad(self.canvas, quad, (light, light, light))
            covered = np.zeros(self.owner.shape, np.uint8)
            cv2.fillConvexPoly(covered, np.round(quad).astype(np.int32), 1)
            self.owner[covered > 0] = -1

    def paint_thing(self, thing: Thing) -> None:
        """A flat thing: a tinted or pictured rectangle or ellipse on the table plane."""
        flat = CardInScene("", None, thing.size_mm, thing.centre_mm, thing.angle_deg, lift_mm=2.0)
        quad = self.scene.camera.project(card_corners_mm(flat))
        cut = cut_quad(self.catalogue.thing(thing.kind, thing.colour, thing.picture), quad, self.canvas.shape)
        if cut is None:
            return
        pixels, region = cut
        scale = self.px_per_mm(thing.centre_mm)
        lighting = self.scene.lighting
        offset = self._shadow_offset(3.0, scale)
        softness = min(lighting.softness_px * 0.6, 12.0)
        cast_shadow(self.canvas, pixels, region, offset_px=offset, softness_px=softness, depth=lighting.shadow)
        blend(self.canvas, pixels, region)
        self.owner[region][pixels[..., 3] > 127] = -1
        self.gloss[region][pixels[..., 3] > 127] = 0.2

    def paint_sprite(self, sprite: Sprite) -> None:
        """A hand, a cup, a coin: a cut-out with a soft shadow on what lies below."""
        picture = self.catalogue.sprite(sprite.picture)
        quad = cut_sprite(picture, sprite.position_px, sprite.height_px, sprite.angle_deg, anchor_uv=sprite.anchor_uv)
        cut = cut_quad(picture, quad, self.canvas.shape)
        if cut is None:
            return
        pixels, region = cut
        lighting = self.scene.lighting
        angle, reach = math.radians(lighting.direction_deg), 0.06 * sprite.height_px * min(lighting.reach, 1.5)
        cast_shadow(
            self.canvas,
            pixels,
            region,
            offset_px=(math.cos(angle) * reach, math.sin(angle) * reach),
            softness_px=min(0.03 * sprite.height_px + 1.0, 18.0),
            depth=sprite.shadow,
        )
        blend(self.canvas, pixels, region, tint=np.array(sprite.tint))
        solid = pixels[..., 3] > 127
        self.owner[region][solid] = -1
        self.gloss[region][solid] = 0.05

    def truth(self, index: int) -> CardTruth:
        """The truth about card `index`, after everything has been painted."""
        card = self.scene.cards[index]
        quad, area = self._full_px[index]
        seen = float((self.owner == index).sum())
        return CardTruth(quad, card.face, card.art, min(1.0, seen / area) if area else 0.0)
