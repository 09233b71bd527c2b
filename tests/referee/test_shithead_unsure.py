"""Shithead where the referee is not sure: unread cards, unseen players, mistakes that come out too late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.cards import UNKNOWN, Face, faces
from referee.entries import Start
from referee.games import find_game
from referee.interpret import rule
from referee.match import Match
from referee.moves import TABLE, UNCLEAR, Move
from referee.store import MemoryStore
from referee.verdicts import Ask, Verdict
from referee.wording import load_wording

GAME: Any = find_game("shithead")
WORDING: Any = load_wording().of("shithead")
PLAYERS = ("A", "B", "C")
MIDDLE: Mapping[str, Any] = {
    "pile": ["4C", "9S"],
    "hand_size": {"A": 3, "B": 3, "C": 4},
    "open": {name: ["4H", "9D", "KD"] for name in PLAYERS},
    "hidden": {"A": 3, "B": 3, "C": 3},
    "draw": 10,
}


def begin(given: Mapping[str, Any], **options: Any) -> Any:
    return GAME.start(Start("shithead", PLAYERS, options, setup=given))


def play(player: str, *cards: str, late: bool = False, data: Mapping[str, Any] | None = None) -> Move:
    return Move(player, "play", faces(cards), data=data or {}, seq=1, late=late)


def go(state: Any, *moves: Move) -> tuple[Verdict, Any]:
    verdict = None
    for seq, move in enumerate(moves, start=1):
        verdict, state = rule(GAME, state, move=replace(move, seq=seq))
    assert verdict is not None
    return verdict, state


def said(verdict: Verdict) -> str:
    return str(WORDING.sentence(verdict, "en"))


# --- unread cards ---
def test_an_unread_card_lies_there_and_is_asked_for() -> None:
    verdict, state = go(begin(MIDDLE), play("A", "??"))
    ask = Ask("which-card", seq=1)
    assert (verdict.ruling, verdict.asks, GAME.pending(state)) == ("pending", (ask,), (ask,))
    assert said(verdict) == "I cannot read that card well enough. Which card is it?"
    seen = GAME.observe(state)
    assert (seen["pile"], seen["rank"], seen["turn"]) == (["4C", "9S", "??"], None, "B")
    assert (seen["hand_size"]["A"], seen["draw"]) == (3, 9)
    assert GAME.view(state)["target"] == {"face": None, "player": "A", "pile": 3}


@pytest.mark.parametrize(
    ("cards", "ruling"),
    [("KH", "pending"), ("7H", "pending"), ("10H", "pending"), ("2H", "legal"), ("3H", "legal"), ("JK", "pending")],
)
def test_a_card_on_an_unread_one_is_asked_about_unless_it_goes_on_anything(cards: str, ruling: str) -> None:
    verdict, state = go(begin(MIDDLE), play("A", "??"), play("B", cards))
    assert verdict.ruling == ruling
    kinds = {"KH": "which-card", "7H": "which-card", "10H": "which-card", "JK": "rank"}
    assert [ask.kind for ask in verdict.asks] == [kinds[cards]] if cards in kinds else verdict.asks == ()
    assert GAME.observe(state)["pile"][-1:] == ([] if cards == "10H" else [cards])


def test_what_is_sure_on_every_plausible_card_is_ruled() -> None:
    unsure = replace(play("A", "??"), candidates=((Face("QH"), 0.6), (Face("7H"), 0.4)))
    verdict, state = go(begin(MIDDLE), unsure)
    assert verdict.asks == (Ask("which-card", seq=1, choices=("QH", "7H")),)
    assert go(state, play("B", "KH"))[0].ruling == "pending"
    assert go(state, play("B", "8H"))[0].rules == ("S-K2",)
    court = replace(play("A", "??"), candidates=((Face("QH"), 0.6), (Face("JH"), 0.4)))
    _, state = GAME.decide(begin(MIDDLE), court)
    assert go(state, play("B", "KH"))[0].ruling == "legal"
    assert go(state, play("B", "JK", data={"as": "A"}))[0].ruling == "legal"
    assert go(state, play("C", "KH"))[0].ruling == "void"


def test_readings_are_kept_by_whoever_asks_for_the_table_without_a_verdict() -> None:
    before, unread = begin(MIDDLE), play("A", "??")
    court = replace(unread, candidates=((Face("QH"), 0.6), (Face("JH"), 0.4)))
    for move, ruling in ((court, "legal"), (unread, "pending")):
        state = GAME.apply(before, move)
        assert state == GAME.decide(before, move)[1]
        assert go(state, play("B", "KH"))[0].ruling == ruling


def test_an_unread_card_may_be_an_eight_or_a_ten() -> None:
    """Who plays next although it would be somebody else's turn is not told off."""
    _, state = go(begin(MIDDLE), play("A", "??"))
    for player in ("A", "C"):
        verdict, after = go(state, play(player, "2H"))
        assert (verdict.ruling, [ask.kind for ask in verdict.asks]) == ("pending", ["which-card"])
        assert GAME.observe(after)["turn"] == ("B" if player == "A" else "A")
    unsure = replace(play("A", "??"), candidates=((Face("9H"), 0.5), (Face("QH"), 0.5)))
    _, fourth_nine = GAME.decide(begin({**MIDDLE, "run": 3}), unsure)
    assert go(fourth_nine, play("A", "5H"))[0].ruling == "pending"
    assert go(fourth_nine, play("C", "5H"))[0].ruling == "void"


