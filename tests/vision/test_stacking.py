"""Which card lies above, and is a covered one still there: told by the picture alone."""

from __future__ import annotations

import numpy as np
import pytest
from scripted_table import BACK, Card, box, draw_card

from vision.geometry import Floats
from vision.sightings import Image
from vision.stacking import edge_inside, lies_above, looks_bare, still_there


def drawn(*cards: tuple[str, Floats]) -> Image:
    image = np.full((200, 300, 3), (92, 118, 140), np.uint8)
    for face, quad in cards:
        draw_card(image, Card(face, quad))
    noise = np.random.default_rng(0).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


LEFT, RIGHT, APART = box(130, 100, 40, 56), box(146, 110, 40, 56), box(250, 60, 40, 56)


@pytest.mark.parametrize("names", [("A", "B"), ("P", "Q"), ("R1", "G2"), ("same", "same")])
def test_the_card_drawn_last_lies_above(names: tuple[str, str]) -> None:
    image = drawn((names[0], LEFT), (names[1], RIGHT))
    assert lies_above(image, RIGHT, LEFT)
    assert not lies_above(image, LEFT, RIGHT)


def test_cards_that_do_not_meet_show_no_edge_in_each_other() -> None:
    assert edge_inside(drawn(("A", LEFT), ("B", APART)), APART, LEFT) == 0.0


def test_a_half_covered_card_is_still_there_or_not() -> None:
    before = drawn()
    then = drawn(("A", LEFT))
    assert still_there((before, then, drawn(("A", LEFT), ("B", RIGHT))), LEFT, [RIGHT])
    assert not still_there((before, then, drawn(("B", RIGHT))), LEFT, [RIGHT])


def test_a_card_that_is_covered_wholly_tells_nothing() -> None:
    before, then = drawn(), drawn(("A", LEFT))
    assert not still_there((before, then, then), LEFT, [LEFT])


@pytest.mark.parametrize("face", ["A", "B", BACK])
def test_a_place_is_bare_without_a_card(face: str) -> None:
    assert looks_bare(drawn(), LEFT)
    assert not looks_bare(drawn((face, LEFT)), LEFT)
