"""Which decks lie in which package, and how to get their 52 faces, jokers and backs out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import TeachingError
from vision.teaching.assets.card_edges import finish_card, trim_margin
from vision.teaching.assets.french_decks import (
    RANKS,
    SUITS,
    DeckArt,
    cut_islands,
    faces_of_sheet,
    rasterise,
    read_svg,
    write_deck,
)
from vision.teaching.assets.packages import Package, unpacked
from vision.teaching.assets.picture_files import write_picture

__all__ = [
    "DECK_PARTS",
    "coloured_backs",
    "gnome_decks",
    "kde_decks",
    "kennard_decks",
    "knoll_deck",
    "younestouati_deck",
]

Image = NDArray[np.uint8]

_GNOME = Package("debian", "gnome-cards-data", "1:3.22.23-1", "GPL-3+")
_FONTS = Package("debian", "fonts-dejavu-core", "2.37-6", "Bitstream Vera")
_KDE = Package("debian", "kdegames-card-data-kf5", "4:22.12.3-1", "GPL-2+, penguins GPL-3+")
_KENNARD = Package("npm", "@heruka_urgyen/react-playing-cards", "0.5.0", "MIT, art CC0-1.0")
_AGUILAR = Package("npm", "@younestouati/playing-cards-standard-deck", "3.0.0", "LGPL-3.0")
_SVG_CARDS = Package("npm", "svg-cards", "4.0.2", "LGPL-2.1")
_KNOLL = Package("pypi", "blackjack-gui", "1.8.1", "MIT")

# Left out: swiss-xvii (Swiss suits), tango_nuevo (number cards do not show their number of pips).
_GNOME_DECKS = (
    DeckArt("ancient_french", "ancient-french", letters="fr"),
    DeckArt("anglo", "anglo"),
    DeckArt("anglo_bitmap", "anglo"),
    DeckArt("anglo_modern", "anglo-modern"),
    DeckArt("anglo_modern_4_color", "anglo-modern", four_colour=True),
    DeckArt("anglo_poker", "anglo-poker"),
    DeckArt("atlasnye", "atlasnye"),
    DeckArt("atlasnye_skat", "atlasnye", letters="de", four_colour=True),
    DeckArt("Атласные", "atlasnye", letters="ru"),
    DeckArt("bellot", "bellot"),
    DeckArt("berlin", "berlin", letters="de"),
    DeckArt("dondorf", "dondorf"),
    DeckArt("gnomangelo", "anglo"),
    DeckArt("gnomangelo_bitmap", "anglo"),
    DeckArt("guyenne-classic", "guyenne"),
    DeckArt("lattmann", "lattmann", letters="de"),
    DeckArt("neoclassical", "neoclassical"),
    DeckArt("neoclassical_4_color", "neoclassical", four_colour=True),
    DeckArt("orell", "orell"),
    DeckArt("ornamental", "ornamental", reserved=True),
    DeckArt("paris", "paris"),
    DeckArt("plastic", "plastic"),
    DeckArt("rheinland", "rheinland", letters="de"),
    DeckArt("simplistic", "simplistic"),
    DeckArt("slavic_costumes", "slavic-costumes", letters="ru"),
    DeckArt("tango", "tango"),
    DeckArt("tarocco", "tarocco", letters="it"),
    DeckArt("tigullio", "tigullio"),
)
# Folder names are ASCII, so that every file system and shell can hold them.
_GNOME_FOLDERS = {"Атласные": "gnome_atlasnye_ru"}

_KENNARD_DECKS = {
    "2color": DeckArt("kennard", "kennard"),
    "2color-bf": DeckArt("kennard_big", "kennard"),
    "4color": DeckArt("kennard_four", "kennard", four_colour=True),
    "4color-bf": DeckArt("kennard_four_big", "kennard", four_colour=True),
}
# Sheets of KDE on which the cards lie apart: row by row, the faces from the left; `-` is no card of the deck.
_KDE_LAYOUTS: Mapping[str, tuple[DeckArt, tuple[str, ...]]] = {
    "svg-jolly-royal/jolly-royal.svgz": (
        DeckArt("kde_jolly_royal", "jolly-royal"),
        (*(" ".join(rank + suit for rank in RANKS) for suit in "CHDS"), "- back"),
    ),
    "svg-ancient-egyptians/Ancient_Egyptians.svgz": (
        DeckArt("kde_ancient_egyptians", "ancient-egyptians"),
        (*(" ".join(rank + suit for rank in RANKS if rank != "10") for suit in "DHSC"), "back - 10D 10H 10S 10C"),
    ),
    "svg-penguins/penguins.svgz": (
        DeckArt("kde_penguins", "penguins", margin=0.02),
        tuple(" ".join(rank + suit for rank in ("A", *reversed(RANKS[1:]))) for suit in "CSHD"),
    ),
}
_SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_COURT_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_BACK_INKS = ("black", "#a3161f", "#1d3f8f", "#17603a")
_SVG_HEIGHT_PX = 560
_KDE_SHEET_PX = 4200
_SVG_CARDS_OUTLINE_PX = 4


def gnome_decks(folder: Path, cache: Path) -> list[dict[str, str]]:
    """The French-suited decks of GNOME's card games, each one sheet of 13 x 5 cells."""
    source, fonts = unpacked(_GNOME, cache), unpacked(_FONTS, cache)
    sheets = source.folder / "usr/share/aisleriot/cards"
    for art in _GNOME_DECKS:
        home = folder / "decks" / _GNOME_FOLDERS.get(art.name, f"gnome_{art.name}")
        if not (home / "deck.json").is_file():
            svg = read_svg(sheets / f"{art.name}.svgz")
            write_deck(home, art, faces_of_sheet(svg, fonts=fonts.folder), source)
    return [source.as_record(), fonts.as_record()]


