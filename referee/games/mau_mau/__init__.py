"""Mau-Mau for two to five players: a small game, and the example of how one is added. `game` is where to begin."""

from referee.games.mau_mau.game import MauMau

__all__ = ["GAME", "MauMau"]

GAME = MauMau()
"""The game as the referee finds it."""
