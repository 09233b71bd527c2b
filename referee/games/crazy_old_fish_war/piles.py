"""Crazy Old Fish War: cards off the draw pile, and the play pile that becomes a new one (C-A14).

A counted draw that is announced is carried out in the state at once, and kept as due until it is seen or play goes on.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Face
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.state import Due, State, seat_at, with_seats
from referee.games.seats import draw_off
from referee.knowledge import drew
from referee.moves import TABLE
from referee.verdicts import Step

__all__ = ["draw_step", "due_steps", "owe", "put_back", "supply", "take_off"]


def supply(state: State) -> int | None:
    """How many cards can be drawn in all; None where nobody counted the draw pile."""
    if state.draw is None:
        return None
    below = len(state.pile) - 1 if state.table.rules.empty_draw == "reshuffle" else 0
    return len(state.draw) + below


def take_off(state: State, count: int) -> tuple[tuple[Face, ...], State, tuple[Step, ...]]:
    """The next `count` cards of the draw pile, fewer where there are no more, and the step of making a new one.

    The play pile is turned over as it lies: nobody sees in which order it is shuffled, and no verdict looks there.
    """
    taken, left = draw_off(state.draw, count)
    below = state.pile[:-1]
    if len(taken) == count or not below or state.table.rules.empty_draw != "reshuffle":
        return taken, state._replace(draw=left), ()
    more, left = draw_off(below[::-1], count - len(taken))
    return (*taken, *more), state._replace(draw=left, pile=state.pile[-1:]), (Step(TABLE, "turn", how="reshuffle"),)


def put_back(state: State, card: Face) -> State:
    """`state` with one card back on top of the draw pile."""
    return state if state.draw is None else state._replace(draw=(*state.draw, card))


def owe(state: State, player: str, *, count: int, rule: str) -> tuple[State, tuple[Step, ...]]:
    """`player` has to draw `count` cards by `rule`, or what there is; the steps that tell so."""
    cards, state, steps = take_off(state, count)
    dry = len(cards) < count and state.table.rules.empty_draw == "end_round"
    if dry:
        state = state._replace(dry=True)
    if not cards:
        return state, steps
    state = with_seats(state, hands.drew(seat_at(state, player), cards))
    state = state._replace(
        claims=drew(state.claims, player, len(cards)),
        due=(*state.due, Due(player, len(cards), rule)),
        changed=state.changed if player in state.changed else (*state.changed, player),
    )
    return state, (*steps, draw_step(player, len(cards)))


def draw_step(player: str, count: int) -> Step:
    """The order to draw so many cards."""
    return Step(player, "draw", count=count, how="draw")


def due_steps(due: Iterable[Due]) -> tuple[Step, ...]:
    """The orders for draws that are still due."""
    return tuple(draw_step(one.player, one.number) for one in due)