def kde_decks(folder: Path, cache: Path) -> list[dict[str, str]]:
    """Three French-suited decks of KDE's card games that GNOME does not have.

    Raises:
        TeachingError: a sheet has other cards than it had.
    """
    source = unpacked(_KDE, cache)
    for name, (art, layout) in _KDE_LAYOUTS.items():
        home = folder / "decks" / art.name
        if not (home / "deck.json").is_file():
            svg = read_svg(source.folder / "usr/share/carddecks" / name)
            rows = cut_islands(rasterise(svg, height_px=_KDE_SHEET_PX))
            if [len(row) for row in rows] != [len(names.split()) for names in layout]:
                raise TeachingError(f"The sheet {name} of {source.package.name} {source.version} has changed.")
            named = zip(" ".join(layout).split(), [card for row in rows for card in row], strict=True)
            write_deck(home, art, {face: card for face, card in named if face != "-"}, source)
    return [source.as_record()]


def kennard_decks(folder: Path, cache: Path) -> list[dict[str, str]]:
    """Adrian Kennard's deck with normal and big indices, in two and four colours."""
    source = unpacked(_KENNARD, cache)
    images = source.folder / "package/src/images"
    for style, art in _KENNARD_DECKS.items():
        home = folder / "decks" / art.name
        if not (home / "deck.json").is_file():
            files = {r + s: images / style / f"{'T' if r == '10' else r}{s}.svg" for s in SUITS for r in RANKS}
            faces = _drawn(files | {"JK1": images / style / "2J.svg"})
            write_deck(home, art, faces | _kennard_backs(read_svg(images / "back.svg")), source)
    return [source.as_record()]


def younestouati_deck(folder: Path, cache: Path) -> list[dict[str, str]]:
    """The deck drawn after Aguilar's, reserved for measuring. Its back file holds no card back and is left out."""
    source = unpacked(_AGUILAR, cache)
    home, cards = folder / "decks" / "aguilar", source.folder / "package/cards"
    if not (home / "deck.json").is_file():
        files = {r + s: cards / f"{number}{s.lower()}.svg" for s in SUITS for number, r in enumerate(RANKS, 1)}
        art = DeckArt("aguilar", "aguilar", reserved=True)
        write_deck(home, art, _drawn(files | {"JK1": cards / "joker.svg"}), source)
    return [source.as_record()]


def coloured_backs(folder: Path, cache: Path) -> list[dict[str, str]]:
    """Sixteen more colours for the back of the deck `gnome_bellot`, whose art this package shares.

    Raises:
        TeachingError: that deck is not there yet.
    """
    source = unpacked(_SVG_CARDS, cache)
    home = folder / "decks" / "gnome_bellot"
    if not (home / "deck.json").is_file():
        raise TeachingError("The deck gnome_bellot is not prepared yet.", hint="Prepare decks/gnome first.")
    backs = sorted((source.folder / "package/png/2x").glob("back-*.png"))
    for number, path in enumerate(backs, 2):
        back = finish_card(trim_margin(_with_alpha(path)), outline_px=_SVG_CARDS_OUTLINE_PX)
        write_picture(home / f"back{number}.png", back)
    return [source.as_record()]


def knoll_deck(folder: Path, cache: Path) -> list[dict[str, str]]:
    """The deck of blackjack-gui (Byron Knoll's art), reserved for measuring."""
    source = unpacked(_KNOLL, cache)
    home, images = folder / "decks" / "knoll", source.folder / "blackjack_gui/images"
    if not (home / "deck.json").is_file():
        files = {r + s: images / _knoll_file(r, s) for s in SUITS for r in RANKS}
        files |= {"JK1": images / "black_joker.png", "JK2": images / "red_joker.png", "back": images / "back.png"}
        faces = {name: _with_alpha(path) for name, path in files.items()}
        # Its indices touch the very edge, as no printed card's do.
        write_deck(home, DeckArt("knoll", "knoll", reserved=True, margin=0.02), faces, source)
    return [source.as_record()]


def _kennard_backs(svg: str) -> dict[str, Image]:
    """The one-coloured back in black and, as printed decks have it, in other inks."""
    names = ("back", "back2", "back3", "back4")
    inks = {name: svg.replace('fill="black"', f'fill="{ink}"') for name, ink in zip(names, _BACK_INKS, strict=True)}
    return {name: rasterise(inked, height_px=_SVG_HEIGHT_PX) for name, inked in inks.items()}


def _knoll_file(rank: str, suit: str) -> str:
    # The plain court files show one big pip; the pictures of the courts are the second version.
    version = "2" if rank in {"J", "Q", "K"} else ""
    return f"{_COURT_WORDS.get(rank, rank)}_of_{_SUIT_WORDS[suit]}{version}.png"


def _drawn(files: Mapping[str, Path]) -> dict[str, Image]:
    return {name: rasterise(read_svg(path), height_px=_SVG_HEIGHT_PX) for name, path in files.items()}


def _with_alpha(path: Path) -> Image:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise TeachingError(f"The card picture {path} cannot be read.", hint="Delete the cache folder and try again.")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return np.asarray(picture, dtype=np.uint8)


DECK_PARTS: dict[str, Callable[[Path, Path], list[dict[str, str]]]] = {
    "gnome": gnome_decks,
    "kde": kde_decks,
    "kennard": kennard_decks,
    "aguilar": younestouati_deck,
    "knoll": knoll_deck,
    "coloured-backs": coloured_backs,
}
