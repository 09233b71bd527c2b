"""How fast the referee plays random games, next to the UNO of RLCard, an environment in plain Python, in the same run.

RLCard is only needed for the comparison (extra `bench`). Its UNO is timed twice: as its documentation plays random
games (`env.run` with its own `RandomAgent`), and by stepping through the bare environment with Python's dice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from random import Random
from statistics import median
from typing import Any

from rich.table import Table

from referee.cards import faces
from referee.games import GAMES
from referee.games.base import Game
from referee.playout import deal, random_moves
from vision.decks import load_deck

__all__ = ["GameBench", "GameSpeed", "as_markdown", "as_table", "run_game_bench"]

PLAYERS = ("A", "B")
USUAL, USUAL_STEPS = "rlcard-uno", "rlcard-uno-steps"
TITLES = {USUAL: "UNO of RLCard, its random agents", USUAL_STEPS: "UNO of RLCard, bare steps"}
SLICE_S = 0.25
"""Each turn of a game lasts at least so long; the games take turns, so that what else the machine does meets all."""

Played = Callable[[], int]
"""Plays one whole game and tells how many moves it took."""


@dataclass(frozen=True, slots=True)
class GameSpeed:
    """Random games and moves per second of one game, medians over the slices of a run."""

    name: str
    games_per_s: float
    moves_per_s: float


@dataclass(frozen=True, slots=True)
class GameBench:
    """The speeds of one run; those of RLCard are left out where it is not installed."""

    speeds: tuple[GameSpeed, ...]

    def ratio(self, speed: GameSpeed, *, usual: str = USUAL) -> float | None:
        """How many times as many moves per second `speed` makes as RLCard's UNO; None without RLCard."""
        found = next((one for one in self.speeds if one.name == usual), None)
        return None if found is None else speed.moves_per_s / found.moves_per_s

    def as_json(self) -> list[dict[str, Any]]:
        """One object for each game, with its ratios."""
        return [
            {**asdict(one), "ratio": self.ratio(one), "ratio_steps": self.ratio(one, usual=USUAL_STEPS)}
            for one in self.speeds
        ]


def run_game_bench(*, slices: int = 8) -> GameBench:
    """Play random games of two players, every game of the referee and RLCard's by turns, `slices` turns each."""
    players: dict[str, Played] = {name: _own(game) for name, game in GAMES.items()}
    if find_spec("rlcard") is not None:
        players |= _usual()
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in players}
    for played in players.values():
        played()
    for _ in range(slices):
        for name, played in players.items():
            taken[name].append(_slice(played))
    return GameBench(tuple(_speed(name, rates) for name, rates in taken.items()))


def _slice(played: Played) -> tuple[float, float]:
    """Games and moves per second over one slice."""
    games = moves = 0
    began = time.perf_counter()
    while (took_s := time.perf_counter() - began) < SLICE_S:
        moves += played()
        games += 1
    return games / took_s, moves / took_s


def _speed(name: str, rates: Sequence[tuple[float, float]]) -> GameSpeed:
    return GameSpeed(name, round(median(games for games, _ in rates), 1), round(median(moves for _, moves in rates)))


def _own(game: Game[Any]) -> Played:
    pack, dice = faces(load_deck(game.deck).all_cards), Random(1)

    def played() -> int:
        start = deal(game, PLAYERS, pack=pack, dice=dice)
        moves = random_moves(game, game.start(start), PLAYERS, dice=dice)
        return sum(1 for _ in islice(moves, game.most_moves))

    return played


def _usual() -> dict[str, Played]:
    rlcard, agents = import_module("rlcard"), import_module("rlcard.agents")
    env, dice = rlcard.make("uno", config={"seed": 1}), Random(1)
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def run() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(one) // 2 for one in trajectories)  # states and actions by turns

    def steps() -> int:
        moves, (state, _) = 0, env.reset()
        while not env.is_over():
            state, _ = env.step(dice.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return {USUAL: run, USUAL_STEPS: steps}


def as_table(bench: GameBench) -> Table:
    """The speeds for the terminal."""
    table = Table(title="Random games of two players", caption=_caption(bench), caption_justify="left")
    headings, *rows = _rows(bench)
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _caption(bench: GameBench) -> str:
    return (
        "" if any(one.name == USUAL for one in bench.speeds) else "For the comparison: pip install 'wrongcard[bench]'"
    )


def _rows(bench: GameBench) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("", "games per second", "moves per second", "times RLCard's UNO", "times its bare steps")
    ]
    for one in bench.speeds:
        ratios = (bench.ratio(one), bench.ratio(one, usual=USUAL_STEPS))
        shown = ("–" if ratio is None else f"{ratio:.1f} ×" for ratio in ratios)
        rows.append((TITLES.get(one.name, one.name), f"{one.games_per_s:,.0f}", f"{one.moves_per_s:,.0f}", *shown))
    return rows


def as_markdown(bench: GameBench) -> str:
    """The speeds as the Markdown table of the README, without a line break at its end."""
    first, *rows = _rows(bench)
    lines: list[tuple[str, ...]] = [first, ("---", *("---:" for _ in first[1:])), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)
