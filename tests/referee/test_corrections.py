"""Corrections: which verdicts and which scores read differently afterwards, also across the end of a round."""

from __future__ import annotations

import random

import pytest
from match_scenes import play, rulings, told

from referee.cards import faces
from referee.entries import Amend, Body, Declare, Repaired, Retract, Source, Start
from referee.errors import CardError, LogError
from referee.games import GAMES
from referee.match import Match
from referee.moves import Json, Move
from referee.playout import deal, random_moves
from referee.store import MemoryStore
from referee.verdicts import Verdict
from referee.wording import load_wording
from vision.decks import load_deck

FIRST = "R2+B4+Y1"
START = Start("piranhas", ("A", "B", "C"), setup={"pile": [FIRST], "counts": {"A": 17, "B": 17, "C": 17}})
# On R2+B4+Y1 fits RED, on that BLACK; WRONG fits neither. BOTH fits the first target and BLACK.
RED, BLACK, WRONG, BOTH = "R3+G1+K2", "K3+O1+V2", "G1+V1+W1", "R4+K4+W1"


def new_match(store: MemoryStore | None = None) -> Match:
    match = Match("m1", store or MemoryStore(), wording=load_wording())
    put(match, START)
    return match


def put(match: Match, body: Body, source: Source = "camera") -> Verdict:
    return match.append(match.entry(body, 0.0, source=source))


def a_round(match: Match, **counts: int) -> None:
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST], "counts": counts}))


def two_rounds() -> Match:
    """A wins the first round, in which B is given a wrong card; the second one has begun."""
    match = Match("m1", MemoryStore(), wording=load_wording())
    a_round(match, A=2, B=4)
    put(match, play("A", RED))
    put(match, play("B", WRONG))  # 3: two cards for B
    put(match, Repaired(3), source="phone")
    assert put(match, play("A", BOTH)).result is not None  # 5
    assert match.view()["over"]["points"] == {"A": 0, "B": 5}
    a_round(match, A=3, B=3)
    put(match, play("A", RED))
    return match


def test_card_of_the_first_round_corrected_in_the_second_changes_the_score_of_the_series() -> None:
    match = two_rounds()
    assert dict(match.game.scores(match.state)) == {"A": 2, "B": 8}
    correction = put(match, match.amended(3, cards=[BLACK]), source="phone")
    assert (correction.changed, correction.scores) == ((3, 4, 5), (("B", 8, 6),))
    assert rulings(match) == {2: "legal", 3: "legal", 4: "legal", 5: "legal", 7: "legal"}
    shown = match.view()["correction"]
    assert (shown["seq"], shown["of"], shown["changed"]) == (8, 3, [3, 4, 5])
    assert shown["scores"] == [{"player": "B", "before": 8, "after": 6}]
    assert shown["text"] == {
        "en": f"Corrected, judged anew: B plays {BLACK}: wrong → all right; A plays {BOTH}: all right. Score: B 8 → 6.",
        "de": f"Korrigiert, neu beurteilt: B spielt {BLACK}: falsch → in Ordnung; A spielt {BOTH}: in Ordnung. "
        "Punktestand: B 8 → 6.",
    }
    put(match, play("B", BLACK))
    assert match.view()["correction"] is None


def test_winning_play_taken_back_after_the_next_round_began() -> None:
    """The first round was never won, so it counts for nothing; the second one goes on where it was."""
    match = two_rounds()
    correction = put(match, Retract(5), source="operator")
    assert (correction.changed, correction.scores) == ((5,), (("B", 8, 3),))
    assert match.view()["correction"]["text"]["en"] == (
        f"Corrected, judged anew: A plays {BOTH}: all right → taken back. Score: B 8 → 3."
    )
    put(match, play("B", BLACK))
    undone = put(match, Retract(8), source="operator")
    assert (undone.changed, undone.scores) == ((5,), (("B", 2, 7),))


