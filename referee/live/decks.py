"""`wrongcard deck`: which decks there are, and whether one is complete and can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.table import Table

from vision.decks import Card, Deck, deck_names, load_deck, raster
from vision.errors import DeckError
from vision.identify import CROP_WH, Identifier
from vision.sightings import Image
from vision.weights import manifest_names

__all__ = ["Checked", "check_deck", "deck_table"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a self-test found.

    looked_at  how many faces were shown to the identifier, None when no picture or no model is there to try it with
    misread    sentences about those that it took for others
    """

    deck: Deck
    looked_at: int | None
    misread: tuple[str, ...]


def deck_table(models: Path | None = None) -> Table:
    """All decks, with what each of them allows."""
    table = Table()
    for heading in ("deck", "name", "cards", "faces", "printable", "readable"):
        table.add_column(heading, justify="right" if heading in ("cards", "faces") else "left")
    known = manifest_names(models)
    for name in deck_names():
        deck = load_deck(name)
        printable = "yes" if all(card.art for card in deck.cards) else "no"
        readable = "yes" if f"identify-{deck.name}" in known else "not yet"
        table.add_row(deck.name, deck.title["en"], str(deck.size), str(len(deck.faces)), printable, readable)
    return table


def check_deck(name: str, models: Path | None = None) -> Checked:
    """Read a deck's folder, and show each of its printable faces to the identifier.

    Raises `DeckError` for a folder that is incomplete or contradicts itself, `ModelError` for a damaged model.
    """
    deck = load_deck(name)
    pictured = [card for card in deck.cards if card.art is not None]
    if not pictured or f"identify-{deck.name}" not in manifest_names(models):
        return Checked(deck, None, ())
    identifier = Identifier(deck.name, folder=models)
    _same_faces(deck, identifier)
    return Checked(deck, len(pictured), tuple(_misread(identifier, pictured)))


def _same_faces(deck: Deck, identifier: Identifier) -> None:
    strangers = sorted(set(deck.faces) ^ set(identifier.faces))
    if strangers:
        raise DeckError(
            f"The deck '{deck.name}' and its model do not have the same faces: {', '.join(strangers[:5])}.",
            hint="Train the model anew for this deck: wrongcard train identify --help",
        )


def _misread(identifier: Identifier, cards: list[Card]) -> Iterator[str]:
    readings = identifier.read(np.stack([_as_seen(card) for card in cards]))
    for card, reading in zip(cards, readings, strict=True):
        face, probability = reading.candidates[0]
        if face != card.face:
            yield f"{card.face} is taken for {face} ({probability:.2f})"


def _as_seen(card: Card) -> Image:
    """The printed face on white, as large as the identifier sees a straightened card."""
    if card.art is None:
        raise DeckError(f"The face {card.face} has no picture.", hint="Add an 'art' to it in deck.toml.")
    drawn = raster(card.art, 2 * CROP_WH[1]).astype(np.float32)
    alpha = drawn[:, :, 3:] / 255
    flat = drawn[:, :, :3] * alpha + 255 * (1 - alpha)
    return np.asarray(cv2.resize(flat.astype(np.uint8), CROP_WH, interpolation=cv2.INTER_AREA), np.uint8)
