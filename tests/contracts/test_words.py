"""Whatever happens in any game is told: every verdict, question and end has its sentences in every language."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from game_tables import NAMES, pack_of, player_counts, wild_move

from referee.errors import UnreadableError
from referee.games import GAMES
from referee.games.base import Game
from referee.moves import Json, Move
from referee.playout import deal, standing
from referee.verdicts import Ask, Finding, Verdict
from referee.wording import load_wording

STEPS = 500


def some_house_rules(game: Game[object], dice: random.Random) -> dict[str, Json]:
    return {option.key: dice.choice(option.values) for option in game.options if dice.random() < 0.3}


def walk(name: str, seed: int) -> Iterator[tuple[Verdict, tuple[Ask, ...]]]:
    """What a game says and asks while moves that stand and moves that nobody should make take turns."""
    game, dice = GAMES[name], random.Random(seed)
    options = some_house_rules(game, dice)
    players = ("Zoë", *NAMES)[: dice.choice(player_counts(name, options))]
    start = deal(game, players, pack=pack_of(game.deck), dice=dice, options=options)
    state = game.start(start)
    for seq in range(2, STEPS):
        moves = () if dice.random() < 0.4 else standing(game, state, players)
        move = dice.choice(moves) if moves else wild_move(start, dice)
        move = Move(move.player, move.kind, move.cards, move.target, move.data, time_s=seq / 4, seq=seq)
        try:
            verdict, state = game.decide(state, move)
        except UnreadableError:
            continue
        assert json.loads(json.dumps(game.view(state))) == game.view(state)
        yield verdict, game.pending(state, seq / 4 + dice.choice([0, 60]))
        if game.result(state) is not None and dice.random() < 0.2:
            state = game.start(start, state)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", GAMES)
def test_whatever_happens_is_told_in_every_language_with_nothing_left_to_fill_in(name: str, seed: int) -> None:
    wording = load_wording().of(name)
    for verdict, asks in walk(name, seed):
        told = wording.verdict(verdict)
        cases = {f"rule.{one.rule}.{one.facts['case']}" for one in findings(verdict) if "case" in one.facts}
        assert cases <= wording.texts["en"].keys()
        assert len(told["steps"]["en"]) == len(verdict.remedy)
        if not verdict.routine:
            assert all(told["text"].values()), verdict
        said = [*told["text"].values(), *told["steps"]["en"], *told["steps"]["de"]]
        said += [text for ask in asks for text in wording.ask(ask)["text"].values()]
        if verdict.result is not None:
            said += wording.result(verdict.result)["text"].values()
        assert [text for text in said if "{" in text or "None" in text or "  " in text] == [], verdict
        assert json.loads(json.dumps(told)) == told


def findings(verdict: Verdict) -> tuple[Finding, ...]:
    return (*verdict.faults, *verdict.grounds, *verdict.reminders)
