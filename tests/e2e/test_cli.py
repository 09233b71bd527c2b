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

CASES = Path(__file__).resolve().parents[1] / "cases"
FITS = """
- id: eats
  game: piranhas
  players: [A, B]
  given: {pile: [R2+B4+Y1]}
  when: [{by: A, play: [R3+G1+K2]}]
  then: {ruling: legal}
"""

COMMANDS = (
    "demo", "play", "watch", "evaluate", "cases", "rules", "replay", "deck", "see", "render", "train", "export",
    "bench",
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
    bad = FITS.replace("eats", "starves").replace("legal", "foul")
    (tmp_path / "good.yaml").write_text(FITS)
    (tmp_path / "bad.yaml").write_text(bad)
    assert wrongcard("cases", tmp_path / "good.yaml") == (0, "1 passed, 0 failed\n", "")
    status, out, _ = wrongcard("cases", tmp_path / "good.yaml", tmp_path / "bad.yaml")
    assert status == 1
    assert out.splitlines() == ["starves (bad.yaml): ruling is legal instead of foul", "1 passed, 1 failed"]


def test_files_that_cannot_be_read_are_all_told_and_the_others_judged(wrongcard: Wrongcard, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(FITS)
    (tmp_path / "typo.yaml").write_text(FITS.replace("ruling", "rulling"))
    (tmp_path / "torn.yaml").write_text("- id: [")
    files = [tmp_path / f"{name}.yaml" for name in ("torn", "good", "typo", "none")]
    status, out, err = wrongcard("cases", *files)
    assert (status, out) == (2, "1 passed, 1 failed\n")
    told = err.splitlines()
    assert [line.split(" ")[1].rsplit("/", 1)[1] for line in told[::2]] == ["torn.yaml", "typo.yaml,", "none.yaml"]
    assert "line 2, case eats: then, the key 'rulling' is unknown." in told[2]
    assert told[3].startswith("  Possible: ruling, rules")


def test_the_cases_of_the_project(wrongcard: Wrongcard) -> None:
    status, out, _ = wrongcard("cases", CASES / "piranhas.yaml")
    assert (status, out) == (0, "52 passed, 0 failed\n")


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
