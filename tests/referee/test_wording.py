"""The texts: complete in every language, the same facts in each, and readable sentences."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from referee.games import GAMES
from referee.verdicts import Result
from referee.wording import LANGUAGES, load_wording

TEXTS = load_wording().of("piranhas").texts
RULES = Path(__file__).resolve().parents[3] / "shared" / "rules" / "piranhas.md"


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_every_game_has_a_text(language: str) -> None:
    rule_ids = {rule for game in GAMES.values() for rule in game.rule_ids}
    assert {rule for rule in rule_ids if not TEXTS[language].get(f"rule.{rule}")} == set()


def test_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    english = {key: placeholders(text) for key, text in TEXTS["en"].items()}
    for language in LANGUAGES:
        assert {key: placeholders(text) for key, text in TEXTS[language].items()} == english


def test_only_openings_may_be_empty() -> None:
    empty = {key for texts in TEXTS.values() for key, text in texts.items() if not text.strip()}
    assert {key.split(".")[0] for key in empty} <= {"opening"}


@pytest.mark.skipif(not RULES.is_file(), reason="the rules lie in a shared folder that is not here")
def test_rule_ids_are_those_of_the_rules() -> None:
    written = set(re.findall(r"^\| (P-[A-Z]\d+) \|", RULES.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert written == GAMES["piranhas"].rule_ids


@pytest.mark.parametrize(
    ("result", "english", "german"),
    [
        (Result("game", "last-card", ("Mia",)), "Mia has no cards left", "Mia hat keine Karten mehr"),
        (Result("game", "stalemate", ("Mia", "Ben")), "Mia and Ben have the fewest", "Mia und Ben haben"),
        (Result("series", "last-card", ("A", "B", "C")), "A, B and C have", "A, B und C haben aus allen Spielen"),
        (Result("game", "stalemate", ()), "Count your cards", "Zählt bitte eure Karten"),
    ],
)
def test_ends_name_the_winners(result: Result, english: str, german: str) -> None:
    text = load_wording().of("piranhas").result(result)["text"]
    assert english in text["en"]
    assert german in text["de"]
