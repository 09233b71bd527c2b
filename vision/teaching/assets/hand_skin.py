"""Colour and light of a hand: skin with creases and nails, cloth, shading.

All work is done per pixel in linear light; `Surface` is what the rasteriser saw.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.teaching.assets.glb import SkinnedMesh

__all__ = ["SKIN_TONES_RGB", "Light", "Surface", "cloth_colour", "shade", "skin_colour"]

Floats = NDArray[np.float64]

# From very light to very dark, sRGB.
SKIN_TONES_RGB = ((240, 208, 188), (226, 182, 152), (202, 152, 118), (166, 116, 84), (118, 78, 55), (74, 48, 37))
_BLOOD = np.array([0.52, 0.10, 0.08])
_FINGERS = ("index-finger", "middle-finger", "ring-finger", "pinky-finger")


@dataclass(frozen=True, slots=True)
class Surface:
    """What is seen at each pixel (h, w): place and normal at rest, normal as seen, depth in metres (-inf: nothing)."""

    place: Floats
    rest_normal: Floats
    normal: Floats
    depth_m: Floats


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp in the direction `towards` (x right, y up, z to the viewer), as strong as 1, and light from everywhere."""

    towards: tuple[float, float, float]
    ambient: float


def skin_colour(
    surface: Surface, hand: SkinnedMesh, *, tone: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Linear RGB (h, w, 3) of skin of a tone 0 (very light) to 5 (very dark), and its gloss (h, w)."""
    base = _linear(np.array(SKIN_TONES_RGB[tone]) * random.uniform(0.95, 1.05))
    darkness = tone / (len(SKIN_TONES_RGB) - 1)
    colour = np.broadcast_to(base, surface.place.shape).copy()
    palm = np.clip(-surface.rest_normal[..., 0] * 1.6 - 0.1, 0, 1)[..., None]
    pale = _linear(np.array([212.0, 160.0, 140.0]))
    colour = colour * (1 - palm * (0.1 + 0.45 * darkness)) + pale * palm * (0.1 + 0.45 * darkness)
    colour = _tinted(colour, 0.20 * (1 - 0.7 * darkness) * _flush(surface, hand), _BLOOD)
    colour *= (1 - (0.30 + 0.15 * darkness) * _creases(surface, hand))[..., None]
    nails, rims = _nails(surface, hand)
    pink = _linear(np.array([226.0, 178.0, 168.0])) * (1 - 0.45 * darkness)
    colour = _tinted(colour, 0.75 * nails, pink) * (1 - 0.35 * rims)[..., None]
    return colour * _mottled(colour.shape[:2], random)[..., None], 0.10 + 0.25 * nails


def cloth_colour(shape_hw: tuple[int, int], dye_rgb: tuple[int, int, int], random: np.random.Generator) -> Floats:
    """Linear RGB (h, w, 3) of a woven sleeve."""
    weave = random.normal(1, 0.07, shape_hw) * _mottled(shape_hw, random)
    return np.asarray(_linear(np.array(dye_rgb, dtype=np.float64)) * weave[..., None])


def shade(colour: Floats, surface: Surface, light: Light, *, gloss: Floats) -> NDArray[np.uint8]:
    """BGR (h, w, 3) of the lit surface: a soft terminator, reddened as in skin, darkened where things are close."""
    lamp = np.array(light.towards) / np.linalg.norm(light.towards)
    facing = surface.normal @ lamp
    wrap = np.array([0.45, 0.30, 0.25])
    diffuse = np.clip((facing[..., None] + wrap) / (1 + wrap), 0, None) ** 1.3
    half = lamp + np.array([0.0, 0.0, 1.0])
    glint = np.clip(surface.normal @ (half / np.linalg.norm(half)), 0, 1) ** 24
    sky = 0.65 + 0.35 * surface.normal[..., 2:3]
    lit = colour * (0.85 * diffuse + light.ambient * sky) + (gloss * glint)[..., None] * 0.25
    lit *= _occlusion(surface.depth_m)[..., None]
    return np.asarray(_encoded(lit)[..., ::-1], dtype=np.uint8)


def _occlusion(depth_m: Floats) -> Floats:
    """Less light in clefts: where the surroundings within about a finger's width rise above the pixel."""
    inside = np.isfinite(depth_m)
    filled = np.where(inside, depth_m, np.min(depth_m[inside], initial=0.0))
    light = np.ones_like(filled)
    for sigma_share, strength in ((0.006, 28.0), (0.02, 12.0)):
        sigma = sigma_share * depth_m.shape[0]
        weight = cv2.GaussianBlur(inside.astype(np.float64), (0, 0), sigma)
        around = cv2.GaussianBlur(np.where(inside, filled, 0.0), (0, 0), sigma) / np.maximum(weight, 1e-6)
        light *= np.clip(1 - strength * np.clip(around - filled, 0, None), 0.45, 1)
    return light


def _local(surface: Surface, hand: SkinnedMesh, joint: str) -> Floats:
    """Places (h, w, 3) in the frame of a joint at rest: +x across, +y out of the back, -z to the fingertip."""
    frame = hand.rest[hand.names.index(joint)]
    return np.asarray((surface.place - frame[:3, 3]) @ frame[:3, :3])


def _flush(surface: Surface, hand: SkinnedMesh) -> Floats:
    """Fingertips and knuckles are redder."""
    red = np.zeros(surface.place.shape[:2])
    for finger in (*_FINGERS, "thumb"):
        for joint, reach in (("tip", 0.014), ("phalanx-proximal", 0.011)):
            away = np.linalg.norm(_local(surface, hand, f"{finger}-{joint}"), axis=2)
            red = np.maximum(red, np.exp(-((away / reach) ** 2) / 2))
    return red


def _creases(surface: Surface, hand: SkinnedMesh) -> Floats:
    """Fine folds across the joints: three on the back, one on the inside."""
    dark = np.zeros(surface.place.shape[:2])
    joints = [f"{finger}-phalanx-{joint}" for finger in _FINGERS for joint in ("intermediate", "distal")]
    for joint in [*joints, "thumb-phalanx-distal"]:
        x, y, z = np.moveaxis(_local(surface, hand, joint), 2, 0)
        near = np.exp(-((np.hypot(x, y) / 0.013) ** 4))
        bowed = z + 12 * x**2
        back = sum(np.exp(-(((bowed - fold) / 0.0007) ** 2)) for fold in (-0.0028, 0.0, 0.0028))
        inside = np.exp(-((z / 0.0009) ** 2))
        dark = np.maximum(dark, near * np.where(y > 0, 0.7 * back * np.clip(y / 0.004, 0, 1), 0.8 * inside))
    return np.clip(dark, 0, 1)


def _nails(surface: Surface, hand: SkinnedMesh) -> tuple[Floats, Floats]:
    """How much of a nail there is at each pixel, and of the fold around it."""
    nails, rims = np.zeros(surface.place.shape[:2]), np.zeros(surface.place.shape[:2])
    for finger in (*_FINGERS, "thumb"):
        x, y, z = np.moveaxis(_local(surface, hand, f"{finger}-tip"), 2, 0)
        wide, long, middle = (0.0062, 0.0075, 0.0005) if finger == "thumb" else (0.0048, 0.0062, 0.0)
        away = (np.abs(x) / wide) ** 2.6 + (np.abs(z - middle) / long) ** 2.6
        on_back = np.clip((y - 0.0015) / 0.002, 0, 1) * (np.abs(x) < 0.012) * (np.abs(z) < 0.016)
        nails = np.maximum(nails, on_back * np.clip((1 - away) * 4, 0, 1))
        rims = np.maximum(rims, on_back * np.exp(-(((away - 1.15) / 0.22) ** 2)))
    return nails, rims


def _tinted(colour: Floats, amount: Floats, towards: Floats) -> Floats:
    return np.asarray(colour * (1 - amount[..., None]) + towards * amount[..., None])


def _mottled(shape_hw: tuple[int, int], random: np.random.Generator) -> Floats:
    """Uneven pigment: a little coarse and a little fine noise around 1."""
    coarse = cv2.GaussianBlur(random.normal(0, 1, shape_hw), (0, 0), shape_hw[0] * 0.022)
    fine = cv2.GaussianBlur(random.normal(0, 1, shape_hw), (0, 0), 1.2)
    return np.asarray(1 + 0.025 * coarse / coarse.std() + 0.025 * fine / fine.std())


def _linear(srgb: NDArray[np.generic]) -> Floats:
    return np.asarray((np.asarray(srgb, dtype=np.float64) / 255) ** 2.2)


def _encoded(linear: Floats) -> Floats:
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255)
