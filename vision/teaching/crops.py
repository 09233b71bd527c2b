"""Straightened cards for teaching the identifier: one card in its surroundings, seen, found inexactly, straightened.

Cheaper than whole scenes, and it can ask for what matters to naming: cards far away, corners that the locator missed by
a few pixels, other cards and hands on top, light and blur.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, straighten
from vision.identify import CROP_WH
from vision.teaching.catalogue import Catalogue, FrenchDeck, face_of
from vision.teaching.layers import Bytes, blend, cast_shadow, cut_quad, cut_sprite, mip_level
from vision.teaching.lens import expose, light_up
from vision.teaching.scenes import Lens, Lighting

__all__ = ["Crop", "CropPool", "french_pool", "own_pool", "sample_crop"]


@dataclass(frozen=True, slots=True)
class CropPool:
    """What may be seen: `fronts` by face, `others` (art keys that are no face of the deck: backs, other decks), and the
    surroundings."""

    fronts: dict[str, tuple[str, ...]]
    others: tuple[str, ...]
    surfaces: tuple[str, ...]
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A straightened picture (160, 112, 3), its face (None: no face of the deck) and whether it is upside down."""

    picture: Bytes
    face: str | None
    upside_down: bool


def sample_crop(rng: np.random.Generator, pool: CropPool, catalogue: Catalogue) -> Crop:
    """One random crop; every face is equally likely, one crop in twelve shows something else."""
    face: str | None = None
    if rng.random() < 1 / 12 and pool.others:
        key = str(rng.choice(pool.others))
    else:
        face = str(rng.choice(list(pool.fronts)))
        key = str(rng.choice(pool.fronts[face]))
    picture, quad = _photograph(rng, pool, catalogue, key)
    upside_down = bool(rng.random() < 0.5)
    found = quad + rng.normal(0, 1, (4, 2)) * np.linalg.norm(quad[3] - quad[0]) * rng.uniform(0.002, 0.04)
    if upside_down:
        found = np.roll(found, 2, axis=0)
    return Crop(straighten(picture, found, CROP_WH), face, upside_down)


def _photograph(rng: np.random.Generator, pool: CropPool, catalogue: Catalogue, key: str) -> tuple[Bytes, Floats]:
    """A picture a little larger than one card, and the card's quad in it."""
    art = catalogue.art(key)
    height = float(math.exp(rng.uniform(math.log(52), math.log(260))))
    side = round(height * 1.35)
    canvas = _ground(rng, pool, catalogue, side)
    quad = _tilted_quad(rng, height, art.shape[1] / art.shape[0], side)
    _lay(rng, canvas, art, quad)
    if rng.random() < 0.35:
        _cover_with_card(rng, canvas, catalogue, pool, quad)
    if rng.random() < 0.18 and pool.hands:
        hand = catalogue.sprite(str(rng.choice(pool.hands)))
        place = tuple(float(v) for v in quad[int(rng.integers(4))] + rng.normal(0, 0.12, 2) * height)
        over = cut_sprite(
            hand, (place[0], place[1]), height * rng.uniform(2.5, 4.5), float(rng.uniform(0, 360)), anchor_uv=(0.5, 0.1)
        )
        cut = cut_quad(hand, over, canvas.shape)
        if cut is not None:
            blend(canvas, *cut)
    gloss = np.full(canvas.shape[:2], rng.uniform(0.1, 1.0), np.float32)
    lit = light_up(canvas, _light(rng, side), gloss)
    return expose(lit, _lens(rng, height), int(rng.integers(1 << 30))), quad


def _ground(rng: np.random.Generator, pool: CropPool, catalogue: Catalogue, side: int) -> Bytes:
    if rng.random() < 0.4 or not pool.surfaces:
        return np.full((side, side, 3), rng.integers(0, 256, 3), np.uint8)
    surface = mip_level(catalogue.surface(str(rng.choice(pool.surfaces))), side)
    rows = np.arange(side)[:, None] % surface.shape[0]
    columns = np.arange(side)[None, :] % surface.shape[1]
    return np.asarray(surface[rows, columns], np.uint8)


def _tilted_quad(rng: np.random.Generator, height: float, aspect: float, side: int) -> Floats:
    """A card of this height seen at a tilt and turned by any angle; foreshortened one way or the other."""
    width = height * aspect
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    squeeze, direction = rng.uniform(0.45, 1.0), rng.uniform(0, np.pi)
    axis = np.array([math.cos(direction), math.sin(direction)])
    along = flat @ axis
    flat = flat + np.outer(along * (squeeze - 1), axis)
    perspective = 1 + rng.uniform(-0.15, 0.15) * along[:, None] / height
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else rng.normal(0, 0.15)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray((flat * perspective) @ rotation.T + side / 2, dtype=np.float64)


