"""Rendered scenes: the truth that training rests on is checked in the pixels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.decks import load_deck
from vision.errors import TeachingError
from vision.geometry import Floats, polygon_area, straighten
from vision.teaching.catalogue import Catalogue
from vision.teaching.pinhole import Pinhole
from vision.teaching.render import render
from vision.teaching.scenes import CardInScene, Lens, Lighting, Scene, Sprite, TableTop, card_corners_mm

PLAIN = Lighting(0.0, 0.0, 1.0, 1.0, (0.0, 0.0), 0.0, (1.0, 1.0, 1.0))
GREY = TableTop("plain/90-90-90", 100, 0, (1, 1, 1), 1.0, (9000, 9000), 0, "plain/20-20-20")
FACE = "R4+O1+V4"


def camera(tilt_deg: float = 0.0, azimuth_deg: float = 0.0, card_px: float = 150.0) -> Pinhole:
    return Pinhole((400, 300), 500.0, (0.0, 0.0), 500 * 88 / card_px, tilt_deg, azimuth_deg)


def card(x: float = 0.0, y: float = 0.0, angle: float = 0.0, *, face: str = FACE, bend: float = 0.0) -> CardInScene:
    return CardInScene(f"own/fish/{face}", face, (63.0, 88.0), (x, y), angle, bend_mm=bend)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("assets")
    block = np.zeros((100, 50, 4), np.uint8)
    block[..., 2:] = 255
    cv2.imwrite(str(folder / "block.png"), block)
    return Catalogue(folder, (load_deck("fish"),))


def scene(*cards: CardInScene, view: Pinhole | None = None, sprites: tuple[Sprite, ...] = ()) -> Scene:
    return Scene(1, view or camera(), GREY, PLAIN, Lens(), cards, sprites=sprites)


def art_of(catalogue: Catalogue, face: str, size_wh: tuple[int, int]) -> Floats:
    art = catalogue.art(f"own/fish/{face}")[..., :3]
    return np.asarray(cv2.resize(art, size_wh, interpolation=cv2.INTER_AREA), np.float64)


@pytest.mark.parametrize("tilt", [0.0, 35.0, 60.0])
@pytest.mark.parametrize("azimuth", [0.0, 130.0, 250.0])
@pytest.mark.parametrize("angle", [0.0, 75.0, 200.0])
def test_straightening_the_true_quad_gives_back_the_art(
    catalogue: Catalogue, tilt: float, azimuth: float, angle: float
) -> None:
    """Orientation, handedness and perspective of the truth in one: a mirrored or turned card would not match."""
    picture = render(scene(card(10, -5, angle), view=camera(tilt, azimuth)), catalogue)
    straight = straighten(picture.image, picture.cards[0].quad_px, (63, 88)).astype(np.float64)
    art = art_of(catalogue, FACE, (63, 88))
    inner = (slice(8, -8), slice(8, -8))
    right = np.abs(straight - art)[inner].mean()
    turned = np.abs(straight - art[::-1, ::-1])[inner].mean()
    mirrored = np.abs(straight - art[:, ::-1])[inner].mean()
    assert right < 20
    assert right < 0.5 * min(turned, mirrored)


def test_equal_scenes_give_equal_pictures(catalogue: Catalogue) -> None:
    noisy = replace(scene(card()), lens=Lens(noise=9.0, jpeg_quality=60, motion_px=3.0))
    assert np.array_equal(render(noisy, catalogue).image, render(noisy, catalogue).image)
    other = replace(noisy, seed=2)
    assert not np.array_equal(render(noisy, catalogue).image, render(other, catalogue).image)


def test_half_covered_card_is_half_visible(catalogue: Catalogue) -> None:
    lower, upper = card(0, 0), card(31.5, 0, face="P-B")
    picture = render(scene(lower, upper), catalogue)
    assert picture.cards[0].visible == pytest.approx(0.5, abs=0.04)
    assert picture.cards[1].visible == pytest.approx(1.0, abs=0.03)


def test_a_sprite_in_front_covers_and_one_below_does_not(catalogue: Catalogue) -> None:
    front = Sprite("block.png", (200, 150), 400, 0.0, shadow=0.0)
    assert render(scene(card(), sprites=(front,)), catalogue).cards[0].visible == 0.0
    below = replace(front, below_cards=True)
    assert render(scene(card(), sprites=(below,)), catalogue).cards[0].visible > 0.95


def test_a_card_that_leaves_the_picture_keeps_its_whole_quad(catalogue: Catalogue) -> None:
    picture = render(scene(card(118, 0)), catalogue)
    truth = picture.cards[0]
    assert truth.quad_px[:, 0].max() > 400
    assert 0.3 < truth.visible < 0.7
    assert polygon_area(truth.quad_px) == pytest.approx(150 * 150 * 63 / 88, rel=0.02)


def test_corners_of_a_bent_card_stand_above_the_table() -> None:
    assert card_corners_mm(card(bend=4.0))[:, 2].tolist() == [4.0] * 4
    assert card_corners_mm(card(bend=-4.0))[:, 2].tolist() == [0.0] * 4


def test_a_back_has_no_face(catalogue: Catalogue) -> None:
    back = replace(card(), art="own/fish/back", face=None)
    assert render(scene(back), catalogue).cards[0].side == "back"


def test_missing_art_is_named(catalogue: Catalogue, tmp_path: Path) -> None:

    with pytest.raises(TeachingError, match=r"nowhere\.png cannot be read"):
        Catalogue(tmp_path).art("decks/nowhere.png")
