"""Labels that Ultralytics is taught with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.errors import TeachingError
from vision.teaching.dataset import SceneSet, label_lines, write_scenes
from vision.teaching.render import CardTruth, Picture

IMAGE = np.zeros((100, 200, 3), np.uint8)
QUAD = np.array([[20.0, 10.0], [60.0, 10.0], [60.0, 70.0], [20.0, 70.0]])


def test_a_label_is_class_box_and_corners_in_shares_of_the_picture() -> None:
    (line,) = label_lines(Picture(IMAGE, (CardTruth(QUAD, "KH", "", 1.0),)))
    numbers = [float(part) for part in line.split()]
    assert numbers == pytest.approx([0, 0.2, 0.4, 0.2, 0.6, 0.1, 0.1, 2, 0.3, 0.1, 2, 0.3, 0.7, 2, 0.1, 0.7, 2])


def test_a_back_is_class_one_and_corners_outside_are_not_asked_for() -> None:
    (line,) = label_lines(Picture(IMAGE, (CardTruth(QUAD - (40, 0), None, "", 0.6),)))
    numbers = [float(part) for part in line.split()]
    assert numbers[0] == 1
    assert numbers[1:5] == pytest.approx([0.05, 0.4, 0.1, 0.6])
    assert numbers[5:8] == [0, 0, 0]
    assert numbers[8:11] == pytest.approx([0.1, 0.1, 2])
    assert all(0 <= number <= 2 for number in numbers)


def test_hidden_and_tiny_cards_are_not_asked_for() -> None:
    hidden, tiny = CardTruth(QUAD, "KH", "", 0.05), CardTruth(QUAD * 0.05, "KH", "", 1.0)
    assert label_lines(Picture(IMAGE, (hidden, tiny))) == []


def test_a_folder_of_other_scenes_is_not_mixed_with_new_ones(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"assets": "elsewhere", "first_seed": 7}))
    with pytest.raises(TeachingError, match="another scene set"):
        write_scenes(tmp_path, SceneSet(assets="here", train=1, val=1), workers=1)
