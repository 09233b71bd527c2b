"""Piranhas beyond the acceptance cases: each test plays a short story and checks what the table would see."""

from __future__ import annotations

from typing import Any

import pytest
from piranhas_scenes import COUNTS, FITS, FITS_ON_THAT, GAME, PILE, WRONG, act, begin, call, story

from referee.cards import Face, faces
from referee.entries import Start
from referee.errors import CardError, MoveError, OptionError, SetupError
from referee.games.piranhas.state import State
from referee.moves import TABLE, UNCLEAR, Json, Move


def table(state: State) -> dict[str, Any]:
    return dict(GAME.observe(state))


# --- almost together (P-A7) ---
@pytest.mark.parametrize(
    ("late_s", "ruling", "holding", "count"), [(0.3, "void", ["B"], 8), (0.5, "void", ["B"], 8), (0.51, "foul", [], 10)]
)
def test_race_goes_back_free_only_within_the_grace_time(
    late_s: float, ruling: str, holding: list[str], count: int
) -> None:
    state = begin(options={"race_grace_ms": 500})
    # B's card fits R2+G4+Y1, on which A was faster.
    verdict, after = story(state, act("A", "play", FITS, at=10), act("B", "play", "R3+G1+O1", at=10 + late_s))
    assert verdict.ruling == ruling
    assert table(after)["holding"] == holding
    assert table(after)["counts"]["B"] == count
    assert after.phase == ("playing" if ruling == "void" else "stopped")


def test_race_card_that_fits_neither_is_wrong() -> None:
    state = begin(options={"race_grace_ms": 1000})
    verdict, _ = story(state, act("A", "play", FITS, at=10), act("B", "play", "W1+O2+B1", at=10.1))
    assert (verdict.ruling, verdict.rules) == ("foul", ("P-F2",))


def test_race_in_a_quiet_mode_costs_nobody_anything_when_called() -> None:
    state = begin(options={"race_grace_ms": 500, "calls": "players"})
    verdict, after = story(
        state, act("A", "play", FITS, at=10), act("B", "play", "R3+G1+O1", at=10.2), call("C", at=11.0)
    )
    assert verdict.ruling == "void"
    assert table(after)["counts"] == {"A": 7, "B": 8, "C": 8}
    assert table(after)["pile"] == [*PILE, FITS]
    assert after.phase == "playing"


# --- calls (P-A6, P-A19, P-A24, P-A26) ---
@pytest.mark.parametrize(("pressed_s", "owner"), [(12.15, "A"), (12.16, "B"), (11.9, "A")])
def test_call_belongs_to_what_lay_on_top_when_it_was_pressed(pressed_s: float, owner: str) -> None:
    state = begin(options={"calls": "players"})
    verdict, after = story(
        state,
        act("A", "play", WRONG, at=10),
        act("B", "play", "W1+K1+R3", at=12),
        call("C", at=pressed_s),
    )
    assert verdict.ruling == "upheld"
    assert owner in [step.player for step in verdict.remedy if step.how != "void"]
    assert [seat.name for seat in after.seats if seat.wrong] == [owner]


def test_press_on_a_card_nobody_placed_costs_nothing() -> None:
    verdict, after = story(begin(), call("C"))
    assert (verdict.ruling, verdict.rules, table(after)["counts"]) == ("void", (), COUNTS)
    verdict, after = story(begin(), act("A", "play", WRONG), act(TABLE, "start"), call("C"))
    assert (verdict.ruling, after.phase) == ("void", "playing")


def test_call_after_the_end_is_void() -> None:
    verdict, after = story(begin(counts={"A": 1, "B": 5, "C": 5}), act("A", "play", FITS), call("C"))
    assert (verdict.ruling, after.phase) == ("void", "over")
    assert table(after)["counts"] == {"A": 0, "B": 5, "C": 5}


def test_everybody_who_holds_a_card_lays_it_down_at_a_stop() -> None:
    verdict, after = story(begin(), act("B", "reveal", "G1+W1+O2"), act("A", "play", WRONG))
    assert [(step.player, step.action, step.cards) for step in verdict.remedy] == [
        ("B", "discard", ("G1+W1+O2",)),
        ("A", "take", (WRONG, PILE[1])),
    ]
    assert table(after)["holding"] == []


