"""Decks as data: one folder a deck, with `deck.toml` and, where there is printable art, one SVG for every face.

    name = "fish"                                # what commands and tables call it
    title = { en = "Fish", de = "Fische" }       # what people read
    size_mm = [63, 88]                           # width, height
    corner_radius_mm = 4
    half_turn_symmetric = false                  # true: a card turned by 180 degrees looks the same
    back = "art/back.svg"                        # needed as soon as a card has art

    [[cards]]
    face = "R2+B4+Y1"                            # the game's notation; unique in the deck
    count = 1                                    # how many such cards there are
    art = "art/R2+B4+Y1.svg"                     # for all cards of a deck or for none

Decks shipped with the project come before decks of the same name that the user has enrolled.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import platformdirs
import resvg_py

from vision.data import datasets_dir
from vision.errors import DeckError

__all__ = ["Card", "Deck", "deck_names", "load_deck", "raster", "user_decks_dir"]

_FILE = "deck.toml"
_REQUIRED = ("name", "title", "size_mm", "corner_radius_mm", "half_turn_symmetric", "cards")
_KEYS = (*_REQUIRED, "back")
_CARD_KEYS = ("face", "count", "art")
_FORMAT_HINT = "Compare it with a shipped deck, for example datasets/decks/fish/deck.toml."


@dataclass(frozen=True, slots=True)
class Card:
    """One face of a deck, how many cards carry it, and its picture if the deck can be printed."""

    face: str
    count: int
    art: Path | None


@dataclass(frozen=True)
class Deck:
    """A deck as its `deck.toml` describes it. `size_mm` is (width, height), `title` maps a language to a text."""

    name: str
    title: Mapping[str, str] = field(hash=False)
    size_mm: tuple[float, float]
    corner_radius_mm: float
    half_turn_symmetric: bool
    cards: tuple[Card, ...]
    back: Path | None
    folder: Path

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """The distinct faces, in the order of the file."""
        return tuple(card.face for card in self.cards)

    @cached_property
    def all_cards(self) -> tuple[str, ...]:
        """Every physical card's face: faces repeated by their count."""
        return tuple(card.face for card in self.cards for _ in range(card.count))

    @property
    def size(self) -> int:
        """Number of physical cards."""
        return len(self.all_cards)

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self.size_mm[1] / self.size_mm[0]


def user_decks_dir() -> Path:
    """Folder of the decks that the user has enrolled; it need not exist yet."""
    return platformdirs.user_data_path("wrongcard", appauthor=False) / "decks"


def deck_names() -> tuple[str, ...]:
    """Names of all decks that `load_deck` finds, sorted."""
    return tuple(sorted({file.parent.name for root in _roots() for file in root.glob(f"*/{_FILE}")}))


def load_deck(name_or_folder: str | Path) -> Deck:
    """Load a deck by its name, or from a folder when a path is given (`Path`, or text with a slash).

    Raises:
        DeckError: There is no such deck, or its file is damaged, incomplete or contradicts itself.
    """
    folder = _find(name_or_folder)
    file = folder / _FILE
    return _deck(_parse(file), folder)


def raster(path: Path, height_px: int) -> npt.NDArray[np.uint8]:
    """Draw an SVG at a height in pixels: (H, W, 4) uint8, BGRA, colours not multiplied by alpha.

    Raises:
        DeckError: The file cannot be read or is no SVG.
    """
    try:
        svg = path.read_text(encoding="utf-8")
        # System fonts take longer to load than a card takes to draw.
        png = resvg_py.svg_to_bytes(svg_string=svg, height=height_px, skip_system_fonts="<text" not in svg)
    except (OSError, ValueError) as error:
        raise DeckError(
            f"The picture {path} cannot be drawn: {error}", hint="Replace it with a complete SVG file."
        ) from error
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(image, np.uint8)


def _roots() -> tuple[Path, ...]:
    return (datasets_dir() / "decks", user_decks_dir())


def _find(name_or_folder: str | Path) -> Path:
    if isinstance(name_or_folder, Path) or any(sign in name_or_folder for sign in "/\\"):
        folder = Path(name_or_folder)
        if (folder / _FILE).is_file():
            return folder
        raise DeckError(f"There is no {_FILE} in the folder {folder}.", hint=_FORMAT_HINT)
    for root in _roots():
        if name_or_folder and (root / name_or_folder / _FILE).is_file():
            return root / name_or_folder
    raise DeckError(
        f"There is no deck '{name_or_folder}'.",
        hint=f"Known decks: {', '.join(deck_names())}. For a folder write its path, for example ./{name_or_folder}",
    )


