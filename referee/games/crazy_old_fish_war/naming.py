"""Crazy Old Fish War: the colour that continues after a wild card (C-82, C-M2, C-A7, C-A20)."""

from __future__ import annotations

from referee.errors import MoveError
from referee.games.crazy_old_fish_war.faces import colour_word, is_wild
from referee.games.crazy_old_fish_war.piles import due_steps
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import Outcome, State, Turn
from referee.games.crazy_old_fish_war.turns import end_turn, out_of_play, waiting_for, who
from referee.moves import Move
from referee.verdicts import Ask, Finding, Verdict

__all__ = ["chosen", "colour_named", "name", "named"]


def name(state: State, move: Move) -> Outcome:
    """Somebody names a colour. Raises `MoveError` for none."""
    if not move.target:
        raise MoveError("A colour was named, but which one is not said.", hint="Name a colour, for example green.")
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    actor = who(ready, move)
    turn = ready.turn
    if turn.step != "colour" and not (_unnamed(ready) and actor == turn.player):
        return Verdict(move, "void", grounds=(Finding("C-82", facts={"case": "nothing"}),)), state
    if turn.step == "colour" and actor != turn.whom:
        fault = Finding("C-82", facts={"case": "wait", "player": turn.whom})
        return Verdict(move, "void", faults=(fault,), asks=waiting_for(ready)), state
    colour = colour_named(ready, move.target)
    if colour is None:
        ground = Finding("C-82", facts={"case": "other", "said": move.target})
        return Verdict(move, "pending", grounds=(ground,), asks=waiting_for(ready), remedy=due_steps(ready.due)), ready
    after, asks = named(ready, colour)
    ground = Finding("C-82", facts={"case": "named", "colour": colour})
    return Verdict(move, "legal", grounds=(ground,), asks=asks, remedy=due_steps(after.due)), after


def chosen(state: State, move: Move) -> State | None:
    """The position after the colour was named by the one who should; None where there is more to it."""
    turn = state.turn
    if turn.step != "colour" or move.player != turn.whom or not move.target or move.cards or move.candidates:
        return None
    colour = colour_named(state, move.target)
    return None if colour is None else named(state, colour)[0]


def _unnamed(state: State) -> bool:
    """A round may be taken up with a wild card on top whose colour nobody has told."""
    return state.turn.step == "match" and state.colour is None and is_wild(state.pile[-1])


def colour_named(state: State, word: str) -> str | None:
    """The colour that `word` names, or None if the deck has no such colour (C-A1)."""
    return colour_word(word, pile=state.pile, deck_colours=state.table.colours)


def named(state: State, colour: str) -> tuple[State, tuple[Ask, ...]]:
    """`state` with the colour named: the turn is over, or the first one may begin (C-A2)."""
    state = state._replace(colour=colour, stop=None, taking=())
    if not state.begun:
        return state._replace(turn=Turn(state.turn.player)), ()
    return end_turn(state)
