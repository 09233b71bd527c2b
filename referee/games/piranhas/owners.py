"""Piranhas: cards whose owner nobody saw. The table is asked, and until it answers the tally is kept as a debt."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Face
from referee.games.piranhas.hands import place
from referee.games.piranhas.state import Placed, Seat, State, with_seat
from referee.games.piranhas.stop import end, penalise, punish_owner
from referee.moves import TABLE, UNCLEAR, Move
from referee.verdicts import Ask, Finding, Verdict

__all__ = ["Outcome", "Ruled", "debt_asks", "mine", "owner_asks", "void"]

Outcome = tuple[Verdict, State]

Ruled = tuple[Verdict | None, State]
"""An outcome, with None for the verdict on what is legal and routine: playing games out nobody asks for it."""


def void(move: Move, decision: str) -> Verdict:
    """No effect and no cost, because of `decision`."""
    return Verdict(move, "void", grounds=(Finding(decision, move.cards),))


def owner_asks(state: State, card: Placed) -> tuple[Ask, ...]:
    """The question whose card this is, if nobody knows."""
    return (_ask(state, card.seq),) if card.player == UNCLEAR else ()


def debt_asks(state: State) -> tuple[Ask, ...]:
    """Every question about an owner that is open."""
    return tuple(_ask(state, debt.seq) for debt in state.debts)


def _ask(state: State, seq: int | None) -> Ask:
    return Ask("whose", seq=seq, choices=tuple(seat.name for seat in state.seats))


def mine(state: State, move: Move, *, caller: Seat) -> Outcome:
    """The caller owns the latest card that nobody could assign, wherever it is by now.

    Without such a card it is the top one: the table knows better than the camera.
    """
    if state.phase == "over":
        return _no_owner_wanted(move), state
    if not state.debts:
        return _correct_top(state, move)
    debt, state = state.debts[-1], state._replace(debts=state.debts[:-1])
    paid = _placed(caller, debt.cards[0])
    if debt.penalty:
        paid = penalise(paid, debt.cards[0], packet=debt.cards[1:])
    state = with_seat(state, paid)
    places = [place for place, card in enumerate(state.pile) if (card.player, card.seq) == (UNCLEAR, debt.seq)]
    if not places:  # it went back as a wrong card, or somebody took it with a penalty
        return Verdict(replace(move, cards=debt.cards[:1]), "legal"), state
    return _name(state, places[-1], move=move, last=paid.owned == 0)


def _no_owner_wanted(move: Move) -> Verdict:
    return Verdict(move, "void", grounds=(Finding("P-A24", move.cards, {"case": "mine"}),))


def _correct_top(state: State, move: Move) -> Outcome:
    card = state.pile[-1] if state.pile else None
    if card is None or card.player in (TABLE, move.player):
        return _no_owner_wanted(move), state
    seats = []
    for seat in state.seats:
        if seat.name == card.player:
            owned = None if seat.owned is None else seat.owned + 1
            seat = seat._replace(owned=owned, played=max(0, seat.played - 1))
        seats.append(_placed(seat, card.face) if seat.name == move.player else seat)
    last = any(seat.name == move.player and seat.owned == 0 for seat in seats)
    return _name(state._replace(seats=tuple(seats)), len(state.pile) - 1, move=move, last=last)


def _name(state: State, place: int, *, move: Move, last: bool) -> Outcome:
    """The card at `place` is the caller's; if it was the last own one, the game may be over."""
    card = state.pile[place]._replace(player=move.player)
    state = state._replace(pile=(*state.pile[:place], card, *state.pile[place + 1 :]))
    verdict = Verdict(replace(move, cards=(card.face,)), "legal")
    on_top = place == len(state.pile) - 1 and state.phase == "playing"
    return _last_card(state, verdict) if last and on_top else (verdict, state)


def _placed(seat: Seat, card: Face) -> Seat:
    return place(seat, card, forbidden=card not in seat.uncovered)


def _last_card(state: State, verdict: Verdict) -> Outcome:
    """The card that turned out to be somebody's last one is checked like any last card (P-E1, P-A9)."""
    card = state.pile[-1]
    if card.faults is None:
        return verdict, state
    if card.faults:
        after, steps = punish_owner(state, verdict.move, card=card)
        return replace(verdict, ruling="foul", faults=card.faults, remedy=steps), after
    over = end(state, "last-card")
    return replace(verdict, result=over.result), over
