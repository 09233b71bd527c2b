"""Crazy Old Fish War: "no match" and "no": what contradicts a claim, at once or later (C-T2, C-G2, C-A27, README)."""

from __future__ import annotations

from functools import cache
from typing import cast

from referee.cards import Face
from referee.games.crazy_old_fish_war.faces import ANY, fits
from referee.games.crazy_old_fish_war.piles import owe
from referee.games.crazy_old_fish_war.state import State, is_empty, matches, seat_at
from referee.knowledge import Claim, follow
from referee.verdicts import Finding, Step

__all__ = ["claim", "contradiction", "penalty", "proof_grounds", "prove", "proven", "withdraw"]


def contradiction(state: State, player: str) -> tuple[Face, ...] | None:
    """What everybody knows that contradicts "I have no match": a known card; () where any card would; else None."""
    seat = seat_at(state, player)
    for card in seat.known:
        if matches(state, card):
            return (card,)
    return () if state.colour == ANY and seat.hand is not None and not is_empty(seat) else None


def claim(state: State, player: str, rule: str) -> Claim:
    """That `player` has no match for the top card and the colour in force at this moment."""
    return Claim(player, rule, (state.pile[-1], state.colour))


def withdraw(state: State, player: str, rule: str) -> State:
    """`state` without the latest claim of that player under that rule, which was disproved by itself."""
    places = [place for place, one in enumerate(state.claims) if one.player == player and one.rule == rule]
    if not places:
        return state
    return state._replace(claims=state.claims[: places[-1]] + state.claims[places[-1] + 1 :])


def prove(state: State, player: str, cards: tuple[Face, ...]) -> tuple[State, tuple[str, ...]]:
    """`player` has shown `cards` from the hand: the claims that can still be true, and the rules of the others."""
    claims, rules = proven(state.claims, player, cards)
    return (state if claims is state.claims else state._replace(claims=claims)), rules


def proven(
    claims: tuple[Claim, ...], player: str, cards: tuple[Face, ...]
) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """As `prove`, of the claims alone."""
    if player not in [one.player for one in claims]:
        return claims, ()
    left, false = follow(claims, player, cards, contradicts=_contradicts)
    return left, tuple(dict.fromkeys([one.rule for one in false])) if false else ()


@cache
def _contradicts(against: object, card: Face) -> bool:
    top, colour = cast("tuple[Face, str | None]", against)
    return bool(fits(top, colour, card))


def proof_grounds(player: str, proves: tuple[str, ...]) -> tuple[Finding, ...]:
    """What is said about claims of `player` that have just been shown false."""
    return tuple(Finding(rule, facts={"case": "proven", "player": player}) for rule in proves)


def penalty(state: State, player: str, rules: tuple[str, ...]) -> tuple[State, tuple[Step, ...]]:
    """Whoever is disproved or proven draws what the house rule `renege_penalty` says, once for each ruling."""
    count = state.table.rules.renege_penalty
    if not rules or not count:
        return state, ()
    return owe(state, player, count=count, rule=rules[0])
