"""Skinned meshes in binary glTF 2.0 files: reading and posing.

Only what rigged hands need is read: positions, joints, weights, triangles and the skin of the first mesh. Format:
Khronos glTF 2.0 specification, sections 3.6 (accessors), 3.7.3 (skins) and 4.4 (GLB chunks).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import TeachingError

__all__ = ["SkinnedMesh", "load_glb", "pose_joints", "skin"]

Floats = NDArray[np.float64]

_GLB_HEADER = struct.Struct("<4sII")
_CHUNK_HEADER = struct.Struct("<I4s")
_COMPONENTS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass(frozen=True, slots=True)
class SkinnedMesh:
    """A mesh at rest and its skin.

    `vertices` (n, 3), `triangles` (m, 3), `weights` (n, joints) with rows that sum to 1, `rest` (joints, 4, 4): the
    joints' frames in the space of the mesh, `names` of the joints. Vertices at the same place are one vertex.
    """

    vertices: Floats
    triangles: NDArray[np.int64]
    weights: Floats
    rest: Floats
    names: tuple[str, ...]


def load_glb(path: Path) -> SkinnedMesh:
    """Read the first mesh and the first skin of a file.

    Raises:
        TeachingError: it is no GLB file, or it has no skinned mesh.
    """
    document, blob = _chunks(path)
    try:
        attributes = document["meshes"][0]["primitives"][0]["attributes"]
        corners = _accessor(document, blob, document["meshes"][0]["primitives"][0]["indices"])
        rig = document["skins"][0]
        vertices = _accessor(document, blob, attributes["POSITION"]).astype(np.float64)
        joints = _accessor(document, blob, attributes["JOINTS_0"]).astype(np.int64)
        shares = _accessor(document, blob, attributes["WEIGHTS_0"]).astype(np.float64)
        inverse = _accessor(document, blob, rig["inverseBindMatrices"]).reshape(-1, 4, 4).astype(np.float64)
    except (KeyError, IndexError) as error:
        raise TeachingError(f"{path} holds no skinned mesh ({error} is missing).") from error
    weights = np.zeros((len(vertices), len(inverse)))
    np.add.at(weights, (np.arange(len(vertices))[:, None], joints), shares)
    names = tuple(document["nodes"][node]["name"] for node in rig["joints"])
    # glTF stores matrices column by column.
    rest = np.asarray(np.linalg.inv(inverse.transpose(0, 2, 1)), dtype=np.float64)
    return _welded(SkinnedMesh(vertices, corners.reshape(-1, 3).astype(np.int64), weights, rest, names))


def pose_joints(mesh: SkinnedMesh, parents: Mapping[str, str], turns: Mapping[str, Floats]) -> Floats:
    """Frames (joints, 4, 4) after each joint of `turns` is turned by its matrix (3, 3), seen in its own frame.

    `parents` names each joint's parent; a joint that is not in it is a root.
    """
    index = {name: number for number, name in enumerate(mesh.names)}
    posed: dict[str, Floats] = {}

    def frame(name: str) -> Floats:
        if name not in posed:
            turn = np.eye(4)
            turn[:3, :3] = turns.get(name, np.eye(3))
            rest, parent = mesh.rest[index[name]], parents.get(name)
            before = rest if parent is None else frame(parent) @ np.linalg.inv(mesh.rest[index[parent]]) @ rest
            posed[name] = before @ turn
        return posed[name]

    return np.stack([frame(name) for name in mesh.names])


def skin(mesh: SkinnedMesh, posed: Floats) -> Floats:
    """Vertices (n, 3) of the posed mesh: linear blend of the joints' movements since rest."""
    moves = posed @ np.linalg.inv(mesh.rest)
    blended = np.einsum("nj,jab->nab", mesh.weights, moves)
    return np.asarray(np.einsum("nab,nb->na", blended[:, :3, :3], mesh.vertices) + blended[:, :3, 3])


def _chunks(path: Path) -> tuple[dict[str, Any], bytes]:
    raw = path.read_bytes()
    try:
        magic, version, _ = _GLB_HEADER.unpack_from(raw)
        length, kind = _CHUNK_HEADER.unpack_from(raw, _GLB_HEADER.size)
        start = _GLB_HEADER.size + _CHUNK_HEADER.size
        _, binary_kind = _CHUNK_HEADER.unpack_from(raw, start + length)
        document = json.loads(raw[start : start + length])
    except (struct.error, ValueError) as error:
        raise TeachingError(f"{path} is no GLB file: {error}") from error
    if (magic, version, kind, binary_kind) != (b"glTF", 2, b"JSON", b"BIN\0"):
        raise TeachingError(f"{path} is no GLB file of version 2 with a binary part.")
    return document, raw[start + length + _CHUNK_HEADER.size :]


def _accessor(document: Mapping[str, Any], blob: bytes, number: int) -> NDArray[Any]:
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    width, count = _WIDTHS[accessor["type"]], accessor["count"]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    values = np.frombuffer(blob, dtype=_COMPONENTS[accessor["componentType"]], count=width * count, offset=offset)
    return values.reshape(count, width)


def _welded(mesh: SkinnedMesh) -> SkinnedMesh:
    """Vertices that were split along texture seams joined again, so that shading has no seams."""
    places = np.round(mesh.vertices, 6)
    _, first, of_old = np.unique(places, axis=0, return_index=True, return_inverse=True)
    triangles = of_old.reshape(-1)[mesh.triangles]
    proper = [len(set(corners)) == 3 for corners in triangles.tolist()]
    weights = mesh.weights[first]
    weights = weights / weights.sum(axis=1, keepdims=True)
    return SkinnedMesh(mesh.vertices[first], triangles[proper], weights, mesh.rest, mesh.names)
