"""Made-up table cloths and felts: what no package holds as a photograph.

Each picture is woven from a pattern of dye (plain, checks, stripes, dots, tartan), threads and wear, from a seed alone.
Pictures are BGR, shape (size, size, 3).
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CLOTH_PATTERNS", "felt", "table_cloth"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SIZE_PX = 768


def table_cloth(pattern: str, seed: int) -> Image:
    """A table cloth with one of `CLOTH_PATTERNS`."""
    random = np.random.default_rng([seed, *pattern.encode()])
    ground, ink = _two_dyes(random)
    share = CLOTH_PATTERNS[pattern](random)[..., None]
    dyed = ground * (1 - share) + ink * share
    return _as_picture(dyed * _threads(random)[..., None] * _wear(random, depth=0.10)[..., None], random)


def felt(seed: int) -> Image:
    """A felt: green, blue, red, grey and other plain dyes with short unordered fibres."""
    random = np.random.default_rng([seed])
    dye = _dye(random, hues=(52, 62, 75, 105, 112, 0, 172, 15), saturation=(90, 220), value=(40, 170))
    fibres = np.zeros((_SIZE_PX, _SIZE_PX))
    for angle in random.uniform(0, 180, 6):
        fibres += cv2.filter2D(random.normal(0, 1, (_SIZE_PX, _SIZE_PX)), -1, _streak(9, float(angle)))
    nap = 1 + 0.05 * fibres / fibres.std()
    return _as_picture(dye * nap[..., None] * _wear(random, depth=0.08)[..., None], random)


def _plain(random: np.random.Generator) -> Floats:
    return np.full((_SIZE_PX, _SIZE_PX), float(random.uniform(0, 0.1)))


def _checks(random: np.random.Generator) -> Floats:
    """Gingham: both directions of stripes at half strength, full where they cross."""
    stripes = _bands(random, int(random.integers(24, 110)), 0.5)
    return np.asarray((stripes[None, :] + stripes[:, None]) / 2)


def _stripes(random: np.random.Generator) -> Floats:
    stripes = _bands(random, int(random.integers(20, 160)), float(random.uniform(0.15, 0.6)))
    one_way = np.broadcast_to(stripes, (_SIZE_PX, _SIZE_PX))
    return np.array(one_way if random.random() < 0.5 else one_way.T)


def _tartan(random: np.random.Generator) -> Floats:
    wide, thin = _bands(random, 150, 0.35), _bands(random, 75, 0.08)
    sett = np.clip(0.7 * wide + 0.5 * thin, 0, 1)
    return np.asarray((sett[None, :] + sett[:, None]) / 2)


def _dots(random: np.random.Generator) -> Floats:
    pitch = int(random.integers(28, 90))
    radius = pitch * random.uniform(0.12, 0.32)
    y, x = np.mgrid[:_SIZE_PX, :_SIZE_PX].astype(np.float64)
    x += np.where((y // pitch) % 2 == 0, 0, pitch / 2)
    away = np.hypot(x % pitch - pitch / 2, y % pitch - pitch / 2)
    return np.asarray(np.clip(radius - away + 0.5, 0, 1))


def _diamonds(random: np.random.Generator) -> Floats:
    pitch = float(random.uniform(40, 130))
    y, x = np.mgrid[:_SIZE_PX, :_SIZE_PX] / pitch
    return np.asarray(np.clip(8 * np.sin(2 * np.pi * (x + y)) * np.sin(2 * np.pi * (x - y)) + 0.5, 0, 1))


def _blotches(random: np.random.Generator) -> Floats:
    """A loose print: two levels of a smooth noise."""
    noise = _smooth_noise(random, float(random.uniform(6, 20)))
    return 0.5 * (noise > 0.4) + 0.5 * (noise > 1.0)


CLOTH_PATTERNS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "plain": _plain,
    "checks": _checks,
    "stripes": _stripes,
    "tartan": _tartan,
    "dots": _dots,
    "diamonds": _diamonds,
    "blotches": _blotches,
}


def _bands(random: np.random.Generator, pitch: int, filled: float) -> Floats:
    phase = (np.arange(_SIZE_PX) + random.uniform(0, pitch)) % pitch / pitch
    return np.clip((filled - phase) * pitch + 0.5, 0, 1) * np.clip(phase * pitch + 0.5, 0, 1)


def _threads(random: np.random.Generator) -> Floats:
    """Warp and weft: each thread a little lighter or darker, over and under by turns."""
    pitch = int(random.integers(2, 6))
    warp = np.repeat(random.normal(1, 0.05, _SIZE_PX // pitch + 1), pitch)[:_SIZE_PX]
    weft = np.repeat(random.normal(1, 0.05, _SIZE_PX // pitch + 1), pitch)[:_SIZE_PX]
    y, x = np.mgrid[:_SIZE_PX, :_SIZE_PX] // pitch
    over = np.where((x + y) % 2 == 0, warp[None, :], weft[:, None] * 0.9)
    return np.asarray(cv2.GaussianBlur(over, (0, 0), 0.7), dtype=np.float64)


def _wear(random: np.random.Generator, *, depth: float) -> Floats:
    """Slow changes of brightness: folds, stains, sunlight."""
    return 1 + depth * (0.6 * _smooth_noise(random, 90) + 0.3 * _smooth_noise(random, 20))


def _smooth_noise(random: np.random.Generator, sigma_px: float) -> Floats:
    small = max(1, round(sigma_px / 4))
    side = _SIZE_PX // small + 1
    noise = cv2.GaussianBlur(random.normal(0, 1, (side, side)), (0, 0), sigma_px / small)
    grown = cv2.resize(noise, (_SIZE_PX, _SIZE_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip((grown - grown.mean()) / grown.std(), -2.5, 2.5), dtype=np.float64)


def _streak(length_px: int, angle_deg: float) -> Floats:
    kernel = np.zeros((length_px, length_px))
    kernel[length_px // 2] = 1
    turn = cv2.getRotationMatrix2D((length_px / 2 - 0.5, length_px / 2 - 0.5), angle_deg, 1)
    turned = np.asarray(cv2.warpAffine(kernel, turn, (length_px, length_px)), dtype=np.float64)
    return np.asarray(turned / turned.sum())


def _two_dyes(random: np.random.Generator) -> tuple[Floats, Floats]:
    """A ground and an ink, one pale and one strong; often white with red, blue or green, as in many kitchens."""
    classic = random.random() < 0.4
    pale = _dye(random, hues=range(180), saturation=(0, 12 if classic else 70), value=(200, 250))
    hues = (0, 3, 176, 108, 115, 60) if classic else range(180)
    strong = _dye(random, hues=hues, saturation=(130 if classic else 50, 230), value=(40, 200))
    return (pale, strong) if random.random() < 0.6 else (strong, pale)


def _dye(
    random: np.random.Generator, *, hues: range | tuple[int, ...], saturation: tuple[int, int], value: tuple[int, int]
) -> Floats:
    hsv = np.array([[[random.choice(hues), random.integers(*saturation), random.integers(*value)]]], dtype=np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float64)


def _as_picture(colours: Floats, random: np.random.Generator) -> Image:
    grain = random.normal(0, 2.5, colours.shape[:2])[..., None]
    return np.clip(colours + grain, 0, 255).astype(np.uint8)
