"""Recordings: what is in them, and what a broken one says."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import RecordingError
from vision.recording import Recording, frames, load_recording
from vision.sightings import Frame

TABLE = """
game = "piranhas"
deck = "fish"
players = ["Ada", "Ben"]
[options]
calls = "players"
[zones]
pile = [[100, 100], [200.5, 100], [200, 180], [100, 180]]
[zones.seat]
Ben = [[0, 0], [50, 0], [50, 90]]
"""
TRUTH = [
    {"t": 4.0, "player": "Ben", "kind": "take", "cards": ["R1+G2+B3"], "remedy_of": "P-F2"},
    {"t": 2.0, "player": "Ada", "kind": "play", "cards": ["P-G"], "ruling": "legal", "rules": [], "t_still": 1.9},
]


def write_video(file: Path, *, count: int = 20, code: str = "mp4v") -> Path:
    """A video at 10 pictures a second; picture n is of the grey 10 n."""
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*code), 10.0, (160, 96))
    for index in range(count):
        writer.write(np.full((96, 160, 3), index * 10, np.uint8))
    writer.release()
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A complete recording."""
    write_video(tmp_path / "video.mp4")
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, TRUTH)) + "\n\n", encoding="utf-8")
    return tmp_path


def test_a_recording_is_read_completely(folder: Path) -> None:
    recording = load_recording(folder)
    table = recording.table
    assert (table.game, table.deck, table.players) == ("piranhas", "fish", ("Ada", "Ben"))
    assert table.options == {"calls": "players"}
    assert table.zones.pile is not None
    assert table.zones.pile.tolist() == [[100, 100], [200.5, 100], [200, 180], [100, 180]]
    assert table.zones.draw is None
    assert list(table.zones.seats) == ["Ben"]
    assert [(t.time_s, t.kind, t.cards, t.still_s) for t in recording.truth] == [
        (2.0, "play", ("P-G",), 1.9),
        (4.0, "take", ("R1+G2+B3",), None),
    ]
    assert recording.truth[1].more == {"remedy_of": "P-F2"}
    assert recording.truth[1].ruling is None


def test_every_frame_comes_with_its_time(folder: Path) -> None:
    seen = list(frames(load_recording(folder)))
    assert [frame.index for frame in seen] == list(range(20))
    assert np.allclose([frame.time_s for frame in seen], np.arange(20) / 10, atol=1e-3)
    assert abs(float(seen[15].image.mean()) - 150) < 8


def test_truth_and_zones_may_be_absent(folder: Path) -> None:
    (folder / "truth.jsonl").unlink()
    (folder / "table.toml").write_text('game = "mau"\ndeck = "french"\nplayers = ["Ada"]\n', encoding="utf-8")
    recording = load_recording(folder)
    assert recording.truth == ()
    assert recording.table.zones.pile is None
    assert not recording.table.zones.seats


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('players = ["Ada", "Ben"]', 'players = ["Ada", "Ada"]'), "names the player Ada twice"),
        (('players = ["Ada", "Ben"]', 'players = ["Ada", " "]'), "player 2 has no name"),
        (('players = ["Ada", "Ben"]', "players = []"), "names no players"),
        (('deck = "fish"', ""), "does not say which deck"),
        (('deck = "fish"', 'deck = "fish'), "line 3"),
        (("[options]", "[optoins]"), "unknown key 'optoins'"),
        (("pile =", "pille ="), "unknown key 'pille'"),
        (("Ben = [[0", "Bob = [[0"), "unknown key 'Bob'"),
        (("[[0, 0], [50, 0], [50, 90]]", "[[0, 0], [50, 0]]"), "seat of Ben: 2 points are no area"),
        (("[200.5, 100]", '["a", 100]'), "zone 'pile': point 2"),
        (("[200.5, 100]", "[nan, 100]"), "zone 'pile': point 2"),
    ],
)
def test_a_broken_table_says_where(folder: Path, change: tuple[str, str], says: str) -> None:
    (folder / "table.toml").write_text(TABLE.replace(*change), encoding="utf-8")
    with pytest.raises(RecordingError, match=says) as caught:
        load_recording(folder)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{not json", "line 2 is broken"),
        ("[1, 2]", "line 2 is no JSON object"),
        ('{"kind": "play"}', "line 2 does not say when"),
        ('{"t": -1, "kind": "play"}', "line 2: 't' is -1"),
        ('{"t": true, "kind": "play"}', "line 2: 't' is True"),
        ('{"t": 1}', "line 2: 'kind' is None"),
        ('{"t": 1, "kind": "play", "cards": "P-G"}', "line 2: 'cards' is 'P-G'"),
        ('{"t": 1, "kind": "play", "player": 3}', "line 2: 'player' is 3"),
        ('{"t": 1, "kind": "play", "t_still": "x"}', "line 2: 't_still' is 'x'"),
    ],
)
def test_a_broken_line_of_truth_is_named(folder: Path, line: str, says: str) -> None:
    (folder / "truth.jsonl").write_text(json.dumps(TRUTH[0]) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(RecordingError, match=says):
        load_recording(folder)


def test_what_is_missing_is_named(folder: Path) -> None:
    with pytest.raises(RecordingError, match="There is no folder"):
        load_recording(folder / "nowhere")
    (folder / "video.mp4").unlink()
    with pytest.raises(RecordingError, match=r"has no video\.mp4"):
        load_recording(folder)
    (folder / "table.toml").unlink()
    with pytest.raises(RecordingError, match=r"no table\.toml"):
        load_recording(folder)


def test_a_text_that_is_called_a_video_is_refused(folder: Path) -> None:
    (folder / "video.mp4").write_text("This is no video.", encoding="utf-8")
    with pytest.raises(RecordingError, match="no video that can be read"):
        list(frames(load_recording(folder)))


def test_a_video_that_lost_its_index_is_refused(folder: Path) -> None:
    whole = (folder / "video.mp4").read_bytes()
    (folder / "video.mp4").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RecordingError, match="no video that can be read"):
        list(frames(load_recording(folder)))


def test_a_cut_off_video_gives_its_pictures_and_then_says_when_it_breaks_off(folder: Path) -> None:
    whole = write_video(folder / "whole.avi", count=24, code="MJPG").read_bytes()
    (folder / "video.mp4").write_bytes(whole[: len(whole) // 2])
    seen: list[Frame] = []
    with pytest.raises(RecordingError, match=r"breaks off after \d\.\d s; it should last 2\.4 s"):
        _collect(load_recording(folder), seen)
    assert 3 <= len(seen) < 20
    assert seen[2].time_s == pytest.approx(0.2)


def _collect(recording: Recording, seen: list[Frame]) -> None:
    for frame in frames(recording):
        seen.append(frame)
