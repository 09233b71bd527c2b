"""Light over the whole picture, and what camera and compression make of it."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.teaching.layers import Bytes, Reals, low_noise
from vision.teaching.scenes import Lens, Lighting

__all__ = ["expose", "light_up"]


def light_up(canvas: Bytes, lighting: Lighting, gloss: Reals) -> Reals:
    """`canvas` (H, W, 3) under its lamps as float32 0 to about 1.5; `gloss` (H, W) tells where lamps mirror."""
    height, width = canvas.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    field = 1 + lighting.gradient[0] * x + lighting.gradient[1] * y - lighting.vignette * (x * x + y * y)
    field = np.maximum(field, 0.12)
    for shade in lighting.shades:
        mask = np.zeros((height, width), np.float32)
        cv2.fillPoly(mask, [np.round(np.array(shade.polygon_px)).astype(np.int32)], (1.0,))
        if shade.softness_px > 0.5:
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), shade.softness_px), np.float32)
        field = field * (1 - shade.strength * mask)
    lit = canvas.astype(np.float32) * (1 / 255) * field[..., None] * np.array(lighting.colour, np.float32)
    for centre_x, centre_y, radius, strength in lighting.spots:
        falloff = ((x + 1) * (width / 2) - centre_x) ** 2 + ((y + 1) * (height / 2) - centre_y) ** 2
        mirror = strength * gloss * np.exp(-falloff / (2 * radius * radius))
        lit += mirror[..., None].astype(np.float32)
    return np.asarray(lit, np.float32)


def expose(lit: Reals, lens: Lens, seed: int) -> Bytes:
    """The finished photograph (H, W, 3) uint8 of a lit picture."""
    picture = _blur(lit * np.float32(lens.exposure), lens)
    if lens.saturation != 1.0:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(lens.saturation)
    picture = np.clip(picture, 0, 1) ** np.float32(lens.gamma)
    picture = picture * np.float32(1 - lens.black_level) + np.float32(lens.black_level)
    picture = _noise(picture * 255, lens, seed)
    image: Bytes = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    if lens.sharpen > 0:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(cv2.addWeighted(image, 1 + lens.sharpen, soft, -lens.sharpen, 0), np.uint8)
    if lens.jpeg_quality:
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg_quality])
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image


def _blur(picture: Reals, lens: Lens) -> Reals:
    height, width = picture.shape[:2]
    if lens.downscale > 1.0:
        small = (max(8, round(width / lens.downscale)), max(8, round(height / lens.downscale)))
        picture = np.asarray(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), np.float32)
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    if lens.defocus_px > 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), lens.defocus_px), np.float32)
    if lens.motion_px >= 1.5:
        size = math.ceil(lens.motion_px) | 1
        kernel = np.zeros((size, size), np.float32)
        middle = (size - 1) / 2
        reach = np.array([math.cos(math.radians(lens.motion_deg)), math.sin(math.radians(lens.motion_deg))]) * middle
        start, end = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
        cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), (1.0,))
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    return picture


def _noise(picture: Reals, lens: Lens, seed: int) -> Reals:
    """Sensor noise in grey levels, more in dark places as cameras amplify there; coarse grain after heavy denoising."""
    if lens.noise <= 0:
        return picture
    rng = np.random.default_rng(seed ^ 0x5EED)
    height, width = picture.shape[:2]
    if lens.noise_grain_px > 1:
        grain = np.stack([low_noise(rng, (height, width), lens.noise_grain_px) for _ in range(3)], axis=2)
    else:
        grain = rng.standard_normal((height, width, 3), dtype=np.float32)
    return np.asarray(picture + grain * np.float32(lens.noise), np.float32)
