"""Crazy Old Fish War: cards that come into a hand or leave it, and which of them everybody knows.

A card that is shown and goes back is known from then on. Which unseen card of a simulation is taken for a shown one
must not matter to anybody: a hand only ever tells its size and what was seen.
"""

from __future__ import annotations

from referee.cards import UNKNOWN, Face, is_known
from referee.games.seats import Seat
from referee.knowledge import take_out

__all__ = ["drew", "leave", "show", "take_openly", "total"]


def leave(seat: Seat, card: Face, *, onto: tuple[Face, ...] | None = None, played: int = 0) -> Seat:
    """`seat` after `card` left the hand: a known card, else an unseen one; `onto` are the cards lying open then.

    Where everybody knows the whole hand and `card` is not in it, nobody can tell what is wrong: the hand stays.
    """
    name, hand, known, lying, hidden, before, wrong = seat
    if card in known:
        hand, known = (None if hand is None else _without(hand, card)), _without(known, card)
    elif hand is not None and not known and card in hand:
        hand = _without(hand, card)
    elif hand is not None:
        unseen = _unseen(hand, known)
        if unseen:
            hand = _without(hand, _likeliest(unseen, card))
        elif card == UNKNOWN and known:
            hand, known = _without(hand, known[-1]), known[:-1]
    return Seat(name, hand, known, lying if onto is None else onto, hidden, before + played, wrong)


def show(seat: Seat, card: Face) -> Seat:
    """`seat` after `card` was shown from the hand and went back into it."""
    if not is_known(card) or card in seat.known:
        return seat
    gone = leave(seat, card)
    return seat if gone == seat and seat.hand is not None else take_openly(gone, (card,))


def take_openly(seat: Seat, cards: tuple[Face, ...], *, onto: tuple[Face, ...] | None = None) -> Seat:
    """`seat` after everybody saw `cards` going into the hand; `onto` are the cards lying open then."""
    name, hand, known, lying, hidden, played, wrong = seat
    known += tuple([card for card in cards if is_known(card)])
    hand = None if hand is None else hand + cards
    return Seat(name, hand, known, lying if onto is None else onto, hidden, played, wrong)


def drew(seat: Seat, cards: tuple[Face, ...]) -> Seat:
    """`seat` after `cards` went into the hand unseen."""
    return seat if seat.hand is None else seat._replace(hand=seat.hand + cards)


def total(seat: Seat, count: int) -> Seat:
    """`seat` after somebody counted the hand: so many cards, of which as many are known as can be."""
    known = seat.known[:count]
    hand = seat.hand if seat.hand is not None else seat.known
    unseen = _unseen(hand, known)[: count - len(known)]
    return seat._replace(hand=(*known, *unseen, *(UNKNOWN,) * (count - len(known) - len(unseen))), known=known)


def _without(cards: tuple[Face, ...], card: Face) -> tuple[Face, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _unseen(hand: tuple[Face, ...], known: tuple[Face, ...]) -> tuple[Face, ...]:
    for card in known:
        hand = take_out(hand, card)
    return hand


def _likeliest(unseen: tuple[Face, ...], card: Face) -> Face:
    if card in unseen:
        return card
    return UNKNOWN if UNKNOWN in unseen else unseen[-1]
