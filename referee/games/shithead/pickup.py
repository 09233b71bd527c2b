"""Shithead: the pile is taken: the claim "I cannot play", open cards that come along (S-T1 to S-T3, S-A23 to S-A25)."""

from __future__ import annotations

from functools import partial

from referee.cards import Face
from referee.errors import MoveError
from referee.games.seats import Seat, seat_of, with_seat
from referee.games.shithead.claims import claimed, is_refuted, took
from referee.games.shithead.hands import take_up, without
from referee.games.shithead.lay import open_cards
from referee.games.shithead.play import OVER, Outcome, by_somebody, out_of_turn, picked_up, turn_facts
from referee.games.shithead.ranks import JOKER, rank_of
from referee.games.shithead.state import Due, State
from referee.games.shithead.telling import beneath, open_back
from referee.moves import Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["can_take_along", "claim_stuck", "take"]


def take(state: State, move: Move) -> Outcome:
    """Cards leave the pile: all of it, or the own card (S-T2). Raises `MoveError` when it is not said which."""
    if move.target == "own":
        return _take_own(state, move)
    if move.target != "pile":
        raise MoveError(f"{move.target!r} cannot be taken.", hint="Take the pile, or the own card: pile, own.")
    open_cards(move.data.get("with"))
    _missing(move, 0)
    seat = seat_of(state.seats, move.player)
    if seat is None:
        return by_somebody(take, state, move)
    if state.due is not None and state.due.what == "take" and state.due.player == seat.name:
        return _paid(state, move, seat, state.due)
    return _claim(state, move, seat)


def claim_stuck(state: State, move: Move) -> Outcome:
    """Somebody says "I cannot play" without taking the pile yet (S-A44): the claim, and then the pile is due."""
    seat = seat_of(state.seats, move.player)
    return by_somebody(claim_stuck, state, move) if seat is None else _claim(state, move, seat, said=True)


def _missing(move: Move, count: int) -> int:
    """How many of `count` cards were not taken, where somebody has counted them. Raises `MoveError`."""
    taken = move.data.get("n")
    if taken is None:
        return 0
    if isinstance(taken, bool) or not isinstance(taken, int) or taken < 0:
        raise MoveError(f"Nobody can take {taken!r} cards.", hint="Write a number of cards: 1, 2, 3 ...")
    return max(0, count - taken)


def _claim(state: State, move: Move, seat: Seat, *, said: bool = False) -> Outcome:
    barred = _barred(state, seat.name)
    if barred:
        return _not_now(state, move, barred)
    if state.owing:
        return _take_up(state, move, seat)
    if seat.hand == () and seat.open == ():
        return _put_back(state, move, "foul", Finding("S-T1", facts={"case": "flip"}))
    if state.rules.voluntary_pickup:
        if not state.pile:
            return _put_back(state, move, "foul", Finding("S-T1", facts={"case": "empty"}))
    elif is_refuted(state, seat):
        fault = Finding("S-T1", facts={"case": "open" if seat.hand == () else "known" if state.pile else "empty"})
        ask = Ask("match", seq=move.seq, player=seat.name)
        return _put_back(state, move, "disproved", fault, asks=(ask,))
    return _take_up(state, move, seat, said=said)


def _barred(state: State, player: str) -> str:
    """Why the player may not take the pile now, or ""."""
    if state.phase == "over":
        return OVER
    if state.waiting is not None:
        return "S-XJ" if player == state.waiting.player else "S-S4"
    return "" if player == state.turn else out_of_turn(state, player)


def _not_now(state: State, move: Move, rule: str) -> Outcome:
    if rule == OVER:
        return partial(Verdict, move, "void", grounds=(Finding(OVER, facts={"case": "over"}),)), state
    return _put_back(state, move, "void", Finding(rule, facts=turn_facts(state, rule)))


def _put_back(state: State, move: Move, ruling: Ruling, fault: Finding, *, asks: tuple[Ask, ...] = ()) -> Outcome:
    """The pile goes back where it lay."""
    step = Step(move.player, "return", state.pile, count=len(state.pile), to="pile", how="put-back")
    verdict = partial(
        Verdict, move, ruling, beneath=beneath(state), faults=(fault,), remedy=(step,) if state.pile else (), asks=asks
    )
    return verdict, state._replace(burned=False, due=None, stop=move.seq)


