"""Crazy Old Fish War around the rules: rounds of a game, what phones see, what stands, what the eyes' changes mean."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from crazy_scenes import begin, play, story, table

from referee.cards import BACK, UNKNOWN, Face, faces, is_known
from referee.entries import Start
from referee.errors import LogError, MoveError, SetupError
from referee.games.crazy_old_fish_war import GAME
from referee.games.crazy_old_fish_war.state import State
from referee.interpret import Question, interpret
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.playout import deal, random_moves, standing
from referee.verdicts import Ask, Result
from vision.decks import load_deck

PLAYERS = ("A", "B", "C")
PACK = faces(load_deck("french").all_cards)


def won(options: Mapping[str, Any] | None = None, winner: str = "A", **given: Any) -> State:
    """The end of a round that `winner` has won."""
    _, state = story(begin(options, turn=winner, hand_size={winner: 1}, **given), play(winner, "G2"))
    assert GAME.result(state) is not None
    return state


# --- rounds of a game ---
FRESH: dict[str, Any] = {"phase": "setup", "hand_size": dict.fromkeys(PLAYERS, 7), "pile": ["Y5"], "draw": 30}


def again(over: State, options: Mapping[str, Any] | None = None, players: tuple[str, ...] = PLAYERS) -> State:
    given = FRESH if players == PLAYERS else {"phase": "setup", "pile": ["Y5"]}
    return GAME.start(Start("crazy-old-fish-war", players, options or {}, setup=given), over)


@pytest.mark.parametrize(
    ("next_dealer", "winner", "first"), [("left", "A", "B"), ("same", "C", "A"), ("winner", "B", "C")]
)
def test_who_begins_the_next_round(next_dealer: str, winner: str, first: str) -> None:
    rules = {"next_dealer": next_dealer}
    state = again(won(rules, winner), rules)
    assert (table(state)["turn"], table(state)["wins"][winner]) == (first, 1)


def test_dealers_go_on_around_the_table() -> None:
    second = again(won(names=["eel"]))
    assert (table(second)["turn"], table(second)["names"]) == ("B", ["eel"])
    third = again(second._replace(result=Result("round", "last-card", ("C",), (("A", 1), ("B", 0), ("C", 1)))))
    assert (table(third)["turn"], table(third)["wins"]) == ("C", {"A": 1, "B": 0, "C": 1})


def test_a_round_that_was_broken_off_is_dealt_again_by_the_same_dealer() -> None:
    state = again(begin(wins={"B": 2}))
    assert (table(state)["turn"], table(state)["wins"]) == ("A", {"A": 0, "B": 2, "C": 0})


def test_names_last_for_the_game_or_the_round() -> None:
    rules = {"fish_names": "round"}
    assert table(again(won(rules, names=["eel"]), rules))["names"] == []
    assert table(again(won(names=["eel"])))["names"] == ["eel"]


def test_after_the_game_a_new_one_begins_at_nought() -> None:
    over = won(wins={"A": 2}, names=["eel"])
    result = GAME.result(over)
    assert result is not None
    assert (result.over, result.winners, dict(result.points)["A"]) == ("game", ("A",), 3)
    state = again(over)
    assert (table(state)["wins"], table(state)["names"], table(state)["turn"]) == ({"A": 0, "B": 0, "C": 0}, [], "A")


def test_other_players_begin_their_own_game() -> None:
    state = again(won(), players=("A", "B"))
    assert (table(state)["wins"], table(state)["turn"]) == ({"A": 0, "B": 0}, "A")


def test_the_next_round_may_begin_by_turning_a_card_or_by_pressing_start() -> None:
    over = won(winner="A", pile=["R1", "G6"], draw=12)
    verdict, state = story(over, {"by": "table", "reveal": "Y5"})
    assert (verdict.ruling, table(state)["turn"], table(state)["wins"]["A"]) == ("legal", "B", 1)
    verdict, state = story(over, {"by": "table", "start": True})
    assert (verdict.ruling, table(state)["turn"], table(state)["top"]) == ("legal", "B", "??")
    assert dict(table(state)["hand_size"]) == {"A": 7, "B": 7, "C": 7}


def test_all_cards_are_dealt_again_in_the_next_round() -> None:
    start = deal(GAME, PLAYERS, pack=PACK, dice=random.Random(3))
    state = GAME.start(start)
    for _, after in random_moves(GAME, state, PLAYERS, dice=random.Random(3)):
        state = after
    assert GAME.result(state) is not None
    _, state = story(state, {"by": "table", "reveal": "6S"})
    assert len(GAME.inventory(state)) == len(PACK)
    assert table(state)["draw"] == len(PACK) - 22


def test_cards_in_a_war_and_on_their_way_are_counted_once() -> None:
    """A war card off the draw pile lies on no pile, and a given card is in nobody's hand before it is played."""
    cards: dict[str, Any] = {"pile": ["Y3", "G6"], "draw": ["R3", "R4"], "hand_size": {}}
    tied = begin(hands={"A": [], "B": ["Y1"], "C": ["B7"]}, open={"A": ["R5"], "B": ["Y5"]}, **cards)
    _, laid = story(tied, {"by": "A", "lay": "back"})
    assert (table(laid)["draw"], sorted(GAME.inventory(laid))) == (1, sorted(GAME.inventory(tied)))
    asked = begin(hands={"A": ["R1"], "B": ["Y1"], "C": ["B6", "B7"]}, **cards)
    _, given = story(asked, {"by": "A", "ask": "C"}, {"by": "C", "give": ["B6"]})
    assert (table(given)["hand_size"]["C"], sorted(GAME.inventory(given))) == (1, sorted(GAME.inventory(asked)))


