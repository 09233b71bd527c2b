"""Scenes out of a seed: what may lie on a table, how light may fall, where the camera may stand.

Every range here is a decision about what the eyes must cope with. `Difficulty` scales the nasty ones, so that a
training can begin with plain pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.teaching.catalogue import Catalogue, face_of
from vision.teaching.layout import sample_layout
from vision.teaching.pinhole import Pinhole
from vision.teaching.scenes import CardInScene, Lens, Lighting, Scene, Shade, Sprite, Stack, TableTop, Thing

__all__ = ["ArtPool", "sample_scene"]

CARD_MM = (63.0, 88.0)
SIZES_WH = ((416, 416), (416, 416), (416, 312), (416, 240), (312, 416))
"""Picture shapes: square, photographs in both orientations, video."""


@dataclass(frozen=True, slots=True)
class ArtPool:
    """What art a scene may draw from, listed once per catalogue.

    `shares` are the odds of a French deck, a deck of the project and an invented one.
    """

    french: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    own: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    woods: tuple[str, ...]
    photos: tuple[str, ...]
    clutter: tuple[str, ...]
    hands: tuple[str, ...]
    shares: tuple[float, float, float] = (0.55, 0.15, 0.30)

    @classmethod
    def of(cls, catalogue: Catalogue) -> ArtPool:
        """List the art of `catalogue`."""
        french = tuple((deck.fronts, deck.backs) for deck in catalogue.french_decks())
        own = tuple(
            (tuple(f"own/{deck.name}/{face}" for face in deck.faces), (f"own/{deck.name}/back",))
            for deck in catalogue.own_decks
        )
        return cls(
            french,
            own,
            catalogue.files("surfaces"),
            catalogue.files("photos"),
            catalogue.files("clutter"),
            catalogue.files("hands", (".png",)),
        )

    def deck(self, rng: np.random.Generator) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Fronts and backs of one deck; invented decks have as many designs as seeds."""
        kind = rng.choice(3, p=np.array(self.shares) / sum(self.shares))
        if kind == 1 and self.own:
            return self.own[int(rng.integers(len(self.own)))]
        if kind == 2:
            seeds = rng.integers(0, 3000, 12)
            return tuple(f"invented/front/{s}" for s in seeds), (f"invented/back/{seeds[0]}",)
        fronts, backs = self.french[int(rng.integers(len(self.french)))]
        if not backs or rng.random() < 0.5:
            backs = (f"invented/back/{rng.integers(0, 3000)}",)
        return fronts, backs


def sample_scene(seed: int, pool: ArtPool, *, difficulty: float = 1.0, scale: float = 1.0) -> Scene:
    """The scene number `seed`.

    `difficulty` 0 to 1 scales blur, noise, shade, glare, clutter, tilt and how many cards lie how close together;
    `scale` is the size of the picture, 1 for 416 px.
    """
    rng = np.random.default_rng(seed)
    camera, card_px = _sample_camera(rng, difficulty, scale)
    lighting = _sample_lighting(rng, camera.size_wh, difficulty)
    cards, stacks = _sample_cards(rng, pool, camera, card_px, difficulty)
    return Scene(
        seed=seed,
        camera=camera,
        table=_sample_table(rng, pool),
        lighting=lighting,
        lens=_sample_lens(rng, difficulty, card_px),
        cards=cards,
        stacks=stacks,
        things=_sample_things(rng, pool, camera, difficulty),
        sprites=_sample_sprites(rng, pool, camera, cards, difficulty),
    )


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


def _sample_camera(rng: np.random.Generator, difficulty: float, scale: float) -> tuple[Pinhole, float]:
    """The camera and how tall a card in the middle would be in its picture, in pixels."""
    width, height = SIZES_WH[int(rng.integers(len(SIZES_WH)))]
    size = (round(width * scale), round(height * scale))
    card_px = min(scale * _log_uniform(rng, 24 + 40 * (1 - difficulty), 330), 0.85 * min(size))
    focal = _log_uniform(rng, 0.75, 2.4) * max(size)
    tilt = float(rng.uniform(0, 30) if rng.random() < 0.5 else rng.uniform(20, 45 + 23 * difficulty))
    distance = focal * CARD_MM[1] / card_px
    stretch = float(rng.uniform(0.62, 1.6)) if rng.random() < 0.35 else 1.0
    roll = float(rng.normal(0, 6))
    camera = Pinhole(size, focal, (0.0, 0.0), distance, tilt, float(rng.uniform(0, 360)), roll, stretch)
    return camera, card_px


