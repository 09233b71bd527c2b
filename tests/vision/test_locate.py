"""The locator's arithmetic around the network: scaling, decoding, suppression."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Floats
from vision.locate import decode, letterbox, suppress
from vision.sightings import Located

QUAD = np.array([[10.0, 10.0], [73.0, 10.0], [73.0, 98.0], [10.0, 98.0]])


def located(*quads: Floats, scores: tuple[float, ...], backs: tuple[bool, ...] | None = None) -> Located:
    return Located(np.stack(quads), np.array(scores), np.array(backs or (False,) * len(quads)))


@pytest.mark.parametrize(
    ("size_wh", "long_side", "expected_hw"),
    [
        ((1280, 720), 640, (384, 640)),
        ((378, 504), 416, (416, 320)),
        ((640, 640), 640, (640, 640)),
        ((33, 7), 64, (32, 64)),
    ],
)
def test_letterbox_pads_to_whole_strides_and_knows_the_way_back(
    size_wh: tuple[int, int], long_side: int, expected_hw: tuple[int, int]
) -> None:
    image = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    image[-1, -1] = 255
    fitted = letterbox(image, long_side)
    assert fitted.tensor.shape == (1, 3, *expected_hw)
    inner_w, inner_h = (round(side / scale) for side, scale in zip(size_wh, fitted.scale_xy, strict=True))
    assert max(inner_w, inner_h) == long_side
    assert fitted.tensor[0, :, inner_h:, :] == pytest.approx(114 / 255)
    assert fitted.tensor[0, :, :, inner_w:] == pytest.approx(114 / 255)


def test_letterbox_gives_red_first() -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    image[..., 2] = 255  # red in OpenCV's order
    assert letterbox(image, 64).tensor[0, :, 5, 5].tolist() == [1.0, 0.0, 0.0]


def test_decode_reads_classes_corners_and_order() -> None:
    output = np.zeros((1, 18, 3), np.float32)
    for column, (front, back) in enumerate([(0.4, 0.1), (0.2, 0.9), (0.1, 0.05)]):
        output[0, 4, column], output[0, 5, column] = front, back
        output[0, 6:, column] = np.column_stack([QUAD + column, np.ones(4)]).ravel()
    found = decode(output, min_score=0.3)
    assert found.scores == pytest.approx([0.9, 0.4])
    assert found.backs.tolist() == [True, False]
    assert found.quads_px[0] == pytest.approx(QUAD + 1)


def test_the_same_card_found_twice_counts_once_and_neighbours_stay() -> None:
    found = located(QUAD, QUAD + 3, QUAD + np.array([30, 0]), scores=(0.9, 0.8, 0.7))
    kept = suppress(found)
    assert kept.scores.tolist() == [0.9, 0.7]


def test_print_on_a_card_is_no_card_of_its_own() -> None:
    print_on_it = QUAD.mean(axis=0) + (QUAD - QUAD.mean(axis=0)) * 0.6
    kept = suppress(located(QUAD, print_on_it, scores=(0.9, 0.8)))
    assert kept.scores.tolist() == [0.9]


def test_a_card_half_on_a_much_larger_one_stays() -> None:
    """Two decks of different size: only what lies inside another quad is taken for print."""
    small = QUAD[0] + (QUAD - QUAD[0]) * 0.6 - np.array([20.0, 0.0])
    kept = suppress(located(QUAD, small, scores=(0.9, 0.8)))
    assert len(kept) == 2


def test_quads_that_are_no_quads_are_dropped() -> None:
    crossed = QUAD[[0, 2, 1, 3]]
    kept = suppress(located(crossed, QUAD, np.zeros((4, 2)), scores=(0.9, 0.8, 0.7)))
    assert kept.scores.tolist() == [0.8]


def test_nothing_found_is_an_empty_result() -> None:
    empty = decode(np.zeros((1, 18, 5), np.float32), min_score=0.3)
    assert len(suppress(empty)) == 0


def test_shapes_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected quads \(n, 4, 2\)"):
        Located(np.zeros((2, 4, 2)), np.zeros(3), np.zeros(3, bool))
