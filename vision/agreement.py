"""Agreement: what a picture shows of a card in several sizes, as one find.

A locator that looks at a picture in one size sometimes mistakes half a card, a brick or a column of print for a card.
It seldom makes the same mistake when the picture is larger or smaller by a half, but a card stays a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.geometry import Floats, in_step, quad_iou
from vision.sightings import Located

__all__ = ["VOTES", "agree"]

VOTES = 3
"""In so many sizes a card has to be found for a full score."""
SAME_IOU = 0.6
"""Finds of two sizes that overlap by more than this may be the same card."""


@dataclass(slots=True)
class _Group:
    """Finds of one card, at most one of each size, corner by corner; the surest came first."""

    quads_px: list[Floats] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    backs: list[bool] = field(default_factory=list)
    sizes: set[int] = field(default_factory=set)


def agree(looks: Sequence[Located], *, votes: int = VOTES) -> Located:
    """One find for every card that was found in any of the `looks` at a picture in different sizes, best first.

    Each look must be free of doubles, in pixels of the same picture. The score is the mean of the `votes` best, where a
    size without a find counts as 0. Quad and side are those of all finds, each weighted by the square of its score.
    """
    groups: list[_Group] = []
    finds = [(float(score), size, place) for size, look in enumerate(looks) for place, score in enumerate(look.scores)]
    for score, size, place in sorted(finds, key=lambda find: -find[0]):
        quad = looks[size].quads_px[place]
        group = _group_of(quad, size, groups)
        group.quads_px.append(in_step(quad, group.quads_px[0]) if group.quads_px else quad)
        group.scores.append(score)
        group.backs.append(bool(looks[size].backs[place]))
        group.sizes.add(size)
    scores = np.array([sum(group.scores[:votes]) / votes for group in groups])
    order = np.argsort(-scores, kind="stable")
    quads = [np.average(group.quads_px, axis=0, weights=np.square(group.scores)) for group in groups]
    backs = [np.average(group.backs, weights=np.square(group.scores)) > 0.5 for group in groups]
    return Located(np.array(quads).reshape(-1, 4, 2)[order], scores[order], np.array(backs, bool)[order])


def _group_of(quad: Floats, size: int, groups: list[_Group]) -> _Group:
    """The group whose first quad overlaps most with `quad` and has none of this size; a new one where there is none."""
    best, most = None, SAME_IOU
    for group in groups:
        overlap = 0.0 if size in group.sizes else quad_iou(quad, group.quads_px[0])
        if overlap > most:
            best, most = group, overlap
    if best is None:
        best = _Group()
        groups.append(best)
    return best
