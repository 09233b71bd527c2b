"""Writes down one game of every kind, with everything that can be observed at each step, to be read and compared.

    python tests/contracts/playthroughs.py GAME

writes `tests/playthroughs/GAME.txt` anew. Read the difference before you commit it: it is what your change does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from game_tables import seed_of, table, wild_move

from referee.cases import as_action
from referee.errors import UnreadableError
from referee.games import find_game
from referee.moves import Move
from referee.playout import standing
from referee.wording import load_wording

FOLDER = Path(__file__).resolve().parents[1] / "playthroughs"
PLAYERS = 3
STEPS = 100
SHOWN_MOVES = 12


def playthrough(name: str) -> str:
    """A whole game of `name` as text: the same text whenever it is asked for."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    game, start = find_game(name), table(name, PLAYERS, seed=1)
    dice, state = seed_of(name, "playthrough"), game.start(start)
    yield f"# {name}, version {game.version}, deck {game.deck}, {', '.join(start.players)}, usual house rules"
    yield f"setup: {_plain(start.setup)}"
    yield from _observed(game, state, start.players)
    for number in range(1, STEPS + 1):
        moves = standing(game, state, start.players)
        if not moves:
            break
        move = wild_move(start, dice) if dice.random() < 0.15 else dice.choice(moves)
        yield f"\n## {number}: {_did(move)}"
        try:
            verdict, state = game.decide(state, move)
        except UnreadableError as error:
            yield f"unreadable: {error} {error.hint}"
            continue
        told = load_wording().of(name).verdict(verdict)
        yield from (f"{key}: {_plain(told[key])}" for key in ("ruling", "rules", "reminders", "asks", "text", "steps"))
        yield f"remedy: {_plain(told['remedy'])}"
        yield f"proves: {_plain(list(verdict.proves))}"
        yield from _observed(game, state, start.players)
    yield f"\nresult: {game.result(state)}"


def _observed(game: Any, state: Any, players: tuple[str, ...]) -> Iterator[str]:
    yield f"table: {_plain(game.observe(state))}"
    yield f"view: {_plain(game.view(state))}"
    yield f"knowledge: {_plain({name: list(hand) for name, hand in game.knowledge(state).items()})}"
    yield f"pending: {[(ask.id, ask.player, ask.choices) for ask in game.pending(state)]}"
    yield f"exhausted: {sorted(game.exhausted(state))}"
    yield f"standing: {_shown(standing(game, state, players))}"


def _shown(moves: tuple[Move, ...]) -> str:
    shown = " ".join(_plain(as_action(move)) for move in moves[:SHOWN_MOVES])
    return f"{len(moves)}: {shown}"


def _did(move: Move) -> str:
    """The move in one line, also where it is no action that a case could hold."""
    parts = (move.player, move.kind, *move.cards, f"-> {move.target}" if move.target else "", _plain(dict(move.data)))
    return " ".join(part for part in parts if part and part != "{}")


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=list)


if __name__ == "__main__":
    (FOLDER / f"{sys.argv[1]}.txt").write_text(playthrough(sys.argv[1]), encoding="utf-8")
