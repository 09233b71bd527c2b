"""The rules as people read them: nothing is missing, all is in its place, the house rules in force are marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import OptionError
from referee.games import GAMES
from referee.rulepage import rule_page, rule_sheet
from referee.wording import LANGUAGES

PIRANHAS = GAMES["piranhas"]
Wrongcard = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_page_says_every_rule_once_and_every_house_rule(name: str, language: str) -> None:
    lines = rule_page(GAMES[name], language, {}).splitlines()
    ids = [line.rpartition(" *")[2].rstrip("*") for line in lines if line.startswith("- ") and " *" in line]
    assert sorted(one for one in ids if one in GAMES[name].rule_ids) == sorted(GAMES[name].rule_ids)
    for option in GAMES[name].options:
        assert len([line for line in lines if line.endswith(f" *{option.key}*")]) == 1


def test_parts_come_in_a_readable_order() -> None:
    titles = [line for line in rule_page(PIRANHAS, "en", {}).splitlines() if line.startswith("#")]
    assert titles == [
        "# Piranhas", "## Set-up", "## How it goes", "## What fits", "## Wrong card!", "## Empty deck and end",
        "## House rules", "## In doubt",
    ]  # fmt: skip
    second = rule_page(PIRANHAS, "de", {}).splitlines()[2]
    assert second.startswith("Werde deine Karten schneller los als die anderen.")


def test_a_sentence_is_followed_by_its_id() -> None:
    page = rule_page(PIRANHAS, "en", {}).splitlines()
    assert "- A piranha always fits on a piranha. *P-F7*" in page


@pytest.mark.parametrize(
    ("options", "language", "bold"),
    [
        ({}, "en", "- **The referee, at once; players may call, too.** *referee, in force*"),
        ({"calls": "players"}, "de", "- **Nur ihr: Der Schiedsrichter sagt nichts, bis jemand ruft.** *players, gilt*"),
        ({"more_players": True}, "en", "- **Yes; the cards that are left after dealing go into the box without being "
         "looked at.** *true, in force*"),
        ({"series": 5}, "en", "- **5** *1–99, in force*"),
    ],
)  # fmt: skip
def test_the_values_in_force_are_marked(options: dict[str, Any], language: str, bold: str) -> None:
    marked = [line for line in rule_page(PIRANHAS, language, options).splitlines() if line.startswith("- **")]
    assert bold in marked
    assert len(marked) == len(PIRANHAS.options)


def test_an_impossible_house_rule_is_refused() -> None:
    with pytest.raises(OptionError, match="cannot be 'nobody'"):
        rule_page(PIRANHAS, "en", {"calls": "nobody"})


def test_the_sheet_for_phones_names_the_choice_in_force() -> None:
    sheet = rule_sheet(PIRANHAS, {"announce": "strict"})
    (announce,) = (one for one in sheet["house"]["options"] if one["key"] == "announce")
    assert announce["value"] == "strict"
    assert [one["value"] for one in announce["choices"] if one["in_force"]] == ["strict"]
    assert [one["title"]["de"] for one in sheet["decisions"]] == ["Im Zweifel"]


def test_the_command_prints_markdown_where_nobody_looks_at_it_in_a_terminal(wrongcard: Wrongcard) -> None:
    status, out, err = wrongcard("rules", "piranhas", "--language", "de", "--option", "calls=report")
    assert (status, err) == (0, "")
    assert out == rule_page(PIRANHAS, "de", {"calls": "report"})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "The referee does not know the game 'chess'."),
        (("piranhas", "--option", "calls=nobody"), "The option 'calls' cannot be 'nobody'."),
        (("piranhas", "--option", "shout=loud"), "piranhas has no option 'shout'."),
    ],
)
def test_the_command_refuses_what_there_is_not_with_what_there_is(
    wrongcard: Wrongcard, arguments: tuple[str, ...], sentence: str
) -> None:
    status, out, err = wrongcard("rules", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"wrongcard: {sentence}\n  ")