# --- dealing ---
def test_a_deal_gives_seven_each_and_turns_over_until_a_normal_card_lies_there() -> None:
    deck = faces(["G1", "R1"] * 7 + ["W8", "MM", "Y5", "B1", "B2"])
    given = GAME.deal(("A", "B"), {}, deck=deck)
    assert given["hands"] == {"A": ["G1"] * 7, "B": ["R1"] * 7}
    assert (given["pile"], given["draw"]) == (["W8", "MM", "Y5"], ["B2", "B1"])
    assert GAME.deal(("A", "B"), {"start_special": "any"}, deck=deck)["pile"] == ["W8"]
    with pytest.raises(SetupError):
        GAME.deal(("A", "B"), {}, deck=deck[:15])


@pytest.mark.parametrize(
    ("rule", "asks", "turn"), [("any", (), "A"), ("dealer_names", (("colour", "B"),), "A"), ("turn_more", (), "A")]
)
def test_a_dealt_round_begins_as_the_house_says(rule: str, asks: tuple[tuple[str, str], ...], turn: str) -> None:
    deck = faces(["G1", "R1"] * 7 + ["W8", "MM", "Y5", "B1", "B2"])
    start = Start(
        "crazy-old-fish-war",
        ("A", "B"),
        {"start_special": rule},
        deck,
        GAME.deal(("A", "B"), {"start_special": rule}, deck=deck),
    )
    state = GAME.start(start)
    assert tuple((ask.kind, ask.player) for ask in GAME.pending(state)) == asks
    assert table(state)["turn"] == turn
    assert story(state, play("B", "R1"))[0].rules == ("C-S5",)


def test_six_players_take_two_packs() -> None:
    assert [GAME.packs(count, {}) for count in (2, 5, 6)] == [1, 1, 2]


# --- what stands ---
def kinds(state: State, player: str, **held: Any) -> list[tuple[str, str | None]]:
    return [(move.kind, move.target or next(iter(move.cards), None)) for move in GAME.legal(state, player, **held)]


def test_a_player_with_a_match_has_to_play_one() -> None:
    state = begin(hands={"A": ["G2", "R2", "W8", "G2"]}, hand_size={"B": 4})
    assert kinds(state, "A") == [("play", "G2"), ("play", "W8")]
    assert kinds(state, "B") == kinds(state, TABLE) == []


