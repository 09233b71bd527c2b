"""A pinhole camera over a table.

The table is the plane z = 0 in millimetres, x to the right and y downwards as seen from straight above, z up towards
the viewer. So a card drawn with x to the right and y downwards is never mirrored, wherever the camera stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats

__all__ = ["Pinhole"]


@dataclass(frozen=True, slots=True)
class Pinhole:
    """Where the camera stands and how it looks.

    `target_mm` is the point of the table in the middle of the picture, `distance_mm` from there to the lens,
    `tilt_deg` 0 = straight down, `azimuth_deg` the direction of looking over the table, `roll_deg` about the optical
    axis; `focal_px` the focal length, `stretch` the ratio of pixel height to width (some photographs are squeezed).
    """

    size_wh: tuple[int, int]
    focal_px: float
    target_mm: tuple[float, float]
    distance_mm: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float = 0.0
    stretch: float = 1.0

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """Unit vectors right, down and forward of the picture in table coordinates, before roll."""
        tilt, azimuth = math.radians(self.tilt_deg), math.radians(self.azimuth_deg)
        ahead = np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        right = np.array([-ahead[1], ahead[0], 0.0])
        forward = math.sin(tilt) * ahead - math.cos(tilt) * up
        down = -math.cos(tilt) * ahead - math.sin(tilt) * up
        return right, down, forward

    def matrix(self) -> Floats:
        """The 3x4 matrix that takes (x, y, z, 1) in millimetres to homogeneous pixels."""
        right, down, forward = self.axes()
        centre = np.array([*self.target_mm, 0.0]) - forward * self.distance_mm
        rotation = np.stack([right, down, forward])
        roll = math.radians(self.roll_deg)
        turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
        width, height = self.size_wh
        intrinsic = np.array(
            [[self.focal_px, 0, width / 2], [0, self.focal_px * self.stretch, height / 2], [0, 0, 1.0]]
        )
        return np.asarray(
            intrinsic @ turn @ np.concatenate([rotation, -(rotation @ centre)[:, None]], axis=1), dtype=np.float64
        )

    def table_homography(self) -> Floats:
        """The 3x3 matrix from (x, y, 1) on the table to homogeneous pixels."""
        return np.ascontiguousarray(self.matrix()[:, [0, 1, 3]])

    def project(self, points_mm: Floats) -> Floats:
        """Points (n, 3) in millimetres to pixels (n, 2)."""
        ends = np.concatenate([points_mm, np.ones((len(points_mm), 1))], axis=1) @ self.matrix().T
        return np.asarray(ends[:, :2] / ends[:, 2:], dtype=np.float64)

    def depth_mm(self, points_mm: Floats) -> Floats:
        """How far in front of the lens points (n, 3) lie; not positive means behind it."""
        ends = np.concatenate([points_mm, np.ones((len(points_mm), 1))], axis=1) @ self.matrix()[2]
        return np.asarray(ends, dtype=np.float64)