def test_series_keeps_the_games_before_one_that_was_not_finished_after_all() -> None:
    match = two_rounds()
    put(match, play("B", BLACK))
    put(match, Declare("A", "count", 1), source="operator")
    assert put(match, play("A", BOTH)).result is not None  # 10
    a_round(match, A=1, B=1)
    assert match.state.games == 2
    correction = put(match, Retract(10), source="operator")
    assert (match.state.games, correction.scores) == (1, (("B", 8, 6),))


@pytest.mark.parametrize("name", GAMES)
def test_game_that_was_not_finished_after_all_leaves_the_series_as_it_was(name: str) -> None:
    """Two games are over and a third has begun when the last move of the second is taken back, in every game."""
    game, match = GAMES[name], Match("m1", MemoryStore(), wording=load_wording())
    longest: dict[str, Json] = {option.key: 9 for option in game.options if option.key in ("series", "rounds_to_win")}
    scores, ends = [], []
    for seed in range(3):
        dice = random.Random(seed)
        pack = faces(load_deck(game.deck).all_cards)
        start = deal(game, ("Ada", "Ben"), pack=pack, dice=dice, options=longest)
        put(match, start, "operator")
        scores.append(game.scores(match.state))
        for move, _ in random_moves(game, match.state, start.players, dice=dice) if seed < 2 else ():
            put(match, move)
        ends.append(match.entries[-1].seq)
    correction = put(match, Retract(ends[1]), "operator")
    assert correction.changed == (ends[1],)
    assert correction.scores
    assert {name: old for name, old, _ in correction.scores}.items() <= scores[2].items()
    assert game.scores(match.state) == scores[1]  # as when the second game began
    assert put(match, Retract(match.next_seq - 1), "operator").scores == tuple(
        (name, new, old) for name, old, new in correction.scores
    )


def test_retracted_correction_gives_back_verdicts_and_scores() -> None:
    match = two_rounds()
    before, verdicts = told(match), match.verdicts()
    first = put(match, match.amended(5, player="B"), source="phone")
    assert first.scores
    second = put(match, Retract(8), source="phone")
    assert first.changed == second.changed
    assert second.scores == tuple((name, new, old) for name, old, new in first.scores)
    assert match.verdicts() == verdicts
    assert told(match) == before


def test_amended_entry_amended_again_reads_as_it_was_said_last() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    put(match, match.amended(2, cards=[RED]))
    again = put(match, match.amended(2, player="C"))
    assert again.changed == (2,)
    assert again.scores == (("A", 16, 17), ("C", 17, 16))
    # What a correction said can be corrected, too.
    put(match, Amend(4, Amend(2, play("B", RED))))
    assert [seat.owned for seat in match.state.seats] == [17, 16, 17]
    put(match, Retract(4))
    assert (rulings(match), match.state.seats[0].owned) == ({2: "legal"}, 16)
    put(match, Retract(3))
    assert (rulings(match), match.state.seats[0].wrong) == ({2: "foul"}, 1)


def test_correction_of_a_correction_cannot_do_what_no_correction_can() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    put(match, Retract(2))
    put(match, play("B", RED))
    put(match, match.amended(4, player="C"))
    for body in (
        Amend(3, Retract(1)),
        Amend(3, Retract(3)),
        Amend(3, Retract(4)),
        Amend(5, Amend(4, START)),
        Amend(5, Amend(9, play("A", RED))),
        Amend(5, Retract(4)),
        Amend(6, Amend(4, play("A", RED))),
    ):
        with pytest.raises(LogError) as caught:
            put(match, body)
        assert caught.value.hint
    assert match.next_seq == 6