def test_without_a_match_there_is_war_and_fish_but_only_with_a_known_hand() -> None:
    state = begin(hands={"A": ["R2", "Y3"]}, hand_size={})
    expected = [("call", "no-match"), ("war", "B"), ("war", "C"), ("ask", "B"), ("ask", "C")]
    assert kinds(state, "A") == expected
    assert kinds(story(state, {"by": "A", "call": "no-match"})[1], "A") == expected[1:]
    assert kinds(begin(), "A") == []
    assert kinds(begin(), "A", held=faces(["R2"])) == expected
    assert kinds(begin(hands={"A": ["R2", "??"]}, hand_size={}), "A") == []
    assert kinds(begin({"fallback": "war_only"}, hands={"A": ["R2"]}, hand_size={}), "A")[1:] == expected[1:3]


def test_whoever_is_asked_gives_a_match_and_says_no_only_honestly() -> None:
    state = story(begin(hands={"B": ["G2", "R6", "R1"]}, hand_size={}), {"by": "A", "ask": "B"})[1]
    assert kinds(state, "B") == [("give", "G2"), ("give", "R6")]
    assert kinds(state, "B", held=faces(["R1"])) == [("answer", "no")]
    assert kinds(state, "B", held=faces(["R1", "??"])) == []
    assert kinds(state, "C") == []
    assert kinds(story(state, {"by": "B", "give": ["G2"]})[1], "A") == [("play", "G2")]


def test_in_a_war_both_lay_and_the_table_flips() -> None:
    state = story(begin(hands={"A": ["R2", "Y3"], "B": ["G9"]}, hand_size={}), {"by": "A", "war": "B"})[1]
    lays = GAME.legal(state, "A")
    assert [move.data for move in lays] == [{"card": "R2"}, {"card": "Y3"}]
    assert kinds(state, TABLE) == []
    state = story(state, lays[0], GAME.legal(state, "B")[0])[1]
    assert kinds(state, "A") == kinds(state, "B") == []
    assert [move.data for move in GAME.legal(state, TABLE)] == [{"cards": {"A": "R2", "B": "G9"}}]


def test_where_nobody_tells_what_was_laid_every_honest_pair_may_be_flipped() -> None:
    lay = [{"by": name, "lay": "back"} for name in "AB"]
    state = story(begin(hands={"A": ["R2", "G3"], "B": ["G9", "G8"]}, hand_size={}), {"by": "A", "war": "B"}, *lay)[1]
    assert [move.data["cards"] for move in GAME.legal(state, TABLE)] == [{"A": "R2", "B": "G9"}, {"A": "R2", "B": "G8"}]
    shown = story(state, {"by": "B", "reveal": "G9"})[1]
    assert [move.data["cards"] for move in GAME.legal(shown, TABLE)] == [{"A": "R2", "B": "G9"}]
    never = story(state, {"by": "B", "reveal": "R7"})[1]
    assert GAME.legal(never, TABLE) == ()
    unknown = story(begin(), {"by": "A", "war": "B"})[1]
    assert kinds(unknown, "B") == [("lay", "back")]
    assert kinds(begin(hand_size={}), "A") == []


def test_a_player_without_cards_lays_off_the_draw_pile() -> None:
    tie = {"by": "table", "flip": True, "cards": {"A": "R5", "B": "Y5"}}
    state = begin(hands={"A": ["R5"], "B": ["Y5", "Y9"]}, hand_size={}, draw=["B1", "B2"])
    state = story(state, {"by": "A", "war": "B"}, tie)[1]
    (move,) = GAME.legal(state, "A")
    assert move.data == {"from": "draw"}
    state = story(state, move, {"by": "B", "lay": "back"})[1]
    assert [one.data["cards"] for one in GAME.legal(state, TABLE)] == [{"A": "B2", "B": "Y9"}]
    unseen = story(begin(hand_size={"A": 1, "B": 2}), {"by": "A", "war": "B"}, tie, move, {"by": "B", "lay": "back"})[1]
    assert GAME.legal(unseen, TABLE) == ()


