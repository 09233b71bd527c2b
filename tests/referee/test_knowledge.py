"""What must be in a hand, and what counting proves: the arithmetic of the rules for hidden hands."""

from __future__ import annotations

from referee.cards import UNKNOWN, Face, faces
from referee.knowledge import Claim, drew, proven_false, show, take_out, took_openly

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
    shown = show(claims, "A", (QUEEN,), contradicts=contradicts)
    assert proven_false(shown) == ((claims[1],), (shown[0],))
    excused = show(drew(claims, "A", 1), "A", (QUEEN,), contradicts=contradicts)
    assert proven_false(excused) == (excused, ())
    seen = show(took_openly(claims, "A", (QUEEN,)), "A", (QUEEN,), contradicts=contradicts)
    assert proven_false(seen) == (claims, ())
    harmless = show(claims, "A", (TEN, KING), contradicts=contradicts)
    assert proven_false(harmless) == (claims, ())
