"""Positions that a game begins from: what cannot be is refused in words, before anything is made of it."""

from __future__ import annotations

import pytest

from referee.cards import UNKNOWN
from referee.entries import Start
from referee.errors import SetupError
from referee.games import find_game
from referee.games.position import MOST_CARDS, Position, check_players
from referee.moves import Json

KEYS = ("hands", "draw", "hand_size", "wins", "out", "names")


def position(**setup: object) -> Position:
    return Position(setup, game="Tiddlywinks", players=("A", "B"), keys=KEYS)  # type: ignore[arg-type]


def test_numbers_of_cards_up_to_the_limit_are_read() -> None:
    setup = position(hands={"A": MOST_CARDS}, draw=0, hand_size={"B": MOST_CARDS}, wins={"A": MOST_CARDS + 1})
    assert setup.cards_each("hands") == {"A": (UNKNOWN,) * 1000}
    assert setup.cards_or_count("draw") == ()
    assert setup.numbers("hand_size") == {"B": 1000}
    assert setup.numbers("wins") == {"A": 1001}


@pytest.mark.parametrize("number", [MOST_CARDS + 1, 10**9, 10**15, 10**20])
def test_larger_numbers_name_the_key_the_number_and_what_is_possible(number: int) -> None:
    setup = position(hands={"A": number}, draw=number, hand_size={"A": number})
    for key, read in (("hands", setup.cards_each), ("draw", setup.cards_or_count), ("hand_size", setup.numbers)):
        with pytest.raises(SetupError) as caught:
            read(key)
        assert str(caught.value) == f"'{key}' is {number}, which is too large a number of cards."
        assert caught.value.hint == "Possible: 0 to 1000."


@pytest.mark.parametrize(
    ("game", "key"),
    [
        ("crazy-old-fish-war", "draw"),
        ("mau-mau", "draw"),
        ("piranhas", "boxed"),
        ("shithead", "draw"),
        ("shithead", "run"),
    ],
)
def test_no_game_begins_from_a_number_that_no_memory_holds(game: str, key: str) -> None:
    with pytest.raises(SetupError, match=f"'{key}' is {10**15}, which is too large"):
        find_game(game).start(Start(game, ("A", "B"), setup={key: 10**15}))


def test_nobody_stands_twice_in_a_list_of_players() -> None:
    assert position(out=["B", "A"]).names("out") == ("B", "A")
    with pytest.raises(SetupError, match="'out' names B twice"):
        position(out=["B", "A", "B"]).names("out")


@pytest.mark.parametrize("value", [5, None, True, "", " ", ["trout"]])
def test_words_are_words(value: object) -> None:
    assert position(names=["trout", "5"]).words("names") == ("trout", "5")
    with pytest.raises(SetupError, match=r"'names' holds .*, it should hold words"):
        position(names=["trout", value]).words("names")


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("text", 7, "should be a word"),
        ("flag", "yes", "should be true or false"),
        ("items", "G6", "should be a list"),
        ("numbers", 4, "should say something for each player"),
        ("player", "Zoe", "names 'Zoe', who does not play"),
    ],
)
def test_values_of_another_kind_are_refused_in_words(key: str, value: Json, complaint: str) -> None:
    position = Position({"it": value}, game="Mau-Mau", players=("A", "B"), keys=("it",))
    with pytest.raises(SetupError, match=complaint) as refused:
        getattr(position, key)("it")
    assert refused.value.hint


def test_no_players_or_doubled_ones_make_no_game() -> None:
    for players in (("A", "A"), ("A", ""), ("A", "table"), ("A",)):
        with pytest.raises(SetupError):
            check_players("Mau-Mau", players, least=2, most=5)
