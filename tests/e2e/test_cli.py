"""The command line: what there is, what is said, and the small commands from beginning to end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import __version__
from referee.cards import faces
from referee.cli import app as referee_app
from referee.entries import Body, Entry, Retract, Start
from referee.live.storage import Storage
from referee.match import Match
from referee.moves import Move
from referee.store import SqliteStore
from referee.wording import load_wording
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
    "demo", "play", "watch", "evaluate", "cases", "rules", "log", "replay", "deck", "see", "render", "train", "export",
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


def test_a_kept_match_is_told_written_out_and_read_back(wrongcard: Wrongcard, tmp_path: Path) -> None:
    data, file = ("--data", tmp_path / "data"), tmp_path / "evening.jsonl"
    start = Start("piranhas", ("Mia", "Ben"), setup={"pile": ["R2+B4+Y1"]})
    play = Move("Mia", "play", faces(["R3+G1+K2"]))
    bodies: list[Body] = [start, play, Retract(2)]
    entries = [Entry("evening", seq, seq, "phone", body) for seq, body in enumerate(bodies, start=1)]
    file.write_text("".join(f"{json.dumps(entry.to_json())}\n" for entry in entries))
    assert wrongcard("log", "--import", file, *data) == (0, "evening: 3 entries kept\n", "")
    assert wrongcard("log", "tuesday", "--import", file, *data) == (0, "tuesday: 3 entries kept\n", "")
    assert wrongcard("log", *data) == (0, "evening\ntuesday\n", "")
    status, out, _ = wrongcard("log", "evening", *data)
    assert (status, out.splitlines()[1]) == (0, "  0:02.0  2  Mia plays R3+G1+K2. (taken back by 3)")
    status, out, _ = wrongcard("log", "evening", "--language", "de", *data)
    assert (status, "zurückgenommen durch 3" in out) == (0, True)
    status, out, _ = wrongcard("log", "evening", "--export", "-", *data)
    assert (status, [Entry.from_json(json.loads(line)) for line in out.splitlines()]) == (0, entries)
    assert wrongcard("log", "evening", "--export", tmp_path / "copy.jsonl", *data) == (0, "", "")
    assert (tmp_path / "copy.jsonl").read_text() == out


def test_a_kept_match_is_judged_again(wrongcard: Wrongcard, tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.open()
    with SqliteStore(storage.log_file) as store:
        match = Match("evening", store, wording=load_wording())
        for body in (Start("shithead", ("Mia", "Ben"), setup={"pile": ["6S"]}), Move("Mia", "play", faces(["9H"]))):
            match.append(match.entry(body, 1.0, source="camera"))
    storage.match("evening").transcript().write(load_wording().of("shithead").verdict(one) for one in match.verdicts())
    status, out, err = wrongcard("replay", "evening", "--data", tmp_path)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "shithead: the match began under version 1 of its rules, today's is 1",
        "1 compared, 0 changed",
    ]
    status, out, _ = wrongcard("replay", "evening", "--json", "--data", tmp_path)
    assert json.loads(out) == {"compared": 1, "changes": [], "game": "shithead", "began": 1, "today": 1}


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
