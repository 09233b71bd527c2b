"""What every game promises, checked along random walks: `legal` and `judge` agree, cards are conserved, logs restore.

A game joins by one line in `WALKS`: how to begin and which moves to try. A registered game without one fails.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from referee.cards import UNKNOWN, Face, faces, is_known
from referee.entries import Entry, Retract, Start
from referee.errors import UnreadableError
from referee.games import GAMES
from referee.match import Match, fold
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.store import MemoryStore
from referee.wording import load_wording


@dataclass(frozen=True)
class Walk:
    """How to walk through a game at random: where it begins and one more move from a state."""

    begin: Callable[[random.Random, Mapping[str, Json]], Start]
    step: Callable[[random.Random, Any, Start], Move]
    options: tuple[Mapping[str, Json], ...]
    cards: Callable[[Any], Counter[Face] | int]


COLOURS = "ROYGBVKW"


def fish_deck(dice: random.Random) -> tuple[Face, ...]:
    fish = {"+".join(f"{colour}{dice.randint(1, 4)}" for colour in dice.sample(COLOURS, 3)) for _ in range(60)}
    return faces([*sorted(fish)[:45], *(f"P-{colour}" for colour in COLOURS)])


def piranhas_begin(dice: random.Random, options: Mapping[str, Json]) -> Start:
    deck = fish_deck(dice)
    setup: dict[str, Json] = {"pile": [dice.choice(deck)], "hears": dice.random() < 0.5}
    return Start("piranhas", ("A", "B", "C")[: dice.choice([2, 3])], options, deck, setup)


def piranhas_step(dice: random.Random, state: Any, start: Start) -> Move:
    player = dice.choice(start.players)
    lying = {card.face for card in state.pile}
    card = dice.choice([one for one in start.deck if one not in lying])
    seat = next(seat for seat in state.seats if seat.name == player)
    if seat.uncovered and is_known(seat.uncovered[0]) and seat.uncovered[0] not in lying and dice.random() < 0.7:
        card = seat.uncovered[0]
    data: dict[str, Json] = {"say": dice.choice(["red", "piranhas", "fresh-fish"])} if dice.random() < 0.5 else {}
    kinds: dict[str, Move] = {
        "play": Move(player, "play", (card,), data=data),
        "unread": Move(dice.choice([player, UNCLEAR]), "play", (dice.choice([card, UNKNOWN]),)),
        "discards": Move(player, "play", (card,), data={"from": "discard"}),
        "reveal": Move(player, "reveal", (card,)),
        "discard": Move(player, "discard", (card,)),
        "turnover": Move(player, "turnover"),
        "take": Move(player, "take", target="own"),
        "call": Move(player, "call", target="wrong-card"),
        "stuck": Move(player, "call", target="stuck"),
        "mine": Move(player, "call", target="mine"),
        "start": Move(TABLE, "start"),
    }
    weights = [12, 1, 1, 3, 3, 1, 1, 3, 1, 1, 8]
    return dice.choices(list(kinds.values()), weights)[0]


def piranhas_cards(state: Any) -> int:
    """Cards of everybody, of the pile and of the box, less what is booked on nobody yet: always the whole deck."""
    counted = sum(seat.count for seat in state.seats)
    debts = sum(len(debt.cards) - 1 if debt.penalty else -1 for debt in state.debts)
    return int(counted + len(state.pile) + state.boxed + debts)


WALKS: dict[str, Walk] = {
    "piranhas": Walk(
        piranhas_begin,
        piranhas_step,
        (
            {},
            {"calls": "players"},
            {"calls": "report", "announce": "strict"},
            {"announce": "ignore", "race_grace_ms": 500, "illegal_source_as_wrong_card": True},
            {"announce": "strict", "reshuffle_on_turnover": True, "series": 1},
        ),
        piranhas_cards,
    ),
}

SEEDS = range(8)
LENGTH = 120
CASES = [
    pytest.param(name, options, seed, id=f"{name}-{number}-{seed}")
    for name, walk in WALKS.items()
    for number, options in enumerate(walk.options)
    for seed in SEEDS
]


def walk_states(name: str, options: Mapping[str, Json], seed: int) -> Iterator[tuple[Any, Move, Any, Start]]:
    """Every state of a walk with the move made in it and the state after."""
    dice, game = random.Random(seed), GAMES[name]
    start = WALKS[name].begin(dice, options)
    state = game.start(start)
    for seq in range(2, LENGTH):
        move = WALKS[name].step(dice, state, start)
        move = Move(move.player, move.kind, move.cards, move.target, move.data, time_s=seq / 4, seq=seq)
        after = game.apply(state, move)
        yield state, move, after, start
        state = after
        if game.result(state) is not None:
            return


def walk_match(name: str, options: Mapping[str, Json], seed: int) -> Match:
    match = Match("walk", MemoryStore(), wording=load_wording())
    for _, move, _, start in walk_states(name, options, seed):
        if not match.entries:
            match.append(match.entry(start, 0.0, source="operator"))
        plain = Move(move.player, move.kind, move.cards, move.target, move.data)
        match.append(match.entry(plain, match.next_seq / 4, source="camera"))
    return match


def test_every_game_is_walked() -> None:
    assert WALKS.keys() == GAMES.keys()


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_legal_is_what_is_judged_legal(name: str, options: Mapping[str, Json], seed: int) -> None:
    game = GAMES[name]
    for state, move, _, start in walk_states(name, options, seed):
        if move.kind != "play" or move.player not in start.players or move.data:
            continue
        legal = [one.cards[0] for one in game.legal(state, move.player, held=start.deck)]
        judged = [
            card for card in start.deck if game.judge(state, Move(move.player, "play", (card,))).ruling == "legal"
        ]
        assert list(legal) == judged
        assert not legal or game.result(state) is None


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_cards_are_conserved(name: str, options: Mapping[str, Json], seed: int) -> None:
    cards = WALKS[name].cards
    for state, move, after, _ in walk_states(name, options, seed):
        assert cards(after) == cards(state), move


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_judging_is_pure_and_names_only_known_rules(name: str, options: Mapping[str, Json], seed: int) -> None:
    game = GAMES[name]
    for state, move, after, _ in walk_states(name, options, seed):
        verdict = game.judge(state, move)
        assert game.judge(state, move) == verdict
        assert game.apply(state, move) == after
        assert {one.rule for one in (*verdict.faults, *verdict.grounds, *verdict.reminders)} <= game.rule_ids
        assert (verdict.result is not None) == (game.result(after) is not None and game.result(state) is None)
        assert bool(verdict.faults) or verdict.ruling not in ("foul", "upheld", "disproved")


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_log_survives_json_and_folds_to_the_same(name: str, options: Mapping[str, Json], seed: int) -> None:
    match = walk_match(name, options, seed)
    read = tuple(Entry.from_json(json.loads(json.dumps(entry.to_json()))) for entry in match.entries)
    assert read == match.entries
    assert fold(read).state == match.state
    assert fold(read).verdicts == match.verdicts()


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_retract_restores(name: str, options: Mapping[str, Json], seed: int) -> None:
    match = walk_match(name, options, seed)
    shorter = fold(match.entries[:-1])
    match.append(match.entry(Retract(match.entries[-1].seq), 0.0, source="operator"))
    assert match.state == shorter.state
    assert match.verdicts() == shorter.verdicts


@pytest.mark.parametrize(("name", "options", "seed"), CASES)
def test_view_is_json_with_a_sentence_for_everything_and_shows_no_card_that_nobody_saw(
    name: str, options: Mapping[str, Json], seed: int
) -> None:
    match = walk_match(name, options, seed)
    view = match.view()
    text = json.dumps(view, ensure_ascii=False)
    assert json.loads(text) == view
    for verdict in view["verdicts"]:
        assert all(verdict["text"].values()), verdict
        assert {len(steps) for steps in verdict["steps"].values()} == {len(verdict["remedy"])}
    (start,) = (entry.body for entry in match.entries if isinstance(entry.body, Start))
    seen = {card for entry in match.entries if isinstance(entry.body, Move) for card in entry.body.cards}
    seen |= set(faces(start.setup["pile"]))  # type: ignore[arg-type]
    assert [card for card in start.deck if card not in seen and f'"{card}"' in text] == []


@pytest.mark.parametrize("name", GAMES)
def test_unreadable_moves_raise_and_say_what_would_be_readable(name: str) -> None:
    game = GAMES[name]
    state = game.start(WALKS[name].begin(random.Random(1), {}))
    for move in (Move("A", "no-such-move"), Move("Nobody", "play", (UNKNOWN,)), Move("A", "play", (Face("XX"),))):
        with pytest.raises(UnreadableError) as caught:
            game.judge(state, move)
        assert caught.value.hint


@pytest.mark.parametrize("name", GAMES)
def test_options_have_a_possible_default_and_touch_known_rules(name: str) -> None:
    game = GAMES[name]
    for option in game.options:
        assert option.read(option.default) == option.default
        assert set(option.touches) <= game.rule_ids
