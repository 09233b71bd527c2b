"""Mau-Mau: what its cases cannot say: corrections, series, what the eyes see, phones, and what cannot be read."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from referee.cards import UNKNOWN, Face, faces
from referee.entries import Start
from referee.errors import CardError, MoveError, OptionError, SetupError
from referee.games import find_game
from referee.match import Match
from referee.moves import TABLE, UNCLEAR, Change, Move
from referee.playout import deal, play_out
from referee.store import MemoryStore
from referee.wording import load_wording

GAME: Any = find_game("mau-mau")
PLAYERS = ("A", "B", "C")
PACK = faces([*(f"{rank}{suit}" for rank in (*range(2, 11), *"JQKA") for suit in "CDHS"), "JK", "JK"])
ONE_LEFT: Mapping[str, Any] = {"top": "9H", "hand_size": {"A": 1, "B": 3, "C": 2}, "turn": "A"}


def begin(given: Mapping[str, Any], *, previous: Any = None, players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    return GAME.start(Start("mau-mau", players, options, PACK, given), previous)


def play(state: Any, player: str, *cards: str, **said: Any) -> Any:
    return GAME.apply(state, Move(player, "play", faces(cards), **said))


def table(*plays: tuple[str, str]) -> Match:
    """A match in which a 9 of hearts was turned over and some cards were played."""
    match = Match("m", MemoryStore(), wording=load_wording())
    match.append(match.entry(Start("mau-mau", PLAYERS, deck=PACK, setup=GAME.found), 0.0, source="operator"))
    match.append(match.entry(Move(TABLE, "reveal", faces(["9H"])), 1.0, source="camera"))
    for player, card in plays:
        match.append(match.entry(Move(player, "play", faces([card])), float(match.next_seq), source="camera"))
    return match


# --- the deal and the table ---
def test_only_the_32_cards_are_dealt_and_the_others_lie_aside() -> None:
    start = deal(GAME, PLAYERS, pack=PACK, dice=random.Random(3))
    state = GAME.start(start)
    assert {len(seat.hand) for seat in state.seats} == {5}
    assert len(state.draw) == 32 - 3 * 5 - 1
    assert sorted(state.table.aside) == sorted(card for card in PACK if card[:-1] in "23456" or card == "JK")
    assert {"2H", "JK", state.pile[0]} <= GAME.exhausted(state)


def test_a_pack_that_is_too_small_is_not_dealt() -> None:
    with pytest.raises(SetupError, match="15 cards are too few for 3 players"):
        deal(GAME, PLAYERS, pack=faces(["9H"] * 15), dice=random.Random(1))


@pytest.mark.parametrize("seed", range(3))
def test_every_card_is_somewhere_through_a_whole_game(seed: int) -> None:
    """Long enough to draw the play pile through again, with the cards that Mau-Mau lays aside."""
    start = deal(GAME, PLAYERS, pack=PACK, dice=random.Random(seed))
    turns = list(play_out(GAME, start, dice=random.Random(seed)))
    assert GAME.result(turns[-1].after).reason == "last-card"
    for turn in turns:
        assert sorted(GAME.inventory(turn.after)) == sorted(PACK), turn.move


def test_a_camera_finds_a_table_at_which_nobody_is_heard() -> None:
    assert begin(GAME.found).table.hears is False
    assert begin(ONE_LEFT).table.hears is True


# --- corrections ---
def test_a_mistake_that_comes_out_late_stays() -> None:
    match = table(("A", "KH"), ("B", "QH"), ("C", "10H"))
    match.append(match.entry(match.amended(3, cards=["KS"]), 9.0, source="phone"))
    late = match.verdicts()[1]
    assert (late.ruling, late.grounds[0].rule, late.grounds[0].facts["case"]) == ("legal", "M-T2", "late")
    assert match.view()["target"]["face"] == "10H"
    assert match.view()["turn"] == "A"


def test_a_card_played_out_of_turn_stays_too_when_that_comes_out_late() -> None:
    match = table(("A", "KH"), ("B", "QH"), ("C", "10H"))
    match.append(match.entry(match.amended(3, player="C"), 9.0, source="phone"))
    assert [(one.ruling, one.rules) for one in match.verdicts()[1:]] == [("legal", ())] * 3
    assert match.verdicts()[1].grounds[0].rule == "M-T1"


def test_naming_the_unread_card_settles_what_was_played_on_it() -> None:
    match = table(("A", "??"), ("B", "QS"))
    assert [one.ruling for one in match.verdicts()[1:]] == ["pending", "pending"]
    match.append(match.entry(match.answered("which-card-3", "8H"), 9.0, source="phone"))
    assert [(one.ruling, one.rules) for one in match.verdicts()[1:]] == [("legal", ()), ("void", ("M-T1",))]
    assert match.asks() == ()


def test_a_suit_is_named_on_a_phone() -> None:
    match = table(("A", "JS"))
    (ask,) = match.asks()
    match.append(match.entry(match.answered(ask.id, "hearts"), 9.0, source="phone"))
    assert (match.view()["colour"], match.view()["turn"]) == ("hearts", "B")


# --- rounds ---
def test_wins_are_carried_on_and_the_left_neighbour_begins() -> None:
    over = play(begin(ONE_LEFT, rounds_to_win=2), "A", "KH")
    second = begin(GAME.found, previous=over, rounds_to_win=2)
    assert (GAME.result(over).over, second.turn, GAME.scores(second)) == ("round", "B", {"A": 1, "B": 0, "C": 0})
    third = begin(ONE_LEFT, previous=second, rounds_to_win=2)
    assert GAME.result(play(third, "A", "KH")).over == "game"


def test_a_round_that_was_broken_off_does_not_count() -> None:
    second = begin(GAME.found, previous=play(begin(ONE_LEFT, rounds_to_win=2), "A", "KH"), rounds_to_win=2)
    again = begin(GAME.found, previous=second, rounds_to_win=2)
    assert (again.turn, again.table.wins) == ("B", {"A": 1, "B": 0, "C": 0})


def test_a_won_game_and_other_players_begin_at_nought() -> None:
    over = play(begin(ONE_LEFT), "A", "KH")
    for players in (PLAYERS, ("A", "B")):
        anew = begin(GAME.found, previous=over, players=players)
        assert (anew.turn, set(anew.table.wins.values())) == ("A", {0})


def test_nothing_is_turned_over_once_the_round_is_over() -> None:
    over = play(begin(ONE_LEFT), "A", "KH")
    verdict, after = GAME.decide(over, Move(TABLE, "reveal", faces(["9S"])))
    (fault,) = verdict.faults
    assert (verdict.ruling, fault.rule, fault.facts["case"], after) == ("void", "M-E1", "over", over)


def test_saying_go_or_turning_over_once_more_in_mid_round_changes_nothing() -> None:
    state = begin(ONE_LEFT)
    for move in (Move("B", "start"), Move(TABLE, "reveal", faces(["9H"]))):
        verdict, after = GAME.decide(state, move)
        assert (verdict.ruling, verdict.routine, after) == ("legal", True, state)


# --- what the eyes see ---
def seen(state: Any, what: Any, *cards: str, zone: str = "pile") -> list[tuple[str, str]]:
    candidates = tuple((Face(card), 1 / len(cards)) for card in cards)
    moves = GAME.read(state, Change(what, zone, 1.0, 2.0, candidates), player="A")
    return [(move.player, move.kind) for move in moves]


def test_cards_that_come_and_go_on_the_pile() -> None:
    before, state = begin(GAME.found), begin(ONE_LEFT)
    assert seen(before, "appeared", "9H") == [(TABLE, "reveal")]
    assert seen(before, "vanished") == []
    assert seen(state, "appeared", "KH") == [("A", "play")]
    assert seen(state, "appeared") == [("A", "play")]
    assert seen(state, "appeared", "9H") == []
    assert seen(state, "vanished") == []
    assert seen(state, "appeared", "KH", zone="seat.A") == []
    assert seen(play(state, "A", "KH"), "appeared", "QH") == []


def test_after_a_foul_the_card_that_comes_to_light_is_the_repair() -> None:
    stopped = GAME.apply(begin(ONE_LEFT), Move("A", "play", faces(["KS"]), seq=4))
    assert GAME.view(stopped)["stop"] == {"seq": 4}
    for what, cards in (("vanished", ()), ("appeared", ("9H",))):
        assert seen(stopped, what, *cards) == [(TABLE, "repaired")]
    assert GAME.view(GAME.apply(stopped, Move(TABLE, "repaired")))["stop"] is None


# --- what is told ---
def test_phones_learn_of_hands_only_what_everybody_saw_and_only_with_hints() -> None:
    for hints in (False, True):
        state = play(begin(ONE_LEFT, hints=hints), "A", "KS")
        tile = GAME.view(state)["players"][0]
        assert tile.get("known") == (["KS"] if hints else None)
        assert GAME.knowledge(state)["A"] == (1, ("KS",))


def test_an_unread_card_from_the_hand_may_have_been_any_known_one() -> None:
    state = play(begin({**ONE_LEFT, "hand_size": {"A": 4}}), "A", "KS")
    assert GAME.knowledge(play(state, "A", "??"))["A"] == (3, ())


def test_a_hand_that_somebody_held_out_is_enough_to_list_its_plays() -> None:
    moves = GAME.legal(begin({**ONE_LEFT, "draw": 9}), "A", held=faces(["KH", "QS", "9S"]))
    assert [move.cards or move.data["n"] for move in moves] == [("KH",), ("9S",), 1]


def test_a_player_whose_cards_nobody_counted_may_play() -> None:
    """Of a table joined in mid-game only the pile is known: a play stands, and the hand stays uncounted."""
    state = begin({"top": "9H"})
    verdict, after = GAME.decide(state, Move("A", "play", faces(["KH"])))
    assert (verdict.ruling, GAME.view(after)["turn"], GAME.view(after)["target"]["face"]) == ("legal", "B", "KH")
    assert GAME.knowledge(after)["A"] == GAME.knowledge(state)["A"] == (None, ())


def test_a_counted_hand_corrects_the_tally() -> None:
    state = GAME.apply(begin({"top": "9H"}), Move("B", "count", data={"n": 2}))
    assert state.seats[1].hand == (UNKNOWN, UNKNOWN)
    assert GAME.apply(state, Move("B", "count", data={"n": 2})) == state


# --- what cannot be read ---
@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Move("A", "war", target="B"), "no move 'war'"),
        (Move("Z", "draw", data={"n": 1}), "'Z' does not play"),
        (Move("A", "play"), "which one is not said"),
        (Move("A", "draw"), "None is no number of cards"),
        (Move("A", "draw", data={"n": True}), "True is no number of cards"),
        (Move("A", "name", target="purple"), "'purple' is no suit"),
        (Move("A", "call", target="stuck"), "no call 'stuck'"),
        (Move(UNCLEAR, "count", data={"n": 1}), "needs one of the players"),
        (Move(TABLE, "reveal", faces(["9H", "9S"])), "One card is turned over to begin, not 2"),
    ],
)
def test_what_is_no_move_is_refused_in_words(move: Move, words: str) -> None:
    with pytest.raises(MoveError, match=words) as caught:
        GAME.decide(begin(GAME.found), move)
    assert caught.value.hint


def test_a_card_that_is_not_played_with_is_refused() -> None:
    for state in (begin(ONE_LEFT), begin(GAME.found)):
        with pytest.raises(CardError, match="6H is no card of Mau-Mau"):
            play(state, "A", "6H")
    with pytest.raises(CardError, match="JK"):
        begin({"pile": ["JK"]})


def test_a_table_that_cannot_be_is_refused() -> None:
    with pytest.raises(SetupError, match="2 to 5 players, not for 6"):
        begin({}, players=tuple("ABCDEF"))
    with pytest.raises(SetupError, match="'colour' is 'red'"):
        begin({"top": "JH", "colour": "red"})
    with pytest.raises(SetupError, match="No card of Mau-Mau"):
        GAME.start(Start("mau-mau", PLAYERS, deck=faces(["R2+B4+Y1"])))
    with pytest.raises(OptionError, match="mau_penalty"):
        begin({}, mau_penalty=3)
