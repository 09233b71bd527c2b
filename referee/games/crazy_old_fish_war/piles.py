"""Crazy Old Fish War: cards off the draw pile, and the play pile that becomes a new one (C-A14).

A counted draw that is announced is carried out in the state at once, and kept as due until it is seen or play goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from referee.cards import Face
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.state import Due, State, mark, seat_at
from referee.games.seats import Cards, draw_through, with_seat
from referee.knowledge import drew
from referee.moves import TABLE
from referee.verdicts import Step

__all__ = ["draw_step", "due_steps", "owe", "supply", "take_off"]


def supply(state: State) -> int | None:
    """How many cards can be drawn in all; None where nobody counted the draw pile."""
    if state.draw is None:
        return None
    below = len(state.pile) - 1 if state.table.rules.empty_draw == "reshuffle" else 0
    return len(state.draw) + below


def take_off(state: State, player: str) -> tuple[Face | None, State, tuple[Step, ...]]:
    """The war card of a player off the draw pile (C-V8), or None if there is none; the step of making a new pile."""
    taken, draw, pile, steps = _drawn(state, 1)
    state = state._replace(draw=draw, pile=pile, changed=mark(state.changed, player) if taken else state.changed)
    return (taken[0] if taken else None), state, steps


def _drawn(state: State, count: int) -> tuple[tuple[Face, ...], Cards, tuple[Face, ...], tuple[Step, ...]]:
    """The next `count` cards, or what there is; draw pile and play pile after that, and the step of shuffling."""
    below = state.pile[:-1] if state.table.rules.empty_draw == "reshuffle" else ()
    taken, left, turned = draw_through(state.draw, below, count)
    if not turned:
        return taken, left, state.pile, ()
    return taken, left, state.pile[-1:], (Step(TABLE, "turn", how="reshuffle"),)


def owe(state: State, player: str, *, count: int, rule: str) -> tuple[State, tuple[Step, ...]]:
    """`player` has to draw `count` cards by `rule`, or what there is; the steps that tell so."""
    cards, draw, pile, steps = _drawn(state, count)
    dry = state.dry or (len(cards) < count and state.table.rules.empty_draw == "end_round")
    if not cards:
        return (state._replace(dry=True) if dry else state), steps
    state = state._replace(
        seats=with_seat(state.seats, hands.drew(seat_at(state, player), cards)),
        draw=draw,
        pile=pile,
        claims=drew(state.claims, player, len(cards)),
        due=(*state.due, Due(player, len(cards), rule)),
        changed=mark(state.changed, player),
        dry=dry,
    )
    return state, (*steps, draw_step(player, len(cards)))


@cache
def draw_step(player: str, count: int) -> Step:
    """The order to draw so many cards."""
    return Step(player, "draw", count=count, how="draw")


def due_steps(due: Iterable[Due]) -> tuple[Step, ...]:
    """The orders for draws that are still due."""
    return tuple([draw_step(one.player, one.number) for one in due])
