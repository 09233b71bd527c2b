"""Labelled photographs: reading their index, looking at each, and putting the figures together.

`index.json` is a list of `{file, width, height, game, complete, cards: [{label, box, quad, kind, labelled_by}]}`;
`file` lies beside the index and its prefix (`edje` of `edje-001.jpg`) is the group, `box` is [x0, y0, x1, y1],
`quad` four [x, y] or null, all in pixels; further keys are left alone.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from vision.changes import Looks
from vision.errors import CameraError, TeachingError
from vision.evaluation.metrics import Label, PictureResult, Score, compare, rank_and_suit, score
from vision.geometry import Floats
from vision.sightings import Image

__all__ = ["Photograph", "Report", "evaluate_photographs", "read_index", "read_picture"]

logger = logging.getLogger(__name__)

KINDS = ("card", "visible", "amodal")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
TYPED_TOLERANCE_PX = 15.0
"""How exact labels are that somebody has typed in (`labelled_by` is `hand`)."""
ROUNDING_PX = 1.0
_FORMAT_HINT = "Compare it with the description at the top of vision/evaluation/photographs.py."
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """One entry of the index. `complete`: every card in the picture is labelled."""

    path: Path
    size_wh: tuple[int, int]
    complete: bool
    labels: tuple[Label, ...]

    @property
    def group(self) -> str:
        """The part of the file's name before its number."""
        return self.path.stem.rsplit("-", 1)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Figures of each group and, last, of `all`; and what became of every picture."""

    index: Path
    scores: tuple[Score, ...]
    pictures: tuple[PictureResult, ...]


def evaluate_photographs(index: Path, eyes: Looks) -> Report:
    """Look at every photograph of the index with `eyes` and compare.

    Raises:
        TeachingError: The index is missing, broken or at odds with its pictures.
        CameraError: A picture cannot be read.
    """
    photographs = read_index(index)
    results: list[tuple[str, PictureResult]] = []
    for number, photograph in enumerate(photographs, start=1):
        results.append((photograph.group, _evaluate(photograph, eyes)))
        if number % 50 == 0 or number == len(photographs):
            logger.info("looked at %d of %d photographs", number, len(photographs))
    groups = dict.fromkeys(group for group, _ in results)
    scores = [score(group, [result for of, result in results if of == group]) for group in groups]
    everything = tuple(result for _, result in results)
    return Report(index, (*scores, score("all", everything)), everything)


def _evaluate(photograph: Photograph, eyes: Looks) -> PictureResult:
    image = read_picture(photograph.path)
    found_wh = (image.shape[1], image.shape[0])
    if found_wh != photograph.size_wh:
        raise TeachingError(
            f"{photograph.path} has {found_wh[0]}×{found_wh[1]} pixels, but its labels were made for "
            f"{photograph.size_wh[0]}×{photograph.size_wh[1]}.",
            hint="Put the original picture back, or label the new one.",
        )
    cards, strays = compare(photograph.labels, eyes.look(image), photograph.size_wh)
    return PictureResult(photograph.path, photograph.complete, cards, strays)


def read_picture(path: Path) -> Image:
    """A picture file as (H, W, 3) BGR, turned as its camera says.

    Raises CameraError when there is no such file or it is no whole picture.
    """
    if not path.is_file():
        raise CameraError(f"There is no picture {path}.", hint="Check the name and the folder.")
    data = path.read_bytes()
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data and not _is_cut_off(data) else None
    if image is None:
        raise CameraError(
            f"{path} cannot be read as a picture.", hint="Take it again or copy it anew, as JPEG, PNG or WebP."
        )
    return np.asarray(image, np.uint8)


def _is_cut_off(data: bytes) -> bool:
    """Whether the end of a JPEG is missing: OpenCV would paint the rest grey and say nothing.

    The end mark is looked for behind the headers, whose thumbnails have one of their own.
    """
    position = 2
    if not data.startswith(b"\xff\xd8\xff"):
        return False
    while data[position : position + 1] == b"\xff" and data[position + 1 : position + 2] != b"\xda":
        position += 2 + max(int.from_bytes(data[position + 2 : position + 4]), 2)
    return data.find(b"\xff\xd9", position) < 0


def read_index(index: Path) -> tuple[Photograph, ...]:
    """The photographs of an index, checked; raises TeachingError with the first thing that is wrong."""
    if not index.is_file():
        raise TeachingError(f"There is no list of photographs at {index}.", hint="Name the index.json of a folder.")
    try:
        entries = json.loads(index.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TeachingError(f"{index} is not valid JSON: {error}", hint="Mend the place that is named.") from error
    if not isinstance(entries, list) or not entries:
        raise TeachingError(f"{index} lists no photographs.", hint=_FORMAT_HINT)
    return tuple(_photograph(entry, index, number) for number, entry in enumerate(entries, start=1))


def _photograph(entry: object, index: Path, number: int) -> Photograph:
    where = f"{index}, photograph {number}"
    name = _value(entry, "file", str, where)
    where = f"{index}, {name},"
    path = index.parent / name
    if not path.is_file():
        raise TeachingError(f"{index} lists {name}, but that picture is missing.", hint=f"Put it into {index.parent}.")
    size = (_value(entry, "width", int, where), _value(entry, "height", int, where))
    game = _value(entry, "game", str, where)
    complete = _optional(entry, "complete", bool, where)
    cards = _value(entry, "cards", list, where)
    labels = tuple(_label(card, game, size, f"{where} card {n}") for n, card in enumerate(cards, start=1))
    return Photograph(path, size, bool(complete), labels)


def _label(entry: object, game: str, size_wh: tuple[int, int], where: str) -> Label:
    text = _value(entry, "label", str, where)
    rank, suit = rank_and_suit(text)
    if game == "standard" and (rank not in RANKS or not (suit or text.startswith("rank:"))):
        raise TeachingError(f"{where} has the label '{text}'.", hint="Write rank and suit (10H, AS) or rank:K.")
    kind = _value(entry, "kind", str, where)
    if kind not in KINDS:
        raise TeachingError(f"{where} is of the kind '{kind}'.", hint=f"There are: {', '.join(KINDS)}.")
    box = _numbers(_value(entry, "box", list, where), (4,), f"{where}, box")
    if (box[:2] >= box[2:]).any():
        raise TeachingError(f"{where} has an empty box {box.tolist()}.", hint="Write left, top, right, bottom.")
    corners = _optional(entry, "quad", list, where)
    quad = None if corners is None else _numbers(corners, (4, 2), f"{where}, quad")
    by_hand = _value(entry, "labelled_by", str, where) == "hand"
    points = np.concatenate([box.reshape(2, 2), np.zeros((0, 2)) if quad is None else quad])
    _check_inside(points, size_wh, TYPED_TOLERANCE_PX if by_hand else ROUNDING_PX, where)
    return Label(text if game == "standard" else f"{game}:{text.removeprefix(f'{game}:')}", box, quad, kind)


def _check_inside(points: Floats, size_wh: tuple[int, int], tolerance_px: float, where: str) -> None:
    beyond = float(np.maximum(-points, points - size_wh).max())
    if beyond > tolerance_px:
        raise TeachingError(
            f"{where} reaches {beyond:.0f} px beyond its picture of {size_wh[0]}×{size_wh[1]} px.",
            hint="Correct the coordinates: they are pixels of the picture, x before y.",
        )


def _value(entry: object, key: str, kind: type[_Kind], where: str) -> _Kind:
    if not isinstance(entry, dict) or key not in entry:
        raise TeachingError(f"{where} lacks '{key}'.", hint=_FORMAT_HINT)
    value = entry[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TeachingError(f"{where} has {key} = {json.dumps(value)}.", hint=_FORMAT_HINT)
    return value


def _optional(entry: object, key: str, kind: type[_Kind], where: str) -> _Kind | None:
    if isinstance(entry, dict) and key in entry and entry[key] is None:
        return None
    return _value(entry, key, kind, where)


def _numbers(value: list[object], shape: tuple[int, ...], where: str) -> Floats:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TeachingError(f"{where} is not made of numbers: {value}.", hint=_FORMAT_HINT) from error
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise TeachingError(f"{where} has to be {' times '.join(map(str, shape))} numbers.", hint=_FORMAT_HINT)
    return numbers
