"""The pile as it is remembered, and how looks at it become changes.

A look is what the eyes saw in one frame in and about the pile. Looks are collected until it is clear what has happened:
a new card lies on top, the upper cards are gone, or everything is as before (the light has changed, somebody hovered,
the pile was bumped). Legality plays no part: nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from vision.change_test import Mask
from vision.geometry import Floats, quad_iou
from vision.sightings import UNSURE_BELOW, Image

__all__ = ["Look", "Lying", "Outcome", "Pile", "Seen", "Settling", "Track"]

STILL_S = 0.2
"""A card that has not moved for this long has come to rest. Players do not notice the wait."""
HELD_STILL_S = 0.7
"""A card with an arm on it may still be taken back, so it has to keep still longer: hesitating hands move earlier."""
HESITATION_S = 0.5
"""A card that nobody can read surely is told after this, with all that it may be."""
EMPTY_S = 0.8
"""An empty place is believed after this; a card that the eyes miss for a moment is back before."""
SURE = 0.9
"""With this probability two frames are enough, else it takes three."""
ENOUGH_VOTES = 3
SAME_PLACE_IOU = 0.7
"""Located twice, a card at rest overlaps itself by more than this."""
EXACT_PLACE_IOU = 0.85
NEAR_IOU = 0.25
"""After a bump or when cards above are drawn away, the card beneath still overlaps its old place by more than this."""
CHANGED_SHARE = 0.15
"""A card is new only where the picture has changed in more than this share of its blocks."""
GONE_SHARE = 0.3
"""A card is gone only where the picture has changed in more than this share of its place."""
NEW_BENEATH_SHARE = 0.5
"""A new card that another new one half covers: this share of what still shows of it must have changed."""
KNOWN_BEFORE = 0.05
"""A card that was read as X, but may be Y by more than this, and is now read as Y, is the same card."""
UNREAD = "??"


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One card in a look: still, face up. `mask` are the blocks of its quad (4, 2), `held` that an arm is on it."""

    quad_px: Floats
    candidates: tuple[tuple[str, float], ...]
    mask: Mask
    held: bool


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the eyes saw of the pile in one frame.

    `cards` lie still; `busy`: something still moves or covers the place, so what is missing may only be hidden;
    `changed` are the blocks that differ from the picture of the pile when it was settled last; `picture` shows it now.
    """

    time_s: float
    picture: Image
    cards: tuple[Seen, ...]
    busy: bool
    changed: Mask


@dataclass(slots=True, eq=False)
class Lying:
    """A card of the pile: face or `??`, all that it may be, where it lies."""

    face: str
    candidates: tuple[tuple[str, float], ...]
    quad_px: Floats
    mask: Mask


@dataclass(slots=True, eq=False)
class Track:
    """A card that was seen still at one place in several looks."""

    quad_px: Floats
    mask: Mask
    first_s: float
    last_s: float
    picture: Image
    run_s: float | None
    """Since when nothing has moved or hidden it; None while something does."""
    place: int | None = 0
    """Which card of the remembered pile this is, from the bottom; None: a new one."""
    free_s: float | None = None
    """The first look without an arm on it."""
    count: int = 0
    free_count: int = 0
    votes: dict[str, float] = field(default_factory=dict)
    free_votes: dict[str, float] = field(default_factory=dict)

    def add(self, seen: Seen, look: Look) -> None:
        """One more look; readings without an arm are kept apart, they are better."""
        self.quad_px, self.mask, self.last_s = seen.quad_px, seen.mask, look.time_s
        self.run_s = look.time_s if self.run_s is None else self.run_s
        self.count += 1
        _vote(self.votes, seen.candidates)
        if not seen.held:
            if self.free_s is None:
                self.free_s, self.picture = look.time_s, look.picture
            self.free_count += 1
            _vote(self.free_votes, seen.candidates)

    @property
    def candidates(self) -> tuple[tuple[str, float], ...]:
        """The mean of all readings, best first."""
        votes, count = (self.free_votes, self.free_count) if self.free_count > 1 else (self.votes, self.count)
        means = [(face, round(total / count, 4)) for face, total in votes.items()]
        return tuple(sorted((pair for pair in means if pair[1] >= 0.005), key=lambda pair: (-pair[1], pair[0])))

    @property
    def best(self) -> tuple[str, float]:
        """The most probable face, `??` with 0 where nothing was read."""
        return self.candidates[0] if self.candidates else (UNREAD, 0.0)

    @property
    def is_new(self) -> bool:
        """It is no card of the pile as it is remembered."""
        return self.place is None

    @property
    def until_s(self) -> float:
        """The first look in which it lay still and uncovered, or still at least."""
        return self.first_s if self.free_s is None else self.free_s

    def rested(self, time_s: float, held: bool) -> bool:
        """Has it kept still for long enough, and was it read often enough, to believe it at `time_s`?"""
        if self.run_s is None or self.count < 2:
            return False
        still_s = time_s - self.run_s + 1e-6
        if still_s < (HELD_STILL_S if held and self.free_count < 2 else STILL_S):
            return False
        sure = self.best[1]
        voted = self.count >= ENOUGH_VOTES and (sure >= UNSURE_BELOW or still_s >= HESITATION_S)
        return sure >= SURE or voted

    @property
    def lay_open(self) -> bool:
        """Was it free of arms long enough to be sure that it lay there, though something covers it now?"""
        return self.free_count >= 2 or (self.free_count == 1 and self.best[1] >= UNSURE_BELOW)


def _vote(votes: dict[str, float], candidates: tuple[tuple[str, float], ...]) -> None:
    for face, probability in candidates:
        votes[face] = votes.get(face, 0.0) + probability


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


Above = Callable[[Floats, Floats], bool]
"""Does the card in the first quad lie above the one in the second? Answers for the frame that is being looked at."""


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

    def see(self, look: Look, above: Above) -> Outcome | None:
        """Take one more look; the outcome as soon as there is one, after which `reset` begins anew."""
        present = [(self._track(seen, look), seen) for seen in look.cards]
        gone = [track for track in self.tracks if track.last_s < look.time_s]
        for track in gone:
            track.run_s = None if look.busy else track.run_s
        for track, _ in present:
            track.place = self._place(track, look, present)
        ready = [track for track, seen in present if track.is_new and track.rested(look.time_s, seen.held)]
        ready = [track for track in ready if not self._revealed(track, present, above)]
        if ready:
            return self._arrivals(ready, gone, look, above)
        if look.busy or any(track.is_new and not self._revealed(track, present, above) for track, _ in present):
            self._absent_s, self._absent_looks = None, 0
            return None
        return self._unchanged_or_gone(present, look)

    def conclude(self) -> tuple[Track, ...]:
        """At the end of the pictures: what lay open, though not for long enough to be told yet."""
        return tuple(sorted((t for t in self.tracks if t.lay_open and t.is_new), key=lambda track: track.first_s))

    def _track(self, seen: Seen, look: Look) -> Track:
        face = seen.candidates[0][0] if seen.candidates else UNREAD
        near = [t for t in self.tracks if t.last_s < look.time_s and _same_place(t, seen) and not _other_card(t, seen)]
        track = max(near, key=lambda t: (t.best[0] == face, quad_iou(t.quad_px, seen.quad_px)), default=None)
        if track is None:
            track = Track(seen.quad_px, seen.mask, look.time_s, look.time_s, look.picture, None)
            self.tracks.append(track)
        track.add(seen, look)
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
        return self._beneath(track)

    def _beneath(self, track: Track) -> int | None:
        face, probability = track.best
        for index in range(len(self.pile.cards) - 2, -1, -1):
            card = self.pile.cards[index]
            overlap = quad_iou(card.quad_px, track.quad_px)
            near = EXACT_PLACE_IOU if face in self.twins else NEAR_IOU
            if card.face == face and probability >= 0.5 and overlap >= near:
                return index
        return None

    def _twin(self, track: Track, present: list[tuple[Track, Seen]]) -> bool:
        """A card of the same face as the upper one, while that one is still seen where it lay."""
        top = self.pile.cards[-1]
        others = [other for other, _ in present if other is not track and other.best[0] == top.face]
        return any(quad_iou(other.quad_px, top.quad_px) >= SAME_PLACE_IOU for other in others)

    def _revealed(self, track: Track, present: list[tuple[Track, Seen]], above: Above) -> bool:
        """A card that nobody had seen, and that shows now because the upper one was pushed aside."""
        top = len(self.pile.cards) - 1
        pushed = [other for other, _ in present if other.place == top >= 0]
        moved = [t for t in pushed if quad_iou(t.quad_px, self.pile.cards[top].quad_px) < EXACT_PLACE_IOU]
        return any(above(other.quad_px, track.quad_px) for other in moved)

    def _arrivals(self, ready: list[Track], gone: list[Track], look: Look, above: Above) -> Outcome:
        upper = _order(ready, above)
        told, covered = [upper[-1]], upper[-1].mask
        for track in reversed(upper[:-1]):
            shows = track.mask & ~covered
            if shows.sum() >= 4 and _share(look.changed, shows) >= NEW_BENEATH_SHARE:
                told.insert(0, track)
                covered = covered | track.mask
        earlier = [t for t in gone if t.is_new and t.lay_open and self._is_earlier(t, told)]
        return Outcome(appeared=(*sorted(earlier, key=lambda t: t.first_s), *told))

    def _is_earlier(self, track: Track, told: list[Track]) -> bool:
        """A card that lay open before those in `told` and is covered by them now."""
        under = any(t.first_s > track.last_s and quad_iou(t.quad_px, track.quad_px) >= NEAR_IOU for t in told)
        new = self._known(track.best[0]) is None and all(t.best[0] != track.best[0] for t in told)
        return under and new

    def _unchanged_or_gone(self, present: list[tuple[Track, Seen]], look: Look) -> Outcome | None:
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


def _same_place(track: Track, seen: Seen) -> bool:
    return quad_iou(track.quad_px, seen.quad_px) >= SAME_PLACE_IOU


def _other_card(track: Track, seen: Seen) -> bool:
    """A card dropped exactly on another one: something moved there, and it reads surely, and surely differently."""
    face, probability = seen.candidates[0] if seen.candidates else (UNREAD, 0.0)
    sure = min(probability, track.best[1]) >= UNSURE_BELOW
    return track.run_s is None and sure and face != track.best[0]


def _share(parts: Mask, of: Mask) -> float:
    return float((parts & of).sum() / max(1, int(of.sum())))


def _order(tracks: list[Track], above: Above) -> list[Track]:
    """Bottom to top: who was seen first lies beneath; seen together, the edges tell."""
    ordered: list[Track] = []
    for track in sorted(tracks, key=lambda t: t.first_s):
        place = len(ordered)
        while (
            place and ordered[place - 1].first_s == track.first_s and above(ordered[place - 1].quad_px, track.quad_px)
        ):
            place -= 1
        ordered.insert(place, track)
    return ordered
