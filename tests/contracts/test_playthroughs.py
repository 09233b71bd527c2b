"""One written-down game of every kind: a change of what anybody can observe shows as a difference to be read."""

from __future__ import annotations

import difflib

import pytest
from playthroughs import FOLDER, playthrough

from referee.games import GAMES


def test_every_game_has_its_playthrough() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_written_down(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    now = playthrough(name).splitlines()
    difference = list(difflib.unified_diff(written, now, "written down", "now", lineterm="", n=1))
    assert difference == [], "\n".join(difference[:40])
