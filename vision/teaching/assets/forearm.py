"""The forearm, bare or in a sleeve, that the hand model lacks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.teaching.assets.glb import SkinnedMesh

__all__ = ["FOREARM_JOINT", "Sleeve", "cut_line_y", "with_forearm"]

Floats = NDArray[np.float64]

FOREARM_JOINT = "forearm"
# The stump of the model is cut this far beyond the wrist; over the next stretch the skin follows the bend.
_CUT_M = 0.006
_BEND_M = 0.035
# The cuff's edge: so steep that it counts as cloth.
_EDGE_M = 1e-4


@dataclass(frozen=True, slots=True)
class Sleeve:
    """A sleeve that begins `start_m` beyond the wrist's cut, `width` times as wide as the arm, with random folds."""

    start_m: float
    width: float
    fold_seed: int


def cut_line_y(hand: SkinnedMesh) -> float:
    """Where the forearm begins, on the y axis of the hand at rest (fingertips at -y)."""
    return float(hand.rest[hand.names.index("wrist"), 1, 3]) + _CUT_M


def with_forearm(hand: SkinnedMesh, *, length_m: float, sleeve: Sleeve | None = None) -> SkinnedMesh:
    """The hand, its stump replaced by a forearm that hangs on a new joint at the wrist."""
    cut_y = cut_line_y(hand)
    kept = hand.triangles[(hand.vertices[hand.triangles, 1] < cut_y).all(axis=1)]
    loop = _outline(kept)
    along = _stations(length_m, sleeve)
    rings = _rings(hand.vertices[loop], along, cut_y=cut_y, sleeve=sleeve)
    vertices = np.concatenate([hand.vertices, rings.reshape(-1, 3)])
    numbers = np.vstack([loop, len(hand.vertices) + np.arange(len(along) * len(loop)).reshape(len(along), -1)])
    follows = np.repeat(np.clip(along / _BEND_M, 0, 1), len(loop))
    weights = np.zeros((len(vertices), len(hand.names) + 1))
    weights[: len(hand.vertices), :-1] = hand.weights
    weights[len(hand.vertices) :, -1] = follows
    weights[len(hand.vertices) :, hand.names.index("wrist")] = 1 - follows
    rest = np.concatenate([hand.rest, hand.rest[hand.names.index("wrist")][None]])
    triangles = np.vstack([kept, _bands(numbers)])
    return replace(
        hand, vertices=vertices, triangles=triangles, weights=weights, rest=rest, names=(*hand.names, FOREARM_JOINT)
    )


def _outline(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The longest closed chain of edges that only one triangle has, in the triangles' own direction."""
    edges = {(a, b) for t in triangles.tolist() for a, b in zip(t, t[1:] + t[:1], strict=True)}
    following = {a: b for a, b in edges if (b, a) not in edges}
    loops = []
    while following:
        start, loop = min(following), []
        while start in following:
            loop.append(start)
            start = following.pop(start)
        loops.append(loop)
    return np.array(max(loops, key=len))


def _stations(length_m: float, sleeve: Sleeve | None) -> Floats:
    """Distances of the rings from the cut; close together where the wrist bends and at the cuff."""
    bare = np.concatenate([np.linspace(0.004, 0.03, 4), np.linspace(0.045, length_m, 28)])
    if sleeve is None:
        return bare
    cuff = sleeve.start_m + np.array([-_EDGE_M, 0.0, 0.002, 0.006])
    away = np.abs(bare - sleeve.start_m) > 0.008
    return np.sort(np.concatenate([bare[away], cuff]))


def _rings(loop: Floats, along: Floats, *, cut_y: float, sleeve: Sleeve | None) -> Floats:
    """Rings (k, n, 3): the wrist's outline, swelling and growing rounder towards the elbow."""
    centre = loop.mean(axis=0)
    flat = loop - centre
    angle = np.arctan2(flat[:, 0], flat[:, 2])
    rings = np.zeros((len(along), len(loop), 3))
    for number, distance in enumerate(along):
        swelling = (1 + 0.5 * np.clip(distance / 0.20, 0, 1) ** 1.2) * np.ones(len(loop))
        if sleeve is not None and distance >= sleeve.start_m:
            swelling *= sleeve.width * _folds(sleeve, float(distance), angle)
        rounder = 1 + 0.15 * np.clip(distance / 0.05, 0, 1)
        rings[number] = centre + flat * np.stack([swelling * rounder, 0 * swelling, swelling], axis=1)
        rings[number, :, 1] = cut_y + distance
    return rings


def _folds(sleeve: Sleeve, distance_m: float, angle: Floats) -> Floats:
    """Wrinkles across the sleeve, slanting this way and that."""
    random = np.random.default_rng(sleeve.fold_seed)
    folds = np.ones_like(angle)
    for _ in range(5):
        wave_m, slant, phase = random.uniform(0.025, 0.08), random.integers(-2, 3), random.uniform(0, 2 * np.pi)
        folds += 0.016 * np.sin(2 * np.pi * distance_m / wave_m + slant * angle + phase)
    return folds


def _bands(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles between neighbouring rings; `numbers` (rings, n) are the vertices."""
    upper, lower = numbers[:-1], numbers[1:]
    upper_next, lower_next = np.roll(upper, -1, axis=1), np.roll(lower, -1, axis=1)
    first = np.stack([upper_next, upper, lower], axis=2)
    second = np.stack([upper_next, lower, lower_next], axis=2)
    return np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
