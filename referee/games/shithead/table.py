"""Shithead: what else happens at the table: drawing, peeking, counting, repairs, stopping a game without end."""

from __future__ import annotations

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.errors import MoveError
from referee.games.seats import Seat, seat_of, with_seat
from referee.games.shithead.ending import finish, is_offered, places_if_stopped
from referee.games.shithead.ranks import match, rank_of
from referee.games.shithead.state import State
from referee.moves import Move
from referee.verdicts import Ask, Finding, Step, Verdict

__all__ = ["CALLS", "call", "count", "draw", "repaired", "reveal"]

CALLS = ("stop", "go-on")
"""Answers to the offer to stop (S-A39)."""

Ruled = tuple[Verdict, State]


def draw(state: State, move: Move) -> Ruled:
    """Cards are drawn: those of the refill, which the state has counted already (S-T4). Raises `MoveError`."""
    number = _number(move)
    due = state.due if state.due is not None and state.due.what == "draw" else None
    player = move.player if seat_of(state.seats, move.player) else due.player if due else state.turn
    owed = due.number if due is not None and due.player == player else 0
    after = state._replace(burned=False, due=None, stop=None)
    if number < owed:
        fault = Finding("S-T4", facts={"case": "short", "count": owed - number})
        step = Step(player, "draw", count=owed - number, to="hand", how="refill")
        verdict = Verdict(move, "pending", faults=(fault,), remedy=(step,))
        return verdict, after._replace(due=state.due and state.due._replace(number=owed - number))
    if number == owed:
        return Verdict(move, "legal", routine=True), after
    fault = Finding("S-T4", facts={"case": "surplus", "count": number - owed})
    step = Step(player, "return", count=number - owed, to="draw", how="surplus")
    return Verdict(move, "foul", faults=(fault,), remedy=(step,)), after._replace(stop=move.seq)


def _number(move: Move) -> int:
    number = move.data.get("n")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise MoveError(f"{move.player!r}: {number!r} is no number of cards.", hint="Write 0, 1, 2 ...")
    return number


def reveal(state: State, move: Move) -> Ruled:
    """A card is looked at or shown without being played (S-S1a, S-S1b). Raises `MoveError` or `CardError`."""
    if len(move.cards) != 1:
        raise MoveError(f"One card is shown at a time, not {len(move.cards)}.", hint="Write one move a card.")
    (card,) = move.cards
    rank_of(card)
    seat = seat_of(state.seats, move.player)
    if seat is None:
        return _turned_by_table(state, move, card)
    if _is_face_down(seat, move, card):
        step = Step(seat.name, "turn", (card,), count=1, to="hidden", how="face-down")
        verdict = Verdict(move, "foul", faults=(Finding("S-S1a", (card,)),), remedy=(step,))
        return verdict, state._replace(stop=move.seq)
    if move.data.get("from") == "open" or match(seat.open or (), card) is not None:
        return Verdict(move, "legal", routine=True), state
    return Verdict(move, "legal", reminders=(Finding("S-S1b", (card,)),)), state


def _turned_by_table(state: State, move: Move, card: Face) -> Ruled:
    """Nobody turns a card over to start (S-S2)."""
    if state.phase in ("setup", "swap") and card != BACK:
        step = Step(move.player, "return", (card,), count=1, to="draw", how="to-draw-pile")
        return Verdict(move, "foul", faults=(Finding("S-S2", (card,)),), remedy=(step,)), state._replace(stop=move.seq)
    return Verdict(move, "legal", reminders=(Finding("S-S1b", (card,)),)), state


def _is_face_down(seat: Seat, move: Move, card: Face) -> bool:
    """Whether it is one of the face-down cards: so it is said, or nothing else is left."""
    if move.data.get("from") == "blind" or not is_known(card):
        return True
    return "from" not in move.data and seat.hand == () and match(seat.open or (), card) is None


def call(state: State, move: Move) -> Ruled:
    """The answer to the offer to stop a game that does not end (S-A39)."""
    if not is_offered(state):
        case = "over" if state.phase == "over" else "early"
        return Verdict(move, "void", grounds=(Finding("S-A39", facts={"case": case}),)), state
    if move.target == "go-on":
        return Verdict(move, "legal", routine=True), state._replace(offered=state.turns)
    places = places_if_stopped(state)
    if places is None:
        return Verdict(move, "pending", grounds=(Finding("S-A39", facts={"case": "count"}),), asks=counts(state)), state
    over = finish(state._replace(out=places), "turn-cap")
    ground = Finding("S-A39", facts={"case": "stopped", "player": places[-1]})
    return Verdict(move, "legal", grounds=(ground,), result=over.result), over


def counts(state: State) -> tuple[Ask, ...]:
    """Whose hand has to be counted before the places can be told."""
    return tuple(
        Ask("count", player=seat.name) for seat in state.seats if seat.name not in state.out and seat.hand is None
    )


def count(state: State, move: Move) -> Ruled:
    """Somebody has counted the hand cards of a player: the table knows better than the tally. Raises `MoveError`."""
    seat, number = seat_of(state.seats, move.player), _number(move)
    if seat is None:
        raise MoveError(f"A count needs one of the players, not {move.player!r}.", hint="Name whose hand it is.")
    counted = _counted(seat, number)
    return Verdict(move, "legal", routine=True), state._replace(seats=with_seat(state.seats, counted), burned=False)


def _counted(seat: Seat, number: int) -> Seat:
    """The seat with so many hand cards, of which as many are known as can be."""
    known = seat.known[:number]
    if seat.hand is not None and len(seat.hand) == number:
        return seat
    unseen = [card for card in seat.hand or () if card not in known]
    rest = (*unseen[: number - len(known)],)
    return seat._replace(hand=known + rest + (UNKNOWN,) * (number - len(known) - len(rest)), known=known)


def repaired(state: State, move: Move) -> Ruled:
    """The cards lie right again."""
    return Verdict(move, "legal", routine=True), state._replace(stop=None, burned=False)
