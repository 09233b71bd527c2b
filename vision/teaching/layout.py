"""How cards lie on a table: scattered, fanned, in rows, in grids, on piles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats

__all__ = ["Spot", "sample_layout"]

_CARD_MM, _WIDTH_MM = 88.0, 63.0
_THICKNESS_MM = 0.3


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one card lies; `side` fixes front or back, `stack_mm` is the height of the cards squared up below it."""

    centre_mm: tuple[float, float]
    angle_deg: float
    lift_mm: float = 0.0
    side: str | None = None
    stack_mm: float = 0.0


def sample_layout(rng: np.random.Generator, view_mm: Floats, card_px: float, *, most: int = 48) -> tuple[Spot, ...]:
    """Spots from bottom to top inside a view of about `view_mm` (w, h), at most `most`; small cards come in larger
    numbers."""
    if rng.random() < 0.08:
        return ()
    room = float(view_mm[0] * view_mm[1]) / (_CARD_MM * _CARD_MM * 1.2)
    groups = 1 if room < 5 else int(rng.integers(1, 2 + min(4, int(room / 6))))
    spots: list[Spot] = []
    for _ in range(groups):
        kind = rng.choice(5, p=[0.34, 0.2, 0.2, 0.12, 0.14])
        centre = rng.uniform(-0.34, 0.34, 2) * view_mm if groups > 1 or rng.random() < 0.6 else np.zeros(2)
        make: Callable[[np.random.Generator, Floats, Floats, float], list[Spot]]
        make = (_scatter, _fan, _row, _pile, _grid)[int(kind)]
        spots += make(rng, centre, view_mm, room / groups)
    if card_px < 40 and len(spots) > 40:
        spots = spots[:40]
    return tuple(spots[:most])


def _scatter(rng: np.random.Generator, centre: Floats, view_mm: Floats, room: float) -> list[Spot]:
    count = 1 + int(rng.integers(0, max(1, min(14, int(room)))))
    common = rng.uniform(0, 360)
    tidy = rng.random() < 0.3
    spots = []
    for index in range(count):
        angle = common + rng.normal(0, 8) if tidy else rng.uniform(0, 360)
        place = rng.uniform(-0.48, 0.48, 2) * view_mm if count > 1 else centre + rng.uniform(-0.15, 0.15, 2) * view_mm
        spots.append(_spot(place, angle, index * _THICKNESS_MM, ""))
    return spots


def _fan(rng: np.random.Generator, centre: Floats, _view_mm: Floats, room: float) -> list[Spot]:
    count = int(rng.integers(2, 4 + min(9, int(room))))
    radius, step = rng.uniform(60, 260), rng.uniform(4, 24)
    start, turn = rng.uniform(0, 360), 1 if rng.random() < 0.8 else -1
    side = _common_side(rng)
    spots = []
    for index in range(count):
        angle = start + turn * step * (index - count / 2) + rng.normal(0, 1.5)
        reach = math.radians(angle)
        outward = np.array([math.sin(reach), -math.cos(reach)]) * radius
        middle = math.radians(start)
        pivot = centre - np.array([math.sin(middle), -math.cos(middle)]) * radius
        spots.append(_spot(pivot + outward, angle, index * _THICKNESS_MM, side))
    return spots


def _row(rng: np.random.Generator, centre: Floats, _view_mm: Floats, room: float) -> list[Spot]:
    count = int(rng.integers(2, 4 + min(7, int(room))))
    direction, slant = rng.uniform(0, 360), rng.choice([0.0, 0.0, 90.0])
    edge_to_edge = (_CARD_MM if slant else _WIDTH_MM) * rng.uniform(0.96, 1.04)
    pitch = rng.choice([rng.uniform(14, 40), rng.uniform(40, 66), rng.uniform(63, 85), edge_to_edge])
    step = np.array([math.cos(math.radians(direction)), math.sin(math.radians(direction))]) * pitch
    jitter_mm, jitter_deg = rng.uniform(0, 6), rng.uniform(0, 8)
    side = _common_side(rng)
    spots = []
    for index in range(count):
        place = centre + step * (index - (count - 1) / 2) + rng.normal(0, jitter_mm, 2)
        spots.append(_spot(place, direction + slant + rng.normal(0, jitter_deg), index * _THICKNESS_MM, side))
    return spots


def _pile(rng: np.random.Generator, centre: Floats, _view_mm: Floats, _room: float) -> list[Spot]:
    """A discard pile (cards thrown roughly on one place) or a squared-up draw pile."""
    angle = rng.uniform(0, 360)
    if rng.random() < 0.4:
        height = float(rng.uniform(1, 16))
        side = "back" if rng.random() < 0.75 else "front"
        return [Spot((float(centre[0]), float(centre[1])), float(angle), height, side, height)]
    count, spread, turn = int(rng.integers(2, 8)), rng.uniform(2, 30), rng.uniform(3, 60)
    side = "front" if rng.random() < 0.85 else "back"
    spots = [
        _spot(centre + rng.normal(0, spread, 2), angle + rng.normal(0, turn), index * _THICKNESS_MM, side)
        for index in range(count)
    ]
    if rng.random() < 0.5:
        bottom = spots[0]
        height = float(rng.uniform(1, 8))
        spots = [Spot(s.centre_mm, s.angle_deg, s.lift_mm + height, s.side) for s in spots]
        spots[0] = Spot(bottom.centre_mm, bottom.angle_deg, height, bottom.side, height)
    return spots


def _grid(rng: np.random.Generator, centre: Floats, _view_mm: Floats, room: float) -> list[Spot]:
    columns = int(rng.integers(2, 3 + min(4, int(room**0.5))))
    rows = int(rng.integers(1, 2 + min(3, int(room**0.5))))
    angle = rng.uniform(0, 360)
    pitch = np.array([rng.uniform(60, 95), rng.uniform(82, 125)])
    across = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    along = np.array([-across[1], across[0]])
    jitter = rng.uniform(0, 5)
    spots = []
    for row in range(rows):
        for column in range(columns):
            place = centre + across * pitch[0] * (column - columns / 2) + along * pitch[1] * (row - rows / 2)
            turned = 90.0 if rng.random() < 0.04 else 0.0
            spots.append(_spot(place + rng.normal(0, jitter, 2), angle + turned + rng.normal(0, 3), 0.0, ""))
    return spots


def _common_side(rng: np.random.Generator) -> str:
    return str(rng.choice(["front", "back", ""], p=[0.62, 0.13, 0.25]))


def _spot(place: Floats, angle_deg: float, lift_mm: float, side: str) -> Spot:
    return Spot((float(place[0]), float(place[1])), float(angle_deg), lift_mm, side or None)
