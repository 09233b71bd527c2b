"""Counts the tree of moves that stand, from small decks: numbers to hold a game against, made by its second model.

    python tests/contracts/trees.py GAME

writes `tests/contracts/trees/GAME.txt` anew from the slow model in `models/`, which was written from the rules alone.
Each line: number of players, cards in the deck, house rules, number of the deal, and the number of ways in which one,
two, three ... standing moves can follow each other.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from game_tables import NAMES, house_rules, pack_of, player_counts, seed_of

from referee.cases import as_action
from referee.entries import Start
from referee.errors import SetupError
from referee.games import find_game
from referee.moves import TABLE, Json, Move
from referee.playout import deal, standing

FOLDER = Path(__file__).with_name("trees")
DEPTH = 3
DEALS = 2
SPARE_CARDS = 6
"""The decks are as small as dealing allows, and this much larger."""


class Tree(NamedTuple):
    """Where a tree begins, and how many ways there are of one, two ... moves."""

    players: int
    cards: int
    rules: Mapping[str, Json]
    deal: int
    counts: tuple[int, ...]

    def line(self) -> str:
        """The tree as a line of its file."""
        parts = (self.players, self.cards, json.dumps(self.rules), self.deal, " ".join(map(str, self.counts)))
        return " | ".join(map(str, parts))


def read(name: str) -> tuple[Tree, ...]:
    """The trees written down for a game."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.split(" | ") for line in lines]
    return tuple(
        Tree(int(players), int(cards), json.loads(rules), int(number), tuple(map(int, counts.split())))
        for players, cards, rules, number, counts in parts
    )


def begin(name: str, tree: Tree) -> Start:
    """The dealt table on which a tree grows."""
    game = find_game(name)
    dice = seed_of("tree", name, *tree[:4])
    pack = pack_of(game.deck)
    deck = dice.sample(pack, tree.cards) if tree.cards < len(pack) else list(pack)
    return deal(game, NAMES[: tree.players], pack=deck, dice=dice, options=tree.rules)


def count_game(name: str, tree: Tree, depth: int) -> tuple[int, ...]:
    """The counts by the game itself."""
    game, start = find_game(name), begin(name, tree)
    counts, states = [], [game.start(start)]
    for _ in range(depth):
        states = [
            game.apply(state, move)
            for state in states
            if game.result(state) is None
            for move in _different(standing(game, state, start.players))
        ]
        counts.append(len(states))
    return tuple(counts)


def _different(moves: tuple[Move, ...]) -> list[Move]:
    """Each move once; calls, which can be made again and again, are not counted."""
    return list({json.dumps(as_action(move)): move for move in moves if move.kind != "call"}.values())


def count_model(name: str, tree: Tree, depth: int) -> tuple[int, ...]:
    """The counts by the game's second model."""
    start = begin(name, tree)
    models = [import_module(f"models.{name.replace('-', '_')}").Model(start.players, start.options, start.setup)]
    counts = []
    for _ in range(depth):
        models = [_done(model, action) for model in models for action in _actions(model, start.players)]
        counts.append(len(models))
    return tuple(counts)


def _actions(model: Any, players: tuple[str, ...]) -> list[dict[str, Any]]:
    if model.observe().get("over") is not None:
        return []
    actions = [action for player in (*players, TABLE) for action in model.actions(player)]
    return list({json.dumps(action): action for action in actions if "call" not in action}.values())


def _done(model: Any, action: dict[str, Any]) -> Any:
    after = copy.deepcopy(model)
    after.do(action)
    return after


def grow(name: str) -> tuple[Tree, ...]:
    """Trees of a game under the usual and some other house rules, counted by its model."""
    rules = house_rules(find_game(name))
    trees = []
    for players in player_counts(name)[:2]:
        for number in range(DEALS):
            tree = Tree(players, _fewest(name, players), rules[(number * 5) % len(rules)], number, ())
            trees.append(tree._replace(counts=count_model(name, tree, DEPTH)))
    return tuple(trees)


def _fewest(name: str, players: int) -> int:
    """The smallest deck that can be dealt, and some cards more."""
    pack = pack_of(find_game(name).deck)
    return min(len(pack), SPARE_CARDS + next(cards for cards in range(len(pack)) if _enough(name, players, cards)))


def _enough(name: str, players: int, cards: int) -> bool:
    game = find_game(name)
    deck = pack_of(game.deck)[:cards]
    try:
        game.start(Start(name, NAMES[:players], deck=deck, setup=game.deal(NAMES[:players], {}, deck=deck)))
    except (SetupError, IndexError):
        return False
    return True


if __name__ == "__main__":
    lines = [tree.line() for tree in grow(sys.argv[1])]
    (FOLDER / f"{sys.argv[1]}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
