"""Piranhas: what players press or say: "Wrong card!", "I am stuck", "mine", a number of cards."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import is_known
from referee.errors import MoveError
from referee.games.piranhas.fit import ground
from referee.games.piranhas.owners import Outcome, mine, owner_asks, void
from referee.games.piranhas.state import Placed, State, seat_of, with_seat
from referee.games.piranhas.stop import call_off, end, punish_caller, punish_owner, somebody_can
from referee.games.piranhas.take import back_to_owner
from referee.moves import Move
from referee.verdicts import Ask, Finding, Verdict

__all__ = ["call", "card_ask", "count"]

CALL_DELAY_S = 0.15
"""A press this long after a covering card still means the covered one (P-A6)."""

_ROUNDING_S = 1e-9


def call(state: State, move: Move) -> Outcome:
    """A call of any kind. Raises `MoveError` for a kind or a caller that the game does not know."""
    seat = seat_of(state, move.player)
    if seat is None:
        raise MoveError(f"A call needs one of the players, not {move.player!r}.", hint="Name who has called.")
    match move.target:
        case "wrong-card":
            return _wrong_card(state, move)
        case "stuck":
            return _stuck(state, move)
        case "mine":
            return mine(state, move, caller=seat)
    raise MoveError(f"Piranhas has no call {move.target!r}.", hint="Its calls: wrong-card, stuck, mine.")


def _wrong_card(state: State, move: Move) -> Outcome:
    if state.phase != "playing":
        return void(move, _when_nothing_lies(state)), state
    covering = _covering(state, move)
    questioned = state.pile[-1 - covering]
    if not _means(questioned, move):
        if not _means(state.pile[-1], move):
            return void(move, "P-A23"), state
        covering, questioned = 0, state.pile[-1]
    if not questioned.open:
        return void(move, "P-A24"), state
    if questioned.player == move.player:
        return void(move, "P-A19"), state
    return _check(state, move, covering=covering)


def _when_nothing_lies(state: State) -> str:
    if state.phase == "over":
        return "P-A26"
    return "P-A8" if state.phase == "stopped" else "P-A24"


def _means(card: Placed, move: Move) -> bool:
    return all(not is_known(one) or one in card.readings or not card.readings for one in move.cards)


def _covering(state: State, move: Move) -> int:
    """How many cards on top lay there only after the button was pressed, or too shortly before to be meant (P-A6)."""
    if move.time_s is None:
        return 0
    count = 0
    for card in reversed(state.pile[1:]):
        if not card.open or card.time_s is None or move.time_s - card.time_s > CALL_DELAY_S + _ROUNDING_S:
            break
        count += 1
    return count


def _check(state: State, move: Move, *, covering: int) -> Outcome:
    """The questioned card against the one beneath it (P-W3), after the cards on top of it are gone."""
    on_top = state.pile[len(state.pile) - covering :]
    state, void_steps = call_off(state._replace(pile=state.pile[: len(state.pile) - covering]), reversed(on_top))
    card, beneath = state.pile[-1], state.pile[-2]
    verdict = Verdict(replace(move, cards=(card.face,)), "pending", beneath=beneath.face, remedy=void_steps)
    if card.faults is None:
        return _undecided(state, verdict)
    if card.faults and card.race:
        back, steps = back_to_owner(state, card)
        grounds = (Finding("P-A7", (card.face, beneath.face)),)
        return replace(verdict, ruling="void", grounds=grounds, remedy=(*void_steps, *steps)), back
    if card.faults:
        after, steps = punish_owner(state, move, card=card)
        ruled = replace(verdict, ruling="upheld", faults=card.faults, asks=owner_asks(state, card))
    else:
        after, steps = punish_caller(state, move)
        known = is_known(beneath.face) and is_known(card.face)
        ruled = replace(verdict, ruling="rejected", grounds=ground(beneath.face, card.face) if known else ())
    return replace(ruled, remedy=(*void_steps, *steps)), after


def _undecided(state: State, verdict: Verdict) -> Outcome:
    """Nobody can tell from what was read: all stop, and the table names the card."""
    asked = state.pile[-1]._replace(asked=True)
    state = state._replace(
        pile=(*state.pile[:-1], asked), phase="stopped", stop_seq=verdict.move.seq, stuck=frozenset()
    )
    return replace(verdict, asks=(card_ask(state, len(state.pile) - 1),)), state


def card_ask(state: State, place: int) -> Ask:
    """The question that decides whether the card at `place` of the pile fits: its own face, or else the one beneath."""
    card = state.pile[place]
    unread = card if len(card.readings) != 1 else state.pile[place - 1]
    return Ask("which-card", seq=unread.seq, choices=unread.readings)


def _stuck(state: State, move: Move) -> Outcome:
    if state.phase != "playing":
        return void(move, {"setup": "P-S6", "stopped": "P-A21", "over": "P-E1"}[state.phase]), state
    can = somebody_can(state)
    if can:
        return Verdict(move, "disproved", faults=(Finding("P-E2", facts={"case": "possible"}),)), state
    declared = state.stuck | {move.player}
    waiting = [seat.name for seat in state.seats if seat.name not in declared]
    if can is None and waiting:
        ground = Finding("P-E2", facts={"case": "waiting", "players": ", ".join(waiting)})
        return Verdict(move, "pending", grounds=(ground,)), state._replace(stuck=declared)
    over = end(state, "stalemate")
    return Verdict(move, "accepted", grounds=(Finding("P-E2", facts={"case": "nobody"}),), result=over.result), over


def count(state: State, move: Move) -> Outcome:
    """Somebody has counted a player's cards: the table knows better than the tally (section 2)."""
    seat, number = seat_of(state, move.player), move.data.get("n")
    if seat is None or isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise MoveError(
            f"A count needs a player and a number of cards, not {move.player!r} and {number!r}.",
            hint="Say who has how many cards.",
        )
    state = with_seat(state, seat._replace(owned=number, deck=None))
    if state.result is None:
        return Verdict(move, "legal", routine=True), state
    over = end(state, state.result.reason)
    return Verdict(move, "legal", result=over.result), over