def test_what_is_due_stands_beside_the_turn() -> None:
    state = story(begin(hand_size={"A": 2}), play("A", "MM"))[1]
    assert kinds(state, "A")[:2] == [("draw", None), ("name", "red")]
    down = story(begin(hand_size={"A": 2}), play("A", "G2"))[1]
    assert kinds(down, "A") == [("shout", "trout")]
    many = begin(hand_size={"A": 2}, names=["trout", "salmon", "pike", "carp", "perch", "herring", "cod", "eel", "tuna",
                                            "plaice", "sardine", "catfish"])  # fmt: skip
    state = story(many, play("A", "G2"))[1]
    assert story(state, GAME.legal(state, "A")[0])[0].ruling == "legal"


def test_before_the_start_the_table_turns_cards_over_and_starts() -> None:
    given: dict[str, Any] = {"phase": "setup", "hands": {name: ["G1"] * 7 for name in PLAYERS}}
    empty = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={**given, "pile": [], "draw": ["R1", "G6"]}))
    assert kinds(empty, TABLE) == [("reveal", "G6")]
    assert kinds(empty, "A") == []
    ready = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={**given, "pile": ["G6"], "draw": ["R1"]}))
    assert kinds(ready, TABLE) == [("start", None)]
    assert kinds(ready, "A") == [("play", "G1")]
    wrong = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={**given, "pile": ["G6"], "draw": 0}))
    unseen = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={**given, "pile": [], "draw": 5}))
    assert kinds(wrong, TABLE) == kinds(unseen, TABLE) == []


def test_an_unnamed_colour_may_be_named_and_nothing_stands_after_the_end() -> None:
    state = begin(top="W8", hands={"A": ["R2"]}, hand_size={})
    assert [kind for kind, _ in kinds(state, "A")] == ["play", "name", "name", "name", "name"]
    assert standing(GAME, won(), PLAYERS) == ()


# --- every way to ask the same ---
@pytest.mark.parametrize("empty_draw", ["reshuffle", "end_round"])
@pytest.mark.parametrize("seed", range(8))
def test_a_move_leads_to_the_same_table_with_and_without_a_verdict(seed: int, empty_draw: str) -> None:
    options: dict[str, Json] = {"empty_draw": empty_draw, "renege_penalty": 2 * (seed % 2)}
    start = deal(GAME, PLAYERS, pack=PACK, dice=random.Random(seed), options=options)
    state, dice = GAME.start(start), random.Random(seed)
    for number in range(150):
        hands = {seat.name: seat.hand or () for seat in state.seats}
        tries = [Move(name, kind, (card,)) for name in PLAYERS for card in hands[name] for kind in ("play", "lay")]
        tries += [Move(name, "lay", (BACK,)) for name in PLAYERS]
        tries += [Move("A", "lay", (BACK,), data={"from": "draw"})]
        tries += [Move("B", "play", (UNKNOWN,)), Move("C", "lay", (UNKNOWN,))]
        words = ("A", "B", "table", "hearts", "purple")
        said = [Move(name, kind, target=word) for name in PLAYERS for kind in ("war", "ask") for word in words[:3]]
        said += [Move(name, "name", target=word) for name in PLAYERS for word in words[3:]]
        moves = standing(GAME, state, PLAYERS)
        for move in (replace(one, seq=number) for one in (*moves, *tries, *said)):
            assert GAME.apply(state, move) == GAME.decide(state, move)[1], move
        if not moves:
            break
        state = GAME.apply(state, dice.choice(tries if number % 9 == 8 and state.turn.step == "match" else moves))


def test_whoever_has_no_card_left_in_a_war_lays_the_next_of_the_draw_pile() -> None:
    tied = {"A": ["R5"], "B": ["Y5"]}
    state = begin(open=tied, hand_size={"A": 1, "B": 3, "C": 5}, draw=20)
    for move in (Move("A", "lay", (BACK,)), Move("A", "lay", (BACK,), data={"from": "draw"})):
        after = GAME.apply(state, move)
        assert (table(after)["draw"], table(after)["hand_size"]["A"]) == (19, 2)
        assert after == GAME.decide(state, move)[1]


