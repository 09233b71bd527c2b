"""The texts of every game: complete in every language, the same facts in each, and a sentence for whatever happens."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

from referee.games import GAMES
from referee.verdicts import Result
from referee.wording import LANGUAGES, load_page, load_wording

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT.parent / "shared" / "rules"
DECKS = ROOT / "datasets" / "decks"
EVERY_GAME = pytest.mark.parametrize("name", GAMES)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# --- what stands on a page ---
@EVERY_GAME
def test_every_rule_is_in_one_section_and_stands_there_as_a_whole_sentence(name: str) -> None:
    listed = Counter(rule for section in load_page(name)["section"] for rule in section["rules"])
    assert listed == Counter(GAMES[name].rule_ids)
    for texts in load_wording().of(name).texts.values():
        for rule in listed:
            sentence = texts[f"rule.{rule}"]
            assert placeholders(sentence) == set(), rule
            assert re.fullmatch(r"[A-ZÄÖÜ„“0-9].*[.!?]“?”?[.]?", sentence), (rule, sentence)


@EVERY_GAME
def test_languages_have_the_same_texts_with_the_same_placeholders(name: str) -> None:
    texts = load_wording().of(name).texts
    english = {key: placeholders(text) for key, text in texts["en"].items()}
    for language in LANGUAGES:
        assert {key: placeholders(text) for key, text in texts[language].items()} == english


@EVERY_GAME
def test_only_openings_may_be_empty(name: str) -> None:
    texts = load_wording().of(name).texts
    empty = {key for texts in texts.values() for key, text in texts.items() if not text.strip()}
    assert {key.split(".")[0] for key in empty} <= {"opening"}


@EVERY_GAME
def test_every_house_rule_and_every_word_that_it_may_be_has_a_text(name: str) -> None:
    texts = load_wording().of(name).texts["en"]
    wanted = {"title", "intro"}
    for option in GAMES[name].options:
        wanted.add(f"option.{option.key}")
        if not option.is_number:
            wanted |= {f"option.{option.key}.{str(value).lower()}" for value in option.values}
    assert wanted == {key for key in texts if key in ("title", "intro") or key.startswith("option.")}


@EVERY_GAME
def test_texts_of_rules_belong_to_rules(name: str) -> None:
    assert {key.split(".")[0] for key in load_page(name)["rule"]} == GAMES[name].rule_ids


@pytest.mark.skipif(not RULES.is_dir(), reason="the rules lie in a shared folder that is not here")
@EVERY_GAME
def test_rule_ids_are_those_of_the_rules(name: str) -> None:
    if not (RULES / f"{name}.md").is_file():
        pytest.skip(f"no rules of {name} were handed over")
    text = (RULES / f"{name}.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| ([A-Z]-[A-Z0-9]+[a-z]?) \|", text, flags=re.MULTILINE)) == GAMES[name].rule_ids


def named_in_sources(name: str, pattern: str) -> set[str]:
    games = ROOT / "referee" / "games"
    module = name.replace("-", "_")
    paths = [*games.glob(f"{module}.py"), *games.glob(f"{module}/*.py")]
    assert paths
    return {found for path in paths for found in re.findall(pattern, path.read_text(encoding="utf-8"))}


@EVERY_GAME
def test_every_step_and_question_that_a_game_names_stands_on_its_page(name: str) -> None:
    keys = load_wording().of(name).texts["en"].keys()
    steps = named_in_sources(name, r'\bhow="([^"{}]+)"')
    assert {how for how in steps if not any(key.startswith(f"step.{how}") for key in keys)} == set()
    asks = named_in_sources(name, r'\bAsk\("([^"]+)"')
    assert {kind for kind in asks if f"ask.{kind}" not in keys} == set()


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
