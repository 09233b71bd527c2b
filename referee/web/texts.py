"""The catalogues of sentences. The phone page and the server read the same two files."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Literal

from referee.web.errors import PageError, RequestError

__all__ = ["LANGUAGES", "PAGES", "Language", "catalogue", "choose_language", "refusal", "say"]

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")
PAGES = Path(__file__).parent / "pages"


@cache
def catalogue(language: Language) -> dict[str, str]:
    """All sentences of one language by key. Raises `PageError` when the file is missing or broken."""
    path = PAGES / "texts" / f"{language}.json"
    try:
        texts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PageError(f"The sentences in {path} cannot be read.", hint="Install wrongcard again.") from error
    return {str(key): str(text) for key, text in texts.items()}


def say(key: str, language: Language, **facts: object) -> str:
    """The sentence `key` with `{placeholders}` filled in. Raises `PageError` for a key that no catalogue has."""
    text = catalogue(language).get(key)
    if text is None:
        raise PageError(f"There is no sentence “{key}” in {language}.json.", hint="Install wrongcard again.")
    return text.format_map(facts)


def refusal(error: RequestError, language: Language) -> dict[str, str]:
    """The body of a refusal: what is wrong and what to do."""
    return {
        "error": say(f"error.{error.key}", language, **error.facts),
        "hint": say(f"hint.{error.key}", language, **error.facts),
    }


def choose_language(accept_language: str | None) -> Language:
    """The first language of an Accept-Language header (RFC 9110, 12.5.4) that there is a catalogue for, else English.

    Quality values are left aside: browsers send their languages in order of preference.
    """
    for wanted in re.findall(r"[A-Za-z]{2,}(?=[-,;\s]|$)", accept_language or ""):
        for language in LANGUAGES:
            if wanted.lower() == language:
                return language
    return "en"