def _lay(rng: np.random.Generator, canvas: Bytes, art: Bytes, quad: Floats) -> None:
    cut = cut_quad(art, quad, canvas.shape, rng.normal(0, 0.015, 2) * len(canvas) if rng.random() < 0.3 else None)
    if cut is None:
        return
    offset = rng.normal(0, 0.012, 2) * len(canvas)
    cast_shadow(canvas, *cut, offset_px=(offset[0], offset[1]), softness_px=1.5, depth=float(rng.uniform(0, 0.6)))
    blend(canvas, *cut)


def _cover_with_card(
    rng: np.random.Generator, canvas: Bytes, catalogue: Catalogue, pool: CropPool, quad: Floats
) -> None:
    """Another card over part of this one; at least one index corner and most of a fish card stay in sight."""
    keys = pool.others if pool.others and rng.random() < 0.3 else pool.fronts[str(rng.choice(list(pool.fronts)))]
    edges = quad - quad.mean(axis=0)
    turn = rng.normal(0, 0.4)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    along, across = edges[1] + edges[2], edges[2] + edges[3]
    shift = along * rng.choice([-1, 1]) * rng.uniform(0.62, 1.0) + across * rng.normal(0, 0.25)
    if rng.random() < 0.35:
        shift = across * rng.choice([-1, 1]) * rng.uniform(0.68, 1.0) + along * rng.normal(0, 0.25)
    _lay(rng, canvas, catalogue.art(str(rng.choice(keys))), edges @ rotation.T + quad.mean(axis=0) + shift)


def _light(rng: np.random.Generator, side: int) -> Lighting:
    warm = rng.normal(0, 0.15)
    spots: tuple[tuple[float, float, float, float], ...] = ()
    if rng.random() < 0.25:
        x, y = rng.uniform(0, side, 2)
        spots = ((float(x), float(y), float(side * rng.uniform(0.06, 0.3)), float(rng.uniform(0.1, 0.9))),)
    gradient = rng.normal(0, 0.15, 2)
    return Lighting(0, 0.4, 1, 1, (float(gradient[0]), float(gradient[1])), 0.0,
                    (float(1 - warm), float(1 + rng.normal(0, 0.04)), float(1 + warm)), spots)  # fmt: skip


def _lens(rng: np.random.Generator, height: float) -> Lens:
    soft = height / 100
    return Lens(
        exposure=float(math.exp(rng.uniform(math.log(0.4), math.log(1.35)))),
        gamma=float(math.exp(rng.uniform(math.log(0.8), math.log(1.4)))),
        defocus_px=float(abs(rng.normal(0, 0.7 * soft))) if rng.random() < 0.5 else 0.0,
        motion_px=float(rng.uniform(1.5, 1.5 + 3 * soft)) if rng.random() < 0.15 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(abs(rng.normal(0, 6))),
        downscale=float(rng.uniform(1, 1.5)) if rng.random() < 0.25 else 1.0,
        sharpen=float(rng.uniform(0, 1.0)) if rng.random() < 0.3 else 0.0,
        jpeg_quality=int(rng.integers(30, 96)) if rng.random() < 0.6 else 0,
        saturation=float(rng.uniform(0.6, 1.3)),
    )


def french_pool(catalogue: Catalogue, decks: tuple[FrenchDeck, ...], others: tuple[str, ...]) -> CropPool:
    """Fronts of French `decks` by face; `others` are art keys that are no face of a French deck."""
    fronts: dict[str, list[str]] = {}
    backs: list[str] = []
    for deck in decks:
        backs += deck.backs
        for key in deck.fronts:
            fronts.setdefault(str(face_of(key)), []).append(key)
    invented = tuple(f"invented/{side}/{seed}" for side in ("front", "back") for seed in range(150))
    return CropPool(
        {face: tuple(keys) for face, keys in sorted(fronts.items())},
        (*backs, *others, *invented),
        catalogue.files("surfaces"),
        catalogue.files("hands", (".png",)),
    )


def own_pool(catalogue: Catalogue, deck_name: str) -> CropPool:
    """Fronts of one of the project's decks; everything else is `no face of this deck`."""
    deck = next(deck for deck in catalogue.own_decks if deck.name == deck_name)
    fronts: dict[str, tuple[str, ...]] = {face: (f"own/{deck_name}/{face}",) for face in deck.faces}
    french = [key for other in catalogue.french_decks() for key in other.fronts[::5] + other.backs]
    invented = tuple(f"invented/{side}/{seed}" for side in ("front", "back") for seed in range(150))
    return CropPool(
        fronts,
        (f"own/{deck_name}/back", *french, *invented),
        catalogue.files("surfaces"),
        catalogue.files("hands", (".png",)),
    )
