"""From changes to moves: conservation may choose a face, legality never; asked is only what would matter."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.entries import Start
from referee.errors import CardError
from referee.games import find_game
from referee.games.piranhas import Piranhas
from referee.games.piranhas.state import State
from referee.interpret import CONSERVATION, Question, interpret, possible, rule
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.wording import load_wording

GAME = Piranhas()
FIRST, FITS, FITS_TOO, WRONG, WRONG_TOO = faces(["R2+B4+Y1", "R3+G1+K2", "R4+G1+K2", "G1+V1+W1", "G2+V1+W1"])
OTHERS = faces(["K3+O1+V2", "R4+V1+W1", "P-R", "P-G", "P-K"])
DECK = (FIRST, FITS, FITS_TOO, WRONG, WRONG_TOO, *OTHERS, *faces(["O1+O2"]) * 43)


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


COVERED = (Move("A", "play", (FITS,)), Move("B", "play", faces(["K3+O1+V2"])))


def test_card_told_for_certain_that_lies_in_the_pile_counts_as_unread() -> None:
    """A typing error or a card corrected before: neither a crash nor a second copy of a card that there is once."""
    verdict, after = rule(GAME, begin(*COVERED), move=Move("C", "play", (FITS,), seq=4))
    assert (verdict.ruling, verdict.faults, verdict.move.cards) == ("pending", (), (UNKNOWN,))
    assert [(ask.kind, ask.seq, ask.choices) for ask in verdict.asks] == [("which-card", 4, ())]
    assert [card.face for card in after.pile] == [FIRST, FITS, "K3+O1+V2", UNKNOWN]
    wording = load_wording().of("piranhas")
    assert wording.sentence(verdict, "en") == (
        f"I read {FITS}, but every such card already lies somewhere else: this must be another one. Which card is it?"
    )
    assert wording.sentence(verdict, "de") == (
        f"Ich lese {FITS}, aber jede solche Karte liegt woanders: Das muss eine andere sein. Welche Karte ist das?"
    )


def test_impossible_card_in_a_quiet_game_is_said_without_judging_it() -> None:
    state = begin(*COVERED, options={"calls": "players"})
    verdict, after = rule(GAME, state, move=Move("C", "play", (FITS,), seq=4))
    assert (verdict.ruling, [one.rule for one in verdict.grounds], verdict.asks) == ("legal", ["conservation"], ())
    assert after.pile[-1].face == UNKNOWN
    assert load_wording().of("piranhas").sentence(verdict, "en").startswith(f"I read {FITS}, but")


def test_more_copies_in_one_move_than_in_the_deck_are_not_believed() -> None:
    verdict, _ = rule(GAME, begin(), move=Move("C", "play", (FITS, FITS), seq=2))
    assert (verdict.ruling, verdict.rules, verdict.move.cards) == ("foul", ("P-G8",), (FITS, UNKNOWN))
    assert [(one.rule, one.facts["case"], one.facts["copies"]) for one in verdict.grounds] == [
        ("conservation", "surplus", 1)
    ]
    twice, _ = rule(GAME, begin(), move=Move("C", "play", faces(["O1+O2", "O1+O2", "??", "??"]), seq=2))
    assert (twice.grounds, twice.move.cards) == ((), ("O1+O2", "O1+O2", UNKNOWN, UNKNOWN))


@pytest.mark.parametrize(
    "move",
    [
        Move("B", "take", faces(["K3+O1+V2"]), target="own"),
        Move("C", "call", faces(["K3+O1+V2"]), target="wrong-card"),
        Move(TABLE, "reveal", faces(["K3+O1+V2"])),
    ],
)
def test_card_that_is_spoken_of_where_it_lies_is_believed(move: Move) -> None:
    verdict, _ = rule(GAME, begin(*COVERED), move=move)
    assert CONSERVATION not in {one.rule for one in verdict.grounds}
    assert verdict.move.cards == move.cards


def test_readings_that_cannot_be_fall_away_wherever_they_come_from() -> None:
    """A stored reading had two faces; a correction has put one of them into the pile."""
    three = ((FITS, 0.6), (Face("P-R"), 0.3), (Face("P-K"), 0.1))
    state = begin(*COVERED)
    verdict, after = rule(GAME, state, move=Move("C", "play", (FITS,), candidates=three[:2]))
    assert (verdict.ruling, verdict.move.cards, verdict.move.candidates) == ("legal", ("P-R",), ())
    verdict, after = rule(GAME, state, move=Move("C", "play", (FITS,), candidates=three))
    assert (verdict.ruling, after.pile[-1].readings) == ("pending", ("P-R", "P-K"))
    verdict, after = rule(GAME, state, move=Move("C", "play", (FITS,), candidates=(three[0], (FIRST, 0.4))))
    assert (verdict.ruling, [one.facts["case"] for one in verdict.grounds]) == ("pending", ["elsewhere"])
    verdict, _ = rule(GAME, state, move=Move("C", "play", (FITS,), candidates=((Face("P-Y"), 0.7), (FIRST, 0.3))))
    assert (verdict.ruling, [one.facts["case"] for one in verdict.grounds]) == ("pending", ["foreign"])


def test_card_of_another_deck_is_refused_when_told_and_asked_for_when_seen() -> None:
    for move in (
        Move("A", "play", faces(["P-Y"])),
        Move("A", "call", faces(["P-Y"]), target="wrong-card"),
        Move("A", "play", (FITS,), data={"with": ["P-Y"]}),
        Move("A", "play", (FITS,), data={"swap": {"hand": FITS, "open": "P-Y"}}),
    ):
        with pytest.raises(CardError, match="There is no card P-Y in this deck") as caught:
            rule(GAME, begin(), move=move)
        assert caught.value.hint
    (question,) = interpret(GAME, begin(), change=appeared((Face("P-Y"), 1.0)))
    assert isinstance(question, Question)
    assert (question.kind, question.choices, question.move.cards) == ("which-card", ("P-Y",), (UNKNOWN,))
    (play,) = interpret(GAME, begin(), change=appeared((Face("P-Y"), 0.8), (FITS, 0.2)))
    assert isinstance(play, Move)
    assert (play.cards, play.candidates) == ((FITS,), ())


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


@pytest.mark.parametrize(("first", "second"), [("8H", "6H"), ("QH", "KH"), ("9H", "QH")])
def test_turn_games_ask_for_a_card_that_the_next_one_depends_on(first: str, second: str) -> None:
    """Both would be legal, but who is next, whether the pile burns, or what the next card must beat is not the same."""
    game = find_game("shithead")
    setup: dict[str, Json] = {"pile": ["9S", "9C", "9D"] if first == "9H" else ["5S"], "turn": "A", "draw": 9}
    state = game.start(Start("shithead", ("A", "B", "C"), setup=setup))
    change = appeared((Face(first), 0.8), (Face(second), 0.2))
    (question,) = interpret(game, state, change=change)
    assert isinstance(question, Question)
    assert (question.kind, set(question.choices)) == ("which-card", {first, second})
    assert rule(game, state, move=question.move)[0].ruling == "pending"


def test_turn_games_do_not_ask_for_a_card_that_goes_back_anyway() -> None:
    game = find_game("crazy-old-fish-war")
    setup: dict[str, Json] = {"pile": ["7H"], "turn": "A", "hand_size": {"A": 4}}
    state = game.start(Start("crazy-old-fish-war", ("A", "B", "C"), setup=setup))
    (move,) = interpret(game, state, change=appeared((Face("KD"), 0.6), (Face("QD"), 0.4)))
    assert isinstance(move, Move)
    verdict, after = rule(game, state, move=move)
    assert (verdict.ruling, verdict.rules) == ("foul", ("C-T1",))
    assert game.observe(after)["top"] == "7H"
