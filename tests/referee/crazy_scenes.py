"""Short stories of Crazy Old Fish War: a position in the middle of a round, who does what, what is said last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.cards import Face
from referee.cases import as_move
from referee.entries import Start
from referee.games.crazy_old_fish_war import GAME
from referee.games.crazy_old_fish_war.state import State
from referee.moves import Move
from referee.verdicts import Verdict

MID: dict[str, Any] = {"top": "G6", "turn": "A", "hand_size": {"A": 5, "B": 5, "C": 5}, "draw": 20}


def begin(
    options: Mapping[str, Any] | None = None, players: str = "ABC", start_deck: tuple[Face, ...] = (), **given: Any
) -> State:
    return GAME.start(Start("crazy-old-fish-war", tuple(players), options or {}, start_deck, {**MID, **given}))


def story(state: State, *actions: Mapping[str, Any] | Move) -> tuple[Verdict, State]:
    """The last verdict and the state after it. Actions are numbered from 1 as entries would be."""
    verdicts = []
    for seq, action in enumerate(actions, start=1):
        move = action if isinstance(action, Move) else as_move(action)
        verdict, state = GAME.decide(state, replace(move, seq=seq))
        verdicts.append(verdict)
    return verdicts[-1], state


def table(state: State) -> dict[str, Any]:
    return dict(GAME.observe(state))


def play(player: str, *cards: str) -> dict[str, Any]:
    return {"by": player, "play": list(cards)}
