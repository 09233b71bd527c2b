"""The actions of a case as moves, and moves in the words of the cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cards import faces
from referee.moves import Move

__all__ = ["EXTRAS", "VERBS", "as_action", "as_move", "verbs"]

_TARGETS = ("call", "name", "war", "ask", "answer", "take", "shout")
_CARDS = ("play", "give", "lay", "discard", "reveal")
_SINGLE = ("lay", "reveal")
_OTHERS = ("flip", "draw", "swap", "turnover", "start")

VERBS = (*_TARGETS, *_CARDS, *_OTHERS)
"""What can be done in a case, one of them an action."""

EXTRAS = ("from", "with", "as", "say", "card", "cards")
"""What may stand beside a verb, apart from who and when."""


def verbs(action: Mapping[Any, Any]) -> list[str]:
    """The verbs of an action, which should be one."""
    return [key for key in VERBS if key in action]


def as_move(action: Mapping[str, Any]) -> Move:
    """An action of a case as a move. Raises `CardError` for a text that is no card."""
    (kind,) = verbs(action)
    value = action[kind]
    data = {key: action[key] for key in EXTRAS if key in action and not (kind == "call" and key == "card")}
    if isinstance(data.get("with"), str):
        data["with"] = [data["with"]]
    player, at = str(action["by"]), action.get("at")
    time_s = None if at is None else float(at)
    if kind in _CARDS:
        return Move(player, kind, faces(value if isinstance(value, list) else [value]), data=data, time_s=time_s)
    if kind in _TARGETS:
        cards = faces([action["card"]]) if kind == "call" and "card" in action else ()
        # Nobody need be named: war may be declared before it is said on whom.
        target = None if value is None or value is True else str(value)
        return Move(player, kind, cards, target=target, data=data, time_s=time_s)
    if kind == "draw":
        data["n"] = value
    elif kind == "swap":
        data["swap"] = value
    return Move(player, kind, data=data, time_s=time_s)


def as_action(move: Move) -> dict[str, Any]:
    """A move in the words of the cases; `as_move` is its inverse, apart from times that nobody wrote down."""
    action: dict[str, Any] = {"by": move.player}
    if move.kind in _CARDS:
        action[move.kind] = move.cards[0] if move.kind in _SINGLE else list(move.cards)
    elif move.kind in _TARGETS:
        action[move.kind] = move.target
        if move.cards:
            action["card"] = move.cards[0]
    else:
        action[move.kind] = {"draw": move.data.get("n"), "swap": move.data.get("swap")}.get(move.kind, True)
    extras = {key: move.data[key] for key in EXTRAS if key in move.data}
    return {**action, **extras} if move.time_s is None else {**action, **extras, "at": move.time_s}
