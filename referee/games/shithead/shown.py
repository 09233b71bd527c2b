"""Shithead: what phones show of a game, and what rule cases may check."""

from __future__ import annotations

from referee.cards import is_known
from referee.games.seats import Seat
from referee.games.shithead.ranks import observed
from referee.games.shithead.setup import may_swap
from referee.games.shithead.state import State
from referee.moves import Json

__all__ = ["observe", "view"]


def view(state: State) -> dict[str, Json]:
    """What every phone may know: no face of a hand, of the draw pile or of a face-down card."""
    top = state.pile[-1] if state.pile else None
    over = state.phase == "over"
    return {
        "phase": "playing" if state.phase == "swap" else state.phase,
        "players": [_seat(state, seat) for seat in state.seats],
        "target": {
            "face": top if top is not None and is_known(top) else None,
            "player": _whose(state),
            "pile": len(state.pile),
        },
        "stop": None if state.stop is None else {"seq": state.stop},
        "turn": None if over else state.turn,
        "rank": observed(state.top.rank),
        "run": state.top.run,
        "seven": any(bar.duty for bar in state.top.bars) if len(state.top.bars) == 1 else False,
        "draw": None if state.draw is None else len(state.draw),
        "burnt": len(state.burnt),
        "skipped": list(state.skipped),
        "again": bool(state.extra),
        "swap": [seat.name for seat in state.seats if may_swap(state, seat)],
        "out": list(state.out),
        "points": dict(state.points),
    }


def _seat(state: State, seat: Seat) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "name": seat.name,
        "count": None if seat.hand is None else len(seat.hand),
        "wrong": seat.wrong,
        "played": seat.played,
        "open": None if seat.open is None else list(seat.open),
        "hidden": None if seat.hidden is None else len(seat.hidden),
        "place": state.out.index(seat.name) + 1 if seat.name in state.out else None,
    }
    return {**shown, "known": list(seat.known)} if state.rules.hints else shown


def _whose(state: State) -> str | None:
    """Who has played the top card."""
    if state.waiting is not None:
        return state.waiting.player
    return None if state.last is None or not state.pile else state.last.player


def observe(state: State) -> dict[str, Json]:
    """The keys of the case files. While jokers lie there without a rank there is none on top."""
    over = state.phase == "over"
    unnamed = state.waiting is not None
    return {
        "turn": None if over else state.turn,
        "pile": list(state.pile),
        "top": state.pile[-1] if state.pile else None,
        "rank": None if unnamed else observed(state.top.rank),
        "run": 0 if unnamed else state.top.run,
        "draw": None if state.draw is None else len(state.draw),
        "hand_size": {seat.name: None if seat.hand is None else len(seat.hand) for seat in state.seats},
        "open": {seat.name: None if seat.open is None else sorted(seat.open) for seat in state.seats},
        "hidden": {seat.name: None if seat.hidden is None else len(seat.hidden) for seat in state.seats},
        "burned": True if state.burned else None,
        "out": list(state.out),
        "points": dict(state.points),
        "games": state.games,
    }
