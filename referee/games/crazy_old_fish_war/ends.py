"""Crazy Old Fish War: how a round ends, and with it perhaps the game (C-E1, C-W1, C-W2, C-A14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.state import Outcome, State, Turn, hand_size, seat_at, with_seats
from referee.verdicts import Finding, Result, Ruling, Verdict

__all__ = ["LAST_CARD", "end_dry", "recounted", "win"]

LAST_CARD = "last-card"
_EMPTY = "empty-draw"


def win(state: State, winners: Sequence[str], *, reason: str = LAST_CARD) -> State:
    """The round is over: its winners get it, and whoever has enough of them wins the game (C-W2).

    Nothing more is drawn or named, nobody needs to shout, and a received card stays with whoever has it.
    """
    wins = dict(state.table.wins)
    for name in winners:
        wins[name] += 1
    champions = tuple(name for name in winners if wins[name] >= state.table.rules.rounds_to_win)
    result = Result("game" if champions else "round", reason, champions or tuple(winners), tuple(wins.items()))
    if state.turn.step == "received":
        asking = seat_at(state, state.turn.player)
        state = with_seats(state, hands.take_openly(asking, (state.turn.card,)))
    state = state._replace(turn=Turn(state.turn.player))
    talk = state.talk._replace(duties=(), early=(), lapsed=())
    return state._replace(phase="over", due=(), talk=talk, ended=None, changed=(), asks=(), result=result)


def end_dry(verdict: Verdict, state: State) -> Outcome:
    """A draw could not be made, which ends the round here (`empty_draw`): the fewest cards win it."""
    over = win(state, _fewest(state), reason=_EMPTY)
    ruling: Ruling = "legal" if verdict.ruling == "pending" else verdict.ruling
    ground = Finding("C-A14", facts={"case": "empty"})
    ended = replace(verdict, ruling=ruling, grounds=(*verdict.grounds, ground), asks=(), result=over.result)
    return ended, over


def _fewest(state: State) -> tuple[str, ...]:
    """Nobody as long as some hand was not counted."""
    sizes = {name: hand_size(state, name) for name in state.table.players}
    counted = [count for count in sizes.values() if count is not None]
    if len(counted) < len(sizes):
        return ()
    return tuple(name for name, count in sizes.items() if count == min(counted))


def recounted(state: State) -> State:
    """`state` with the end reckoned again after hands were counted that nobody had counted before."""
    if state.result is None or state.result.reason != _EMPTY:
        return state
    return win(state, _fewest(state), reason=_EMPTY)
