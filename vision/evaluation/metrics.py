"""How well a picture's cards were found and named: overlap, one-to-one matching, corner error, naming, abstaining.

Boxes are (x0, y0, x1, y1), quads (4, 2), everything in pixels of the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, bounds_xyxy, quad_iou
from vision.sightings import Sighting

__all__ = [
    "CardResult",
    "CornerError",
    "Label",
    "Match",
    "Naming",
    "PictureResult",
    "Ratio",
    "Score",
    "compare",
    "corner_error_px",
    "match",
    "overlap",
    "rank_and_suit",
    "score",
]

FOUND_IOU = 0.5
EXACT_IOU = 0.75
VISIBLE_COVERED = 0.85
VISIBLE_IOU = 0.25
"""A label of kind `visible` bounds only what can be seen of a card; the card found there may reach beyond it."""
COVERAGE = 0.9
"""Share of the found cards that is named in the second figure about abstaining."""
SUITS = "CDHS"


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What somebody said lies in a picture.

    `text` is a face (`10H`), a rank alone (`rank:K`) or a card of another game (`set:...`, located only);
    `box_xyxy` (4,); `quad_px` (4, 2) in any order round the card, or None. `kind`: `card` the whole visible outline,
    `visible` only what can be seen, `amodal` the whole card though partly covered.
    """

    text: str
    box_xyxy: Floats
    quad_px: Floats | None
    kind: str


@dataclass(frozen=True, slots=True)
class Match:
    """A label and the find that belongs to it, by their positions, and how much they overlap (IoU)."""

    label: int
    find: int
    iou: float


@dataclass(frozen=True, slots=True, eq=False)
class CardResult:
    """What became of one label: `sighting` None when it was missed; `iou` then is 0."""

    label: Label
    sighting: Sighting | None
    iou: float

    @property
    def misnamed(self) -> bool:
        """It is named, and wrongly."""
        named = self.sighting is not None and self.sighting.face is not None
        return named and _knows_name(self.label) and not _right(self)


@dataclass(frozen=True, slots=True, eq=False)
class PictureResult:
    """One picture: what became of its labels, and the `strays` that belong to no label.

    Only where the labels are `complete` a stray is a mistake.
    """

    path: Path
    complete: bool
    cards: tuple[CardResult, ...]
    strays: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """`hits` out of `n`."""

    hits: int
    n: int

    @property
    def share(self) -> float | None:
        """0 to 1; None when there was nothing to count."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class CornerError:
    """Mean distance of corners over `n` found cards with labelled corners; `mean_share` is relative to their height."""

    n: int
    mean_px: float | None
    mean_share: float | None


@dataclass(frozen=True, slots=True)
class Naming:
    """How the found cards were named whose rank, or rank and suit, the labels tell.

    `right`, `rank`, `suit`: the best candidate, whatever its probability; `right` asks for all that the label tells.
    `named`: at the identifier's own threshold; `named_wrong`: of these. `at_90` and `at_90_wrong`: the same at the
    strictest threshold that names at least 90 %.
    """

    right: Ratio
    rank: Ratio
    suit: Ratio
    named: Ratio
    named_wrong: Ratio
    at_90: Ratio
    at_90_wrong: Ratio


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one group of pictures. `recall_75` leaves out labels that bound only what can be seen."""

    group: str
    pictures: int
    cards: int
    recall_50: Ratio
    precision_50: Ratio
    recall_75: Ratio
    corners: CornerError
    naming: Naming


def overlap(label: Label, quad_px: Floats, size_wh: tuple[int, int]) -> tuple[float, bool]:
    """IoU of a found quad with a label, and whether that makes it a find.

    Quad against quad where the label has one. Where it has a box, the bounds of the quad inside the picture are
    compared with the box: the best possible quad of a slanted card fills little more than half of its own bounds.
    """
    if label.quad_px is not None and label.kind != "visible":
        iou = quad_iou(label.quad_px, quad_px)
        return iou, iou >= FOUND_IOU
    width, height = size_wh
    bounds = np.clip(bounds_xyxy(quad_px), 0, [width, height, width, height])
    shared = _area(
        np.concatenate([np.maximum(bounds[:2], label.box_xyxy[:2]), np.minimum(bounds[2:], label.box_xyxy[2:])])
    )
    labelled = _area(label.box_xyxy)
    union = _area(bounds) + labelled - shared
    iou = shared / union if union > 0 else 0.0
    if label.kind == "visible":
        return iou, iou >= VISIBLE_IOU and shared >= VISIBLE_COVERED * labelled
    return iou, iou >= FOUND_IOU


def _area(box: Floats) -> float:
    return float(max(box[2] - box[0], 0) * max(box[3] - box[1], 0))


def match(ious: Floats, fits: NDArray[np.bool_]) -> tuple[Match, ...]:
    """Pair labels (rows) with finds (columns) one to one, the greatest overlap first; only pairs that fit.

    The pairs above a higher threshold are a part of those above a lower one, so recall never rises with the threshold.
    """
    rows, columns = np.nonzero(fits)
    order = np.argsort(-ious[rows, columns], kind="stable")
    labels, finds, pairs = set[int](), set[int](), []
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row not in labels and column not in finds:
            labels.add(row)
            finds.add(column)
            pairs.append(Match(row, column, float(ious[row, column])))
    return tuple(pairs)


