"""Parts of rendered pictures: the labels must stay on the cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ultralytics", reason="needs the extra 'train': pip install '.[train]'")

from ultralytics.utils.instance import Instances

from vision.teaching.locator_views import View

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("default")]

SIDE_PX = 160


def picture_of(*quads: list[list[float]]) -> dict[str, Any]:
    """White quads on black, 400 by 300 px, as Ultralytics hands them from step to step."""
    corners = np.array(quads, np.float32)
    image = np.zeros((300, 400, 3), np.uint8)
    for quad in corners.astype(int):
        image[quad[0, 1] : quad[2, 1], quad[0, 0] : quad[2, 0]] = 255
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    keypoints = np.concatenate([corners, np.full((len(corners), 4, 1), 2, np.float32)], axis=2)
    instances = Instances(boxes, np.zeros((0, 1000, 2), np.float32), keypoints, bbox_format="xyxy", normalized=False)
    return {"img": image, "cls": np.zeros((len(corners), 1)), "instances": instances}


def quad(left: float, top: float, width: float, height: float) -> list[list[float]]:
    right, bottom = left + width, top + height
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


@pytest.mark.parametrize("zoom", [0.36, 0.7, 1.0])
def test_corners_and_boxes_stay_on_the_card(zoom: float) -> None:
    for _ in range(20):
        seen = View(SIDE_PX, (zoom, zoom))(picture_of(quad(170, 120, 60, 84)))
        assert seen["img"].shape == (SIDE_PX, SIDE_PX, 3)
        if not len(seen["instances"]):
            continue
        rows, columns = np.nonzero(seen["img"][..., 0] > 127)
        box = seen["instances"].bboxes[0]
        assert box == pytest.approx([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1], abs=1.1)
        whole = seen["instances"].keypoints[0]
        if (whole[:, 2] > 0).all():
            assert np.concatenate([whole[0, :2], whole[2, :2]]) == pytest.approx(box, abs=0.1)


def test_a_card_that_reaches_beyond_the_view_on_three_sides_is_not_asked_for() -> None:
    for _ in range(20):
        seen = View(SIDE_PX, (1.6, 1.6))(picture_of(quad(20, 20, 360, 260)))
        corners = (seen["instances"].keypoints[..., 2] > 0).sum(axis=1) if len(seen["instances"]) else np.array([])
        assert (corners >= 2).all()


def test_a_card_too_small_for_the_view_is_left_to_larger_ones() -> None:
    seen = View(SIDE_PX, (0.3, 0.3))(picture_of(quad(100, 100, 20, 28), quad(200, 100, 60, 84)))
    assert len(seen["instances"]) == 1
