"""A small triangle rasteriser: which point of a mesh is seen at each pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["rasterise_triangles", "vertex_normals"]

Floats = NDArray[np.float64]


def vertex_normals(vertices: Floats, triangles: NDArray[np.int64]) -> Floats:
    """Unit normals (n, 3): the mean of the adjacent triangles' normals, weighted by their areas."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    summed = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(summed, triangles[:, corner], across)
    return np.asarray(summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-12))


def rasterise_triangles(
    vertices_px: Floats, triangles: NDArray[np.int64], attributes: Floats, *, size_wh: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Attributes (h, w, k) and depth (h, w) of what is seen; nothing is seen where the depth is -inf.

    `vertices_px` (n, 3): x to the right and y down in pixels, z towards the viewer. Only triangles that run
    counter-clockwise as seen are drawn: the others face away.
    """
    width, height = size_wh
    seen = np.zeros((height, width, attributes.shape[1]))
    depth = np.full((height, width), -np.inf)
    corners = vertices_px[triangles]
    edge_1, edge_2 = corners[:, 1, :2] - corners[:, 0, :2], corners[:, 2, :2] - corners[:, 0, :2]
    areas = edge_1[:, 0] * edge_2[:, 1] - edge_1[:, 1] * edge_2[:, 0]
    low = np.maximum(np.floor(corners[:, :, :2].min(axis=1)).astype(int), 0)
    high = np.minimum(np.ceil(corners[:, :, :2].max(axis=1)).astype(int) + 1, [width, height])
    drawn = np.flatnonzero((areas < -1e-9) & (low < high).all(axis=1))
    for number in drawn.tolist():
        window = (slice(low[number, 1], high[number, 1]), slice(low[number, 0], high[number, 0]))
        shares = _shares(corners[number], areas[number], window)
        z = shares @ corners[number, :, 2]
        nearer = (shares.min(axis=2) >= -1e-9) & (z > depth[window])
        depth[window][nearer] = z[nearer]
        seen[window][nearer] = shares[nearer] @ attributes[triangles[number]]
    return seen, depth


def _shares(corners: Floats, area: float, window: tuple[slice, slice]) -> Floats:
    """Barycentric coordinates (h, w, 3) of the window's pixel centres."""
    y = np.arange(window[0].start, window[0].stop)[:, None] + 0.5
    x = np.arange(window[1].start, window[1].stop)[None, :] + 0.5
    (x0, y0), (x1, y1), (x2, y2) = corners[:, :2]
    second = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / area
    third = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / area
    return np.stack([1 - second - third, second, third], axis=2)
