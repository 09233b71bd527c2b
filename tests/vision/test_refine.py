"""Refined quads, on rendered cards whose true corners are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.decks import load_deck
from vision.geometry import Floats
from vision.refine import refine_quad
from vision.sightings import Image
from vision.teaching.catalogue import Catalogue
from vision.teaching.pinhole import Pinhole
from vision.teaching.render import render
from vision.teaching.scenes import CardInScene, Lens, Lighting, Scene, TableTop


def photograph(tmp_path: Path, *, tilt_deg: float, angle_deg: float) -> tuple[Image, Floats]:
    """A lone fish card on a grey table, slightly noisy; its true quad."""
    card = CardInScene("own/fish/R4+O1+V4", "R4+O1+V4", (63.0, 88.0), (0.0, 0.0), angle_deg)
    scene = Scene(
        5,
        Pinhole((480, 360), 600.0, (0.0, 0.0), 600 * 88 / 160, tilt_deg, 30.0),
        TableTop("plain/90-90-90", 100, 0, (1, 1, 1), 1.0, (9000, 9000), 0, "plain/20-20-20"),
        Lighting(40.0, 0.4, 1.0, 2.0, (0.05, 0.0), 0.05, (1.0, 1.0, 1.0)),
        Lens(noise=3.0, defocus_px=0.6, jpeg_quality=85),
        (card,),
    )
    picture = render(scene, Catalogue(tmp_path, (load_deck("fish"),)))
    return picture.image, picture.cards[0].quad_px


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 50.0])
@pytest.mark.parametrize("angle_deg", [0.0, 35.0, 100.0])
def test_corners_come_closer_to_the_truth(tmp_path: Path, tilt_deg: float, angle_deg: float) -> None:
    image, true = photograph(tmp_path, tilt_deg=tilt_deg, angle_deg=angle_deg)
    rng = np.random.default_rng(int(tilt_deg + angle_deg))
    before, after = [], []
    for _ in range(10):
        located = true + rng.normal(0, 3.5, (4, 2))
        before.append(np.linalg.norm(located - true, axis=1).mean())
        after.append(np.linalg.norm(refine_quad(image, located) - true, axis=1).mean())
    assert np.mean(after) < 0.6 * np.mean(before)


def test_where_there_is_no_edge_the_quad_stays(tmp_path: Path) -> None:
    image, true = photograph(tmp_path, tilt_deg=0.0, angle_deg=0.0)
    flat = np.full_like(image, 120)
    assert refine_quad(flat, true) == pytest.approx(true)


def test_a_quad_at_the_picture_s_edge_and_a_tiny_one_stay_whole(tmp_path: Path) -> None:
    image, true = photograph(tmp_path, tilt_deg=0.0, angle_deg=0.0)
    outside = true + np.array([5000.0, 0.0])
    assert refine_quad(image, outside) == pytest.approx(outside)
    tiny = true.mean(axis=0) + (true - true.mean(axis=0)) * 0.02
    assert refine_quad(image, tiny) == pytest.approx(tiny)
