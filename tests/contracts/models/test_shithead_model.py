"""The second model of Shithead tested by itself: random games lose no card, and the rule cases come out as written."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from models.shithead import Model
from models.shithead_cards import RANKS
from referee.cases import Case, load_cases

PLAYERS = ("A", "B", "C", "D", "E")
LONGEST = 400
"""Actions after which a random game is left alone."""

HOUSE_RULES: dict[str, list[object]] = {
    "ten": ["strict", "wild_not_on_7", "wild"],
    "three": ["rank3", "mirror"],
    "inherit_effects": ["full", "rank_only"],
    "joker": ["any_legal", "free", "no_specials"],
    "skip_wrap": ["count_self", "not_self"],
    "hand_plus_open": ["whole_hand", "same_rank", "never"],
    "take_open_on_pickup": ["may", "must", "never"],
    "swap": ["phase", "own_first_turn", "never"],
    "voluntary_pickup": [False, True],
    "misplay": ["undo", "take_pile"],
    "burn_in": [False, True],
    "follow_up": [False, True],
    "no_special_finish": [False, True],
}

UNKNOWN = "??"
CASES = Path(__file__).resolve().parents[2] / "cases"


def dealt(dice: random.Random) -> Model:
    deck = [rank + suit for rank in RANKS for suit in "SHDC"] + ["JK", "JK"]
    dice.shuffle(deck)
    players = PLAYERS[: dice.choice([2, 3, 4, 5])]
    options = {key: dice.choice(values) for key, values in HOUSE_RULES.items() if dice.random() < 0.3}
    three = {where: {name: [deck.pop() for _ in range(3)] for name in players} for where in ("hands", "open", "hidden")}
    return Model(players, options, {**three, "draw": deck, "phase": "swap", "turn": dice.choice(players)})


def all_cards(model: Model) -> Counter[str]:
    places = [*model.hands.values(), *model.open.values(), *model.hidden.values(), model.draw, model.gone]
    return Counter(card for place in places for card in place) + Counter(lying.face for lying in model.pile)


def random_action(dice: random.Random, model: Model) -> dict[str, Any]:
    """Mostly what stands for the player in turn; now and then any card, or somebody else."""
    player = model.turn if model.turn is not None and dice.random() < 0.9 else dice.choice(model.players)
    source = "hand" if model.hands[player] else "open" if model.open[player] else "blind"
    own = {"hand": model.hands, "open": model.open, "blind": model.hidden}[source][player]
    stands = [action for action in model.actions(player) if "swap" not in action or dice.random() < 0.02]
    assert stands or source == "blind" or player != model.turn, "somebody in turn can neither play nor take the pile"
    if stands and not (source == "blind" and model.waiting is None) and dice.random() < 0.9:
        return dice.choice(stands)
    return {"by": player, "play": [dice.choice(own)], "from": source} if own else {"by": player, "take": "pile"}


@pytest.mark.parametrize("seed", range(200))
def test_random_game_loses_no_card(seed: int) -> None:
    dice = random.Random(seed)
    model = dealt(dice)
    cards = all_cards(model)
    for _ in range(LONGEST):
        if model.over is not None:
            assert sorted(model.out) == sorted(model.players)
            return
        assert model.turn in set(model.players) - set(model.out)
        model.do(random_action(dice, model))
        assert all_cards(model) == cards
        assert all(len(hand) >= 3 for hand in model.hands.values()) or model.waiting is not None or not model.draw


def test_random_games_come_to_an_end() -> None:
    ended = 0
    for seed in range(30):
        dice = random.Random(seed)
        model = dealt(dice)
        for _ in range(LONGEST):
            if model.over is None:
                model.do(random_action(dice, model))
        ended += model.over is not None
    assert ended >= 10


def position(case: Case) -> dict[str, Any] | None:
    """The whole truth of a case, unknown cards being `??`; None where the model cannot express it."""
    given = dict(case.given)
    kinds = {
        kind
        for action in case.when
        for kind in ("play", "name", "take", "swap", "draw", "reveal", "start")
        if kind in action
    }
    takers = [action["by"] for action in case.when if "take" in action]
    sizes = {name: given.get("hand_size", {}).get(name, 3) for name in case.players}
    unfinished = case.then.get("rules") == ["S-T3"] and case.then.get("ruling") == "pending"
    if unfinished or not kinds <= {"play", "name", "take"} or any(sizes[name] for name in takers) or "hands" in given:
        return None
    played: dict[str, dict[str, list[str]]] = {name: {"hand": [], "blind": [], "open": []} for name in case.players}
    for action in case.when:
        played[action["by"]][action.get("from", "hand")] += action.get("play", [])
    if any(len(played[name]["hand"]) > sizes[name] for name in case.players):
        return None
    top = [given["top"]] * given.get("run", 1) if "top" in given else []
    out = given.get("out", [])
    truth: dict[str, Any] = {**given, "pile": given.get("pile", top), "hands": {}, "open": {}, "hidden": {}}
    for name in (one for one in case.players if one not in out):
        hand, blind = played[name]["hand"], played[name]["blind"]
        known = [card for card in given.get("known", {}).get(name, []) if card not in hand]
        truth["hands"][name] = (hand + known + [UNKNOWN] * sizes[name])[: sizes[name]]
        truth["open"][name] = given.get("open", {}).get(name, [UNKNOWN] * 3)
        truth["hidden"][name] = (blind + [UNKNOWN] * 3)[: given.get("hidden", {}).get(name, 3)]
    return {**truth, "draw": [UNKNOWN] * given.get("draw", 20)}


def expressible() -> list[tuple[Case, dict[str, Any]]]:
    cases = [case for path in sorted(CASES.glob("shithead*.yaml")) for case in load_cases(path)]
    return [(case, truth) for case in cases if (truth := position(case)) is not None]


def test_most_cases_can_be_expressed() -> None:
    assert len(expressible()) >= 220


@pytest.mark.parametrize(("case", "truth"), expressible(), ids=lambda value: getattr(value, "id", ""))
def test_case(case: Case, truth: dict[str, Any]) -> None:
    model = Model(case.players, case.options, truth)
    fault = None
    for action in case.when:
        fault = model.fault(action)
        model.do(action)
    if "ruling" in case.then:
        assert (case.then["ruling"] in ("legal", "accepted", "pending")) == (fault is None), fault
    if "rules" in case.then:
        assert case.then["rules"] == [] if fault is None else case.then["rules"] == [fault]
    table = model.observe()
    for key in set(case.then) & set(table):
        wanted = case.then[key]
        if isinstance(wanted, dict):
            assert {name: table[key].get(name) for name in wanted} == wanted, key
        else:
            assert table[key] == wanted or (not wanted and not table[key]), key