def _sample_table(rng: np.random.Generator, pool: ArtPool) -> TableTop:
    half = (float(rng.uniform(250, 1600)), float(rng.uniform(250, 1600)))
    if rng.random() < 0.5:
        half = (9000.0, 9000.0)
    brightness = _log_uniform(rng, 0.42, 1.35)
    tint = tuple(float(part) for part in np.clip(brightness * rng.normal(1, 0.1, 3), 0.1, 1.7))
    return TableTop(
        surface=_sample_surface(rng, pool),
        tile_mm=_log_uniform(rng, 120, 900),
        angle_deg=float(rng.uniform(0, 360)),
        tint=(tint[0], tint[1], tint[2]),
        contrast=float(rng.uniform(0.4, 1.3)),
        half_size_mm=half,
        angle_table_deg=float(rng.uniform(0, 360)),
        background=_sample_background(rng, pool),
    )


def _sample_surface(rng: np.random.Generator, pool: ArtPool) -> str:
    chance = rng.random()
    if chance < 0.55 and pool.woods:
        return str(rng.choice(pool.woods))
    if chance < 0.83:
        return f"cloth/{rng.integers(0, 2000)}"
    if chance < 0.89 and pool.photos:
        return str(rng.choice(pool.photos))
    grey = rng.integers(200, 256) if rng.random() < 0.5 else rng.integers(5, 256)  # white tables are the hard ones
    blue, green, red = np.clip(grey + rng.normal(0, 12, 3), 0, 255).astype(int)
    return f"plain/{blue}-{green}-{red}"


def _sample_background(rng: np.random.Generator, pool: ArtPool) -> str:
    if pool.photos and rng.random() < 0.6:
        return str(rng.choice(pool.photos))
    return f"cloth/{rng.integers(0, 2000)}"


def _sample_lighting(rng: np.random.Generator, size: tuple[int, int], difficulty: float) -> Lighting:
    warm = float(rng.normal(0, 0.16))
    tint = (1 - warm, 1.0 + float(rng.normal(0, 0.04)), 1 + warm)
    gradient = rng.normal(0, 0.18 * (0.3 + difficulty), 2)
    spots = [
        (float(rng.uniform(0, size[0])), float(rng.uniform(0, size[1])), _log_uniform(rng, 12, 90),
         _log_uniform(rng, 0.25, 2.2))
        for _ in range(int(rng.integers(1, 4)))
        if rng.random() < 0.4 * difficulty
    ]  # fmt: skip
    shades = [_sample_shade(rng, size) for _ in range(3) if rng.random() < 0.3 * difficulty]
    return Lighting(
        direction_deg=float(rng.uniform(0, 360)),
        shadow=float(rng.uniform(0.15, 0.75)),
        reach=_log_uniform(rng, 0.3, 3.0),
        softness_px=_log_uniform(rng, 0.6, 10.0),
        gradient=(float(gradient[0]), float(gradient[1])),
        vignette=float(rng.uniform(0, 0.15)),
        colour=tint,
        spots=tuple(spots),
        shades=tuple(shades),
    )


def _sample_shade(rng: np.random.Generator, size: tuple[int, int]) -> Shade:
    """The shadow of a person, a window bar or a lamp: a long soft-edged polygon across the picture."""
    centre = rng.uniform(0, 1, 2) * size
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
    radii = rng.uniform(0.15, 1.1, len(angles)) * max(size)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radii[:, None] + centre
    polygon = tuple((float(x), float(y)) for x, y in points)
    return Shade(polygon, float(rng.uniform(0.25, 0.8)), _log_uniform(rng, 0.5, 40))


def _sample_lens(rng: np.random.Generator, difficulty: float, card_px: float) -> Lens:
    """Blur is bounded by the card's size: what nobody can recognise teaches nothing."""
    worst = difficulty * min(card_px / 60, 2.5)
    return Lens(
        exposure=_log_uniform(rng, 0.35 if rng.random() < 0.25 * difficulty else 0.7, 1.5),
        gamma=_log_uniform(rng, 0.75, 1.45),
        defocus_px=float(abs(rng.normal(0, 0.9 * worst))) if rng.random() < 0.5 else 0.0,
        motion_px=float(rng.uniform(1.5, 1.5 + 6 * worst)) if rng.random() < 0.15 * difficulty else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(abs(rng.normal(0, 7 * difficulty))),
        noise_grain_px=1 if rng.random() < 0.6 else int(rng.integers(2, 5)),
        downscale=float(rng.uniform(1, 1 + 0.9 * min(worst, 1.5))) if rng.random() < 0.3 else 1.0,
        sharpen=float(rng.uniform(0, 1.2)) if rng.random() < 0.3 else 0.0,
        jpeg_quality=int(rng.integers(28, 96)) if rng.random() < 0.7 else 0,
        black_level=float(rng.uniform(0, 0.12)) if rng.random() < 0.3 else 0.0,
        saturation=float(rng.uniform(0.45, 1.4)),
    )


