"""Cutting card pictures out of the packages: 52 faces, jokers and backs of each deck.

Faces are named rank and suit (`AS`, `10H`), jokers `JK1` and `JK2`, backs `back`, `back2` and so on.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from vision.errors import TeachingError
from vision.teaching.assets.card_edges import CARD_HEIGHT_PX, finish_card, outline_width_px, trim_margin
from vision.teaching.assets.packages import Source
from vision.teaching.assets.picture_files import write_picture

__all__ = [
    "RANKS",
    "SUITS",
    "DeckArt",
    "cut_islands",
    "cut_sheet",
    "faces_of_sheet",
    "rasterise",
    "read_svg",
    "write_deck",
]

_LOG = logging.getLogger(__name__)

Image = NDArray[np.uint8]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
# Rendered larger than kept: the outline falls away and the rest is scaled down smoothly.
_RENDER_HEIGHT_PX = CARD_HEIGHT_PX + 60


@dataclass(frozen=True, slots=True)
class DeckArt:
    """A deck and its art.

    `family` joins decks that share their court pictures, `letters` is the language of the indices, `reserved` art is
    kept for measuring and never learnt from. `margin` is paper added around the art, in card heights.
    """

    name: str
    family: str
    letters: str = "en"
    four_colour: bool = False
    reserved: bool = False
    margin: float = 0.0


def read_svg(path: Path) -> str:
    """The text of an SVG file, also of a compressed one (`.svgz`)."""
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".svgz" else raw).decode("utf-8")


def rasterise(svg: str, *, height_px: int, fonts: Path | None = None) -> Image:
    """The drawing as BGRA of that height; `fonts` is the folder whose fonts its texts may use.

    Raises:
        TeachingError: the drawing cannot be read.
    """
    folders = [] if fonts is None else [str(fonts)]
    try:
        png = resvg_py.svg_to_bytes(
            svg_string=svg, height=height_px, dpi=96.0, skip_system_fonts=True, font_dirs=folders
        )
    except ValueError as error:
        raise TeachingError(f"A card drawing cannot be rendered: {error}") from error
    picture = cv2.imdecode(np.frombuffer(bytes(png), dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise TeachingError("A card drawing was rendered to something that is no PNG picture.")
    return np.asarray(picture, dtype=np.uint8)


def cut_sheet(sheet: Image, *, columns: int, rows: int) -> list[list[Image]]:
    """The cells of a regular grid, row by row."""
    height, width = sheet.shape[:2]
    x_px = [round(i * width / columns) for i in range(columns + 1)]
    y_px = [round(i * height / rows) for i in range(rows + 1)]
    return [[sheet[top:bottom, left:right] for left, right in pairwise(x_px)] for top, bottom in pairwise(y_px)]


def cut_islands(sheet: Image) -> list[list[Image]]:
    """The cards of a sheet that lie apart from each other, row by row from the left."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats((sheet[..., 3] > 128).astype(np.uint8))
    # The first is the ground. Letters and empty frames beside the cards fill too little.
    large = boxes[1:][boxes[1:, 4] > 0.5 * np.max(boxes[1:, 4])]
    rows: list[list[tuple[int, ...]]] = []
    for box in sorted(large.tolist(), key=lambda each: each[1]):
        if rows and box[1] < rows[-1][0][1] + rows[-1][0][3] / 2:
            rows[-1].append(tuple(box))
        else:
            rows.append([tuple(box)])
    return [[sheet[y : y + h, x : x + w] for x, y, w, h, _ in sorted(row)] for row in rows]


def faces_of_sheet(svg: str, *, fonts: Path | None = None) -> dict[str, Image]:
    """The cards of a GNOME sheet: rows clubs, diamonds, hearts, spades from ace to king; then jokers and backs."""
    cells = cut_sheet(rasterise(svg, height_px=5 * _RENDER_HEIGHT_PX, fonts=fonts), columns=13, rows=5)
    faces = {
        rank + suit: cell
        for suit, row in zip(SUITS, cells, strict=False)
        for rank, cell in zip(RANKS, row, strict=True)
    }
    extras = zip(("JK1", "JK2", "back", "back2"), cells[4], strict=False)
    return faces | {name: cell for name, cell in extras if np.mean(cell[..., 3]) > 128}


def write_deck(folder: Path, art: DeckArt, faces: Mapping[str, Image], source: Source) -> None:
    """Write a finished picture of each face and, last, `deck.json`: a folder with it is complete.

    Raises:
        TeachingError: a face of the 52 is missing.
    """
    missing = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in faces]
    if missing:
        raise TeachingError(f"{source.package.name}: deck {art.name} lacks {', '.join(missing)}.")
    folder.mkdir(parents=True, exist_ok=True)
    trimmed = {name: trim_margin(face) for name, face in faces.items()}
    outline_px = outline_width_px(trimmed[rank + suit] for suit in SUITS for rank in ("2", "3"))
    for name, face in trimmed.items():
        write_picture(folder / f"{name}.png", finish_card(face, outline_px=outline_px, margin=art.margin))
    facts = {
        "family": art.family,
        "source": source.as_record(),
        "licence": source.package.licence,
        "reserved": art.reserved,
        "letters": art.letters,
        "four_colour": art.four_colour,
    }
    (folder / "deck.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    _LOG.info("deck %s: %d pictures, outline %d px", art.name, len(faces), outline_px)
