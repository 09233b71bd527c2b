"""Sprites of hands with forearms: twelve poses, six skin tones, left and right.

The hand is the rigged model of npm `@webxr-input-profiles/assets` (MIT), posed and drawn here. A sprite is BGRA, 512 px
high, fingertips up, the forearm leaving at the bottom edge. `hands.json` gives for each file its pose, tone (1 very
light to 6 very dark), side, the pixel between thumb and index finger (`grip_px`), the wrist (`wrist_px`), the length
from wrist to middle fingertip if the hand lay flat (`hand_length_px`) and whether a sleeve is worn.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.teaching.assets.forearm import FOREARM_JOINT, Sleeve, cut_line_y, with_forearm
from vision.teaching.assets.glb import SkinnedMesh, load_glb, pose_joints, skin
from vision.teaching.assets.hand_poses import PARENTS, POSES, Finger, Pose, Thumb, rotation, turns_of
from vision.teaching.assets.hand_skin import SKIN_TONES_RGB, Light, Surface, cloth_colour, shade, skin_colour
from vision.teaching.assets.packages import Package, unpacked
from vision.teaching.assets.picture_files import write_picture
from vision.teaching.assets.rasteriser import rasterise_triangles, vertex_normals

__all__ = ["HandSprite", "draw_hand", "write_hands"]

_LOG = logging.getLogger(__name__)

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_MODEL = Package("npm", "@webxr-input-profiles/assets", "1.0.20", "MIT")
_HEIGHT_PX = 512
# Drawn larger and scaled down: smooth edges.
_OVERSAMPLING = 2
_MARGIN_PX = 4
_HAND_M = 0.19
_FOREARM_SEEN_M = 1.5 * _HAND_M
_FOREARM_DRAWN_M = 0.42
_CAMERA_M = 0.9
# Mesh axes to the viewer's: x right, y up, z towards the viewer, who looks at the back of the right hand.
_TO_VIEW = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
# Poses in which cards are played get a second sprite of each tone and side.
_OFTEN = ("pinch", "hold", "pick", "tips")


@dataclass(frozen=True, slots=True)
class HandSprite:
    """A drawn right hand: BGRA picture, grip and wrist in pixels, pixels of a flat hand's length, sleeve or none."""

    picture: Image
    grip_px: tuple[float, float]
    wrist_px: tuple[float, float]
    hand_length_px: float
    sleeve: bool

    def mirrored(self) -> HandSprite:
        """The left hand."""
        width = self.picture.shape[1]
        return replace(
            self,
            picture=np.ascontiguousarray(self.picture[:, ::-1]),
            grip_px=(width - self.grip_px[0], self.grip_px[1]),
            wrist_px=(width - self.wrist_px[0], self.wrist_px[1]),
        )


