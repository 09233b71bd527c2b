"""Does a card fit? Compared with a slow oracle that is written from the rulebook's words and shares no code."""

from __future__ import annotations

import itertools
import random

import pytest

from referee.cards import BACK, UNKNOWN, Face, fish_card
from referee.errors import CardError
from referee.games.piranhas.fit import COLOUR_WORDS, check_said, fits, judge_fit

COLOURS = "ROYGBVKW"


def oracle(beneath: str, played: str) -> bool:
    """P-F2, P-F5, P-F7 and P-F8, letter by letter: every colour and every pair is simply tried."""
    if "P-" in beneath and "P-" in played:
        return True
    if "P-" in played:
        return all(played[2] != fish[0] for fish in beneath.split("+"))
    if "P-" in beneath:
        return all(beneath[2] != fish[0] for fish in played.split("+"))
    for small, big in itertools.product(beneath.split("+"), played.split("+")):
        if small[0] == big[0] and int(small[1]) < int(big[1]):
            return True
    return False


def some_cards(count: int) -> list[Face]:
    """Cards with one to four fish, colours may repeat (P-A22), and every piranha."""
    dice = random.Random(5)
    cards = [Face(f"P-{colour}") for colour in COLOURS]
    for _ in range(count):
        fish = [f"{dice.choice(COLOURS)}{dice.randint(1, 4)}" for _ in range(dice.randint(1, 4))]
        cards.append(Face("+".join(fish)))
    return cards


def test_fit_agrees_with_the_oracle_on_every_pair() -> None:
    cards = some_cards(180)
    pairs = list(itertools.product(cards, cards))
    assert {pair for pair in pairs if fits(*pair)} == {pair for pair in pairs if oracle(*pair)}
    assert {pair for pair in pairs if judge_fit(pair[:1], pair[1]) == ()} == {pair for pair in pairs if oracle(*pair)}


@pytest.mark.parametrize(
    ("beneath", "played", "rule", "facts"),
    [
        ("R2+B4+Y1", "R1+B3+G4", "P-F2", {"case": "smaller", "colour": "B", "size": 3, "beneath": 4}),
        ("R2+B4+Y1", "R2+K4+W4", "P-F2", {"case": "same", "colour": "R", "size": 2, "beneath": 2}),
        ("R2+R4+B1", "R1+K4+W4", "P-F2", {"case": "smaller", "colour": "R", "size": 1, "beneath": 2}),
        ("R2+B4+Y1", "G4+K4+W4", "P-F2", {"case": "no-colour"}),
        ("R2+B4+Y1", "P-R", "P-F5", {"case": "shared", "colour": "R"}),
        ("P-G", "G4+R3+K2", "P-F8", {"case": "bitten", "colour": "G"}),
    ],
)
def test_wrong_card_is_explained_by_the_pair_that_tells_most(
    beneath: str, played: str, rule: str, facts: dict[str, object]
) -> None:
    found = judge_fit((Face(beneath),), Face(played))
    assert found is not None
    assert [(one.rule, one.cards, one.facts) for one in found] == [(rule, (played, beneath), facts)]


def test_uncertain_card_below_is_undecided_only_where_it_matters() -> None:
    red2, red3, blue2 = Face("R2+G1+O1"), Face("R3+G1+O1"), Face("B2+W1+V1")
    assert judge_fit((red2, red3), Face("R4+K1+Y1")) == ()
    assert judge_fit((red2, red3), Face("R3+K1+Y1")) is None
    wrong_on_both = judge_fit((red2, blue2), Face("K4+Y4"))
    assert wrong_on_both is not None
    assert [one.rule for one in wrong_on_both] == ["P-F2"]
    assert judge_fit((), Face("R4+K1+Y1")) is None
    assert judge_fit((red2,), UNKNOWN) is None
    assert judge_fit((red2,), BACK) is None


@pytest.mark.parametrize(
    ("beneath", "played", "said", "missed"),
    [
        ("R2+B1+Y1", "R3+B2+G1", "red", None),
        ("R2+B1+Y1", "R3+B2+G1", "blue", None),
        ("R2+B1+Y1", "R3+B2+G1", "green", "P-F4"),
        ("R2+B1+Y1", "R3+B2+G1", None, "P-F4"),
        ("R2+B1+Y1", "R3+B2+G1", "mauve", "P-F4"),
        ("R2+B1+Y1", "P-G", "piranhas", None),
        ("R2+B1+Y1", "P-G", "green", "P-F6"),
        ("P-R", "P-G", "fresh-fish", "P-F6"),
        ("P-R", "G1+B1+Y1", "fresh-fish", None),
        ("P-R", "G1+B1+Y1", None, "P-F9"),
    ],
)
def test_announcements(beneath: str, played: str, said: str | None, missed: str | None) -> None:
    found = check_said((Face(beneath),), Face(played), said=said)
    assert (None if found is None else found.rule) == missed


@pytest.mark.parametrize("said", [*COLOUR_WORDS.values()])
def test_any_colour_passes_for_a_card_that_does_not_fit(said: str) -> None:
    """Otherwise the reminder would tell, in the quiet modes, that the card is wrong."""
    assert check_said((Face("R2+B4+Y1"),), Face("R1+B3+G4"), said=said) is None


@pytest.mark.parametrize("text", ["R5+B1", "R2+", "P-", "P-X", "P-RR", "r2", "KH", "R2 + B1", "R2B1", "+"])
def test_what_is_no_fish_card_is_named(text: str) -> None:
    with pytest.raises(CardError) as caught:
        fish_card(Face(text))
    assert repr(text) in str(caught.value)
    assert "R2+B4+Y1" in caught.value.hint
