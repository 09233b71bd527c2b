"""Training pictures on disk in the layout that Ultralytics reads (pose labels: box and four corners).

    folder/images/{train,val}/000123.jpg   folder/labels/{train,val}/000123.txt   folder/manifest.json

Scene `n` is always the same picture, so an interrupted run goes on where it stopped. Validation scenes take their
seeds from a range that training never uses.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.decks import load_deck
from vision.errors import TeachingError
from vision.geometry import Floats, bounds_xyxy
from vision.teaching.catalogue import Catalogue
from vision.teaching.render import CardTruth, Picture, render
from vision.teaching.sampling import ArtPool, sample_scene

__all__ = ["CLASS_NAMES", "VALIDATION_SEED", "SceneSet", "claim_folder", "label_lines", "write_scenes"]

logger = logging.getLogger(__name__)

CLASS_NAMES = ("front", "back")
VALIDATION_SEED = 10_000_000
MIN_VISIBLE = 0.12
"""A card of which less can be seen is not asked for: what is left is often a bare strip."""
MIN_SIDE_PX = 7.0
_SHARD = 50


@dataclass(frozen=True, slots=True)
class SceneSet:
    """Which scenes to render: `train` and `val` counts, art from `assets`, decks of the project by name."""

    assets: str
    train: int
    val: int
    first_seed: int = 0
    own_decks: tuple[str, ...] = ("fish",)
    difficulty: float = 1.0
    scale: float = 1.0


def label_lines(picture: Picture) -> list[str]:
    """Ultralytics pose labels of a picture: class, box centre and size, then x y v of TL TR BR BL, all 0 to 1.

    A corner outside the picture has v = 0: the network is not asked for what it cannot see.
    """
    height, width = picture.image.shape[:2]
    lines = []
    for card in picture.cards:
        if card.visible < MIN_VISIBLE:
            continue
        box = np.clip(bounds_xyxy(card.quad_px), 0, [width, height, width, height])
        if min(box[2] - box[0], box[3] - box[1]) < MIN_SIDE_PX:
            continue
        lines.append(_label_line(card, box, (width, height)))
    return lines


def _label_line(card: CardTruth, box: Floats, size_wh: tuple[int, int]) -> str:
    size = np.array(size_wh, dtype=np.float64)
    centre, extent = (box[:2] + box[2:]) / 2 / size, (box[2:] - box[:2]) / size
    numbers = [*centre, *extent]
    for corner in card.quad_px / size:
        inside = bool((corner >= 0).all() and (corner <= 1).all())
        numbers += [*corner, 2] if inside else [0, 0, 0]
    return " ".join([str(CLASS_NAMES.index(card.side)), *(f"{number:.6g}" for number in numbers)])


def write_scenes(folder: Path, scenes: SceneSet, *, workers: int = 2) -> None:
    """Render what is missing of `scenes` into `folder`; progress goes to the log.

    Raises TeachingError when the folder holds pictures of another set.
    """
    about = {**asdict(scenes), "own_decks": list(scenes.own_decks), "code": _code_digest()}
    claim_folder(folder, about, fixed=about.keys() - {"train", "val"}, what="pictures of another scene set")
    shards = [
        (str(folder), scenes, split, start, min(_SHARD, count - start))
        for split, count in (("val", scenes.val), ("train", scenes.train))
        for start in range(0, count, _SHARD)
    ]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for done, _ in enumerate(pool.map(_write_shard, shards), start=1):
            if done % 10 == 0 or done == len(shards):
                logger.info("rendered %d of %d scenes", done * _SHARD, len(shards) * _SHARD)


def claim_folder(folder: Path, about: Mapping[str, object], *, fixed: Iterable[str], what: str) -> None:
    """Make `folder` that of the set that `about` describes; its manifest tells.

    Raises TeachingError when it holds another set, one that differs in a `fixed` key; `what` says in words what is
    then in it. Other keys, such as the number of pictures, may change: a set can grow.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.json"
    if manifest.is_file():
        before = json.loads(manifest.read_text())
        differing = sorted(key for key in fixed if before.get(key) != about[key])
        if differing:
            raise TeachingError(
                f"{folder} holds {what} (differs in: {', '.join(differing)}).",
                hint="Choose another folder or delete this one.",
            )
    manifest.write_text(json.dumps(about, indent=2) + "\n")


def _code_digest() -> str:
    """A change of the renderer's code makes other pictures of the same seeds."""
    digest = hashlib.sha256()
    for name in ("inventing", "layers", "layout", "lens", "pinhole", "render", "sampling", "scenes"):
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


_loaded: dict[str, tuple[Catalogue, ArtPool]] = {}


def _catalogue(scenes: SceneSet) -> tuple[Catalogue, ArtPool]:
    """One catalogue per worker process: the pictures it has loaded are used again."""
    key = repr(scenes)
    if key not in _loaded:
        cv2.setNumThreads(1)
        catalogue = Catalogue(Path(scenes.assets), tuple(load_deck(name) for name in scenes.own_decks))
        _loaded[key] = catalogue, ArtPool.of(catalogue)
    return _loaded[key]


def _write_shard(job: tuple[str, SceneSet, str, int, int]) -> None:
    folder, scenes, split, start, count = job
    images, labels = Path(folder, "images", split), Path(folder, "labels", split)
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    catalogue, pool = _catalogue(scenes)
    for number in range(start, start + count):
        label = labels / f"{number:06d}.txt"
        if label.is_file():
            continue
        seed = number + (VALIDATION_SEED if split == "val" else scenes.first_seed)
        scene = sample_scene(seed, pool, difficulty=scenes.difficulty, scale=scenes.scale)
        picture = render(scene, catalogue)
        cv2.imwrite(str(images / f"{number:06d}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 93])
        label.write_text("\n".join(label_lines(picture)) + "\n")  # last: its presence says that the picture is whole
