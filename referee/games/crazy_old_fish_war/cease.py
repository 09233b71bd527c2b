"""Crazy Old Fish War: cards lying in a war, and how they go home when it is called off (C-A7, C-A15, C-A16)."""

from __future__ import annotations

from referee.cards import Face
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.state import Laid, State, seat_at, with_seats
from referee.knowledge import took_openly
from referee.verdicts import Step

__all__ = ["call_off", "inventory", "laid_by"]


def laid_by(state: State, player: str) -> Laid | None:
    """The card that lies face down in front of a player for the next flip."""
    war = state.war
    if war is None:
        return None
    return war.first if player == state.turn.player else war.second


def _go_home(state: State, player: str, cards: tuple[Face, ...] = ()) -> tuple[State, tuple[Step, ...]]:
    """A player takes back the own tied cards, and `cards` besides, before everybody's eyes."""
    seat = seat_at(state, player)
    taken = (*(seat.open or ()), *cards)
    if not taken:
        return state, ()
    state = with_seats(state, hands.take_openly(seat, taken)._replace(open=()))
    if state.claims:
        state = state._replace(claims=took_openly(state.claims, player, taken))
    return state, (Step(player, "take", taken, count=len(taken), to="hand", how="own"),)


def call_off(state: State) -> tuple[State, tuple[Step, ...]]:
    """The war is over before the next flip: tied cards go home, and those lying face down into the hands unseen."""
    war = state.war
    if war is None:
        return state, ()
    steps: tuple[Step, ...] = ()
    for player in (state.turn.player, war.rival):
        if not player:
            continue
        state, own = _go_home(state, player)
        state, face_down = _pick_up(state, player)
        steps += own + face_down
    return state._replace(war=None), steps


def _pick_up(state: State, player: str) -> tuple[State, tuple[Step, ...]]:
    """A card of the hand was counted there all the time; one off the draw pile is added to it."""
    laid = laid_by(state, player)
    if laid is None:
        return state, ()
    if laid.off_pile:
        state = with_seats(state, hands.drew(seat_at(state, player), (laid.face,)))
        state = state._replace(changed=(*state.changed, player))
    return state, (Step(player, "take", count=1, to="hand", how="own-back"),)


def inventory(state: State) -> tuple[Face, ...]:
    """Every card of hands, piles and wars, and the one on its way from hand to hand."""
    cards = [*state.pile, *(state.draw or ())]
    for seat in state.seats:
        cards += [*(seat.hand or ()), *(seat.open or ())]
        laid = laid_by(state, seat.name) if state.war is not None and seat.name in _fighters(state) else None
        if laid is not None and laid.off_pile:
            cards.append(laid.face)
    if state.turn.step == "received":
        cards.append(state.turn.card)
    return tuple(cards)


def _fighters(state: State) -> tuple[str, ...]:
    return (state.turn.player, *((state.war.rival,) if state.war is not None else ()))
