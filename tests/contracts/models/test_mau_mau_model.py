"""The second model of Mau-Mau tested by itself: random games lose no card, and the cases with known cards fit it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from models.mau_mau import TABLE, Model

CASES = Path(__file__).resolve().parents[2] / "cases" / "mau-mau.yaml"
PACK = [f"{rank}{suit}" for suit in "SHDC" for rank in (7, 8, 9, 10, "J", "Q", "K", "A")]
PLAYERS = ("A", "B", "C", "D", "E")
GAMES = 200
MOST_ACTIONS = 1000
UNKNOWN = "??"
NOBODY = "?"
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"pass_sevens": False, "mau_penalty": 2},
    {"play_drawn": False, "mau_penalty": 1},
    {"jack_on_jack": True, "rounds_to_win": 2},
)


def random_game(dice: random.Random, options: dict[str, object]) -> Model:
    """A dealt round: five cards each, nothing turned over yet."""
    deck = dice.sample(PACK, len(PACK))
    players = PLAYERS[: dice.choice([2, 3, 4, 5])]
    hands = {player: [deck.pop() for _ in range(5)] for player in players}
    return Model(players, options, {"hands": hands, "draw": deck, "pile": [], "phase": "setup"})


def all_cards(model: Model) -> Counter[str]:
    """Every card, wherever it is."""
    return Counter([*model.draw_pile, *model.pile, *(face for hand in model.hands.values() for face in hand)])


def all_actions(model: Model) -> list[dict[str, Any]]:
    """What anybody may do now."""
    return [action for player in (*model.players, TABLE) for action in model.actions(player)]


def any_action(dice: random.Random, model: Model) -> dict[str, Any]:
    """Something that somebody might do, mostly wrong."""
    player = dice.choice(model.players)
    cards = dice.sample(model.hands[player], dice.choice([1, 1, 2])) if len(model.hands[player]) > 1 else []
    actions: list[dict[str, Any]] = [
        {"by": player, "draw": dice.choice([0, 1, 2, 3])},
        {"by": player, "call": "no-mau"},
        {"by": player, "name": "hearts"},
        {"by": TABLE, "start": True},
    ]
    return dice.choice([*actions, {"by": player, "play": cards}] if cards else actions)


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_game_loses_no_card(seed: int) -> None:
    dice = random.Random(seed)
    model = random_game(dice, OPTIONS[seed % len(OPTIONS)])
    for _ in range(MOST_ACTIONS):
        actions = all_actions(model)
        if not actions:
            break
        action = dice.choice(actions) if dice.random() < 0.7 else any_action(dice, model)
        offered = action in actions
        model.do(action)
        assert not offered or (model.ruling in ("legal", "pending") and not model.rules), action
        assert all_cards(model) == Counter(PACK), action
        assert all(known <= set(model.hands[player]) for player, known in model.known.items())
    seen = model.observe()
    assert [player for player, size in seen["hand_size"].items() if size == 0] == seen.get("winner", [])
    assert sum(seen["wins"].values()) == ("over" in seen)


def test_most_random_games_come_to_an_end() -> None:
    ended = 0
    for seed in range(40):
        dice = random.Random(seed)
        model = random_game(dice, OPTIONS[seed % len(OPTIONS)])
        for _ in range(MOST_ACTIONS):
            if actions := all_actions(model):
                model.do(dice.choice(actions))
        ended += model.over is not None
    assert ended >= 36


def expressible(case: dict[str, Any]) -> bool:
    """Whether the model can play the case: every card read, every player seen."""
    return not any(
        action["by"] == NOBODY or UNKNOWN in (action.get("play"), action.get("reveal")) for action in case["when"]
    )


def model_of(case: dict[str, Any]) -> Model:
    """The case with cards that nobody knows wherever it names none; `show` turns them into what they must have been."""
    given = dict(case.get("given", {}))
    sizes = dict.fromkeys(case["players"], 5) | given.get("hand_size", {})
    hands = {player: [UNKNOWN] * size for player, size in sizes.items()} | given.get("hands", {})
    pile = given.get("pile", [given["top"]] if "top" in given else [])
    rest = len(PACK) - len(pile) - sum(len(hand) for hand in hands.values())
    return Model(
        case["players"],
        case.get("options", {}),
        {**given, "hands": hands, "pile": pile, "draw": [UNKNOWN] * given.get("draw", rest)},
    )


def shown(model: Model, action: dict[str, Any]) -> dict[str, Any]:
    """The action with lists of cards; an unknown card, the one drawn last first, was the one that it shows."""
    if "reveal" in action:
        model.draw_pile[-1] = action["reveal"]
    if "play" not in action:
        return action
    faces = action["play"] if isinstance(action["play"], list) else [action["play"]]
    hand = model.hands[action["by"]]
    for face in faces:
        if face not in hand and "from" not in action:
            hand[len(hand) - 1 - hand[::-1].index(UNKNOWN)] = face
    return {**action, "play": faces}


def differences(model: Model, then: dict[str, Any]) -> list[str]:
    """Where the model does not end as the case wants it; what people are asked or told to do is not modelled."""
    seen: dict[str, Any] = {"over": None, **model.observe(), "ruling": model.ruling}
    seen |= {"rules": sorted(model.rules), "reminders": sorted(model.reminders)}
    wrong = []
    for key in seen.keys() & then.keys():
        found, wanted = seen[key], then[key]
        if isinstance(wanted, dict):
            found = {name: found[name] for name in wanted}
        if found != wanted:
            wrong.append(f"{key} is {found} instead of {wanted}")
    return wrong


CASES_OF_MODEL = [case for case in yaml.safe_load(CASES.read_text("utf-8")) if expressible(case)]


def test_the_model_can_play_nearly_all_cases() -> None:
    assert len(CASES_OF_MODEL) >= 85


@pytest.mark.parametrize("case", CASES_OF_MODEL, ids=lambda case: case["id"])
def test_model_agrees_with_the_case(case: dict[str, Any]) -> None:
    model = model_of(case)
    for action in case["when"]:
        model.do(shown(model, action))
    assert differences(model, case["then"]) == []
