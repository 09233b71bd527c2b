"""The rules of a game as people read them: one sheet for phones, one page in Markdown for the terminal.

The sentences stand on the game's page in `rulebook/`; here they are put in order, with the house rules in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.base import Game, Option, OptionValue, read_options
from referee.moves import Json
from referee.wording import LANGUAGES, Wording, load_page, load_wording

__all__ = ["rule_page", "rule_sheet"]

_DECISION = re.compile(r"[A-Z]-A\d+")
"""Ids of what was decided where a rulebook is silent."""

Texts = dict[str, str]


def rule_sheet(game: Game[Any], options: Mapping[str, Json]) -> dict[str, Any]:
    """Title, introduction, rules, house rules and decisions in every language, JSON-ready.

    `options` are the house rules that differ from the defaults. Raises `OptionError` for an impossible one.
    """
    wording = load_wording().of(game.name)
    in_force = read_options(game.name, game.options, given=options)
    sections = [_section(wording, number, one["rules"]) for number, one in enumerate(load_page(game.name)["section"])]
    return {
        "game": game.name,
        "title": _both(wording, "title"),
        "intro": _both(wording, "intro"),
        "sections": [one for one in sections if not _is_about_decisions(one)],
        "house": {
            "title": _both(wording, "page.house-rules"),
            "in_force": _both(wording, "page.in-force"),
            "options": [_option(wording, one, in_force=in_force[one.key]) for one in game.options],
        },
        "decisions": [one for one in sections if _is_about_decisions(one)],
    }


def _both(wording: Wording, key: str) -> Texts:
    return {language: wording.texts[language][key] for language in LANGUAGES}


def _section(wording: Wording, number: int, rules: list[str]) -> dict[str, Any]:
    return {
        "title": _both(wording, f"section.{number}"),
        "rules": [{"id": rule, "text": _both(wording, f"rule.{rule}")} for rule in rules],
    }


def _is_about_decisions(section: Mapping[str, Any]) -> bool:
    return all(_DECISION.fullmatch(rule["id"]) for rule in section["rules"])


def _option(wording: Wording, option: Option, *, in_force: OptionValue) -> dict[str, Any]:
    """A house rule: its question, and its possible answers, or the range of numbers that are."""
    words = () if option.is_number else option.values
    return {
        "key": option.key,
        "value": in_force,
        "text": _both(wording, f"option.{option.key}"),
        "choices": [
            {
                "value": one,
                "text": _both(wording, f"option.{option.key}.{_plain(one)}"),
                "in_force": option.is_chosen(one, in_force=in_force),
            }
            for one in words
        ],
        "range": list(option.values) if option.is_number else [],
    }


def _plain(value: OptionValue) -> str:
    """The value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def rule_page(game: Game[Any], language: str, options: Mapping[str, Json]) -> str:
    """The rules as Markdown: behind each sentence its id, in the house rules the values in force in bold.

    Raises `OptionError` for an impossible house rule.
    """
    return "\n".join(_lines(rule_sheet(game, options), language)) + "\n"


def _lines(sheet: Mapping[str, Any], language: str) -> Iterator[str]:
    yield from (f"# {sheet['title'][language]}", "", sheet["intro"][language])
    for section in sheet["sections"]:
        yield from _section_lines(section, language)
    house = sheet["house"]
    yield from ("", f"## {house['title'][language]}")
    for option in house["options"]:
        yield from _option_lines(option, language, in_force=house["in_force"][language])
    for section in sheet["decisions"]:
        yield from _section_lines(section, language)


def _section_lines(section: Mapping[str, Any], language: str) -> Iterator[str]:
    yield from ("", f"## {section['title'][language]}", "")
    yield from (f"- {rule['text'][language]} *{rule['id']}*" for rule in section["rules"])


def _option_lines(option: Mapping[str, Any], language: str, *, in_force: str) -> Iterator[str]:
    yield from ("", f"{option['text'][language]} *{option['key']}*", "")
    for choice in option["choices"]:
        text, value = choice["text"][language], _plain(choice["value"])
        yield f"- **{text}** *{value}, {in_force}*" if choice["in_force"] else f"- {text} *{value}*"
    if option["range"]:
        yield f"- **{option['value']}** *{'–'.join(map(str, option['range']))}, {in_force}*"
