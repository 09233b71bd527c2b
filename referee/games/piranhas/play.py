"""Piranhas: a card is placed on the target pile (P-G, P-F, P-W1 to P-W4, P-E1, P-A2 to P-A9)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.cards import BACK, Face, is_known
from referee.errors import MoveError
from referee.games.piranhas.calls import card_ask
from referee.games.piranhas.fit import check_said, ground, judge_fit
from referee.games.piranhas.hands import add_to_discards, check_source, draw, leave
from referee.games.piranhas.owners import Outcome, owner_asks, void
from referee.games.piranhas.state import Debt, Placed, Seat, State, seat_of, with_seat
from referee.games.piranhas.stop import end, punish_owner
from referee.games.piranhas.take import back_to_owner
from referee.moves import Json, Move
from referee.verdicts import Ask, Finding, Step, Verdict

__all__ = ["play", "say"]

_ROUNDING_S = 1e-9


@dataclass(frozen=True, slots=True)
class _Placement:
    """A placement on the way to its verdict: the card as it would lie there, and whose last card it is."""

    card: Placed
    beneath: Placed
    reminders: tuple[Finding, ...]
    last: bool


def play(state: State, move: Move) -> Outcome:
    """One card is put on the target pile. Raises `MoveError` for none."""
    if not move.cards:
        raise MoveError("A card was played, but which one is not said.", hint="Write ?? for a card nobody has read.")
    early = _out_of_play(state, move)
    if early is not None:
        return early
    seat = seat_of(state, move.player)
    source = _source_faults(seat, move)
    as_wrong = state.rules.illegal_source_as_wrong_card and any(one.rule in ("P-G8", "P-G9") for one in source)
    if source and not as_wrong and not move.late:
        return _card_back(state, move, faults=source)
    placement = _placement(state, move, source=source)
    placed = _put(state, move, placement=placement)
    return _rule(placed, move, placement=placement)


def _out_of_play(state: State, move: Move) -> Outcome | None:
    """A card that has no effect because nobody may place any now, or None while play goes on."""
    if state.phase == "over":
        return void(move, "P-E1"), state
    if state.phase == "setup" or state.pile[-1].face == BACK:
        steps = (Step(move.player, "take", move.cards, count=len(move.cards), to="hand", how="back"),)
        return Verdict(move, "void", faults=(Finding("P-S6", move.cards),), remedy=steps), state
    if state.phase != "stopped":
        return None
    steps = (Step(move.player, "take", move.cards, count=len(move.cards), to="discard", how="void"),)
    seat = seat_of(state, move.player)
    if seat is not None:
        state = with_seat(state, add_to_discards(leave(seat, move.cards[0]), move.cards))
    return Verdict(move, "void", faults=(Finding("P-W1", move.cards),), remedy=steps), state


def _source_faults(seat: Seat | None, move: Move) -> tuple[Finding, ...]:
    """Where the card came from: not the discard pile (P-G9), one card only and the uncovered one (P-G8, P-G2)."""
    if move.data.get("from") == "discard":
        return (Finding("P-G9", move.cards),)
    if len(move.cards) > 1:
        return (Finding("P-G8", move.cards, {"case": "several"}),)
    return () if seat is None else check_source(seat, move.cards[0])


def _card_back(state: State, move: Move, *, faults: tuple[Finding, ...]) -> Outcome:
    """The card goes back where it came from, without a penalty (P-A20)."""
    to = "discard" if faults[0].rule == "P-G9" else "hand"
    how = "back-to-discard" if to == "discard" else "back"
    step = Step(move.player, "take", move.cards, count=len(move.cards), to=to, how=how)
    return Verdict(move, "foul", beneath=state.pile[-1].face, faults=faults, remedy=(step,)), state


def _placement(state: State, move: Move, *, source: tuple[Finding, ...]) -> _Placement:
    face, beneath = move.cards[-1], state.pile[-1]
    candidates = tuple(one for one, _ in move.candidates) if len(move.candidates) > 1 else ()
    faults = _fit_faults(beneath, candidates or (face,))
    said = _said(move)
    missed = check_said(beneath.readings, face, said=said) if _listens(state, said) else None
    strict = state.rules.announce == "strict"
    if strict and missed is not None and not faults and faults is not None:
        faults = (missed,)
    if source:
        faults = source
    seat = seat_of(state, move.player)
    card = Placed(
        face,
        move.player,
        move.time_s,
        seq=move.seq,
        candidates=candidates,
        faults=faults,
        open=True,
        race=not source and _is_race(state, move, face=face),
    )
    reminders = () if strict or missed is None else (missed,)
    return _Placement(card, beneath, reminders, last=seat is not None and seat.count == 1)


def _fit_faults(beneath: Placed, readings: tuple[Face, ...]) -> tuple[Finding, ...] | None:
    """The broken rule of fit, if all readings of the card agree on it; None while they do not."""
    faults = [judge_fit(beneath.readings, one) for one in readings]
    agree = len({None if one is None else tuple(fault.rule for fault in one) for one in faults}) == 1
    return faults[0] if agree else None


def _said(move: Move) -> str | None:
    said = move.data.get("say")
    return said if isinstance(said, str) else None


def _listens(state: State, said: Json) -> bool:
    """Whether announcements count: by house rule, and only where they can be heard or tapped (P-A4)."""
    return state.rules.announce != "ignore" and (state.hears or said is not None)


def _is_race(state: State, move: Move, *, face: Face) -> bool:
    """Two cards almost together: it does not fit the upper one but the one below that (P-A7)."""
    if len(state.pile) < 2 or move.time_s is None or state.pile[-1].time_s is None:
        return False
    late_s = move.time_s - state.pile[-1].time_s
    if not 0 <= late_s <= state.rules.race_grace_ms / 1000 + _ROUNDING_S or state.rules.race_grace_ms == 0:
        return False
    return bool(judge_fit(state.pile[-1].readings, face)) and judge_fit(state.pile[-2].readings, face) == ()


def _put(state: State, move: Move, *, placement: _Placement) -> State:
    """The card lies on the pile and is its owner's no more; all claims to be stuck are cancelled."""
    seat = seat_of(state, move.player)
    if seat is not None:
        left = _take_from(seat, placement.card)
        # Nobody can place a card without owning one: a tally that says so was wrong.
        count = seat.count - 1 if seat.count else None
        state = with_seat(state, replace(left, count=count, played=seat.played + 1))
    else:
        state = replace(state, debts=(*state.debts, Debt(move.seq, (placement.card.face,))))
    pile = (*state.pile, placement.card)
    return replace(state, pile=pile, stuck=frozenset(), last_s=state.last_s if move.time_s is None else move.time_s)


