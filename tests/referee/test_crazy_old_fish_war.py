"""Crazy Old Fish War beyond the rule cases: each test tells a short story and checks what the table would see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from crazy_scenes import MID, begin, play, story, table

from referee.cards import Face
from referee.cases import as_move
from referee.entries import Start
from referee.errors import CardError, MoveError, OptionError, SetupError, UnreadableError
from referee.games.crazy_old_fish_war import GAME
from referee.games.crazy_old_fish_war.faces import choices, colour_word, fits, read_card, value_of
from referee.games.crazy_old_fish_war.names import plain
from referee.games.crazy_old_fish_war.state import State
from referee.moves import TABLE, UNCLEAR, Move
from referee.verdicts import Ask, Verdict


def setup(options: Mapping[str, Any] | None = None, **given: Any) -> State:
    return GAME.start(Start("crazy-old-fish-war", ("A", "B", "C"), options or {}, setup={"phase": "setup", **given}))


def sizes(state: State) -> dict[str, int | None]:
    return dict(table(state)["hand_size"])


def asked(verdict: Verdict) -> dict[str | None, str]:
    return {ask.player: ask.kind for ask in verdict.asks}


def takes(verdict: Verdict, player: str) -> tuple[list[str], int]:
    steps = [step for step in verdict.remedy if step.player == player and step.action == "take"]
    return [card for step in steps for card in step.cards], sum(step.count for step in steps)


def drawn(verdict: Verdict, player: str) -> int:
    return sum(step.count for step in verdict.remedy if step.player == player and step.action == "draw")


WAR: dict[str, Any] = {"by": "A", "war": "B"}
NO: dict[str, Any] = {"by": "B", "answer": "no"}


def flip(**cards: str) -> dict[str, Any]:
    return {"by": "table", "flip": True, "cards": cards}


# --- cards ---
@pytest.mark.parametrize(
    ("card", "colour", "number"),
    [
        *[("G6", "green", 6), ("R10", "red", 10), ("6S", "spades", 6), ("10H", "hearts", 10), ("AC", "clubs", 1)],
        *[
            ("KD", "diamonds", 13),
            ("P3", "P", 3),
            ("MM", None, 100),
            ("JK", None, 100),
            ("W8", None, 8),
            ("8S", None, 8),
        ],
    ],
)
def test_faces_of_both_notations(card: str, colour: str | None, number: int) -> None:
    assert read_card(Face(card)).colour == colour
    assert value_of(Face(card)) == number


@pytest.mark.parametrize("card", ["", "XX", "G", "6", "g6", "G100", "1S", "11H", "9?", "P-R", "R2+B4+Y1", "JJ"])
def test_what_is_no_card_of_the_game_is_refused_by_name(card: str) -> None:
    with pytest.raises(CardError) as caught:
        GAME.decide(begin(), Move("A", "play", (Face(card),)))
    assert repr(card) in str(caught.value)
    assert caught.value.hint
    with pytest.raises(CardError):
        GAME.decide(begin(), Move("A", "play", (Face("G2"),), candidates=((Face("G2"), 0.6), (Face(card), 0.4))))


@pytest.mark.parametrize(
    ("top", "colour", "card", "answer"),
    [
        *[("G6", None, "G2", True), ("G6", None, "R6", True), ("G6", None, "R2", False), ("G6", "red", "R2", False)],
        *[
            ("W8", "blue", "B3", True),
            ("W8", "blue", "R8", True),
            ("W8", "blue", "R3", False),
            ("W8", None, "R3", None),
        ],
        *[("8S", "hearts", "9S", False), ("??", None, "G2", None), ("??", None, "W8", True), ("G6", None, "??", None)],
        *[("W8", "purple", "P3", True), ("W8", "any", "R3", True), ("W8", "any", "??", True)],
    ],
)
def test_what_matches(top: str, colour: str | None, card: str, answer: bool | None) -> None:
    assert fits(Face(top), colour, Face(card)) is answer


def test_colours_of_an_unknown_deck_are_any_word_but_suits_belong_to_a_french_pack() -> None:
    green, spade = (Face("G6"),), (Face("6S"),)
    assert [colour_word(word, pile=green) for word in ("red", "R", " Purple ", "hearts", "any", "7", "")] == [
        "red", "red", "purple", None, None, None, None,
    ]  # fmt: skip
    assert [colour_word(word, pile=spade) for word in ("hearts", "H", "red", "purple")] == [
        "hearts",
        "hearts",
        None,
        None,
    ]
    assert choices(green, ()) == ("red", "green", "blue", "yellow")
    assert set(choices(spade, ())) == {"hearts", "diamonds", "spades", "clubs"}


def test_colours_of_a_known_deck_are_its_own() -> None:
    deck = tuple(Face(card) for card in ("G6", "G7", "P1", "W8", "MM"))
    state = GAME.start(Start("crazy-old-fish-war", ("A", "B"), deck=deck, setup={"top": "G6"}))
    verdict, state = story(state, play("A", "W8"))
    assert verdict.asks == (Ask("colour", player="A", choices=("P", "green")),)
    verdict, state = story(state, {"by": "A", "name": "red"})
    assert (verdict.ruling, asked(verdict), table(state)["turn"]) == ("pending", {"A": "colour"}, "A")
    verdict, state = story(state, {"by": "A", "name": "purple"})
    assert (verdict.ruling, table(state)["colour"]) == ("legal", "purple")
    assert story(state, play("B", "P1"))[0].ruling == "legal"


def test_fish_names_are_compared_without_case_accents_and_plural() -> None:
    assert plain("Förelles") == plain("forelle") == plain(" FORELLE! ")
    assert plain("trout") != plain("trot")


# --- positions ---
@pytest.mark.parametrize(
    ("players", "given"),
    [
        *[("A", {}), ("ABCDEFG", {}), ("AA", {}), ("ABC", {"pile": []}), ("ABC", {"turn": "Z"}), ("ABC", {"rank": 7})],
        *[("ABC", {"hands": {"A": ["G1", "G2"]}, "hand_size": {"A": 1}}), ("ABC", {"colour": "7"})],
        *[("ABC", {"deck": "x"}), ("ABC", {"phase": "swap"}), ("ABC", {"known": {"A": "G1"}})],
    ],
)
def test_impossible_positions_are_refused_with_a_hint(players: str, given: dict[str, Any]) -> None:
    with pytest.raises(SetupError) as caught:
        begin(players=players, **{"hand_size": {}, **given})
    assert caught.value.hint


def test_a_position_of_other_cards_or_rules_is_refused() -> None:
    with pytest.raises(CardError):
        begin(hands={"A": ["XX"]})
    with pytest.raises(CardError):
        begin(known={"A": ["XX"]})
    with pytest.raises(OptionError):
        begin({"shout_penalty": 3})


def test_known_cards_are_those_everybody_saw() -> None:
    state = begin(hands={"A": ["G1", "??"]}, known={"A": ["R3", "R3"]}, hand_size={"A": 4, "B": 5})
    assert GAME.knowledge(state)["A"] == (4, (Face("R3"), Face("R3")))
    assert sorted(state.seats[0].hand or ()) == ["??", "G1", "R3", "R3"]
    whole = begin(hands={"A": ["G1", "R3"], "B": 2}, known=True, hand_size={})
    assert GAME.knowledge(whole)["A"].known == (Face("G1"), Face("R3"))
    assert GAME.knowledge(whole)["B"] == (2, ())
    assert GAME.knowledge(begin(known={"C": ["G2"]}, hand_size={}))["C"] == (None, (Face("G2"),))


def test_a_position_may_be_in_the_middle_of_a_war() -> None:
    state = begin(open={"A": ["R5"], "B": ["Y5"]})
    assert sizes(state)["A"] == 5
    verdict, state = story(state, flip(A="R9", B="Y2"))
    assert (takes(verdict, "B")[0], sizes(state)["A"], sizes(state)["B"]) == (["Y2", "Y5", "R5"], 3, 7)
    for tied in ({"A": ["R5"]}, {"B": ["R5"], "C": ["Y5"]}):
        with pytest.raises(SetupError):
            begin(open=tied)
    with pytest.raises(CardError):
        begin(open={"A": ["XX"], "B": ["Y5"]})


def test_without_a_word_about_the_pile_an_unread_card_lies_there() -> None:
    state = GAME.start(Start("crazy-old-fish-war", ("A", "B")))
    assert table(state)["pile"] == ["??"]


# --- moves that cannot be read ---
@pytest.mark.parametrize(
    "move",
    [
        Move("A", "swap"),
        Move("Z", "play", (Face("G2"),)),
        Move("A", "play"),
        Move("A", "call", target="wrong-card"),
        Move("A", "name"),
        Move("A", "war", target="Z"),
        Move("A", "answer", target="maybe"),
        Move("A", "give"),
        Move("A", "lay"),
        Move("A", "lay", (Face("back"), Face("back"))),
        Move("A", "reveal"),
        Move("A", "draw", data={"n": 0}),
        Move("A", "draw", data={"n": True}),
        Move("A", "shout", target="!"),
        Move("A", "count", data={"n": -1}),
        Move(TABLE, "count", data={"n": 3}),
        Move(TABLE, "flip"),
        Move(TABLE, "flip", data={"cards": "G6"}),
        Move(TABLE, "flip", data={"cards": {"A": "XX", "B": "G6"}}),
    ],
)
def test_what_cannot_be_read_raises_with_a_hint(move: Move) -> None:
    with pytest.raises(UnreadableError) as caught:
        GAME.decide(begin(), move)
    assert caught.value.hint


def test_a_flip_of_somebody_else_is_unreadable() -> None:
    with pytest.raises(MoveError):
        story(begin(), WAR, flip(A="R9", C="Y4"))


# --- unread cards, unseen players ---
def test_an_unread_card_lies_there_and_the_next_one_is_asked_about_it() -> None:
    verdict, state = story(begin(), play("A", "??"))
    assert (verdict.ruling, table(state)["turn"], sizes(state)["A"]) == ("pending", "B", 4)
    assert verdict.asks == (Ask("which-card", seq=1),)
    verdict, state = story(state, play("B", "R3"))
    assert (verdict.ruling, table(state)["top"], table(state)["turn"]) == ("pending", "R3", "C")
    assert verdict.asks == (Ask("which-card", seq=1),)
    assert GAME.pending(state) == (Ask("which-card", seq=1),)


def test_an_unread_candidate_is_no_foreign_card() -> None:
    unread = Move("A", "play", (Face("G2"),), candidates=((Face("G2"), 0.6), (Face("??"), 0.4)))
    assert story(begin(), unread)[0].ruling == "legal"


def test_a_wild_card_on_an_unread_card_is_judged_as_ever() -> None:
    verdict, _ = story(begin(), play("A", "??"), play("B", "W8"))
    assert (verdict.ruling, asked(verdict)) == ("pending", {"B": "colour"})


def test_the_last_card_unread_does_not_end_the_round_yet() -> None:
    verdict, state = story(begin(hand_size={"A": 1, "B": 2}), play("A", "back"))
    assert (verdict.ruling, verdict.result, table(state)["pile"]) == ("pending", None, ["G6", "??"])


def test_an_unread_start_card_is_asked_for_by_its_place_in_the_set_up() -> None:
    verdict, _ = story(begin(top="??"), play("A", "R3"))
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("which-card"),))


def test_a_wild_top_card_without_a_colour_leaves_open_what_matches() -> None:
    verdict, state = story(begin(top="W8"), play("A", "R3"))
    assert (verdict.ruling, table(state)["turn"]) == ("pending", "B")
    verdict, state = story(begin(top="W8"), {"by": "A", "name": "red"})
    assert (verdict.ruling, table(state)["colour"], table(state)["turn"]) == ("legal", "red", "B")


def test_a_card_of_nobody_is_judged_as_the_turn_of_whoever_is_on() -> None:
    verdict, state = story(begin(), play(UNCLEAR, "G2"))
    assert (verdict.ruling, table(state)["turn"], sizes(state)["A"]) == ("legal", "B", 4)
    assert verdict.asks == (Ask("whose", seq=1, choices=("A", "B", "C")),)
    assert Ask("whose", seq=1, choices=("A", "B", "C")) in GAME.pending(state)
    target = GAME.view(state)["target"]
    assert isinstance(target, dict)
    assert target["player"] is None


def test_after_the_round_nobody_is_asked_whose_card_it_was() -> None:
    verdict, _ = story(begin(hand_size={"A": 1}), play("A", "G2"), play(UNCLEAR, "G3"))
    assert (verdict.ruling, verdict.asks) == ("void", ())


def test_whoever_is_to_act_has_acted_where_nobody_saw_it() -> None:
    state = begin(hand_size={"A": 5, "B": 5})
    assert story(state, {"by": "A", "ask": "B"}, {"by": "?", "give": ["G2"]})[1].turn.step == "received"
    assert story(state, play("A", "W8"), {"by": "?", "name": "red"})[0].ruling == "legal"
    assert story(state, play("A", "MM"), {"by": "table", "draw": 5})[0].ruling == "pending"
    laid = story(state, WAR, {"by": "?", "lay": "back"}, {"by": "?", "lay": "back"})[1].war
    assert laid is not None
    assert laid.first is not None
    assert laid.second is not None
    down = begin(hand_size={"A": 2})
    assert story(down, play("A", "G2"), {"by": "?", "shout": "eel"})[0].ruling == "legal"


def test_unread_war_cards_are_asked_for_and_may_be_named_later() -> None:
    verdict, state = story(begin(), WAR, flip(A="??", B="Y4"))
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("which-card", seq=2),))
    assert GAME.pending(state) == (Ask("which-card", seq=2),)
    named = Move(TABLE, "flip", (Face("R9"),), data={"cards": {"A": "??", "B": "Y4"}})
    verdict, state = story(begin(), WAR, named)
    assert (verdict.ruling, table(state)["top"]) == ("legal", "R9")


def test_an_unread_gift_is_taken_for_whatever_is_played_then() -> None:
    verdict, state = story(begin(), {"by": "A", "ask": "B"}, {"by": "B", "give": ["??"]})
    assert (verdict.ruling, asked(verdict)) == ("pending", {"A": "match", None: "which-card"})
    assert story(state, play("A", "B6"))[0].ruling == "legal"
    assert story(state, play("A", "B5"))[0].rules == ("C-T1",)


def test_a_gift_for_an_unread_pile_is_asked_about() -> None:
    state = story(begin(), play("A", "??"))[1]
    verdict, state = story(state, {"by": "B", "ask": "C"}, {"by": "C", "give": ["R3"]})
    assert (verdict.ruling, asked(verdict)) == ("pending", {"B": "match", None: "which-card"})
    assert len(state.asks) == 1


# --- late corrections ---
def late(player: str, *cards: str) -> Move:
    return replace(as_move(play(player, *cards)), late=True)


@pytest.mark.parametrize(
    ("before", "move", "rule", "turn"),
    [
        ([], late("A", "R2"), "C-T1", "B"),
        ([], late("C", "G9"), "C-S6", "A"),
        ([play("A", "G2")], late("A", "G5"), "C-T3", "B"),
        ([WAR], late("A", "R2"), "C-V2", "B"),
        ([{"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]}], late("A", "G9"), "C-G4", "B"),
        ([{"by": "A", "ask": "B"}, NO], late("A", "G1"), "C-G5", "B"),
    ],
)
def test_a_card_that_turns_out_wrong_long_after_stays(
    before: list[dict[str, Any]], move: Move, rule: str, turn: str
) -> None:
    verdict, state = story(begin(), *before, move)
    assert (verdict.ruling, verdict.rules, verdict.remedy) == ("legal", (), ())
    assert (verdict.grounds[0].rule, verdict.grounds[0].facts["case"]) == (rule, "late")
    assert (table(state)["top"], table(state)["turn"]) == (move.cards[0], turn)


def test_the_card_that_should_have_been_played_is_in_the_hand_then() -> None:
    _, state = story(begin(), {"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]}, late("A", "G9"))
    assert (sizes(state)["A"], GAME.knowledge(state)["A"].known) == (5, (Face("B6"),))


def test_several_late_cards_all_stay() -> None:
    _, state = story(begin(), late("A", "G2", "G5", "R1"))
    assert (table(state)["pile"], sizes(state)["A"]) == (["G6", "G2", "G5", "R1"], 2)


def test_a_late_wild_card_still_needs_its_colour() -> None:
    verdict, state = story(begin(), late("C", "W8"))
    assert (verdict.ruling, asked(verdict), table(state)["turn"]) == ("pending", {"C": "colour"}, "C")


# --- plays ---
def test_several_cards_at_once_fall_with_the_first_one() -> None:
    verdict, state = story(begin(), play("A", "R2", "G5"))
    assert (verdict.ruling, set(verdict.rules), takes(verdict, "A")[0]) == ("foul", {"C-T1", "C-T3"}, ["R2", "G5"])
    assert (table(state)["top"], table(state)["turn"], sizes(state)["A"]) == ("G6", "A", 5)
    verdict, _ = story(begin(), play("C", "G2", "G5"))
    assert (verdict.ruling, verdict.rules, takes(verdict, "C")[0]) == ("void", ("C-S6",), ["G2", "G5"])


def test_a_wild_card_with_another_one_keeps_waiting_for_its_colour() -> None:
    verdict, state = story(begin(), play("A", "W8", "G5"))
    assert (verdict.ruling, verdict.rules, asked(verdict)) == ("foul", ("C-T3",), {"A": "colour"})
    assert (table(state)["top"], table(state)["turn"]) == ("W8", "A")


def test_a_second_card_behind_the_last_one_changes_nothing() -> None:
    verdict, _ = story(begin(hand_size={"A": 1}), play("A", "G2", "G5"))
    assert verdict.result is not None
    assert verdict.result.winners == ("A",)


def test_a_colour_said_with_the_card_is_named() -> None:
    verdict, state = story(begin(), {"by": "A", "play": ["MM"], "say": "red"})
    assert (verdict.ruling, table(state)["colour"], table(state)["turn"], drawn(verdict, "A")) == (
        "legal",
        "red",
        "B",
        5,
    )
    verdict, state = story(begin(), {"by": "A", "play": ["W8"], "say": "trout"})
    assert (verdict.ruling, asked(verdict)) == ("pending", {"A": "colour"})


def test_a_wrong_card_and_where_it_goes_is_seen_by_everybody() -> None:
    _, state = story(begin(), play("A", "R2"), play("C", "G9"))
    assert GAME.knowledge(state)["A"].known == (Face("R2"),)
    assert GAME.knowledge(state)["C"].known == (Face("G9"),)
    players = GAME.view(state)["players"]
    assert isinstance(players, list)
    assert [player["wrong"] for player in players] == [1, 0, 0]
    verdict, _ = story(state, play("A", "G2"), play("B", "G3"), {"by": "C", "war": "A"})
    assert (verdict.ruling, verdict.rules) == ("disproved", ("C-T2",))


def test_a_card_shown_twice_or_not_read_is_known_once_or_not_at_all() -> None:
    _, state = story(begin(), play("C", "G9"), play("C", "G9"), play("B", "??"))
    assert GAME.knowledge(state) == {"A": (5, ()), "B": (5, ()), "C": (5, (Face("G9"),))}


def test_after_a_foul_by_the_next_player_the_one_before_is_just_out_of_turn() -> None:
    verdict, _ = story(begin(), play("A", "G2"), play("B", "R9"), play("A", "G5"))
    assert (verdict.ruling, verdict.rules) == ("void", ("C-S6",))
    verdict, _ = story(begin(), play("A", "G2"), play("C", "R9"), play("A", "G5"))
    assert (verdict.ruling, verdict.rules) == ("foul", ("C-T3",))


def test_a_card_out_of_turn_may_prove_a_no_false_and_cost_the_penalty() -> None:
    state = begin({"renege_penalty": 2})
    verdict, state = story(state, {"by": "A", "ask": "C"}, {"by": "C", "answer": "no"}, play("C", "G9"))
    assert (verdict.ruling, verdict.rules, verdict.proves) == ("void", ("C-S6",), ("C-G2",))
    assert (drawn(verdict, "C"), sizes(state)["C"]) == (2, 7)
    verdict, state = story(state, {"by": "C", "draw": 1})
    assert (verdict.ruling, verdict.rules, drawn(verdict, "C")) == ("pending", ("C-G2",), 1)


# --- war ---
def test_a_match_played_after_all_calls_the_war_off() -> None:
    before = [WAR, {"by": "A", "lay": "back"}, {"by": "B", "lay": "back"}]
    verdict, state = story(begin(), *before, play("A", "G2"))
    assert (verdict.ruling, verdict.proves, table(state)["turn"]) == ("legal", ("C-T2",), "B")
    assert (takes(verdict, "A"), takes(verdict, "B")) == (([], 1), ([], 1))
    assert (sizes(state)["A"], sizes(state)["B"], state.war) == (4, 5, None)


def test_a_match_played_instead_of_waiting_for_a_gift_is_played() -> None:
    verdict, state = story(begin({"renege_penalty": 1}), {"by": "A", "ask": "B"}, play("A", "G2"))
    assert (verdict.ruling, verdict.proves, drawn(verdict, "A")) == ("legal", ("C-T2",), 1)
    assert (table(state)["top"], table(state)["turn"], sizes(state)["A"]) == ("G2", "B", 5)


def test_a_wild_card_played_after_all_in_a_war_names_its_colour_first() -> None:
    tied = [WAR, flip(A="R5", B="Y5")]
    verdict, state = story(begin(), *tied, play("A", "MM"))
    assert (verdict.ruling, verdict.proves, takes(verdict, "B")[0]) == ("pending", ("C-T2",), ["Y5"])
    assert (table(state)["pile"], sizes(state)["A"], asked(verdict)) == (["G6", "MM"], 9, {"A": "colour"})


def test_a_card_on_the_pile_is_no_war_card() -> None:
    verdict, state = story(begin(), WAR, play("A", "R2"))
    assert (verdict.ruling, verdict.rules, takes(verdict, "A")[0]) == ("foul", ("C-V2",), ["R2"])
    assert state.turn.step == "war"


def test_the_starters_open_card_that_matches_ends_the_war_at_once() -> None:
    before = [WAR, {"by": "B", "lay": "back"}]
    verdict, state = story(begin(), *before, {"by": "A", "lay": "G1"})
    assert (verdict.ruling, set(verdict.rules), asked(verdict)) == ("disproved", {"C-V2", "C-T2"}, {"A": "match"})
    assert (takes(verdict, "A"), takes(verdict, "B"), state.war) == ((["G1"], 1), ([], 1), None)
    verdict, state = story(begin(), WAR, {"by": "A", "lay": "R2"})
    assert (verdict.ruling, verdict.rules, takes(verdict, "A")) == ("foul", ("C-V2",), (["R2"], 1))


def test_the_starters_early_flip_that_matches_ends_the_war_at_once() -> None:
    verdict, state = story(begin(), WAR, {"by": "A", "reveal": "MM"})
    assert (verdict.ruling, set(verdict.rules)) == ("disproved", {"C-V10", "C-T2"})
    assert [one.rule for one in verdict.reminders] == ["C-V3"]
    assert (table(state)["turn"], sizes(state)["A"]) == ("A", 5)


def test_a_card_off_the_draw_pile_is_picked_up_unseen_when_the_war_is_off() -> None:
    tied = [WAR, flip(A="R5", B="Y5"), {"by": "B", "lay": "back", "from": "draw"}]
    verdict, state = story(begin(hand_size={"A": 4, "B": 1}), *tied, {"by": "A", "reveal": "G1"})
    assert (verdict.ruling, takes(verdict, "A"), takes(verdict, "B")) == ("disproved", (["R5", "G1"], 2), (["Y5"], 2))
    assert (sizes(state)["A"], sizes(state)["B"], GAME.knowledge(state)["B"].known) == (4, 2, (Face("Y5"),))


def test_a_claim_shown_false_by_a_second_card_is_disproved_by_the_first_all_the_same() -> None:
    exchanged = [WAR, {"by": "A", "lay": "back"}, {"by": "A", "lay": "G2"}]
    verdict, state = story(begin(), *exchanged)
    assert (verdict.ruling, verdict.rules, verdict.proves) == ("foul", ("C-V3",), ("C-T2",))
    verdict, state = story(state, flip(A="G1", B="Y4"))
    assert (verdict.ruling, state.claims) == ("disproved", ())


def test_two_flips_one_after_the_other_decide_the_war() -> None:
    verdict, state = story(begin(), WAR, {"by": "A", "reveal": "R9"}, {"by": "B", "reveal": "Y4"})
    assert (verdict.ruling, verdict.reminders, table(state)["top"]) == ("legal", (), "R9")
    assert (takes(verdict, "B")[0], drawn(verdict, "B")) == (["Y4"], 1)


@pytest.mark.parametrize(("second_s", "reminded"), [(10.4, []), (13.0, ["C-V3"])])
def test_a_camera_sees_two_flips_one_after_the_other_and_only_a_long_wait_is_reminded_of(
    second_s: float, reminded: list[str]
) -> None:
    def seen(player: str, card: str, at: float) -> Move:
        return Move(player, "reveal", (Face(card),), data={"since_s": at - 0.2}, time_s=at)

    verdict, state = story(begin(), WAR, seen("A", "R9", 10.0))
    assert (verdict.reminders, verdict.routine) == ((), True)
    verdict, _ = story(state, seen("B", "Y4", second_s))
    assert [one.rule for one in verdict.reminders] == reminded


def test_a_shown_war_card_stays_what_it_is() -> None:
    early = [WAR, {"by": "A", "reveal": "R9"}]
    assert story(begin(), *early, {"by": "A", "reveal": "R9"})[0].routine
    assert story(begin(), *early, {"by": "A", "reveal": "R7"})[0].rules == ("C-V3",)
    verdict, state = story(begin(), *early, flip(A="R7", B="Y4"))
    assert (verdict.ruling, verdict.rules, state.turn.step) == ("foul", ("C-V3",), "war")
    assert table(story(begin(), *early, flip(B="Y4"))[1])["top"] == "R9"
    assert story(begin(), *early, {"by": "B", "reveal": "??"})[0].routine


def test_only_the_two_of_a_war_flip_and_lay() -> None:
    assert story(begin(), WAR, {"by": "C", "reveal": "R7"})[0].routine
    assert story(begin(), {"by": "A", "reveal": "R7"})[0].routine
    assert story(begin(), WAR, {"by": "C", "lay": "back"})[0].rules == ("C-S6",)
    assert story(begin(), flip(A="R9", B="Y4"))[0].ruling == "void"


def test_a_card_face_down_hints_at_a_war_on_somebody() -> None:
    verdict, state = story(begin(), {"by": "A", "lay": "back"})
    assert (verdict.ruling, asked(verdict), table(state)["turn"]) == ("pending", {"A": "target"}, "A")
    assert verdict.asks[0].choices == ("war B", "war C", "ask B", "ask C")
    assert GAME.answer(verdict.asks[0], "war B").kind == "war"
    assert story(state, {"by": "A", "lay": "back"})[0].rules == ("C-V3",)
    again, after = story(state, {"by": "A", "ask": "B"})
    assert (takes(again, "A"), after.war) == (([], 1), None)
    _, state = story(state, WAR)
    verdict, state = story(state, {"by": "B", "lay": "back"}, flip(A="R9", B="Y4"))
    assert (verdict.ruling, table(state)["top"]) == ("legal", "R9")


@pytest.mark.parametrize(
    ("before", "by", "lay", "rule"),
    [([], "C", "back", "C-S6"), ([], "A", "R2", "C-V2"), ([{"by": "A", "ask": "B"}], "A", "back", "C-T4")],
)
def test_a_card_in_front_of_somebody_that_means_no_war(
    before: list[dict[str, Any]], by: str, lay: str, rule: str
) -> None:
    verdict, _ = story(begin(), *before, {"by": by, "lay": lay})
    assert [one.rule for one in verdict.faults] == [rule]


def test_a_known_match_disproves_the_war_that_a_face_down_card_meant() -> None:
    verdict, state = story(begin(known={"A": ["G4"]}), {"by": "A", "lay": "back"}, WAR)
    assert (verdict.ruling, takes(verdict, "A"), state.war) == ("disproved", ([], 1), None)


def test_war_and_fish_named_on_nobody_ask_for_whom() -> None:
    for action in ({"by": "A", "war": None}, {"by": "A", "ask": "?"}):
        verdict, state = story(begin(), action)
        assert (verdict.ruling, verdict.rules, asked(verdict)) == ("pending", (), {"A": "target"})
        assert story(state, {"by": "A", "call": "no-match"})[0].ruling == "pending"
        assert story(state, play("A", "G2"))[0].proves == ()


def test_the_choice_of_a_turn_stands() -> None:
    verdict, state = story(begin(), WAR, {"by": "A", "ask": "C"})
    assert (verdict.ruling, state.turn.step) == ("void", "war")
    assert story(begin(), {"by": "A", "ask": "C"}, {"by": "A", "call": "no-match"})[0].ruling == "void"
    assert story(begin(), {"by": "A", "ask": "A"})[0].rules == ("C-G1",)


def test_a_hand_that_nobody_counted_may_lay_off_the_draw_pile() -> None:
    _, state = story(begin(hand_size={}), WAR, {"by": "B", "lay": "back", "from": "draw"})
    assert table(state)["draw"] == 19


def test_a_player_without_cards_lays_off_the_draw_pile_whatever_is_written() -> None:
    state = begin(hand_size={"A": 5, "B": 1})
    tied = [WAR, flip(A="R5", B="Y5")]
    _, after = story(state, *tied, {"by": "B", "lay": "back"})
    assert (table(after)["draw"], sizes(after)["B"]) == (19, 2)
    verdict, after = story(state, *tied, {"by": "B", "lay": "Y9"})
    assert (verdict.ruling, verdict.rules, sizes(after)["B"]) == ("foul", ("C-V2",), 2)
    assert [step.how for step in verdict.remedy] == ["turn-down"]
    verdict, after = story(after, flip(A="R2", B="Y9"))
    assert verdict.result is not None
    _, after = story(state, *tied, flip(A="R9", B="Y2"))
    assert (table(after)["draw"], sizes(after)) == (18, {"A": 3, "B": 4, "C": None})


def test_nothing_left_to_lay_with_an_unwritten_card() -> None:
    state = begin(hand_size={"A": 2, "B": 1}, pile=["R1", "G6"], draw=0)
    verdict, state = story(state, WAR, flip(A="R5", B="Y5"), {"by": "B", "lay": "back"})
    assert [step.how for step in verdict.remedy] == ["reshuffle"]
    assert (table(state)["pile"], table(state)["draw"]) == (["G6"], 0)


def test_the_winner_draws_by_house_rule_or_has_won_where_there_is_nothing_to_draw() -> None:
    rules = {"war_last": "draws_one", "war_mermaid_draw5": True}
    verdict, state = story(begin(rules, hand_size={"A": 4, "B": 1}), WAR, flip(A="R3", B="MM"))
    assert (drawn(verdict, "A"), drawn(verdict, "B"), sizes(state)["B"]) == (1, 6, 6)
    state = begin(rules, hand_size={"A": 4, "B": 1}, draw=1)
    verdict, state = story(state, WAR, flip(A="R3", B="Y4"))
    assert (drawn(verdict, "A"), drawn(verdict, "B"), verdict.result) == (1, 1, None)
    verdict, state = story(begin(rules, hand_size={"A": 4, "B": 1}, draw=0), WAR, flip(A="R3", B="Y4"))
    assert verdict.result is not None
    assert (verdict.result.winners, sizes(state)["A"]) == (("B",), 5)


def test_any_colour_after_a_war_binds_nobody_and_everything_matches() -> None:
    state = begin({"war_eight_colour": "any"})
    verdict, state = story(state, WAR, flip(A="R7", B="W8"))
    assert (verdict.ruling, table(state)["colour"], table(state)["turn"]) == ("legal", None, "B")
    assert story(state, play("B", "Y1"))[0].ruling == "legal"
    verdict, _ = story(state, {"by": "B", "war": "C"})
    assert (verdict.ruling, verdict.rules) == ("disproved", ("C-T2",))


def test_the_kept_colour_of_an_unread_card_is_not_known() -> None:
    state = begin({"war_eight_colour": "keep"}, top="??")
    verdict, state = story(state, WAR, flip(A="R7", B="W8"))
    assert (verdict.ruling, table(state)["colour"]) == ("legal", None)


def test_a_war_card_proves_an_earlier_no_and_costs_the_penalty_once() -> None:
    state = begin({"renege_penalty": 1}, hand_size={"A": 5, "B": 5, "C": 5}, players="ABC")
    before = [{"by": "A", "ask": "C"}, {"by": "C", "answer": "no"}, {"by": "B", "war": "C"}]
    verdict, state = story(state, *before, flip(B="R9", C="G4"))
    assert (verdict.ruling, verdict.proves, drawn(verdict, "C")) == ("legal", ("C-G2",), 2)
    verdict, _ = story(begin({"renege_penalty": 1}), *before, flip(B="G9", C="G4"))
    assert (verdict.ruling, verdict.proves, drawn(verdict, "B"), drawn(verdict, "C")) == ("disproved", ("C-G2",), 1, 1)


# --- fish ---
def test_yes_and_then_the_card() -> None:
    verdict, state = story(begin(), {"by": "A", "ask": "B"}, {"by": "B", "answer": "yes"})
    assert (verdict.ruling, asked(verdict), state.turn.step) == ("legal", {"B": "match"}, "asked")
    assert GAME.answer(verdict.asks[0], "no").kind == "answer"


@pytest.mark.parametrize(
    ("action", "ruling", "rules"),
    [
        ({"by": "C", "answer": "no"}, "void", ("C-S6",)),
        ({"by": "A", "answer": "no"}, "void", ("C-G1",)),
        ({"by": "C", "give": ["G2"]}, "void", ("C-S6",)),
        ({"by": "B", "give": ["G2", "G3"]}, "foul", ("C-G2",)),
    ],
)
def test_only_whoever_was_asked_gives_and_only_one_card(
    action: dict[str, Any], ruling: str, rules: tuple[str, ...]
) -> None:
    verdict, state = story(begin(), {"by": "A", "ask": "B"}, action)
    assert (verdict.ruling, verdict.rules, state.turn.step) == (ruling, rules, "asked")


@pytest.mark.parametrize("action", [{"by": "A", "draw": 1}, {"by": "A", "war": "C"}, {"by": "A", "call": "no-match"}])
def test_the_received_card_comes_first(action: dict[str, Any]) -> None:
    verdict, state = story(begin(), {"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]}, action)
    assert (verdict.ruling, verdict.rules, asked(verdict)) == ("foul", ("C-G4",), {"A": "match"})
    assert sizes(state)["A"] == 5


def test_the_last_gift_by_house_rule() -> None:
    state = begin({"give_last": "draws_one"}, hand_size={"A": 4, "B": 1})
    verdict, after = story(state, {"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]})
    assert (drawn(verdict, "B"), verdict.result, sizes(after)["B"]) == (1, None, 1)
    verdict, _ = story(after, play("A", "B6"))
    assert asked(verdict) == {"B": "fish"}
    empty = begin({"give_last": "draws_one"}, hand_size={"A": 4, "B": 1}, draw=0)
    verdict, after = story(empty, {"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]})
    assert verdict.result is not None
    assert (verdict.result.winners, sizes(after)["A"]) == (("B",), 5)


def test_a_gift_may_prove_an_earlier_no_of_the_giver() -> None:
    state = begin({"renege_penalty": 1})
    before = [{"by": "A", "ask": "C"}, {"by": "C", "answer": "no"}, {"by": "B", "ask": "C"}]
    verdict, state = story(state, *before, {"by": "C", "give": ["G2"]})
    assert (verdict.ruling, verdict.proves, drawn(verdict, "C")) == ("legal", ("C-G2",), 1)


# --- colours ---
def test_naming_when_there_is_nothing_to_name_or_for_somebody_else() -> None:
    assert story(begin(), {"by": "A", "name": "red"})[0].ruling == "void"
    verdict, _ = story(begin(), play("A", "W8"), {"by": "B", "name": "red"})
    assert (verdict.ruling, verdict.rules, asked(verdict)) == ("void", ("C-82",), {"A": "colour"})


# --- draws ---
def test_more_than_ordered_goes_back() -> None:
    verdict, state = story(begin(), {"by": "A", "ask": "B"}, NO, {"by": "A", "draw": 3})
    assert (verdict.ruling, verdict.rules, sizes(state)["A"], table(state)["draw"]) == ("foul", ("C-G5",), 6, 19)
    assert [(step.action, step.count, step.to) for step in verdict.remedy] == [("discard", 2, "draw")]
    assert story(state, {"by": "A", "draw": 1})[0].rules == ("C-G5",)


def test_two_orders_at_once_are_paid_one_after_the_other() -> None:
    rules = {"renege_penalty": 2}
    verdict, state = story(begin(rules, known={"B": ["G4"]}), {"by": "A", "ask": "B"}, NO)
    assert (verdict.ruling, drawn(verdict, "B"), sizes(state)["B"]) == ("disproved", 2, 7)
    verdict, state = story(state, {"by": "A", "draw": 1})
    assert (verdict.ruling, verdict.rules) == ("foul", ("C-T4",))
    verdict, state = story(begin({"war_mermaid_draw5": True}), WAR, flip(A="R3", B="MM"))
    verdict, state = story(state, {"by": "B", "draw": 4})
    assert (verdict.ruling, verdict.rules, drawn(verdict, "B")) == ("pending", ("C-M2",), 1)
    verdict, state = story(state, {"by": "A", "draw": 1})
    assert (verdict.ruling, asked(verdict)) == ("legal", {"B": "colour"})
    verdict, state = story(state, {"by": "B", "name": "red"})
    assert (drawn(verdict, "A"), drawn(verdict, "B")) == (0, 1)


def test_an_order_is_kept_by_what_has_no_effect_and_is_done_with_by_the_next_action() -> None:
    before = [{"by": "A", "ask": "B"}, NO]
    assert story(begin(), *before, play("C", "G2"), {"by": "A", "draw": 1})[0].ruling == "legal"
    assert story(begin(), *before, {"by": "B", "ask": "C"}, {"by": "A", "draw": 1})[0].rules == ("C-S6",)


def test_an_uncounted_draw_pile_gives_whatever_is_needed() -> None:
    verdict, state = story(begin(draw=None), play("A", "MM"))
    assert (drawn(verdict, "A"), table(state)["draw"]) == (5, None)


def test_nothing_to_draw_orders_nothing() -> None:
    state = begin(pile=["G6"], draw=0)
    verdict, state = story(state, {"by": "A", "ask": "B"}, NO)
    assert (verdict.ruling, drawn(verdict, "A"), sizes(state)["A"]) == ("accepted", 0, 5)


def test_a_round_that_ends_without_cards_to_draw_needs_every_hand_counted() -> None:
    state = begin({"empty_draw": "end_round"}, hand_size={"A": 4, "B": 2}, draw=3)
    verdict, state = story(state, play("A", "MM"))
    assert verdict.result is not None
    assert (verdict.ruling, verdict.result.winners, drawn(verdict, "A")) == ("legal", (), 3)
    assert GAME.pending(state) == (Ask("count", player="C"),)
    _, state = story(state, Move("C", "count", data={"n": 2}))
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, dict(result.points)) == (("B", "C"), {"A": 0, "B": 1, "C": 1})
    won = story(begin(hand_size={"A": 1}), play("A", "G2"))[1]
    assert GAME.result(story(won, Move("C", "count", data={"n": 2}))[1]) == GAME.result(won)


def test_a_shared_round_may_decide_the_game_for_one_of_the_two() -> None:
    state = begin({"empty_draw": "end_round"}, hand_size={"A": 5, "B": 2, "C": 2}, draw=0, wins={"B": 2})
    verdict, _ = story(state, {"by": "A", "ask": "B"}, NO)
    assert verdict.result is not None
    assert (verdict.result.over, verdict.result.winners) == ("game", ("B",))


# --- fish names ---
def test_a_fish_may_be_shouted_before_the_last_but_one_card_lies_there() -> None:
    state = begin(hand_size={"A": 2, "B": 5})
    verdict, state = story(state, {"by": "A", "shout": "pike"}, play("A", "G2"))
    assert (verdict.ruling, verdict.asks) == ("legal", ())
    assert story(state, play("B", "G3"))[0].reminders == ()


def test_a_fish_with_many_cards_counts_for_nothing() -> None:
    verdict, state = story(begin(), {"by": "A", "shout": "pike"})
    assert (verdict.ruling, table(state)["names"]) == ("void", [])


def test_no_fish_is_right_wrong_or_too_late() -> None:
    down = begin({"shout_penalty": 2}, hand_size={"A": 2, "B": 4})
    call = {"by": "C", "call": "no-fish"}
    assert story(down, call)[0].ruling == "rejected"
    assert story(down, play("A", "G2"), {"by": "A", "call": "no-fish"})[0].ruling == "void"
    assert story(down, play("A", "G2"), play("B", "G3"), call)[0].ruling == "void"
    verdict, _ = story(down, play("A", "G2"), call, {"by": "A", "draw": 1})
    assert (verdict.ruling, verdict.rules, drawn(verdict, "A")) == ("pending", ("C-F1",), 1)
    free, _ = story(begin(hand_size={"A": 2, "B": 4}), play("A", "G2"), call)
    assert (free.ruling, free.remedy, asked(free)) == ("upheld", (), {"A": "fish"})


def test_giver_and_player_may_both_owe_a_fish() -> None:
    state = begin({"shout_penalty": 1}, hand_size={"A": 2, "B": 2, "C": 4})
    verdict, state = story(state, {"by": "A", "ask": "B"}, {"by": "B", "give": ["B6"]}, play("A", "B6"))
    assert asked(verdict) == {"B": "fish"}
    assert story(state, {"by": "B", "shout": "eel"}, {"by": "C", "call": "no-fish"})[0].ruling == "rejected"
    verdict, state = story(state, {"by": "B", "ask": "C"})
    assert [one.facts["player"] for one in verdict.reminders] == ["B"]


def test_a_fish_after_the_reminder_is_still_welcome() -> None:
    state = begin(hand_size={"A": 2, "B": 5})
    verdict, state = story(state, play("A", "G2"), play("B", "G3"), {"by": "A", "shout": "eel"})
    assert (verdict.ruling, state.talk.lapsed) == ("legal", ())


# --- taking cards off the table ---
def test_taking_back_is_right_where_it_was_ordered_and_else_not() -> None:
    assert story(begin(), play("A", "R2"), {"by": "A", "take": "own"})[0].routine
    lost = [WAR, flip(A="R9", B="Y4")]
    verdict, _ = story(begin(), *lost, {"by": "B", "take": "own"}, {"by": "B", "draw": 1})
    assert verdict.ruling == "legal"
    verdict, _ = story(begin(), play("A", "G2"), {"by": "A", "take": "own"})
    assert (verdict.ruling, [step.to for step in verdict.remedy]) == ("void", ["pile"])
    assert story(begin(), WAR, {"by": "A", "take": "own"})[0].rules == ("C-V3",)


# --- before and after ---
def test_nothing_counts_after_the_end() -> None:
    over = story(begin(hand_size={"A": 1, "B": 2}, wins={"A": 2}), play("A", "G2"))[1]
    assert (table(begin())["out"], table(over)["out"]) == ([], ["A"])
    for action in (
        play("B", "G3"), {"by": "B", "name": "red"}, {"by": "B", "war": "C"}, {"by": "B", "call": "no-match"},
        {"by": "B", "call": "no-fish"}, {"by": "B", "answer": "no"}, {"by": "B", "give": ["G2"]}, flip(A="R9", B="Y4"),
        {"by": "B", "lay": "back"}, {"by": "B", "draw": 1}, {"by": "B", "take": "own"}, {"by": "B", "shout": "eel"},
        {"by": "table", "start": True}, {"by": "table", "reveal": "G3"},
    ):  # fmt: skip
        verdict, after = story(over, action)
        assert (verdict.ruling, GAME.result(after)) == ("void", GAME.result(over)), action


def test_nothing_counts_before_the_first_card_lies_there() -> None:
    ready = setup(hand_size={"A": 7, "B": 7, "C": 7}, pile=[], draw=31)
    for action in (
        play("A", "G3"),
        {"by": "A", "name": "red"},
        WAR,
        {"by": "A", "call": "no-match"},
        {"by": "A", "draw": 1},
    ):
        verdict, _ = story(ready, action)
        assert (verdict.ruling, verdict.rules) == ("void", ("C-S4",)), action


def test_whoever_begins_may_do_so_without_pressing_start() -> None:
    ready = setup(hand_size={"A": 7, "B": 7, "C": 7}, pile=["G6"], draw=30)
    assert story(ready, play("A", "G3"))[0].ruling == "legal"
    assert story(ready, WAR)[0].ruling == "accepted"
    assert story(ready, {"by": "A", "call": "no-match"})[0].ruling == "pending"
    assert story(ready, {"by": "A", "lay": "back"})[0].ruling == "pending"
    assert story(ready, play("C", "G3"))[0].rules == ("C-S5",)
    assert story(ready, {"by": "C", "draw": 1})[0].rules == ("C-S5",)


def test_the_start_is_checked_as_far_as_it_was_told() -> None:
    assert story(setup(pile=["G6"]), {"by": "table", "start": True})[0].ruling == "legal"
    _, state = story(setup(pile=["G6"]), {"by": "table", "start": True})
    assert sizes(state) == {"A": 7, "B": 7, "C": 7}
    assert story(state, {"by": "table", "start": True})[0].routine
    two = setup(pile=["G6", "R2"])
    assert story(two, {"by": "table", "start": True})[0].rules == ("C-S4",)
    one = story(setup(pile=["G6"]), {"by": "table", "reveal": "R2"})
    assert (one[0].ruling, one[0].rules, table(one[1])["pile"]) == ("foul", ("C-S4",), ["G6"])
    wrong = setup(hand_size={"A": 6, "B": 7, "C": 7}, pile=[], draw=31)
    assert story(wrong, {"by": "table", "reveal": "G6"})[0].rules == ("C-S2",)


def test_all_cards_of_a_known_deck_have_to_be_there() -> None:
    deck = tuple(Face(f"{colour}{number}") for colour in "RGBY" for number in range(1, 8))
    given: dict[str, Any] = {"phase": "setup", "pile": ["G6"], "hand_size": {"A": 7, "B": 7}}
    start = Start("crazy-old-fish-war", ("A", "B"), deck=deck, setup={**given, "draw": 12})
    assert story(GAME.start(start), {"by": "table", "start": True})[0].rules == ("C-S3",)
    start = replace(start, setup={**given, "draw": 13})
    assert story(GAME.start(start), {"by": "table", "start": True})[0].ruling == "legal"
    start = replace(start, setup={"phase": "setup", "pile": ["G6"]})
    assert table(story(GAME.start(start), {"by": "table", "start": True})[1])["draw"] == 13


def test_an_unread_first_card_is_named_by_turning_it_again() -> None:
    verdict, state = story(setup(pile=[], draw=31), {"by": "table", "reveal": "??"})
    assert (verdict.ruling, GAME.pending(state)) == ("pending", (Ask("which-card", seq=1),))
    verdict, state = story(state, {"by": "table", "reveal": "G6"})
    assert (verdict.ruling, table(state)["pile"], table(state)["draw"], GAME.pending(state)) == (
        "legal",
        ["G6"],
        30,
        (),
    )
    verdict, state = story(begin(top="??"), {"by": "table", "reveal": "G6"})
    assert (verdict.routine, table(state)["pile"]) == (True, ["G6"])
    assert story(begin(), {"by": "table", "reveal": "G7"})[0].routine


def test_the_dealer_names_a_colour_before_anybody_plays() -> None:
    ready = setup({"start_special": "dealer_names"}, pile=["W8"], draw=30)
    verdict, state = story(ready, {"by": "table", "start": True})
    assert (verdict.ruling, asked(verdict)) == ("pending", {"C": "colour"})
    verdict, _ = story(state, play("A", "G2"))
    assert (verdict.ruling, verdict.rules, asked(verdict)) == ("void", ("C-82",), {"C": "colour"})
    _, state = story(ready, {"by": "C", "name": "blue"})
    assert (table(state)["colour"], table(state)["turn"]) == ("blue", "A")
    assert story(state, play("B", "B2"))[0].rules == ("C-S5",)


# --- counting ---
def test_a_counted_hand_corrects_the_tally() -> None:
    _, state = story(begin(known={"A": ["G1", "G2"]}), Move("A", "count", data={"n": 1}))
    assert GAME.knowledge(state)["A"] == (1, (Face("G1"),))
    _, state = story(begin(hand_size={}), Move("A", "count", data={"n": 3}))
    assert sizes(state)["A"] == 3
    _, state = story(begin(), WAR, {"by": "A", "lay": "back"}, Move("A", "count", data={"n": 4}))
    assert sizes(state)["A"] == 5


def test_whoever_has_no_cards_left_has_won_although_the_tally_said_otherwise() -> None:
    verdict, _ = story(begin(), play("A", "G2"), Move("A", "count", data={"n": 0}))
    assert verdict.result is not None
    assert verdict.result.winners == ("A",)


def test_a_card_that_cannot_be_in_the_hand_leaves_the_tally_alone() -> None:
    state = begin(hand_size={"A": 1, "B": 2}, known={"A": ["G1"]})
    verdict, state = story(state, play("A", "R6"))
    assert (verdict.ruling, verdict.result, sizes(state)["A"]) == ("legal", None, 1)
    _, state = story(begin(hand_size={"A": 1, "B": 2}, known={"A": ["G1"]}), play("A", "R2"))
    assert GAME.knowledge(state)["A"].known == (Face("G1"),)
    _, state = story(begin(hand_size={"A": 2, "B": 2}, known={"A": ["G1", "G2"]}), play("A", "??"))
    assert GAME.knowledge(state)["A"] == (1, (Face("G1"),))


def test_repairs_are_noted_and_a_stop_lasts_until_then() -> None:
    _, state = story(begin(), play("A", "R2"))
    assert GAME.view(state)["stop"] == {"seq": 1}
    assert GAME.view(story(state, Move(TABLE, "repaired"))[1])["stop"] is None
    assert GAME.view(story(state, play("A", "G2"))[1])["stop"] is None


@pytest.mark.parametrize(
    ("action", "ruling"), [({"by": "B", "war": "C"}, "disproved"), ({"by": "B", "lay": "back"}, "pending")]
)
def test_a_missing_fish_is_told_whatever_the_next_player_does(action: dict[str, Any], ruling: str) -> None:
    """Also with a claim that is proven false at once, and with a card for a war that nobody has declared."""
    state = begin(hand_size={"A": 2, "B": 4, "C": 4}, known={"B": ["G3"]})
    verdict, state = story(state, play("A", "G2"), action)
    assert verdict.ruling == ruling
    assert [(one.rule, one.facts["player"]) for one in verdict.reminders] == [("C-F1", "A")]
    assert asked(verdict) == {"B": "match" if ruling == "disproved" else "target"}


@pytest.mark.parametrize(("hears", "reminders"), [(True, {"C-F1"}), (False, set())])
def test_a_fish_is_only_missing_where_it_could_be_heard(hears: bool, reminders: set[str]) -> None:
    """A camera alone hears nothing: it asks for the fish, but reminds nobody. So in the next round."""
    state = begin(hand_size={"A": 2, "B": 3, "C": 3}, hears=hears)
    first, _ = story(state, play("A", "G2"))
    assert [(ask.kind, ask.player) for ask in first.asks] == [("fish", "A")]
    verdict, _ = story(state, play("A", "G2"), play("B", "G3"))
    assert {one.rule for one in verdict.reminders} == reminders
    _, over = story(begin(hand_size={"A": 1, "B": 3, "C": 3}, hears=hears), play("A", "G2"))
    again = GAME.start(Start("crazy-old-fish-war", ("A", "B", "C"), setup={**MID, "hand_size": {"A": 2}}), over)
    verdict, _ = story(again, play("A", "G2"), play("B", "G3"))
    assert {one.rule for one in verdict.reminders} == reminders
