"""Crazy Old Fish War: fish names and "no fish!" (C-F1, C-F2, C-A11 to C-A13)."""

from __future__ import annotations

from referee.errors import MoveError
from referee.games.crazy_old_fish_war.names import plain
from referee.games.crazy_old_fish_war.piles import owe
from referee.games.crazy_old_fish_war.state import Outcome, State, hand_size
from referee.games.crazy_old_fish_war.turns import fish_asks, out_of_play, waiting_for, who
from referee.moves import Move
from referee.verdicts import Finding, Step, Verdict

__all__ = ["no_fish", "shout"]

_NEARLY = 2
"""With so many cards a player may shout before the last but one lies on the pile."""


def shout(state: State, move: Move) -> Outcome:
    """Somebody shouts a fish. Raises `MoveError` when nobody heard which."""
    name = plain(move.target or "")
    if not name:
        raise MoveError("A fish was shouted, but which one is not said.", hint="Write its name, for example trout.")
    if state.phase != "playing":
        return out_of_play(state, move)
    actor = who(state, move)
    talk = state.talk
    size = hand_size(state, actor)
    if actor not in talk.duties and size is not None and size > _NEARLY:
        return Verdict(move, "void", grounds=(Finding("C-F1", facts={"case": "early", "player": actor}),)), state
    if name in talk.names:
        fault = Finding("C-F2", facts={"case": "used", "name": str(move.target)})
        return Verdict(move, "foul", faults=(fault,), asks=fish_asks((actor,))), state
    done = actor in talk.duties
    talk = talk._replace(
        names=(*talk.names, name),
        duties=tuple(one for one in talk.duties if one != actor),
        early=talk.early if done else (*talk.early, actor),
        lapsed=tuple(one for one in talk.lapsed if one != actor),
    )
    ground = Finding("C-F1", facts={"case": "shouted", "player": actor})
    return Verdict(move, "legal", grounds=(ground,), asks=waiting_for(state)), state._replace(talk=talk)


def no_fish(state: State, move: Move) -> Outcome:
    """An opponent noticed that nobody has shouted (C-A11): in time, too late, or wrongly."""
    if state.phase != "playing":
        return out_of_play(state, move)
    guilty = tuple(name for name in state.talk.duties if name != move.player and hand_size(state, name) == 1)
    if not guilty:
        return _in_vain(state, move), state
    count = state.table.rules.shout_penalty
    faults = tuple(Finding("C-F1", facts={"case": "caught", "player": name}) for name in guilty)
    if not count:
        return Verdict(move, "upheld", faults=faults, asks=fish_asks(guilty)), state
    steps: tuple[Step, ...] = ()
    for name in guilty:
        state, owed = owe(state, name, count=count, rule="C-F1")
        steps += owed
    left = tuple(name for name in state.talk.duties if name not in guilty)
    return Verdict(move, "upheld", faults=faults, remedy=steps), state._replace(talk=state.talk._replace(duties=left))


def _in_vain(state: State, move: Move) -> Verdict:
    talk = state.talk
    if move.player in talk.duties:
        return Verdict(move, "void", grounds=(Finding("C-A11", facts={"case": "own"}),))
    if any(name != move.player for name in talk.lapsed):
        return Verdict(move, "void", grounds=(Finding("C-A11", facts={"case": "late"}),))
    return Verdict(move, "rejected", grounds=(Finding("C-F1", facts={"case": "nobody"}),))
