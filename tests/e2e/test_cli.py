"""The command line: what there is, what is said, and the small commands from beginning to end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import __version__
from referee.cli import app as referee_app
from vision.cli import app as eyes_app

Wrongcard = Callable[..., tuple[int, str, str]]

COMMANDS = (
    "demo", "play", "watch", "evaluate", "cases", "replay", "deck", "see", "render", "train", "export", "bench",
)  # fmt: skip


def test_version_and_help_in_a_process_of_its_own(wrongcard_process: Wrongcard) -> None:
    assert wrongcard_process("--version") == (0, f"wrongcard {__version__}\n", "")
    status, out, err = wrongcard_process("--help")
    assert (status, err) == (0, "")
    assert {name for name in COMMANDS if f" {name} " in out} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(wrongcard: Wrongcard, name: str) -> None:
    status, out, err = wrongcard(name, "--help")
    assert (status, err) == (0, "")
    assert f"wrongcard {name}" in out


def test_the_eyes_commands_are_passed_on_whole() -> None:
    """Name and first line stand in both, since the eyes are not loaded for `--help`."""
    own = {one.name: one.help for one in referee_app.registered_commands}
    eyes = {one.name or one.callback.__name__: one.callback.__doc__ for one in eyes_app.registered_commands
            if one.callback is not None}  # fmt: skip
    eyes |= {group.name: group.typer_instance.info.help for group in eyes_app.registered_groups
             if group.name is not None and group.typer_instance is not None}  # fmt: skip
    assert eyes == {name: own[name] for name in eyes}


def test_options_reach_the_eyes(wrongcard: Wrongcard) -> None:
    status, out, _ = wrongcard("see", "--help")
    assert (status, "--deck" in out) == (0, True)
    status, _, err = wrongcard("see", "picture.jpg")
    assert (status, "--deck" in err) == (2, True)


def test_cases_that_pass_and_fail(wrongcard: Wrongcard, tmp_path: Path) -> None:
    good = """
- id: eats
  game: piranhas
  players: [A, B]
  given: {pile: [R2+B4+Y1]}
  when: [{by: A, play: [R3+G1+K2]}]
  then: {ruling: legal}
"""
    bad = good.replace("eats", "starves").replace("legal", "foul")
    (tmp_path / "good.yaml").write_text(good)
    (tmp_path / "bad.yaml").write_text(bad)
    assert wrongcard("cases", tmp_path / "good.yaml") == (0, "1 passed, 0 failed\n", "")
    status, out, _ = wrongcard("cases", tmp_path / "good.yaml", tmp_path / "bad.yaml")
    assert status == 1
    assert out.splitlines() == ["starves (bad.yaml): ruling is legal instead of foul", "1 passed, 1 failed"]


def test_the_handed_cases(wrongcard: Wrongcard, shared: Path) -> None:
    status, out, _ = wrongcard("cases", shared / "cases" / "piranhas.yaml")
    assert (status, out.splitlines()[-1].endswith(" passed, 0 failed")) == (0, True)


def test_decks_are_listed(wrongcard: Wrongcard, models: Path) -> None:
    status, out, _ = wrongcard("deck", "list", "--models", models)
    assert status == 0
    rows = [line.split("│") for line in out.splitlines() if "│" in line]
    found = {row[1].strip(): [cell.strip() for cell in row[3:5]] for row in rows}
    assert found["fish"] == ["53", "53"]
    assert "french" in found


def test_a_deck_whose_model_knows_other_faces(wrongcard: Wrongcard, models: Path) -> None:
    status, _, err = wrongcard("deck", "check", "fish", "--models", models)
    assert (status, "do not have the same faces" in err) == (2, True)


def test_a_deck_that_no_model_reads_is_complete_all_the_same(wrongcard: Wrongcard, models: Path) -> None:
    manifest = json.loads((models / "manifest.json").read_text())
    del manifest["models"]["identify-fish"]
    (models / "manifest.json").write_text(json.dumps(manifest))
    status, out, _ = wrongcard("deck", "check", "fish", "--models", models)
    assert (status, out) == (0, "fish: 53 cards, 53 faces, complete, reading not tried (needs pictures and a model)\n")
