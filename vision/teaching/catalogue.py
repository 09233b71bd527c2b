"""The pictures a scene refers to by key, loaded when needed.

Keys:  `decks/<deck>/<FACE>.png`  art fetched from packages (see `vision.teaching.assets`), never committed
       `own/<deck>/<FACE>`        art of a deck of this project, drawn from its SVG
       `invented/<front|back>/<seed>`  cards of no existing deck
       `plain/<b>-<g>-<r>`, `cloth/<seed>`  surfaces made here;  anything else: a file in the assets folder
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.decks import Deck, raster
from vision.errors import TeachingError
from vision.teaching.inventing import invent_card, invent_cloth, invent_thing
from vision.teaching.layers import Bytes, premultiply

__all__ = ["ART_HEIGHT_PX", "Catalogue", "FrenchDeck", "face_of"]

ART_HEIGHT_PX = 500
_KEEP = 500
"""Pictures kept in memory: about 1 MB each."""


def face_of(key: str) -> str | None:
    """The face that the art `key` shows: `JK` for every joker; None for a back."""
    stem = key.rsplit("/", 1)[-1].removesuffix(".png")
    if stem.startswith("back") or key.startswith("invented/back"):
        return None
    return "JK" if stem.startswith("JK") else stem


@dataclass(frozen=True, slots=True)
class FrenchDeck:
    """Fetched art of one design: keys of its faces and of its backs."""

    name: str
    family: str
    reserved: bool
    fronts: tuple[str, ...]
    backs: tuple[str, ...]


@dataclass(slots=True)
class Catalogue:
    """All pictures in an assets folder plus the art of this project's own decks.

    `reserved` False hides the decks that are kept for tests; True shows only them.
    """

    folder: Path
    own_decks: tuple[Deck, ...] = ()
    reserved: bool = False
    _memory: OrderedDict[str, Bytes] = field(default_factory=OrderedDict)

    def french_decks(self) -> tuple[FrenchDeck, ...]:
        """The fetched decks, in order of their names."""
        found = []
        for path in sorted((self.folder / "decks").glob("*/deck.json")):
            about = json.loads(path.read_text())
            if bool(about.get("reserved", False)) is not self.reserved:
                continue
            name = path.parent.name
            files = [f"decks/{name}/{file.name}" for file in sorted(path.parent.glob("*.png"))]
            fronts = tuple(key for key in files if face_of(key) is not None)
            backs = tuple(key for key in files if face_of(key) is None)
            found.append(FrenchDeck(name, about.get("family", name), self.reserved, fronts, backs))
        if not found:
            raise TeachingError(
                f"There is no card art in {self.folder / 'decks'}.",
                hint="Fetch it first: wrongcard render --assets FOLDER --prepare",
            )
        return tuple(found)

    def files(self, kind: str, suffixes: tuple[str, ...] = (".jpg", ".png")) -> tuple[str, ...]:
        """Keys of all pictures below the subfolder `kind`."""
        root = self.folder / kind
        return tuple(str(path.relative_to(self.folder)) for path in sorted(root.rglob("*")) if path.suffix in suffixes)

    def art(self, key: str) -> Bytes:
        """The picture (h, w, 4) of one card side, colours premultiplied."""
        if key.startswith("own/"):
            return self._remember(key, lambda: premultiply(self._own_art(key)))
        if key.startswith("invented/"):
            _, side, seed = key.split("/")
            return self._remember(key, lambda: premultiply(invent_card(side, int(seed))))
        return self._remember(key, lambda: premultiply(self._load(key, cv2.IMREAD_UNCHANGED)))

    def sprite(self, key: str) -> Bytes:
        """The cut-out (h, w, 4) of a hand, cup or coin, colours premultiplied."""
        return self._remember(key, lambda: premultiply(self._load(key, cv2.IMREAD_UNCHANGED)))

    def surface(self, key: str) -> Bytes:
        """The tile (h, w, 3) of a table top or the photograph of a background."""
        if key.startswith("plain/"):
            colour = [int(part) for part in key.split("/")[1].split("-")]
            return np.full((64, 64, 3), colour, np.uint8)
        if key.startswith("cloth/"):
            return self._remember(key, lambda: invent_cloth(int(key.split("/")[1])))
        return self._remember(key, lambda: self._load(key, cv2.IMREAD_COLOR))

    def thing(self, kind: str, colour: tuple[float, float, float], picture: str | None) -> Bytes:
        """The picture (h, w, 4) of a flat thing on the table, colours premultiplied."""
        content = None if picture is None else self.surface(picture)
        return premultiply(invent_thing(kind, colour, content))

    def _own_art(self, key: str) -> Bytes:
        _, deck_name, face = key.split("/")
        deck = next(deck for deck in self.own_decks if deck.name == deck_name)
        path = deck.back if face == "back" else next(card.art for card in deck.cards if card.face == face)
        if path is None:
            raise TeachingError(f"The deck '{deck_name}' has no picture of {face}.", hint="Choose a deck with art.")
        return raster(path, ART_HEIGHT_PX)

    def _load(self, key: str, flags: int) -> Bytes:
        picture = cv2.imread(str(self.folder / key), flags)
        if picture is None:
            raise TeachingError(f"The picture {self.folder / key} cannot be read.", hint="Delete it and fetch again.")
        if flags == cv2.IMREAD_UNCHANGED and picture.shape[2:] != (4,):
            picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        return np.asarray(picture, np.uint8)

    def _remember(self, key: str, make: Callable[[], Bytes]) -> Bytes:
        if key in self._memory:
            self._memory.move_to_end(key)
            return self._memory[key]
        picture = self._memory[key] = make()
        if len(self._memory) > _KEEP:
            self._memory.popitem(last=False)
        return picture
