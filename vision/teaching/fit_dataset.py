"""Finds on disk for teaching the fitter: what the locator takes for cards in rendered scenes, and what is really there.

Each find is kept with more of its surroundings than the fitter gets to see, so that the teaching can look at it from a
little beside. Shard `n` of a set is always the same, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import agree
from vision.decks import load_deck
from vision.errors import TeachingError
from vision.fit import grown
from vision.geometry import Floats, frame_quad, homography, polygon_area, project, straighten, upright_quad
from vision.locate import STILL_LONG_SIDES, Locator
from vision.sightings import Image
from vision.teaching.catalogue import Catalogue
from vision.teaching.dataset import claim_folder
from vision.teaching.render import CardTruth, Picture, render
from vision.teaching.sampling import ArtPool, sample_scene
from vision.weights import load_weights

__all__ = ["PATCH_WH", "SPLITS", "FindSet", "Finds", "load_finds", "write_finds"]

logger = logging.getLogger(__name__)

PATCH_WH = (176, 232)
PATCH_GROWN = 2.4
"""A patch shows so much more than the find."""
TRUTHS = 5
"""So many real cards around a find are kept, the nearest ones."""
MOST_FINDS = 10
"""Of one scene so many finds of the locator are kept, besides about as many that are put beside real cards."""
SPLITS = ("train", "val", "reserved")
"""`val` shows other scenes, `reserved` other scenes with the art that is kept for tests."""
_SCENES = 5
"""Of one shard."""
_FIRST_SEED = {"train": 600_000, "val": 10_600_000, "reserved": 20_600_000}


@dataclass(frozen=True, slots=True)
class FindSet:
    """Art from `assets`; numbers of scenes a split; `scale` is the size of the pictures, 1 for 416 px."""

    assets: str
    train: int
    val: int
    reserved: int = 0
    scale: float = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """n finds: patches (n, 232, 176, 3) BGR, their quads (n, 4, 2) in pixels of the patch, and up to five real cards
    around each, as quads (n, 5, 4, 2), the visible share of each (n, 5; 0 where there is none) and whether it lies face
    down (n, 5)."""

    patches: NDArray[np.uint8]
    quads: NDArray[np.float32]
    truths: NDArray[np.float32]
    visible: NDArray[np.float32]
    backs: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.quads)


def write_finds(folder: Path, finds: FindSet, *, workers: int = 2) -> None:
    """Make what is missing of `finds` in `folder`, in shards of five scenes.

    Raises TeachingError when the folder holds finds of another set or of another locator.
    """
    about = {**asdict(finds), "locator": load_weights("locate").sha256}  # finds of two locators are not mixed
    claim_folder(folder, about, fixed=("scale", "locator"), what="finds of another set")
    counts = {"val": finds.val, "reserved": finds.reserved, "train": finds.train}
    parts = [(split, part) for split, count in counts.items() for part in range(-(-count // _SCENES))]
    jobs = [(str(folder), finds, split, part) for split, part in parts]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for done, _ in enumerate(pool.map(_write_shard, jobs), start=1):
            if done % 10 == 0 or done == len(jobs):
                logger.info("looked at %d of %d scenes", done * _SCENES, len(jobs) * _SCENES)


def load_finds(folder: Path, split: str) -> Finds:
    """All finds of a split. Raises TeachingError where there are none."""
    shards = sorted(folder.glob(f"{split}-*.npz"))
    if not shards:
        raise TeachingError(f"There are no '{split}' finds in {folder}.", hint="Run: wrongcard render --finds")
    parts: dict[str, list[NDArray[np.generic]]] = {}
    for shard in shards:
        with np.load(shard) as content:
            for name in Finds.__dataclass_fields__:
                parts.setdefault(name, []).append(content[name])
    return Finds(**{name: np.concatenate(arrays) for name, arrays in parts.items()})


_loaded: dict[tuple[str, bool], tuple[Catalogue, ArtPool, Locator]] = {}


def _tools(finds: FindSet, *, reserved: bool) -> tuple[Catalogue, ArtPool, Locator]:
    key = (finds.assets, reserved)
    if key not in _loaded:
        cv2.setNumThreads(1)
        catalogue = Catalogue(Path(finds.assets), (load_deck("fish"),), reserved=reserved)
        _loaded[key] = catalogue, ArtPool.of(catalogue), Locator(long_sides=STILL_LONG_SIDES, threads=1)
    return _loaded[key]


def _write_shard(job: tuple[str, FindSet, str, int]) -> None:
    folder, finds, split, part = job
    path = Path(folder, f"{split}-{part:04d}.npz")
    if path.is_file():
        return
    catalogue, pool, locator = _tools(finds, reserved=split == "reserved")
    kept: dict[str, list[NDArray[np.generic]]] = {name: [] for name in Finds.__dataclass_fields__}
    for number in range(part * _SCENES, (part + 1) * _SCENES):
        rng = np.random.default_rng([number, SPLITS.index(split)])
        scene = sample_scene(
            _FIRST_SEED[split] + number, pool, difficulty=float(rng.uniform(0.2, 0.85)), scale=finds.scale
        )
        picture = render(scene, catalogue)
        for quad in _quads(rng, picture, locator):
            _keep(kept, picture, upright_quad(quad))
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        stacked: dict[str, Any] = {name: np.stack(arrays) for name, arrays in kept.items()}
        np.savez(file, **stacked)
    unfinished.rename(path)


def _quads(rng: np.random.Generator, picture: Picture, locator: Locator) -> list[Floats]:
    """Finds of the locator, sure and unsure ones; quads beside real cards, as it might have found them; halves."""
    found = list(agree(locator.looks(picture.image)).quads_px)
    chosen = [found[index] for index in rng.permutation(len(found))[:MOST_FINDS]]
    inside = [card for card in picture.cards if card.visible > 0.12 and _in_view(card, picture.image)]
    for index in rng.permutation(len(inside))[:4]:
        chosen += [_beside(rng, inside[index].quad_px), _half(rng, inside[index].quad_px)][: 1 + int(rng.integers(2))]
    return [quad for quad in chosen if polygon_area(quad) > 60]


def _in_view(card: CardTruth, image: Image) -> bool:
    middle = card.quad_px.mean(axis=0)
    return bool((middle > 0).all() and (middle < (image.shape[1], image.shape[0])).all())


def _beside(rng: np.random.Generator, quad: Floats) -> Floats:
    size = np.sqrt(polygon_area(quad))
    moved = quad + rng.normal(0, 0.07, 2) * size + rng.normal(0, 0.05, (4, 2)) * size
    return grown(moved, float(np.exp(rng.normal(0, 0.12))))


def _half(rng: np.random.Generator, quad: Floats) -> Floats:
    """One half of a card, or a little more: what a locator takes for a card most often."""
    turned = np.roll(quad, int(rng.integers(4)), axis=0)
    share = rng.uniform(0.35, 0.75)
    return np.stack([turned[0], turned[1], turned[1] + (turned[2] - turned[1]) * share,
                     turned[0] + (turned[3] - turned[0]) * share])  # fmt: skip


def _keep(kept: dict[str, list[NDArray[np.generic]]], picture: Picture, quad: Floats) -> None:
    wide = grown(quad, PATCH_GROWN)
    matrix = homography(wide, frame_quad(PATCH_WH))
    near = sorted(picture.cards, key=lambda card: float(np.linalg.norm(card.quad_px.mean(0) - quad.mean(0))))[:TRUTHS]
    truths, visible = np.full((TRUTHS, 4, 2), -9e3, np.float32), np.zeros(TRUTHS, np.float32)
    backs = np.zeros(TRUTHS, bool)
    for place, card in enumerate(near):
        truths[place], visible[place] = project(matrix, card.quad_px), card.visible
        backs[place] = card.side == "back"
    kept["patches"].append(straighten(picture.image, wide, PATCH_WH))
    kept["quads"].append(project(matrix, quad).astype(np.float32))
    kept["truths"].append(truths)
    kept["visible"].append(visible)
    kept["backs"].append(backs)