def test_a_claim_that_is_known_to_be_false_is_no_claim_without_a_verdict_either() -> None:
    false, claim = begin(turn="B", known={"B": ["G3"]}), Move("B", "call", target="no-match")
    for state, step in ((false, "match"), (begin(turn="B"), "target")):
        after = GAME.apply(state, claim)
        assert after.turn.step == step
        assert after == GAME.decide(state, claim)[1]


@pytest.mark.parametrize("cards", [{}, {"A": "R9", "C": "Y4"}, {"A": "R9", "B": "Y4", "C": "Y1"}])
def test_a_flip_of_others_than_the_two_is_refused_without_a_verdict_too(cards: dict[str, Json]) -> None:
    for answer in (GAME.apply, GAME.decide):
        with pytest.raises(MoveError, match="flip"):
            answer(both_laid(), Move(TABLE, "flip", data={"cards": cards}))


def test_one_flipped_card_waits_for_the_other_without_a_verdict_too() -> None:
    half = Move(TABLE, "flip", data={"cards": {"B": "Y4"}})
    after = GAME.apply(both_laid(), half)
    assert (after.turn.step, [ask.kind for ask in GAME.pending(after)]) == ("war", ["which-card"])
    assert after == GAME.decide(both_laid(), half)[1]


def both_laid() -> State:
    return story(begin(), {"by": "A", "war": "B"}, *({"by": name, "lay": "back"} for name in "AB"))[1]


@pytest.mark.parametrize("seed", range(8))
def test_nobody_can_move_but_those_who_are_to_act(seed: int) -> None:
    state = GAME.start(deal(GAME, PLAYERS, pack=PACK, dice=random.Random(seed)))
    waiting = 0
    for _, after in random_moves(GAME, state, PLAYERS, dice=random.Random(seed)):
        idle = {*PLAYERS, TABLE} - {*GAME.to_act(after, PLAYERS)}
        assert [GAME.legal(after, name) for name in idle] == [()] * len(idle)
        waiting += len(idle)
    assert waiting > 0


# --- what phones see ---
def hidden_faces(state: State) -> set[Face]:
    known = {card for seat in state.seats for card in (*seat.known, *(seat.open or ()))}
    cards = [*(state.draw or ()), *(card for seat in state.seats for card in seat.hand or ())]
    return {card for card in cards if is_known(card)} - known - {*state.pile, state.turn.card}


@pytest.mark.parametrize("hints", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_no_phone_shows_a_card_that_nobody_saw(seed: int, hints: bool) -> None:
    start = deal(GAME, PLAYERS, pack=PACK, dice=random.Random(seed), options={"hints": hints})
    state = GAME.start(start)
    for _, after in random_moves(GAME, state, PLAYERS, dice=random.Random(seed)):
        text = json.dumps(GAME.view(after))
        assert [card for card in hidden_faces(after) if f'"{card}"' in text] == []
        assert ("known" in text) == hints
        assert Counter(GAME.inventory(after)) == Counter(PACK)


def test_the_view_tells_what_matters() -> None:
    lay = {"by": "A", "lay": "back"}
    tie = {"by": "table", "flip": True, "cards": {"A": "R5", "B": "Y5"}}
    view = GAME.view(story(begin({"hints": True}, wins={"C": 1}), {"by": "A", "war": "B"}, tie, lay)[1])
    assert view["war"] == {"starter": "A", "rival": "B", "tied": {"A": ["R5"], "B": ["Y5"]}, "laid": ["A"]}
    assert (view["phase"], view["turn"], view["waits"], view["target"]) == (
        "playing", "A", "war", {"face": "G6", "player": None, "pile": 1},
    )  # fmt: skip
    players = view["players"]
    assert isinstance(players, list)
    assert players[2] == {"name": "C", "count": 5, "wrong": 0, "played": 0, "wins": 1, "fish": False, "known": []}
    asking = GAME.view(story(begin(), {"by": "A", "ask": "B"})[1])
    assert (asking["asked"], asking["received"]) == ("B", None)
    given = GAME.view(story(begin(), {"by": "A", "ask": "B"}, {"by": "B", "give": ["G2"]})[1])
    assert (given["asked"], given["received"]) == (None, "G2")
    named = GAME.view(story(begin(), play("A", "MM"), {"by": "A", "name": "red"})[1])
    assert (named["colour"], named["due"], named["draw"]) == ("red", {"A": 5}, 15)
    assert named["target"] == {"face": "MM", "player": "A", "pile": 2}
    nothing = GAME.view(GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={"phase": "setup"})))
    assert (nothing["turn"], nothing["target"]) == (None, {"face": None, "player": None, "pile": 0})


