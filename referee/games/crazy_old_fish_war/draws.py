"""Crazy Old Fish War: somebody draws: what was announced, or what nobody ordered (C-T4, C-M2, C-V5, C-G5)."""

from __future__ import annotations

from dataclasses import replace

from referee.errors import MoveError
from referee.games.crazy_old_fish_war.piles import due_steps
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import Due, Outcome, State
from referee.games.crazy_old_fish_war.turns import Blame, objection, out_of_play, refuse, waiting_for, who
from referee.moves import Move
from referee.verdicts import Finding, Ruling, Step, Verdict

__all__ = ["draw", "paid"]


def draw(state: State, move: Move) -> Outcome:
    """Somebody takes cards off the draw pile. Raises `MoveError` unless it is a number of cards."""
    count = move.data.get("n")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise MoveError(f"A draw needs a number of cards, not {count!r}.", hint="Write 1, 2, 3 ...")
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    actor = who(ready, move)
    owed = sum(one.number for one in ready.due if one.player == actor)
    if not owed:
        return _mere(ready, move, actor=actor, count=count)
    if count > owed:
        return _surplus(ready, move, actor=actor, surplus=count - owed)
    return _pay(ready, move, actor=actor, count=count)


def _mere(state: State, move: Move, *, actor: str, count: int) -> Outcome:
    """Nobody ordered it: the cards go back onto the draw pile."""
    blame: Blame = objection(state, actor) or ("foul", Finding("C-T4", facts={"case": "draw"}))
    verdict, state = refuse(state, move, blame, actor=actor)
    return _with_cards_back(verdict, actor, count), state


def _with_cards_back(verdict: Verdict, actor: str, count: int) -> Verdict:
    step = Step(actor, "discard", count=count, to="draw", how="drawn-back")
    return replace(verdict, remedy=(*verdict.remedy, step))


def _pay(state: State, move: Move, *, actor: str, count: int) -> Outcome:
    """As many as announced, or fewer: then the rest is still to be drawn."""
    state = _drawn(state, actor, count)
    missing = tuple(one for one in state.due if one.player == actor)
    if missing:
        rules = dict.fromkeys(one.rule for one in missing)
        left = sum(one.number for one in missing)
        faults = tuple(Finding(rule, facts={"case": "missing", "player": actor, "count": left}) for rule in rules)
        return Verdict(move, "pending", faults=faults, remedy=due_steps(missing), asks=waiting_for(state)), state
    ruling: Ruling = "pending" if state.turn.step == "colour" and state.turn.whom == actor else "legal"
    return Verdict(move, ruling, asks=waiting_for(state)), state


def _drawn(state: State, actor: str, count: int) -> State:
    return state._replace(due=_less(state.due, actor, count), stop=None, taking=())


def paid(state: State, move: Move) -> State | None:
    """The position after exactly what was announced is drawn; None where there is more to it."""
    owed = sum([one.number for one in state.due if one.player == move.player])
    number = move.data.get("n")
    if not owed or type(number) is not int or number != owed or state.phase != "playing" or move.candidates:
        return None
    return _drawn(state, move.player, owed)


def _less(due: tuple[Due, ...], actor: str, count: int) -> tuple[Due, ...]:
    """What is still due after `actor` has drawn `count` cards, the oldest order first."""
    left = []
    for one in due:
        paid = min(count, one.number) if one.player == actor else 0
        count -= paid
        if paid < one.number:
            left.append(one._replace(number=one.number - paid))
    return tuple(left)


def _surplus(state: State, move: Move, *, actor: str, surplus: int) -> Outcome:
    """More than announced: what is too much goes back."""
    rule = next(one.rule for one in reversed(state.due) if one.player == actor)
    state = state._replace(due=tuple(one for one in state.due if one.player != actor))
    fault = Finding(rule, facts={"case": "surplus", "player": actor, "count": surplus})
    verdict = Verdict(move, "foul", faults=(fault,), asks=waiting_for(state))
    return _with_cards_back(verdict, actor, surplus), state
