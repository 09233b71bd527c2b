"""Plane geometry against independent oracles: pixel counting and round trips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import (
    Floats,
    clip_quad,
    homography,
    polygon_area,
    project,
    quad_iou,
    shift_corners,
    straighten,
    upright_quad,
)

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])

angles = st.floats(0, 2 * np.pi)
centres = st.tuples(st.floats(60, 140), st.floats(60, 140))
sizes = st.tuples(st.floats(15, 60), st.floats(15, 60))


def rectangle(centre: tuple[float, float], size: tuple[float, float], angle: float) -> Floats:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(half @ turn.T + centre, dtype=np.float64)


def counted_iou(first: Floats, second: Floats, *, fine: int = 4) -> float:
    """Intersection over union by counting pixels of an enlarged drawing."""
    masks = []
    for quad in (first, second):
        mask = np.zeros((200 * fine, 200 * fine), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * fine).astype(np.int32), (1.0,))
        masks.append(mask > 0)
    union = (masks[0] | masks[1]).sum()
    return float((masks[0] & masks[1]).sum() / union)


@settings(max_examples=40)
@given(centres, sizes, angles, centres, sizes, angles)
def test_iou_agrees_with_counting_pixels(
    centre: tuple[float, float],
    size: tuple[float, float],
    angle: float,
    other_centre: tuple[float, float],
    other_size: tuple[float, float],
    other_angle: float,
) -> None:
    first, second = rectangle(centre, size, angle), rectangle(other_centre, other_size, other_angle)
    assert quad_iou(first, second) == pytest.approx(counted_iou(first, second), abs=0.03)
    assert quad_iou(first, second) == pytest.approx(quad_iou(second, first), abs=1e-9)


@given(centres, sizes, angles)
def test_a_quad_is_itself_read_from_any_corner_and_either_way_round(
    centre: tuple[float, float], size: tuple[float, float], angle: float
) -> None:
    quad = rectangle(centre, size, angle)
    for steps in range(4):
        assert quad_iou(quad, shift_corners(quad, steps)) == pytest.approx(1.0)
    assert quad_iou(quad, quad[::-1]) == pytest.approx(1.0)
    assert polygon_area(quad) == pytest.approx(size[0] * size[1])


def test_overlap_of_two_known_squares() -> None:
    assert quad_iou(SQUARE, SQUARE + 5) == pytest.approx(25 / 175)
    assert quad_iou(SQUARE, SQUARE + np.array([10.0, 0.0])) == 0.0
    assert len(clip_quad(SQUARE, SQUARE + 50)) == 0


def test_a_quad_without_area_overlaps_nothing() -> None:
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 0.0], [0.0, 0.0]])
    assert quad_iou(line, line) == 0.0


@given(centres, angles)
def test_upright_reading_is_the_same_for_every_start_and_has_a_short_edge_first(
    centre: tuple[float, float], angle: float
) -> None:
    quad = rectangle(centre, (40, 60), angle)
    readings = [upright_quad(shift_corners(quad, steps)) for steps in range(4)]
    for reading in readings:
        assert np.linalg.norm(reading[1] - reading[0]) == pytest.approx(40)
    standing = abs(np.cos(angle)) - abs(np.sin(angle))
    if abs(standing) > 0.05 and min(abs(np.cos(angle)), abs(np.sin(angle))) > 0.01:
        for reading in readings[1:]:
            assert reading == pytest.approx(readings[0])


@given(centres, angles, st.floats(0.6, 1.4))
def test_homography_takes_corners_to_corners_and_back(
    centre: tuple[float, float], angle: float, stretch: float
) -> None:
    quad = rectangle(centre, (40, 60), angle) * (stretch, 1.0)
    matrix = homography(SQUARE, quad)
    assert project(matrix, SQUARE) == pytest.approx(quad, abs=0.02)
    assert project(np.asarray(np.linalg.inv(matrix), np.float64), quad) == pytest.approx(SQUARE, abs=0.02)


def test_straighten_turns_a_tilted_card_upright_without_mirroring() -> None:
    card = np.full((88, 63, 3), 255, np.uint8)
    card[:20, :20] = (0, 0, 255)  # red top left
    card[-20:, -20:] = (255, 0, 0)  # blue bottom right
    quad = rectangle((150.0, 140.0), (126, 176), 0.6)
    scene = cv2.warpPerspective(card, homography(np.array([[0, 0], [63, 0], [63, 88], [0, 88]]), quad), (300, 280))
    straight = straighten(np.asarray(scene, np.uint8), quad, (63, 88))
    assert straight[8, 8].tolist() == pytest.approx([0, 0, 255], abs=30)
    assert straight[80, 55].tolist() == pytest.approx([255, 0, 0], abs=30)
    assert straight[8, 55].tolist() == pytest.approx([255, 255, 255], abs=30)


def test_straighten_outside_the_picture_gives_an_empty_crop_of_the_right_size() -> None:
    scene = np.full((50, 50, 3), 200, np.uint8)
    assert straighten(scene, SQUARE + 500, (20, 30)).shape == (30, 20, 3)
