"""What games with hands and turns share: who sits where, what is in a hand, the draw pile, who is next.

A hand or a pile is a tuple of faces with `UNKNOWN` for a card that nobody saw, or None where nobody counted. In a
simulation every face is known, at a real table hardly any: the same rules work on both, since no verdict may look at a
face that nobody saw. `known` are the faces that everybody saw going into a hand and not leaving it.

These are named tuples, since a game makes new ones with every move: they cost a fraction of a frozen dataclass.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.cards import UNKNOWN, Face
from referee.games.replacing import replacing

__all__ = ["Cards", "Seat", "draw_off", "draw_through", "gain", "seat_of", "size_of", "with_seat"]

Cards: TypeAlias = tuple[Face, ...] | None
"""Faces of a hand or a pile, the upper card last; None where nobody counted."""


@replacing
class Seat(NamedTuple):
    """One player of a game with hands.

    hand    the hand cards; None where nobody counted them
    known   those of them that everybody saw going in
    open    cards lying open in front of the player
    hidden  cards lying face down there
    played  how many cards the player has put on the pile so far, for the phones
    wrong   how many of them were against a rule
    """

    name: str
    hand: Cards = None
    known: tuple[Face, ...] = ()
    open: Cards = None
    hidden: Cards = None
    played: int = 0
    wrong: int = 0


def size_of(cards: Cards) -> int | None:
    """How many cards these are; None where nobody counted."""
    return None if cards is None else len(cards)


def seat_of(seats: tuple[Seat, ...], player: str) -> Seat | None:
    """The seat of `player`, or None for the table and for somebody unclear."""
    for seat in seats:
        if seat.name == player:
            return seat
    return None


def with_seat(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """`seats` with the one of that name replaced."""
    place = [one.name for one in seats].index(seat.name)
    return (*seats[:place], seat, *seats[place + 1 :])


def gain(seat: Seat, cards: tuple[Face, ...], *, openly: bool) -> Seat:
    """`seat` after `cards` came into the hand, for everybody to see or unseen."""
    hand = None if seat.hand is None else seat.hand + cards
    if not openly:
        return seat._replace(hand=hand)
    return seat._replace(hand=hand, known=seat.known + tuple(card for card in cards if card != UNKNOWN))


def draw_off(pile: Cards, count: int) -> tuple[tuple[Face, ...], Cards]:
    """The `count` upper cards of a draw pile, in the order drawn, and what is left: fewer where it ends before.

    Off a pile that nobody counted every number can be drawn.
    """
    if pile is None:
        return (UNKNOWN,) * count, None
    if not count:
        return (), pile
    return pile[: -count - 1 : -1], pile[:-count]


def draw_through(pile: Cards, below: tuple[Face, ...], count: int) -> tuple[tuple[Face, ...], Cards, bool]:
    """The next `count` cards where the draw pile may run out: then `below`, the cards of the play pile beneath its top,
    are turned over as they lie and drawn off next. The cards drawn, the draw pile left, and whether that was done.

    Nobody sees in which order they are really shuffled, and no verdict looks there.
    """
    cards, left = draw_off(pile, count)
    if len(cards) == count or not below:
        return cards, left, False
    more, left = draw_off(below[::-1], count - len(cards))
    return cards + more, left, True
