"""The runner of rule cases: what it checks, what it tells, and what it does with files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cases import load_cases, report, run_cases
from referee.errors import CaseError

FITS = """
- id: T-1
  game: piranhas
  players: [A, B]
  given: {pile: [R2+B4+Y1], counts: {A: 5}}
  when:
    - {by: A, play: [R3+G1+K2], say: red}
  then: {ruling: legal, rules: [], counts: {A: 4}, pile: [R2+B4+Y1, R3+G1+K2], over: null}
"""


def run(folder: Path, text: str) -> tuple[tuple[str, ...], bool]:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return report(run_cases([path]))


def test_passing_case_is_only_counted(tmp_path: Path) -> None:
    assert run(tmp_path, FITS) == (("1 passed, 0 failed",), True)


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ("ruling: legal", "ruling: foul", "ruling is legal instead of foul"),
        ("rules: []", "rules: [P-F2]", "rules is [] instead of [P-F2]"),
        ("counts: {A: 4}", "counts: {A: 5}", "counts of A is 4 instead of 5"),
        ("over: null", "over: game", "over is none instead of game"),
        ("over: null", "winner: [A]", "winner is [] instead of [A]"),
        ("over: null", "remedy: {A: {take: 2}}", "take of A is 0 instead of 2"),
        ("over: null", "colour: blue", "'colour' is nothing that can be checked in piranhas"),
        ("by: A, play", "by: Z, play", "'Z' does not play in this match. Players: A, B."),
        ("[R3+G1+K2], say", "[R3+G9+K2], say", "'R3+G9+K2' is not a fish card: 'G9' is no fish."),
    ],
)
def test_every_wrong_expectation_is_told(tmp_path: Path, right: str, wrong: str, problem: str) -> None:
    lines, passed = run(tmp_path, FITS.replace(right, wrong, 1))
    assert not passed
    assert lines[0].startswith("T-1 (cases.yaml): ")
    assert problem in lines[0]
    assert lines[-1] == "0 passed, 1 failed"


def test_complete_remedy_of_a_named_player_is_compared(tmp_path: Path) -> None:
    foul = FITS.replace("R3+G1+K2], say: red", "R1+G1+K2], say: red")
    right = "{ruling: foul, remedy: {A: {take: [R1+G1+K2], to: discard}}}"
    for then, ok in ((right, True), (right.replace("discard", "hand"), False), ("{remedy: null}", False)):
        assert run(tmp_path, f"{foul.rsplit('  then:', 1)[0]}  then: {then}\n")[1] is ok


def test_unknown_game_fails_by_name(tmp_path: Path) -> None:
    lines, passed = run(tmp_path, FITS.replace("game: piranhas", "game: tiddlywinks"))
    assert not passed
    assert lines == ("T-1 (cases.yaml): game not known yet: tiddlywinks", "0 passed, 1 failed")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- id: [", "is not YAML"),
        ("just words", "holds no list of cases"),
        ("- 3", "case 1 is 3, not a case"),
        ("- {id: T-1, game: piranhas}", "case 1 lacks players, when, then"),
        (FITS.replace("given:", "gven:"), "case 1 has unknown keys: gven"),
        (FITS.replace("play: [R3+G1+K2], say: red", "sing: red"), "is not one action"),
        (FITS.replace("given: {pile: [R2+B4+Y1], counts: {A: 5}}", "given: [1]"), "'given' is [1], not a mapping"),
    ],
)
def test_unreadable_file_says_where_and_what_to_do(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=r"broken\.yaml") as caught:
        load_cases(path)
    assert message in str(caught.value)
    assert caught.value.hint


def test_missing_and_binary_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"nowhere\.yaml cannot be read: No such file"):
        load_cases(tmp_path / "nowhere.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(CaseError, match="is not a text file"):
        load_cases(tmp_path / "binary.yaml")
