"""Crazy Old Fish War: what of the position is told, to phones, to rule cases and to whoever checks the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from referee.cards import Face, is_known
from referee.games.crazy_old_fish_war.cease import laid_by
from referee.games.crazy_old_fish_war.faces import ANY, is_wild
from referee.games.crazy_old_fish_war.state import State, hand_size, is_empty
from referee.games.crazy_old_fish_war.turns import fish_asks, waiting_for
from referee.games.seats import Seat, size_of
from referee.knowledge import Hand
from referee.moves import Json
from referee.verdicts import Ask

__all__ = ["copies", "exhausted", "knowledge", "observe", "pending", "view"]


def pending(state: State) -> tuple[Ask, ...]:
    """Open questions: what the turn waits for, who should shout, unread cards; at the end, hands nobody counted."""
    if state.phase == "over":
        uncounted = [seat.name for seat in state.seats if seat.hand is None]
        fewest = state.result is not None and not state.result.winners
        return tuple(Ask("count", player=name) for name in uncounted) if fewest else ()
    if state.phase == "setup":
        return state.asks
    flipped = (state.war.unread,) if state.war is not None and state.war.unread is not None else ()
    return (*waiting_for(state), *fish_asks(state.talk.duties), *flipped, *state.asks)


def copies(state: State) -> Mapping[Face, int]:
    """How often each face is in the deck; empty where it is not known."""
    return _counted(state.table.deck or ())


@lru_cache(maxsize=8)
def _counted(deck: tuple[Face, ...]) -> Mapping[Face, int]:
    return MappingProxyType(Counter(deck))


def exhausted(state: State) -> frozenset[Face]:
    """Faces of which every copy lies on the play pile, or open in a war."""
    if state.table.deck is None:
        return frozenset()
    of_each = copies(state)
    lying = Counter(state.pile)
    for seat in state.seats:
        lying.update(seat.open or ())
    return frozenset(card for card, times in lying.items() if is_known(card) and times >= of_each.get(card, 0))


def knowledge(state: State) -> Mapping[str, Hand]:
    """The size of every hand, cards in a war included, and the cards that everybody saw going there."""
    return {seat.name: Hand(hand_size(state, seat.name), (*seat.known, *(seat.open or ()))) for seat in state.seats}


def view(state: State) -> dict[str, Json]:
    """What every phone shows; the face of no hand, draw pile or card lying face down."""
    top = state.pile[-1] if state.pile else None
    wins = dict(state.table.wins if state.result is None else state.result.points)
    shown: dict[str, Json] = {
        "phase": state.phase,
        "players": [_player(state, seat, wins[seat.name]) for seat in state.seats],
        "target": {
            "face": top if top is not None and is_known(top) else None,
            "player": None if _nobody_saw_whose(state) else state.top[0] or None,
            "pile": len(state.pile),
        },
        "stop": None if state.stop is None else {"seq": state.stop},
        "turn": state.turn.player if state.phase == "playing" else None,
        "waits": state.turn.step if state.phase == "playing" else None,
        "colour": state.colour if top is not None and is_wild(top) else None,
        "draw": size_of(state.draw),
        "due": {one.player: _due_of(state, one.player) for one in state.due},
        "war": _war(state),
        "asked": state.turn.whom if state.turn.step == "asked" else None,
        "received": state.turn.card if state.turn.step == "received" else None,
        "dealer": state.table.dealer,
    }
    return shown


def _nobody_saw_whose(state: State) -> bool:
    return any(ask.kind == "whose" and ask.seq == state.top[1] for ask in state.asks)


def _due_of(state: State, player: str) -> int:
    return sum(one.number for one in state.due if one.player == player)


def _player(state: State, seat: Seat, wins: int) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "name": seat.name,
        "count": hand_size(state, seat.name),
        "wrong": seat.wrong,
        "played": seat.played,
        "wins": wins,
        "fish": seat.name in state.talk.duties,
    }
    return {**shown, "known": list(seat.known)} if state.table.rules.hints else shown


def _war(state: State) -> Json:
    """Who fights, what lies tied in front of whom, and whose next card lies there face down."""
    if state.war is None:
        return None
    fighters = [name for name in (state.turn.player, state.war.rival) if name]
    return {
        "starter": fighters[0],
        "rival": state.war.rival or None,
        "tied": {seat.name: list(seat.open or ()) for seat in state.seats if seat.name in fighters},
        "laid": [name for name in fighters if laid_by(state, name) is not None],
    }


def observe(state: State) -> dict[str, Json]:
    """What a rule case may check about the table."""
    return {
        "pile": list(state.pile),
        "top": state.pile[-1] if state.pile else None,
        "turn": state.turn.player,
        "colour": None if state.colour == ANY else state.colour,
        "draw": size_of(state.draw),
        "hand_size": {name: hand_size(state, name) for name in state.table.players},
        "open": {seat.name: list(seat.open or ()) for seat in state.seats},
        "names": list(state.talk.names),
        "out": [seat.name for seat in state.seats if is_empty(seat)] if state.phase == "over" else [],
        "wins": dict(state.table.wins if state.result is None else state.result.points),
    }
