"""Loading decks: the shipped ones, the user's own, and every way in which a deck's folder can be broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision import decks
from vision.decks import deck_names, load_deck, raster, user_decks_dir
from vision.errors import DeckError

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20"><rect width="5" height="20" fill="#f00"/></svg>'
GOOD = """\
name = "tiny"
title = { en = "Tiny", de = "Winzig" }
size_mm = [50, 75.5]
corner_radius_mm = 3
half_turn_symmetric = false
back = "art/back.svg"

[[cards]]
face = "A"
count = 2
art = "art/A.svg"

[[cards]]
face = "B"
count = 1
art = "art/B.svg"
"""


def write(folder: Path, text: str) -> Path:
    """A deck folder with three pictures and the given `deck.toml`."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    for name in ("A", "B", "back"):
        (folder / "art" / f"{name}.svg").write_text(SQUARE, encoding="utf-8")
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_deck_is_read_as_written(tmp_path: Path) -> None:
    deck = load_deck(write(tmp_path / "tiny", GOOD))
    assert (deck.name, deck.title["de"], deck.size_mm, deck.corner_radius_mm) == ("tiny", "Winzig", (50.0, 75.5), 3.0)
    assert deck.faces == ("A", "B")
    assert deck.all_cards == ("A", "A", "B")
    assert deck.size == 3
    assert deck.aspect == pytest.approx(1.51)
    assert not deck.half_turn_symmetric
    assert deck.back == tmp_path / "tiny" / "art" / "back.svg"
    assert deck.cards[1].art == tmp_path / "tiny" / "art" / "B.svg"


def test_a_deck_can_be_a_key(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", GOOD)
    assert {load_deck(folder): "found"}[load_deck(folder)] == "found"


def test_a_path_written_as_text_is_a_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", GOOD)
    assert load_deck(str(folder)).folder == folder


def test_the_french_deck_has_all_faces_and_no_pictures() -> None:
    deck = load_deck("french")
    expected = {f"{rank}{suit}" for rank in (*range(2, 11), "J", "Q", "K", "A") for suit in "CDHS"} | {"JK"}
    assert set(deck.faces) == expected
    assert len(deck.faces) == 53
    assert deck.size == 54
    assert deck.half_turn_symmetric
    assert deck.back is None
    assert {card.art for card in deck.cards} == {None}


def test_the_shipped_decks_are_found_by_name() -> None:
    assert {"fish", "french"} <= set(deck_names())


def test_a_deck_that_the_user_enrolled_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if not user_decks_dir().is_relative_to(tmp_path):  # other systems keep user data elsewhere
        monkeypatch.setattr(decks, "user_decks_dir", lambda: tmp_path / "decks")
    folder = write(decks.user_decks_dir() / "tiny", GOOD)
    assert "tiny" in deck_names()
    assert load_deck("tiny").folder == folder


@pytest.mark.parametrize("name", ["no-such-deck", "", "./no-such-deck"])
def test_an_unknown_deck_is_refused(name: str) -> None:
    with pytest.raises(DeckError, match=r"no deck") as caught:
        load_deck(name)
    assert caught.value.hint


def test_the_hint_for_an_unknown_name_lists_the_decks() -> None:
    with pytest.raises(DeckError) as caught:
        load_deck("fisch")
    assert "fish" in caught.value.hint
    assert "french" in caught.value.hint


def replaced(old: str, new: str) -> Callable[[], str]:
    """The good deck with one piece of text replaced."""
    assert old in GOOD
    return lambda: GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (replaced("[50, 75.5]", "[50, 75.5"), r"not valid TOML.*line"),
        (replaced("corner_radius_mm", "corner_radius"), r"'tiny' has an unknown key 'corner_radius'"),
        (replaced("count = 2", "number = 2"), r"card 1, has an unknown key 'number'"),
        (replaced('name = "tiny"\n', ""), r"lacks the key 'name'"),
        (replaced("half_turn_symmetric = false\n", ""), r"lacks the key 'half_turn_symmetric'"),
        (replaced("count = 1\n", ""), r"card 2, lacks the key 'count'"),
        (replaced('face = "B"', 'face = "A"'), r"lists the face A twice"),
        (replaced("count = 2", "count = 0"), r"card 1, has the count 0"),
        (replaced("count = 2", "count = true"), r"card 1, has the count True"),
        (replaced("count = 2", "count = 1.5"), r"card 1, has the count 1.5"),
        (replaced("art/A.svg", "art/C.svg"), r"'tiny' lists the face A but its picture .*C\.svg is missing"),
        (replaced("art/A.svg", "../../A.svg"), r"outside its folder"),
        (replaced('art = "art/B.svg"\n', ""), r"pictures for some cards but none for B"),
        (replaced('back = "art/back.svg"\n', ""), r"has pictures but no back"),
        (replaced("art/back.svg", "art/other.svg"), r"names the back .*other\.svg, but that file is missing"),
        (replaced("[50, 75.5]", "[50]"), r"size_mm = \[50\]"),
        (replaced("[50, 75.5]", "[50, 0]"), r"size_mm = \[50, 0\]"),
        (replaced("[50, 75.5]", '["50", 75]'), r"size_mm = '50'"),
        (replaced("corner_radius_mm = 3", "corner_radius_mm = -3"), r"corner_radius_mm = -3"),
        (replaced("corner_radius_mm = 3", "corner_radius_mm = nan"), r"corner_radius_mm = nan"),
        (replaced('de = "Winzig"', 'fr = "Petit"'), r"title, has an unknown key 'fr'"),
        (replaced('{ en = "Tiny", de = "Winzig" }', '"Tiny"'), r"title = 'Tiny'"),
        (replaced("half_turn_symmetric = false", 'half_turn_symmetric = "no"'), r"half_turn_symmetric = 'no'"),
        (replaced('face = "B"', 'face = ""'), r"face = ''"),
        (lambda: GOOD[: GOOD.index("[[cards]]")], r"lacks the key 'cards'"),
        (lambda: GOOD[: GOOD.index("[[cards]]")] + "cards = []\n", r"has no cards"),
        (lambda: GOOD[: GOOD.index("[[cards]]")] + 'cards = ["A"]\n', r"card 1, is not a section"),
    ],
)
def test_a_broken_deck_is_refused_with_a_sentence_and_a_hint(
    tmp_path: Path, text: Callable[[], str], message: str
) -> None:
    folder = write(tmp_path / "tiny", text())
    with pytest.raises(DeckError, match=message) as caught:
        load_deck(folder)
    assert caught.value.hint


