"""What watches a table: the eyes for a deck, and a watcher with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from vision.changes import Change, Notice
from vision.decks import load_deck
from vision.eyes import Eyes, open_eyes
from vision.recording import Recording
from vision.sightings import Frame, Image, Sighting
from vision.watch import Watcher
from vision.zones import Zones

__all__ = ["TableEyes", "Watches", "table_eyes", "watcher_for", "watchers"]

FRAME_LONG_SIDE = 640
"""At this size a whole table is looked at; what is smaller is a part of one."""
PART_LONG_SIDES = (144, 160)
"""At these sizes a part of it is, such as the surroundings of a pile, of which a card fills about half: the locator
knows cards best that are 40 to 100 px tall. What it misses at one size it finds at the other; both together take a few
milliseconds."""


class Watches(Protocol):
    """Frames in, changes out; `vision.watch.Watcher` does this."""

    def see(self, frame: Frame) -> tuple[Change, ...]:
        """The changes that have become clear with this frame."""

    def finish(self) -> tuple[Change, ...]:
        """The changes that the end of the pictures makes clear."""

    def take_notices(self) -> tuple[Notice, ...]:
        """What troubles the eyes since the last call."""


class TableEyes:
    """Eyes over one table, which look at the whole and at its parts in the size that suits each."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """All cards in `image` (H, W, 3), best located first."""
        longer = max(image.shape[:2])
        self._eyes.locator.long_sides = (FRAME_LONG_SIDE,) if longer >= FRAME_LONG_SIDE else PART_LONG_SIDES
        return self._eyes.look(image)


def table_eyes(deck: str, models: Path | None = None) -> TableEyes:
    """Eyes that read `deck`, with the weights in the folder `models`, or else the shipped ones.

    Raises `DeckError` or `ModelError` with what is missing.
    """
    return TableEyes(open_eyes(load_deck(deck).name, models=models))


def watchers(deck: str, zones: Zones, models: Path | None = None) -> Callable[[], Watcher]:
    """Makes watchers of a table where `deck` is played; the eyes are opened once, here. Raises like `table_eyes`."""
    eyes = table_eyes(deck, models)
    twins = frozenset(card.face for card in load_deck(deck).cards if card.count > 1)
    return lambda: Watcher(eyes, zones, twins=twins)


def watcher_for(recording: Recording, models: Path | None = None) -> Watcher:
    """A watcher for one recording. Raises like `table_eyes`."""
    return watchers(recording.table.deck, recording.table.zones, models)()
