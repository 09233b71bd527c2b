"""Shithead, the German variant with fatalities, for 2 to 10 players. `game` is where to begin reading."""

from referee.games.shithead.game import Shithead

__all__ = ["GAME", "Shithead"]

GAME = Shithead()
"""The game as the referee finds it."""
