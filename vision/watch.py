"""Watching a table: frames go in, changes come out.

The cheap test looks at every frame; the eyes are asked only while the pile looks other than when it was settled last,
and only about the pile. Everything is decided by the frames and their times, so the same recording tells the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.change_test import Activity, BlockGrid, ChangeTest, Mask, connected
from vision.changes import Change, Looks, Notice
from vision.errors import CameraError, RecordingError
from vision.geometry import Floats, quad_iou
from vision.health import Health
from vision.pile import Outcome, Pile, Settling
from vision.seats import Reach
from vision.sightings import Frame, Image, Sighting
from vision.stacking import lies_above, looks_bare, still_there
from vision.tracks import Look, Seen, Track
from vision.zones import Box, PileFinder, Zones, around, grown_box, inside

__all__ = ["PileWatch", "Watcher"]

CROP_GROWTH = 0.35
"""The eyes see the pile's bounds and this much more, since cards stick out of a pile."""
BELONGS_GROWTH = 1.1
"""A card belongs to the pile when its middle lies in the zone, grown this much."""
CHANGED_BLOCKS = 3
"""Fewer changed blocks are a crumb, a reflection or noise; a card's shifted edge is more."""
MOVING_SHARE = 0.5
"""With more of the pile in movement than this there is nothing to read."""
CARD_MOVING_SHARE = 0.1
"""A card at rest has less of its blocks in movement than this."""
ARM_BLOCKS = 4
"""What sticks out of the pile's surroundings by more blocks than this is an arm and no card."""
PATIENCE = 12
"""Looks at an unclear but motionless pile before it is looked at less often."""
PATIENT_S = 0.25
BACK_IOU = 0.3
COMING_S = 0.3
"""A card that is seen at rest was on its way in the arm that brought it for this long at least."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """What surrounds one look: blocks that belong to arms, and whether the pile is disturbed."""

    arms: Mask
    disturbed: bool


@dataclass(frozen=True, slots=True, eq=False)
class _PileSight:
    """Answers questions about the pile's picture `now`; `before` is the last one without anything new."""

    box: Box
    before: Image | None
    now: Image

    def above(self, first_px: Floats, second_px: Floats) -> bool:
        return lies_above(self.now, first_px - self.box[:2], second_px - self.box[:2])

    def bare(self, place_px: Floats) -> bool:
        return looks_bare(self.now, place_px - self.box[:2])

    def remains(self, track: Track, over: Sequence[Track]) -> bool:
        if self.before is None:
            return False
        pictures = (self.before, track.picture, self.now)
        return still_there(pictures, track.quad_px - self.box[:2], [other.quad_px - self.box[:2] for other in over])


