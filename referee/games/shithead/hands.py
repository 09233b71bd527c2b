"""Shithead: cards that leave the places in front of a player, come back, or are drawn; and which of them are known.

A hand only ever tells its size and what everybody saw: which unseen card of a simulation is taken for a played one
that nobody had must not matter to anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.games.seats import Cards, Seat, draw_off
from referee.games.shithead.options import THREE
from referee.games.shithead.ranks import match

__all__ = [
    "BLIND", "ELSEWHERE", "HAND", "OPEN", "is_out", "leave", "left_over", "played", "take_up", "those_read", "without",
]  # fmt: skip

HAND: Final = "hand"
OPEN: Final = "open"
BLIND: Final = "blind"
ELSEWHERE: Final = "elsewhere"
"""Where cards come from: the last is any place that no card may be played from (S-K1)."""

_UNSEEN = frozenset({UNKNOWN, BACK})


def without(cards: Cards, gone: Sequence[Face]) -> Cards:
    """`cards` after those `gone` left: each is taken for itself, else for one that nobody saw, else for any."""
    if cards is None or not gone:
        return cards
    for card in gone:
        if card not in cards:
            if not cards:
                break
            card = match(cards, card) or (UNKNOWN if UNKNOWN in cards else cards[-1])
        place = cards.index(card)
        cards = cards[:place] + cards[place + 1 :]
    return cards


def played(
    seat: Seat, cards: tuple[Face, ...], source: str, along: tuple[Face, ...], draw: Cards
) -> tuple[Seat, Cards, int]:
    """`seat` and the draw pile after `cards` were played and the hand was drawn up to three cards again (S-T4).

    With them how many cards were drawn.
    """
    name, hand, known, lying, hidden, count, wrong = seat
    if source == HAND:
        hand = without(hand, cards)
        if known:
            known = _still_known(known, cards, hand)
        if along:
            lying = without(lying, along)
    elif source == OPEN:
        lying = without(lying, cards + along)
    elif source == BLIND:
        hidden = without(hidden, cards)
    drawn: tuple[Face, ...] = ()
    if draw != () and hand is not None and len(hand) < THREE:
        drawn, draw = draw_off(draw, THREE - len(hand))
        hand += drawn
    seat = Seat(name, hand, known, lying, hidden, count + len(cards) + len(along), wrong)
    return seat, draw, len(drawn)


def leave(seat: Seat, cards: tuple[Face, ...], source: str, along: tuple[Face, ...] = ()) -> Seat:
    """`seat` after `cards` left the place `source`, and open cards `along` with them; nothing is drawn."""
    return played(seat, cards, source, along, ())[0]._replace(played=seat.played)


def _still_known(known: tuple[Face, ...], gone: tuple[Face, ...], hand: Cards) -> tuple[Face, ...]:
    """What everybody still knows of a hand; nothing if a card left it that nobody has read: it may be any of them."""
    for card in gone:
        if not (card in known or is_known(card)):
            return ()
        found = match(known, card)
        if found is not None:
            place = known.index(found)
            known = known[:place] + known[place + 1 :]
    return known if hand is None or len(known) <= len(hand) else known[: len(hand)]


def those_read(cards: tuple[Face, ...]) -> tuple[Face, ...]:
    """Those of `cards` whose face everybody has seen."""
    return cards if _UNSEEN.isdisjoint(cards) else tuple(filter(is_known, cards))


def take_up(seat: Seat, cards: tuple[Face, ...]) -> Seat:
    """`seat` after everybody saw `cards` going into the hand."""
    name, hand, known, lying, hidden, count, wrong = seat
    hand = None if hand is None else hand + cards
    return Seat(name, hand, known + those_read(cards), lying, hidden, count, wrong)


def left_over(seat: Seat) -> int | None:
    """How many cards the player still has to get rid of; None where nobody counted."""
    if seat.hand is None or seat.open is None or seat.hidden is None:
        return None
    return len(seat.hand) + len(seat.open) + len(seat.hidden)


def is_out(seat: Seat) -> bool:
    """Whether the player has got rid of everything (S-G)."""
    return seat.hand == () and seat.open == () and seat.hidden == ()
