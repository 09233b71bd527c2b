"""What can be known about a hand that nobody else sees, from what everybody saw: cards going in, claims, counting.

The rules of inference are those of `rules/README.md`. A card that everybody saw going into a hand is there until it is
seen leaving. A claim about a hand ("I have no match") is false as soon as more cards that contradict it have been shown
from that hand than could have come in unseen since. Everything else stays a matter of honesty.

A hand is a tuple of faces, `UNKNOWN` for a card that nobody saw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from referee.cards import UNKNOWN, Face

__all__ = ["Claim", "Hand", "drew", "follow", "take_out", "took_openly"]


class Hand(NamedTuple):
    """What everybody could know of one player's hand: how many cards (None: nobody counted) and which of them."""

    size: int | None
    known: tuple[Face, ...] = ()


class Claim(NamedTuple):
    """Something a player said about the own hand, and what was seen of that hand since.

    rule     the rule that is broken if the claim was false
    against  what a card had to match at that moment, in the terms of the game
    unseen   cards that came into the hand unseen since (`u` in the rules)
    shown    cards shown from the hand since that contradict the claim and did not come in openly (`m`)
    openly   cards that came in openly since and have not left again
    """

    player: str
    rule: str
    against: object
    unseen: int = 0
    shown: int = 0
    openly: tuple[Face, ...] = ()


def take_out(hand: tuple[Face, ...], card: Face) -> tuple[Face, ...]:
    """`hand` without one `card`, or without one unknown card that may have been it; unchanged if it can be neither."""
    for gone in (card, UNKNOWN):
        if gone in hand:
            place = hand.index(gone)
            return hand[:place] + hand[place + 1 :]
    return hand


def drew(claims: tuple[Claim, ...], player: str, count: int) -> tuple[Claim, ...]:
    """The claims after `count` cards came into the hand of `player` unseen."""
    if not count:
        return claims
    return tuple([_grown(one, unseen=count) if one.player == player else one for one in claims])


def took_openly(claims: tuple[Claim, ...], player: str, cards: Sequence[Face]) -> tuple[Claim, ...]:
    """The claims after everybody saw `cards` going into the hand of `player`."""
    if not cards:
        return claims
    return tuple([_grown(one, openly=tuple(cards)) if one.player == player else one for one in claims])


def _grown(claim: Claim, *, unseen: int = 0, openly: tuple[Face, ...] = ()) -> Claim:
    return Claim(claim.player, claim.rule, claim.against, claim.unseen + unseen, claim.shown, claim.openly + openly)


def follow(
    claims: tuple[Claim, ...], player: str, cards: Sequence[Face], *, contradicts: Callable[[Any, Face], bool],
    drawn: int = 0, certain: bool = False
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:  # fmt: skip
    """The claims after `player` has shown `cards` from the hand and then drawn some unseen, and those now shown false.

    A claim is false once `m` is greater than `u`.

    contradicts  `contradicts(against, card)`: whoever held `card` could not honestly have made the claim
    certain      everybody knows the hand that this leaves, so that nothing can show the player's other claims false
    """
    left, false = [], []
    for one in claims:
        name, rule, against, unseen, shown, openly = one
        if name != player:
            left.append(one)
            continue
        for card in cards:
            if card in openly:
                place = openly.index(card)
                openly = openly[:place] + openly[place + 1 :]
            elif contradicts(against, card):
                shown += 1
        if shown > unseen:
            false.append(Claim(name, rule, against, unseen + drawn, shown, openly))
        elif not certain:
            same = not drawn and shown == one.shown and openly is one.openly
            left.append(one if same else Claim(name, rule, against, unseen + drawn, shown, openly))
    return tuple(left), tuple(false)