class PileWatch:
    """Watches one pile."""

    def __init__(self, eyes: Looks, zones: Zones, *, grid: BlockGrid, twins: frozenset[str] = frozenset()) -> None:
        """`zones.pile` is known; `twins` are the faces that the deck holds more than once."""
        if zones.pile is None:
            raise ValueError("a pile can only be watched where its zone is known")
        zone_px, seats = zones.pile, zones.seats
        self.pile = Pile()
        self.notices: list[Notice] = []
        self._eyes, self._grid = eyes, grid
        self._zone_px = cv2.convexHull(zone_px.astype(np.float32)).reshape(-1, 2).astype(np.float64)
        self._box = grown_box(zone_px, CROP_GROWTH, grid.frame_wh)
        if self._box[0] >= self._box[2] or self._box[1] >= self._box[3]:
            raise RecordingError(
                f"The pile's zone lies outside the picture of {grid.frame_wh[0]} x {grid.frame_wh[1]} pixels.",
                hint="Correct 'pile' in table.toml, or delete it: then it is found by itself.",
            )
        self.core = grid.mask(zone_px)
        self._surroundings = grid.mask(_corners(self._box))
        self._reach = Reach(seats, zone_px, grid)
        self._settling = Settling(self.pile, twins)
        self._health = Health()
        self._unread = True
        self._back_px: Floats | None = None
        self._without_s = 0.0
        self._before: Image | None = None
        self._looks, self._next_look_s = 0, 0.0

    def see(self, frame: Frame, activity: Activity, test: ChangeTest) -> tuple[Change, ...]:
        """The changes that have become clear with this frame."""
        self._reach.see(activity)
        if self._before is None:
            self._quiet(frame)
        moving = activity.moving & self.core
        changed = (activity.foreground & self.core).sum() >= CHANGED_BLOCKS
        if moving.any():
            self._looks = 0
        if not changed and not self._unread:
            self._note_hand(False, frame.time_s)
            if not moving.any():
                self._quiet(frame)
            return ()
        if moving.sum() > MOVING_SHARE * self.core.sum():
            self._settling.interrupt()
            return ()
        if self._looks >= PATIENCE and frame.time_s < self._next_look_s:
            return ()
        return self._look(frame, activity, test)

    def finish(self) -> tuple[Change, ...]:
        """What lay open when the pictures ended, but not for long enough to be told before."""
        tracks = self._settling.conclude()
        changes = self._appeared(tracks)
        self._settling.reset()
        return changes

    def _quiet(self, frame: Frame) -> None:
        self._settling.reset()
        self._without_s = frame.time_s
        self._before = self._crop(frame).copy()

    def _crop(self, frame: Frame) -> Image:
        x0, y0, x1, y1 = self._box
        return frame.image[y0:y1, x0:x1]

    def _look(self, frame: Frame, activity: Activity, test: ChangeTest) -> tuple[Change, ...]:
        self._looks += 1
        self._next_look_s = frame.time_s + PATIENT_S
        crop = self._crop(frame)
        sightings = tuple(s for s in (self._in_frame(s) for s in self._eyes.look(crop)) if self._belongs(s))
        scene = self._scene(activity)
        seen = [(s, self._seen(s, activity, scene)) for s in sightings]
        cards = tuple(card for s, card in seen if card is not None and s.side == "front")
        hidden = any(card is None or s.side == "back" for s, card in seen)
        changed = np.ones_like(activity.foreground) if self._unread else activity.foreground
        look = Look(frame.time_s, crop.copy(), cards, scene.disturbed or hidden, changed)
        self._note_hand(bool((scene.arms & self.core).any()), frame.time_s)
        self._note_back([s for s, card in seen if card is not None and s.side == "back"], cards, frame.time_s)
        outcome = self._settling.see(look, _PileSight(self._box, self._before, look.picture))
        if outcome is None:
            self._still_without(look)
            return ()
        changes = self._tell(outcome, look.picture)
        test.settle(self.core)
        self._unread, self._looks = False, 0
        self._quiet(frame)
        return changes

    def _in_frame(self, sighting: Sighting) -> Sighting:
        quad = sighting.quad_px + np.array(self._box[:2], dtype=np.float64)
        return Sighting(quad, sighting.side, sighting.score, sighting.candidates)

    def _belongs(self, sighting: Sighting) -> bool:
        return inside(sighting.quad_px, around(self._zone_px, BELONGS_GROWTH))

    def _scene(self, activity: Activity) -> _Scene:
        parts = activity.moving | (activity.foreground & ~(self.core & self._unread))
        beyond = parts & ~self._surroundings
        arms = connected(parts, beyond) if beyond.sum() > ARM_BLOCKS else np.zeros_like(parts)
        moving = (activity.moving & self.core).sum() > CARD_MOVING_SHARE * self.core.sum()
        return _Scene(arms, bool(moving or (arms & self.core).any()))

    def _seen(self, sighting: Sighting, activity: Activity, scene: _Scene) -> Seen | None:
        """The card if it lies still."""
        mask = self._grid.mask(sighting.quad_px)
        if (activity.moving & mask).sum() > CARD_MOVING_SHARE * mask.sum():
            return None
        return Seen(sighting.quad_px, sighting.candidates, mask, bool((scene.arms & mask).any()))

    def _still_without(self, look: Look) -> None:
        """While the old upper card shows and no new one does, the change has not happened yet."""
        top = self.pile.top
        tracks = [track for track in self._settling.tracks if track.last_s == look.time_s]
        if top is None or any(track.is_new for track in self._settling.tracks):
            return
        if any(quad_iou(track.quad_px, top.quad_px) > BACK_IOU and track.best[0] == top.face for track in tracks):
            self._without_s, self._before = look.time_s, look.picture

    def _note_hand(self, holds: bool, time_s: float) -> None:
        since_s = self._health.lasts("hand", holds, time_s)
        if since_s is not None:
            self.notices.append(Notice("hand", since_s, time_s))

    def _note_back(self, backs: list[Sighting], cards: tuple[Seen, ...], time_s: float) -> None:
        if backs:
            self._back_px = backs[0].quad_px
        since_s = self._health.lasts("face-down", bool(backs) and not cards and bool(self.pile.cards), time_s)
        if since_s is not None:
            self.notices.append(Notice("face-down", since_s, time_s))

    def _tell(self, outcome: Outcome, picture: Image) -> tuple[Change, ...]:
        changes = self._appeared(outcome.appeared)
        if outcome.vanished:
            changes += (self._vanished(outcome, picture),)
        self._back_px = None
        return changes

    def _vanished(self, outcome: Outcome, picture: Image) -> Change:
        top = self.pile.top
        self.pile.take(outcome.vanished)
        return Change(
            kind="vanished",
            zone="pile",
            since_s=min(self._without_s, outcome.first_s),
            until_s=outcome.first_s,
            count=outcome.vanished,
            who=self._reach.who(min(self._without_s, outcome.first_s - COMING_S), outcome.first_s),
            quad_px=None if top is None else top.quad_px,
            evidence=(picture if self._before is None else self._before, picture),
        )

    def _appeared(self, tracks: tuple[Track, ...]) -> tuple[Change, ...]:
        changes = []
        for track in tracks:
            since_s = min(self._without_s, track.until_s)
            before = track.picture if self._before is None else self._before
            turned = self._back_px is not None and quad_iou(self._back_px, track.quad_px) >= BACK_IOU
            nobody = self._unread or (turned and not self.pile.cards)
            who = None if nobody else self._reach.who(min(since_s, track.first_s - COMING_S), track.until_s)
            changes.append(
                Change(
                    kind="appeared",
                    zone="pile",
                    since_s=since_s,
                    until_s=track.until_s,
                    candidates=track.candidates,
                    who=who,
                    quad_px=track.quad_px,
                    evidence=(before, track.picture),
                )
            )
            self.pile.put(track)
            self._without_s, self._before = track.last_s, track.picture
        return tuple(changes)


