"""Piranhas: a card is placed on the target pile (P-G, P-F, P-W1 to P-W4, P-E1, P-A2 to P-A9)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.errors import MoveError
from referee.games.piranhas.calls import card_ask
from referee.games.piranhas.fit import check_said, ground, judge_fit
from referee.games.piranhas.hands import check_source, drop_in_stop, place
from referee.games.piranhas.owners import Outcome, owner_asks, void
from referee.games.piranhas.state import Debt, HouseRules, Placed, Seat, State, replaced, seat_of, with_seat
from referee.games.piranhas.stop import end, punish_owner
from referee.games.piranhas.take import back_to_owner
from referee.moves import Json, Move
from referee.verdicts import Finding, Ruling, Step, Verdict

__all__ = ["may_stay", "passes", "placed", "play", "say"]

_ROUNDING_S = 1e-9


class _Placement(NamedTuple):
    """A placement on the way to its verdict: the card as it would lie there, and what becomes of it.

    back  it goes back where it came from, because it may not come from there (P-A20)
    last  it is the last card of whoever played it
    """

    card: Placed
    beneath: Placed
    ruling: Ruling
    back: bool
    reminders: tuple[Finding, ...]
    last: bool


def may_stay(beneath: tuple[Face, ...], card: Face, *, silent: bool) -> bool:
    """Whether a card that comes from where it may would stay on one of `beneath`, as far as anybody can tell.

    `silent` says that nothing is told about wrong cards.
    """
    return silent or not judge_fit(beneath, card)


def passes(rules: HouseRules, source: tuple[Finding, ...], *, last: bool) -> bool:
    """Whether a card would stay that breaks `source` by where it comes from; `last`: it is its player's last one."""
    return rules.quiet and not last and not _goes_back(rules, source)


def play(state: State, move: Move) -> Outcome:
    """One card is put on the target pile. Raises `MoveError` for none."""
    if not move.cards:
        raise MoveError("A card was played, but which one is not said.", hint="Write ?? for a card nobody has read.")
    early = _out_of_play(state, move)
    if early is not None:
        return early
    placement = _placement(state, move)
    if placement.back:
        return _card_back(state, move, faults=placement.card.faults or ())
    placed = _put(state, move, placement=placement)
    return _rule(placed, move, placement=placement)


def placed(state: State, move: Move) -> State | None:
    """The position after a card that lies there, for whoever needs no verdict; None where there is more to it."""
    if state.phase != "playing" or len(move.cards) != 1 or move.candidates or state.pile[-1].face == BACK:
        return None
    if seat_of(state, move.player) is None:
        return None
    placement = _placement(state, move)
    return _lying(_put(state, move, placement=placement), placement) if placement.ruling == "legal" else None


def _goes_back(rules: HouseRules, source: tuple[Finding, ...]) -> bool:
    """Whether the card may not come from there (`source`), unless that counts as a wrong card."""
    return bool(source) and not (rules.illegal_source_as_wrong_card and source[0].rule in ("P-G8", "P-G9"))


def _out_of_play(state: State, move: Move) -> Outcome | None:
    """A card that has no effect because nobody may place any now, or None while play goes on."""
    if state.phase == "over":
        return void(move, "P-E1"), state
    if state.phase == "setup" or state.pile[-1].face == BACK:
        steps = (_back(move.player, move.cards),)
        return Verdict(move, "void", faults=(Finding("P-S6", move.cards),), remedy=steps), state
    if state.phase != "stopped":
        return None
    steps = (Step(move.player, "take", move.cards, count=len(move.cards), to="discard", how="void"),)
    seat = seat_of(state, move.player)
    for card in move.cards:
        seat = None if seat is None else drop_in_stop(seat, card)
    return Verdict(move, "void", faults=(Finding("P-W1", move.cards),), remedy=steps), with_seat(state, seat)


def _back(player: str, cards: tuple[Face, ...]) -> Step:
    return Step(player, "take", cards, count=len(cards), to="hand", how="back")


def _source_faults(seat: Seat | None, move: Move) -> tuple[Finding, ...]:
    """Where the card came from: not the discard pile (P-G9), one card only and the uncovered one (P-G8, P-G2)."""
    if move.data.get("from") == "discard":
        return (Finding("P-G9", move.cards),)
    if len(move.cards) > 1:
        return (Finding("P-G8", move.cards, {"case": "several"}),)
    return () if seat is None else check_source(seat, move.cards[0])


def _card_back(state: State, move: Move, *, faults: tuple[Finding, ...]) -> Outcome:
    """The card goes back where it came from, without a penalty (P-A20)."""
    if faults[0].rule == "P-G9":
        step = Step(move.player, "take", move.cards, count=len(move.cards), to="discard", how="back-to-discard")
    else:
        step = _back(move.player, move.cards)
    return Verdict(move, "foul", beneath=state.pile[-1].face, faults=faults, remedy=(step,)), state


