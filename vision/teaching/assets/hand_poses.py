"""Poses of a right hand.

The hand is the rig of WebXR: 25 joints, each with -Z towards the fingertip, +Y out of the back of the hand and +X
across (W3C, WebXR Hand Input Module).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FINGERS", "PARENTS", "POSES", "Finger", "Pose", "Thumb", "rotation", "turns_of"]

Floats = NDArray[np.float64]

FINGERS = ("index", "middle", "ring", "pinky")
_LINKS = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")
_THUMB_LINKS = ("metacarpal", "phalanx-proximal", "phalanx-distal", "tip")


def _parents() -> dict[str, str]:
    parents = {"wrist": "forearm"}
    chains = [[f"{finger}-finger-{link}" for link in _LINKS] for finger in FINGERS]
    for chain in [*chains, [f"thumb-{link}" for link in _THUMB_LINKS]]:
        parents |= dict(zip(chain, ["wrist", *chain], strict=False))
    return parents


PARENTS: Mapping[str, str] = _parents()


@dataclass(frozen=True, slots=True)
class Finger:
    """Bends of a finger's three joints and its spread to the little finger's side, in degrees."""

    knuckle: float
    middle: float
    last: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Thumb:
    """The thumb's root turned about its three axes, then the bends of its two joints, in degrees."""

    bend: float = 0.0
    across: float = 0.0
    twist: float = 0.0
    knuckle: float = 0.0
    last: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Index, middle, ring and little finger, thumb; bend of the wrist; and the rolls about the forearm it is seen in.

    A roll of 0 shows the back of the hand, 180 the palm.
    """

    fingers: tuple[Finger, Finger, Finger, Finger]
    thumb: Thumb
    wrist: float = 0.0
    rolls_deg: tuple[float, ...] = (0.0,)


def _hand(bends: tuple[float, float, float], *, more: float = 0.0, spread: float = 1.0) -> tuple[Finger, ...]:
    """Four fingers of the same bends, `more` added for each finger outwards, spread by the natural fan."""
    fan = (-6.0, -1.0, 4.0, 10.0)
    return tuple(
        Finger(bends[0] + more * i, bends[1] + more * i, bends[2] + more * i / 2, fan[i] * spread) for i in range(4)
    )


def _pose(fingers: tuple[Finger, ...], thumb: Thumb, wrist: float, *rolls_deg: float) -> Pose:
    index, middle, ring, little = fingers
    return Pose((index, middle, ring, little), thumb, wrist, rolls_deg)


_CURLED = _hand((72, 95, 55), more=2)

# The thumbs of the closed hands were searched for: tip to tip, or resting on the curled fingers.
POSES: Mapping[str, Pose] = {
    "flat": _pose(_hand((4, 4, 2)), Thumb(), 0, 0, -12, 14),
    "spread": _pose(_hand((2, 5, 3), spread=2.0), Thumb(across=14), 4, 0, 10),
    "relaxed": _pose(_hand((22, 28, 14), more=4), Thumb(bend=6, last=10), 8, 0, 20, -15),
    "tips": _pose(_hand((38, 22, 10), more=3, spread=0.7), Thumb(bend=12, twist=8, last=8), -14, 0, 12),
    "pinch": _pose((Finger(48, 42, 22, -2), *_hand((40, 45, 22), more=5)[1:]), Thumb(36, 20, 34, 6, 25), 0, 0, 30, 50),
    "hold": _pose(_hand((58, 18, 8), more=1, spread=0.2), Thumb(40, 22, -6, 10, 5), 0, 15, 40, 60),
    "pick": _pose(
        (*_hand((52, 28, 14), spread=0.4)[:2], *_hand((60, 70, 35), more=4)[2:]), Thumb(34, 21, -3, 9, 8), 0, 0, 35, 50
    ),
    "point": _pose((Finger(6, 6, 4, -2), *_CURLED[1:]), Thumb(32, 23, 0, 23, 57), 0, 0, 18, 40),
    "tap": _pose((*_hand((18, 16, 8), spread=0.5)[:2], *_CURLED[2:]), Thumb(34, 23, -13, 30, 50), 0, 0, 18),
    "fist": _pose(_CURLED, Thumb(27, 25, 8, 36, 43), 0, 0, 25, 50),
    "cup": _pose(_hand((32, 36, 18), more=3, spread=0.5), Thumb(bend=8, twist=20, across=10), -8, 0, 25),
    "palm": _pose(_hand((14, 18, 10), more=4), Thumb(bend=4), 0, 180, 160, 205),
}


def rotation(axis: str, angle_deg: float) -> Floats:
    """Matrix (3, 3) of a right-handed turn about the axis `x`, `y` or `z`."""
    cosine, sine = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[[first, second], [first, second]] = cosine
    matrix[first, second], matrix[second, first] = -sine, sine
    return matrix


def turns_of(pose: Pose) -> dict[str, Floats]:
    """The turn (3, 3) of each joint of the right hand; a positive bend closes the hand."""
    turns = {"wrist": rotation("x", -pose.wrist)}
    for name, finger in zip(FINGERS, pose.fingers, strict=True):
        joint = f"{name}-finger-phalanx"
        turns[f"{joint}-proximal"] = rotation("y", -finger.spread) @ rotation("x", -finger.knuckle)
        turns[f"{joint}-intermediate"] = rotation("x", -finger.middle)
        turns[f"{joint}-distal"] = rotation("x", -finger.last)
    thumb = pose.thumb
    root = rotation("y", thumb.across) @ rotation("x", -thumb.bend) @ rotation("z", thumb.twist)
    turns["thumb-metacarpal"] = root
    turns["thumb-phalanx-proximal"] = rotation("x", -thumb.knuckle)
    turns["thumb-phalanx-distal"] = rotation("x", -thumb.last)
    return turns
