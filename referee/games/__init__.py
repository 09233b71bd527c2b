"""The games that the referee knows: every module or package in this folder that defines `GAME`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from referee.errors import UnknownGameError
from referee.games.base import Game

__all__ = ["GAMES", "find_game"]


def _discover() -> dict[str, Game[Any]]:
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    games: list[Game[Any]] = [module.GAME for module in modules if hasattr(module, "GAME")]
    return {game.name: game for game in sorted(games, key=lambda one: one.name)}


GAMES: dict[str, Game[Any]] = _discover()
"""Every game by the word in `Start.game`, in alphabetical order."""


def find_game(name: str) -> Game[Any]:
    """The game called `name`. Raises `UnknownGameError`, which lists the others."""
    if name not in GAMES:
        raise UnknownGameError(f"The referee does not know the game '{name}'.", hint=f"It knows: {', '.join(GAMES)}.")
    return GAMES[name]
