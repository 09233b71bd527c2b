"""Table tops, photographs and small things for the scenes, out of packages or made up.

Pictures are BGR, things with a see-through ground BGRA.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import TeachingError
from vision.teaching.assets.catalogue import PictureSet
from vision.teaching.assets.cloth import CLOTH_PATTERNS, felt, table_cloth
from vision.teaching.assets.packages import Source
from vision.teaching.assets.picture_files import write_picture

__all__ = ["cut_out", "fill_by_mirrors", "limit_side", "write_made_up_cloths", "write_pictures"]

Image = NDArray[np.uint8]

_LEAST_SIDE_PX = 512
_TOP_SIDE_PX = 1024
_PHOTO_SIDE_PX = 1280
_CLUTTER_SIDE_PX = 640
_JPEG_QUALITY = 90
_FELTS = 24
_CLOTHS_OF_A_PATTERN = 8


def fill_by_mirrors(picture: Image, *, least_side_px: int = _LEAST_SIDE_PX) -> Image:
    """The picture at least that large in both directions, grown by mirrored copies so that no seam shows."""
    down = max(0, least_side_px - picture.shape[0])
    right = max(0, least_side_px - picture.shape[1])
    return np.asarray(cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REFLECT), dtype=np.uint8)


def limit_side(picture: Image, *, most_side_px: int) -> Image:
    """The picture scaled down, if need be, to that length of its longer side."""
    scale = most_side_px / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def cut_out(picture: Image) -> Image:
    """A thing with alpha without the empty space around it.

    Raises:
        TeachingError: the picture has no alpha, or nothing is seen in it.
    """
    if picture.ndim != 3 or picture.shape[2] != 4 or not (picture[..., 3] > 0).any():
        raise TeachingError("A picture that should be a cut-out thing has no see-through ground.")
    rows = np.flatnonzero((picture[..., 3] > 0).any(axis=1))
    columns = np.flatnonzero((picture[..., 3] > 0).any(axis=0))
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def write_pictures(folder: Path, pictures: PictureSet, source: Source) -> int:
    """Write the pictures of a set into `surfaces/<kind>`, `photos` or `clutter` and return how many."""
    count = 0
    for kind, name, raw in _files_of(pictures, source):
        stem = f"{source.package.name}-{Path(name).with_suffix('').as_posix().replace('/', '-')}"
        _WRITERS.get(kind, _write_top)(folder, kind, stem, _decoded(raw, name), kind in pictures.grown)
        count += 1
    return count


def write_made_up_cloths(folder: Path) -> int:
    """Write computed table cloths and felts and return how many."""
    for pattern in CLOTH_PATTERNS:
        for seed in range(_CLOTHS_OF_A_PATTERN):
            _write_jpeg(folder / "surfaces/cloth" / f"made-{pattern}-{seed}.jpg", table_cloth(pattern, seed))
    for seed in range(_FELTS):
        _write_jpeg(folder / "surfaces/felt" / f"made-felt-{seed:02d}.jpg", felt(seed))
    return _CLOTHS_OF_A_PATTERN * len(CLOTH_PATTERNS) + _FELTS


def _files_of(pictures: PictureSet, source: Source) -> Iterator[tuple[str, str, bytes]]:
    """Kind, name below the root and content of each file of a set."""
    root = source.folder / pictures.root
    if root.is_dir():
        names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
        for kind, name in _chosen(pictures, names, source):
            yield kind, name, (root / name).read_bytes()
        return
    try:
        with zipfile.ZipFile(root) as archive:
            for kind, name in _chosen(pictures, archive.namelist(), source):
                yield kind, name, archive.read(name)
    except (OSError, zipfile.BadZipFile) as error:
        raise TeachingError(f"{source.package.name} {source.version} has no archive {pictures.root}.") from error


def _chosen(pictures: PictureSet, names: list[str], source: Source) -> Iterator[tuple[str, str]]:
    for kind, patterns in pictures.names.items():
        for pattern in patterns:
            found = [name for name in names if fnmatchcase(name, pattern) and name.count("/") == pattern.count("/")]
            if not found:
                raise TeachingError(f"{source.package.name} {source.version} has no file {pattern}.")
            yield from ((kind, name) for name in found)


def _decoded(raw: bytes, name: str) -> Image:
    picture = cv2.imdecode(np.frombuffer(raw, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise TeachingError(f"The picture {name} cannot be read.", hint="Delete the cache folder and try again.")
    if picture.dtype == np.uint16:
        picture = picture // 256
    return np.asarray(picture, dtype=np.uint8)


def _without_alpha(picture: Image) -> Image:
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return picture[..., :3]


def _solid_part(picture: Image) -> Image:
    """What lies inside a see-through rim, if there is one: rugs are drawn with one."""
    if picture.ndim == 2 or picture.shape[2] != 4:
        return picture
    rows = np.flatnonzero((picture[..., 3] > 200).mean(axis=1) > 0.9)
    columns = np.flatnonzero((picture[..., 3] > 200).mean(axis=0) > 0.9)
    if not rows.size or not columns.size:
        return picture
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _write_top(folder: Path, kind: str, stem: str, picture: Image, grown: bool) -> None:
    top = _without_alpha(_solid_part(picture))
    if grown and min(top.shape[:2]) < _LEAST_SIDE_PX:
        top = np.asarray(cv2.resize(top, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    top = limit_side(fill_by_mirrors(top), most_side_px=_TOP_SIDE_PX)
    _write_jpeg(folder / "surfaces" / kind / f"{stem}.jpg", fill_by_mirrors(top))


def _write_photo(folder: Path, kind: str, stem: str, picture: Image, _grown: bool) -> None:
    photo = limit_side(_without_alpha(picture), most_side_px=_PHOTO_SIDE_PX)
    _write_jpeg(folder / kind / f"{stem}.jpg", photo)


def _write_thing(folder: Path, kind: str, stem: str, picture: Image, _grown: bool) -> None:
    write_picture(folder / kind / f"{stem}.png", limit_side(cut_out(picture), most_side_px=_CLUTTER_SIDE_PX))


_WRITERS: dict[str, Callable[[Path, str, str, Image, bool], None]] = {"photos": _write_photo, "clutter": _write_thing}


def _write_jpeg(path: Path, picture: Image) -> None:
    write_picture(path, picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