# --- hands: P-G2, P-G7, P-G8, P-G9 ---
def test_second_uncovered_card_has_to_go_before_anything_else() -> None:
    first, second = "G1+W1+O2", "G3+V1+W2"
    reveal = (act("B", "reveal", first), act("B", "reveal", second))
    verdict, state = story(begin(), *reveal)
    assert (verdict.ruling, verdict.rules, verdict.remedy[0].how) == ("foul", ("P-G7",), "choose")
    _, after = story(begin(), *reveal, act("B", "discard", first))
    assert after.seats[1].uncovered == (second,)
    verdict, _ = story(begin(), *reveal, act("B", "discard", first), act("B", "play", first))
    assert verdict.rules == ("P-G8",)
    assert state.seats[1].owned == 8


def test_illegal_source_as_wrong_card_costs_like_one() -> None:
    state = begin(options={"illegal_source_as_wrong_card": True})
    play = Move("B", "play", faces([FITS]), data={"from": "discard"})
    verdict, after = story(state, act("B", "discard", FITS), play)
    assert (verdict.ruling, verdict.rules) == ("foul", ("P-G9",))
    assert verdict.remedy[0].cards == (FITS, PILE[1])
    assert table(after)["counts"]["B"] == 9
    assert after.phase == "stopped"


def test_two_cards_at_once_go_back() -> None:
    verdict, after = story(begin(), act("A", "play", FITS, FITS_ON_THAT))
    assert (verdict.ruling, verdict.rules, table(after)["pile"]) == ("foul", ("P-G8",), PILE)


def test_turn_over_before_the_deck_is_used_up_is_reminded() -> None:
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"], "boxed": 1, "counts": dict.fromkeys("ABC", 17)}
    moves = [act(TABLE, "start", PILE[0]), act("A", "discard", FITS), act("A", "turnover")]
    verdict, _ = story(begin(**setup), *moves)
    assert (verdict.ruling, [one.rule for one in verdict.reminders]) == ("legal", ["P-D1"])


def test_reshuffled_discard_pile_has_no_known_order() -> None:
    moves = [act("B", "discard", card) for card in ("O1+W2+V3", "G3+V1+W4", "P-R")]
    then = (act("B", "turnover"), act("B", "reveal", "P-R"))
    counts = {"B": 3}
    for reshuffle, ruling in ((False, "foul"), (True, "legal")):
        state = begin(options={"reshuffle_on_turnover": reshuffle}, counts=counts)
        assert story(state, *moves, *then)[0].ruling == ruling


def test_order_is_forgotten_after_a_penalty() -> None:
    """P-A12: the packet's order is unknown, so no card can be out of order after the turn-over."""
    counts = {"B": 2, "A": 9, "C": 9}
    moves = [act("B", "play", WRONG), act(TABLE, "start"), act("B", "discard", "P-R"), act("B", "turnover")]
    for card in (WRONG, PILE[1], "P-R"):
        assert story(begin(counts=counts), *moves, act("B", "reveal", card))[0].ruling == "legal"


def test_looking_through_the_deck_is_reminded() -> None:
    verdict, _ = story(begin(), act("A", "reveal", "back"))
    assert (verdict.ruling, [one.rule for one in verdict.reminders]) == ("legal", ["P-S5"])


# --- own card back (P-A19) ---
def test_own_card_may_be_taken_back_only_while_it_lies_on_top() -> None:
    take = Move("A", "take", target="own")
    state = begin(options={"calls": "report"})
    verdict, after = story(state, act("A", "play", WRONG), take)
    assert (verdict.ruling, table(after)["holding"], after.missed) == ("legal", ["A"], ())
    verdict, after = story(state, act("A", "play", WRONG), act("B", "play", "W4+K1+R3"), take)
    assert (verdict.ruling, table(after)["pile"]) == ("void", [*PILE, WRONG, "W4+K1+R3"])


# --- quiet modes tell nothing (P-A1) ---
@pytest.mark.parametrize("mode", ["players", "report"])
@pytest.mark.parametrize("said", [None, "violet"])
def test_quiet_referee_says_the_same_about_a_wrong_and_a_fitting_card(mode: str, said: str | None) -> None:
    state = begin(options={"calls": mode}, hears=True)
    told = []
    for card in (WRONG, FITS):
        word = said if said is None or card == WRONG else "red"
        move = Move("A", "play", faces([card]), data={} if word is None else {"say": word})
        verdict, after = story(state, move)
        told.append((verdict.ruling, verdict.faults, verdict.grounds, [one.rule for one in verdict.reminders]))
        seen = dict(GAME.view(after))["players"]
        assert seen == [
            {"name": n, "count": c, "wrong": 0, "played": 8 - c} for n, c in zip("ABC", (7, 8, 8), strict=True)
        ]
    assert told[0] == told[1]