def test_unread_cards_do_not_end_anything() -> None:
    last = {**MIDDLE, "hand_size": {"A": 1, "B": 3}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0, "out": ["C"]}
    verdict, state = go(begin(last), play("A", "??"))
    assert (verdict.result, GAME.observe(state)["out"]) == (None, ["C"])
    assert GAME.observe(state)["hand_size"]["A"] == 0


def test_an_unread_card_beside_a_read_one_counts_as_that() -> None:
    verdict, state = go(begin(MIDDLE), play("A", "JH", "??"))
    assert (verdict.ruling, GAME.observe(state)["rank"], GAME.observe(state)["run"]) == ("pending", "J", 2)
    assert go(begin(MIDDLE), play("A", "5H", "??"))[0].rules == ("S-K2",)
    assert go(begin(MIDDLE), play("A", "JK", "??"))[0].ruling == "pending"


def test_a_source_that_is_wrong_for_every_card_is_a_foul_unread_too() -> None:
    assert go(begin(MIDDLE), play("A", "??", data={"from": "open"}))[0].rules == ("S-K4",)
    assert go(begin(MIDDLE), play("B", "??"))[0].rules == ("S-S4",)


def test_threes_inherit_from_an_unread_card_what_nobody_knows_yet() -> None:
    given = {**MIDDLE, "hand_size": {"A": 3, "B": 1}, "draw": 0}
    verdict, state = go(begin(given), play("A", "??"), play("B", "3H", data={"with": ["KD"]}))
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("which-card", seq=1),))
    assert go(state, play("C", "KH"))[0].ruling == "pending"


def test_open_cards_that_nobody_has_read_are_asked_for() -> None:
    given = {**MIDDLE, "hand_size": {"A": 1, "B": 3}, "open": {"A": ["??", "9D"]}, "draw": 0}
    verdict, _ = go(begin(given), play("A", "9H", data={"with": ["??"]}))
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("which-card", seq=1),))
    verdict, _ = go(begin({**given, "pile": []}), play("A", "3H", data={"with": ["??"]}))
    assert verdict.ruling == "pending"
    verdict, _ = go(begin(given), play("A", "??", data={"with": ["9D"]}))
    assert verdict.ruling == "pending"


def test_after_an_unread_card_left_a_hand_nobody_is_sure_what_is_in_it() -> None:
    _, state = go(begin({**MIDDLE, "known": {"A": ["KS"]}}), play("A", "??"))
    assert GAME.knowledge(state)["A"].known == ()