def _take_up(state: State, move: Move, seat: Seat, *, said: bool = False) -> Outcome:
    """The pile goes into the hand, and open cards of one rank with it (S-T2, S-T3, S-A24, S-A25, S-A45)."""
    player, along = seat.name, open_cards(move.data.get("with"))
    wrong = _wrong_along(state, along, empty=seat.hand in (None, ()) or state.owing)
    taken = () if wrong else along
    claims = state.claims if state.rules.voluntary_pickup or state.owing else claimed(state, seat)
    cards = state.pile + taken
    after_seat = take_up(seat._replace(open=without(seat.open, taken)) if taken else seat, cards)
    after = picked_up(state, after_seat, took(claims, after_seat, cards))
    if state.owing:
        after = after._replace(turns=state.turns)
    missing = _missing(move, len(state.pile))
    if missing or said:
        after = after._replace(due=Due(player, "take", missing or len(state.pile)))
    must = state.rules.take_open_on_pickup == "must" and not taken and bool(seat.open)
    if must and (seat.hand == () or state.owing):
        after = after._replace(turn=player, owing=True)
    tell = partial(_told, state, after, move, seat, along=along, wrong=wrong, missing=missing, said=said)
    return tell, after._replace(stop=move.seq) if wrong else after


def can_take_along(state: State, seat: Seat) -> bool:
    """Whether own open cards may come along with the pile (S-T3, option `take_open_on_pickup`)."""
    return state.rules.take_open_on_pickup != "never" and (seat.hand == () or state.owing) and bool(seat.open)


def _wrong_along(state: State, along: tuple[Face, ...], *, empty: bool) -> str:
    """Why these open cards may not come along, or ""; `empty`: there were no hand cards."""
    if not along:
        return ""
    if state.rules.take_open_on_pickup == "never":
        return "never"
    if not empty:
        return "hand"
    return "ranks" if len({rank_of(card) for card in along} - {JOKER}) > 1 else ""


def _told(
    state: State, after: State, move: Move, seat: Seat, *, along: tuple[Face, ...], wrong: str, missing: int, said: bool
) -> Verdict:  # fmt: skip
    player = seat.name
    faults: list[Finding] = []
    steps: list[Step] = []
    if said:
        steps.append(Step(player, "take", state.pile, count=len(state.pile), to="hand", how="take-pile"))
    if missing:
        faults.append(Finding("S-T2", facts={"case": "rest", "count": missing}))
        steps.append(Step(player, "take", count=missing, to="hand", how="take-rest"))
    if wrong:
        faults.append(Finding("S-T3", along, {"case": wrong}))
        steps.append(open_back(player, along))
    if after.owing and not wrong:
        faults.append(Finding("S-T3", facts={"case": "must"}))
    if after.owing:
        steps.append(Step(player, "take", count=1, to="hand", how="take-open"))
    stands: Ruling = "legal" if state.rules.voluntary_pickup else "accepted"
    ruling: Ruling = "foul" if wrong else "pending" if faults else stands
    grounds = () if faults else (Finding("S-T2", facts={"case": "leads", "player": after.turn}),)
    asks = (Ask("take-pile", seq=move.seq, player=player),) if said else ()
    return Verdict(
        move, ruling, beneath=beneath(state), faults=tuple(faults), grounds=grounds, remedy=tuple(steps), asks=asks
    )


def _paid(state: State, move: Move, seat: Seat, due: Due) -> Outcome:
    """The pile that was ordered is taken (S-M2, S-T2): the state has counted it already."""
    missing = _missing(move, due.number)
    along = open_cards(move.data.get("with"))
    wrong = _wrong_along(state, along, empty=seat.hand is None or len(seat.hand) == due.number)
    after = state._replace(burned=False, due=None, stop=None)
    if along and not wrong:
        taken = take_up(seat._replace(open=without(seat.open, along)), along)
        after = after._replace(seats=with_seat(state.seats, taken), claims=took(state.claims, taken, along))
    if wrong:
        fault = Finding("S-T3", along, {"case": wrong})
        verdict = partial(Verdict, move, "foul", faults=(fault,), remedy=(open_back(seat.name, along),))
        return verdict, after._replace(stop=move.seq)
    if not missing:
        return partial(Verdict, move, "legal", routine=True), after
    step = Step(seat.name, "take", count=missing, to="hand", how="take-rest")
    fault = Finding("S-T2", facts={"case": "rest", "count": missing})
    return partial(Verdict, move, "pending", faults=(fault,), remedy=(step,)), after._replace(
        due=due._replace(number=missing)
    )


def _take_own(state: State, move: Move) -> Outcome:
    """Somebody takes the own card back: the repair after a foul; else it stays, for a card played is played."""
    after = state._replace(burned=False, due=None, stop=None)
    if state.stop is not None or state.phase == "over":
        return partial(Verdict, move, "legal", routine=True), after
    ground = Finding("S-T1", move.cards, {"case": "stays"})
    step = Step(move.player, "return", move.cards, count=1, to="pile", how="put-card-back")
    return partial(Verdict, move, "void", grounds=(ground,), remedy=(step,)), after