def test_report_lists_wrong_cards_that_were_taken_but_not_those_called() -> None:
    state = begin(options={"calls": "report"}, counts={"A": 2, "B": 8, "C": 8})
    verdict, _ = story(
        state,
        act("B", "play", WRONG),  # wrong and never called
        act("C", "play", "V4+Y2+O4"),  # fits
        call("B"),  # rejected: B takes V4 and the wrong card with it
        act(TABLE, "start"),
        act("C", "play", "K1+O1+W1"),  # wrong and called
        call("B"),
        act(TABLE, "start"),
        act("A", "play", "R4+K1+V1"),
        act("A", "play", "K2+O1+W1"),
    )
    assert verdict.result is not None
    assert (verdict.result.winners, verdict.result.wrong) == (("A",), (WRONG,))


# --- unclear readings ---
def test_card_nobody_read_is_asked_for_and_does_not_stop_play() -> None:
    verdict, after = story(begin(), act("A", "play", "??"))
    assert (verdict.ruling, [ask.id for ask in verdict.asks], after.phase) == ("pending", ["which-card-1"], "playing")
    assert [ask.id for ask in GAME.pending(after)] == ["which-card-1"]
    verdict, _ = story(begin(), act("A", "play", "??"), act("B", "play", FITS))
    assert (verdict.ruling, [ask.id for ask in verdict.asks]) == ("pending", ["which-card-1"])


def test_wrong_card_of_somebody_unclear_stops_play_and_mine_settles_it() -> None:
    verdict, after = story(begin(), act(UNCLEAR, "play", WRONG))
    assert (verdict.ruling, [ask.kind for ask in verdict.asks], verdict.remedy) == ("foul", ["whose"], ())
    assert [ask.id for ask in GAME.pending(after)] == ["whose-1"]
    verdict, after = story(begin(), act(UNCLEAR, "play", WRONG), call("B", "mine"))
    assert table(after)["counts"] == {"A": 8, "B": 9, "C": 8}
    assert GAME.pending(after) == ()


def test_mine_assigns_an_unclear_card_and_may_end_the_game() -> None:
    counts = {"A": 8, "B": 1, "C": 8}
    verdict, after = story(begin(counts=counts), act(UNCLEAR, "play", FITS), call("B", "mine"))
    assert verdict.result is not None
    assert (verdict.result.reason, verdict.result.winners, after.phase) == ("last-card", ("B",), "over")


# --- ends ---
def test_stuck_is_cancelled_by_a_placement() -> None:
    stuck = [call("A", "stuck"), call("B", "stuck")]
    verdict, _ = story(begin(), *stuck, act("C", "play", FITS), call("C", "stuck"))
    assert verdict.ruling == "pending"
    verdict, _ = story(begin(), *stuck, call("C", "stuck"))
    assert verdict.ruling == "accepted"


@pytest.mark.parametrize(
    ("unseen", "boxed", "ruling"),
    [
        (["G1+W1+O2", "P-R"], 1, "accepted"),  # nothing fits R2+G4+Y1
        (["R3+W1+O2", "P-R"], 1, "pending"),  # the one that fits may be the boxed one
        (["R3+W1+O2", "P-R"], 0, "disproved"),
        (["R3+W1+O2", "Y4+W1+K1", "P-R"], 1, "disproved"),
    ],
)
def test_stuck_with_a_known_deck(unseen: list[str], boxed: int, ruling: str) -> None:
    verdict, _ = story(begin(unseen=unseen, boxed=boxed), call("A", "stuck"))
    assert verdict.ruling == ruling


def test_stalemate_with_an_unknown_count_asks_for_it_first() -> None:
    state = begin("AB", counts={"A": 3}, unseen=["P-R"], boxed=0)
    verdict, over = story(state, call("A", "stuck"))
    assert verdict.result is not None
    assert verdict.result.winners == ()
    assert [ask.id for ask in GAME.pending(over)] == ["count-B"]
    verdict, over = story(over, act("B", "count", n=2))
    assert over.result is not None
    assert (over.result.winners, dict(over.result.points)) == (("B",), {"A": 3, "B": 2})


