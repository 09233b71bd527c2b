"""Games played out at random: broken off where the game says so, over where nobody can do anything."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest

from referee.cards import faces
from referee.entries import Call, Declare, Start
from referee.errors import LogError
from referee.games import GAMES, find_game
from referee.games.base import Game
from referee.games.piranhas import Piranhas
from referee.playout import deal, play_out, random_moves, standing
from referee.verdicts import Ask
from vision.decks import load_deck

PLAYERS = ("A", "B")


class Short(Piranhas):
    """Piranhas that is broken off early."""

    most_moves = 5  # type: ignore[misc]


def test_a_game_is_broken_off_after_its_most_moves() -> None:
    pack = faces(load_deck("fish").all_cards)
    start = deal(Short(), PLAYERS, pack=pack, dice=random.Random(1))
    turns = list(play_out(Short(), start, dice=random.Random(1)))
    assert len(turns) == 5
    assert all(first.after == second.before for first, second in pairwise(turns))


@pytest.mark.parametrize("name", GAMES)
def test_the_table_after_a_move_is_what_a_new_game_gets_without_a_line_of_its_own(name: str) -> None:
    """A game may find the state after a move without wording a verdict: `Game.apply` is the measure of that."""
    game = GAMES[name]
    start = deal(game, PLAYERS, pack=faces(load_deck(game.deck).all_cards), dice=random.Random(2))
    turns = list(islice(play_out(game, start, dice=random.Random(2)), 60))
    assert len(turns) > 5
    for turn in turns:
        assert turn.after == Game.apply(game, turn.before, turn.move), turn.move


def test_nothing_is_played_where_nobody_knows_a_card() -> None:
    game = find_game("crazy-old-fish-war")
    state = game.start(Start(game.name, PLAYERS, setup=game.found))
    assert standing(game, state, PLAYERS) == ()
    assert list(random_moves(game, state, PLAYERS, dice=random.Random(1))) == []


@pytest.mark.parametrize(
    ("ask", "choice", "said"),
    [
        (Ask("target", player="A"), "war B", Declare("A", "war", "B")),
        (Ask("target", player="A"), "ask C", Declare("A", "ask", "C")),
        (Ask("colour", player="A"), "hearts", Declare("A", "name", "hearts")),
        (Ask("rank", player="A"), "9", Declare("A", "name", "9")),
        (Ask("fish", player="B"), "trout", Declare("B", "shout", "trout")),
        (Ask("stuck", player="B"), "yes", Call("B", "stuck")),
    ],
)
def test_questions_are_answered_by_what_a_player_would_say(ask: Ask, choice: str, said: Declare | Call) -> None:
    assert {game.answer(ask, choice) for game in GAMES.values()} == {said}


@pytest.mark.parametrize("ask", [Ask("match", player="A"), Ask("take-pile", player="A"), Ask("colour"), Ask("target")])
def test_other_questions_are_answered_at_the_table(ask: Ask) -> None:
    with pytest.raises(LogError, match="does not answer") as refused:
        find_game("mau-mau").answer(ask, "hearts")
    assert refused.value.hint == "Do it at the table."
