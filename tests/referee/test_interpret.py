"""From changes to moves: conservation may choose a face, legality never; asked is only what would matter."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.entries import Start
from referee.games.piranhas import Piranhas
from referee.games.piranhas.state import State
from referee.interpret import Question, interpret, possible, rule
from referee.moves import TABLE, UNCLEAR, Change, Move

GAME = Piranhas()
FIRST, FITS, FITS_TOO, WRONG, WRONG_TOO = faces(["R2+B4+Y1", "R3+G1+K2", "R4+G1+K2", "G1+V1+W1", "G2+V1+W1"])
DECK = (FIRST, FITS, FITS_TOO, WRONG, WRONG_TOO, *faces(["P-R", "P-G", "P-K"]), *faces(["O1+O2"]) * 45)


def begin(*moves: Move, options: Mapping[str, str] | None = None) -> State:
    state = GAME.start(Start("piranhas", ("A", "B", "C"), options or {}, deck=DECK, setup={"pile": [FIRST]}))
    for move in moves:
        state = rule(GAME, state, move=move)[1]
    return state


def appeared(*candidates: tuple[Face, float], who: str | None = "A", sure: float = 0.9, zone: str = "pile") -> Change:
    return Change("appeared", zone, 9.8, 10.0, candidates, who, sure, ("pic-1",))


def test_certain_card_becomes_a_play_with_its_interval() -> None:
    (move,) = interpret(GAME, begin(), change=appeared((FITS, 1.0)))
    assert move == Move("A", "play", (FITS,), data={"since_s": 9.8}, time_s=10.0)


def test_same_ruling_asks_nothing_and_keeps_the_likeliest_face() -> None:
    (move,) = interpret(GAME, begin(), change=appeared((FITS_TOO, 0.4), (FITS, 0.6)))
    assert isinstance(move, Move)
    assert (move.cards, move.candidates) == ((FITS,), ((FITS, 0.6), (FITS_TOO, 0.4)))
    assert rule(GAME, begin(), move=move)[0].ruling == "legal"
    (move,) = interpret(GAME, begin(), change=appeared((WRONG, 0.6), (WRONG_TOO, 0.4)))
    assert isinstance(move, Move)
    verdict, after = rule(GAME, begin(), move=move)
    assert (verdict.ruling, verdict.remedy[0].cards, after.phase) == ("foul", (WRONG,), "stopped")


@pytest.mark.parametrize("p_legal", [0.01, 0.4, 0.99])
def test_different_rulings_are_a_question_however_likely_the_legal_face_is(p_legal: float) -> None:
    (question,) = interpret(GAME, begin(), change=appeared((FITS, p_legal), (WRONG, 1 - p_legal)))
    assert isinstance(question, Question)
    assert question.kind == "which-card"
    assert set(question.choices) == {FITS, WRONG}
    assert question.choices[0] == (FITS if p_legal > 0.5 else WRONG)
    verdict, after = rule(GAME, begin(), move=question.move)
    assert (verdict.ruling, after.phase, after.pile[-1].face) == ("pending", "playing", UNKNOWN)


def test_quiet_table_is_not_asked_before_somebody_calls() -> None:
    state = begin(options={"calls": "players"})
    (move,) = interpret(GAME, state, change=appeared((FITS, 0.5), (WRONG, 0.5)))
    assert isinstance(move, Move)
    _, state = rule(GAME, state, move=move)
    assert GAME.pending(state) == ()
    verdict, state = rule(GAME, state, move=Move("B", "call", target="wrong-card"))
    assert (verdict.ruling, [ask.kind for ask in verdict.asks], state.phase) == ("pending", ["which-card"], "stopped")


def test_uncertain_target_is_asked_when_the_next_card_depends_on_it() -> None:
    target = Move("A", "play", (FITS,), candidates=((FITS, 0.6), (FITS_TOO, 0.4)), seq=2)
    harmless = rule(GAME, begin(target), move=Move("B", "play", (Face("P-K"),), seq=3))[0]
    assert (harmless.ruling, harmless.rules) == ("foul", ("P-F5",))
    depends = rule(GAME, begin(target), move=Move("B", "play", faces(["R4+V1+W1"]), seq=3))[0]
    assert depends.ruling == "pending"
    assert [(ask.kind, ask.seq, ask.choices) for ask in depends.asks] == [("which-card", 2, (FITS, FITS_TOO))]


def test_conservation_strikes_out_a_card_that_lies_in_the_pile() -> None:
    state = begin(Move("A", "play", (FITS,)), Move("B", "play", faces(["K3+O1+V2"])))
    change = appeared((FITS, 0.8), (Face("P-R"), 0.2))
    assert possible(GAME, state, change=change) == ((Face("P-R"), 1.0),)
    (move,) = interpret(GAME, state, change=change)
    assert isinstance(move, Move)
    assert move.cards == ("P-R",)


def test_conservation_needs_every_copy_and_a_known_deck() -> None:
    twice = begin(Move("A", "play", faces(["P-G"])), Move("B", "play", faces(["O1+O2"])))
    assert len(possible(GAME, twice, change=appeared((Face("O1+O2"), 1.0)))) == 1
    unknown = GAME.start(Start("piranhas", ("A", "B"), setup={"pile": [FIRST, "P-G"]}))
    assert len(possible(GAME, unknown, change=appeared((FIRST, 1.0)))) == 1


def test_card_that_cannot_be_there_is_asked_for() -> None:
    state = begin(Move("A", "play", (FITS,)), Move("B", "play", faces(["K3+O1+V2"])))
    (question,) = interpret(GAME, state, change=appeared((FITS, 1.0)))
    assert isinstance(question, Question)
    assert (question.kind, question.choices, question.move.cards) == ("which-card", (FITS,), (UNKNOWN,))


@pytest.mark.parametrize(("who", "sure"), [("B", 0.3), (None, 0.0)])
def test_unclear_hand_is_asked_for_with_the_guess_first(who: str | None, sure: float) -> None:
    (question,) = interpret(GAME, begin(), change=appeared((FITS, 1.0), who=who, sure=sure))
    assert isinstance(question, Question)
    assert question.kind == "whose"
    assert question.choices == (("B", "A", "C") if who else ("A", "B", "C"))
    assert question.move.player == UNCLEAR


def test_unread_card_is_a_card() -> None:
    for candidates in ((), ((BACK, 1.0),)):
        (question,) = interpret(GAME, begin(), change=appeared(*candidates))
        assert isinstance(question, Question)
        assert question.kind == "which-card"


def test_card_at_a_seat_is_its_owner_discarding() -> None:
    (move,) = interpret(GAME, begin(), change=appeared((WRONG, 1.0), who="B", zone="seat.C"))
    assert isinstance(move, Move)
    assert (move.player, move.kind, move.cards) == ("C", "discard", (WRONG,))


def test_used_up_deck_is_turned_over_when_the_discards_vanish() -> None:
    start = Start("piranhas", ("A", "B"), setup={"phase": "setup", "counts": {"A": 2, "B": 2}})
    state = GAME.start(start)
    for move in (
        Move("A", "discard", (WRONG,)),
        Move("A", "discard", (FITS,)),
    ):
        state = rule(GAME, rule(GAME, state, move=Move(TABLE, "start", (FIRST,)))[1], move=move)[1]
    (turnover,) = interpret(GAME, state, change=Change("vanished", "seat.A", 20.0, 20.2))
    assert isinstance(turnover, Move)
    assert (turnover.player, turnover.kind, turnover.cards) == ("A", "turnover", ())
    assert interpret(GAME, state, change=Change("vanished", "seat.B", 20.0, 20.2)) == ()


def test_face_down_target_that_turns_is_revealed_by_the_table() -> None:
    state = GAME.start(Start("piranhas", ("A", "B"), setup={"phase": "setup"}))
    (move,) = interpret(GAME, state, change=Change("turned", "pile", 4.0, 4.2, ((FIRST, 1.0),)))
    assert isinstance(move, Move)
    assert (move.player, move.kind) == (TABLE, "reveal")
    assert rule(GAME, state, move=move)[1].pile[-1].face == FIRST


def test_own_card_that_vanishes_is_taken_back() -> None:
    state = begin(Move("B", "play", (FITS,)))
    change = Change("vanished", "pile", 12.0, 12.2, ((FITS, 1.0),))
    (move,) = interpret(GAME, state, change=change)
    assert isinstance(move, Move)
    verdict, after = rule(GAME, state, move=move)
    assert (verdict.ruling, after.pile[-1].face, after.seats[1].uncovered) == ("legal", FIRST, (FITS,))
    assert interpret(GAME, after, change=appeared((FIRST, 1.0))) == ()


def test_repair_and_restart_without_anybody_pressing_go() -> None:
    """A recording played back alone: the wrong card vanishes, cards below come to light, then somebody plays."""
    state = begin(Move("A", "play", (FITS,)), Move("B", "play", faces(["K3+O1+V2"])), Move("C", "play", (WRONG_TOO,)))
    assert (state.phase, state.leaving) == ("stopped", (WRONG_TOO, "K3+O1+V2", FITS))
    assert interpret(GAME, state, change=appeared((Face("K3+O1+V2"), 1.0))) == ()
    early = interpret(GAME, state, change=appeared((Face("P-G"), 1.0)))
    assert [move.kind for move in early if isinstance(move, Move)] == ["play"]

    for change in (Change("vanished", "pile", 20.0, 20.2, ((WRONG_TOO, 1.0),)), appeared((FIRST, 1.0))):
        (seen,) = interpret(GAME, state, change=change)
        assert isinstance(seen, Move)
        repaired = rule(GAME, state, move=seen)[1]
        assert repaired.repaired

    state = repaired
    start, play = interpret(GAME, state, change=appeared((Face("P-G"), 1.0)))
    assert isinstance(start, Move)
    assert isinstance(play, Move)
    assert (start.player, start.kind, start.time_s) == (TABLE, "start", 10.0)
    for move in (start, play):
        verdict, state = rule(GAME, state, move=move)
    assert (verdict.ruling, state.phase, [card.face for card in state.pile]) == ("legal", "playing", [FIRST, "P-G"])


def test_changes_elsewhere_are_none_of_the_games_business() -> None:
    assert interpret(GAME, begin(), change=appeared((FITS, 1.0), zone="draw")) == ()
    assert interpret(GAME, begin(), change=Change("turned", "seat.A", 1.0, 1.2)) == ()