def _placement(state: State, move: Move) -> _Placement:
    beneath, seat = state.pile[-1], seat_of(state, move.player)
    face = UNKNOWN if move.cards[-1] == BACK else move.cards[-1]  # face down on the pile it is a card to be read
    candidates = tuple(one for one, _ in move.candidates) if len(move.candidates) > 1 else ()
    source, faults = _source_faults(seat, move), _fit_faults(beneath, candidates or (face,))
    said = _said(move)
    missed = check_said(beneath.readings, face, said=said) if _listens(state, said) else None
    strict = state.rules.announce == "strict"
    if strict and missed is not None and faults == ():
        faults = (missed,)
    card = Placed(
        face,
        move.player,
        move.time_s,
        seq=move.seq,
        candidates=candidates,
        faults=source or faults,
        open=True,
        race=not source and _is_race(state, move, face=face),
    )
    last, long_ago = seat is not None and seat.owned == 1, move.late and len(move.cards) == 1
    back = _goes_back(state.rules, source) and not long_ago
    ruling = "foul" if back else _ruling(state.rules, card.faults, last=last, late=move.late, race=card.race)
    return _Placement(card, beneath, ruling, back, () if strict or missed is None else (missed,), last)


def _ruling(
    rules: HouseRules, faults: tuple[Finding, ...] | None, *, last: bool, late: bool = False, race: bool = False
) -> Ruling:
    """What becomes of the card. In the quiet modes, and long after it was played, only a last one is stopped (P-A9)."""
    if rules.quiet and not last:
        return "legal"
    if faults is None:
        return "pending"
    if not faults or (late and not last):
        return "legal"
    return "void" if race else "foul"


def _fit_faults(beneath: Placed, readings: tuple[Face, ...]) -> tuple[Finding, ...] | None:
    """The broken rule of fit, if all readings of the card agree on it; None while they do not."""
    if len(readings) == 1:
        return judge_fit(beneath.readings, readings[0])
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
    seat, seats, debts = seat_of(state, move.player), state.seats, state.debts
    if seat is not None:
        seats = replaced(seats, place(seat, placement.card.face, forbidden=_is_forbidden(placement.card)))
    else:
        debts = (*debts, Debt(move.seq, (placement.card.face,)))
    last_s = state.last_s if move.time_s is None else move.time_s
    pile = (*state.pile, placement.card)
    return state._replace(seats=seats, pile=pile, debts=debts, stuck=frozenset(), last_s=last_s)


def _is_forbidden(card: Placed) -> bool:
    """Whether the card came from where it should not have come from (P-A20, as a wrong card)."""
    return bool(card.faults and card.faults[0].rule in ("P-G2", "P-G8", "P-G9"))


def _rule(state: State, move: Move, *, placement: _Placement) -> Outcome:
    card = placement.card
    if placement.ruling == "legal":
        return _lies_there(state, move, placement=placement)
    verdict = Verdict(
        move, "foul", beneath=placement.beneath.face, asks=owner_asks(state, card), reminders=placement.reminders
    )
    if placement.ruling == "pending":
        return _undecided(state, verdict)
    if placement.ruling == "void":
        return _goes_back_free(state, verdict)
    after, steps = punish_owner(state, move, card=card)
    steps = (*steps, *(_back(move.player, (one,)) for one in move.cards[:-1]))
    return replace(verdict, faults=card.faults or (), remedy=steps, reminders=()), after


def _lies_there(state: State, move: Move, *, placement: _Placement) -> Outcome:
    beneath, card, state = placement.beneath, placement.card, _lying(state, placement)
    silent = state.rules.quiet and not placement.last  # nothing may tell whether the card is wrong
    grounds = () if silent else _why(beneath.face, card)
    asks, reminders = owner_asks(state, card), placement.reminders
    verdict = Verdict(
        move, "legal", None, beneath.face, grounds=grounds, reminders=reminders, asks=asks, result=state.result
    )
    return verdict, state


def _why(beneath: Face, card: Placed) -> tuple[Finding, ...]:
    """Why the card stays there, as far as that is known."""
    if card.faults:
        return (Finding("P-A25", (card.face,)),)
    return ground(beneath, card.face) if is_known(beneath) and is_known(card.face) else ()


def _lying(state: State, placement: _Placement) -> State:
    """The table with a card that stays there: in the quiet modes a wrong one is noted, a last one ends the game."""
    card = placement.card
    if state.rules.quiet and not placement.last:
        return state._replace(missed=(*state.missed, (card.seq, card.face))) if card.faults else state
    return end(state, "last-card") if placement.last and not card.faults else state


def _goes_back_free(state: State, verdict: Verdict) -> Outcome:
    card, beneath = state.pile[-1], state.pile[-2]
    after, steps = back_to_owner(state, card)
    grounds = (Finding("P-A7", (card.face, beneath.face)),)
    return replace(verdict, ruling="void", grounds=grounds, remedy=steps, reminders=(), asks=()), after


def _undecided(state: State, verdict: Verdict) -> Outcome:
    """The reading does not settle it: the card lies there, play goes on, the table is asked."""
    asked = state.pile[-1]._replace(asked=True)
    state = state._replace(pile=(*state.pile[:-1], asked))
    asks = (*verdict.asks, card_ask(state, len(state.pile) - 1))
    return replace(verdict, ruling="pending", asks=asks, reminders=()), state


def say(state: State, move: Move) -> Verdict:
    """An announcement on its own: it belongs to the speaker's card, if that lies on top."""
    card = state.pile[-1] if len(state.pile) > 1 else None
    if card is None or card.player != move.player or state.rules.announce == "ignore":
        return Verdict(move, "legal", routine=True)
    missed = check_said(state.pile[-2].readings, card.face, said=move.target)
    return Verdict(move, "legal", reminders=() if missed is None else (missed,), routine=missed is None)
