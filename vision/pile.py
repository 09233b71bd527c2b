"""The pile as it is remembered, and how looks at it become changes.

A look is what the eyes saw in one frame in and about the pile. Looks are collected until it is clear what has happened:
a new card lies on top, the upper cards are gone, or everything is as before (the light has changed, somebody hovered,
the pile was bumped). Legality plays no part: nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.change_test import Mask
from vision.geometry import Floats, quad_iou
from vision.sightings import UNSURE_BELOW
from vision.tracks import (
    ENOUGH_VOTES,
    KNOWN_BEFORE,
    NEAR_IOU,
    SAME_PLACE_IOU,
    STILL_S,
    UNREAD,
    Look,
    Seen,
    Track,
    covers,
    other_card,
    read_as,
    same_place,
)

__all__ = ["Lying", "Outcome", "Pile", "Settling", "Sight"]

EMPTY_S = 0.8
"""An empty place is believed after this; a card that the eyes miss for a moment is back before."""
EXACT_PLACE_IOU = 0.85
"""Two quads of one card that nothing has touched overlap by more than this."""
CHANGED_SHARE = 0.15
"""A card is new only where the picture has changed in more than this share of its blocks."""
GONE_SHARE = 0.3
"""A card is gone only where the picture has changed in more than this share of its place."""
NEW_BENEATH_SHARE = 0.5
"""A new card that another new one half covers: this share of what still shows of it must have changed."""


@dataclass(slots=True, eq=False)
class Lying:
    """A card of the pile: face or `??`, all that it may be, where it lies."""

    face: str
    candidates: tuple[tuple[str, float], ...]
    quad_px: Floats
    mask: Mask


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What has become clear: `appeared` from bottom to top, the number of cards `vanished` from the top.

    Both empty: all is as before. `first_s` is the first look without the vanished cards.
    """

    appeared: tuple[Track, ...] = ()
    vanished: int = 0
    first_s: float = 0.0


class Pile:
    """The cards of a pile from bottom to top; what lies beneath stays remembered."""

    def __init__(self) -> None:
        self.cards: list[Lying] = []

    @property
    def faces(self) -> tuple[str, ...]:
        """Bottom to top, `??` for what was not read."""
        return tuple(card.face for card in self.cards)

    @property
    def top(self) -> Lying | None:
        """The upper card."""
        return self.cards[-1] if self.cards else None

    def put(self, track: Track) -> None:
        """A card lies on top now."""
        face, probability = track.best
        named = face if probability >= UNSURE_BELOW else UNREAD
        self.cards.append(Lying(named, track.candidates, track.quad_px, track.mask))

    def take(self, count: int) -> None:
        """The upper `count` cards are gone."""
        del self.cards[len(self.cards) - count :]


class Sight(Protocol):
    """Questions about the picture of the look that is being taken."""

    def above(self, first_px: Floats, second_px: Floats) -> bool:
        """Does the card in the first quad lie above the one in the second?"""
        ...

    def remains(self, track: Track, over: Sequence[Track]) -> bool:
        """Does what sticks out beneath the cards `over` still look like the card `track`?"""
        ...

    def bare(self, place_px: Floats) -> bool:
        """Does the place of a card look like the table around it?"""
        ...