def _take_from(seat: Seat, card: Placed) -> Seat:
    """The card leaves the hand, or the place where it should not have come from (P-A20, as a wrong card)."""
    source = {fault.rule for fault in card.faults or ()}
    if "P-G9" in source:
        return replace(seat, discards=tuple(one for one in seat.discards if one != card.face))
    return draw(seat) if "P-G8" in source else leave(seat, card.face)


def _rule(state: State, move: Move, *, placement: _Placement) -> Outcome:
    card = placement.card
    asks = owner_asks(state, card)
    verdict = Verdict(move, "legal", beneath=placement.beneath.face, asks=asks, reminders=placement.reminders)
    if state.rules.quiet and not placement.last:
        noted = state if not card.faults else replace(state, missed=(*state.missed, (card.seq, card.face)))
        return verdict, noted
    if card.faults is None:
        return _undecided(state, verdict)
    if card.faults and move.late and not placement.last:
        return replace(verdict, grounds=(Finding("P-A25", (card.face,)),)), state
    if not card.faults:
        return _fits(state, verdict, placement=placement)
    if card.race:
        return _goes_back_free(state, verdict)
    after, steps = punish_owner(state, move, card=card)
    return replace(verdict, ruling="foul", faults=card.faults, remedy=steps, reminders=()), after


def _fits(state: State, verdict: Verdict, *, placement: _Placement) -> Outcome:
    beneath, card = placement.beneath, placement.card
    if is_known(beneath.face) and is_known(card.face):
        verdict = replace(verdict, grounds=ground(beneath.face, card.face))
    if not placement.last:
        return verdict, state
    over = end(state, "last-card")
    return replace(verdict, result=over.result), over


def _goes_back_free(state: State, verdict: Verdict) -> Outcome:
    card, beneath = state.pile[-1], state.pile[-2]
    after, steps = back_to_owner(state, card)
    grounds = (Finding("P-A7", (card.face, beneath.face)),)
    return replace(verdict, ruling="void", grounds=grounds, remedy=steps, reminders=(), asks=()), after


def _undecided(state: State, verdict: Verdict) -> Outcome:
    """The reading does not settle it: the card lies there, play goes on, the table is asked."""
    asked = replace(state.pile[-1], asked=True)
    state = replace(state, pile=(*state.pile[:-1], asked))
    ask = card_ask(state, len(state.pile) - 1)
    asks: tuple[Ask, ...] = verdict.asks if ask is None else (*verdict.asks, ask)
    return replace(verdict, ruling="pending", asks=asks, reminders=()), state


def say(state: State, move: Move) -> Verdict:
    """An announcement on its own: it belongs to the speaker's card, if that lies on top."""
    card = state.pile[-1] if len(state.pile) > 1 else None
    if card is None or card.player != move.player or state.rules.announce == "ignore":
        return Verdict(move, "legal", routine=True)
    missed = check_said(state.pile[-2].readings, card.face, said=move.target)
    return Verdict(move, "legal", reminders=() if missed is None else (missed,), routine=missed is None)
