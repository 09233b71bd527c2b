"""The files of the page: complete in both languages, self-contained, of readable size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.web.errors import PageError, RequestError
from referee.web.texts import LANGUAGES, PAGES, catalogue, choose_language, refusal, say

WEB = PAGES.parent
SCRIPTS = sorted(PAGES.glob("js/*.js"))


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    english, german = catalogue("en"), catalogue("de")
    assert english.keys() == german.keys()
    assert {key: placeholders(text) for key, text in english.items()} == {
        key: placeholders(text) for key, text in german.items()
    }
    assert all(text.strip() for text in [*english.values(), *german.values()])


def test_every_key_that_the_page_names_exists_and_every_key_is_named() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in [*SCRIPTS, PAGES / "index.html"])
    said = set(re.findall(r'\bt\(\s*"([\w.-]+)"', sources)) | set(re.findall(r'data-t(?:-label)?="([\w.-]+)"', sources))
    counted = set(re.findall(r'\bcount\("(\w+)"', sources))
    keys = catalogue("en").keys()
    assert said <= keys
    assert {f"{name}.{form}" for name in counted for form in ("one", "other")} <= keys
    built = {name + "." for name in re.findall(r"`([\w.]+)\.\$\{", sources)} | {f"{name}." for name in counted}
    quoted = set(re.findall(r'"([a-z]+\.[\w.-]+)"', sources))
    loose = [key for key in keys - said - quoted if not key.startswith((*built, "error.", "hint."))]
    assert loose == []


def test_every_refusal_of_the_server_has_a_sentence_and_a_hint_in_both_languages() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.py"))
    keys = set(re.findall(r'RequestError\(\d+, "(\w+)"', sources)) | {"nowhere", "method", "late", "refused"}
    assert len(keys) > 10
    for language in LANGUAGES:
        for key in keys:
            body = refusal(RequestError(400, key, player="Zoe"), language)
            assert body["error"]
            assert body["hint"]


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for path in [*PAGES.rglob("*.js"), *PAGES.rglob("*.css"), *PAGES.rglob("*.html"), *PAGES.rglob("*.json")]:
        foreign = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"')]*", path.read_text(encoding="utf-8"))
        assert [address for address in foreign if address != "http://www.w3.org/2000/svg"] == [], path


def test_the_modules_stay_readable() -> None:
    for path in [*SCRIPTS, *PAGES.glob("css/*.css"), *WEB.glob("*.py")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 400 for path in [*SCRIPTS, *WEB.glob("*.py")])


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.5", "de"),
        ("fr-FR,fr;q=0.9,de;q=0.3", "de"),
        ("en-GB,de", "en"),
        ("DE", "de"),
        ("den", "en"),
        ("*", "en"),
        ("x" * 9000, "en"),
    ],
)
def test_the_language_of_a_refusal_follows_the_phone(header: str | None, language: str) -> None:
    assert choose_language(header) == language


def test_an_unknown_sentence_is_an_error_and_no_empty_text() -> None:
    with pytest.raises(PageError, match=r"no\.such\.key"):
        say("no.such.key", "en")


def test_every_file_that_the_page_names_is_there() -> None:
    names = re.findall(r'"/static/([\w./-]+)"', (PAGES / "index.html").read_text(encoding="utf-8"))
    imports = [
        str(Path("js") / name)
        for script in SCRIPTS
        for name in re.findall(r'from "\./([\w.]+)"', script.read_text(encoding="utf-8"))
    ]
    assert names
    assert [name for name in [*names, *imports] if not (PAGES / name).is_file()] == []
