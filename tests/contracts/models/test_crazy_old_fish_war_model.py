"""The second model of Crazy Old Fish War tested by itself: random games lose no card, and the plain cases fit it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from models.crazy_basics import is_wild
from models.crazy_old_fish_war import TABLE, Model

GAMES = 200
MOST_ACTIONS = 600
PLAYERS = ("A", "B", "C", "D", "E", "F")
UNKNOWN = "??"
PACKS = {
    "colours": [f"{c}{n}" for c in "RGBY" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10)] + ["W8"] * 4 + ["MM"] * 3,
    "French": [f"{n}{s}" for n in ("A", *range(2, 11), "J", "Q", "K") for s in "HDSC"] + ["JK", "JK"],
}
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"start_special": "dealer_names", "war_eight_colour": "keep", "mermaid_finish": "wins"},
    {"start_special": "any", "war_eight_colour": "any", "fallback": "war_only"},
    {"fallback": "fish_only", "give_last": "draws_one", "rounds_to_win": 1},
    {"war_last": "draws_one", "war_mermaid_draw5": True, "fallback": "war_only"},
    {"empty_draw": "end_round"},
)


def random_game(dice: random.Random, options: dict[str, object], *, pack: list[str]) -> Model:
    """A dealt round: seven cards each, the others face down, nothing turned over yet."""
    deck = dice.sample(pack, len(pack))
    players = PLAYERS[: dice.choice([2, 3, 4, 5])]
    hands = {player: [deck.pop() for _ in range(7)] for player in players}
    return Model(players, options, {"hands": hands, "draw": deck[: dice.choice([3, 99])], "pile": [], "phase": "setup"})


def all_cards(model: Model) -> Counter[str]:
    """Every card, wherever it is."""
    held = [*model.draw_pile, *model.pile, *(face for hand in model.hands.values() for face in hand)]
    held += [face for cards in model.tied.values() for face in cards]
    held += [face for face in model.laid.values() if face not in (None, "hand")]
    return Counter([*held, *([model.received] if model.received else [])])


def all_actions(model: Model) -> list[dict[str, Any]]:
    """What anybody may do now."""
    return [action for player in (*model.players, TABLE) for action in model.actions(player)]


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_game_loses_no_card(seed: int) -> None:
    dice = random.Random(seed)
    model = random_game(dice, OPTIONS[seed % len(OPTIONS)], pack=PACKS[dice.choice(sorted(PACKS))])
    cards = all_cards(model)
    for _ in range(MOST_ACTIONS):
        actions = all_actions(model)
        if model.over or not actions:
            break
        action = dice.choice(actions)
        if set(action) & {"play", "give", "name"}:
            assert model.stands(action)
        model.do(action)
        assert all_cards(model) == cards, action
    seen = model.observe()
    if "over" in seen:
        assert sum(seen["wins"].values()) == len(seen["winner"])
        assert all(seen["hand_size"][player] == min(seen["hand_size"].values()) for player in seen["winner"])
        assert model.actions("A") == []


def test_most_random_games_come_to_an_end() -> None:
    ended = 0
    for seed in range(20):
        dice = random.Random(seed)
        model = random_game(dice, {}, pack=PACKS["colours"])
        for _ in range(2000):
            actions = all_actions(model)
            if not actions:
                break
            model.do(dice.choice(actions))
        ended += model.over is not None
    assert ended >= 10


# --- the plain cases ---

KINDS = {"play", "give", "name", "war", "ask", "answer", "lay", "flip", "draw", "reveal", "start"}
SEEN = ("hand_size", "draw", "pile", "top", "turn", "colour", "wins", "over", "winner")
STANDING = ("legal", "pending", "accepted")


def expressible(case: dict[str, Any]) -> bool:
    """Whether the model can play the case: one round, no claims known to be false, at the end no foul but a card."""
    given, then, last = case.get("given", {}), case["then"], case["when"][-1]
    for number, action in enumerate(case["when"]):
        if not set(action) & KINDS or action.get("war") == action["by"] or action.get("lay", "back") != "back":
            return False
        next_round = "reveal" in action and any("play" in earlier for earlier in case["when"][:number])
        if next_round or len(action.get("play", [""])) > 1 or ("reveal" in action and action["by"] != TABLE):
            return False
    if "known" in given or "renege_penalty" in case.get("options", {}):
        return False
    return then.get("ruling", "legal") in STANDING or bool(set(last) & {"play", "give", "name", "flip"})


def model_of(case: dict[str, Any]) -> Model:
    """The case with cards that nobody knows wherever it names none; `show` turns them into what they must have been."""
    given = dict(case.get("given", {}))
    sizes = dict.fromkeys(case["players"], 5) | given.get("hand_size", {})
    hands = {player: [UNKNOWN] * size for player, size in sizes.items()} | given.get("hands", {})
    pile = given.get("pile", [given["top"]] if "top" in given else [])
    truth = {**given, "hands": hands, "pile": pile, "draw": [UNKNOWN] * given.get("draw", 30)}
    if len(pile) == 1 and is_wild(pile[0]) and "colour" not in given:
        truth["phase"] = "setup"
    return Model(case["players"], case.get("options", {}), truth)


def show(model: Model, player: str, face: str) -> None:
    """An unknown card of the player, or the next one to be drawn or turned, was this one."""
    cards = model.draw_pile if player == TABLE else model.hands[player]
    if player != TABLE and model.laid.get(player) == UNKNOWN:
        model.laid[player] = face
    elif (player == TABLE or face not in cards) and UNKNOWN in cards:
        cards[len(cards) - 1 - cards[::-1].index(UNKNOWN)] = face


def do(model: Model, action: dict[str, Any]) -> None:
    """The action, with the cards that it shows."""
    for face in [*action.get("play", []), *action.get("give", []), *([action["reveal"]] if "reveal" in action else [])]:
        if face != model.received:
            show(model, action["by"], face)
    for player, face in action.get("cards", {}).items():
        show(model, player, face)
    model.do(action)


def cases(folder: Path) -> list[dict[str, Any]]:
    """Every case of this game that the model can express."""
    own = Path(__file__).resolve().parents[2] / "cases" / "crazy-old-fish-war-more.yaml"
    files = [folder / "cases" / "crazy-old-fish-war.yaml", own]
    return [case for file in files for case in yaml.safe_load(file.read_text("utf-8")) if expressible(case)]


def test_model_agrees_with_plain_cases(shared: Path) -> None:
    wrong = []
    played = cases(shared)
    for case in played:
        model = model_of(case)
        for action in case["when"]:
            do(model, action)
        seen = model.observe()
        for key in set(SEEN) & set(case["then"]):
            wanted, found = case["then"][key], seen.get(key)
            if isinstance(wanted, dict) and found is not None:
                found = {name: found[name] for name in wanted}
            left_open = key not in seen and key not in ("over", "winner")
            if not left_open and found != wanted and (found or wanted):
                wrong.append(f"{case['id']}: {key} is {found} instead of {wanted}")
    assert wrong == []
    assert len(played) >= 120
