"""Crazy Old Fish War: "no match", and then war or fish (C-T2, C-T4, C-V1, C-G1, C-A3, C-A27)."""

from __future__ import annotations

from referee.errors import MoveError
from referee.games.crazy_old_fish_war.claims import claim, contradiction, penalty
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import Outcome, State, Turn, War
from referee.games.crazy_old_fish_war.turns import Blame, act, objection, out_of_play, refuse, remind, waiting_for, who
from referee.moves import TABLE, UNCLEAR, Move
from referee.verdicts import Ask, Finding, Step, Verdict

__all__ = ["ask", "declared", "no_match", "unmatched", "war"]

_FORBIDDEN = {"war": "fish_only", "ask": "war_only"}
_OWN_RULE = {"war": "C-V1", "ask": "C-G1"}


def war(state: State, move: Move) -> Outcome:
    """Somebody declares war on another player."""
    return _declare(state, move)


def ask(state: State, move: Move) -> Outcome:
    """Somebody asks another player for a matching card."""
    return _declare(state, move)


def no_match(state: State, move: Move) -> Outcome:
    """Somebody says "no match", and not yet what next: the claim counts once that is said."""
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    actor = who(ready, move)
    blame = objection(ready, actor) or _running(ready)
    if blame is not None:
        return refuse(ready, move, blame, actor=actor)
    false = _disproved(ready, move, actor)
    return false if false is not None else _whom(ready, move)


def _declare(state: State, move: Move) -> Outcome:
    """War or fish. Raises `MoveError` for somebody who does not play."""
    target = move.target
    if target not in (None, "", TABLE, UNCLEAR, *state.table.players):
        raise MoveError(f"{target!r} does not play in this match.", hint=f"Players: {', '.join(state.table.players)}.")
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    actor = who(ready, move)
    blame = objection(ready, actor) or _running(ready) or _forbidden(ready, move, actor)
    if blame is not None:
        return refuse(ready, move, blame, actor=actor)
    false = _disproved(ready, move, actor)
    if false is not None:
        return false
    if target is None or target not in ready.table.players:
        return _whom(ready, move)
    return _accept(ready, move, actor=actor, target=target)


def _running(state: State) -> Blame | None:
    """Once somebody is challenged or asked, that is the choice of this turn."""
    if state.turn.step not in ("war", "asked"):
        return None
    return "void", Finding("C-T4", facts={"case": "chosen"})


def _forbidden(state: State, move: Move, actor: str) -> Blame | None:
    if state.table.rules.fallback == _FORBIDDEN[move.kind]:
        return "foul", Finding("C-T4", facts={"case": state.table.rules.fallback})
    if move.target == actor:
        return "foul", Finding(_OWN_RULE[move.kind], facts={"case": "oneself"})
    return None


def _disproved(state: State, move: Move, actor: str) -> Outcome | None:
    """A claim that a known card contradicts is withdrawn on the spot."""
    against = contradiction(state, actor)
    if against is None:
        return None
    state, reminders = act(state)
    laid = state.war is not None
    steps = (Step(actor, "take", count=1, to="hand", how="own-back"),) if laid else ()
    state = state._replace(turn=Turn(actor), war=None)
    state, owed = penalty(state, actor, ("C-T2",))
    fault = Finding("C-T2", against, {"case": "known" if against else "anything", "player": actor})
    asks = (Ask("match", player=actor),)
    remedy = (*steps, *owed)
    return Verdict(move, "disproved", faults=(fault,), reminders=reminders, remedy=remedy, asks=asks), state


def _whom(state: State, move: Move) -> Outcome:
    """No match, but neither war nor fish, or nobody named yet."""
    reminders, state = remind(state)[1], _said(state)
    ground = Finding("C-T4", facts={"case": "whom", "player": state.turn.player})
    return Verdict(move, "pending", grounds=(ground,), reminders=reminders, asks=waiting_for(state)), state


def _said(state: State) -> State:
    """There is no match. What was due or had to be shown before is over."""
    turn, talk = Turn(state.turn.player, "target"), remind(state)[0]
    return state._replace(turn=turn, due=(), ended=None, talk=talk, stop=None, taking=())


def unmatched(state: State, move: Move) -> State | None:
    """The position after a "no match" that nothing contradicts; None where there is more to it."""
    turn = state.turn
    if move.target != "no-match" or move.player != turn.player or turn.step != "match" or state.phase != "playing":
        return None
    if move.cards or move.candidates or contradiction(state, turn.player) is not None:
        return None
    return _said(state)


def _accept(state: State, move: Move, *, actor: str, target: str) -> Outcome:
    steps: tuple[Step, ...] = ()
    if move.kind == "ask" and state.war is not None:
        steps = (Step(actor, "take", count=1, to="hand", how="own-back"),)
    reminders, state = remind(state)[1], _chosen(state, move.kind, actor, target)
    rule = "C-V2" if move.kind == "war" else "C-G2"
    ground = Finding(rule, facts={"case": "begin", "player": actor, "target": target})
    asks = waiting_for(state)
    return Verdict(move, "accepted", grounds=(ground,), reminders=reminders, remedy=steps, asks=asks), state


def _chosen(state: State, kind: str, actor: str, target: str) -> State:
    """War or fish with `target` begins. What was due or had to be shown before is over."""
    turn, war = Turn(actor, "asked", target), None
    if kind == "war":
        turn, war = Turn(actor, "war"), War(target) if state.war is None else state.war._replace(rival=target)
    claims = (*state.claims, claim(state, actor, "C-T2"))
    return state._replace(
        turn=turn, war=war, due=(), claims=claims, ended=None, talk=remind(state)[0], stop=None, taking=()
    )


def declared(state: State, move: Move) -> State | None:
    """The position after war or fish that is all right; None where there is more to it."""
    turn, table, actor, target = state.turn, state.table, move.player, move.target
    if actor != turn.player or turn.step not in ("match", "target") or state.phase != "playing" or move.cards:
        return None
    if target is None or target == actor or target not in table.left or state.war is not None or move.candidates:
        return None
    if table.rules.fallback == _FORBIDDEN[move.kind] or contradiction(state, actor) is not None:
        return None
    return _chosen(state, move.kind, actor, target)
