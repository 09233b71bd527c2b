"""The second model of Piranhas tested by itself: random games lose no card and offer only what stands."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from models.fish import fits
from models.piranhas import TABLE, Model

COLOURS = "ROYGBVKW"
PLAYERS = ("A", "B", "C", "D")
DEALT = {2: 26, 3: 17, 4: 13}
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"calls": "players"},
    {"calls": "report", "announce": "ignore"},
    {"announce": "strict", "illegal_source_as_wrong_card": True},
    {"race_grace_ms": 500, "reshuffle_on_turnover": True},
)


def random_game(dice: random.Random, options: dict[str, object]) -> Model:
    """A dealt deck of 45 different fish cards and the 8 piranhas, the target card turned over."""
    fish: set[str] = set()
    while len(fish) < 45:
        fish.add("+".join(f"{colour}{dice.randint(1, 4)}" for colour in sorted(dice.sample(COLOURS, 3))))
    deck = [*sorted(fish), *(f"P-{colour}" for colour in COLOURS)]
    dice.shuffle(deck)
    players = PLAYERS[: dice.choice([2, 3, 4])]
    pile = [deck.pop()]
    decks = {player: [deck.pop() for _ in range(DEALT[len(players)])] for player in players}
    given = {"pile": pile, "decks": decks, "boxed": deck, "deck": dice.choice(["known", "unknown"])}
    return Model(players, options, given)


def random_action(dice: random.Random, model: Model, time_s: float) -> dict[str, Any]:
    """Mostly what stands; now and then any own card, a call, or a card taken back."""
    player = dice.choice(list(model.seats))
    seat = model.seats[player]
    stands = model.actions(player)
    if stands and dice.random() < 0.8:
        action = dice.choice(stands)
    else:
        card = dice.choice([*seat.deck, *seat.uncovered, *seat.discards])
        source = {"from": "discard"} if card in seat.discards else {}
        action = dice.choice(
            [
                {"by": player, "play": [card], **source},
                {"by": player, "reveal": card},
                {"by": player, "discard": [card]},
                {"by": player, "call": "wrong-card"},
                {"by": player, "call": "stuck"},
                {"by": player, "take": "own"},
            ]
        )
    return action if action["by"] == TABLE else {**action, "at": time_s}


def all_cards(model: Model) -> Counter[str]:
    cards = Counter([*model.observe()["pile"], *model.boxed])
    for seat in model.seats.values():
        cards.update([*seat.deck, *seat.uncovered, *seat.discards])
    return cards


@pytest.mark.parametrize("number", range(200))
def test_random_game_keeps_every_card(number: int) -> None:
    dice = random.Random(number)
    model = random_game(dice, OPTIONS[number % len(OPTIONS)])
    before = all_cards(model)
    assert sum(before.values()) == 53
    for step in range(200):
        model.do(random_action(dice, model, time_s=step * 0.1))
        assert all_cards(model) == before
        seen = model.observe()
        assert sum(seen["counts"].values()) + len(seen["pile"]) + len(model.boxed) == 53
        if seen.get("over"):
            assert seen["reason"] == "stalemate" or [seen["counts"][name] for name in seen["winner"]] == [0]
            assert not any(model.actions(player) for player in model.seats)
            break


@pytest.mark.parametrize("number", range(20))
def test_every_action_offered_does_what_it_says(number: int) -> None:
    dice = random.Random(number)
    model = random_game(dice, {})
    for _ in range(60):
        player = dice.choice(list(model.seats))
        action = dice.choice(model.actions(player))
        before = model.observe()
        model.do(action)
        after = model.observe()
        assert (model.ruling, model.rules, model.reminders) == ("legal", set(), set())
        if "play" in action:
            assert fits(action["play"][0], before["top"])
            assert after["pile"] == [*before["pile"], *action["play"]]
            assert after["counts"] == {**before["counts"], player: before["counts"][player] - 1}
        else:
            assert (after["pile"], after["counts"]) == (before["pile"], before["counts"])
            kept = "turnover" in action and player in before["holding"]
            assert (player in after["holding"]) == ("reveal" in action or kept)


def test_wrong_card_costs_it_and_two_more_and_stops_the_game() -> None:
    decks = {"A": ["G1+V1+O1", "R1+V3+W1"], "B": ["Y3+K3+W3", "O4+K4+V4"]}
    pile = ["R4+B2+K3", "K4+G2+Y1", "Y2+B3+W1", "B4+K1+O2"]
    model = Model(["A", "B"], {}, {"decks": decks, "pile": pile, "counts": {"A": 2, "B": 2}})
    model.do({"by": "B", "reveal": "O4+K4+V4"})
    model.do({"by": "A", "play": ["R1+V3+W1"]})
    assert (model.ruling, model.rules) == ("foul", {"P-F2"})
    assert model.observe() == {"pile": pile[:2], "top": pile[1], "counts": {"A": 4, "B": 2}, "holding": []}
    assert model.actions("B") == [{"by": "table", "start": True}]
    model.do({"by": "table", "start": True})
    assert {"by": "B", "reveal": "Y3+K3+W3"} in model.actions("B")


def test_last_own_card_wins() -> None:
    model = Model(["A", "B"], {"series": 1}, {"decks": {"A": ["R3+G1+K2"], "B": ["P-R"]}, "pile": ["R2+B4+Y1"]})
    model.do({"by": "A", "play": ["R3+G1+K2"], "say": "red"})
    seen = model.observe()
    assert (seen["over"], seen["winner"], seen["reason"]) == ("series", ["A"], "last-card")
    assert seen["points"] == {"A": 0, "B": 1}
