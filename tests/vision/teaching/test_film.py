"""The film renderer on a small table with a drawn stand-in for hands, and the recording that is shipped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.data import datasets_dir
from vision.errors import TeachingError
from vision.geometry import Floats
from vision.recording import Recording, Truth, load_recording
from vision.teaching.film import film_frames, film_truth, render_film, scaled, write_video
from vision.teaching.film_motion import Pose, choreograph
from vision.teaching.film_script import Film, load_script
from vision.teaching.layers import Bytes

DEMO = datasets_dir() / "recordings" / "piranhas-demo"
CARD_MM = (63.0, 88.0)

SCRIPT = """
seed = 5
fps = 15
length_s = 1.8
shutter_s = 0.02
game = "piranhas"
deck = "fish"
target = "R2+B1+W3"
pile_mm = [0, 0]
events = [
    { t = 0.7, kind = "play", player = "Ada", card = "R3+G1+B2", ruling = "legal" },
]
[camera]
size_wh = [320, 180]
focal_px = 290.0
target_mm = [0, 0]
distance_mm = 700.0
tilt_deg = 20.0
azimuth_deg = 0.0
[table]
surface = "plain/60-110-70"
tile_mm = 300.0
angle_deg = 0.0
tint = [1.0, 1.0, 1.0]
contrast = 1.0
half_size_mm = [9000.0, 9000.0]
angle_table_deg = 0.0
background = "plain/60-60-60"
[lighting]
direction_deg = 60.0
shadow = 0.4
reach = 0.5
softness_px = 2.0
gradient = [0.0, 0.0]
vignette = 0.0
colour = [1.0, 1.0, 1.0]
[lens]
noise = 1.0
[[seats]]
player = "Ada"
deck_mm = [-230, 0]
discard_mm = [-230, -100]
turn_deg = 80.0
shoulder_mm = [-800, 150]
away_mm = [-620, 100]
hand = "hands/mitten.png"
hand_mm = 170.0
cards = 17
[[seats]]
player = "Ben"
deck_mm = [230, 0]
discard_mm = [230, 100]
turn_deg = -80.0
shoulder_mm = [800, -150]
away_mm = [620, -100]
hand = "hands/mitten.png"
hand_mm = 170.0
cards = 17
"""
PLAY = SCRIPT[SCRIPT.index("    { t = 0.7") : SCRIPT.index("]\n[camera]")]


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one hand: a mitten with a straight arm, fingertips towards the top."""
    folder = tmp_path_factory.mktemp("assets")
    (folder / "hands").mkdir()
    mitten = np.zeros((512, 160, 4), np.uint8)
    cv2.rectangle(mitten, (50, 150), (110, 511), (90.0, 60.0, 40.0, 255.0), -1)
    cv2.ellipse(mitten, (80, 110), (70, 106), 0, 0, 360, (130.0, 160.0, 210.0, 255.0), -1)
    cv2.imwrite(str(folder / "hands" / "mitten.png"), mitten)
    facts = {"mitten.png": {"grip_px": [80.0, 20.0], "wrist_px": [80.0, 210.0], "hand_length_px": 210.0}}
    (folder / "hands" / "hands.json").write_text(json.dumps(facts))
    return folder


def film_of(tmp_path: Path, text: str = SCRIPT) -> Film:
    file = tmp_path / "script.toml"
    file.write_text(text, encoding="utf-8")
    return load_script(file)


def with_events(*events: str) -> str:
    return SCRIPT.replace(PLAY, "".join(f"    {{ {event} }},\n" for event in events))


def truth_of(film: Film, assets: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in film_truth(film, assets).splitlines()]


def patch(frame: Bytes, film: Film, pose: Pose) -> Bytes:
    """The part of a frame in which a card of this pose lies, the rest black."""
    quad: Floats = film.camera.project(pose.corners_mm(CARD_MM))
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (255.0,))
    return np.asarray(cv2.bitwise_and(frame, frame, mask=cv2.erode(mask, np.ones((5, 5), np.uint8))), np.uint8)


