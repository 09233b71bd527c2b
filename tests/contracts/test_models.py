"""Every game beside a second, slow and obvious model of itself, written from the rules alone: they must always agree.

The two speak the language of the case files. `models/<game>.py` holds the model; a registered game without one fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from game_tables import house_rules, player_counts, table
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from referee.cases import as_action, as_move
from referee.games import GAMES
from referee.moves import TABLE
from referee.playout import standing

STANDS = ("legal", "pending", "accepted")
FOLDER = Path(__file__).with_name("models")
SAID_OF_CARDS = ("play", "give", "name")
"""Kinds of moves whose legality the models answer for any card, not only for those that they list."""


@cache
def model_of(name: str) -> Any:
    return import_module(f"models.{name.replace('-', '_')}").Model


def test_every_game_has_a_second_model() -> None:
    assert {name.replace("-", "_") for name in GAMES} <= {path.stem for path in FOLDER.glob("*.py")}


class Twins(RuleBasedStateMachine):
    """The game and its model at one table; each step is one move made by both."""

    name = ""

    @initialize(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        self.game = GAMES[self.name]
        rules = data.draw(st.sampled_from(house_rules(self.game)), label="house rules")
        players = data.draw(st.sampled_from(player_counts(self.name, rules)[:4]), label="players")
        start = table(self.name, players, options=rules, seed=data.draw(st.integers(0, 10_000), label="deal"))
        self.players = start.players
        self.state = self.game.start(start)
        self.model = model_of(self.name)(start.players, start.options, start.setup)

    @rule(data=st.data())
    def somebody_does_what_stands(self, data: st.DataObject) -> None:
        actions = [action for player in (*self.players, TABLE) for action in self.model.actions(player)]
        if actions:
            self.both(data.draw(st.sampled_from(actions), label="action"))

    @rule(data=st.data())
    def somebody_plays_anything(self, data: st.DataObject) -> None:
        player = data.draw(st.sampled_from(self.players), label="player")
        held = self.state.seats[self.players.index(player)]
        cards = sorted({*(getattr(held, "hand", None) or ()), *(getattr(held, "uncovered", None) or ())})
        if cards and self.game.result(self.state) is None:
            card = data.draw(st.sampled_from(cards), label="card")
            self.both({"by": player, "play": [card]}, stands=None)

    def both(self, action: Mapping[str, Any], *, stands: bool | None = True) -> None:
        expected = self.model.stands(action) if stands is None else stands
        told = {key: value for key, value in action.items() if not (key == "card" and "lay" in action)}
        verdict, self.state = self.game.decide(self.state, as_move(told))
        assert (verdict.ruling in STANDS) == expected, (action, verdict)
        self.model.do(action)

    @invariant()
    def the_table_looks_the_same(self) -> None:
        if not hasattr(self, "model"):
            return
        seen, expected = self.game.observe(self.state), self.model.observe()
        differing = {
            key: (seen[key], expected[key]) for key in seen.keys() & expected.keys() if seen[key] != expected[key]
        }
        assert differing == {}
        over = self.game.result(self.state)
        assert ("over" in expected and expected["over"] is not None) == (over is not None)

    @invariant()
    def what_one_lists_stands_for_the_other(self) -> None:
        if hasattr(self, "model") and self.game.result(self.state) is None:
            for move in standing(self.game, self.state, self.players):
                if move.kind in SAID_OF_CARDS and move.data.get("from") != "blind":
                    assert self.model.stands(as_action(move)), move


@pytest.mark.parametrize("name", GAMES)
def test_the_game_and_its_model_agree(name: str) -> None:
    twins = type(name, (Twins,), {"name": name})
    run_state_machine_as_test(twins, settings=settings(max_examples=120, stateful_step_count=60))
