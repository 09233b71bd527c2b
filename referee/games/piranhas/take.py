"""Piranhas: cards that come off the target pile without a penalty."""

from __future__ import annotations

from dataclasses import replace

from referee.games.piranhas.state import Placed, State, seat_of, with_seat
from referee.games.piranhas.stop import taken_off
from referee.moves import Move
from referee.verdicts import Finding, Step, Verdict

__all__ = ["back_to_owner", "take"]


def back_to_owner(state: State, card: Placed) -> tuple[State, tuple[Step, ...]]:
    """The top card goes back to its owner, uncovered and without a cost (P-A7, P-A19)."""
    state = taken_off(state, card)._replace(pile=state.pile[:-1], stuck=frozenset())
    owner = seat_of(state, card.player)
    if owner is None:
        return state, ()
    owner = owner._replace(
        owned=None if owner.owned is None else owner.owned + 1,
        uncovered=(*owner.uncovered, card.face),
        owes=bool(owner.uncovered),
        played=max(0, owner.played - 1),
    )
    return with_seat(state, owner), (Step(card.player, "take", (card.face,), count=1, to="hand", how="free"),)


def take(state: State, move: Move) -> tuple[Verdict, State]:
    """Cards leave the target pile: the repair during a stop, else an owner's own card (P-A19)."""
    if state.phase == "stopped":
        return Verdict(move, "legal", routine=True), state._replace(repaired=True)
    card = state.pile[-1] if len(state.pile) > 1 and state.phase == "playing" else None
    if card is None or not card.open or card.player != move.player:
        step = Step(move.player, "take", move.cards, count=len(move.cards), to="pile", how="put-back")
        ground = Finding("P-A19", move.cards, {"case": "not-own"})
        return Verdict(move, "void", grounds=(ground,), remedy=(step,)), state
    after, _ = back_to_owner(state, card)
    return _verdict(after, replace(move, cards=(card.face,))), after


def _verdict(after: State, move: Move) -> Verdict:
    """Taking the own card back is allowed, holding a second uncovered card then is not (P-G7)."""
    seat = seat_of(after, move.player)
    if seat is None or not seat.owes:
        return Verdict(move, "legal", grounds=(Finding("P-A19", move.cards, {"case": "own"}),))
    step = Step(move.player, "discard", count=1, to="discard", how="choose")
    return Verdict(move, "foul", faults=(Finding("P-G7", seat.uncovered),), remedy=(step,))
