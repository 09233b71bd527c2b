"""Names of cards as people and files write them: one at a time, or a whole deck at once."""

from __future__ import annotations

import pytest

from referee.cards import face, faces
from referee.errors import CardError


def test_a_deck_is_read_in_its_order_with_every_copy() -> None:
    assert faces(iter(["7H", "P-R", "??", "7H"])) == ("7H", "P-R", "??", "7H")
    assert faces([]) == ()


@pytest.mark.parametrize("name", ["", " ", "7 H", "7H ", "\n7H", "7\tH", 7, None, ["7H"]])
def test_what_names_no_card_is_refused_also_among_others(name: object) -> None:
    """A text with a blank must not become two cards, nor an empty one none."""
    for read in (lambda: face(name), lambda: faces(["KH", name, "QH"])):
        with pytest.raises(CardError, match="is not the name of a card") as refused:
            read()
        assert repr(name) in str(refused.value)
        assert refused.value.hint