class Watcher:
    """Watches a table through `eyes`; `see` every frame of one source in order, then `finish`.

    Without a pile in `zones` the pile is where the first card lies face up and still near the middle of the picture;
    until then nothing is told. `notices` are taken with `take_notices`.
    """

    def __init__(self, eyes: Looks, zones: Zones, *, twins: frozenset[str] = frozenset()) -> None:
        """`twins` are the faces that the deck holds more than once."""
        self._eyes, self._zones, self._twins = eyes, zones, twins
        self._test = ChangeTest()
        self._finder = PileFinder()
        self._health = Health()
        self._notices: list[Notice] = []
        self._watch: PileWatch | None = None
        self._frame_wh: tuple[int, int] | None = None

    @property
    def pile(self) -> tuple[str, ...]:
        """The faces of the pile as remembered, bottom to top, `??` for what was not read."""
        return () if self._watch is None else self._watch.pile.faces

    def see(self, frame: Frame) -> tuple[Change, ...]:
        """The changes that have become clear with this frame.

        Raises:
            CameraError: The frame has another size than those before.
            RecordingError: The pile's zone lies outside the picture.
        """
        self._check_size(frame)
        activity = self._test.see(frame)
        self._notices += self._health.see(frame)
        if self._watch is None:
            self._begin(frame, activity)
        return () if self._watch is None else self._watch.see(frame, activity, self._test)

    def finish(self) -> tuple[Change, ...]:
        """The pictures have come to their end."""
        return () if self._watch is None else self._watch.finish()

    def take_notices(self) -> tuple[Notice, ...]:
        """What the people at the table should be told since the last call."""
        notices = [*self._notices, *(self._watch.notices if self._watch else ())]
        self._notices.clear()
        if self._watch:
            self._watch.notices.clear()
        return tuple(notices)

    def _check_size(self, frame: Frame) -> None:
        size = (frame.image.shape[1], frame.image.shape[0])
        if self._frame_wh not in (None, size):
            raise CameraError(
                f"The picture has changed its size from {self._frame_wh} to {size}.",
                hint="Leave the camera's resolution and orientation as they are during a match.",
            )
        self._frame_wh = size

    def _begin(self, frame: Frame, activity: Activity) -> None:
        zone = self._zones.pile
        if zone is None and self._finder.due(frame.time_s):
            zone = self._finder.see(frame, self._eyes.look(frame.image))
        if zone is not None:
            zones = replace(self._zones, pile=zone)
            self._watch = PileWatch(self._eyes, zones, grid=activity.grid, twins=self._twins)
            self._test.guarded = self._watch.core


def _corners(box: Box) -> Floats:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)
