"""Shithead: how a game ends: places, points, fatalities, series, the offer to stop (S-P1, S-F, S-A36 to S-A39)."""

from __future__ import annotations

from referee.games.shithead.options import FATALITIES
from referee.games.shithead.state import State
from referee.verdicts import Result

__all__ = ["finish", "is_offered", "places_if_stopped"]


def finish(state: State, reason: str, *, ranks: frozenset[int] = frozenset()) -> State:
    """The game is over: who is left has lost, the places give points. `ranks` are those of the last play (S-F1)."""
    out = (*state.out, *(seat.name for seat in state.seats if seat.name not in state.out))
    totals = {name: total + out.index(name) + 1 for name, total in state.points}
    last = 1 < state.rules.series <= state.games + 1
    # A tie goes to whoever finished first (S-A36); without points that is everybody's.
    winner = min(out, key=lambda name: totals.get(name, 0)) if last else out[0]
    points = tuple(totals.items())
    result = Result("series" if last else "game", reason, (winner,), points, fatality=_fatality(state, ranks))
    return state._replace(phase="over", out=out, points=points, result=result, asks=(), waiting=None)


def _fatality(state: State, ranks: frozenset[int]) -> str | None:
    """The special last play that this was (S-F1 to S-F3, S-A37, S-A38)."""
    known = state.rules.fatalities.split(",")
    return next((name for name, (rank, _) in FATALITIES.items() if name in known and ranks == {rank}), None)


def is_offered(state: State) -> bool:
    """Whether the game has gone on for so long that the table may stop it (S-A39)."""
    cap = state.rules.turn_cap
    return state.phase == "playing" and 0 < cap <= state.turns - state.offered


def places_if_stopped(state: State) -> tuple[str, ...] | None:
    """The order of finishing if the game stops now: most cards loses (S-A39); None while a hand was not counted.

    With equally many cards whoever would act first is ahead.
    """
    names = [seat.name for seat in state.seats]
    first = names.index(state.turn)
    left: dict[str, int] = {}
    for seat in state.seats:
        if seat.name not in state.out:
            if seat.hand is None:
                return None
            left[seat.name] = len(seat.hand) + len(seat.open or ()) + len(seat.hidden or ())
    order = [name for name in names[first:] + names[:first] if name in left]
    return (*state.out, *sorted(order, key=left.__getitem__))