def test_series_goes_on_with_the_next_start() -> None:
    state = begin(counts={"A": 1, "B": 5, "C": 7}, options={"series": 2})
    _, first = story(state, act("A", "play", FITS))
    start = Start("piranhas", ("A", "B", "C"), {"series": 2}, setup={"pile": PILE, "counts": {"A": 7, "B": 1, "C": 2}})
    verdict, last = story(GAME.start(start, first), act("B", "play", FITS))
    assert verdict.result is not None
    assert (verdict.result.over, verdict.result.winners) == ("series", ("B",))
    assert dict(verdict.result.points) == {"A": 7, "B": 5, "C": 9}
    assert GAME.start(start, last).points == ()


def test_waiting_long_asks_who_is_stuck() -> None:
    _, state = story(begin(), act("A", "play", FITS, at=10.0), call("B", "stuck"))
    assert GAME.pending(state, 39.9) == ()
    assert [ask.player for ask in GAME.pending(state, 40.0)] == ["A", "C"]
    assert GAME.pending(begin(options={"stuck_reminder_s": 0}), 1e6) == ()


# --- set-up ---
def test_five_players_need_the_option_and_two_boxed_cards() -> None:
    with pytest.raises(SetupError, match="2 to 4 players, not for 5"):
        begin("ABCDE", counts={})
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"], "counts": dict.fromkeys("ABCDE", 10)}
    for boxed, rules in ((2, ()), (0, ("P-S0", "P-S4"))):
        state = begin("ABCDE", {"more_players": True}, boxed=boxed, **setup)
        assert story(state, act(TABLE, "start"))[0].rules == rules


def test_turning_the_target_starts_the_game() -> None:
    setup: dict[str, Any] = {"phase": "setup", "pile": ["back"], "counts": dict.fromkeys("ABC", 17), "boxed": 1}
    verdict, state = story(begin(**setup), act(TABLE, "reveal", PILE[0]))
    assert (verdict.ruling, state.phase, table(state)["pile"]) == ("legal", "playing", [PILE[0]])
    verdict, _ = story(begin(**setup), act(TABLE, "start"), act("A", "play", FITS))
    assert (verdict.ruling, verdict.rules) == ("void", ("P-S6",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": "red"}, "piranhas has no option 'colour'"),
        ({"calls": "nobody"}, "The option 'calls' cannot be 'nobody'"),
        ({"race_grace_ms": 1001}, "The option 'race_grace_ms' cannot be 1001"),
        ({"race_grace_ms": True}, "The option 'race_grace_ms' cannot be True"),
        ({"hints": 1}, "The option 'hints' cannot be 1"),
        ({"series": 0}, "The option 'series' cannot be 0"),
    ],
)
def test_impossible_options_are_refused_with_what_is_possible(options: dict[str, Json], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        begin(options=options)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"pile": []}, "no target card"),
        ({"pile": "R1"}, "'pile' is 'R1', it should be a list"),
        ({"counts": {"Z": 3}}, "'counts' names 'Z', who does not play"),
        ({"counts": {"A": -1}}, "'counts' is -1"),
        ({"holding": ["Z"]}, "'holding' names 'Z'"),
        ({"phase": "swap"}, "'phase' is 'swap'"),
        ({"draw": 3}, "has no 'draw' to begin with"),
        ({"hears": 1}, "'hears' is 1"),
    ],
)
def test_impossible_positions_are_refused(setup: dict[str, Any], message: str) -> None:
    with pytest.raises(SetupError, match=message) as caught:
        begin(**setup)
    assert caught.value.hint


@pytest.mark.parametrize("players", [("A",), ("A", "A"), ("A", "table"), ("A", " ")])
def test_impossible_players_are_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(SetupError):
        GAME.start(Start("piranhas", players))


@pytest.mark.parametrize(
    ("move", "error"),
    [
        (Move("A", "sing"), MoveError),
        (Move("Z", "play", (Face(FITS),)), MoveError),
        (Move("A", "play"), MoveError),
        (Move("A", "play", (Face("KH"),)), CardError),
        (Move("A", "reveal", faces([FITS, WRONG])), MoveError),
        (Move("A", "call", target="bingo"), MoveError),
        (Move(TABLE, "call", target="wrong-card"), MoveError),
        (Move(UNCLEAR, "turnover"), MoveError),
        (Move("A", "count", data={"n": -1}), MoveError),
    ],
)
def test_only_unreadable_moves_raise(move: Move, error: type[Exception]) -> None:
    with pytest.raises(error):
        GAME.judge(begin(), move)
