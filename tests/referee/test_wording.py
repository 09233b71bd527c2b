"""The texts of every game: complete in every language, the same facts in each, and a sentence for whatever happens."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.errors import UnreadableError
from referee.games import GAMES
from referee.games.base import Game
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.playout import deal, standing
from referee.verdicts import Ask, Finding, Result, Verdict
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


# --- what is said along the way ---
KINDS = (
    *("play", "play", "play", "discard", "reveal", "turnover", "take", "call", "name", "war", "ask", "answer", "give"),
    *("lay", "flip", "draw", "swap", "shout", "say", "start", "repaired", "count"),
)
CALLS = ("wrong-card", "wrong-card", "stuck", "mine", "no-match", "no-fish", "no-mau", "stop", "go-on")
WORDS = ("red", "hearts", "piranhas", "fresh-fish", "trout", "9", "no", "own", "pile")
STEPS = 500


def pack_of(game: Game[Any]) -> tuple[Face, ...]:
    cards = tomllib.loads((DECKS / game.deck / "deck.toml").read_text(encoding="utf-8"))["cards"]
    return faces(card["face"] for card in cards for _ in range(card["count"]))


def anything(dice: random.Random, players: tuple[str, ...], deck: tuple[Face, ...]) -> Move:
    """Something that somebody might do, mostly wrong."""
    kind = dice.choice(KINDS)
    number = dice.choice([0, 1, 1, 1, 2]) if kind == "play" else dice.choice([0, 1])
    target = dice.choice(CALLS) if kind == "call" else dice.choice([None, *WORDS, *players])
    data: dict[str, Json] = {}
    extras: dict[str, Json] = {
        "from": dice.choice(["open", "blind", "discard", "draw"]),
        "with": [dice.choice(deck)],
        "as": dice.choice(["2", "7", "10"]),
        "say": dice.choice(WORDS),
        "n": dice.randint(0, 6),
        "swap": {"hand": dice.choice(deck), "open": dice.choice(deck)},
        "cards": {name: dice.choice(deck) for name in players[:2]},
        "go": True,
    }
    needed = {"draw": "n", "count": "n", "swap": "swap", "flip": "cards"}
    for key, value in extras.items():
        if needed.get(kind) == key or dice.random() < 0.1:
            data[key] = value
    cards = tuple(dice.choices([*deck, UNKNOWN, BACK], k=number))
    return Move(dice.choice([*players, *players, TABLE, UNCLEAR]), kind, cards, target=target, data=data)


def house_rules(game: Game[Any], dice: random.Random) -> dict[str, Json]:
    return {option.key: dice.choice(option.values) for option in game.options if dice.random() < 0.3}


def walk(name: str, seed: int) -> Iterator[tuple[Verdict, tuple[Ask, ...]]]:
    """What a game says and asks while moves that stand and moves that nobody should make take turns."""
    game, dice = GAMES[name], random.Random(seed)
    players, options = ("Mia", "Ben", "Zoë")[: dice.choice([2, 3])], house_rules(game, dice)
    start = deal(game, players, pack=pack_of(game), dice=dice, options=options)
    state = game.start(start)
    for seq in range(2, STEPS):
        moves = () if dice.random() < 0.4 else standing(game, state, players)
        move = dice.choice(moves) if moves else anything(dice, players, start.deck)
        move = Move(move.player, move.kind, move.cards, move.target, move.data, time_s=seq / 4, seq=seq)
        try:
            verdict, state = game.decide(state, move)
        except UnreadableError:
            continue
        yield verdict, game.pending(state, seq / 4 + dice.choice([0, 60]))
        if game.result(state) is not None and dice.random() < 0.2:
            state = game.start(start, state)


@pytest.mark.parametrize("seed", range(12))
@EVERY_GAME
def test_whatever_happens_is_told_in_every_language_with_nothing_left_to_fill_in(name: str, seed: int) -> None:
    wording = load_wording().of(name)
    for verdict, asks in walk(name, seed):
        told = wording.verdict(verdict)
        cases = {f"rule.{one.rule}.{one.facts['case']}" for one in findings(verdict) if "case" in one.facts}
        assert cases <= wording.texts["en"].keys()
        assert len(told["steps"]["en"]) == len(verdict.remedy)
        if not verdict.routine:
            assert all(told["text"].values()), verdict
        said = [*told["text"].values(), *told["steps"]["en"], *told["steps"]["de"]]
        said += [text for ask in asks for text in wording.ask(ask)["text"].values()]
        if verdict.result is not None:
            said += wording.result(verdict.result)["text"].values()
        assert [text for text in said if "{" in text or "None" in text or "  " in text] == [], verdict
        assert json.loads(json.dumps(told)) == told


def findings(verdict: Verdict) -> tuple[Finding, ...]:
    return (*verdict.faults, *verdict.grounds, *verdict.reminders)


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