def test_knowledge_of_a_hand_with_cards_in_a_war() -> None:
    tie = {"by": "table", "flip": True, "cards": {"A": "R5", "B": "Y5"}}
    state = story(begin(hand_size={"A": 1, "B": 3}), {"by": "A", "war": "B"}, tie, {"by": "A", "lay": "back"})[1]
    assert GAME.knowledge(state)["A"] == (2, (Face("R5"),))
    assert GAME.knowledge(state)["B"] == (3, (Face("Y5"),))


def test_questions_are_answered_from_phones() -> None:
    state = story(begin(), {"by": "A", "ask": "B"})[1]
    (ask,) = GAME.pending(state)
    assert (ask.kind, ask.player, ask.choices) == ("match", "B", ("no",))
    assert GAME.answer(ask, "no").player == "B"
    with pytest.raises(LogError):
        GAME.answer(Ask("match", player="A"), "yes")
    colour = GAME.pending(story(begin(), play("A", "W8"))[1])[0]
    assert (GAME.answer(colour, "red").kind, colour.choices) == ("name", ("red", "green", "blue", "yellow"))


# --- conservation ---
def test_exhausted_are_faces_that_all_lie_open() -> None:
    deck = faces(["G6", "G6", "R5", "Y5", "Y5", "W8"])
    tie = {"by": "table", "flip": True, "cards": {"A": "R5", "B": "Y5"}}
    state = story(begin(start_deck=deck, pile=["W8", "G6"]), {"by": "A", "war": "B"}, tie)[1]
    assert GAME.exhausted(state) == {"W8", "R5"}
    assert GAME.exhausted(begin(pile=["W8", "G6"])) == frozenset()
    assert dict(GAME.copies(state)) == {"G6": 2, "R5": 1, "Y5": 2, "W8": 1}
    assert dict(GAME.copies(begin())) == {}


# --- what the eyes' changes mean ---
def change(what: Any, zone: str, *cards: str, who: str | None = None) -> Change:
    shares = tuple((Face(card), 1 / len(cards)) for card in cards)
    return Change(what, zone, since_s=1.0, until_s=2.0, candidates=shares, who=who, who_confidence=0.9 if who else 0.0)


def read(state: State, one: Change) -> list[tuple[str, str]]:
    return [(move.player, move.kind) for move in GAME.read(state, one, player=one.owner or one.who or UNCLEAR)]


def test_a_card_on_the_pile_is_played_by_whoever_was_seen() -> None:
    assert read(begin(), change("appeared", "pile", "G2", who="A")) == [("A", "play")]
    assert read(begin(), change("appeared", "pile", "G2")) == [(UNCLEAR, "play")]
    (moved,) = interpret(GAME, begin(), change=change("appeared", "pile", "G2", who="A"))
    assert isinstance(moved, Move)
    assert (moved.cards, moved.time_s) == ((Face("G2"),), 2.0)
    (question,) = interpret(GAME, begin(), change=change("appeared", "pile", "G2"))
    assert isinstance(question, Question)
    assert question.kind == "whose"


