"""Crops on disk for teaching an identifier: shards of (n, 160, 112, 3) uint8 with their labels.

Shard `n` of a set is always the same, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decks import load_deck
from vision.errors import TeachingError
from vision.teaching.catalogue import Catalogue, FrenchDeck
from vision.teaching.crops import CropPool, french_pool, own_pool, sample_crop

__all__ = ["SHARD", "SPLITS", "CropSet", "load_split", "write_crops"]

logger = logging.getLogger(__name__)

SHARD = 400
SPLITS = ("train", "val", "reserved")
"""`val` shows designs of `HELD_OUT` (French) or other seeds; `reserved` shows the art that is kept for tests."""
HELD_OUT = ("gnome_paris", "gnome_neoclassical")
_SEEDS = {"train": 1, "val": 2, "reserved": 3}


@dataclass(frozen=True, slots=True)
class CropSet:
    """Crops of `deck` (`french` or a deck of the project) with fetched art from `assets`; counts in crops a split."""

    deck: str
    assets: str
    train: int
    val: int
    reserved: int = 0


def write_crops(folder: Path, crops: CropSet, *, workers: int = 2) -> None:
    """Make what is missing of `crops` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.json"
    about = asdict(crops)
    if manifest.is_file() and json.loads(manifest.read_text())["deck"] != crops.deck:
        raise TeachingError(f"{folder} holds crops of another deck.", hint="Choose another folder or delete this one.")
    manifest.write_text(json.dumps(about, indent=2) + "\n")
    counts = {"train": crops.train, "val": crops.val, "reserved": crops.reserved}
    jobs = [
        (str(folder), crops, split, shard) for split, count in counts.items() for shard in range(-(-count // SHARD))
    ]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for done, _ in enumerate(pool.map(_write_shard, jobs), start=1):
            if done % 10 == 0 or done == len(jobs):
                logger.info("made %d of %d crops", done * SHARD, len(jobs) * SHARD)


def load_split(folder: Path, split: str, faces: tuple[str, ...]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All crops (n, 160, 112, 3) of a split and labels (n, 2): index of the face (`len(faces)`: none), upside down."""
    shards = sorted(folder.glob(f"{split}-*.npz"))
    if not shards:
        raise TeachingError(f"There are no '{split}' crops in {folder}.", hint="Run: wrongcard render --crops DECK")
    pictures, labels = [], []
    index = {face: number for number, face in enumerate(faces)}
    for shard in shards:
        with np.load(shard) as content:
            pictures.append(content["pictures"])
            numbers = [index.get(str(face), len(faces)) for face in content["faces"]]
            labels.append(np.stack([numbers, content["upside_down"]], axis=1))
    return np.concatenate(pictures), np.concatenate(labels).astype(np.int64)


_loaded: dict[tuple[str, str], tuple[Catalogue, CropPool]] = {}


def _pool(crops: CropSet, split: str) -> tuple[Catalogue, CropPool]:
    key = (repr(crops), split)
    if key not in _loaded:
        cv2.setNumThreads(1)
        catalogue = Catalogue(Path(crops.assets), (load_deck("fish"),), reserved=split == "reserved")
        _loaded[key] = catalogue, _pool_of(catalogue, crops.deck, split)
    return _loaded[key]


def _pool_of(catalogue: Catalogue, deck_name: str, split: str) -> CropPool:
    if deck_name != "french":
        return own_pool(catalogue, deck_name)

    def wanted(deck: FrenchDeck) -> bool:
        return split == "reserved" or (deck.name in HELD_OUT) is (split == "val")

    fish = tuple(f"own/fish/{face}" for face in (*load_deck("fish").faces, "back"))
    decks = tuple(deck for deck in catalogue.french_decks() if wanted(deck))
    return french_pool(catalogue, decks, fish)


def _write_shard(job: tuple[str, CropSet, str, int]) -> None:
    folder, crops, split, number = job
    path = Path(folder, f"{split}-{number:04d}.npz")
    if path.is_file():
        return
    catalogue, pool = _pool(crops, split)
    rng = np.random.default_rng([number, _SEEDS[split]])
    made = [sample_crop(rng, pool, catalogue) for _ in range(SHARD)]
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(
            file,
            pictures=np.stack([crop.picture for crop in made]),
            faces=np.array([crop.face or "" for crop in made]),
            upside_down=np.array([crop.upside_down for crop in made]),
        )
    unfinished.rename(path)