def test_an_unread_pile_taken_claims_only_what_holds_for_every_card() -> None:
    _, state = go(begin({**MIDDLE, "draw": 0}), play("A", "??"), Move("B", "take", target="pile"), play("C", "5H"))
    # One of the two cards shown may be the unread one of the pile; kings would not go on a 7.
    for cards, proves in ((("KH", "KS"), ()), (("2H", "2S"), ("S-T1",)), (("2H",), ())):
        verdict, _ = go(state, play("A", "6H"), play("B", *cards))
        assert verdict.proves == proves
    assert [ask.kind for ask in GAME.pending(state)] == []


def test_a_joker_that_lies_there_without_a_rank_from_the_start_is_asked_for() -> None:
    verdict, _ = go(begin({**MIDDLE, "pile": ["JK"]}), play("A", "KH"))
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("which-card"),))


# --- unseen players ---
def test_a_play_by_somebody_counts_for_whose_turn_it_is_and_is_asked_about() -> None:
    for who in (UNCLEAR, TABLE):
        verdict, state = go(begin(MIDDLE), play(who, "KH"))
        whose = Ask("whose", seq=1, choices=PLAYERS)
        assert (verdict.ruling, verdict.asks, verdict.move.player) == ("legal", (whose,), who)
        assert (GAME.observe(state)["turn"], GAME.pending(state)) == ("B", (whose,))
    verdict, state = go(begin(MIDDLE), play(UNCLEAR, "5H"))
    assert (verdict.rules, verdict.remedy[0].player) == (("S-K2",), "A")


def test_nobody_is_asked_where_it_makes_no_difference() -> None:
    verdict, _ = go(begin(MIDDLE), play("A", "JK"), play(UNCLEAR, "KH"))
    assert (verdict.ruling, verdict.asks) == ("void", ())


def test_somebody_takes_the_pile_or_says_that_nothing_fits() -> None:
    for move in (Move(UNCLEAR, "take", target="pile"), Move(UNCLEAR, "call", target="stuck")):
        verdict, state = go(begin(MIDDLE), move)
        assert "whose" in {ask.kind for ask in verdict.asks}
        assert GAME.observe(state)["hand_size"]["A"] == 5


def test_the_last_card_of_the_game_by_somebody_ends_it() -> None:
    last = {**MIDDLE, "hand_size": {"A": 1, "B": 3}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0, "out": ["C"]}
    verdict, state = go(begin(last), play(UNCLEAR, "KH"))
    assert verdict.result is not None
    assert GAME.pending(state) == ()


# --- after the game ---
@pytest.mark.parametrize(
    "move",
    [
        play("B", "KH"),
        Move("B", "take", target="pile"),
        Move("B", "swap", data={"swap": {"hand": "KH", "open": "4H"}}),
        Move(TABLE, "start"),
        play(UNCLEAR, "KH"),
    ],
)
def test_after_the_game_nothing_counts(move: Move) -> None:
    last = {**MIDDLE, "hand_size": {"A": 1, "B": 3}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0, "out": ["C"]}
    _, over = go(begin(last), play("A", "KH"))
    verdict, after = go(over, move)
    assert verdict.ruling in ("void", "foul")
    assert "ame is over" in said(verdict)
    assert GAME.observe(after) == {**GAME.observe(over), "burned": None}