def write_hands(folder: Path, cache: Path) -> list[dict[str, str]]:
    """Draw all sprites into `hands` that are not there yet, then `hands.json`."""
    source = unpacked(_MODEL, cache)
    hand = load_glb(source.folder / "package/dist/profiles/generic-hand/right.glb")
    home = folder / "hands"
    home.mkdir(parents=True, exist_ok=True)
    facts = {}
    for number, (pose, tone, side, variant) in enumerate(_wanted()):
        name = f"{pose}-{tone + 1}-{side}-{variant}"
        sprite = draw_hand(hand, POSES[pose], tone=tone, random=np.random.default_rng([20, number]))
        kept = sprite.mirrored() if side == "left" else sprite
        write_picture(home / f"{name}.png", kept.picture)
        facts[f"{name}.png"] = {"pose": pose, "tone": tone + 1, "side": side, **_measures(kept)}
        if number % 24 == 0:
            _LOG.info("hand %d: %s", number + 1, name)
    (home / "hands.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return [source.as_record()]


def _wanted() -> Iterator[tuple[str, int, str, int]]:
    for pose in POSES:
        for variant in range(1, 3 if pose in _OFTEN else 2):
            for tone in range(len(SKIN_TONES_RGB)):
                yield from ((pose, tone, side, variant) for side in ("left", "right"))


def _measures(sprite: HandSprite) -> dict[str, object]:
    return {
        "grip_px": [round(value, 1) for value in sprite.grip_px],
        "wrist_px": [round(value, 1) for value in sprite.wrist_px],
        "hand_length_px": round(sprite.hand_length_px, 1),
        "sleeve": sprite.sleeve,
    }


def draw_hand(hand: SkinnedMesh, pose: Pose, *, tone: int, random: np.random.Generator) -> HandSprite:
    """One right hand in about this pose, with random view, light and sleeve."""
    sleeve = _some_sleeve(random) if random.random() < 0.6 else None
    mesh = with_forearm(hand, length_m=_FOREARM_DRAWN_M, sleeve=sleeve)
    frames = pose_joints(mesh, PARENTS, turns_of(_varied(pose, random)))
    view = _some_view(pose, random)
    camera = _Camera.for_points(_seen(skin(mesh, frames), view), _seen(_forearm_end(mesh, frames), view))
    surface, size_wh = _surface_of(mesh, frames, view, camera)
    colour, gloss = skin_colour(surface, mesh, tone=tone, random=random)
    if sleeve is not None:
        covered = surface.place[..., 1] >= cut_line_y(hand) + sleeve.start_m - 0.9e-4
        colour[covered] = cloth_colour((size_wh[1], size_wh[0]), _some_dye(random), random)[covered]
        gloss = np.where(covered, 0.0, gloss)
    picture = np.dstack([shade(colour, surface, _some_light(random), gloss=gloss), _alpha(surface)])
    small = _scaled_down(picture)
    tips = [frames[mesh.names.index(name)][:3, 3] for name in ("thumb-tip", "index-finger-tip")]
    wrist = frames[mesh.names.index("wrist")][:3, 3]
    grip_px, wrist_px = camera.pixels(_seen(np.array([np.mean(tips, axis=0), wrist]), view))[:, :2] / _OVERSAMPLING
    length_px = _HAND_M * camera.scale / _OVERSAMPLING
    return HandSprite(small, (grip_px[0], grip_px[1]), (wrist_px[0], wrist_px[1]), length_px, sleeve is not None)


@dataclass(frozen=True, slots=True)
class _Camera:
    """A mild perspective: pixels of a metre at the distance of the wrist, and the pixel of the origin."""

    scale: float
    origin_px: tuple[float, float]
    width_px: int

    @classmethod
    def for_points(cls, points: Floats, end: Floats) -> _Camera:
        """The camera in which the points reach from the top margin to the forearm's end on the bottom edge."""
        flat, end_flat = _projected(points), _projected(end)
        bottom = float(end_flat[:, 1].mean())
        shown = flat[flat[:, 1] >= bottom]
        margin, height = _MARGIN_PX * _OVERSAMPLING, _HEIGHT_PX * _OVERSAMPLING
        scale = (height - margin) / (shown[:, 1].max() - bottom)
        left, right = shown[:, 0].min(), shown[:, 0].max()
        width = int(np.ceil((right - left) * scale / _OVERSAMPLING)) * _OVERSAMPLING + 2 * margin
        return cls(scale, (margin - left * scale, margin + shown[:, 1].max() * scale), width)

    def pixels(self, points: Floats) -> Floats:
        """Pixels x, y (y down) and the height above the wrist in metres, of points (n, 3) as seen."""
        flat = _projected(points) * self.scale
        return np.column_stack([self.origin_px[0] + flat[:, 0], self.origin_px[1] - flat[:, 1], points[:, 2]])


def _projected(points: Floats) -> Floats:
    return np.asarray(points[:, :2] * _CAMERA_M / (_CAMERA_M - points[:, 2:]))


def _seen(points: Floats, view: Floats) -> Floats:
    return np.asarray(points @ view.T)


def _forearm_end(mesh: SkinnedMesh, frames: Floats) -> Floats:
    frame = frames[mesh.names.index(FOREARM_JOINT)]
    return np.asarray(frame[:3, 3] + frame[:3, 2] * _FOREARM_SEEN_M)[None]


def _surface_of(mesh: SkinnedMesh, frames: Floats, view: Floats, camera: _Camera) -> tuple[Surface, tuple[int, int]]:
    seen = _seen(skin(mesh, frames), view)
    normals = vertex_normals(seen, mesh.triangles)
    attributes = np.hstack([mesh.vertices, vertex_normals(mesh.vertices, mesh.triangles), normals])
    size_wh = (camera.width_px, _HEIGHT_PX * _OVERSAMPLING)
    pixels, depth = rasterise_triangles(camera.pixels(seen), mesh.triangles, attributes, size_wh=size_wh)
    normal = pixels[..., 6:] / np.maximum(np.linalg.norm(pixels[..., 6:], axis=2, keepdims=True), 1e-9)
    return Surface(pixels[..., :3], pixels[..., 3:6], normal, depth), size_wh


def _alpha(surface: Surface) -> Image:
    return np.where(np.isfinite(surface.depth_m), 255, 0).astype(np.uint8)


def _scaled_down(picture: Image) -> Image:
    """Half as large; colours count by their alpha, so that no dark rim grows."""
    alpha = picture[..., 3:].astype(np.float64) / 255
    premultiplied = np.dstack([picture[..., :3] * alpha, alpha * 255])
    size_wh = (picture.shape[1] // _OVERSAMPLING, picture.shape[0] // _OVERSAMPLING)
    small = np.asarray(cv2.resize(premultiplied, size_wh, interpolation=cv2.INTER_AREA), dtype=np.float64)
    colours = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-6)
    return np.clip(np.rint(np.dstack([colours, small[..., 3:]])), 0, 255).astype(np.uint8)


def _varied(pose: Pose, random: np.random.Generator) -> Pose:
    def near(value: float, spread: float = 4.0) -> float:
        return value + float(random.normal(0, spread))

    index, middle, ring, little = (
        Finger(near(f.knuckle), near(f.middle), near(f.last), near(f.spread, 1.5)) for f in pose.fingers
    )
    thumb = pose.thumb
    varied = Thumb(near(thumb.bend), near(thumb.across), near(thumb.twist), near(thumb.knuckle), near(thumb.last))
    return replace(pose, fingers=(index, middle, ring, little), thumb=varied, wrist=near(pose.wrist, 6.0))


def _some_view(pose: Pose, random: np.random.Generator) -> Floats:
    roll = float(random.choice(pose.rolls_deg)) + float(random.normal(0, 5))
    tilt = float(random.uniform(0, 50))
    lean = float(random.normal(0, 4))
    return np.asarray(rotation("z", lean) @ rotation("x", tilt) @ rotation("y", roll) @ _TO_VIEW)


def _some_light(random: np.random.Generator) -> Light:
    around, up = random.uniform(0, 2 * np.pi), np.radians(random.uniform(40, 75))
    towards = (np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up))
    return Light((float(towards[0]), float(towards[1]), float(towards[2])), float(random.uniform(0.22, 0.42)))


def _some_sleeve(random: np.random.Generator) -> Sleeve:
    start_m = float(random.uniform(0.012, 0.16))
    return Sleeve(start_m, float(random.uniform(1.12, 1.38)), int(random.integers(1 << 30)))


def _some_dye(random: np.random.Generator) -> tuple[int, int, int]:
    hsv = np.array([[[random.integers(180), random.integers(10, 200), random.integers(35, 235)]]], dtype=np.uint8)
    red, green, blue = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].tolist()
    return int(red), int(green), int(blue)
