"""Shithead: what everybody may infer about hands: known cards, and claims that counting shows false (S-T1, S-A23).

Taking the pile is the claim "I cannot play" (S-A44). The rules of inference are those of `referee.knowledge`.
"""

from __future__ import annotations

from operator import contains

from referee.cards import Face
from referee.games.seats import Seat
from referee.games.shithead.hands import HAND, OPEN, left_over, those_read
from referee.games.shithead.lay import fits_alone
from referee.games.shithead.ranks import match, may_fit, surely_fitting
from referee.games.shithead.state import State
from referee.knowledge import Claim, drew, follow, took_openly

__all__ = ["NO_RULE", "claimed", "is_refuted", "showed", "took"]

Claims = tuple[Claim, ...]

NO_RULE: tuple[str, ...] = ()
"""Nothing is proven."""


def is_refuted(state: State, seat: Seat) -> bool:
    """Whether everybody can see that the player could play: a known hand card fits, or an open one in the open phase.

    On the empty pile everything fits, whatever the player holds.
    """
    if seat.hand == ():
        return any(fits_alone(state, seat, card, OPEN) for card in set(seat.open or ()))
    fitting = may_fit(state.rules.ten, state.top.bars)
    likely = {card for card in seat.known if card in fitting}
    if any(fits_alone(state, seat, card, HAND) for card in likely):
        return True
    may_be_stuck = state.rules.no_special_finish and state.draw == () and left_over(seat) == 1
    return not state.pile and not may_be_stuck


def claimed(state: State, seat: Seat) -> Claims:
    """The claims once the player has said "I cannot play" on the pile as it lies; nothing new if all is visible.

    What contradicts the claim are the cards that could have been played there.
    """
    if seat.hand == () or not state.pile:
        return state.claims
    return (*state.claims, Claim(seat.name, "S-T1", surely_fitting(state.rules.ten, state.top.bars)))


def showed(
    claims: Claims, before: Seat, cards: tuple[Face, ...], after: Seat, *, drawn: int = 0
) -> tuple[Claims, tuple[str, ...]]:
    """The claims after a player has shown hand cards and drawn others, and the rules that this proves broken.

    `before` and `after` are the player's seat.
    """
    player, known = before.name, before.known
    if player not in [one.player for one in claims]:
        return claims, NO_RULE
    shown = [card if card in known else match(known, card) or card for card in those_read(cards)]
    left, false = follow(claims, player, shown, drawn=drawn, certain=_is_certain(after), contradicts=contains)
    return left, tuple(dict.fromkeys([one.rule for one in false])) if false else NO_RULE


def took(claims: Claims, seat: Seat, cards: tuple[Face, ...]) -> Claims:
    """The claims after `cards` came into the hand for everybody to see, those unread apart; `seat` has them.

    Without those that nothing can show false any more: everybody knows the whole hand.
    """
    player = seat.name
    if player not in [one.player for one in claims]:
        return claims
    if _is_certain(seat):
        return tuple([one for one in claims if one.player != player])
    read = those_read(cards)
    return drew(took_openly(claims, player, read), player, len(cards) - len(read))


def _is_certain(seat: Seat) -> bool:
    """Whether everybody knows the whole hand."""
    return seat.hand is not None and len(seat.hand) <= len(seat.known)
