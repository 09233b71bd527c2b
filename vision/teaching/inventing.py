"""Cards of no existing deck, cloths and flat things, made from a seed.

A locator that has only met French cards finds only French cards. Invented fronts and backs share nothing with any
deck but what makes a card a card: a rounded rectangle with print on it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.teaching.layers import Bytes, Reals, low_noise

__all__ = ["invent_card", "invent_cloth", "invent_thing", "round_corners"]

_HEIGHT = 400


def _colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[float, float, float]:
    blue, green, red = rng.integers(low, high, 3)
    return float(blue), float(green), float(red)


def round_corners(picture: Bytes, radius_px: int) -> Bytes:
    """`picture` (h, w, 3) with rounded, smooth-edged corners as (h, w, 4)."""
    height, width = picture.shape[:2]
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    radius = max(1, radius_px * scale)
    right, bottom = width * scale - 1, height * scale - 1
    cv2.rectangle(mask, (radius, 0), (right - radius, bottom), (255.0,), -1)
    cv2.rectangle(mask, (0, radius), (right, bottom - radius), (255.0,), -1)
    for x in (radius, right - radius):
        for y in (radius, bottom - radius):
            cv2.circle(mask, (x, y), radius, (255.0,), -1)
    alpha = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.dstack([picture, alpha]), np.uint8)


def invent_card(side: str, seed: int) -> Bytes:
    """One side (`front` or `back`) of a card that nobody has printed: (400, w, 4)."""
    rng = np.random.default_rng([seed, side == "back"])
    width = round(_HEIGHT / rng.uniform(1.25, 1.65))
    canvas = _invent_back(rng, width) if side == "back" else _invent_front(rng, width)
    return round_corners(canvas, round(_HEIGHT * rng.uniform(0.0, 0.07)))


def _invent_front(rng: np.random.Generator, width: int) -> Bytes:
    pale = rng.random() < 0.75
    canvas = np.full((_HEIGHT, width, 3), _colour(rng, 215, 256) if pale else _colour(rng), np.uint8)
    if rng.random() < 0.35:
        margin = int(rng.integers(8, 50))
        canvas[margin:-margin, margin:-margin] = _colour(rng, 120 if pale else 0)
    if rng.random() < 0.3:
        inset = int(rng.integers(8, 45))
        cv2.rectangle(canvas, (inset, inset), (width - inset, _HEIGHT - inset), _colour(rng, 0, 160), 2)
    for _ in range(int(rng.integers(1, 9))):
        _draw_symbol(
            canvas, rng, (rng.uniform(0.2, 0.8) * width, rng.uniform(0.12, 0.88) * _HEIGHT), rng.uniform(15, 110)
        )
    if rng.random() < 0.75:
        _print_indices(canvas, rng)
    return canvas


def _draw_symbol(canvas: Bytes, rng: np.random.Generator, centre: tuple[float, float], size: float) -> None:
    colour, thickness = _colour(rng, 0, 220), -1 if rng.random() < 0.75 else int(rng.integers(2, 9))
    middle = (int(centre[0]), int(centre[1]))
    kind = rng.integers(0, 4)
    if kind == 0:
        axes = (int(size * rng.uniform(0.4, 1)), int(size * rng.uniform(0.4, 1)))
        cv2.ellipse(canvas, middle, axes, float(rng.uniform(0, 180)), 0, 360, colour, thickness, cv2.LINE_AA)
        return
    if kind == 1:
        text = "".join(rng.choice(list("ABCDEFGHJKLMNPRSTUVWXYZ0123456789?!&%"), int(rng.integers(1, 4))))
        cv2.putText(canvas, text, (middle[0] - int(size / 2), middle[1]), int(rng.integers(0, 5)), size / 25, colour,
                    max(1, int(size / 12)), cv2.LINE_AA)  # fmt: skip
        return
    corners = int(rng.integers(3, 11))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners)) if kind == 2 else np.arange(corners) * 2 * np.pi / corners
    radii = size * rng.uniform(0.4, 1.0, corners) if kind == 2 else size * np.where(np.arange(corners) % 2, 0.5, 1.0)
    points = np.stack([np.cos(angles) * radii, np.sin(angles) * radii], axis=1) + centre
    if thickness < 0:
        cv2.fillPoly(canvas, [points.astype(np.int32)], colour, cv2.LINE_AA)
    else:
        cv2.polylines(canvas, [points.astype(np.int32)], True, colour, thickness, cv2.LINE_AA)


def _print_indices(canvas: Bytes, rng: np.random.Generator) -> None:
    """A sign in one corner, turned by 180 degrees in the opposite one, as on most cards."""
    height, width = canvas.shape[:2]
    patch = canvas[: height // 5, : width // 3].copy()
    text = str(rng.choice(list("A23456789JQKXEBTWRGSN")))
    scale, colour = rng.uniform(1.0, 2.2), _colour(rng, 0, 170)
    cv2.putText(patch, text, (int(width * 0.05), int(height * 0.12)), int(rng.integers(0, 5)), scale, colour,
                int(rng.integers(2, 6)), cv2.LINE_AA)  # fmt: skip
    canvas[: height // 5, : width // 3] = patch
    if rng.random() < 0.85:
        canvas[-(height // 5) :, -(width // 3) :] = patch[::-1, ::-1]


def _invent_back(rng: np.random.Generator, width: int) -> Bytes:
    base, ink = np.array(_colour(rng)), np.array(_colour(rng))
    y, x = np.mgrid[0:_HEIGHT, 0:width].astype(np.float32)
    step = rng.uniform(5, 45)
    waves = _waves(rng, x, y, step)
    mask = np.clip(waves * rng.uniform(1, 6) + 0.5, 0, 1)[..., None]
    canvas = (base * (1 - mask) + ink * mask).astype(np.uint8)
    for _ in range(int(rng.integers(0, 3))):
        _draw_symbol(canvas, rng, (width / 2, _HEIGHT / 2), rng.uniform(20, 120))
    half = canvas[: _HEIGHT // 2]
    if rng.random() < 0.7:  # most backs look the same upside down
        canvas[-half.shape[0] :] = half[::-1, ::-1]
    if rng.random() < 0.7:
        margin = int(rng.integers(6, 30))
        framed = np.full_like(canvas, _colour(rng, 225, 256))
        framed[margin:-margin, margin:-margin] = canvas[margin:-margin, margin:-margin]
        if rng.random() < 0.4:
            cv2.rectangle(framed, (margin + 5, margin + 5), (width - margin - 5, _HEIGHT - margin - 5), _colour(rng), 3)
        canvas = framed
    return np.asarray(canvas, np.uint8)


def _waves(rng: np.random.Generator, x: Reals, y: Reals, step: float) -> Reals:
    """A print about zero: checks, a grid, rings, stripes, clouds or nothing."""
    kind, pace = int(rng.integers(0, 6)), np.float32(np.pi / step)
    if kind == 0:
        waves = np.sin((x + y) * pace) * np.sin((x - y) * pace)
    elif kind == 1:
        waves = np.sin(x * pace) + np.sin(y * pace)
    elif kind == 2:
        waves = np.sin(np.hypot(x - x.max() / 2, y - y.max() / 2) * pace)
    elif kind == 3:
        waves = np.sin((x * np.cos(step) + y * np.sin(step)) * pace)
    elif kind == 4:
        waves = low_noise(rng, (x.shape[0], x.shape[1]), step)
    else:
        waves = np.full_like(x, -1.0)
    return np.asarray(waves, np.float32)


def _muted(rng: np.random.Generator, vivid: float) -> Reals:
    colour = np.array(_colour(rng), np.float32)
    return np.asarray(colour.mean() + (colour - colour.mean()) * np.float32(vivid), np.float32)


def invent_cloth(seed: int) -> Bytes:
    """A tablecloth or felt tile (384, 384, 3) that repeats without a seam: plain, checks, stripes, dots or flowers."""
    rng = np.random.default_rng([seed, 3])
    size = 384
    vivid = rng.uniform(0.1, 1.0)  # most cloths are muted
    base = _muted(rng, vivid)
    canvas = np.tile(base, (size, size, 1))
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    repeats = int(rng.choice([2, 4, 8, 16]))
    phase_x, phase_y = x * repeats * 2 * np.pi / size, y * repeats * 2 * np.pi / size
    kind = int(rng.integers(0, 6))
    second = _muted(rng, vivid)
    strength = rng.uniform(0.15, 1.0)
    if kind == 1:
        mask = ((np.sin(phase_x) > 0).astype(np.float32) + (np.sin(phase_y) > 0)) / 2
    elif kind == 2:
        mask = (np.sin(phase_x) > rng.uniform(-0.6, 0.6)).astype(np.float32)
    elif kind == 3:
        mask = (np.sin(phase_x) * np.sin(phase_y) > rng.uniform(0.3, 0.8)).astype(np.float32)
    elif kind == 4:
        mask = np.clip(np.sin(phase_x + 2 * np.sin(phase_y)) * 2, 0, 1)
    else:
        mask = np.zeros((size, size), np.float32)
    canvas += (second - canvas) * (mask * strength)[..., None]
    weave = rng.standard_normal((size, size, 1), dtype=np.float32) * np.float32(rng.uniform(1, 14))
    mottle = low_noise(rng, (size, size), rng.uniform(4, 60))[..., None] * rng.uniform(0, 8)
    return np.asarray(np.clip(canvas + weave + mottle, 0, 255), np.uint8)


def _print_page(canvas: Bytes, rng: np.random.Generator) -> None:
    """Columns of words with headlines, frames and pictures between: what stands in blocks looks like rows of cards."""
    height, width = canvas.shape[:2]
    ink = int(rng.integers(0, 130)) if canvas.mean() > 110 else int(rng.integers(150, 256))
    columns, margin, pace = int(rng.integers(1, 4)), int(rng.integers(6, 26)), int(rng.integers(5, 13))
    pitch = (width - margin) / columns
    for column in range(columns):
        left, right = round(margin + column * pitch), round((column + 1) * pitch)
        y = margin + int(rng.integers(0, 12))
        while y < height - margin:
            block = min(int(rng.integers(18, 70)), height - margin - y)
            chance = rng.random()
            if chance < 0.12:
                shade = int(rng.integers(60, 256))
                canvas[y : y + block, left:right] = np.clip(shade + rng.normal(0, 25, 3), 0, 255)
            elif chance < 0.24:
                cv2.rectangle(canvas, (left, y), (right, y + block), (float(ink),) * 3, int(rng.integers(1, 3)))
            elif chance < 0.34:
                block = int(rng.integers(8, 20))
                cv2.putText(canvas, "".join(rng.choice(list("ABCDEFGHIKLMNORSTUVW"), 9)), (left, y + block),
                            int(rng.integers(0, 5)), block / 26, (float(ink),) * 3, 1, cv2.LINE_AA)  # fmt: skip
            else:
                for line in range(y, y + block, pace):
                    _print_words(canvas, rng, (left, right, line), ink)
            y += block + int(rng.integers(4, 14))


def _print_words(canvas: Bytes, rng: np.random.Generator, line: tuple[int, int, int], ink: int) -> None:
    x, right, y = line
    while x < right - 4:
        end = min(x + int(rng.integers(4, 22)), right)
        cv2.line(canvas, (x, y), (end, y), (float(ink),) * 3, int(rng.integers(1, 3)))
        x = end + int(rng.integers(3, 7))


def invent_thing(kind: str, colour: tuple[float, float, float], content: Bytes | None) -> Bytes:
    """A flat thing (h, w, 4): `paper`, `box`, `phone`, `book` (with `content` on its cover) or `round`."""
    size = (160, 220)
    canvas = np.full((*size, 3), [int(255 * part) for part in colour], np.uint8)
    if content is not None:
        canvas = np.asarray(cv2.resize(content, (size[1], size[0]), interpolation=cv2.INTER_AREA), np.uint8).copy()
    if kind == "paper":
        _print_page(canvas, np.random.default_rng([int(255 * part) for part in colour]))
    elif kind == "phone":
        canvas[8:-8, 6:-6] = (canvas[8:-8, 6:-6] * 0.5 + 12).astype(np.uint8)
    elif kind == "round":
        mask = np.zeros(size, np.uint8)
        cv2.ellipse(mask, (size[1] // 2, size[0] // 2), (size[1] // 2 - 1, size[0] // 2 - 1), 0, 0, 360, (255.0,), -1)
        rim = (colour[0] * 200, colour[1] * 200, colour[2] * 200)
        cv2.ellipse(canvas, (size[1] // 2, size[0] // 2), (size[1] // 3, size[0] // 3), 0, 0, 360, rim, 2, cv2.LINE_AA)
        return np.asarray(np.dstack([canvas, mask]), np.uint8)
    return round_corners(canvas, 24 if kind == "phone" else 2)
