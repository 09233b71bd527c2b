"""Shithead: what everybody may infer about hands: known cards, and claims that counting shows false (S-T1, S-A23).

Taking the pile is the claim "I cannot play" (S-A44). The rules of inference are those of `referee.knowledge`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from referee.cards import Face, is_known
from referee.games.seats import Seat
from referee.games.shithead.hands import HAND, OPEN, left_over
from referee.games.shithead.lay import Laid, fits_alone
from referee.games.shithead.ranks import Bar, match, may_fit, surely_fitting
from referee.games.shithead.state import State
from referee.knowledge import Claim, drew, proven_false, show, took_openly

__all__ = ["NO_CLAIM", "after_play", "claimed", "is_refuted", "showed", "took", "without_certain"]

Claims = tuple[Claim, ...]

NO_RULE: tuple[str, ...] = ()
NO_CLAIM: tuple[Claims, tuple[str, ...]] = ((), NO_RULE)
"""Nothing was claimed, and so nothing is proven."""


def is_refuted(state: State, seat: Seat) -> bool:
    """Whether everybody can see that the player could play: a known hand card fits, or an open one in the open phase.

    On the empty pile everything fits, whatever the player holds.
    """
    if seat.hand == ():
        return any(fits_alone(state, seat, card, OPEN) for card in set(seat.open or ()))
    fitting = may_fit(state.rules.ten, state.top.bars)
    if not fitting.isdisjoint(seat.known) and any(fits_alone(state, seat, card, HAND) for card in set(seat.known)):
        return True
    may_be_stuck = state.rules.no_special_finish and state.draw == () and left_over(seat) == 1
    return not state.pile and not may_be_stuck


def claimed(state: State, seat: Seat) -> Claims:
    """The claims once the player has said "I cannot play" on the pile as it lies; nothing new if all is visible."""
    if seat.hand == () or not state.pile:
        return state.claims
    return (*state.claims, Claim(seat.name, "S-T1", (state.rules.ten, state.top.bars)))


def showed(claims: Claims, seat: Seat, cards: Iterable[Face]) -> tuple[Claims, tuple[str, ...]]:
    """The claims after the player has shown hand cards, and the rules that this proves broken."""
    known = seat.known
    shown = [card if card in known else match(known, card) or card for card in cards if is_known(card)]
    left, false = proven_false(show(claims, seat.name, shown, contradicts=_contradicts))
    return left, tuple(dict.fromkeys(one.rule for one in false))


def after_play(claims: Claims, laid: Laid, seat: Seat, drawn: int) -> tuple[Claims, tuple[str, ...]]:
    """The claims once the laid cards lie there and `seat`, their player, has drawn, and the rules proven broken."""
    player, proves = seat.name, NO_RULE
    if player not in [one.player for one in claims]:
        return claims, proves
    if laid.source == HAND:
        claims, proves = showed(claims, laid.seat, laid.cards)
    return without_certain(drew(claims, player, drawn), seat), proves


def took(claims: Claims, player: str, cards: tuple[Face, ...], *, unseen: int = 0) -> Claims:
    """The claims after `cards` came into the hand for everybody to see, and some more unseen."""
    read = tuple(filter(is_known, cards))
    return drew(took_openly(claims, player, read), player, unseen + len(cards) - len(read))


def without_certain(claims: Claims, seat: Seat) -> Claims:
    """The claims without those that nothing can show false any more: everybody knows the whole hand."""
    if seat.hand is None or len(seat.hand) > len(seat.known):
        return claims
    return tuple(one for one in claims if one.player != seat.name)


def _contradicts(against: object, card: Face) -> bool:
    """Whether somebody who held `card` could have played it on what lay there."""
    ten, bars = cast(tuple[str, tuple[Bar, ...]], against)
    return card in surely_fitting(ten, bars)