def test_card_corrected_to_one_that_lies_there_is_asked_for_again() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    deck = faces([FIRST, RED, BLACK, WRONG, BOTH, *["O1+O2"] * 46, "P-Y", "P-O"])
    put(match, Start("piranhas", ("A", "B"), deck=deck, setup={"pile": [FIRST]}))
    put(match, play("A", RED))
    put(match, Move("B", "play", faces(["??"])))
    (ask,) = match.asks()
    put(match, match.answered(ask.id, RED), source="phone")
    assert [(one.kind, one.seq) for one in match.asks()] == [("which-card", 3)]
    assert rulings(match)[3] == "pending"
    assert f"I read {RED}, but every such card already lies somewhere else" in match.view()["verdicts"][0]["text"]["en"]
    put(match, match.answered(ask.id, BLACK), source="phone")
    assert (match.asks(), rulings(match)) == ((), {2: "legal", 3: "legal"})
    # Now the earlier card turns out to be that one: both cannot be.
    assert put(match, match.amended(2, cards=[BLACK])).changed == (2, 3)
    assert [(one.kind, one.seq) for one in match.asks()] == [("which-card", 3)]
    with pytest.raises(CardError, match="no card P-R in this deck"):
        put(match, match.amended(2, cards=["P-R"]))


def test_correction_that_changes_nothing_says_so() -> None:
    match = new_match()
    put(match, play("A", RED))
    assert put(match, match.amended(2, cards=[RED])).changed == ()
    text = match.view()["correction"]["text"]
    assert text == {"en": "Corrected. No verdict changes.", "de": "Korrigiert. Kein Urteil ändert sich."}


def test_correction_of_much_tells_the_first_ones() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    for player, card in zip("BCABCA", (RED, BLACK, "V3+O2+G1", "O3+B1+G2", "G3+Y1+B2", "B3+W1+Y2"), strict=True):
        put(match, play(player, card))
    correction = put(match, Retract(2), source="operator")
    assert correction.changed == (2, 3, 4, 5, 6, 7, 8)
    text = match.view()["correction"]["text"]["en"]
    assert text.startswith(
        f"Corrected, judged anew: A plays {WRONG}: wrong → taken back; B plays {RED}: does not count → all right; "
    )
    assert "; and 2 more." in text


def test_match_taken_up_again_tells_the_same_correction() -> None:
    store = MemoryStore()
    match = new_match(store)
    put(match, play("A", WRONG))
    put(match, match.amended(2, cards=[RED]))
    assert Match("m1", store, wording=load_wording()).view() == match.view()


def test_what_was_taken_back_cannot_be_corrected_until_that_is_taken_back() -> None:
    match = new_match()
    put(match, play("A", RED))
    put(match, Retract(2), source="phone")
    for body in (match_amended(2), Retract(2)):
        with pytest.raises(LogError, match="was taken back") as refused:
            put(match, body, source="phone")
        assert "Take back entry 3 first" in refused.value.hint
    put(match, Retract(3), source="phone")
    put(match, match_amended(2), source="phone")
    assert match.view()["target"]["face"] == BOTH


def match_amended(of: int) -> Amend:
    return Amend(of, play("A", BOTH))


def test_an_undone_mistake_does_not_accuse_anybody() -> None:
    """B's wrong card went back and C's card is right; a mis-tap on A's card, taken back, changes none of that."""
    match = new_match()
    put(match, play("A", RED))
    put(match, play("B", WRONG))
    put(match, Repaired(3), source="phone")
    put(match, play("C", BLACK))
    before = (told(match), rulings(match), match.state)
    put(match, match.amended(2, cards=[BOTH]), source="phone")
    put(match, Retract(6), source="phone")
    assert (told(match), rulings(match), match.state) == before


def test_only_moves_can_be_read_otherwise() -> None:
    match = new_match()
    put(match, Declare("A", "count", 4), source="phone")
    with pytest.raises(LogError, match="no move whose reading") as refused:
        match.amended(2, cards=[BOTH])
    assert "Take it back" in refused.value.hint


def test_a_count_is_answered_with_a_number() -> None:
    """Nobody knows how many cards B has left when the game is over: the table counts, in numbers."""
    match = Match("m1", MemoryStore(), wording=load_wording())
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST], "counts": {"A": 1}}))
    put(match, play("A", RED))
    (ask,) = match.asks()
    with pytest.raises(LogError, match="does not answer") as refused:
        match.answered(ask.id, "a few")
    assert "number" in refused.value.hint
    put(match, match.answered(ask.id, "9"), source="phone")
    assert match.view()["over"]["points"] == {"A": 0, "B": 9}
