"""What tests of a match say and ask: a card played, every ruling, the view that phones get."""

from __future__ import annotations

from typing import Any

from referee.cards import Face
from referee.match import Match
from referee.moves import Move


def play(player: str, card: str) -> Move:
    return Move(player, "play", (Face(card),))


def rulings(match: Match) -> dict[int | None, str]:
    return {verdict.seq: verdict.ruling for verdict in match.verdicts()}


def told(match: Match) -> dict[str, Any]:
    """The view without what the number of entries and the last correction add to it."""
    return {key: value for key, value in match.view().items() if key not in ("seq", "correction")}