def test_the_same_script_gives_the_same_frames_and_another_seed_others(tmp_path: Path, assets: Path) -> None:
    film = replace(scaled(film_of(tmp_path), 0.5), length_s=1.0)
    first, second = list(film_frames(film, assets)), list(film_frames(film, assets))
    other = list(film_frames(replace(film, seed=6), assets))
    assert len(first) == 15
    assert all(frame.shape == (90, 160, 3) for frame in first)
    assert all(np.array_equal(one, two) for one, two in zip(first, second, strict=True))
    assert not np.array_equal(first[-1], other[-1])


def test_truth_says_when_the_card_looks_as_it_does_without_a_hand(tmp_path: Path, assets: Path) -> None:
    film = film_of(tmp_path)
    (line,) = truth_of(film, assets)
    frames = list(film_frames(film, assets))
    lying = choreograph(film, CARD_MM).landings[0].top
    final = patch(frames[-1], film, lying.pose).astype(int)

    def unlike(time_s: float) -> float:
        """Share of the card that looks otherwise than at the end."""
        now = patch(frames[round(time_s * film.fps)], film, lying.pose).astype(int)
        return float((np.abs(now - final).max(axis=2) > 25).sum() / (final.max(axis=2) > 0).sum())

    assert (line["player"], line["kind"], line["cards"]) == ("Ada", "play", ["R3+G1+B2"])
    assert 0.7 < line["t_still"] <= 0.8
    assert unlike(line["t"]) < 0.05
    assert unlike(line["t"] - 1 / film.fps) > 0.05
    assert unlike(line["t_still"]) > 0.05
    assert line["t_still"] < line["t"] < line["t_still"] + 0.6


def test_frames_before_and_after_a_play_differ_only_by_the_card_and_the_deck(tmp_path: Path, assets: Path) -> None:
    film = replace(film_of(tmp_path), length_s=2.4)
    film = replace(film, events=(replace(film.events[0], t=1.4),))
    frames = list(film_frames(film, assets))
    changed = np.abs(frames[0].astype(int) - frames[-1]).max(axis=2) > 60
    seat_px = film.camera.project(np.array([[-150.0, 0.0, 0.0], [90.0, 0.0, 0.0]]))
    columns = np.flatnonzero(changed.any(axis=0))
    assert len(columns) > 5
    in_the_middle = changed[:, round(seat_px[0, 0]) : round(seat_px[1, 0])]
    assert in_the_middle.sum() > 0.9 * changed.sum()


def test_cards_taken_back_keep_their_order_and_leave_the_rest(tmp_path: Path, assets: Path) -> None:
    events = (
        't = 1.3, kind = "play", player = "Ada", card = "R3+G1+B2"',
        't = 2.5, kind = "play", player = "Ben", card = "P-R", ruling = "foul", rules = ["P-F5"]',
        't = 4.6, kind = "take_back", player = "Ben", cards = 2, rules = ["P-F5"]',
        't = 5.2, kind = "start"',
    )
    film = replace(film_of(tmp_path, with_events(*events).replace("length_s = 1.8", "length_s = 5.6")), fps=10)
    lines = truth_of(film, assets)
    assert [line["kind"] for line in lines] == ["play", "play", "take", "start"]
    assert lines[1] | {"t": 0, "t_still": 0} == {
        "t": 0, "player": "Ben", "kind": "play", "cards": ["P-R"], "ruling": "foul", "rules": ["P-F5"], "t_still": 0,
    }  # fmt: skip
    assert lines[2]["cards"] == ["R3+G1+B2", "P-R"]
    assert lines[2]["remedy_of"] == "P-F5"
    resting = {rest.face: rest.place for rest in choreograph(film, CARD_MM).resting(5.5)}
    assert resting == {"R2+B1+W3": "pile", "R3+G1+B2": "Ben", "P-R": "Ben"}


def test_a_hand_that_hovers_plays_nothing(tmp_path: Path, assets: Path) -> None:
    events = (
        't = 1.3, kind = "hover", player = "Ada", card = "R3+G1+B2"',
        't = 3.2, kind = "discard", player = "Ada", card = "R3+G1+B2", source = "hand"',
    )
    film = replace(film_of(tmp_path, with_events(*events).replace("length_s = 1.8", "length_s = 4.0")), fps=10)
    (line,) = truth_of(film, assets)
    assert (line["kind"], line["cards"]) == ("discard", ["R3+G1+B2"])
    tips = choreograph(film, CARD_MM).fingertips("Ada", 1.3)
    assert tips is not None
    assert 20 < np.hypot(*(tips[:2] - film.pile_mm)) < 120


