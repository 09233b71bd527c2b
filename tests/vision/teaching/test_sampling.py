"""Scenes out of seeds, and the promise that reserved art is never taught."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.decks import load_deck
from vision.errors import TeachingError
from vision.teaching.catalogue import Catalogue, face_of
from vision.teaching.crops import french_pool, own_pool, sample_crop
from vision.teaching.render import render
from vision.teaching.sampling import ArtPool, sample_scene

FACES = ("2C", "10H", "AS", "JK1", "back")


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny decks: one for training and one that is reserved."""
    folder = tmp_path_factory.mktemp("assets")
    for name, reserved in (("open", False), ("kept", True)):
        deck = folder / "decks" / name
        deck.mkdir(parents=True)
        (deck / "deck.json").write_text(json.dumps({"family": name, "reserved": reserved}))
        for number, face in enumerate(FACES):
            picture = np.full((120, 84, 4), (40 * number, 255 - 40 * number, 90, 255), np.uint8)
            cv2.imwrite(str(deck / f"{face}.png"), picture)
    return folder


@pytest.fixture(scope="module")
def catalogue(assets: Path) -> Catalogue:
    return Catalogue(assets, (load_deck("fish"),))


def test_faces_are_read_from_keys() -> None:
    assert face_of("decks/open/10H.png") == "10H"
    assert face_of("decks/open/JK2.png") == "JK"
    assert face_of("decks/open/back3.png") is None
    assert face_of("own/fish/R4+O1+V4") == "R4+O1+V4"
    assert face_of("own/fish/back") is None
    assert face_of("invented/back/7") is None


def test_reserved_art_is_never_in_a_training_scene_or_crop(catalogue: Catalogue) -> None:
    pool = ArtPool.of(catalogue)
    used = {card.art for seed in range(250) for card in sample_scene(seed, pool).cards}
    assert any(art.startswith("decks/open/") for art in used)
    assert any(art.startswith("own/fish/") for art in used)
    assert any(art.startswith("invented/") for art in used)
    assert not [art for art in used if "kept" in art]
    crops = french_pool(catalogue, catalogue.french_decks(), ())
    keys = [key for fronts in crops.fronts.values() for key in fronts] + list(crops.others)
    assert not [key for key in keys if "kept" in key]
    assert not [key for key in own_pool(catalogue, "fish").others if "kept" in key]


def test_the_reserved_catalogue_shows_only_reserved_art(assets: Path) -> None:
    decks = Catalogue(assets, reserved=True).french_decks()
    assert [deck.name for deck in decks] == ["kept"]


def test_the_same_seed_is_the_same_scene_and_another_seed_another(catalogue: Catalogue) -> None:
    pool = ArtPool.of(catalogue)
    assert sample_scene(7, pool) == sample_scene(7, pool)
    assert sample_scene(7, pool) != sample_scene(8, pool)


def test_every_scene_can_be_rendered_and_its_truth_is_whole(catalogue: Catalogue) -> None:
    pool = ArtPool.of(catalogue)
    visible = []
    for seed in range(60):
        picture = render(sample_scene(seed, pool), catalogue)
        assert picture.image.dtype == np.uint8
        for card in picture.cards:
            assert np.isfinite(card.quad_px).all()
            assert 0.0 <= card.visible <= 1.0
            visible.append(card.visible)
    assert max(visible) > 0.9
    assert min(visible) < 0.3, "no overlaps: the eyes would never meet a covered card"


def test_a_crop_shows_the_card_that_its_label_names(catalogue: Catalogue) -> None:
    """Mean colours of the stand-in art tell the faces apart."""
    pool = replace(french_pool(catalogue, catalogue.french_decks(), ()), others=())
    rng = np.random.default_rng(3)
    pure = {face_of(key): catalogue.art(key)[60, 42, :3].astype(float) for key in catalogue.french_decks()[0].fronts}
    right = 0
    for _ in range(60):
        crop = sample_crop(rng, pool, catalogue)
        middle = np.median(crop.picture[50:110, 40:72].reshape(-1, 3), axis=0)
        hue = middle / max(middle.sum(), 1)
        nearest = min(pure, key=lambda face: float(np.abs(pure[face] / pure[face].sum() - hue).sum()))
        right += nearest == crop.face
    assert right > 35, f"only {right} of 60 crops look like their label"


def test_without_fetched_art_it_is_said_how_to_fetch_it(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no card art") as refusal:
        Catalogue(tmp_path).french_decks()
    assert "--prepare" in refusal.value.hint
