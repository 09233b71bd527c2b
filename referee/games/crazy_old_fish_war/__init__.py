"""Crazy Old Fish War: a shedding game for 2 to 6 players, with wars and fish. `game` is where to begin reading."""

from referee.games.crazy_old_fish_war.game import CrazyOldFishWar

__all__ = ["GAME", "CrazyOldFishWar"]

GAME = CrazyOldFishWar()
"""The game as the referee finds it."""
