"""From looks to outcomes: the pile's memory without any picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.change_test import BlockGrid
from vision.geometry import Floats
from vision.pile import EMPTY_S, Outcome, Pile, Settling
from vision.tracks import HELD_STILL_S, STILL_S, UNREAD, Look, Seen, Track

GRID = BlockGrid((640, 360), (320, 180))
PICTURE = np.zeros((180, 320, 3), np.uint8)
STEP_S = 0.1


def quad(x: float, y: float) -> Floats:
    return np.array([[x, y], [x + 40, y], [x + 40, y + 56], [x, y + 56]])


HERE, ASIDE, FAR = quad(300, 150), quad(312, 156), quad(330, 172)


def card(face: str, place: Floats, p: float = 0.97, *, held: bool = False) -> Seen:
    return Seen(place, ((face, p), ("else", 1 - p)), GRID.mask(place), held)


class Eye:
    """Feeds looks at even steps. `changed`: quads whose picture differs from the settled one; None: everything."""

    def __init__(self, *faces: str, twins: frozenset[str] = frozenset()) -> None:
        self.pile = Pile()
        self.settling = Settling(self.pile, twins)
        self.time_s = 0.0
        self.is_bare = True
        for face in faces:
            self.pile.put(self._lying(face))

    def _lying(self, face: str) -> Track:
        track = Track(HERE, GRID.mask(HERE), 0.0, 0.0, PICTURE)
        track.add(card(face, HERE), Look(0.0, PICTURE, (), False, np.zeros(GRID.shape, np.bool_)), covered=False)
        return track

    def above(self, first_px: Floats, second_px: Floats) -> bool:
        return first_px is second_px

    def remains(self, track: Track, over: Sequence[Track]) -> bool:
        return track in over

    def bare(self, place_px: Floats) -> bool:
        return self.is_bare and place_px.size > 0

    def looks(
        self, *cards: Seen, times: int = 1, busy: bool = False, changed: Sequence[Floats] | None = None
    ) -> Outcome | None:
        """The first outcome of so many equal looks."""
        mask = np.full(GRID.shape, changed is None)
        for place in changed or ():
            mask |= GRID.mask(place)
        for _ in range(times):
            self.time_s += STEP_S
            outcome = self.settling.see(Look(self.time_s, PICTURE, cards, busy, mask), self)
            if outcome is not None:
                return outcome
        return None


def appeared(outcome: Outcome | None) -> list[str]:
    assert outcome is not None
    assert not outcome.vanished
    return [track.best[0] for track in outcome.appeared]


def as_before(outcome: Outcome | None) -> bool:
    return outcome is not None and not outcome.appeared and not outcome.vanished


def test_a_new_card_is_told_after_it_has_kept_still() -> None:
    eye = Eye("A")
    assert eye.looks(card("B", ASIDE), times=round(STILL_S / STEP_S)) is None
    assert appeared(eye.looks(card("B", ASIDE))) == ["B"]


def test_a_held_card_takes_longer() -> None:
    eye = Eye("A")
    assert eye.looks(card("B", ASIDE, held=True), times=round(HELD_STILL_S / STEP_S), busy=True) is None
    assert appeared(eye.looks(card("B", ASIDE, held=True), busy=True)) == ["B"]


def test_a_card_read_badly_is_told_with_all_that_it_may_be() -> None:
    eye = Eye("A")
    outcome = eye.looks(card("B", ASIDE, 0.6), times=10)
    assert outcome is not None
    assert outcome.appeared[0].candidates == (("B", 0.6), ("else", 0.4))


def test_one_wrong_reading_among_right_ones_does_not_win() -> None:
    eye = Eye("A")
    eye.looks(card("C", ASIDE, 0.9))
    assert appeared(eye.looks(card("B", ASIDE), times=9)) == ["B"]


def test_the_upper_card_in_other_light_is_no_new_card() -> None:
    assert as_before(Eye("A").looks(card("A", HERE), times=5))


def test_the_upper_card_misread_where_nothing_has_changed_is_no_new_card() -> None:
    assert as_before(Eye("A").looks(card("B", HERE), times=5, changed=[]))


def test_a_pushed_card_keeps_its_name_at_its_new_place() -> None:
    eye = Eye("A", "B")
    assert as_before(eye.looks(card("B", FAR), times=5))
    assert eye.pile.top is not None
    assert (eye.pile.top.quad_px == FAR).all()
    assert eye.pile.faces == ("A", "B")


def test_a_twin_beside_the_card_that_still_lies_there_is_new() -> None:
    eye = Eye("A", twins=frozenset("A"))
    assert appeared(eye.looks(card("A", FAR), card("A", HERE), times=5)) == ["A"]


@pytest.mark.parametrize(("lower", "gone"), [("C", 1), ("B", 2), ("A", 3)])
def test_a_lower_card_that_shows_again_tells_how_many_are_gone(lower: str, gone: int) -> None:
    outcome = Eye("A", "B", "C", "D").looks(card(lower, HERE), times=6)
    assert outcome is not None
    assert (outcome.appeared, outcome.vanished) == ((), gone)


def test_nothing_is_gone_while_something_moves_or_covers() -> None:
    assert Eye("A", "B").looks(times=40, busy=True) is None
    assert Eye("A", "B").looks(card("A", HERE), times=40, busy=True) is None


def test_nothing_is_gone_where_the_picture_is_as_it_was() -> None:
    assert as_before(Eye("A", "B").looks(times=10, changed=[]))


def test_an_empty_place_is_believed_after_a_while() -> None:
    eye = Eye("A", "B")
    assert eye.looks(times=round(EMPTY_S / STEP_S)) is None
    outcome = eye.looks()
    assert outcome is not None
    assert outcome.vanished == 2
    assert outcome.first_s == pytest.approx(STEP_S)


def test_a_card_that_the_eyes_miss_is_not_gone() -> None:
    eye = Eye("A", "B")
    eye.is_bare = False
    assert eye.looks(times=30) is None


def test_a_card_that_lay_open_for_two_looks_is_told_with_the_one_that_covers_it() -> None:
    eye = Eye("A")
    assert eye.looks(card("B", ASIDE), times=2) is None
    eye.settling.interrupt()
    assert appeared(eye.looks(card("C", ASIDE), times=5)) == ["B", "C"]


def test_a_card_that_was_only_held_over_the_pile_is_not_told_later() -> None:
    eye = Eye("A")
    assert eye.looks(card("B", ASIDE, held=True), times=3, busy=True) is None
    eye.settling.interrupt()
    assert appeared(eye.looks(card("C", ASIDE), times=5)) == ["C"]


def test_several_cards_laid_at_once_are_told_from_bottom_to_top() -> None:
    eye = Eye("A")
    eye.looks(card("B", quad(340, 150)))
    outcome = eye.looks(card("B", quad(340, 150)), card("C", quad(364, 150)), times=6)
    assert appeared(outcome) in (["B"], ["B", "C"])


def test_what_was_never_read_stays_in_the_pile_as_unread() -> None:
    eye = Eye("A")
    outcome = eye.looks(card("B", ASIDE, 0.6), times=10)
    assert outcome is not None
    eye.pile.put(outcome.appeared[0])
    assert eye.pile.faces == ("A", UNREAD)


def test_the_end_of_the_pictures_tells_what_lay_open() -> None:
    eye = Eye("A")
    eye.looks(card("B", ASIDE), times=2)
    assert [track.best[0] for track in eye.settling.conclude()] == ["B"]
