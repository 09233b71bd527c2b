"""What must be in a hand, and what counting proves: the arithmetic of the rules for hidden hands."""

from __future__ import annotations

from referee.cards import UNKNOWN, Face, faces
from referee.knowledge import Claim, drew, follow, take_out, took_openly

TEN, QUEEN, KING = faces(["10H", "QD", "KS"])


def contradicts(against: object, card: Face) -> bool:
    return card == against


def test_a_card_leaves_as_itself_else_as_one_that_nobody_saw() -> None:
    assert take_out((TEN, UNKNOWN, KING), KING) == (TEN, UNKNOWN)
    assert take_out((TEN, UNKNOWN, KING), QUEEN) == (TEN, KING)
    assert take_out((TEN, KING), QUEEN) == (TEN, KING)


def test_a_claim_is_false_once_more_was_shown_than_came_in_unseen() -> None:
    claims = (Claim("A", "C-T2", QUEEN), Claim("B", "C-G2", QUEEN))
    assert drew(claims, "A", 0) == claims == took_openly(claims, "A", ())
    shown = Claim("A", "C-T2", QUEEN, shown=1)
    assert follow(claims, "A", (QUEEN,), contradicts=contradicts) == ((claims[1],), (shown,))
    excused = follow(drew(claims, "A", 1), "A", (QUEEN,), contradicts=contradicts)
    assert excused == ((shown._replace(unseen=1), claims[1]), ())
    seen = took_openly(claims, "A", (QUEEN,))
    assert follow(seen, "A", (QUEEN,), contradicts=contradicts) == (claims, ())
    assert follow(claims, "A", (TEN, KING), contradicts=contradicts) == (claims, ())


def test_cards_drawn_after_a_card_was_shown_do_not_excuse_it() -> None:
    claims = (Claim("A", "S-T1", QUEEN),)
    assert follow(claims, "A", (QUEEN,), contradicts=contradicts, drawn=2)[1] != ()
    assert follow(claims, "A", (TEN,), contradicts=contradicts, drawn=2) == ((claims[0]._replace(unseen=2),), ())


def test_nothing_shows_a_claim_false_once_everybody_knows_the_hand() -> None:
    claims = (Claim("A", "S-T1", QUEEN), Claim("B", "S-T1", QUEEN))
    assert follow(claims, "A", (TEN,), contradicts=contradicts, certain=True) == ((claims[1],), ())