# --- too late ---
@pytest.mark.parametrize(
    ("given", "options", "move", "rule_id", "turn"),
    [
        (MIDDLE, {}, play("A", "5H", late=True), "S-K2", "B"),
        (MIDDLE, {}, play("A", "5H", "KH", late=True), "S-K3", "B"),
        ({**MIDDLE, "pile": ["7S"]}, {}, play("A", "8H", late=True), "S-X7", "C"),
        (MIDDLE, {}, play("B", "KH", late=True), "S-S4", "C"),
        (MIDDLE, {}, play("A", "KD", late=True, data={"from": "open"}), "S-K4", "B"),
        (MIDDLE, {}, play("A", "KH", late=True, data={"from": "blind"}), "S-K5", "B"),
        (MIDDLE, {}, play("A", "KH", late=True, data={"from": "draw"}), "S-K1", "B"),
        (MIDDLE, {}, play("A", "9H", late=True, data={"with": ["9D"]}), "S-M3", "B"),
        (MIDDLE, {"joker": "no_specials"}, play("A", "JK", late=True, data={"as": 2}), "S-XJ", "B"),
        ({**MIDDLE, "hand_size": {"A": 0}, "open": {"A": []}, "draw": 0}, {}, play("A", "5H", late=True), "S-M2", "B"),
        (
            {**MIDDLE, "hand_size": {"A": 1}, "draw": 0, "pile": ["9S"]},
            {},
            play("A", "3H", late=True, data={"with": ["KD"]}),
            "S-M4",
            "B",
        ),
        (
            {**MIDDLE, "hand_size": {"A": 1}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0},
            {"no_special_finish": True},
            play("A", "10H", late=True),
            "S-G",
            "B",
        ),
    ],
)
def test_what_comes_out_too_late_lies_there_and_the_game_goes_on(
    given: Any, options: Any, move: Move, rule_id: str, turn: str
) -> None:
    verdict, state = go(begin(given, **options), move)
    assert (verdict.ruling, verdict.faults) == ("legal", ())
    assert [(one.rule, one.facts["case"]) for one in verdict.grounds] == [(rule_id, "late")]
    assert [step.action for step in verdict.remedy if step.action == "take"] == []
    assert (GAME.observe(state)["turn"], GAME.view(state)["stop"]) == (turn, None)
    top = {"S-M3": "9D", "S-M4": "KD", "S-G": None}.get(rule_id, move.cards[-1])
    assert GAME.observe(state)["top"] == top
    assert "you have played on" in said(verdict)
    assert "schon weitergespielt" in WORDING.sentence(verdict, "de")


def test_too_late_after_an_eight_a_ten_and_four_of_a_kind() -> None:
    for first, second, rule_id in (
        (play("A", "8H"), play("B", "9H", late=True), "S-X8"),
        (play("A", "10H"), play("B", "9H", late=True), "S-X10"),
        (play("A", "4H", "4S", "4D"), play("B", "9H", late=True), "S-M1"),
    ):
        verdict, state = go(begin({**MIDDLE, "pile": ["4C"]}), first, second)
        assert [one.rule for one in verdict.grounds] == [rule_id]
        assert GAME.observe(state)["turn"] == "C"


def test_too_late_an_unnamed_joker_is_passed_over() -> None:
    _, state = go(begin(MIDDLE), play("A", "JK"))
    verdict, state = go(state, play("B", "KH", late=True))
    assert (verdict.ruling, GAME.observe(state)["turn"], GAME.pending(state)) == ("legal", "C", ())
    verdict, state = go(begin(MIDDLE), play("B", "JK", late=True))
    assert (verdict.ruling, [ask.player for ask in GAME.pending(state)]) == ("pending", ["B"])


def test_too_late_a_missing_open_card_is_passed_over() -> None:
    given = {**MIDDLE, "pile": ["AS"], "hand_size": {"A": 0, "B": 3}, "draw": 0}
    _, state = go(begin(given, take_open_on_pickup="must"), Move("A", "take", target="pile"))
    verdict, state = go(state, play("B", "KH", late=True))
    assert (verdict.ruling, GAME.observe(state)["turn"]) == ("legal", "C")


def test_a_correction_that_comes_too_late_lets_the_cards_lie() -> None:
    match = Match("table", MemoryStore(), wording=load_wording())
    match.append(match.entry(Start("shithead", PLAYERS, setup=MIDDLE), 0.0, source="operator"))
    for seq, move in enumerate((play("A", "KH"), play("B", "AH"), play("C", "2H")), start=1):
        match.append(match.entry(replace(move, seq=None), float(seq), source="camera"))
    match.append(match.entry(match.amended(2, cards=["5H"]), 9.0, source="phone"))
    verdicts = match.verdicts()
    assert [verdict.ruling for verdict in verdicts] == ["legal", "legal", "legal"]
    assert match.view()["turn"] == "A"
    assert match.state.pile == faces(["4C", "9S", "5H", "AH", "2H"])
    assert UNKNOWN not in match.state.pile
