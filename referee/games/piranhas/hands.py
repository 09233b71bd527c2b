"""Piranhas: how cards move between one player's deck, hand and discard pile (P-G2, P-G7, P-D1)."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import UNKNOWN, Face, is_known
from referee.games.piranhas.state import Seat, State
from referee.verdicts import Finding, Step

__all__ = [
    "add_to_discards",
    "check_source",
    "discard",
    "draw",
    "lay_down_all",
    "leave",
    "show_discard",
    "turn_over",
    "uncover",
]


def check_source(seat: Seat, card: Face) -> tuple[Finding, ...]:
    """The broken rule, if any, when `card` comes out of a player's hand: P-G8 or P-G2.

    A player who holds an uncovered card may only use that one; without one the card was just turned over, so it must
    be the upper card of the deck where that is known. Cards that nobody has read contradict nothing.
    """
    if seat.uncovered:
        return () if _may_be(card, seat.uncovered) else (Finding("P-G8", (card, *seat.uncovered)),)
    if seat.order and not _may_be(card, seat.order[:1]):
        return (Finding("P-G2", (card,)),)
    return ()


def _may_be(card: Face, held: tuple[Face, ...]) -> bool:
    return not is_known(card) or any(one == card or not is_known(one) for one in held)


def leave(seat: Seat, card: Face) -> Seat:
    """`seat` after `card` has left its hand, or its deck when no card was uncovered."""
    if seat.uncovered:
        seat = _settle_double(seat, card) if seat.owes else seat
        return replace(seat, uncovered=())
    return draw(seat)


def _settle_double(seat: Seat, card: Face) -> Seat:
    """A player who owed a discard (P-G7) and plays has laid the other uncovered cards down before."""
    others = _without(seat.uncovered, card)
    return replace(add_to_discards(seat, others), owes=False)


def draw(seat: Seat) -> Seat:
    """`seat` after its upper deck card has left, whatever it was."""
    if seat.deck == 0:  # nobody saw it being turned over: from here on its size is not known
        return replace(seat, deck=None, order=(), discards=(), sorted=True)
    return replace(seat, deck=None if seat.deck is None else seat.deck - 1, order=seat.order[1:])


def _without(cards: tuple[Face, ...], card: Face) -> tuple[Face, ...]:
    """`cards` less one that may be `card`."""
    gone = next((i for i, one in enumerate(cards) if one == card), None)
    if gone is None:
        gone = next((i for i, one in enumerate(cards) if not is_known(one)), 0)
    return cards[:gone] + cards[gone + 1 :]


def uncover(seat: Seat, card: Face) -> tuple[Seat, tuple[Finding, ...]]:
    """`seat` after turning over `card`, and what it broke. A card from below the top goes back (P-G2)."""
    faults: tuple[Finding, ...] = ()
    if seat.order and not _may_be(card, seat.order[:1]):
        faults = (Finding("P-G2", (card,)),)
    if seat.uncovered:
        faults = (*faults, Finding("P-G7", (card, *seat.uncovered)))
    if any(fault.rule == "P-G2" for fault in faults):
        return seat, faults
    return replace(draw(seat), uncovered=(*seat.uncovered, card), owes=bool(seat.uncovered)), faults


def discard(seat: Seat, card: Face) -> tuple[Seat, tuple[Finding, ...]]:
    """`seat` after laying `card` on its own discard pile, and what it broke."""
    if seat.owes:
        kept = _without(seat.uncovered, card)
        return replace(add_to_discards(seat, (card,)), uncovered=kept, owes=len(kept) > 1), ()
    faults = check_source(seat, card)
    if not faults:
        return add_to_discards(leave(seat, card), (card,)), ()
    if faults[0].rule == "P-G2":
        return seat, faults
    # A second card was turned over beside the kept one; where it lies now is where P-G7 wants it.
    return add_to_discards(draw(seat), (card,)), (Finding("P-G7", (card, *seat.uncovered)),)


def add_to_discards(seat: Seat, cards: tuple[Face, ...], *, ordered: bool = True) -> Seat:
    """`seat` with `cards` on its discard pile; not `ordered` for a packet of penalty cards (P-A12)."""
    return replace(seat, discards=(*seat.discards, *cards), sorted=seat.sorted and ordered)


def show_discard(seat: Seat, card: Face) -> Seat:
    """`seat` after a discard during a stop was seen: it carries out P-W2, which is counted, and names a card."""
    if card in seat.discards or UNKNOWN not in seat.discards:
        return seat
    last = len(seat.discards) - 1 - seat.discards[::-1].index(UNKNOWN)
    return replace(seat, discards=(*seat.discards[:last], card, *seat.discards[last + 1 :]))


def turn_over(seat: Seat, *, reshuffle: bool) -> tuple[Seat, bool]:
    """`seat` after taking up its discard pile (P-D1, P-A13), and whether its deck was used up as it should be."""
    early = bool(seat.deck)
    lying = len(seat.discards)
    complete = seat.deck == 0 or (seat.count is not None and lying + len(seat.uncovered) == seat.count)
    follows = seat.sorted and complete and not reshuffle and not early
    turned = replace(seat, order=seat.discards if follows else (), discards=(), sorted=True)
    if complete:
        return replace(turned, deck=lying), not early
    return replace(turned, deck=None if seat.deck is None else seat.deck + lying), not early


def lay_down_all(state: State) -> tuple[State, tuple[Step, ...]]:
    """Every uncovered card goes onto its owner's discard pile (P-W2); with the steps that say so."""
    steps = tuple(
        Step(seat.name, "discard", seat.uncovered, count=len(seat.uncovered), to="discard", how="uncovered")
        for seat in state.seats
        if seat.uncovered
    )
    seats = tuple(replace(add_to_discards(seat, seat.uncovered), uncovered=(), owes=False) for seat in state.seats)
    return replace(state, seats=seats), steps
