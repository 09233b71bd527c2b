"""Short stories at a table of Piranhas: cards, how it begins, who does what, and what the referee says last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.cards import faces
from referee.entries import Start
from referee.games.piranhas import Piranhas
from referee.games.piranhas.state import State
from referee.interpret import rule
from referee.moves import Json, Move
from referee.verdicts import Verdict

GAME = Piranhas()
PILE = ["R1+B2+K3", "R2+G4+Y1"]
FITS = "R3+K1+V1"
FITS_ON_THAT = "V2+W1+O1"
WRONG = "O1+W2+V3"
COUNTS = {"A": 8, "B": 8, "C": 8}


def begin(players: str = "ABC", options: Mapping[str, Json] | None = None, **setup: Any) -> State:
    return GAME.start(Start("piranhas", tuple(players), options or {}, setup={"pile": PILE, "counts": COUNTS, **setup}))


def act(player: str, kind: str, *cards: str, at: float | None = None, **data: Any) -> Move:
    return Move(player, kind, faces(cards), data=data, time_s=at)


def call(player: str, kind: str = "wrong-card", *cards: str, at: float | None = None) -> Move:
    return Move(player, "call", faces(cards), target=kind, time_s=at)


def story(state: State, *moves: Move) -> tuple[Verdict, State]:
    """The last verdict and the state after it. Moves are numbered from 1 as entries would be."""
    verdicts = []
    for seq, move in enumerate(moves, start=1):
        verdict, state = rule(GAME, state, move=replace(move, seq=seq))
        verdicts.append(verdict)
    return verdicts[-1], state