def test_a_card_read_two_ways_is_asked_about_only_if_it_matters() -> None:
    for other in ("R2", "G3"):  # wrong, or right but another card to play on
        (question,) = interpret(GAME, begin(), change=change("appeared", "pile", "G2", other, who="A"))
        assert isinstance(question, Question)
        assert question.kind == "which-card"
    (moved,) = interpret(GAME, begin(), change=change("appeared", "pile", "R2", "R3", who="A"))
    assert isinstance(moved, Move)


def test_before_the_first_turn_a_card_is_turned_over() -> None:
    ready = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={"phase": "setup"}))
    assert read(ready, change("appeared", "pile", "G6")) == [(TABLE, "reveal")]
    assert read(story(ready, {"by": "table", "reveal": "W8"})[1], change("turned", "pile", "G6")) == [(TABLE, "reveal")]
    placed = GAME.start(Start("crazy-old-fish-war", PLAYERS, setup={"phase": "setup", "pile": ["G6"]}))
    assert read(placed, change("appeared", "pile", "G2", who="A")) == [("A", "play")]
    assert read(placed, change("vanished", "pile")) == []


def test_after_a_foul_the_pile_is_repaired() -> None:
    deck = faces(["G6", "R2", "R2", "G2"])
    wrong = story(begin(start_deck=deck), play("A", "R2"))[1]
    assert read(wrong, change("vanished", "pile", "R2")) == [(TABLE, "repaired")]
    assert read(wrong, change("appeared", "pile", "G6")) == [(TABLE, "repaired")]
    assert read(wrong, change("appeared", "pile", "G2", who="A")) == [("A", "play")]
    fine = story(begin(start_deck=deck), play("A", "G2"))[1]
    assert read(fine, change("appeared", "pile", "G6")) == []
    assert read(fine, change("appeared", "pile", "G2")) == []
    assert read(fine, change("vanished", "pile")) == [("A", "take")]
    assert read(begin(), change("vanished", "pile", who="B")) == [("B", "take")]
    assert read(begin(), change("appeared", "pile", who="B")) == [("B", "play")]


def test_at_the_seats_of_a_war_cards_are_laid_flipped_and_taken_up() -> None:
    war = story(begin(), {"by": "A", "war": "B"})[1]
    assert read(war, change("appeared", "seat.A", "back")) == [("A", "lay")]
    assert read(war, change("appeared", "seat.B")) == [("B", "lay")]
    assert read(war, change("appeared", "seat.B", "Y4")) == [("B", "lay")]
    assert read(war, change("turned", "seat.A", "R9")) == [("A", "reveal")]
    assert read(war, change("vanished", "seat.A")) == [("A", "take")]
    assert read(war, change("appeared", "seat.C", "back")) == []
    assert read(begin(), change("appeared", "seat.A", "back")) == []


def test_nothing_is_read_elsewhere_or_after_the_end() -> None:
    assert read(begin(), change("vanished", "draw")) == []
    assert read(won(), change("appeared", "pile", "G2")) == []


def test_a_war_seen_by_the_camera_is_decided() -> None:
    state = story(begin(), {"by": "A", "war": "B"})[1]
    for one in (change("turned", "seat.A", "R9"), change("turned", "seat.B", "Y4")):
        (moved,) = interpret(GAME, state, change=one)
        assert isinstance(moved, Move)
        state = GAME.apply(state, moved)
    assert (table(state)["top"], table(state)["hand_size"]["B"]) == ("R9", 6)


# --- hands of a simulation tell nothing ---
def test_a_simulation_may_meet_cards_that_it_did_not_deal() -> None:
    state = begin(hands={"A": ["R1", "R2"], "B": ["Y1"]}, hand_size={"C": 3})
    _, after = story(state, play("A", "G9"))
    assert table(after)["hand_size"]["A"] == 1
    unseen = begin(hands={"A": ["R1", UNKNOWN]}, hand_size={}, known={"A": ["R1"]})
    assert table(story(unseen, play("A", "G9"))[1])["hand_size"]["A"] == 1
