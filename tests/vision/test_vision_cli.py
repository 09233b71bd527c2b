"""The eyes' command line, run as it is: tiny models, real files, real exit codes."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cli import app, evaluate_photos_command, main, run
from vision.errors import TeachingError

TINY = Path(__file__).parents[1] / "data" / "tiny_models"
MODELS = ("--models", str(TINY))
CARD = (200, 100, 326, 276)
RED, BLACK = (20, 20, 200), (20, 20, 20)
needs_no_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is not None, reason="the extra 'train' is installed here"
)

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line in this process: (exit code, stdout, stderr)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            run(lambda: app([str(argument) for argument in arguments]))
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


def draw(path: Path, mark: tuple[int, int, int] | None = RED, *, mark_top: int = 110, paper: Any = 240) -> Path:
    """A table with one card on it, coloured near one end; without a mark the card is blank."""
    picture = np.full((480, 640, 3), 40, np.uint8)
    x0, y0, x1, y1 = CARD
    picture[y0:y1, x0:x1] = paper
    if mark is not None:
        picture[mark_top : mark_top + 60, 210:300] = mark
    cv2.imwrite(str(path), picture)
    return path


def subprocess_run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    line = [sys.executable, "-m", "vision.cli", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=200)


# --- see -------------------------------------------------------------------------------------------------------------


def test_see_prints_one_json_object_a_line_and_nothing_else(tmp_path: Path) -> None:
    pictures = [draw(tmp_path / "red.png"), draw(tmp_path / "black.png", BLACK, mark_top=200)]
    ended = subprocess_run("see", *pictures, "--deck", "french", "--json", *MODELS)
    assert (ended.returncode, ended.stderr) == (0, "")
    red, black = (json.loads(line) for line in ended.stdout.splitlines())
    assert set(red) == {"image", "size_wh", "cards", "ms"}
    assert (red["image"], red["size_wh"]) == (str(pictures[0]), [640, 480])
    assert red["ms"] > 0
    (card,) = red["cards"]
    assert set(card) == {"quad", "side", "face", "candidates", "score"}
    assert (card["side"], card["face"], card["score"]) == ("front", "AH", 0.94)
    assert card["candidates"][0] == ["AH", 1.0]
    x0, y0, x1, y1 = CARD
    assert np.array(card["quad"]) == pytest.approx(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), abs=2)
    (turned,) = black["cards"]
    assert turned["face"] == "AS"
    # this card's head points down, so its first corner is the lower right one of the picture
    assert np.array(turned["quad"]) == pytest.approx(np.array([[x1, y1], [x0, y1], [x0, y0], [x1, y0]]), abs=2)


def test_see_finds_nothing_where_nothing_lies(command: Command, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((480, 640, 3), 40, np.uint8))
    code, out, _ = command("see", tmp_path / "table.png", "--deck", "french", "--json", *MODELS)
    assert (code, json.loads(out)["cards"]) == (0, [])


def test_an_unsure_card_has_no_face_but_candidates(command: Command, tmp_path: Path) -> None:
    picture = draw(tmp_path / "pale.png", None, paper=(235, 240, 248))
    _, out, _ = command("see", picture, "--deck", "french", "--json", *MODELS)
    (card,) = json.loads(out)["cards"]
    assert card["face"] is None
    assert {face for face, _ in card["candidates"]} == {"AH", "AS"}


def test_see_shows_a_table_to_people(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("see", draw(tmp_path / "red.png"), "--deck", "french", *MODELS)
    assert code == 0
    assert "AH 1.00" in out
    middle = re.search(r"(\d+), (\d+) +│", out)
    assert middle is not None
    assert [int(part) for part in middle.groups()] == pytest.approx([263, 188], abs=2)  # sides lie on the card's edges


def test_pictures_before_a_broken_one_are_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    good = draw(tmp_path / "red.png")
    code, out, err = command("see", good, tmp_path / "text.jpg", "--deck", "french", "--json", *MODELS)
    assert code == 2
    assert json.loads(out)["cards"][0]["face"] == "AH"
    assert err.startswith(f"wrongcard: {tmp_path / 'text.jpg'} cannot be read as a picture.\n  ")


@pytest.mark.parametrize(
    ("arguments", "sentence", "hint"),
    [
        (("gone.png", "--deck", "french"), "There is no picture gone.png.", "Check the name"),
        (("gone.png", "--deck", "tarot"), "There is no deck 'tarot'.", "Known decks: fish, french"),
        (("gone.png", "--deck", "fish"), "No model can read the deck 'fish' yet.", "Decks that can be read: french"),
    ],
)
def test_what_is_missing_is_a_sentence_and_a_hint(
    command: Command, arguments: tuple[str, ...], sentence: str, hint: str
) -> None:
    code, out, err = command("see", *arguments, "--json", *MODELS)
    assert (code, out) == (2, "")
    first, second = err.splitlines()
    assert first == f"wrongcard: {sentence}"
    assert second.strip().startswith(hint)


def test_changed_weights_are_refused(command: Command, tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "models")
    with (tmp_path / "models" / "locate.onnx").open("ab") as file:
        file.write(b"\0")
    code, _, err = command("see", draw(tmp_path / "a.png"), "--deck", "french", "--models", tmp_path / "models")
    assert code == 2
    assert "is not the published one" in err


# --- errors ----------------------------------------------------------------------------------------------------------


def test_other_exceptions_stay_visible() -> None:
    def fails() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(fails)


def test_further_kinds_of_error_can_be_expected(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise LookupError("Nobody sits there.")

    with pytest.raises(SystemExit) as ended:
        run(fails, expected=(LookupError,))
    assert ended.value.code == 2
    assert capsys.readouterr().err == "wrongcard: Nobody sits there.\n"


def test_main_is_the_same_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["wrongcard", "see", "gone.png", "--deck", "tarot"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "no deck 'tarot'" in capsys.readouterr().err


# --- teaching --------------------------------------------------------------------------------------------------------


@needs_no_torch
@pytest.mark.parametrize(
    "line",
    [
        ("train", "locate", "scenes"),
        ("train", "identify", "fish", "crops"),
        ("export", "locate", "last.pt"),
        ("export", "identify", "fish", "last.pt"),
        ("export", "usual"),
    ],
)
def test_teaching_without_the_extra_names_it(command: Command, line: tuple[str, ...]) -> None:
    code, _, err = command(*line)
    assert code == 2
    assert err.startswith("wrongcard: Teaching needs '")
    assert err.endswith("  In the project's folder: pip install '.[train]'\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (("render",), "Name a folder with --out"),
        (("render", "--out", "x", "--only", "hands"), "--only chooses among"),
        (("render", "--out", "x", "--workers", "0"), "--workers"),
        (("train", "locate"), "scenes"),
        (("see", "a.png"), "--deck"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(command: Command, line: tuple[str, ...], sentence: str) -> None:
    code, _, err = command(*line)
    assert code == 2
    assert sentence in err


def test_preparing_an_unknown_part_names_the_known_ones(command: Command, tmp_path: Path) -> None:
    code, _, err = command("render", "--assets", tmp_path, "--prepare", "--only", "unicorns")
    assert code == 2
    assert "is called unicorns" in err
    assert "decks" in err.splitlines()[1]


def make_assets(folder: Path) -> Path:
    """The smallest folder of card art from which scenes can be rendered."""
    deck = folder / "decks" / "plain"
    deck.mkdir(parents=True)
    (deck / "deck.json").write_text("{}")
    for name in ("AS", "KH", "back"):
        cv2.imwrite(str(deck / f"{name}.png"), np.full((500, 357, 4), 250, np.uint8))
    return folder


def test_render_writes_pictures_with_labels(tmp_path: Path) -> None:
    assets = make_assets(tmp_path / "assets")
    numbers = ("--train", 2, "--val", 1, "--workers", 1)
    ended = subprocess_run("render", "--assets", assets, "--out", tmp_path / "scenes", *numbers)
    assert ended.returncode == 0, ended.stderr
    for split, count in (("train", 2), ("val", 1)):
        pictures = sorted((tmp_path / "scenes" / "images" / split).glob("*.jpg"))
        labels = sorted((tmp_path / "scenes" / "labels" / split).glob("*.txt"))
        assert [path.stem for path in pictures] == [path.stem for path in labels]
        assert len(pictures) == count


def test_rendering_without_card_art_says_how_to_fetch_it(tmp_path: Path) -> None:
    numbers = ("--train", 1, "--val", 1, "--workers", 1)
    ended = subprocess_run("render", "--assets", tmp_path, "--out", tmp_path / "scenes", *numbers)
    assert ended.returncode == 2
    assert "wrongcard: There is no card art" in ended.stderr
    assert "wrongcard render --assets FOLDER --prepare" in ended.stderr


def test_the_command_line_does_without_torch() -> None:
    code = "import sys, vision.cli; sys.exit('torch' in sys.modules or 'ultralytics' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


# --- measuring -------------------------------------------------------------------------------------------------------


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    """An index of two photographs: one card each, the second labelled as another one."""
    entries = []
    for number, face in ((1, "AH"), (2, "7C")):
        name = draw(tmp_path / f"table-00{number}.png").name
        label = {"label": face, "box": CARD, "quad": None, "kind": "card", "labelled_by": "auto"}
        size = {"width": 640, "height": 480}
        entries.append({"file": name, **size, "game": "standard", "complete": True, "hands": False, "cards": [label]})
    index = tmp_path / "index.json"
    index.write_text(json.dumps(entries))
    return index


def test_photographs_as_json_name_the_weights(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate_photos_command(photographs, models=TINY, form="json")
    report = json.loads(capsys.readouterr().out)
    assert report["groups"][-1]["recall_75"] == {"hits": 2, "n": 2, "share": 1.0}
    assert report["groups"][-1]["naming"]["right"] == {"hits": 1, "n": 2, "share": 0.5}
    manifest = json.loads((TINY / "manifest.json").read_text())["models"]
    assert report["weights"] == {name: about["sha256"] for name, about in manifest.items()}


def test_photographs_as_markdown_are_the_table_alone(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate_photos_command(photographs, models=TINY, form="markdown")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[-1] == (
        "| all | 2, 2 | 100.0 % (2) | 100.0 % (2) | 100.0 % (2) | – | 50.0 % (2) "
        "| 100.0 %, 50.0 % wrong (2) | 100.0 %, 50.0 % wrong (2) |"
    )


def test_photographs_for_people_with_a_sheet(
    photographs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    evaluate_photos_command(photographs, models=TINY, sheet=tmp_path / "sheet.jpg")
    assert "table" in capsys.readouterr().out
    assert cv2.imread(str(tmp_path / "sheet.jpg")) is not None


def test_a_missing_index_is_an_error_of_the_eyes(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no list of photographs"):
        evaluate_photos_command(tmp_path / "index.json", models=TINY)
