"""The closer look, on rendered cards whose true corners are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from table_pictures import photograph

from vision.fit import Fitter, grown
from vision.geometry import quad_iou


@pytest.fixture(scope="module")
def fitter() -> Fitter:
    return Fitter(threads=1)


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 50.0])
@pytest.mark.parametrize("angle_deg", [0.0, 35.0, 100.0])
def test_a_quad_beside_a_card_is_moved_onto_it(
    tmp_path: Path, fitter: Fitter, tilt_deg: float, angle_deg: float
) -> None:
    image, true = photograph(tmp_path, tilt_deg=tilt_deg, angle_deg=angle_deg)
    rng = np.random.default_rng(int(tilt_deg + angle_deg))
    located = np.stack([grown(true + rng.normal(0, 7, 2), rng.uniform(0.85, 1.15)) for _ in range(10)])
    fits = fitter.fit(image, located)
    before = sum(quad_iou(quad, true) for quad in located) / len(located)
    after = sum(quad_iou(quad, true) for quad in fits.quads_px) / len(located)
    assert after > 0.85 > before
    assert (fits.cards > 0.5).all()
    assert (fits.backs < 0.5).all()


def test_an_empty_table_shows_no_card(tmp_path: Path, fitter: Fitter) -> None:
    image, true = photograph(tmp_path, tilt_deg=0.0, angle_deg=0.0)
    flat = np.full_like(image, 120)
    assert fitter.fit(flat, true[None]).cards[0] < 0.2


def test_half_a_card_is_moved_onto_the_whole_one(tmp_path: Path, fitter: Fitter) -> None:
    image, true = photograph(tmp_path, tilt_deg=20.0, angle_deg=10.0)
    half = np.stack([true[0], true[1], (true[1] + 2 * true[2]) / 3, (true[0] + 2 * true[3]) / 3])
    once = fitter.fit(image, half[None])
    twice = fitter.fit(image, once.quads_px)
    assert quad_iou(half, true) < 0.7 < 0.8 < quad_iou(twice.quads_px[0], true)


def test_a_find_outside_the_picture_or_of_no_size_raises_nothing(tmp_path: Path, fitter: Fitter) -> None:
    image, true = photograph(tmp_path, tilt_deg=0.0, angle_deg=0.0)
    middle = true.mean(axis=0)
    fits = fitter.fit(image, np.stack([true + 5000.0, middle + (true - middle) * 0.01]))
    assert np.isfinite(fits.quads_px).all()
    assert len(fitter.fit(image, np.zeros((0, 4, 2))).cards) == 0
