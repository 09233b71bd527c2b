"""Crazy Old Fish War: cards lying in a war, and how they go home when it is called off (C-A7, C-A15, C-A16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.cards import Face
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.state import Laid, State, War, mark, seat_at, with_seats
from referee.knowledge import took_openly
from referee.verdicts import Step

__all__ = ["call_off", "fighters", "inventory", "laid_by"]

_NONE: Mapping[str, Face] = MappingProxyType({})


def laid_by(state: State, player: str) -> Laid | None:
    """The card that lies face down in front of a player for the next flip."""
    war = state.war
    if war is None:
        return None
    return war.first if player == state.turn.player else war.second


def fighters(state: State) -> tuple[str, str]:
    """The starter of the war that goes on, and the challenged player ("" until named)."""
    return state.turn.player, (state.war or War()).rival


def call_off(state: State, flipped: Mapping[str, Face] = _NONE) -> tuple[State, tuple[Step, ...]]:
    """The war is over without a winner: everybody takes the own cards back, tied and `flipped` ones seen by all.

    A card that still lies face down is picked up unseen.
    """
    steps: tuple[Step, ...] = ()
    for player in filter(None, fighters(state)):
        card, laid = flipped.get(player), laid_by(state, player)
        state, own = _take_home(state, player, card, off_pile=laid is not None and laid.off_pile)
        steps += own
        if laid is not None and card is None:
            state = _pick_up(state, player, laid)
            steps += (Step(player, "take", count=1, to="hand", how="own-back"),)
    return state._replace(war=None), steps


def _take_home(state: State, player: str, card: Face | None, *, off_pile: bool) -> tuple[State, tuple[Step, ...]]:
    """A flipped card of the hand was counted there all the time; one off the draw pile comes to it only now."""
    seat = seat_at(state, player)
    tied = seat.open or ()
    taken = tied if card is None else (*tied, card)
    if not taken:
        return state, ()
    seat = hands.take_openly(seat, taken if off_pile else tied, onto=())
    if card is not None and not off_pile:
        seat = hands.show(seat, card)
    state = with_seats(state, seat)
    if state.claims:
        state = state._replace(claims=took_openly(state.claims, player, taken))
    return state, (Step(player, "take", taken, count=len(taken), to="hand", how="own"),)


def _pick_up(state: State, player: str, laid: Laid) -> State:
    if not laid.off_pile:
        return state
    state = with_seats(state, hands.drew(seat_at(state, player), (laid.face,)))
    return state._replace(changed=mark(state.changed, player))


def inventory(state: State) -> tuple[Face, ...]:
    """Every card of hands, piles and wars, and the one on its way from hand to hand."""
    cards = [*state.pile, *(state.draw or ())]
    for seat in state.seats:
        cards += [*(seat.hand or ()), *(seat.open or ())]
    lying = (state.war.first, state.war.second) if state.war is not None else ()
    cards += [laid.face for laid in lying if laid is not None and laid.off_pile]
    if state.turn.step == "received":
        cards.append(state.turn.card)
    return tuple(cards)
