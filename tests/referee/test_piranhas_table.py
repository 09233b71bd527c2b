"""Piranhas at a table that is seen imperfectly: unread cards, unclear hands, presses, counts, changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from piranhas_scenes import COUNTS, FITS, FITS_ON_THAT, GAME, PILE, WRONG, act, begin, call, story

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.entries import Start
from referee.errors import MoveError
from referee.games.piranhas.state import State
from referee.moves import TABLE, UNCLEAR, Change, Json, Move

STUCK = "G1+W1+O2"


def read_as(player: str, *cards: str) -> Move:
    """A play whose card may be any of these, the likeliest first."""
    candidates = tuple((Face(card), 0.9 / place) for place, card in enumerate(cards, start=1))
    return Move(player, "play", faces(cards[:1]), candidates=candidates)


def counts(state: State) -> Any:
    return GAME.observe(state)["counts"]


def pile(state: State) -> Any:
    return GAME.observe(state)["pile"]


# --- cards that are not read, or not for certain ---
def test_readings_that_agree_need_no_question_and_the_next_card_is_judged_against_both() -> None:
    verdict, state = story(begin(), read_as("A", FITS, "R4+O1+B1"))
    assert (verdict.ruling, verdict.asks) == ("legal", ())
    assert (state.pile[-1].face, state.pile[-1].readings) == (FITS, (FITS, "R4+O1+B1"))
    assert GAME.exhausted(state) == frozenset()
    verdict, state = story(state, act("B", "play", "B2+K4+O4"))  # eats black here, blue there
    assert verdict.ruling == "legal"
    verdict, _ = story(begin(), read_as("A", FITS, "R4+O1+B1"), act("B", "play", FITS_ON_THAT))
    assert (verdict.ruling, [ask.choices for ask in verdict.asks]) == ("pending", [(FITS, "R4+O1+B1")])


def test_readings_that_disagree_are_asked_for() -> None:
    verdict, state = story(begin(), read_as("A", FITS, WRONG))
    assert (verdict.ruling, [ask.choices for ask in verdict.asks]) == ("pending", [(FITS, WRONG)])
    assert pile(state) == [*PILE, UNKNOWN]
    verdict, state = story(state, act("B", "play", "V4+K2+O2"))  # eats on either of them
    assert (verdict.ruling, verdict.grounds, verdict.beneath) == ("legal", (), UNKNOWN)


def test_a_card_put_face_down_on_the_pile_is_asked_for_and_play_goes_on() -> None:
    verdict, state = story(begin(), Move("A", "play", (BACK,)))
    assert (verdict.ruling, [ask.kind for ask in verdict.asks], pile(state)[-1]) == ("pending", ["which-card"], UNKNOWN)
    assert story(begin(), Move("A", "play", (BACK,)), act("B", "play", FITS))[0].ruling == "pending"


def test_an_unread_card_that_is_called_stops_play_until_it_is_named() -> None:
    verdict, state = story(begin(), act("A", "play", "??"), call("B"))
    assert (verdict.ruling, [ask.id for ask in verdict.asks]) == ("pending", ["which-card-1"])
    assert (state.phase, counts(state)) == ("stopped", {"A": 7, "B": 8, "C": 8})
    assert [ask.id for ask in GAME.pending(state)] == ["which-card-1"]


def test_a_quiet_call_on_a_card_above_an_unread_one_asks_for_the_one_beneath() -> None:
    verdict, _ = story(begin(options={"calls": "players"}), act("A", "play", "??"), act("B", "play", FITS), call("C"))
    assert (verdict.ruling, [ask.id for ask in verdict.asks]) == ("pending", ["which-card-1"])


def test_a_piranha_is_announced_alike_on_a_card_that_nobody_read() -> None:
    state = begin(pile=["??"], hears=True)
    assert story(state, act("A", "play", "P-R"))[0].ruling == "pending"
    assert story(state, act("A", "play", FITS, say="red"))[0].reminders == ()


def test_a_fitting_call_on_readings_that_agree_is_rejected_without_naming_the_card() -> None:
    verdict, _ = story(begin(options={"calls": "players"}), read_as("A", FITS, "R4+O1+B1"), call("B"))
    assert (verdict.ruling, [step.count for step in verdict.remedy]) == ("rejected", [2])


def test_the_target_of_a_game_that_is_going_on_can_be_turned_over_for_the_eyes() -> None:
    state = GAME.start(Start("piranhas", ("A", "B"), setup={"counts": {"A": 3, "B": 3}}))
    assert story(state, act("A", "play", FITS))[0].ruling == "pending"
    _, state = story(state, act(TABLE, "reveal", PILE[1]))
    assert (pile(state), story(state, act("A", "play", FITS))[0].ruling) == ([PILE[1]], "legal")
    _, again = story(state, act(TABLE, "reveal", PILE[0]))
    assert pile(again) == [PILE[1]]
    assert GAME.exhausted(state) == frozenset()


# --- hands that nobody saw ---
def test_mine_settles_which_deck_a_card_came_from() -> None:
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"], "boxed": 1, "counts": dict.fromkeys("ABC", 17)}
    moves = [act(TABLE, "start", PILE[1]), act("B", "reveal", STUCK), act(UNCLEAR, "play", FITS)]
    verdict, state = story(begin(**setup), *moves, call("C", "mine"))
    assert (verdict.ruling, verdict.move.cards, counts(state)) == ("legal", (FITS,), {"A": 17, "B": 17, "C": 16})
    assert [seat.deck for seat in state.seats] == [17, 16, 16]
    _, state = story(begin(**setup), *moves, call("B", "mine"))
    assert GAME.observe(state)["holding"] == ["B"]  # it was not the card that B had uncovered


def test_mine_takes_the_uncovered_card_out_of_the_hand() -> None:
    _, state = story(begin(), act("B", "reveal", FITS), act(UNCLEAR, "play", FITS), call("B", "mine"))
    assert (GAME.observe(state)["holding"], counts(state)) == ([], {"A": 8, "B": 7, "C": 8})


def test_mine_on_a_card_that_was_taken_with_a_penalty_only_changes_the_tally() -> None:
    moves = [act(UNCLEAR, "play", FITS), act("A", "play", STUCK)]
    verdict, state = story(begin(), *moves, call("C", "mine"))
    assert (verdict.ruling, verdict.move.cards) == ("legal", (FITS,))
    assert counts(state) == {"A": 10, "B": 8, "C": 7}
    assert GAME.pending(state) == ()


def test_mine_on_the_top_card_corrects_whose_it_was() -> None:
    verdict, state = story(begin(), act("A", "play", FITS), call("B", "mine"))
    assert (verdict.ruling, counts(state)) == ("legal", {"A": 8, "B": 7, "C": 8})
    assert GAME.view(state)["target"] == {"face": FITS, "player": "B", "pile": 3}
    assert counts(story(begin(counts={"B": 3}), act("A", "play", FITS), call("B", "mine"))[1]) == {
        "A": None,
        "B": 2,
        "C": None,
    }


@pytest.mark.parametrize(
    "moves",
    [
        [call("B", "mine")],  # the target of the beginning
        [act("B", "play", FITS), call("B", "mine")],  # B's already
    ],
)
def test_mine_without_a_card_to_claim_has_no_effect(moves: list[Move]) -> None:
    verdict, state = story(begin(), *moves)
    assert verdict.ruling == "void"
    assert story(begin(), *moves[:-1] or [act(TABLE, "start")])[1].seats == state.seats
    over = begin(counts={"A": 1, "B": 5, "C": 5})
    assert story(over, act("A", "play", FITS), call("C", "mine"))[0].ruling == "void"
    setup: dict[str, Any] = {"phase": "setup", "pile": []}
    assert story(begin(**setup), call("B", "mine"))[0].ruling == "void"


def test_mine_on_a_last_card_that_is_wrong_is_called_and_no_more_listed() -> None:
    state = begin(options={"calls": "report"}, counts={"A": 8, "B": 1, "C": 8})
    verdict, after = story(state, act(UNCLEAR, "play", WRONG), call("B", "mine"))
    assert (verdict.ruling, verdict.rules, after.phase) == ("foul", ("P-F2",), "stopped")
    assert (counts(after), after.missed) == ({"A": 8, "B": 2, "C": 8}, ())


def test_mine_on_a_last_card_that_nobody_read_waits_for_its_name() -> None:
    verdict, state = story(begin(counts={"A": 8, "B": 1, "C": 8}), act(UNCLEAR, "play", "??"), call("B", "mine"))
    assert (verdict.ruling, verdict.result, counts(state)) == ("legal", None, {"A": 8, "B": 0, "C": 8})
    assert [ask.id for ask in GAME.pending(state)] == ["which-card-1"]


def test_a_covering_card_of_somebody_unclear_is_off_without_a_step() -> None:
    state = begin(options={"calls": "players"})
    verdict, after = story(
        state, act("A", "play", WRONG, at=10), act(UNCLEAR, "play", "W4+K1+R3", at=12), call("C", at=12.1)
    )
    assert (verdict.ruling, [step.player for step in verdict.remedy]) == ("upheld", ["A"])
    assert GAME.pending(after) == ()


def test_unclear_hands_discard_and_take_back_without_a_tally() -> None:
    verdict, state = story(begin(), act(UNCLEAR, "discard", WRONG))
    assert (verdict.ruling, state) == ("legal", begin())
    verdict, state = story(begin(), act(UNCLEAR, "play", FITS), Move(UNCLEAR, "take", target="own"))
    assert (verdict.ruling, pile(state), counts(state)) == ("legal", PILE, COUNTS)
    assert GAME.pending(state) == ()


# --- presses ---
def test_a_named_card_counts_more_than_the_moment_of_the_press() -> None:
    state = begin(options={"calls": "players"})
    plays = [act("A", "play", FITS, at=10), act("B", "play", STUCK, at=12)]
    verdict, _ = story(state, *plays, call("C", "wrong-card", STUCK, at=12.1))
    assert (verdict.ruling, verdict.move.cards) == ("upheld", (STUCK,))
    verdict, _ = story(state, *plays, call("C", "wrong-card", "P-R", at=12.1))
    assert verdict.ruling == "void"


def test_a_press_before_any_card_of_the_game_had_come_to_rest_means_none() -> None:
    for lying in (PILE, PILE[1:]):
        verdict, state = story(begin(pile=lying), act("A", "play", FITS, at=10), call("C", at=10.1))
        assert (verdict.ruling, pile(state)) == ("void", [*lying, FITS])


def test_nobody_can_call_an_own_card() -> None:
    verdict, state = story(begin(options={"calls": "players"}), act("A", "play", WRONG), call("A"))
    assert (verdict.ruling, counts(state)) == ("void", {"A": 7, "B": 8, "C": 8})


def test_a_call_before_the_start_has_no_effect() -> None:
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"]}
    assert story(begin(**setup), call("A"))[0].ruling == "void"


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        (begin(phase="setup", pile=["back"]), []),
        (begin(), [act("A", "play", WRONG)]),
        (begin(counts={"A": 1, "B": 5, "C": 5}), [act("A", "play", FITS)]),
    ],
)
def test_stuck_has_no_effect_unless_play_is_on(state: State, moves: list[Move]) -> None:
    verdict, after = story(state, *moves, call("B", "stuck"))
    assert (verdict.ruling, after.stuck) == ("void", frozenset())
    assert verdict.grounds


# --- a stop ---
def test_a_stop_ends_when_a_person_says_go_or_the_table_starts() -> None:
    foul = act("A", "play", WRONG)
    for restart in (act(TABLE, "start"), act(TABLE, "repaired", go=True)):
        verdict, state = story(begin(), foul, restart)
        assert (verdict.ruling, [one.rule for one in verdict.grounds], state.phase) == ("legal", ["P-W7"], "playing")
    verdict, state = story(begin(), foul, act(TABLE, "repaired"))
    assert (verdict.routine, state.phase, state.repaired) == (True, "stopped", True)
    assert story(begin(), foul, Move("A", "take", target="own"))[1].repaired
    for moot in (act(TABLE, "start"), act(TABLE, "repaired", go=True)):
        verdict, state = story(begin(), moot)
        assert (verdict.routine, state) == (True, begin())


def test_a_card_turned_over_in_a_stop_goes_on_the_discard_pile() -> None:
    verdict, state = story(begin(), act("A", "play", WRONG), act("B", "reveal", STUCK))
    assert (verdict.ruling, verdict.rules, verdict.remedy[0].how) == ("void", ("P-W1",), "stopped")
    assert (state.seats[1].discards, state.seats[1].uncovered) == ((STUCK,), ())


def test_an_uncovered_card_that_nobody_read_gets_its_name_when_it_is_laid_down() -> None:
    state = begin(holding=["B"])
    _, state = story(state, act("A", "play", WRONG), act("B", "discard", STUCK))
    assert state.seats[1].discards == (STUCK,)
    _, state = story(begin(holding=["B"]), act("A", "play", WRONG), act("B", "discard", "??"))
    assert state.seats[1].discards == (UNKNOWN,)


def test_a_card_of_somebody_unclear_in_a_stop_changes_no_tally() -> None:
    verdict, state = story(begin(), act("A", "play", WRONG), act(UNCLEAR, "play", STUCK))
    assert (verdict.ruling, state.seats) == ("void", story(begin(), act("A", "play", WRONG))[1].seats)


# --- before and after ---
def test_before_the_start_cards_stay_where_they_are() -> None:
    state = begin(phase="setup", pile=["back"])
    verdict, after = story(state, act("A", "discard", STUCK))
    assert (verdict.ruling, verdict.rules, after) == ("void", ("P-S6",), state)
    verdict, after = story(state, act("A", "reveal", STUCK))
    assert ([one.rule for one in verdict.reminders], after) == (["P-S5"], state)


def test_after_the_end_nothing_changes_any_more() -> None:
    _, over = story(begin(counts={"A": 1, "B": 5, "C": 5}), act("B", "reveal", STUCK), act("A", "play", FITS))
    for move in (act("B", "reveal", STUCK), act("B", "play", STUCK), act(TABLE, "start"), act("B", "discard", STUCK)):
        verdict, after = story(over, move)
        assert after == over, move
        assert verdict.ruling == ("legal" if move.kind == "discard" else "void")


# --- cards from elsewhere, and late corrections ---
def test_who_plays_after_turning_over_a_second_card_has_laid_the_other_down() -> None:
    moves = [act("B", "reveal", STUCK), act("B", "reveal", FITS), act("B", "play", FITS)]
    verdict, state = story(begin(), *moves)
    assert (verdict.ruling, state.seats[1].discards, GAME.observe(state)["holding"]) == ("legal", (STUCK,), [])


def test_taking_a_card_back_beside_an_uncovered_one_leaves_one_too_many() -> None:
    moves = [act("B", "play", FITS), act("B", "reveal", STUCK), Move("B", "take", target="own")]
    verdict, state = story(begin(), *moves)
    assert (verdict.ruling, verdict.rules, verdict.remedy[0].how) == ("foul", ("P-G7",), "choose")
    assert state.seats[1].uncovered == (STUCK, FITS)


def test_a_card_from_the_discard_pile_goes_back_there() -> None:
    moves = [act("A", "discard", FITS), Move("A", "play", faces([FITS]), data={"from": "discard"})]
    verdict, state = story(begin(), *moves)
    assert (verdict.ruling, verdict.rules, verdict.remedy[0].to) == ("foul", ("P-G9",), "discard")
    assert (pile(state), counts(state), state.seats[0].discards) == (PILE, COUNTS, (FITS,))


def test_two_cards_at_once_cost_by_house_rule_and_the_other_one_goes_back() -> None:
    state = begin(options={"illegal_source_as_wrong_card": True})
    verdict, after = story(state, act("A", "play", FITS_ON_THAT, FITS))
    assert (verdict.ruling, verdict.rules) == ("foul", ("P-G8",))
    assert [(step.how, step.cards) for step in verdict.remedy] == [
        ("own+1", (FITS, PILE[1])),
        ("back", (FITS_ON_THAT,)),
    ]
    assert counts(after)["A"] == 9


@pytest.mark.parametrize(("calls", "grounds"), [("referee", ["P-A25"]), ("players", [])])
def test_a_card_that_turns_out_wrong_long_after_stays(calls: str, grounds: list[str]) -> None:
    state = begin(options={"calls": calls})
    for cards in ([WRONG], [FITS]):
        before = [act("A", "reveal", STUCK)] if cards == [FITS] else []  # then FITS was not the uncovered card
        verdict, after = story(state, *before, replace(act("A", "play", *cards), late=True))
        assert (verdict.ruling, [one.rule for one in verdict.grounds], after.phase) == ("legal", grounds, "playing")
        assert pile(after) == [*PILE, *cards]
    both = replace(act("A", "play", WRONG, FITS), late=True)
    assert story(state, both)[0].rules == ("P-G8",)
    last = begin(options={"calls": calls}, counts={"A": 1, "B": 8, "C": 8})
    assert story(last, replace(act("A", "play", WRONG), late=True))[0].ruling == "foul"


def test_a_late_card_from_within_the_deck_is_taken_out_of_its_order() -> None:
    moves = [act("A", "discard", card) for card in (STUCK, WRONG, FITS)]
    late = replace(act("A", "play", FITS), late=True)
    verdict, state = story(begin(counts={"A": 3}), *moves, act("A", "turnover"), late)
    assert (verdict.ruling, state.seats[0].order) == ("legal", (STUCK, WRONG))


# --- announcements that come after the card ---
@pytest.mark.parametrize(
    ("options", "player", "said", "reminded"),
    [
        ({}, "A", "red", []),
        ({}, "A", "blue", ["P-F4"]),
        ({}, "B", "blue", []),  # the top card is not B's
        ({"announce": "ignore"}, "A", "blue", []),
    ],
)
def test_a_word_after_the_card_is_as_good_as_one_with_it(
    options: dict[str, Json], player: str, said: str, reminded: list[str]
) -> None:
    verdict, state = story(begin(options=options), act("A", "play", FITS), Move(player, "say", target=said))
    assert (verdict.ruling, [one.rule for one in verdict.reminders]) == ("legal", reminded)
    assert pile(state) == [*PILE, FITS]


def test_a_word_before_any_card_is_nothing() -> None:
    assert story(begin(pile=[PILE[1]]), Move("A", "say", target="red"))[0].routine


# --- counting ---
def test_a_hand_that_was_counted_corrects_the_tally() -> None:
    verdict, state = story(begin(), act("B", "count", n=11))
    assert (verdict.routine, counts(state)) == (True, {"A": 8, "B": 11, "C": 8})
    assert GAME.scores(state) == {"A": 8, "B": 11, "C": 8}
    assert GAME.scores(begin(counts={"A": 8}, points={"A": 3, "B": 4})) == {"A": 11}


def test_a_series_is_not_carried_on_by_other_players() -> None:
    _, over = story(begin(counts={"A": 1, "B": 5, "C": 7}), act("A", "play", FITS))
    other = Start("piranhas", ("A", "B"), setup={"pile": PILE, "counts": {"A": 5, "B": 5}})
    assert GAME.start(other, over).points == ()
    same = Start("piranhas", ("A", "B", "C"), setup={"pile": PILE, "counts": COUNTS})
    assert dict(GAME.start(same, over).points) == {"A": 0, "B": 5, "C": 7}
    broken_off = GAME.start(same, GAME.start(same, over))
    assert (broken_off.games, dict(broken_off.points)) == (1, {"A": 0, "B": 5, "C": 7})


# --- what a change on the table stands for ---
def change(what: Any, zone: str, *cards: str) -> Change:
    return Change(what, zone, 10.0, 10.2, tuple((Face(card), 1 / len(cards)) for card in cards))


def kinds(state: State, seen: Change, player: str = UNCLEAR) -> list[tuple[str, str]]:
    return [(move.player, move.kind) for move in GAME.read(state, seen, player=player)]


def test_changes_on_the_pile_are_plays_and_cards_taken_back() -> None:
    state = story(begin(), act("A", "play", FITS))[1]
    assert kinds(state, change("appeared", "pile", FITS_ON_THAT), "B") == [("B", "play")]
    assert kinds(state, change("vanished", "pile", FITS)) == [("A", "take")]  # whose hand it was nobody saw
    assert kinds(state, change("vanished", "pile", FITS), "B") == [("B", "take")]
    assert kinds(state, change("turned", "pile", FITS)) == [(TABLE, "reveal")]
    assert kinds(state, change("appeared", "draw", FITS)) == []


def test_a_card_that_comes_to_light_again_is_no_play_where_there_is_only_one_of_it() -> None:
    assert kinds(begin(unseen=[FITS, "P-R"]), change("appeared", "pile", PILE[1])) == []
    assert kinds(begin(unseen=[PILE[1], "P-R"]), change("appeared", "pile", PILE[1])) == [(UNCLEAR, "play")]
    assert kinds(begin(), change("appeared", "pile", PILE[1])) == [(UNCLEAR, "play")]
    assert kinds(begin(unseen=[FITS]), change("appeared", "pile", PILE[1], FITS)) == [(UNCLEAR, "play")]
    assert GAME.exhausted(begin(unseen=[PILE[1], FITS])) == {PILE[0]}
    assert kinds(begin(pile=["??"]), change("appeared", "pile", FITS)) == [(UNCLEAR, "play")]
    assert kinds(begin(phase="setup", pile=[]), change("appeared", "pile", FITS)) == [(UNCLEAR, "play")]


def test_in_a_stop_the_pile_shrinks_and_then_the_next_card_is_the_restart() -> None:
    state = story(begin(), act("A", "play", FITS), act("B", "play", STUCK))[1]
    assert state.phase == "stopped"
    assert kinds(state, change("vanished", "pile", STUCK)) == [(UNCLEAR, "take")]
    assert kinds(state, change("appeared", "pile", FITS)) == []  # taken next
    assert kinds(state, change("appeared", "pile", PILE[0])) == [(TABLE, "repaired")]
    assert kinds(state, change("appeared", "pile", "P-K"), "C") == [("C", "play")]
    state = story(state, act(TABLE, "repaired"))[1]
    assert kinds(state, change("appeared", "pile", "P-K"), "C") == [(TABLE, "start"), ("C", "play")]


def test_changes_at_a_seat_are_discards_and_the_turn_over_of_a_used_up_deck() -> None:
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"], "counts": {"A": 1, "B": 1, "C": 1}}
    _, state = story(begin(**setup), act(TABLE, "start", PILE[1]))
    assert kinds(state, change("appeared", "seat.A", STUCK), "A") == [("A", "discard")]
    assert kinds(state, change("vanished", "seat.A", STUCK), "A") == []
    _, state = story(state, act("A", "discard", STUCK))
    assert kinds(state, change("vanished", "seat.A", STUCK), "A") == [("A", "turnover")]
    assert kinds(state, change("turned", "seat.A", STUCK), "A") == []
    assert kinds(state, change("vanished", "seat.Z", STUCK), "Z") == []


def test_before_and_after_the_game_the_table_is_only_set_and_cleared() -> None:
    _, over = story(begin(counts={"A": 1, "B": 5, "C": 5}), act("A", "play", FITS))
    assert kinds(over, change("vanished", "pile", FITS)) == []
    assert kinds(begin(phase="setup", pile=["back"]), change("vanished", "pile")) == []


def test_unreadable_calls_and_counts_say_what_would_be_readable() -> None:
    for move in (call(UNCLEAR, "stuck"), act(TABLE, "count", n=3), act("A", "count", n=True), act("A", "count")):
        with pytest.raises(MoveError) as caught:
            GAME.judge(begin(), move)
        assert caught.value.hint