def _parse(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DeckError(f"{file} is not valid TOML: {error}", hint="Mend the line that is named.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DeckError(f"{file} cannot be read: {error}", hint="Save it as UTF-8 text that you may read.") from error


def _deck(table: dict[str, object], folder: Path) -> Deck:
    name = _text(table, "name", f"The deck in {folder}")
    where = f"The deck '{name}'"
    _check_keys(table, (_KEYS, _REQUIRED), where)
    cards = _cards(table["cards"], where, folder)
    back = _inside(folder, _text(table, "back", where), where) if "back" in table else None
    _check_pictures(cards, back, where)
    return Deck(
        name=name,
        title=_title(table["title"], where),
        size_mm=_size(table["size_mm"], where),
        corner_radius_mm=_number(table["corner_radius_mm"], "corner_radius_mm", where),
        half_turn_symmetric=_flag(table, "half_turn_symmetric", where),
        cards=cards,
        back=back,
        folder=folder,
    )


def _cards(value: object, where: str, folder: Path) -> tuple[Card, ...]:
    if not isinstance(value, list) or not value:
        raise DeckError(f"{where} has no cards.", hint="Add a [[cards]] section with face and count for every face.")
    cards = tuple(_card(entry, f"{where}, card {index},", folder) for index, entry in enumerate(value, start=1))
    seen: set[str] = set()
    for card in cards:
        if card.face in seen:
            raise DeckError(
                f"{where} lists the face {card.face} twice.", hint="Keep one of them and raise its count instead."
            )
        seen.add(card.face)
    return cards


def _card(entry: object, where: str, folder: Path) -> Card:
    if not isinstance(entry, dict):
        raise DeckError(f"{where} is not a section.", hint="Write [[cards]] on a line of its own, then face and count.")
    _check_keys(entry, (_CARD_KEYS, ("face", "count")), where)
    count = entry["count"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise DeckError(f"{where} has the count {count!r}.", hint="A count is a whole number from 1 upwards.")
    art = _inside(folder, _text(entry, "art", where), where) if "art" in entry else None
    return Card(face=_text(entry, "face", where), count=count, art=art)


def _check_keys(table: Mapping[str, object], keys: tuple[tuple[str, ...], tuple[str, ...]], where: str) -> None:
    """Refuse unknown and missing keys; `keys` is (allowed, required)."""
    allowed, required = keys
    for key in table:
        if key not in allowed:
            close = difflib.get_close_matches(key, allowed, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else f"Known keys: {', '.join(allowed)}."
            raise DeckError(f"{where} has an unknown key '{key}'.", hint=hint)
    for key in required:
        if key not in table:
            raise DeckError(f"{where} lacks the key '{key}'.", hint=_FORMAT_HINT)


def _check_pictures(cards: tuple[Card, ...], back: Path | None, where: str) -> None:
    pictured = [card for card in cards if card.art is not None]
    if pictured and len(pictured) < len(cards):
        bare = next(card.face for card in cards if card.art is None)
        raise DeckError(
            f"{where} has pictures for some cards but none for {bare}.",
            hint="Give every card an 'art', or remove it everywhere.",
        )
    for card in pictured:
        if card.art is not None and not card.art.is_file():
            raise DeckError(
                f"{where} lists the face {card.face} but its picture {card.art} is missing.",
                hint="Put the file there or correct 'art' in deck.toml.",
            )
    if pictured and back is None:
        raise DeckError(f"{where} has pictures but no back.", hint='Add a line like back = "art/back.svg".')
    if back is not None and not back.is_file():
        raise DeckError(
            f"{where} names the back {back}, but that file is missing.",
            hint="Put the file there or correct 'back' in deck.toml.",
        )


def _inside(folder: Path, relative: str, where: str) -> Path:
    path = folder / relative
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DeckError(f"{where} names the picture '{relative}' outside its folder.", hint="Copy it into the folder.")
    return path


def _text(table: Mapping[str, object], key: str, where: str) -> str:
    if key not in table:
        raise DeckError(f"{where} lacks the key '{key}'.", hint=_FORMAT_HINT)
    value = table[key]
    if not isinstance(value, str) or not value.strip():
        raise DeckError(f"{where} has {key} = {value!r}.", hint=f'Write a text in quotes: {key} = "..."')
    return value


def _flag(table: Mapping[str, object], key: str, where: str) -> bool:
    value = table[key]
    if not isinstance(value, bool):
        raise DeckError(f"{where} has {key} = {value!r}.", hint="Write true or false, without quotes.")
    return value


def _number(value: object, key: str, where: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1000:
        raise DeckError(f"{where} has {key} = {value!r}.", hint="Write millimetres as a number from 0 to 1000.")
    return float(value)


def _size(value: object, where: str) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise DeckError(f"{where} has size_mm = {value!r}.", hint="Write width and height: size_mm = [63, 88]")
    width, height = (_number(side, "size_mm", where) for side in value)
    if min(width, height) == 0:
        raise DeckError(f"{where} has size_mm = {value!r}.", hint="Width and height are above zero.")
    return width, height


def _title(value: object, where: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise DeckError(f"{where} has title = {value!r}.", hint='Write title = { en = "...", de = "..." }')
    _check_keys(value, (("en", "de"), ("en", "de")), f"{where}, title,")
    return {language: _text(value, language, f"{where}, title,") for language in ("en", "de")}
