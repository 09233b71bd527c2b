"""The games that the referee knows. One more game is one more line here."""

from __future__ import annotations

from typing import Any

from referee.errors import UnknownGameError
from referee.games.base import Game
from referee.games.piranhas import Piranhas

__all__ = ["GAMES", "find_game"]

GAMES: dict[str, Game[Any]] = {game.name: game for game in (Piranhas(),)}
"""Every game by the word in `Start.game`."""


def find_game(name: str) -> Game[Any]:
    """The game called `name`. Raises `UnknownGameError`, which lists the others."""
    if name not in GAMES:
        raise UnknownGameError(f"The referee does not know the game '{name}'.", hint=f"It knows: {', '.join(GAMES)}.")
    return GAMES[name]
