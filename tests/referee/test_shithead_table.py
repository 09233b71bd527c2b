"""Shithead beyond the rule cases: what else happens at a table, and how it is put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from referee.cards import Face
from referee.cases import as_move
from referee.entries import Call, Declare, Start
from referee.errors import CardError, LogError, MoveError, OptionError, SetupError, UnreadableError
from referee.games import find_game
from referee.moves import TABLE, UNCLEAR, Change, Move
from referee.verdicts import Ask, Step, Verdict
from referee.wording import load_wording

GAME: Any = find_game("shithead")
WORDING: Any = load_wording().of("shithead")
PLAYERS = ("A", "B", "C")
MIDDLE: Mapping[str, Any] = {
    "pile": ["4C", "9S"],
    "turn": "A",
    "hand_size": {"A": 3, "B": 3, "C": 4},
    "open": {name: ["4H", "9D", "KD"] for name in PLAYERS},
    "hidden": {"A": 3, "B": 3, "C": 3},
    "draw": 10,
}
BLIND = {**MIDDLE, "hand_size": {"A": 0, "B": 3, "C": 4}, "open": {"A": []}, "draw": 0}
OPEN = {**MIDDLE, "hand_size": {"A": 0, "B": 3, "C": 4}, "draw": 0}


def begin(given: Mapping[str, Any], *, players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    return GAME.start(Start("shithead", players, options, setup=given))


def go(state: Any, *actions: Mapping[str, Any]) -> tuple[Verdict, Any]:
    """The verdict on the last of some actions, written as in rule cases, and the state after it."""
    verdict = None
    for seq, action in enumerate(actions, start=1):
        move = as_move(action)
        verdict, state = GAME.decide(state, Move(move.player, move.kind, move.cards, move.target, move.data, seq=seq))
    assert verdict is not None
    return verdict, state


def told(verdict: Verdict, language: str = "en") -> str:
    return str(WORDING.sentence(verdict, language))


# --- what cannot be read ---
@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Move("A", "war", target="B"), "no 'war'"),
        (Move("A", "call", target="wrong-card"), "no 'call' wrong-card"),
        (Move("Zoe", "play", (Face("9H"),)), "'Zoe' does not play"),
        (Move("A", "play"), "which one is not said"),
        (Move("A", "play", (Face("9X"),)), "no French card"),
        (Move("A", "play", (Face("R2+B4+Y1"),)), "no French card"),
        (Move("A", "play", (Face("9H"),), data={"from": "sleeve"}), "cannot come from 'sleeve'"),
        (Move("A", "play", (Face("9H"),), data={"with": "9D"}), "Write them as a list"),
        (Move("A", "play", (Face("9H"),), data={"with": ["9X"]}), "no French card"),
        (Move("A", "play", (Face("JK"),), data={"as": "1"}), "'1' is no rank"),
        (Move("A", "play", (Face("JK"),), data={"as": True}), "True is no rank"),
        (Move("A", "name", target="red"), "'red' is no rank"),
        (Move("A", "take", target="crown"), "'crown' cannot be taken"),
        (Move("A", "take", target="pile", data={"n": -1}), "take -1 cards"),
        (Move("A", "swap"), "Which cards are exchanged"),
        (Move("A", "swap", data={"swap": {"hand": "9X", "open": "4H"}}), "no French card"),
        (Move("A", "reveal"), "One card is shown at a time"),
        (Move("A", "draw"), "no number of cards"),
        (Move("A", "count", data={"n": True}), "no number of cards"),
        (Move(TABLE, "count", data={"n": 3}), "needs one of the players"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(move: Move, said: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        GAME.judge(begin(MIDDLE), move)
    assert said in f"{caught.value} {caught.value.hint}"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("given", "options", "players", "said"),
    [
        ({}, {}, ("A",), "2 to 10 players"),
        ({}, {}, tuple("ABCDEFGHIJK"), "2 to 10 players"),
        ({}, {"packs": 1}, tuple("ABCDEFG"), "7 players need 63 cards, but there are only 54"),
        ({}, {"ten": "always"}, PLAYERS, "'ten' cannot be 'always'"),
        ({}, {"fatalities": ["slam-dunk"]}, PLAYERS, "'fatalities' cannot be"),
        ({}, {"fatalities": 8}, PLAYERS, "'fatalities' cannot be 8"),
        ({"hands": {"A": ["4H", "5H"]}, "hand_size": {"A": 1}}, {}, PLAYERS, "hand of A is told in two ways"),
        ({"hands": {"A": ["4H"]}, "known": {"A": ["5H"]}}, {}, PLAYERS, "hand of A is told in two ways"),
        ({"hand_size": {"A": 1}, "known": {"A": ["5H", "6H"]}}, {}, PLAYERS, "hand of A is told in two ways"),
        ({"colour": "red"}, {}, PLAYERS, "no 'colour'"),
    ],
)
def test_impossible_beginnings_are_refused(given: Any, options: Any, players: Any, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        begin(given, players=players, **options)
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_position_with_a_card_of_another_deck_is_refused() -> None:
    with pytest.raises(CardError):
        begin({"hands": {"A": ["W8"]}})
    with pytest.raises(MoveError):
        begin({"pile": ["JK"], "rank": "green"})


# --- house rules with several words ---
@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["burn-unit", "mic-drop"], "mic-drop,burn-unit"),
        ("burn-unit", "burn-unit"),
        ("mic-drop, burn-unit", "mic-drop,burn-unit"),
        ([], "none"),
        ("none", "none"),
    ],
)
def test_fatalities_are_a_list(written: Any, read: str) -> None:
    assert begin({}, fatalities=written).rules.fatalities == read


def test_only_chosen_fatalities_are_told() -> None:
    last = {"top": "5S", "turn": "A", "hand_size": {"A": 1, "B": 4}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0}
    for fatalities, wanted in ((["burn-unit"], None), (["mic-drop"], "mic-drop")):
        verdict, state = go(begin(last, players=("A", "B"), fatalities=fatalities), {"by": "A", "play": ["8H"]})
        assert verdict.result is not None
        assert verdict.result.fatality == wanted
        assert GAME.result(state) == verdict.result
        assert ("Mic Drop" in told(verdict)) == (wanted is not None)


def test_an_option_that_is_no_list_says_so() -> None:
    with pytest.raises(OptionError) as caught:
        begin({}, fatalities=["slam-dunk"])
    assert "mic-drop, burn-unit" in caught.value.hint


# --- drawing ---
def test_too_many_cards_drawn_go_back() -> None:
    verdict, state = go(begin(MIDDLE), {"by": "A", "play": ["9H"]}, {"by": "A", "draw": 3})
    assert (verdict.ruling, verdict.rules) == ("foul", ("S-T4",))
    assert verdict.remedy == (Step("A", "return", count=2, to="draw", how="surplus"),)
    assert (GAME.observe(state)["draw"], GAME.observe(state)["hand_size"]["A"]) == (9, 3)
    assert GAME.view(state)["stop"] == {"seq": 2}


def test_drawing_without_need_is_a_foul_and_drawing_nothing_is_nothing() -> None:
    assert go(begin(MIDDLE), {"by": "C", "draw": 1})[0].rules == ("S-T4",)
    assert go(begin(MIDDLE), {"by": "C", "draw": 0})[0].ruling == "legal"


def test_a_draw_that_nobody_saw_pays_what_is_due() -> None:
    for who in (TABLE, UNCLEAR):
        verdict, state = go(begin(MIDDLE), {"by": "A", "play": ["9H", "9C"]}, {"by": who, "draw": 1})
        assert (verdict.ruling, verdict.remedy) == ("pending", (Step("A", "draw", count=1, to="hand", how="refill"),))
        assert go(state, {"by": who, "draw": 1})[0].ruling == "legal"


def test_whatever_else_happens_means_that_the_refill_was_drawn() -> None:
    verdict, _ = go(begin(MIDDLE), {"by": "A", "play": ["9H"]}, {"by": "B", "play": ["KH"]}, {"by": "A", "draw": 1})
    assert verdict.rules == ("S-T4",)


def test_in_a_position_with_few_hand_cards_the_draw_pile_is_used_up() -> None:
    _, state = go(begin({"top": "4S", "hand_size": {"A": 2, "B": 5}}), {"by": "A", "play": ["5H"]})
    assert GAME.observe(state)["hand_size"] == {"A": 1, "B": 5, "C": None}
    verdict, state = go(begin({"top": "4S", "hand_size": {"A": 3}}), {"by": "A", "play": ["5H"]})
    assert [step.action for step in verdict.remedy] == ["draw"]


# --- looking at cards ---
@pytest.mark.parametrize(
    ("given", "action", "ruling", "rules", "reminders"),
    [
        (MIDDLE, {"by": "A", "reveal": "back"}, "foul", ("S-S1a",), []),
        (MIDDLE, {"by": "A", "reveal": "7H", "from": "blind"}, "foul", ("S-S1a",), []),
        (BLIND, {"by": "A", "reveal": "7H"}, "foul", ("S-S1a",), []),
        (MIDDLE, {"by": "A", "reveal": "7H"}, "legal", (), ["S-S1b"]),
        (OPEN, {"by": "A", "reveal": "9D"}, "legal", (), []),
        (MIDDLE, {"by": "A", "reveal": "JH", "from": "open"}, "legal", (), []),
        (MIDDLE, {"by": TABLE, "reveal": "JH"}, "legal", (), ["S-S1b"]),
        ({**MIDDLE, "phase": "swap", "pile": []}, {"by": TABLE, "reveal": "JH"}, "foul", ("S-S2",), []),
    ],
)
def test_looking_at_cards(given: Any, action: Any, ruling: str, rules: Any, reminders: Any) -> None:
    verdict, state = go(begin(given), action)
    assert (verdict.ruling, verdict.rules) == (ruling, rules)
    assert [one.rule for one in verdict.reminders] == reminders
    assert GAME.observe(state)["turn"] == "A"


# --- before the first card ---
def test_a_game_found_by_the_camera_is_dealt_when_it_starts() -> None:
    state = GAME.start(Start("shithead", tuple("ABCDEF"), setup=GAME.found))
    verdict, state = go(state, {"by": TABLE, "start": True})
    assert told(verdict) == "Everything is in place. A begins."
    seen = GAME.observe(state)
    assert (seen["draw"], seen["hand_size"]["F"], seen["hidden"]["F"], seen["turn"]) == (54, 3, 3, "A")
    assert go(state, {"by": TABLE, "start": True})[0].routine


def test_a_first_card_without_a_start_starts_the_game() -> None:
    _, state = go(GAME.start(Start("shithead", PLAYERS, setup=GAME.found)), {"by": "A", "play": ["5H"]})
    assert (GAME.observe(state)["draw"], GAME.observe(state)["turn"]) == (26, "B")


def test_a_first_card_on_a_wrong_set_up_goes_back() -> None:
    given = {**MIDDLE, "phase": "setup", "pile": [], "hidden": {"A": 3, "B": 2, "C": 3}}
    verdict, state = go(begin(given), {"by": "A", "play": ["5H"]})
    assert (verdict.ruling, verdict.rules) == ("foul", ("S-S1",))
    assert {step.how for step in verdict.remedy} == {"back", "deal"}
    assert "B" in told(verdict)
    assert GAME.legal(state, "A") == GAME.legal(state, TABLE) == ()


def test_an_incomplete_pack_is_told() -> None:
    hands = dict.fromkeys(PLAYERS, 3)
    verdict, _ = go(begin({**MIDDLE, "phase": "setup", "pile": [], "hand_size": hands}), {"by": TABLE, "start": True})
    assert verdict.rules == ("S-S1",)
    assert "37 instead of 54" in told(verdict)


def test_wrong_exchanges_are_swapped_back() -> None:
    swap = {"by": "B", "swap": {"hand": "AS", "open": "4H"}}
    tables: Any = (
        (MIDDLE, {}, "too late"),
        ({**MIDDLE, "phase": "swap", "pile": []}, {"swap": "never"}, "not exchanged"),
    )
    for given, options, said in tables:
        verdict, state = go(begin(given, **options), swap)
        assert [step.how for step in verdict.remedy] == ["swap-back"]
        assert said in told(verdict)
        assert GAME.view(state)["stop"] == {"seq": 1}
    face_down = {"by": "B", "swap": {"hand": "AS", "open": "back"}}
    verdict, state = go(begin({**MIDDLE, "phase": "swap", "pile": []}), face_down)
    assert "face-down ones stay" in told(verdict)


def test_an_exchange_that_nobody_saw_is_asked_for() -> None:
    start = begin({**MIDDLE, "phase": "swap", "pile": []})
    verdict, state = go(start, {"by": UNCLEAR, "swap": {"hand": "AS", "open": "4H"}})
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("whose", seq=1, choices=PLAYERS),))
    assert state == start


def test_exchanged_cards_are_known() -> None:
    _, state = go(begin({**MIDDLE, "phase": "swap", "pile": []}), {"by": "A", "swap": {"hand": "AS", "open": "4H"}})
    assert GAME.knowledge(state)["A"].known == ("4H",)
    assert GAME.observe(state)["open"]["A"] == ["9D", "AS", "KD"]
    _, state = go(begin({**MIDDLE, "phase": "swap", "pile": []}), {"by": "A", "swap": {"hand": "4H", "open": "KD"}})
    assert GAME.knowledge(state)["A"].known == ("KD",)


# --- jokers ---
def test_the_rank_of_a_joker_is_asked_for_with_what_may_be_named() -> None:
    verdict, state = go(begin({**MIDDLE, "pile": ["7S"]}), {"by": "A", "play": ["JK"]})
    (ask,) = GAME.pending(state)
    assert verdict.asks == (ask,)
    assert ask.choices == ("2", "3", "4", "5", "6", "7")
    assert GAME.answer(ask, "5") == Declare("A", "name", "5")
    assert GAME.view(state)["target"] == {"face": "JK", "player": "A", "pile": 2}
    assert GAME.observe(state)["rank"] is None


def test_nobody_else_names_the_joker_or_plays_before_that() -> None:
    joker = {"by": "A", "play": ["JK"]}
    start = begin(MIDDLE)
    for action, said in (
        ({"by": "B", "name": 9}, "only whoever played the joker"),
        ({"by": "B", "play": ["KH"]}, "it is the turn of A"),
        ({"by": "B", "take": "pile"}, "it is the turn of A"),
        ({"by": "A", "play": ["KH"]}, "A first has to say"),
        ({"by": "A", "take": "pile"}, "A first has to say"),
    ):
        verdict, state = go(start, joker, action)
        assert verdict.ruling == "void"
        assert said in told(verdict)
        assert [ask.kind for ask in GAME.pending(state)] == ["rank"]
    verdict, state = go(start, {"by": "A", "play": ["10H"]}, {"by": "A", "name": 9})
    assert (verdict.ruling, GAME.observe(state)["burned"], GAME.observe(state)["turn"]) == ("void", None, "A")


def test_a_joker_is_named_by_the_table_as_well_and_by_a_number() -> None:
    for move in (Move(TABLE, "name", target="K"), Move("A", "name", data={"n": 10}), Move(UNCLEAR, "name", target="k")):
        state = GAME.apply(begin(MIDDLE), Move("A", "play", (Face("JK"),)))
        assert GAME.judge(state, move).ruling == "legal"


def test_a_hand_joker_with_open_cards_and_one_known_joker_is_put_back_as_it_was() -> None:
    given = {**OPEN, "hand_size": {"A": 1, "B": 3}, "known": {"A": ["JK"]}, "open": {"A": ["JK", "4H"]}}
    _, state = go(begin(given), {"by": "A", "play": ["JK"], "with": ["JK"]}, {"by": "A", "name": 4})
    assert GAME.knowledge(state)["A"].known == ("JK",)
    assert (GAME.observe(state)["open"]["A"], GAME.observe(state)["pile"]) == (["4H", "JK"], ["4C", "9S"])


def test_an_open_joker_named_too_low_goes_back_to_the_open_cards() -> None:
    given = {**OPEN, "open": {"A": ["JK", "4H"]}}
    verdict, state = go(begin(given), {"by": "A", "play": ["JK"], "from": "open"}, {"by": "A", "name": 4})
    assert (verdict.rules, [step.to for step in verdict.remedy]) == (("S-K2",), ["open"])
    assert GAME.observe(state)["open"]["A"] == ["4H", "JK"]
    assert "As 4 the joker is too low" in told(verdict)


def test_a_blind_joker_may_not_be_the_last_card_at_some_tables() -> None:
    given = {**BLIND, "hidden": {"A": 1}}
    verdict, state = go(begin(given, no_special_finish=True), {"by": "A", "play": ["JK"], "from": "blind"})
    assert (verdict.ruling, verdict.rules) == ("foul", ("S-G",))
    assert (GAME.observe(state)["hand_size"]["A"], GAME.observe(state)["turn"]) == (3, "B")


# --- sources ---
def test_a_card_from_the_draw_pile_or_the_floor_goes_back_there() -> None:
    for source in ("draw", "discard"):
        verdict, state = go(begin(MIDDLE), {"by": "A", "play": ["KH"], "from": source})
        assert (verdict.ruling, verdict.rules) == ("foul", ("S-K1",))
        assert [step.how for step in verdict.remedy] == ["back-away"]
        assert GAME.observe(state)["hand_size"]["A"] == 3


def test_several_face_down_cards_go_back() -> None:
    verdict, _ = go(begin(BLIND), {"by": "A", "play": ["KH", "KC"], "from": "blind"})
    assert verdict.rules == ("S-K5",)
    assert "Only one face-down card" in told(verdict)


def test_with_an_empty_hand_a_card_of_unknown_source_is_an_open_or_a_face_down_one() -> None:
    _, state = go(begin(OPEN), {"by": "A", "play": ["9D"]})
    assert GAME.observe(state)["open"]["A"] == ["4H", "KD"]
    _, state = go(begin(BLIND), {"by": "A", "play": ["KH"]})
    assert GAME.observe(state)["hidden"]["A"] == 2


def test_open_cards_of_a_play_that_costs_the_pile_go_with_it_unless_they_were_wrong() -> None:
    given = {**OPEN, "hand_size": {"A": 1, "B": 3}, "pile": ["KS"]}
    verdict, state = go(begin(given, misplay="take_pile"), {"by": "A", "play": ["9H"], "with": ["9D", "4H"]})
    assert verdict.rules == ("S-K2",)
    assert [(step.cards, step.to) for step in verdict.remedy] == [(("KS", "9H", "9D"), "hand"), (("4H",), "open")]
    assert GAME.observe(state)["hand_size"]["A"] == 3
    assert GAME.observe(state)["open"]["A"] == ["4H", "KD"]


def test_hand_cards_of_two_ranks_with_open_ones_all_go_back() -> None:
    given = {**OPEN, "hand_size": {"A": 2, "B": 3}}
    verdict, state = go(begin(given), {"by": "A", "play": ["9H", "JH"], "with": ["9D"]})
    assert verdict.rules == ("S-K3",)
    assert [(step.cards, step.to) for step in verdict.remedy] == [(("9H", "JH"), "hand"), (("9D",), "open")]
    assert GAME.knowledge(state)["A"].known == ("9H", "JH")


def test_a_joker_from_the_hand_takes_the_rank_of_the_open_cards() -> None:
    given = {**OPEN, "hand_size": {"A": 1, "B": 3}}
    verdict, state = go(begin(given), {"by": "A", "play": ["JK"], "with": ["9D", "KD"]})
    assert (verdict.rules, GAME.observe(state)["rank"]) == (("S-M3",), 9)
    verdict, state = go(begin(given), {"by": "A", "play": ["JK"], "with": ["9D", "KD"], "as": "K"})
    assert (verdict.rules, GAME.observe(state)["rank"]) == (("S-M3",), "K")


# --- taking the pile ---
def test_a_pile_that_is_not_taken_as_a_whole_is_pending() -> None:
    take = Move("A", "take", target="pile", data={"n": 1})
    verdict, state = GAME.decide(begin(MIDDLE), take)
    assert (verdict.ruling, verdict.rules) == ("pending", ("S-T2",))
    assert verdict.remedy == (Step("A", "take", count=1, to="hand", how="take-rest"),)
    verdict, state = GAME.decide(state, Move("A", "take", target="pile", data={"n": 0}))
    assert verdict.ruling == "pending"
    verdict, state = GAME.decide(state, Move("A", "take", target="pile", data={"n": 1}))
    assert (verdict.ruling, GAME.observe(state)["hand_size"]["A"]) == ("legal", 5)


def test_somebody_says_that_nothing_fits_and_then_takes_the_pile() -> None:
    for call in ("stuck", "no-match"):
        verdict, state = go(begin(MIDDLE), {"by": "A", "call": call})
        assert (verdict.ruling, [ask.kind for ask in verdict.asks]) == ("accepted", ["take-pile"])
        assert GAME.observe(state)["hand_size"]["A"] == 5
        verdict, state = go(state, {"by": "A", "take": "pile"})
        assert verdict.routine
        assert (GAME.observe(state)["hand_size"]["A"], GAME.observe(state)["turn"]) == (5, "B")


def test_open_cards_still_come_along_after_the_call() -> None:
    given = {**OPEN, "pile": ["4C", "AS"]}
    stuck, along = {"by": "A", "call": "stuck"}, {"by": "A", "take": "pile", "with": ["4H"]}
    verdict, state = go(begin(given), stuck, along)
    assert (verdict.ruling, GAME.observe(state)["hand_size"]["A"]) == ("legal", 3)
    verdict, state = go(begin(given), stuck, {**along, "with": ["4H", "9D"]})
    assert (verdict.ruling, verdict.rules) == ("foul", ("S-T3",))
    assert GAME.observe(state)["hand_size"]["A"] == 2


def test_the_call_is_disproved_like_the_deed() -> None:
    verdict, _ = go(begin({**MIDDLE, "known": {"A": ["KS"]}}), {"by": "A", "call": "stuck"})
    assert (verdict.ruling, verdict.rules) == ("disproved", ("S-T1",))
    assert "Everybody has seen a card" in told(verdict)


def test_the_empty_pile_cannot_be_taken() -> None:
    given = {**MIDDLE, "pile": []}
    assert go(begin(given), {"by": "A", "take": "pile"})[0].ruling == "disproved"
    verdict, _ = go(begin(given, voluntary_pickup=True), {"by": "A", "take": "pile"})
    assert (verdict.ruling, verdict.rules, verdict.remedy) == ("foul", ("S-T1",), ())


def test_whoever_may_not_finish_with_the_last_card_passes_on_an_empty_pile() -> None:
    given = {**MIDDLE, "pile": [], "hand_size": {"A": 1, "B": 3}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0}
    verdict, state = go(begin(given, no_special_finish=True), {"by": "A", "take": "pile"})
    assert (verdict.ruling, GAME.observe(state)["turn"]) == ("accepted", "B")


def test_where_an_open_card_must_come_along_the_turn_lasts_until_it_does() -> None:
    given = {**OPEN, "pile": ["4C", "AS"]}
    verdict, state = go(begin(given, take_open_on_pickup="must"), {"by": "A", "take": "pile"})
    assert (verdict.ruling, verdict.rules, GAME.observe(state)["turn"]) == ("pending", ("S-T3",), "A")
    assert go(state, {"by": "A", "take": "pile"})[0].ruling == "pending"
    assert go(state, {"by": "A", "take": "pile", "with": ["4H", "KD"]})[0].rules == ("S-T3",)
    verdict, _ = go(state, {"by": "A", "play": ["4C"]})
    assert (verdict.ruling, verdict.rules) == ("void", ("S-T3",))
    assert go(state, {"by": "B", "play": ["4C"]})[0].rules == ("S-S4",)
    verdict, state = go(state, {"by": "A", "take": "pile", "with": ["9D"]})
    assert (verdict.ruling, GAME.observe(state)["turn"]) == ("accepted", "B")
    assert GAME.observe(state)["hand_size"]["A"] == 3


def test_the_own_card_stays_unless_it_was_wrong() -> None:
    verdict, state = go(begin(MIDDLE), {"by": "A", "play": ["KH"]}, {"by": "A", "take": "own"})
    assert (verdict.ruling, GAME.observe(state)["pile"]) == ("void", ["4C", "9S", "KH"])
    verdict, state = go(begin(MIDDLE), {"by": "A", "play": ["5H"]}, {"by": "A", "take": "own"})
    assert (verdict.ruling, verdict.routine, GAME.view(state)["stop"]) == ("legal", True, None)


# --- claims and known cards ---
def test_a_card_that_was_taken_back_is_known() -> None:
    _, state = go(begin(MIDDLE), {"by": "A", "play": ["5H", "KH"]})
    assert GAME.knowledge(state)["A"].known == ("5H", "KH")
    assert go(state, {"by": "A", "take": "pile"})[0].ruling == "disproved"


def test_a_card_shown_out_of_turn_proves_a_claim_once() -> None:
    verdict, state = go(
        begin({**MIDDLE, "draw": 0}),
        {"by": "A", "take": "pile"},
        {"by": "B", "play": ["5S"]},
        {"by": "A", "play": ["KH"]},
    )
    assert (verdict.ruling, verdict.proves) == ("void", ("S-T1",))
    verdict, state = go(state, {"by": "C", "play": ["6S"]}, {"by": "A", "play": ["KH"]})
    assert (verdict.ruling, verdict.proves) == ("legal", ())


def test_unread_cards_in_a_taken_pile_may_be_what_is_shown_later() -> None:
    given = {**MIDDLE, "pile": ["??", "9S"], "draw": 0}
    verdict, _ = go(
        begin(given), {"by": "A", "take": "pile"}, {"by": "B", "play": ["5S"]}, {"by": "C", "play": ["6S"]},
        {"by": "A", "play": ["KH"]},
    )  # fmt: skip
    assert verdict.proves == ()


def test_a_suit_that_nobody_wrote_down_is_the_known_card() -> None:
    _, state = go(begin({**MIDDLE, "known": {"A": ["KS", "4D"]}}), {"by": "A", "play": ["K?"]})
    assert GAME.knowledge(state)["A"].known == ("4D",)
    _, state = go(begin({**MIDDLE, "known": {"A": ["K?", "4D"]}}), {"by": "A", "play": ["KS"]})
    assert GAME.knowledge(state)["A"].known == ("4D",)


def test_a_counted_hand_corrects_the_tally() -> None:
    state = begin({**MIDDLE, "known": {"A": ["KS"]}})
    for number, known in ((5, ("KS",)), (3, ("KS",)), (1, ("KS",)), (0, ())):
        counted = GAME.apply(state, Move("A", "count", data={"n": number}))
        assert GAME.knowledge(counted)["A"] == (number, known)


# --- a game without end ---
def test_after_many_turns_the_table_is_asked_whether_to_stop() -> None:
    given = {**MIDDLE, "hand_size": {"A": 3, "B": 5, "C": 3}, "out": [], "draw": 0}
    state = begin(given, turn_cap=2)
    assert go(state, {"by": "A", "call": "stop"})[0].ruling == "void"
    _, state = go(state, {"by": "A", "play": ["9H"]}, {"by": "B", "play": ["JH"]})
    (ask,) = GAME.pending(state)
    assert GAME.answer(ask, "stop") == Call(TABLE, "stop")
    assert GAME.legal(state, TABLE) == (Move(TABLE, "call", target="stop"),)
    verdict, going = go(state, {"by": TABLE, "call": "go-on"})
    assert (verdict.routine, GAME.pending(going)) == (True, ())
    verdict, over = go(state, {"by": "C", "call": "stop"})
    assert verdict.result is not None
    assert (verdict.result.reason, verdict.result.winners) == ("turn-cap", ("A",))
    assert dict(verdict.result.points) == {"A": 1, "C": 2, "B": 3}
    assert "B has the most cards" in told(verdict)
    assert go(over, {"by": "C", "call": "stop"})[0].ruling == "void"
    assert GAME.legal(over, "A") == GAME.pending(over) == ()


def test_stopping_needs_counted_hands() -> None:
    state = begin({"top": "5S", "hand_size": {"A": 3, "C": 3}, "out": []}, turn_cap=1)
    verdict, state = go(state, {"by": "A", "play": ["9H"]}, {"by": "A", "call": "stop"})
    assert (verdict.ruling, verdict.asks) == ("pending", (Ask("count", player="B"),))
    state = GAME.apply(state, Move("B", "count", data={"n": 1}))
    verdict, _ = go(state, {"by": "A", "call": "stop"})
    assert verdict.result is not None
    assert verdict.result.winners == ("B",)


def test_whoever_is_out_stays_ahead_when_the_table_stops() -> None:
    given = {"top": "5S", "hand_size": {"A": 3, "B": 1}, "open": {}, "hidden": {}, "draw": 0, "out": ["C"]}
    verdict, _ = go(begin(given, turn_cap=1), {"by": "A", "play": ["9H"]}, {"by": "B", "call": "stop"})
    assert verdict.result is not None
    assert (verdict.result.reason, dict(verdict.result.points)) == ("turn-cap", {"C": 1, "B": 2, "A": 3})


def test_no_cap_no_offer() -> None:
    _, state = go(begin(MIDDLE, turn_cap=0), {"by": "A", "play": ["9H"]})
    assert GAME.pending(state) == ()


def test_only_the_table_answers_what_is_asked_of_hands() -> None:
    with pytest.raises(LogError):
        GAME.answer(Ask("match", player="A"), "9H")


# --- repairs ---
def test_a_stop_lasts_until_the_repair_is_seen_or_somebody_acts() -> None:
    wrong = {"by": "A", "play": ["5H"]}
    _, state = go(begin(MIDDLE), wrong)
    assert GAME.view(state)["stop"] == {"seq": 1}
    (repaired,) = GAME.read(state, Change("vanished", "pile", 1.0, 1.1), player=UNCLEAR)
    assert GAME.view(GAME.apply(state, repaired))["stop"] is None
    assert GAME.view(go(state, {"by": "A", "play": ["KH"]})[1])["stop"] is None
    assert GAME.view(go(state, {"by": "B", "reveal": "4H"})[1])["stop"] is None


def test_what_the_eyes_tell() -> None:
    state = begin(MIDDLE)
    appeared = Change("appeared", "pile", 1.0, 1.1, candidates=((Face("KH"), 0.9), (Face("9S"), 0.1)))
    assert GAME.read(state, appeared, player="A") == (Move("A", "play"),)
    for change in (
        Change("appeared", "pile", 1.0, 1.1, candidates=((Face("9S"), 0.9),)),
        Change("appeared", "seat.A", 1.0, 1.1, candidates=((Face("KH"), 0.9),)),
        Change("vanished", "pile", 1.0, 1.1),
        Change("turned", "pile", 1.0, 1.1),
    ):
        assert GAME.read(state, change, player="A") == ()
    assert GAME.read(state, Change("appeared", "pile", 1.0, 1.1), player=UNCLEAR) == (Move(UNCLEAR, "play"),)


def test_with_two_packs_the_same_face_may_be_played_again() -> None:
    deck = tuple(map(Face, ["9S", "9S", *("KH",) * 100]))
    state = GAME.start(Start("shithead", PLAYERS, deck=deck, setup=MIDDLE))
    again = Change("appeared", "pile", 1.0, 1.1, candidates=((Face("9S"), 0.9),))
    assert GAME.read(state, again, player="A") == (Move("A", "play"),)
    _, state = go(state, {"by": "A", "play": ["5H"]})
    assert GAME.read(state, again, player="A") == ()


def test_more_cards_than_a_hand_had_were_in_it_all_the_same() -> None:
    _, state = go(begin({**MIDDLE, "hand_size": {"A": 1}, "draw": 0}), {"by": "A", "play": ["KH", "KS"]})
    assert GAME.observe(state)["hand_size"]["A"] == 0
    _, state = go(begin({**MIDDLE, "hands": {"A": ["4D", "5D", "6D"]}, "draw": 0}), {"by": "A", "play": ["KH"]})
    assert GAME.observe(state)["hand_size"]["A"] == 2


def test_whoever_may_have_other_cards_finishes_with_nothing() -> None:
    verdict, _ = go(begin({"pile": ["9S"], "draw": 0}, no_special_finish=True), {"by": "A", "play": ["2H"]})
    assert verdict.ruling == "legal"


def test_threes_that_inherit_may_not_be_the_last_cards_at_some_tables() -> None:
    given = {**MIDDLE, "hand_size": {"A": 1, "B": 3}, "open": {"A": ["9D", "4D"]}, "hidden": {"A": 0}, "draw": 0}
    verdict, _ = go(begin(given, no_special_finish=True), {"by": "A", "play": ["3H"], "with": ["9D"]})
    assert verdict.ruling == "legal"
    last = {**given, "open": {"A": ["9D"]}}
    verdict, state = go(begin(last, no_special_finish=True), {"by": "A", "play": ["3H"], "with": ["9D"]})
    assert (verdict.rules, [step.to for step in verdict.remedy]) == (("S-G",), ["hand", "open"])
    assert GAME.observe(state)["out"] == []


def test_open_cards_beside_open_cards_are_one_play() -> None:
    verdict, state = go(begin(OPEN), {"by": "A", "play": ["9D"], "with": ["9H"], "from": "open"})
    assert (verdict.ruling, GAME.observe(state)["pile"]) == ("legal", ["4C", "9S", "9D", "9H"])


def test_open_cards_that_nobody_has_read_disprove_nothing() -> None:
    given = {**OPEN, "open": {"A": ["??", "4H"]}}
    assert go(begin(given), {"by": "A", "take": "pile"})[0].ruling == "accepted"


def test_cards_of_two_ranks_complete_nothing_out_of_turn() -> None:
    given = {**MIDDLE, "pile": ["9S", "9C"], "turn": "B"}
    for cards in (["9H", "4D"], ["9H", "??"], ["JK", "JK"]):
        assert go(begin(given, burn_in=True), {"by": "A", "play": cards})[0].rules == ("S-S4",)
    verdict, _ = go(begin(given, burn_in=True), {"by": "A", "play": ["JK", "JK"], "as": 9})
    assert verdict.ruling == "legal"


def test_the_last_player_of_a_strange_position_is_alone() -> None:
    given = {**MIDDLE, "hand_size": {"A": 1}, "open": {"A": []}, "hidden": {"A": 0}, "draw": 0, "out": ["B", "C"]}
    _, state = go(begin(given), {"by": "A", "play": ["KH"]})
    assert GAME.observe(state)["out"] == ["B", "C", "A"]
