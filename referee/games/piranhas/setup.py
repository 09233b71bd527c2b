"""Piranhas: the set-up check (P-S0 to P-S6), turning the target, and what the eyes' changes stand for."""

from __future__ import annotations

from referee.cards import BACK, is_known
from referee.games.piranhas.state import Placed, State, seat_of
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.verdicts import Finding, Step, Verdict

__all__ = ["is_ready", "read", "start", "turn_target"]

_REMEDIES = {"P-S0": "find", "P-S2": "middle", "P-S3": "deal", "P-S4": "deal"}


def start(state: State, move: Move) -> tuple[Verdict, State]:
    """Everybody is ready: is everything in place? What was not told is not checked."""
    faults = _faults(state)
    if faults:
        hows = dict.fromkeys(_REMEDIES[fault.rule] for fault in faults)
        steps = tuple(Step(TABLE, "setup", how=how) for how in hows)
        return Verdict(move, "foul", faults=faults, remedy=steps), state
    pile = tuple(Placed(card, TABLE, seq=move.seq) for card in move.cards) or state.pile
    return Verdict(move, "legal"), state._replace(phase="playing", pile=pile)


def is_ready(state: State) -> bool:
    """Whether the game may start."""
    return not _faults(state)


def _faults(state: State) -> tuple[Finding, ...]:
    return (*_complete(state), *_middle(state), *_equal(state), *_box(state))


def _complete(state: State) -> tuple[Finding, ...]:
    counts = [seat.owned for seat in state.seats if seat.owned is not None]
    if state.boxed is None or len(counts) < len(state.seats):
        return ()
    found = len(state.pile) + sum(counts) + state.boxed
    facts: dict[str, Json] = {"found": found, "total": state.total}
    return () if found == state.total else (Finding("P-S0", facts=facts),)


def _middle(state: State) -> tuple[Finding, ...]:
    faces = tuple(card.face for card in state.pile)
    return () if faces == (BACK,) else (Finding("P-S2", faces),)


def _equal(state: State) -> tuple[Finding, ...]:
    counts = {seat.owned for seat in state.seats if seat.owned is not None}
    return () if len(counts) <= 1 else (Finding("P-S3"),)


def _box(state: State) -> tuple[Finding, ...]:
    wanted = (state.total - 1) % len(state.seats)
    if state.boxed in (None, wanted):
        return ()
    return (Finding("P-S4", facts={"boxed": state.boxed, "wanted": wanted}),)


def turn_target(state: State, move: Move) -> tuple[Verdict, State]:
    """The table turns the target card over: before the start this is the start (P-S2, P-S6)."""
    if state.phase == "setup":
        return start(state, move)
    top = state.pile[-1]
    if top.player == TABLE and not is_known(top.face):
        top = top._replace(face=move.cards[0], seq=move.seq)
    return Verdict(move, "legal", routine=True), state._replace(pile=(*state.pile[:-1], top))


def read(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    """What happened in words of the game.

    * A card that appears on the target pile is a play; one that appears at a seat is a discard (the seats' zones hold
      the discard piles).
    * The discard pile of a player whose deck is used up vanishes: it is turned over.
    * A card that vanishes from the target pile is taken; a face-down target that turns is revealed by the table.
    * During a stop the pile shrinks: a card of the remedy, or the target below it, comes to light again. That is the
      repair, not a play, and once it was seen the next card played means that the table goes on without having
      pressed "go" (P-A21): a start by the table comes before it.
    """
    if change.owner is not None:
        return _at_seat(state, change, player=player)
    if change.zone != "pile":
        return ()
    if change.what == "turned":
        return (Move(TABLE, "reveal"),)
    if change.what == "vanished":
        taken = state.phase in ("playing", "stopped")  # before and after the game the table is only set and cleared
        return (Move(_taker(state, player), "take", target="own"),) if taken else ()
    return _appeared(state, change, player=player)


def _at_seat(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    if change.what == "appeared":
        return (Move(player, "discard"),)
    seat = seat_of(state, player)
    used_up = seat is not None and seat.deck == 0 and bool(seat.discards) and state.phase == "playing"
    return (Move(player, "turnover"),) if change.what == "vanished" and used_up else ()


def _taker(state: State, player: str) -> str:
    """Who takes a card off the pile: where no hand was seen, the one who may."""
    return state.pile[-1].player if player == UNCLEAR and state.phase == "playing" else player


def _appeared(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    likely = sorted(change.candidates, key=lambda one: -one[1])
    # While play goes on, another plausible face is a play: conservation then strikes out the covered one.
    faces = [card for card, _ in (likely[:1] if state.phase == "stopped" else likely)]
    if faces and set(faces) <= _shown_again(state):
        coming_to_light = state.phase == "stopped" and faces[0] == state.pile[-1].face
        return (Move(TABLE, "repaired"),) if coming_to_light else ()
    if state.phase == "stopped" and state.repaired:
        return (Move(TABLE, "start"), Move(player, "play"))
    return (Move(player, "play"),)


def _shown_again(state: State) -> frozenset[str]:
    """Faces that may come to light on the pile without anybody playing: the target's, and the remedy's on the way."""
    top = state.pile[-1].face if state.pile else None
    if top is None or not is_known(top):
        return frozenset()
    if state.phase == "stopped":
        return frozenset((top, *state.leaving))
    single = state.deck is not None and state.deck.count(top) == 1
    return frozenset((top,)) if single else frozenset()
