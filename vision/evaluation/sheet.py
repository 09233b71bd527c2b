"""A contact sheet of the pictures with the most mistakes: where the eyes look wrong, and how."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.errors import TeachingError
from vision.evaluation.metrics import CardResult, PictureResult
from vision.evaluation.photographs import read_picture
from vision.geometry import Floats
from vision.sightings import Image

__all__ = ["mistakes", "worst", "write_sheet"]

TILE_WH = (480, 360)
CAPTION_PX = 26
COLUMNS = 4
MOST = 24
MISSED, FALSE, RIGHT, MISNAMED, UNJUDGED = (40, 40, 230), (0, 150, 255), (70, 190, 60), (210, 60, 190), (150, 150, 150)
"""Red, orange, green, violet, grey (a stray where not every card is labelled); blue, green, red."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def mistakes(result: PictureResult) -> int:
    """Missed, misnamed and, where every card is labelled, falsely found cards of a picture."""
    missed = sum(card.sighting is None for card in result.cards)
    misnamed = sum(card.misnamed for card in result.cards)
    return missed + misnamed + (len(result.strays) if result.complete else 0)


def worst(results: Sequence[PictureResult], most: int = MOST) -> tuple[PictureResult, ...]:
    """The pictures with mistakes, most mistakes first, at most `most`."""
    ordered = sorted(results, key=lambda result: (-mistakes(result), result.path.name))
    return tuple(result for result in ordered[:most] if mistakes(result))


def write_sheet(results: Sequence[PictureResult], path: Path, *, most: int = MOST) -> int:
    """Write the worst pictures of `results` side by side; returns how many they are.

    Red: missed; orange: found where nothing is; green: right; violet: found, but misnamed; grey: cannot be judged.
    """
    shown = worst(results, most)
    tiles = [_tile(result) for result in shown] or [_blank("no mistakes")]
    columns = min(COLUMNS, len(tiles))
    tiles += [_blank("")] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    _write(path, np.vstack(rows))
    return len(shown)


def _write(path: Path, sheet: Image) -> None:
    try:
        _, data = cv2.imencode(path.suffix, sheet, [cv2.IMWRITE_JPEG_QUALITY, 88])
        path.write_bytes(data.tobytes())
    except cv2.error as error:
        raise TeachingError(f"'{path.name}' is no name of a picture.", hint="Let it end with .jpg or .png.") from error
    except OSError as error:
        raise TeachingError(f"{path} cannot be written: {error.strerror}.", hint="Choose another folder.") from error


def _blank(caption: str) -> Image:
    tile = np.full((TILE_WH[1] + CAPTION_PX, TILE_WH[0], 3), 24, np.uint8)
    cv2.putText(tile, caption, (6, CAPTION_PX - 8), _FONT, 0.5, (235, 235, 235), 1, cv2.LINE_AA)
    return tile


def _tile(result: PictureResult) -> Image:
    """The picture, fitted into a tile, with outlines of all labels and finds."""
    picture = read_picture(result.path)
    factor = min(TILE_WH[0] / picture.shape[1], TILE_WH[1] / picture.shape[0])
    size = (math.floor(picture.shape[1] * factor), math.floor(picture.shape[0] * factor))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    for card in result.cards:
        _draw_card(small, card, factor)
    for stray in result.strays:
        _outline(small, stray.quad_px * factor, FALSE if result.complete else UNJUDGED, stray.face or "")
    tile = _blank(f"{result.path.name}: {mistakes(result)} mistakes")
    tile[CAPTION_PX : CAPTION_PX + size[1], : size[0]] = small
    return tile


def _draw_card(image: Image, card: CardResult, factor: float) -> None:
    if card.sighting is None:
        x0, y0, x1, y1 = card.label.box_xyxy
        box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        quad = box if card.label.quad_px is None else card.label.quad_px
        name = card.label.text.removeprefix("rank:")
        _outline(image, quad * factor, MISSED, "" if ":" in name else name)
    elif card.misnamed:
        _outline(image, card.sighting.quad_px * factor, MISNAMED, f"{card.sighting.face} is {card.label.text}")
    else:
        _outline(image, card.sighting.quad_px * factor, RIGHT, card.sighting.face or "")


def _outline(image: Image, quad: Floats, colour: tuple[int, int, int], text: str) -> None:
    cv2.polylines(image, [np.round(quad * 16).astype(np.int32)], True, colour, 2, cv2.LINE_AA, shift=4)
    x, y = np.round(quad.mean(axis=0)).astype(int)
    if text:
        place = (int(x) - 4 * len(text), int(y))
        cv2.putText(image, text, place, _FONT, 0.45, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(image, text, place, _FONT, 0.45, colour, 1, cv2.LINE_AA)
