"""The number of move sequences from small decks: written down, and counted twice, by the game and by its model."""

from __future__ import annotations

import pytest
from trees import FOLDER, Tree, count_game, count_model, read

from referee.games import GAMES

TREES = [
    pytest.param(path.stem, tree, id=f"{path.stem}-{number}")
    for path in sorted(FOLDER.glob("*.txt"))
    for number, tree in enumerate(read(path.stem))
]


def test_every_game_has_its_trees() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize(("name", "tree"), TREES)
def test_the_game_counts_what_is_written_down(name: str, tree: Tree) -> None:
    assert count_game(name, tree, len(tree.counts)) == tree.counts


@pytest.mark.parametrize(("name", "tree"), TREES)
def test_the_model_counts_what_is_written_down(name: str, tree: Tree) -> None:
    assert count_model(name, tree, 2) == tree.counts[:2]