def compare(
    labels: Sequence[Label], sightings: Sequence[Sighting], size_wh: tuple[int, int]
) -> tuple[tuple[CardResult, ...], tuple[Sighting, ...]]:
    """What became of each label of a picture, and the sightings that belong to none."""
    ious = np.zeros((len(labels), len(sightings)))
    fits = np.zeros(ious.shape, np.bool_)
    for row, label in enumerate(labels):
        for column, sighting in enumerate(sightings):
            ious[row, column], fits[row, column] = overlap(label, sighting.quad_px, size_wh)
    pairs = {pair.label: pair for pair in match(ious, fits)}
    cards = tuple(
        CardResult(label, sightings[pairs[row].find], pairs[row].iou) if row in pairs else CardResult(label, None, 0.0)
        for row, label in enumerate(labels)
    )
    taken = {pair.find for pair in pairs.values()}
    return cards, tuple(sighting for index, sighting in enumerate(sightings) if index not in taken)


def corner_error_px(quad_px: Floats, true_px: Floats) -> float:
    """Mean distance of four corners to the true ones, from whichever corner and in whichever sense these are listed."""
    readings = [np.roll(way, step, axis=0) for way in (true_px, true_px[::-1]) for step in range(4)]
    return float(min(np.linalg.norm(quad_px - reading, axis=1).mean() for reading in readings))


def _height_px(quad_px: Floats) -> float:
    """The longer of the two mean lengths of opposite edges."""
    edges = np.linalg.norm(np.roll(quad_px, -1, axis=0) - quad_px, axis=1)
    return float(max(edges[0] + edges[2], edges[1] + edges[3])) / 2


def rank_and_suit(face: str) -> tuple[str, str]:
    """`10H` -> (`10`, `H`), `rank:K` -> (`K`, ``); anything else, such as a joker, is a rank of its own."""
    if face.startswith("rank:"):
        return face.removeprefix("rank:"), ""
    return (face[:-1], face[-1]) if face[1:] and face[-1] in SUITS else (face, "")


def _knows_name(label: Label) -> bool:
    return ":" not in label.text or label.text.startswith("rank:")


def _best(card: CardResult) -> tuple[str, float]:
    """The best candidate; what has none, such as a back, is surely unsure."""
    return card.sighting.candidates[0] if card.sighting is not None and card.sighting.candidates else ("", 0.0)


def _right(card: CardResult) -> bool:
    """The best candidate agrees with all that the label tells."""
    rank, suit = rank_and_suit(card.label.text)
    read_rank, read_suit = rank_and_suit(_best(card)[0])
    return read_rank == rank and suit in ("", read_suit)


def score(group: str, results: Sequence[PictureResult]) -> Score:
    """The figures of a group of pictures."""
    cards = [card for result in results for card in result.cards]
    found = [card for card in cards if card.sighting is not None]
    whole = [card for card in cards if card.label.kind != "visible"]
    judged = [result for result in results if result.complete]
    right_finds = sum(card.sighting is not None for result in judged for card in result.cards)
    strays = sum(len(result.strays) for result in judged)
    return Score(
        group=group,
        pictures=len(results),
        cards=len(cards),
        recall_50=Ratio(len(found), len(cards)),
        precision_50=Ratio(right_finds, right_finds + strays),
        recall_75=Ratio(sum(card.iou >= EXACT_IOU for card in whole), len(whole)),
        corners=_corners(found),
        naming=_naming([card for card in found if _knows_name(card.label)]),
    )


def _corners(found: Sequence[CardResult]) -> CornerError:
    pairs = [
        (corner_error_px(card.sighting.quad_px, card.label.quad_px), _height_px(card.label.quad_px))
        for card in found
        if card.sighting is not None and card.label.quad_px is not None
    ]
    if not pairs:
        return CornerError(0, None, None)
    errors, heights = np.array(pairs).T
    return CornerError(len(pairs), float(errors.mean()), float((errors / heights).mean()))


def _naming(found: Sequence[CardResult]) -> Naming:
    with_suit = [card for card in found if rank_and_suit(card.label.text)[1]]
    named = [card for card in found if card.sighting is not None and card.sighting.face is not None]
    surest = _surest(found)
    return Naming(
        right=Ratio(sum(map(_right, found)), len(found)),
        rank=Ratio(sum(_part_is_right(card, 0) for card in found), len(found)),
        suit=Ratio(sum(_part_is_right(card, 1) for card in with_suit), len(with_suit)),
        named=Ratio(len(named), len(found)),
        named_wrong=Ratio(sum(not _right(card) for card in named), len(named)),
        at_90=Ratio(len(surest), len(found)),
        at_90_wrong=Ratio(sum(not _right(card) for card in surest), len(surest)),
    )


def _part_is_right(card: CardResult, part: int) -> bool:
    return rank_and_suit(_best(card)[0])[part] == rank_and_suit(card.label.text)[part]


def _surest(found: Sequence[CardResult]) -> list[CardResult]:
    """The cards above the strictest threshold that keeps at least 90 %; equally sure ones stay together."""
    if not found:
        return []
    ordered = sorted((_best(card)[1] for card in found), reverse=True)
    threshold = ordered[math.ceil(COVERAGE * len(ordered)) - 1]
    return [card for card in found if _best(card)[1] >= threshold]
