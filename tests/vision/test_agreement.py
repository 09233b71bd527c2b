"""What several looks at one picture say together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.agreement import agree
from vision.geometry import Floats
from vision.sightings import Located

CARD = np.array([[10.0, 10.0], [73.0, 10.0], [73.0, 98.0], [10.0, 98.0]])
ELSEWHERE = CARD + 200


def look(*finds: tuple[Floats, float], back: bool = False) -> Located:
    quads = np.array([quad for quad, _ in finds]).reshape(-1, 4, 2)
    return Located(quads, np.array([score for _, score in finds]), np.full(len(finds), back))


def test_what_is_found_in_every_size_outweighs_a_surer_find_of_one_size() -> None:
    found = agree([look((CARD, 0.6), (ELSEWHERE, 0.9)), look((CARD + 1, 0.6)), look((CARD - 1, 0.6))])
    assert found.quads_px[0] == pytest.approx(CARD)
    assert found.scores == pytest.approx([0.6, 0.3])


def test_a_card_that_only_some_sizes_can_show_keeps_its_score() -> None:
    found = agree([look(), look((CARD, 0.9)), look((CARD, 0.8)), look((CARD, 0.7)), look(), look()])
    assert found.scores == pytest.approx([0.8])


def test_corners_are_between_those_of_the_sizes_and_nearer_to_the_surer_ones() -> None:
    found = agree([look((CARD, 0.8)), look((CARD + 6, 0.4))])
    assert found.quads_px[0] == pytest.approx(CARD + 6 * 0.4**2 / (0.8**2 + 0.4**2))


def test_a_card_read_from_its_other_end_is_the_same_card() -> None:
    found = agree([look((CARD, 0.9)), look((np.roll(CARD, 2, axis=0), 0.8))])
    assert len(found) == 1
    assert found.quads_px[0] == pytest.approx(CARD)


def test_two_finds_of_one_size_never_vote_for_one_card() -> None:
    found = agree([look((CARD, 0.9), (CARD + 8, 0.6)), look((CARD, 0.9))])
    assert found.scores == pytest.approx([0.6, 0.2])


def test_the_side_is_what_the_surer_sizes_say() -> None:
    found = agree([look((CARD, 0.9), back=True), look((CARD, 0.5)), look((CARD, 0.5))])
    assert found.backs.tolist() == [True]


def test_nothing_in_any_size_is_an_empty_result() -> None:
    assert len(agree([look(), look(), look()])) == 0