class Settling:
    """Collects looks at a pile until it is clear what has happened since it was settled last."""

    def __init__(self, pile: Pile, twins: frozenset[str]) -> None:
        """`twins` are the faces that the deck holds more than once."""
        self.pile, self.twins = pile, twins
        self.tracks: list[Track] = []
        self._absent_s: float | None = None
        self._absent_looks = 0

    def reset(self) -> None:
        """Nothing is going on."""
        self.tracks.clear()
        self._absent_s, self._absent_looks = None, 0

    def interrupt(self) -> None:
        """Something moves over the pile, so that looking is no use; what lay still has to lie still anew."""
        for track in self.tracks:
            track.run_s = None
        self._absent_s, self._absent_looks = None, 0

    def see(self, look: Look, sight: Sight) -> Outcome | None:
        """Take one more look; the outcome as soon as there is one, after which `reset` begins anew."""
        present = [(self._track(seen, look), seen) for seen in look.cards]
        for track, seen in present:
            covered = track.is_new and any(other.is_new and covers(other, track) for other, _ in present)
            track.add(seen, look, covered=covered)
        gone = [track for track in self.tracks if track.last_s < look.time_s]
        for track in gone:
            track.run_s = None if look.busy else track.run_s
        for track, _ in present:
            track.place = self._place(track, look, present)
        ready = [track for track, seen in present if track.is_new and track.rested(look.time_s, seen.held)]
        ready = [track for track in ready if not self._revealed(track, present, sight)]
        if ready:
            return self._arrivals(ready, look, sight)
        if look.busy or any(track.is_new and not self._revealed(track, present, sight) for track, _ in present):
            self._absent_s, self._absent_looks = None, 0
            return None
        return self._unchanged_or_gone(present, look, sight)

    def conclude(self) -> tuple[Track, ...]:
        """At the end of the pictures: what lay open, though not for long enough to be told yet."""
        return tuple(sorted((t for t in self.tracks if t.lay_open and t.is_new), key=lambda track: track.first_s))

    def _track(self, seen: Seen, look: Look) -> Track:
        face = read_as(seen)
        near = [t for t in self.tracks if t.last_s < look.time_s and same_place(t, seen) and not other_card(t, seen)]
        track = max(near, key=lambda t: (t.best[0] == face, quad_iou(t.quad_px, seen.quad_px)), default=None)
        if track is None:
            track = Track(seen.quad_px, seen.mask, look.time_s, look.time_s, look.picture)
            self.tracks.append(track)
        track.last_s = look.time_s
        return track

    def _known(self, face: str) -> int | None:
        places = [i for i, card in enumerate(self.pile.cards) if card.face == face and face != UNREAD]
        return places[-1] if places else None

    def _place(self, track: Track, look: Look, present: list[tuple[Track, Seen]]) -> int | None:
        """Which card of the pile this is, counted from the bottom; None for a new one."""
        cards = self.pile.cards
        if not cards:
            return None
        if _share(look.changed, track.mask) < CHANGED_SHARE:
            overlaps = [quad_iou(card.quad_px, track.quad_px) for card in cards]
            exact = [i for i, overlap in enumerate(overlaps) if overlap >= EXACT_PLACE_IOU]
            # Unchanged picture: whatever was read, it is what lay there; without an exact place it is no new card.
            return exact[-1] if exact else int(np.argmax(overlaps))
        face, top = track.best[0], len(cards) - 1
        may_be_top = face == cards[top].face or dict(cards[top].candidates).get(face, 0.0) >= KNOWN_BEFORE
        if may_be_top and face != UNREAD:
            return None if self._twin(track, present) else top
        return self._remembered(track)

    def _remembered(self, track: Track) -> int | None:
        """A card of the pile that shows again, or still shows and is misread now and then."""
        face, probability = track.best
        for index, card in reversed(list(enumerate(self.pile.cards))):
            overlap = quad_iou(card.quad_px, track.quad_px)
            near = EXACT_PLACE_IOU if face in self.twins else NEAR_IOU
            misread = overlap >= max(near, SAME_PLACE_IOU) and track.may_be(card.face)
            if misread or (card.face == face and probability >= 0.5 and overlap >= near):
                return index
        return None

    def _twin(self, track: Track, present: list[tuple[Track, Seen]]) -> bool:
        """A card of the same face as the upper one, while that one is still seen where it lay."""
        top = self.pile.cards[-1]
        others = [seen for other, seen in present if other is not track and read_as(seen) == top.face]
        return any(quad_iou(seen.quad_px, top.quad_px) >= SAME_PLACE_IOU for seen in others)

    def _revealed(self, track: Track, present: list[tuple[Track, Seen]], sight: Sight) -> bool:
        """A card that nobody had seen, and that shows now because the upper one was pushed aside."""
        top = len(self.pile.cards) - 1
        pushed = [other for other, _ in present if other.place == top >= 0]
        moved = [t for t in pushed if quad_iou(t.quad_px, self.pile.cards[top].quad_px) < EXACT_PLACE_IOU]
        return any(sight.above(other.quad_px, track.quad_px) for other in moved)

    def _arrivals(self, ready: list[Track], look: Look, sight: Sight) -> Outcome:
        upper = _order(ready, sight)
        told, covered = [upper[-1]], upper[-1].mask
        for track in reversed(upper[:-1]):
            shows = track.mask & ~covered
            again = track.best[0] not in self.twins and any(track.may_be(other.best[0]) for other in told)
            if not again and shows.sum() >= 4 and _share(look.changed, shows) >= NEW_BENEATH_SHARE:
                told.insert(0, track)
                covered = covered | track.mask
        earlier = [t for t in self.tracks if t.is_new and self._is_earlier(t, told)]
        lay = [t for t in earlier if t.lay_open or sight.remains(t, told)]
        return Outcome(appeared=(*sorted(lay, key=lambda t: t.first_s), *told))

    def _is_earlier(self, track: Track, told: list[Track]) -> bool:
        """A card that lay there before those in `told` and is covered by them now."""
        if not track.is_card or (track.count == 1 and self._taken(track)):
            return False
        under = track not in told and any(covers(other, track) for other in told)
        return under and self._known(track.best[0]) is None and not any(track.may_be(t.best[0]) for t in told)

    def _taken(self, track: Track) -> bool:
        """Is another card known at this place? Then a single reading is a wrong one of that."""
        others = [other.quad_px for other in self.tracks if other.count > 1]
        places = [*others, *(card.quad_px for card in self.pile.cards)]
        return any(quad_iou(place, track.quad_px) >= SAME_PLACE_IOU for place in places)

    def _unchanged_or_gone(self, present: list[tuple[Track, Seen]], look: Look, sight: Sight) -> Outcome | None:
        top = len(self.pile.cards) - 1
        places = {track.place: track for track, _ in present if track.place is not None}
        if top in places and places[top].rested(look.time_s, held=False):
            self._move(places)
            return Outcome()
        if top in places:
            return None
        if top >= 0 and _share(look.changed, self.pile.cards[top].mask) < GONE_SHARE:
            return Outcome() if self._absent_for(look.time_s, STILL_S) else None
        upper = max(places, default=-1)
        if not self._absent_for(look.time_s, EMPTY_S if upper < 0 else STILL_S):
            return None
        if upper < 0 <= top and not sight.bare(self.pile.cards[top].quad_px):
            return None
        if upper >= 0 and not places[upper].rested(look.time_s, held=False):
            return None
        self._move(places)
        return Outcome(vanished=top - upper, first_s=look.time_s if self._absent_s is None else self._absent_s)

    def _absent_for(self, time_s: float, long_s: float) -> bool:
        self._absent_looks += 1
        self._absent_s = time_s if self._absent_s is None else self._absent_s
        return self._absent_looks >= ENOUGH_VOTES and time_s - self._absent_s + 1e-6 >= long_s

    def _move(self, places: dict[int, Track]) -> None:
        for index, track in places.items():
            self.pile.cards[index].quad_px, self.pile.cards[index].mask = track.quad_px, track.mask


def _share(parts: Mask, of: Mask) -> float:
    return float((parts & of).sum() / max(1, int(of.sum())))


def _lies_beneath(track: Track, other: Track, sight: Sight) -> bool:
    return other.first_s == track.first_s and sight.above(other.quad_px, track.quad_px)


def _order(tracks: list[Track], sight: Sight) -> list[Track]:
    """Bottom to top: who was seen first lies beneath; seen together, the edges tell."""
    ordered: list[Track] = []
    for track in sorted(tracks, key=lambda t: t.first_s):
        place = len(ordered)
        while place and ordered[place - 1].first_s == track.first_s and _lies_beneath(track, ordered[place - 1], sight):
            place -= 1
        ordered.insert(place, track)
    return ordered