def test_turning_shows_the_target(tmp_path: Path, assets: Path) -> None:
    film = film_of(tmp_path, with_events('t = 1.0, kind = "turn", player = "Ben"'))
    (line,) = truth_of(film, assets)
    assert (line["kind"], line["player"], line["cards"]) == ("turn", "Ben", ["R2+B1+W3"])


BROKEN = {
    "unknown key": (SCRIPT.replace("fps =", "fsp ="), "unknown key 'fsp'"),
    "missing key": (SCRIPT.replace("fps = 15\n", ""), "lacks the key 'fps'"),
    "text for a number": (SCRIPT.replace("seed = 5", 'seed = "five"'), "seed is 'five'"),
    "short point": (SCRIPT.replace("pile_mm = [0, 0]", "pile_mm = [0]"), "pile_mm has 1 parts"),
    "no list": (SCRIPT.replace("pile_mm = [0, 0]", "pile_mm = 0"), "pile_mm is 0"),
    "no TOML": ("seed = = 5", "is not valid TOML"),
    "slow shutter": (SCRIPT.replace("shutter_s = 0.02", "shutter_s = 0.2"), "longer than a frame"),
    "no time": (SCRIPT.replace("length_s = 1.8", "length_s = 0.0"), "length_s = 0.0"),
    "odd picture": (SCRIPT.replace("[320, 180]", "[321, 180]"), "picture size"),
    "same player twice": (SCRIPT.replace('player = "Ben"', 'player = "Ada"'), "players"),
    "unknown kind": (SCRIPT.replace('kind = "play"', 'kind = "throw"'), "throw at 0.7 s"),
    "unknown player": (SCRIPT.replace('player = "Ada", card', 'player = "Eve", card'), "no player 'Eve'"),
    "unknown source": (SCRIPT.replace('ruling = "legal"', 'source = "sleeve"'), "from 'sleeve'"),
    "unknown card": (SCRIPT.replace("R3+G1+B2", "R3+G1+B3"), "has no card R3+G1+B3"),
    "card twice": (SCRIPT.replace("R3+G1+B2", "R2+B1+W3"), "R2+B1+W3 was here before"),
    "late": (SCRIPT.replace("t = 0.7", "t = 2.7"), "in a film of 1.8 s"),
    "out of order": (SCRIPT.replace(PLAY, PLAY + PLAY.replace("0.7", "0.2").replace("R3", "R4")), "comes after 0.7 s"),
    "takes all": (with_events('t = 1.0, kind = "take_back", player = "Ada", cards = 1'), "1 of 1 cards"),
    "empty deck": (SCRIPT.replace("cards = 17", "cards = 0"), "Ada has no card left"),
    "holds another": (
        with_events(
            't = 0.7, kind = "hover", player = "Ada", card = "R3+G1+B2"',
            't = 1.7, kind = "play", player = "Ada", card = "P-R", source = "hand"',
        ),
        "holds R3+G1+B2, not P-R",
    ),
    "still holds": (
        with_events(
            't = 0.7, kind = "hover", player = "Ada", card = "R3+G1+B2"',
            't = 1.7, kind = "play", player = "Ada", card = "P-R"',
        ),
        "still holds R3+G1+B2",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_script_of_what_cannot_happen_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    text, reason = BROKEN[name]
    with pytest.raises(TeachingError) as caught:
        film_of(tmp_path, text)
    assert reason in str(caught.value)
    assert caught.value.hint


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match=r"nowhere\.toml cannot be read"):
        load_script(tmp_path / "nowhere.toml")


def test_nobody_has_a_third_hand(tmp_path: Path) -> None:
    two = with_events(
        't = 0.9, kind = "play", player = "Ada", card = "R3+G1+B2"',
        't = 1.4, kind = "play", player = "Ada", card = "P-R"',
    )
    with pytest.raises(TeachingError, match=r"Ada cannot play at 1\.4 s: the hand is still busy"):
        choreograph(film_of(tmp_path, two), CARD_MM)


def test_a_card_that_nobody_can_ever_see_is_refused(tmp_path: Path, assets: Path) -> None:
    two = with_events(
        't = 0.9, kind = "play", player = "Ada", card = "R3+G1+B2"',
        't = 0.95, kind = "play", player = "Ben", card = "P-R"',
    )
    with pytest.raises(TeachingError, match=r"R3\+G1\+B2 of Ada at 0\.9 s is never seen|The film ends before R3"):
        truth_of(film_of(tmp_path, two), assets)


def test_a_film_that_ends_too_early_is_refused(tmp_path: Path, assets: Path) -> None:
    with pytest.raises(TeachingError, match=r"ends before R3\+G1\+B2 of Ada can be seen"):
        truth_of(replace(film_of(tmp_path), length_s=0.9), assets)


def test_an_unknown_hand_is_named(tmp_path: Path, assets: Path) -> None:
    with pytest.raises(TeachingError, match=r"does not know the hand hands/glove\.png"):
        truth_of(film_of(tmp_path, SCRIPT.replace("mitten", "glove")), assets)


def test_without_ffmpeg_the_command_to_install_it_is_named(
    tmp_path: Path, assets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film_of(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TeachingError, match="ffmpeg is missing") as caught:
        render_film(tmp_path / "script.toml", assets, tmp_path / "out")
    assert caught.value.hint == "Install it: apt-get install ffmpeg"


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs the program ffmpeg")
def test_a_rendered_recording_can_be_read_again(tmp_path: Path, assets: Path) -> None:
    film_of(tmp_path)
    render_film(tmp_path / "script.toml", assets, tmp_path / "out")
    recording = load_recording(tmp_path / "out")
    assert [(line.kind, line.cards) for line in recording.truth] == [("play", ("R3+G1+B2",))]
    assert recording.table.players == ("Ada", "Ben")
    assert recording.table.zones.pile is not None
    assert cv2.pointPolygonTest(recording.table.zones.pile.astype(np.float32), (160.0, 90.0), False) > 0
    assert video_facts(recording) == (27, 15.0, 320, 180)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs the program ffmpeg")
def test_what_ffmpeg_says_is_handed_on(tmp_path: Path) -> None:
    film = film_of(tmp_path)
    frames = [np.zeros((180, 320, 3), np.uint8)] * 3
    with pytest.raises(TeachingError, match="No such file or directory"):
        write_video(frames, tmp_path / "missing" / "video.mp4", film)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs the program ffmpeg")
def test_a_film_that_breaks_off_leaves_the_old_video_alone(tmp_path: Path, assets: Path) -> None:
    film = replace(film_of(tmp_path), length_s=0.9)
    (tmp_path / "video.mp4").write_bytes(b"old")
    with pytest.raises(TeachingError, match="Leave more time"):
        write_video(broken_off(), tmp_path / "video.mp4", film)
    assert (tmp_path / "video.mp4").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["script.toml", "video.mp4"]


def broken_off() -> Iterator[Bytes]:
    yield np.zeros((180, 320, 3), np.uint8)
    raise TeachingError("A card is never seen. Leave more time.")


def test_a_cup_stands_where_the_script_puts_it(tmp_path: Path, assets: Path) -> None:
    cup = """
[[cups]]
place_mm = [60, 120]
radius_mm = 40.0
height_mm = 80.0
colour = [0.8, 0.3, 0.1]
drink = [0.1, 0.2, 0.4]
"""
    plain, film = film_of(tmp_path), film_of(tmp_path, SCRIPT + cup)
    without, frame = (next(film_frames(one, assets)).astype(int) for one in (plain, film))
    x, y = film.camera.project(np.array([[60.0, 120.0, 64.0]]))[0]
    assert np.abs(frame[round(y), round(x)] - (26, 51, 102)).max() < 15
    changed = np.argwhere(np.abs(frame - without).max(axis=2) > 40)
    ends = film.camera.project(np.array([[0.0, 60.0, 80.0], [125.0, 175.0, 0.0]]))
    assert (changed.min(axis=0) >= ends[0][::-1] - 4).all()
    assert (changed.max(axis=0) <= ends[1][::-1] + 4).all()


def video_facts(recording: Recording) -> tuple[int, float, int, int]:
    """Frames that can be read, frames a second, width and height."""
    video = cv2.VideoCapture(str(recording.video))
    count, shape = 0, (0, 0)
    while True:
        there, frame = video.read()
        if not there:
            break
        count, shape = count + 1, (frame.shape[1], frame.shape[0])
    rate = float(video.get(cv2.CAP_PROP_FPS))
    video.release()
    return count, rate, *shape


@pytest.fixture(scope="module")
def demo() -> Recording:
    return load_recording(DEMO)


def fish(card: str) -> dict[str, int]:
    return {part[0]: int(part[1]) for part in card.split("+")}


def fault(card: str, target: str) -> str | None:
    """The rule of Piranhas (sections P-F2, P-F5, P-F7, P-F8) that a card breaks on a target, None where it fits."""
    if card.startswith("P-"):
        fits = target.startswith("P-") or card[2] not in fish(target)
        return None if fits else "P-F5"
    if target.startswith("P-"):
        return "P-F8" if target[2] in fish(card) else None
    eaten = [colour for colour, size in fish(card).items() if size > fish(target).get(colour, 9)]
    return None if eaten else "P-F2"


def test_rulings_of_the_demo_agree_with_the_rules(demo: Recording) -> None:
    pile: list[str] = []
    found = []
    for line in demo.truth:
        if line.kind == "turn":
            pile = list(line.cards)
        elif line.kind == "play":
            rule = fault(line.cards[0], pile[-1])
            assert (line.ruling, line.rules) == (("legal", ()) if rule is None else ("foul", (rule,))), line
            pile += line.cards
            if rule is not None:
                found.append((rule, len(pile)))
        elif line.kind == "take":
            taken = 1 + min(2, len(pile) - 2)
            assert line.cards == tuple(pile[-taken:])
            assert line.more["remedy_of"] == found[-1][0]
            del pile[-taken:]
    assert {rule for rule, _ in found} == {"P-F2", "P-F5", "P-F8"}
    assert {2, 3} < {height for _, height in found}


def test_the_demo_has_what_a_demo_needs(demo: Recording) -> None:
    plays = [line for line in demo.truth if line.kind == "play"]
    assert len(plays) >= 18
    assert sum(line.ruling == "foul" for line in plays) >= 4
    faces = [face for line in demo.truth if line.kind in ("turn", "play", "discard") for face in line.cards]
    assert len(set(faces)) == len(faces)
    assert {line.player for line in plays} == set(demo.table.players)
    assert set(demo.table.zones.seats) == set(demo.table.players)
    gaps = np.diff([still(line) for line in plays])
    assert 0.85 < gaps.min() < 1.05


def still(line: Truth) -> float:
    assert line.still_s is not None
    return line.still_s


def test_after_a_wrong_card_of_the_demo_its_owner_takes_it_back_before_play_goes_on(demo: Recording) -> None:
    seen = [line for line in demo.truth if line.kind in ("play", "take", "start", "discard")]
    for number, line in enumerate(seen):
        if line.ruling == "foul":
            take, start, following = seen[number + 1 : number + 4]
            assert (take.kind, take.player, start.kind) == ("take", line.player, "start")
            assert still(take) - still(line) < 2.5
            assert still(following) > start.time_s + 0.5


def test_the_demo_video_has_the_frames_its_script_says(demo: Recording) -> None:
    film = load_script(DEMO / "script.toml")
    assert video_facts(demo) == (film.frames, 15.0, 1280, 720)
    assert 30 <= film.frames / film.fps <= 60
    assert demo.video.stat().st_size < 6_000_000


def test_truth_of_the_demo_follows_its_script(demo: Recording) -> None:
    film = load_script(DEMO / "script.toml")
    wanted = [(event.card, event.player) for event in film.events if event.kind == "play"]
    plays = [line for line in demo.truth if line.kind == "play"]
    assert [(line.cards[0], line.player) for line in plays] == wanted
    times = [event.t for event in film.events if event.kind == "play"]
    assert all(0 <= still(line) - time < 0.1 for line, time in zip(plays, times, strict=True))
    assert all(0 <= line.time_s - still(line) < 0.6 for line in plays)
