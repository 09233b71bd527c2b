"""Piranhas: how cards move between one player's deck, hand and discard pile (P-G2, P-G7, P-D1)."""

from __future__ import annotations

from referee.cards import UNKNOWN, Face, is_known
from referee.games.piranhas.state import Seat, State
from referee.verdicts import Finding, Step

__all__ = [
    "add_to_discards",
    "check_source",
    "discard",
    "drop_in_stop",
    "lay_down_all",
    "place",
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
    return (Finding("P-G2", (card,)),) if seat.order and not _may_be(card, seat.order[:1]) else ()


def _may_be(card: Face, held: tuple[Face, ...]) -> bool:
    return card in held or not (is_known(card) and all(map(is_known, held)))


def place(seat: Seat, card: Face, *, forbidden: bool) -> Seat:
    """`seat` after it has placed `card`: off the hand, or off the deck when no card was uncovered.

    A `forbidden` card came from where none may be played from: the discard pile, or within the deck.
    """
    uncovered = seat.uncovered if forbidden else ()
    if forbidden:
        left = _pull_out(seat, card)
    elif seat.uncovered:
        left = _settle_double(seat, card) if seat.owes else seat
    else:
        left = _draw(seat, card)
    # Nobody can place a card without owning one: a tally that says so was wrong.
    owned = seat.owned - 1 if seat.owned else None
    return left._replace(owned=owned, uncovered=uncovered, played=seat.played + 1)


def _settle_double(seat: Seat, card: Face) -> Seat:
    """A player who owed a discard (P-G7) and plays has laid the other uncovered cards down before."""
    return add_to_discards(seat, _without(seat.uncovered, card))._replace(owes=False)


def _draw(seat: Seat, card: Face) -> Seat:
    """`seat` after the upper card of its deck has left: `card`, if that was read."""
    return _off_deck(seat, card, uncovered=seat.uncovered, owes=seat.owes)


def _off_deck(seat: Seat, card: Face, *, uncovered: tuple[Face, ...], owes: bool) -> Seat:
    """As `_draw`, with the cards that lie uncovered then."""
    if seat.deck == 0:  # nobody saw it being turned over: from here on its size is not known
        stock = None if seat.stock is None else seat.discards[::-1]
        seat = seat._replace(deck=None, order=(), discards=(), sorted=True, stock=stock)
    deck = None if seat.deck is None else seat.deck - 1
    order, stock = seat.order[1:], _off_stock(seat.stock, card)
    return seat._replace(uncovered=uncovered, owes=owes, deck=deck, order=order, stock=stock)


def _off_stock(stock: tuple[Face, ...] | None, card: Face) -> tuple[Face, ...] | None:
    return _without(stock, card) if stock else stock


def _without(cards: tuple[Face, ...], card: Face) -> tuple[Face, ...]:
    """`cards` less `card`, or less one that may be it: one that nobody has read, or else the last."""
    if cards[-1] == card:
        return cards[:-1]
    gone = next((one for one in (card, UNKNOWN) if one in cards), cards[-1])
    place = len(cards) - 1 - cards[::-1].index(gone)
    return cards[:place] + cards[place + 1 :]


def _pull_out(seat: Seat, card: Face) -> Seat:
    if card in seat.discards:
        return seat._replace(discards=_without(seat.discards, card))
    deck = None if not seat.deck else seat.deck - 1
    order = tuple(one for one in seat.order if one != card)
    return seat._replace(deck=deck, order=order, stock=_off_stock(seat.stock, card))


def uncover(seat: Seat, card: Face) -> tuple[Seat, tuple[Finding, ...]]:
    """`seat` after turning over `card`, and what it broke. A card from below the top goes back (P-G2)."""
    second = (Finding("P-G7", (card, *seat.uncovered)),) if seat.uncovered else ()
    if seat.order and not _may_be(card, seat.order[:1]):
        return seat, (Finding("P-G2", (card,)), *second)
    return _off_deck(seat, card, uncovered=(*seat.uncovered, card), owes=bool(second)), second


def discard(seat: Seat, card: Face) -> tuple[Seat, tuple[Finding, ...]]:
    """`seat` after laying `card` on its own discard pile, and what it broke."""
    if seat.owes:
        kept = _without(seat.uncovered, card)
        return add_to_discards(seat, (card,))._replace(uncovered=kept, owes=len(kept) > 1), ()
    faults = check_source(seat, card)
    if not faults:
        left = seat if seat.uncovered else _draw(seat, card)
        return left._replace(uncovered=(), discards=(*left.discards, card)), ()
    if faults[0].rule == "P-G2":
        return seat, faults
    # A second card was turned over beside the kept one; where it lies now is where P-G7 wants it.
    return add_to_discards(_draw(seat, card), (card,)), (Finding("P-G7", (card, *seat.uncovered)),)


def add_to_discards(seat: Seat, cards: tuple[Face, ...], *, ordered: bool = True) -> Seat:
    """`seat` with `cards` on its discard pile; not `ordered` for a packet of penalty cards (P-A12)."""
    return seat._replace(discards=seat.discards + cards, sorted=seat.sorted and ordered)


def drop_in_stop(seat: Seat, card: Face) -> Seat:
    """`seat` after `card` was put on its discard pile during a stop, or must be (P-W1).

    Uncovered cards were counted there when the stop began (P-W2): seen now they are no further card, but get a name.
    """
    if not is_known(card) or card in seat.discards:
        return seat
    if UNKNOWN in seat.discards:
        last = len(seat.discards) - 1 - seat.discards[::-1].index(UNKNOWN)
        return seat._replace(discards=(*seat.discards[:last], card, *seat.discards[last + 1 :]))
    return add_to_discards(_draw(seat, card), (card,))


def turn_over(seat: Seat, *, reshuffle: bool) -> tuple[Seat, bool]:
    """`seat` after taking up its discard pile (P-D1, P-A13), and whether its deck was used up as it should be.

    A simulation has no dice here: a shuffled pile keeps its order, only nobody knows it.
    """
    early = bool(seat.deck)
    lying = len(seat.discards)
    complete = seat.deck == 0 or (seat.owned is not None and lying + len(seat.uncovered) == seat.owned)
    follows = seat.sorted and complete and not reshuffle and not early
    turned = seat._replace(
        order=seat.discards if follows else (),
        discards=(),
        sorted=True,
        stock=None if seat.stock is None else seat.discards[::-1] + seat.stock,
    )
    if complete:
        return turned._replace(deck=lying), not early
    return turned._replace(deck=None if seat.deck is None else seat.deck + lying), not early


def lay_down_all(state: State) -> tuple[State, tuple[Step, ...]]:
    """Every uncovered card goes onto its owner's discard pile (P-W2); with the steps that say so."""
    steps = tuple(
        Step(seat.name, "discard", seat.uncovered, count=len(seat.uncovered), to="discard", how="uncovered")
        for seat in state.seats
        if seat.uncovered
    )
    seats = tuple(add_to_discards(seat, seat.uncovered)._replace(uncovered=(), owes=False) for seat in state.seats)
    return state._replace(seats=seats), steps