def test_a_misspelt_key_is_corrected_in_the_hint(tmp_path: Path) -> None:
    with pytest.raises(DeckError) as caught:
        load_deck(write(tmp_path, GOOD.replace("size_mm", "size_mn")))
    assert "size_mm" in caught.value.hint


def test_a_deck_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "")
    (tmp_path / "deck.toml").write_bytes(b"name = \xff\xfe")
    with pytest.raises(DeckError, match="cannot be read"):
        load_deck(tmp_path)


def test_raster_has_the_height_the_aspect_and_the_transparency_of_the_picture(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    image = raster(tmp_path / "art" / "A.svg", 60)
    assert image.shape == (60, 30, 4)
    assert image.dtype == np.uint8
    assert image[30, 5].tolist() == [0, 0, 255, 255]
    assert image[30, 25, 3] == 0


def test_raster_does_not_multiply_colours_by_alpha(tmp_path: Path) -> None:
    file = tmp_path / "half.svg"
    file.write_text(SQUARE.replace('fill="#f00"', 'fill="#f00" opacity="0.5"'), encoding="utf-8")
    blue, green, red, alpha = raster(file, 40)[20, 5].tolist()
    assert (blue, green) == (0, 0)
    assert red >= 253
    assert 126 <= alpha <= 129


@pytest.mark.parametrize("content", [b"", b"<svg", b"\xff\xfe\x00"])
def test_a_picture_that_is_no_svg_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.svg"
    file.write_bytes(content)
    with pytest.raises(DeckError, match=r"broken\.svg cannot be drawn"):
        raster(file, 100)


def test_a_missing_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be drawn"):
        raster(tmp_path / "absent.svg", 100)
