"""Shithead: dealing, the check before the first card (S-S1, S-S2), exchanging cards (S-S3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.cards import BACK, UNKNOWN, Face, face
from referee.errors import MoveError, SetupError
from referee.games.seats import Seat, seat_of, with_seat
from referee.games.shithead.hands import HAND, leave, take_up, without
from referee.games.shithead.options import DEALT, THREE
from referee.games.shithead.ranks import rank_of
from referee.games.shithead.state import State
from referee.moves import TABLE, Json, Move
from referee.verdicts import Ask, Finding, Step, Verdict

__all__ = ["DEAL", "deal", "dealt", "may_swap", "setup_faults", "start", "swap"]

DEAL: Final = Step(TABLE, "setup", how="deal")
"""Deal right (S-S1)."""
_CLEAR: Final = Step(TABLE, "setup", how="clear")


def deal(players: Sequence[str], deck: Sequence[Face]) -> dict[str, Json]:
    """Everybody's nine cards off `deck`, its first card first; the rest is the draw pile (section 1 of the rules)."""
    if len(deck) < DEALT * len(players):
        raise SetupError(
            f"{len(players)} players need {DEALT * len(players)} cards, but there are only {len(deck)}.",
            hint="Take another pack.",
        )
    piles = [list(deck[first : first + THREE]) for first in range(0, DEALT * len(players), THREE)]
    places = {key: dict(zip(players, piles[number::3], strict=False)) for number, key in enumerate(_PLACES)}
    return {"phase": "swap", **places, "draw": list(reversed(deck[DEALT * len(players) :]))}


_PLACES = ("hidden", "open", "hands")


def setup_faults(state: State) -> tuple[Finding, ...]:
    """What is wrong before the first card; what was not told is not checked."""
    faults = []
    wrong = tuple(seat.name for seat in state.seats if not _has_nine(seat))
    if wrong:
        faults.append(Finding("S-S1", facts={"case": "deal", "players": ", ".join(wrong)}))
    elif (found := _found(state)) is not None and found != state.total:
        faults.append(Finding("S-S1", facts={"case": "pack", "found": found, "total": state.total}))
    if state.pile:
        faults.append(Finding("S-S2", state.pile))
    return tuple(faults)


def _has_nine(seat: Seat) -> bool:
    return all(cards is None or len(cards) == THREE for cards in (seat.hand, seat.open, seat.hidden))


def _found(state: State) -> int | None:
    """How many cards there are altogether; None where some were not counted."""
    places = [state.draw, *(cards for seat in state.seats for cards in (seat.hand, seat.open, seat.hidden))]
    counts = [len(cards) for cards in places if cards is not None]
    return sum(counts) + len(state.pile) if len(counts) == len(places) else None


def dealt(state: State) -> State:
    """The table after the start: what nobody has told is as the rules say (S-S1)."""
    three = (UNKNOWN,) * THREE
    seats = tuple(
        seat._replace(
            hand=three if seat.hand is None else seat.hand,
            open=three if seat.open is None else seat.open,
            hidden=three if seat.hidden is None else seat.hidden,
        )
        for seat in state.seats
    )
    rest = max(0, state.total - DEALT * len(seats))
    return state._replace(phase="swap", seats=seats, draw=(UNKNOWN,) * rest if state.draw is None else state.draw)


def start(state: State, move: Move) -> tuple[Verdict, State]:
    """Everybody is ready: is everything in place?"""
    if state.phase == "over":
        return Verdict(move, "void", grounds=(Finding("S-G", facts={"case": "over"}),)), state
    if state.phase != "setup":
        return Verdict(move, "legal", routine=True), state
    faults = setup_faults(state)
    if faults:
        steps = {"S-S1": DEAL, "S-S2": _CLEAR}
        return Verdict(move, "foul", faults=faults, remedy=tuple(steps[one.rule] for one in faults)), state
    ground = Finding("S-S4", facts={"case": "first", "player": state.turn})
    return Verdict(move, "legal", grounds=(ground,)), dealt(state)


def may_swap(state: State, seat: Seat) -> bool:
    """Whether the player may still exchange hand and open cards (S-S3, S-A31, option `swap`)."""
    if state.rules.swap == "never" or state.phase == "over":
        return False
    if state.rules.swap == "own_first_turn":
        return seat.played == 0
    return state.phase in ("setup", "swap")


def swap(state: State, move: Move) -> tuple[Verdict, State]:
    """A hand card against an open one. Raises `MoveError` or `CardError` when that is not said."""
    hand, lying = _swapped(move)
    seat = seat_of(state.seats, move.player)
    if seat is None:
        ask = Ask("whose", seq=move.seq, choices=tuple(one.name for one in state.seats))
        return Verdict(move, "pending", grounds=(Finding("S-S3", (hand, lying)),), asks=(ask,)), state
    if may_swap(state, seat) and BACK not in (hand, lying):
        opens = None if seat.open is None else (*(without(seat.open, (lying,)) or ()), hand)
        after = take_up(leave(seat, (hand,), HAND)._replace(open=opens), (lying,))
        ground = Finding("S-S3", (hand, lying), {"case": "swapped"})
        return Verdict(move, "legal", grounds=(ground,)), state._replace(seats=with_seat(state.seats, after))
    case = "over" if state.phase == "over" else "hidden" if BACK in (hand, lying) else "late"
    step = Step(seat.name, "swap", (hand, lying), count=2, to="open", how="swap-back")
    fault = Finding("S-S3", (hand, lying), {"case": "never" if state.rules.swap == "never" else case})
    return Verdict(move, "foul", faults=(fault,), remedy=(step,)), state._replace(stop=move.seq)


def _swapped(move: Move) -> tuple[Face, Face]:
    """The hand card and the open card that are exchanged."""
    told = move.data.get("swap")
    if not isinstance(told, dict) or not {"hand", "open"} <= told.keys():
        raise MoveError("Which cards are exchanged is not said.", hint="Write swap: {hand: 9S, open: 4D}.")
    cards = face(told["hand"]), face(told["open"])
    for card in cards:
        rank_of(card)
    return cards
