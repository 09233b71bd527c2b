"""Plays told against plays made: who is which, what is counted, and what is said about the difference."""

from __future__ import annotations

import pytest

from referee.cards import Face
from referee.entries import Entry
from referee.interpret import Question
from referee.live.evaluation import Scored, as_json, as_markdown, as_table
from referee.live.scoring import Score, pair, plays_of, score
from referee.live.umpire import Ruled
from referee.moves import Move
from referee.verdicts import Finding, Ruling, Verdict
from vision.recording import Truth


def real(time_s: float, player: str, card: str, ruling: str | None = "legal", *rules: str) -> Truth:
    return Truth(time_s, player, "play", (card,), ruling, rules)


def told(time_s: float, player: str, card: str, ruling: Ruling = "legal", *rules: str, late_s: float = 0.4) -> Ruled:
    move = Move(player, "play", (Face(card),), time_s=time_s)
    entry = Entry("m", 1, time_s, "camera", move)
    return Ruled(entry, Verdict(move, ruling, faults=tuple(Finding(rule) for rule in rules)), time_s + late_s)


def test_plays_are_paired_by_their_cards_within_a_second() -> None:
    truth = [real(1.0, "A", "P-R"), real(5.0, "B", "P-G"), real(9.0, "A", "P-B")]
    pairing = pair(truth, [told(1.9, "A", "P-R"), told(6.1, "B", "P-G"), told(9.0, "A", "P-K")])
    assert [(one.time_s, play.entry.time_s) for one, play in pairing.pairs] == [(1.0, 1.9)]
    assert [one.time_s for one in pairing.missed] == [5.0, 9.0]
    assert [play.entry.time_s for play in pairing.invented] == [6.1, 9.0]


def test_a_play_also_counts_from_when_its_card_came_to_rest() -> None:
    covered = Truth(3.0, "A", "play", ("P-R",), still_s=1.2)
    assert pair([covered], [told(1.0, "A", "P-R")]).missed == ()


def test_the_same_card_twice_is_two_plays_and_the_nearest_belong_together() -> None:
    truth = [real(1.0, "A", "P-R"), real(1.8, "B", "P-R")]
    pairing = pair(truth, [told(1.9, "B", "P-R"), told(1.2, "A", "P-R")])
    assert [(one.player, play.verdict.move.player) for one, play in pairing.pairs] == [("A", "A"), ("B", "B")]
    assert pair(truth, [told(1.4, "A", "P-R")]).missed != ()


def test_only_the_eyes_plays_count() -> None:
    move = Move("A", "play", (Face("P-R"),))
    by_hand = Ruled(Entry("m", 1, 1.0, "operator", move), Verdict(move, "legal"), 1.0)
    call = Move("A", "call", target="wrong-card")
    assert plays_of([by_hand, Ruled(Entry("m", 2, 1.0, "camera", call), Verdict(call, "void"), 1.0), "words"]) == ()


def test_figures() -> None:
    truth = [
        real(1.0, "A", "P-R"),
        real(2.0, "B", "P-G"),
        real(3.0, "A", "P-B", "foul", "P-F5"),
        real(4.0, "B", "P-K", "foul", "P-F5"),
        real(9.0, "A", "P-W"),
        Truth(5.0, "A", "take", ("P-B",)),
    ]
    question = Question("whose", ("A", "B"), Move("?", "play"))
    whose = told(2.1, "?", "P-G", "foul", "P-F5", late_s=0.9)
    asked = Ruled(whose.entry, whose.verdict, whose.told_s, question)
    happenings = [
        told(1.0, "A", "P-R", late_s=0.2),
        asked,
        told(3.0, "A", "P-B", "foul", "P-F5"),
        told(4.0, "B", "P-Y", "foul", "P-F5"),
        told(7.0, "B", "P-V", "foul", "P-F5"),
    ]
    found = score(truth, happenings)
    assert (found.plays, found.seen, found.told) == (5, 3, 5)
    assert (found.named, found.named_right, found.ruled, found.ruled_right) == (3, 2, 3, 2)
    assert (found.wrong, found.caught) == (2, 1)
    # P-G was legal and P-V was nothing; P-Y was a wrong card that was only misread.
    assert (found.legal, found.false_alarms) == (3, 2)
    assert found.questions == 1
    assert found.delays_s == pytest.approx((0.2, 1.0, 0.4))
    assert (found.delay_median_s, found.delay_p95_s) == pytest.approx((0.4, 1.0))


def test_scores_add_up_and_empty_ones_divide_nothing() -> None:
    first = score([real(1.0, "A", "P-R")], [told(1.0, "A", "P-R")])
    both = as_json([Scored("a", first), Scored("b", Score())])
    assert both["total"]["plays"] == {"real": 1, "told": 1, "seen": 1, "recall": 1.0, "precision": 1.0}
    assert both["recordings"][1]["plays"]["recall"] is None
    assert both["recordings"][1]["delay_s"] == {"n": 0, "median": None, "p95": None}
    assert as_table([Scored("a", first), Scored("b", Score())]).row_count == 3
    markdown = as_markdown([Scored("a", first), Scored("b", Score())]).splitlines()
    assert [line.split("|")[1].strip() for line in markdown] == ["recording", "---", "a", "b", "all"]
    assert markdown[2] == (
        "| a | 100.0 % (1) | 100.0 % (1) | 100.0 % (1) | 100.0 % (1) | none | 0.0 (1) | 0.40 s, p95 0.40 s (1) | 0 |"
    )


def test_every_difference_is_a_sentence() -> None:
    truth = [real(1.0, "A", "P-R"), real(2.0, "B", "P-G", "foul", "P-F5"), real(3.0, "A", "P-B")]
    wrong = [told(1.0, "B", "P-R"), told(2.0, "B", "P-G"), told(5.0, "A", "P-K")]
    assert pair(truth, wrong).differences() == (
        "1.00 s: A's P-R was taken for B's.",
        "2.00 s: B's P-G is foul (P-F5), but was ruled legal.",
        "3.00 s: A's P-B was not seen.",
        "5.00 s: A's P-K never happened.",
    )
    right = [told(1.0, "A", "P-R"), told(2.1, "B", "P-G", "foul", "P-F5"), told(3.0, "A", "P-B")]
    assert pair(truth, right).differences() == ()
