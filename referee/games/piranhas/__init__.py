"""Piranhas: a race for 2 to 4 players on one shared pile. `game` is where to begin reading."""

from referee.games.piranhas.game import Piranhas

__all__ = ["GAME", "Piranhas"]

GAME = Piranhas()
"""The game as the referee finds it."""