def _sample_cards(
    rng: np.random.Generator, pool: ArtPool, camera: Pinhole, card_px: float, difficulty: float
) -> tuple[tuple[CardInScene, ...], tuple[Stack, ...]]:
    fronts, backs = pool.deck(rng)
    view_mm = np.array(camera.size_wh) * camera.distance_mm / camera.focal_px
    scale = float(rng.normal(1, 0.04))
    spots = sample_layout(rng, view_mm, card_px, most=round(6 + 42 * max(0.0, 2 * difficulty - 1)))
    gloss = float(rng.uniform(0.05, 1.0))
    bendy = float(abs(rng.normal(0, 3.0))) if rng.random() < 0.4 else 0.0
    backs_share = float(rng.choice([0.1, 0.3, 0.8], p=[0.55, 0.35, 0.1]))
    size = _card_size(rng, fronts[0], scale)
    back = str(rng.choice(backs))
    cards, stacks = [], []
    for index, spot in enumerate(spots):
        face_down = rng.random() < backs_share if spot.side is None else spot.side == "back"
        art = back if face_down else str(rng.choice(fronts))
        card = CardInScene(
            art, face_of(art), size, spot.centre_mm, spot.angle_deg, spot.lift_mm,
            float(rng.normal(0, bendy)) if bendy else 0.0, "v" if rng.random() < 0.7 else "u", gloss,
        )  # fmt: skip
        cards.append(card)
        if spot.stack_mm:
            stacks.append(Stack(index, spot.stack_mm, (float(rng.normal(0, 3)), float(rng.normal(0, 3)))))
    return tuple(cards), tuple(stacks)


def _card_size(rng: np.random.Generator, art: str, scale: float) -> tuple[float, float]:
    width, height = CARD_MM
    if art.startswith("invented/"):
        width = height / float(rng.uniform(1.25, 1.65))
    elif art.startswith("decks/"):
        width *= float(rng.normal(0.97, 0.05))
    return width * scale, height * scale


def _sample_things(rng: np.random.Generator, pool: ArtPool, camera: Pinhole, difficulty: float) -> tuple[Thing, ...]:
    view_mm = np.array(camera.size_wh) * camera.distance_mm / camera.focal_px
    things = []
    for _ in range(int(rng.poisson(1.1 * difficulty))):
        kind = str(rng.choice(["paper", "box", "phone", "book", "round"]))
        short = {"paper": 148, "box": 70, "phone": 72, "book": 130, "round": 90}[kind] * float(rng.uniform(0.7, 1.6))
        ratio = {"paper": 1.41, "box": 1.0, "phone": 2.1, "book": 1.4, "round": 1.0}[kind]
        if kind == "box":
            ratio = float(rng.choice([0.3, 1.0, 2.6, 4.0]))
        centre = rng.uniform(-0.6, 0.6, 2) * view_mm
        bright = rng.uniform(0.05, 1.0)
        colour = np.clip(bright + rng.normal(0, 0.12, 3), 0, 1)
        picture = str(rng.choice(pool.photos)) if kind == "book" and pool.photos else None
        things.append(
            Thing(kind, (short * ratio, short), (float(centre[0]), float(centre[1])), float(rng.uniform(0, 360)),
                  (float(colour[0]), float(colour[1]), float(colour[2])), picture, bool(rng.random() < 0.15))
        )  # fmt: skip
    return tuple(things)


def _sample_sprites(
    rng: np.random.Generator, pool: ArtPool, camera: Pinhole, cards: tuple[CardInScene, ...], difficulty: float
) -> tuple[Sprite, ...]:
    card_px = camera.focal_px * CARD_MM[1] / camera.distance_mm
    width, height = camera.size_wh
    sprites = []
    if pool.clutter:
        for _ in range(int(rng.poisson(0.7 * difficulty))):
            place = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
            size = card_px * _log_uniform(rng, 0.25, 1.8)
            below = bool(rng.random() < 0.7)
            sprites.append(
                Sprite(str(rng.choice(pool.clutter)), place, size, float(rng.uniform(0, 360)), below_cards=below)
            )
    if pool.hands:
        for _ in range(2):
            if rng.random() < 0.2 * difficulty:
                sprites.append(_sample_hand(rng, pool, camera, cards, card_px))
    return tuple(sprites)


def _sample_hand(
    rng: np.random.Generator, pool: ArtPool, camera: Pinhole, cards: tuple[CardInScene, ...], card_px: float
) -> Sprite:
    """A hand that reaches from the picture's edge to a card or to an empty place."""
    width, height = camera.size_wh
    place = np.array([rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height])
    if cards and rng.random() < 0.75:
        card = cards[int(rng.integers(len(cards)))]
        point = camera.project(np.array([[*card.centre_mm, card.lift_mm]]))[0]
        place = point + rng.normal(0, 0.45, 2) * card_px
    towards = place - np.array([width / 2, height / 2]) + rng.normal(0, 0.3, 2) * width
    angle = math.degrees(math.atan2(towards[1], towards[0])) - 90  # the forearm leaves away from the middle
    return Sprite(
        str(rng.choice(pool.hands)),
        (float(place[0]), float(place[1])),
        card_px * float(rng.uniform(3.4, 5.6)),
        angle + float(rng.normal(0, 25)),
        anchor_uv=(0.5, 0.15),
        shadow=float(rng.uniform(0.2, 0.6)),
    )
