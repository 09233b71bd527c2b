"""Watching a scripted table: every play is told once, with the right seat, and nothing is invented."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scripted_table import BACK, FPS, ZONES, ScriptedEyes, ScriptedTable, Told, watch

from vision.change_test import ChangeTest
from vision.changes import Change
from vision.errors import CameraError, RecordingError
from vision.geometry import Floats
from vision.recording import frames, load_recording
from vision.sightings import Frame, Image, Sighting
from vision.watch import Watcher
from vision.zones import Zones, inside

LONGEST_DELAY_S = 0.4


def story(told: list[Told]) -> list[str | int]:
    """Faces that appeared and, negative, numbers of cards that vanished."""
    return [_face(one.change) if one.change.kind == "appeared" else -one.change.count for one in told]


def _face(change: Change) -> str:
    return change.candidates[0][0] if change.candidates else "??"


def test_plays_are_told_with_seat_time_and_pictures() -> None:
    table = ScriptedTable(start=("X",))
    table.play(1.0, "A", "Ada", offset=(6, 3), angle=10).play(2.2, "B", "Ben", offset=(-5, 4), angle=-12)
    table.play(3.4, "C", "Cem", angle=25)
    told, watcher = watch(table, 4.4)
    assert story(told) == ["X", "A", "B", "C"]
    assert watcher.pile == ("X", "A", "B", "C")
    assert told[0].change.who is None
    for one, event in zip(told[1:], table.events, strict=True):
        change = one.change
        assert change.who is not None
        assert change.who[0] == event.seat
        assert change.who[1] > 0.8
        assert change.since_s < event.at_s + 1 / FPS
        assert event.at_s <= change.until_s <= event.free_s + 2 / FPS
        assert one.time_s - event.free_s <= LONGEST_DELAY_S
        assert change.quad_px is not None
        assert ZONES.pile is not None
        assert inside(change.quad_px, ZONES.pile)
        assert change.evidence is not None
        before, after = change.evidence
        assert before.shape == after.shape
        assert np.abs(before.astype(int) - after).mean() > 3


@pytest.mark.parametrize("seed", range(3))
def test_fast_plays_are_all_told_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = ScriptedTable(start=("X",), seed=seed)
    for number in range(5):
        offset, angle = rng.uniform(-9, 9, 2), float(rng.uniform(-30, 30))
        seat = ("Ada", "Ben", "Cem")[number % 3]
        table.play(1 + 0.7 * number, f"c{number}", seat, offset=tuple(offset), angle=angle, hold_s=0.1)
    told, _ = watch(table, 5.0)
    assert story(told) == ["X", "c0", "c1", "c2", "c3", "c4"]
    assert [one.change.who[0] for one in told[1:] if one.change.who] == ["Ada", "Ben", "Cem", "Ada", "Ben"]


@pytest.mark.parametrize("seed", [0, 1, 22, 35])
def test_wrong_readings_now_and_then_invent_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = ScriptedTable(start=("X",), seed=seed)
    for number in range(4):
        offset, angle = rng.uniform(-9, 9, 2), float(rng.uniform(-30, 30))
        table.play(1 + 1.1 * number, f"c{number}", ("Ada", "Ben")[number % 2], offset=tuple(offset), angle=angle)
    told, watcher = watch(table, 5.5, misread=0.06)
    assert story(told) == ["X", "c0", "c1", "c2", "c3"]
    assert len(watcher.pile) == 5


def test_hands_that_only_hover_play_nothing() -> None:
    table = ScriptedTable(start=("X",)).hover(0.8, "Ada", 0.6).hover(2.2, "Ben", 0.8, face="H")
    told, _ = watch(table, 4.0)
    assert story(told) == ["X"]


def test_a_hand_that_rests_on_the_pile_hides_it_and_is_noticed() -> None:
    told, watcher = watch(ScriptedTable(start=("X",)).hover(0.8, "Ada", 4.0), 6.0)
    assert story(told) == ["X"]
    assert [(notice.kind, notice.time_s < 4.8) for notice in watcher.take_notices()] == [("hand", True)]
    assert watcher.take_notices() == ()


def test_a_bumped_pile_plays_nothing() -> None:
    table = ScriptedTable(start=("X", "Y")).bump(0.8, "Ada", (9, 4)).bump(2.0, "Ben", (-6, -4), count=2)
    told, watcher = watch(table, 3.2)
    assert story(told) == ["Y"]
    assert watcher.pile == ("Y",)


@pytest.mark.parametrize("count", [1, 3])
def test_cards_that_are_taken_back_vanish_by_their_number(count: int) -> None:
    table = (
        ScriptedTable(start=("X",)).play(0.8, "A", offset=(6, 3), angle=10).play(1.8, "B", offset=(-5, 4), angle=-12)
    )
    table.play(2.8, "C", offset=(3, 6), angle=20).take(3.8, count, "Ben").play(5.2, "D", "Cem", offset=(4, -5))
    told, watcher = watch(table, 6.2)
    assert story(told) == ["X", "A", "B", "C", -count, "D"]
    assert told[4].change.who is not None
    assert told[4].change.who[0] == "Ben"
    assert 3.8 <= told[4].change.until_s <= 4.4
    assert watcher.pile == (*("X", "A", "B", "C")[: 4 - count], "D")


def test_an_emptied_pile_is_told_and_filled_anew() -> None:
    table = ScriptedTable(start=("X",)).play(0.8, "A", offset=(6, 3), angle=10).take(1.9, 2, "Ben")
    told, watcher = watch(table.play(4.0, "Z", "Cem"), 5.0)
    assert story(told) == ["X", "A", -2, "Z"]
    assert watcher.pile == ("Z",)


def test_a_face_that_the_deck_holds_twice_may_be_played_on_itself_and_again() -> None:
    table = ScriptedTable(start=("X",)).play(0.8, "A", "Ada", offset=(-8, 3), angle=10)
    table.play(1.8, "A", "Ben", offset=(10, 4), angle=-12).play(2.8, "B", "Ada", offset=(9, 3), angle=30)
    table.play(3.8, "A", "Cem", offset=(-4, 1), angle=12)
    told, _ = watch(table, 4.8, twins=frozenset("A"))
    assert story(told) == ["X", "A", "A", "B", "A"]


@pytest.mark.parametrize("name", ["fading", "switched off", "noise"])
def test_light_and_noise_invent_nothing(name: str) -> None:
    table = {
        "fading": ScriptedTable(start=("X", "Y"), light=lambda s: 1 - 0.1 * s),
        "switched off": ScriptedTable(start=("X", "Y"), light=lambda s: 1.0 if s < 1.5 else 0.7),
        "noise": ScriptedTable(start=("X", "Y"), noise=9.0),
    }[name]
    told, watcher = watch(table, 4.0, misread=0.3)
    assert [one.change.kind for one in told] == ["appeared"]
    assert watcher.pile in (("Y",), ("??",))


def test_the_first_card_turned_over_in_its_place_is_played_by_nobody() -> None:
    table = ScriptedTable(start=(BACK,)).turn(1.0, "A", "Ada").play(2.4, "B", "Ben", offset=(4, 4), angle=30)
    told, _ = watch(table, 3.4)
    assert story(told) == ["A", "B"]
    assert told[0].change.who is None
    assert told[1].change.who is not None


def test_a_card_laid_face_down_is_no_play_but_noticed() -> None:
    told, watcher = watch(ScriptedTable(start=("X",)).play(0.8, BACK, "Ada"), 5.0)
    assert story(told) == ["X"]
    assert [notice.kind for notice in watcher.take_notices()] == ["face-down"]


def test_a_card_that_the_eyes_cannot_find_is_not_told_as_taken_away() -> None:
    table = ScriptedTable(start=("X",)).play(0.8, "A", offset=(6, 3))
    eyes = ScriptedEyes(table)
    watcher = Watcher(eyes, ZONES)
    told: list[Change] = []
    for frame in table.frames(3.5):
        eyes.frame = frame
        eyes.blind = frame.time_s > 0.6
        told += watcher.see(frame)
    assert [change.kind for change in told] == ["appeared"]
    assert watcher.pile == ("X",)


def test_without_a_zone_the_first_card_in_the_middle_is_the_pile() -> None:
    table = ScriptedTable(start=("X",)).play(1.5, "A", "Ada", offset=(6, 3), angle=10)
    told, _ = watch(table, 2.5, zones=Zones(seats=ZONES.seats))
    assert story(told) == ["X", "A"]


def test_without_seats_nobody_is_named() -> None:
    told, _ = watch(ScriptedTable(start=("X",)).play(0.8, "A"), 1.8, zones=replace(ZONES, seats={}))
    assert story(told) == ["X", "A"]
    assert told[1].change.who is None


def test_the_same_pictures_tell_the_same() -> None:
    def run() -> list[tuple[object, ...]]:
        table = ScriptedTable(start=("X",)).play(0.8, "A", offset=(6, 3)).take(1.9, 1, "Ben")
        told, _ = watch(table, 3.2, misread=0.1)
        return [(t.time_s, t.change.kind, t.change.candidates, t.change.since_s, t.change.who) for t in told]

    assert run() == run()


def test_pictures_that_end_early_still_tell_what_lay_open() -> None:
    table = ScriptedTable(start=("X",)).play(0.8, "A", offset=(6, 3), hold_s=0.05)
    told, _ = watch(table, 0.8 + 0.05 + 0.3 * 0.35 + 3 / FPS)
    assert story(told) == ["X", "A"]


def test_the_eyes_rest_while_nothing_happens() -> None:
    table = ScriptedTable(start=("X",))
    eyes = ScriptedEyes(table)
    watcher = Watcher(eyes, ZONES)
    for frame in table.frames(3.0):
        eyes.frame = frame
        watcher.see(frame)
    assert eyes.looks < 10


def test_a_picture_of_another_size_is_refused() -> None:
    watcher = Watcher(NoEyes(), ZONES)
    watcher.see(Frame(np.zeros((360, 640, 3), np.uint8), 0, 0.0))
    with pytest.raises(CameraError, match="changed its size"):
        watcher.see(Frame(np.zeros((640, 360, 3), np.uint8), 1, 0.1))


def test_a_zone_outside_the_picture_is_refused() -> None:
    zones = Zones(pile=np.array([[900.0, 900.0], [990.0, 900.0], [990.0, 990.0]]))
    with pytest.raises(RecordingError, match="outside the picture of 640 x 360"):
        Watcher(NoEyes(), zones).see(Frame(np.zeros((360, 640, 3), np.uint8), 0, 0.0))


def test_darkness_is_noticed_once() -> None:
    watcher = Watcher(NoEyes(), ZONES)
    for index in range(100):
        watcher.see(Frame(np.full((360, 640, 3), 12, np.uint8), index, index / 10))
    assert [notice.kind for notice in watcher.take_notices()] == ["too-dark"]


class NoEyes:
    def look(self, image: Image) -> tuple[Sighting, ...]:
        assert image.size
        return ()


@pytest.mark.parametrize("name", ["crazy-old-fish-war", "shithead"])
def test_real_looking_recordings_come_to_rest_after_every_play_and_only_then(shared: Path, name: str) -> None:
    """Without any model: the pile's picture settles anew within a second of each play, and never without a reason."""
    recording = load_recording(shared / "recordings" / name)
    pile = recording.table.zones.pile
    assert pile is not None
    settled = _settled_changes(frames(recording), pile)
    plays = [truth for truth in recording.truth if truth.kind in ("play", "place")]
    for play in plays:
        moments = [play.time_s, play.still_s if play.still_s is not None else play.time_s]
        assert any(abs(s - moment) <= 1.0 for s in settled for moment in moments), play
    reasons = [truth.time_s for truth in recording.truth]
    assert all(any(abs(s - reason) <= 1.5 for reason in reasons) for s in settled)


def _settled_changes(seen: Iterable[Frame], pile: Floats) -> list[float]:
    """When the pile had kept still for 0.2 s and looked other than when it was settled last."""
    test, still_s = ChangeTest(), 0.0
    settled: list[float] = []
    for frame in seen:
        activity = test.see(frame)
        core = activity.grid.mask(pile)
        test.guarded = core
        if (activity.moving & core).sum() > 2:
            still_s = frame.time_s
        elif frame.time_s - still_s >= 0.2 and (activity.foreground & core).sum() >= 3:
            settled.append(frame.time_s)
            test.settle(core)
    return settled
