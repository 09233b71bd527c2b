"""What bad input gets: a sentence, what to do about it, exit status 2, and no traceback."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

Wrongcard = Callable[..., tuple[int, str, str]]

TABLE = 'game = "piranhas"\ndeck = "fish"\nplayers = ["Ada", "Ben"]\n'
FISH = Path(__file__).resolve().parents[2] / "datasets" / "decks" / "fish"


def refused(run: tuple[int, str, str], *words: str) -> None:
    """The run ended with one clear sentence and a hint, and nothing else."""
    status, out, err = run
    assert (status, out) == (2, "")
    sentence, *hints = err.splitlines()
    assert sentence.startswith("wrongcard: ")
    assert sentence.endswith(".")
    assert len(hints) == 1, err
    assert hints[0].startswith("  ")
    assert "Traceback" not in err
    for word in words:
        assert word in err


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A recording with two seconds of nothing."""
    folder = tmp_path / "evening"
    folder.mkdir()
    (folder / "table.toml").write_text(TABLE)
    writer = cv2.VideoWriter(str(folder / "video.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    for level in range(20):
        writer.write(np.full((240, 320, 3), 40 + level, np.uint8))
    writer.release()
    return folder


@pytest.fixture
def play(wrongcard: Wrongcard, models: Path, tmp_path: Path) -> Wrongcard:
    """`wrongcard play piranhas` with two players, a camera that is not there, and what else is given."""

    def run(*arguments: object, game: str = "piranhas", players: str = "Ada,Ben", camera: str = "99") -> object:
        usual = ("play", game, "--camera", camera, "--players", players, "--models", models, "--port", 0)
        return wrongcard(*usual, "--no-open", "--data", tmp_path / "data", *arguments)

    return run  # type: ignore[return-value]


def test_no_camera(wrongcard: Wrongcard, models: Path, tmp_path: Path) -> None:
    """The server has begun by then: its addresses stand on stdout, the sentence on stderr."""
    status, out, err = wrongcard(
        "play", "piranhas", "--camera", 99, "--players", "Ada,Ben", "--models", models, "--port", 0, "--no-open",
        "--data", tmp_path / "data",
    )  # fmt: skip
    assert (status, "http://127.0.0.1:" in out) == (2, True)
    assert err.startswith("wrongcard: No camera answers at number 99.\n  ")


def test_no_such_camera_file(play: Wrongcard) -> None:
    status, _, err = play(camera="/no/such/video.mp4")
    assert (status, "There is no camera, file or folder '/no/such/video.mp4'." in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "chess"}, ("does not know the game 'chess'", "piranhas")),
        ({"players": "Ada"}, ("2 to 4 players",)),
        ({"players": "Ada,Ada"}, ("no 2 different players",)),
        ({"players": "Ada,,Ben"}, ("no 3 different players",)),
        ({"players": "A,B,C,D,E"}, ("2 to 4 players", "more_players")),
    ],
)
def test_impossible_parties(play: Wrongcard, arguments: dict[str, str], words: tuple[str, ...]) -> None:
    refused(play(**arguments), *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--option", "colour=red"), ("has no option 'colour'", "calls")),
        (("--option", "calls=everybody"), ("'calls' cannot be 'everybody'", "referee, players, report")),
        (("--option", "series=many"), ("'series' cannot be 'many'", "1 to 99")),
        (("--option", "hints=perhaps"), ("'hints' cannot be 'perhaps'", "true")),
        (("--option", "series"), ("'series' is no option", "key=value")),
        (("--deck", "tarot"), ("There is no deck 'tarot'", "fish")),
        (("--deck", "french"), ("is not a fish card",)),
        (("--zones", "/no/such/table.toml"), ("no table.toml",)),
        (("--port", "70000"), ("There is no port 70000",)),
        (("--host", "999.1.1.1"), ("There is no computer called",)),
        (("--match", "../elsewhere"), ("cannot be the name of a match",)),
    ],
)
def test_impossible_wishes(play: Wrongcard, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    refused(play(*arguments), *words)


def test_a_seat_for_a_stranger(play: Wrongcard, tmp_path: Path) -> None:
    zones = tmp_path / "table.toml"
    zones.write_text(TABLE.replace("Ben", "Cleo") + "[zones.seat]\nCleo = [[0, 0], [9, 0], [9, 9]]\n")
    refused(play("--zones", zones), "a seat for Cleo")


def test_a_port_in_use(play: Wrongcard) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(play("--port", port), f"Port {port} is already in use", f"--port {port + 1}")


def test_a_data_folder_that_cannot_be_written(play: Wrongcard, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(play("--data", tmp_path / "file" / "inside"), "Nothing can be written to", "--data")


def test_an_option_that_is_not_there(wrongcard: Wrongcard) -> None:
    status, _, err = wrongcard("demo", "--loud")
    assert (status, "--loud" in err, "Traceback" in err) == (2, True, False)


def test_json_needs_headless(wrongcard: Wrongcard) -> None:
    status, _, err = wrongcard("demo", "--json")
    assert (status, "--headless" in err) == (2, True)


def test_an_unknown_demo(wrongcard: Wrongcard) -> None:
    refused(wrongcard("demo", "poker", "--headless"), "does not know the game 'poker'")


@pytest.mark.parametrize("command", ["watch", "evaluate"])
def test_an_unknown_recording(wrongcard: Wrongcard, tmp_path: Path, command: str) -> None:
    refused(wrongcard(command, tmp_path / "nothing"), "There is no folder")


def test_a_recording_without_its_video(wrongcard: Wrongcard, recording: Path) -> None:
    (recording / "video.mp4").unlink()
    refused(wrongcard("watch", recording), "has no video.mp4")


def test_a_recording_of_an_unknown_game(wrongcard: Wrongcard, recording: Path, models: Path) -> None:
    (recording / "table.toml").write_text(TABLE.replace("piranhas", "poker"))
    refused(wrongcard("watch", recording, "--models", models), "does not know the game 'poker'")


@pytest.mark.parametrize("command", [("watch", "--json"), ("watch",)])
def test_a_truncated_video(wrongcard: Wrongcard, recording: Path, models: Path, command: tuple[str, ...]) -> None:
    video = recording / "video.mp4"
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    refused(wrongcard(*command, recording, "--models", models), "video.mp4 is no video that can be read")


def test_measuring_without_the_truth(wrongcard: Wrongcard, recording: Path, models: Path) -> None:
    refused(wrongcard("evaluate", recording, "--models", models), "has no truth.jsonl")


def test_a_broken_truth(wrongcard: Wrongcard, recording: Path, models: Path) -> None:
    (recording / "truth.jsonl").write_text('{"t": 1.0, "kind": "play", "cards": "P-R"}\n')
    refused(wrongcard("evaluate", recording, "--models", models), "line 1", "'cards'")


def test_recordings_and_photographs_together(wrongcard: Wrongcard, recording: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.json"
    index.write_text("[]")
    refused(wrongcard("evaluate", recording, index), "cannot be measured together")


def test_a_wrong_checksum(wrongcard: Wrongcard, recording: Path, models: Path) -> None:
    weights = models / "locate.onnx"
    damaged = bytearray(weights.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    weights.write_bytes(damaged)
    refused(wrongcard("watch", recording, "--models", models), "locate.onnx is not the published one", "checksum")


def test_models_can_be_named_in_the_environment(
    wrongcard: Wrongcard, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRONGCARD_MODELS", str(tmp_path / "nowhere"))
    refused(wrongcard("watch", recording), f"no list of models at {tmp_path / 'nowhere'}")


def test_a_deck_that_nobody_can_read(wrongcard: Wrongcard, recording: Path, models: Path) -> None:
    manifest = json.loads((models / "manifest.json").read_text())
    del manifest["models"]["identify-fish"]
    (models / "manifest.json").write_text(json.dumps(manifest))
    refused(wrongcard("watch", recording, "--models", models), "No model can read the deck 'fish'", "french")


def test_a_deck_with_a_missing_face(wrongcard: Wrongcard, tmp_path: Path) -> None:
    deck = shutil.copytree(FISH, tmp_path / "fish")
    (deck / "art" / "P-R.svg").unlink()
    refused(wrongcard("deck", "check", deck), "lists the face P-R", "is missing")


def test_an_unknown_deck(wrongcard: Wrongcard) -> None:
    refused(wrongcard("deck", "check", "tarot"), "There is no deck 'tarot'")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("- id: x\n  game: [", "is not YAML"),
        ("just words", "holds no list of cases"),
        ("- id: x\n", "lacks game"),
    ],
)
def test_broken_cases(wrongcard: Wrongcard, tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "cases.yaml").write_text(text)
    refused(wrongcard("cases", tmp_path / "cases.yaml"), word)


def test_no_cases(wrongcard: Wrongcard, tmp_path: Path) -> None:
    refused(wrongcard("cases", tmp_path / "none.yaml"), "cannot be read")


def test_an_unknown_match(wrongcard: Wrongcard, play: Wrongcard, tmp_path: Path) -> None:
    refused(wrongcard("replay", "yesterday", "--data", tmp_path), "No match has been kept")
    play("--match", "evening")
    refused(wrongcard("replay", "yesterday", "--data", tmp_path / "data"), "no match 'yesterday'", "evening")


@pytest.mark.parametrize("name", ["log", "replay"])
def test_no_kept_matches(wrongcard: Wrongcard, tmp_path: Path, name: str) -> None:
    refused(wrongcard(name, "yesterday", "--data", tmp_path), "No match has been kept", "--data")


def test_a_match_that_cannot_be_read_back(wrongcard: Wrongcard, tmp_path: Path) -> None:
    refused(wrongcard("log", "--import", tmp_path / "none.jsonl", "--data", tmp_path), "cannot be read")
    (tmp_path / "torn.jsonl").write_text('{"schema": 2, "mat')
    refused(wrongcard("log", "--import", tmp_path / "torn.jsonl", "--data", tmp_path), "torn.jsonl, line 1 is not JSON")
    status, _, err = wrongcard("log", "--export", tmp_path / "out.jsonl")
    assert (status, "name of a kept match" in err) == (2, True)


def test_a_damaged_log(wrongcard: Wrongcard, tmp_path: Path) -> None:
    (tmp_path / "matches.sqlite3").write_text("not a database, but long enough to look like a file of something" * 20)
    refused(wrongcard("replay", "evening", "--data", tmp_path), "cannot be reached")


def test_a_pass_to_the_eyes_is_refused_like_everything_else(wrongcard: Wrongcard, tmp_path: Path) -> None:
    refused(wrongcard("see", tmp_path / "none.jpg", "--deck", "tarot"), "There is no deck 'tarot'")


def test_no_traceback_in_a_process_of_its_own(wrongcard_process: Wrongcard, tmp_path: Path) -> None:
    refused(wrongcard_process("watch", tmp_path / "nothing"), "There is no folder")
