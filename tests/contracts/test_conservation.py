"""No card is in two places: what a game allows is believed in every game, a card that lies elsewhere in none."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from game_tables import pack_of

from referee.cards import UNKNOWN, Face, is_known
from referee.entries import Start
from referee.errors import CardError
from referee.games import GAMES
from referee.games.base import Game
from referee.interpret import CONSERVATION, rule
from referee.moves import Move
from referee.playout import deal, random_moves

PLAYERS = ("Ada", "Ben", "Cleo")
MOVES = 150
TABLES = [pytest.param(name, seed, id=f"{name}-{seed}") for name in GAMES for seed in range(6)]


def dealt(game: Game[Any], dice: random.Random) -> Start:
    return deal(game, PLAYERS, pack=pack_of(game.deck), dice=dice)


def states(name: str, seed: int) -> Iterator[tuple[Any, Move]]:
    """The states of a random game with the move made in each."""
    game, dice = GAMES[name], random.Random(seed)
    state = game.start(dealt(game, dice))
    for move, after in random_moves(game, state, PLAYERS, dice=dice):
        yield state, move
        state = after


def doubted(verdict: Any) -> bool:
    return CONSERVATION in {one.rule for one in verdict.grounds}


@pytest.mark.parametrize(("name", "seed"), TABLES)
def test_moves_that_stand_are_never_taken_for_misread(name: str, seed: int) -> None:
    for number, (state, move) in enumerate(states(name, seed)):
        verdict, _ = rule(GAMES[name], state, move=move)
        assert not doubted(verdict)
        assert verdict == GAMES[name].judge(state, move)
        if number == MOVES:
            return


@pytest.mark.parametrize(("name", "seed"), TABLES)
def test_card_that_lies_elsewhere_counts_as_unread(name: str, seed: int) -> None:
    tried = 0
    for state, move in states(name, seed):
        for card in sorted(GAMES[name].exhausted(state)):
            told = Move(move.player if move.player in PLAYERS else PLAYERS[0], "play", (card,), seq=7)
            verdict, after = rule(GAMES[name], state, move=told)
            unread, same = rule(GAMES[name], state, move=Move(told.player, "play", (UNKNOWN,), seq=7))
            assert doubted(verdict)
            assert (verdict.ruling, verdict.rules, verdict.asks) == (unread.ruling, unread.rules, unread.asks)
            assert (verdict.move.cards, after) == ((UNKNOWN,), same)
            tried += 1
        if tried >= MOVES:
            return


@pytest.mark.parametrize("name", GAMES)
def test_deck_is_known_with_all_its_copies(name: str) -> None:
    game = GAMES[name]
    start = dealt(game, random.Random(1))
    state = game.start(start)
    assert {card: start.deck.count(card) for card in start.deck} == dict(game.copies(state))
    assert game.copies(game.start(Start(name, PLAYERS))) == {}


@pytest.mark.parametrize("name", GAMES)
def test_card_of_another_deck_is_refused(name: str) -> None:
    game = GAMES[name]
    start = dealt(game, random.Random(1))
    foreign = Face("P-R") if "P-R" not in start.deck else Face("KH")
    for kind in ("play", "discard", "reveal", "give", "call"):
        with pytest.raises(CardError, match=f"no card {foreign} in this deck") as caught:
            rule(game, game.start(start), move=Move(PLAYERS[0], kind, (foreign,), target="wrong-card"))
        assert caught.value.hint


@pytest.mark.parametrize("name", GAMES)
def test_more_copies_than_there_are_in_the_deck_are_not_believed(name: str) -> None:
    game = GAMES[name]
    start = dealt(game, random.Random(1))
    state = game.start(start)
    card = next(card for card in start.deck if is_known(card) and card not in game.exhausted(state))
    count = start.deck.count(card)
    verdict, _ = rule(game, state, move=Move(PLAYERS[0], "play", (card,) * (count + 1), seq=2))
    assert doubted(verdict)
    assert verdict.move.cards == (*(card,) * count, UNKNOWN)
