"""Cards seen again and again at one place: where they lie, since when, and what was read."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.change_test import Mask
from vision.geometry import Floats, quad_iou
from vision.sightings import UNSURE_BELOW, Image

__all__ = ["Look", "Seen", "Track", "covers", "other_card", "read_as", "same_place"]

STILL_S = 0.2
"""A card that has not moved for this long has come to rest. Players do not notice the wait."""
HELD_STILL_S = 0.7
"""A card with an arm on it may still be taken back, so it has to keep still longer: hesitating hands move earlier."""
HESITATION_S = 0.5
"""A card that nobody can read surely is told after this, with all that it may be."""
SURE = 0.9
"""With this probability two frames are enough, else it takes `ENOUGH_VOTES`."""
ENOUGH_VOTES = 3
SAME_PLACE_IOU = 0.7
"""Located twice, a card at rest overlaps itself by more than this."""
NEAR_IOU = 0.25
"""After a bump or when cards above are drawn away, the card beneath still overlaps its old place by more than this."""
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
class Track:
    """A card that was seen still at one place in several looks."""

    quad_px: Floats
    mask: Mask
    first_s: float
    last_s: float
    picture: Image
    run_s: float | None = None
    """Since when nothing has moved or hidden it; None while something does."""
    place: int | None = 0
    """Which card of the remembered pile this is, from the bottom; None: a new one."""
    free_s: float | None = None
    """The first look without an arm on it."""
    count: int = 0
    free_count: int = 0
    votes: dict[str, float] = field(default_factory=dict)
    free_votes: dict[str, float] = field(default_factory=dict)

    def add(self, seen: Seen, look: Look, *, covered: bool) -> None:
        """One more look. Readings without an arm are better and kept apart; those of a covered card do not count."""
        self.quad_px, self.mask, self.last_s = seen.quad_px, seen.mask, look.time_s
        self.run_s = look.time_s if self.run_s is None else self.run_s
        if covered and self.count:
            return
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

    def may_be(self, face: str) -> bool:
        """Was it read as this face at least now and then?"""
        return dict(self.candidates).get(face, 0.0) >= KNOWN_BEFORE

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
    def is_card(self) -> bool:
        """Is it a card at all? What the identifier takes for no face of the deck is mostly a part of one on its way."""
        return bool(self.candidates) or self.last_s - self.first_s + 1e-6 >= HESITATION_S

    @property
    def lay_open(self) -> bool:
        """Was it free of arms long enough to be sure that it lay there, though something covers it now?"""
        often = self.free_count >= 2 or (self.free_count == 1 and self.best[1] >= UNSURE_BELOW)
        return often and self.is_card


def _vote(votes: dict[str, float], candidates: tuple[tuple[str, float], ...]) -> None:
    for face, probability in candidates:
        votes[face] = votes.get(face, 0.0) + probability


def read_as(seen: Seen) -> str:
    """The face that was read in this look, `??` for none."""
    return seen.candidates[0][0] if seen.candidates else UNREAD


def same_place(track: Track, seen: Seen) -> bool:
    """Does the card lie where the track lies?"""
    return quad_iou(track.quad_px, seen.quad_px) >= SAME_PLACE_IOU


def covers(track: Track, other: Track) -> bool:
    """Did `track` come later and does it lie over `other`?"""
    return track.first_s > other.first_s and quad_iou(track.quad_px, other.quad_px) >= NEAR_IOU


def other_card(track: Track, seen: Seen) -> bool:
    """A card dropped exactly on another one: something moved there, and it surely reads differently now."""
    probability = seen.candidates[0][1] if seen.candidates else 0.0
    return track.run_s is None and probability >= UNSURE_BELOW and read_as(seen) != track.best[0]
