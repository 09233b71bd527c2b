"""The cheap test at full frame rate: where does something move, and where does the table look other than before?

Works on a picture 320 px wide, cut into blocks of 4 px: a block is 16 px of a 1280 px wide frame, a ninth of a card.
Two answers a frame, both as boolean grids of blocks:

* `moving`: differs from the frame before, more than camera noise and the flicker of a video codec do.
* `foreground`: differs from the picture of the table at rest, after the light has been evened out.

The table at rest is learned: what keeps still for `ABSORB_S` belongs to it, except in a guarded region (the pile),
whose owner says when its picture counts as settled.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.sightings import Frame, Image

__all__ = ["Activity", "BlockGrid", "ChangeTest", "Mask", "connected"]

Mask = NDArray[np.bool_]
"""(rows, columns) of the block grid."""

SMALL_WIDTH = 320
BLOCK = 4
MOTION_FLOOR = 2.5
"""Grey levels. A block whose mean difference to the previous frame stays below never counts as moving: a finger's edge
that moves by half a block changes it by 10 and more, an 8 bit camera at evening light by 1 to 2."""
CHANGE_FLOOR = 7.0
"""Grey levels against the table at rest; higher than for motion, since shadows and drifting light add up over time."""
NOISE_FACTOR = 4.0
"""How many times the noise of the whole picture (median over blocks) a block has to differ to stand out."""
ABSORB_S = 1.5
"""A card or cup that somebody puts down beside the pile belongs to the table after this time."""
ABSORB_ARM_S = 10.0
"""What reaches in from the edge of the picture is an arm, which will leave again: it has to keep still for longer."""
NUDGED_SHARE = 0.5
"""Where more of the picture than this looks other than before, the camera or the table was moved, not an arm."""


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """The grid of blocks over frames of `frame_wh` pixels; the small picture is `small_wh`."""

    frame_wh: tuple[int, int]
    small_wh: tuple[int, int]

    @classmethod
    def of(cls, image: Image) -> BlockGrid:
        height, width = image.shape[:2]
        rows = max(1, round(height * SMALL_WIDTH / width / BLOCK))
        return cls((width, height), (SMALL_WIDTH, rows * BLOCK))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.small_wh[1] // BLOCK, self.small_wh[0] // BLOCK

    @property
    def block_px(self) -> Floats:
        """Width and height of a block in pixels of the frame: (2,)."""
        rows, columns = self.shape
        return np.array([self.frame_wh[0] / columns, self.frame_wh[1] / rows])

    def centres_px(self) -> Floats:
        """Centres of the blocks in pixels of the frame: (rows, columns, 2)."""
        rows, columns = self.shape
        x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        return np.stack([x, y], axis=-1) * self.block_px

    def mask(self, polygon_px: Floats) -> Mask:
        """The blocks whose centre lies in a polygon (n, 2) in pixels of the frame; at least the block of its middle."""
        steps = 16
        corners = np.round((polygon_px / self.block_px - 0.5) * steps).astype(np.int32)
        canvas = np.zeros(self.shape, np.uint8)
        cv2.fillPoly(canvas, [corners], 1, shift=4)
        if not canvas.any():
            column, row = (polygon_px.mean(axis=0) / self.block_px).astype(int)
            canvas[np.clip(row, 0, self.shape[0] - 1), np.clip(column, 0, self.shape[1] - 1)] = 1
        return canvas.astype(np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """What the test says of one frame.

    `energy` is the difference to the frame before in grey levels, 0 where it is noise; `noise` is the level of that.
    """

    grid: BlockGrid
    time_s: float
    moving: Mask
    foreground: Mask
    energy: NDArray[np.float32]
    noise: float


class ChangeTest:
    """Feed it every frame of one source in order. Deterministic: the only clock is `frame.time_s`."""

    def __init__(self) -> None:
        self.grid: BlockGrid | None = None
        self.guarded: Mask | None = None
        self._before: Image = np.zeros((0, 0, 3), np.uint8)
        self._at_rest: Image = self._before
        # What lay there before: when a hand that rested for long goes, what it uncovers is known and no new thing.
        self._beneath: Image = self._before
        self._moved_s: NDArray[np.float64] = np.zeros((0, 0))

    def see(self, frame: Frame) -> Activity:
        """Compare `frame` with the one before and with the table at rest, and learn from it."""
        grid = BlockGrid.of(frame.image)
        small = _shrink(frame.image, grid)
        if grid != self.grid:
            self._start(grid, small, frame.time_s)
        difference = _block_difference(small, self._before, grid)
        noise = float(np.median(difference))
        moving = difference > max(MOTION_FLOOR, NOISE_FACTOR * noise)
        foreground = self._foreground(small, grid)
        self._before = small
        self._moved_s[moving] = frame.time_s
        self._learn(frame.time_s, foreground)
        energy = np.where(moving, difference, np.float32(0))
        return Activity(grid, frame.time_s, moving, foreground, energy, noise)

    def settle(self, region: Mask) -> None:
        """Take the latest frame inside `region` as the table at rest."""
        if self.grid is not None:
            _copy(self._before, self._at_rest, region)

    def _start(self, grid: BlockGrid, small: Image, time_s: float) -> None:
        self.grid, self.guarded = grid, None
        self._before = small
        self._at_rest = small.copy()
        self._beneath = small.copy()
        self._moved_s = np.full(grid.shape, time_s)

    def _foreground(self, small: Image, grid: BlockGrid) -> Mask:
        size_wh = grid.shape[::-1]
        now, rest = (cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA) for part in (small, self._at_rest))
        ratios = (now.astype(np.float32) + 1) / (rest.astype(np.float32) + 1)
        gain = np.diag(np.median(ratios.reshape(-1, 3), axis=0))
        foreground = _stands_out(small, cv2.transform(self._at_rest, gain), grid)
        uncovered = foreground & ~_stands_out(small, cv2.transform(self._beneath, gain), grid)
        if self.guarded is not None:
            uncovered &= ~self.guarded
        _copy(small, self._at_rest, uncovered)
        return foreground & ~uncovered

    def _learn(self, time_s: float, foreground: Mask) -> None:
        """Take what has kept still into the table at rest; where nothing differs at all this follows drifting light."""
        patience_s = np.where(foreground, ABSORB_S, 0.0)
        if foreground.mean() < NUDGED_SHARE:
            patience_s[connected(foreground, _edge(foreground.shape))] = ABSORB_ARM_S
        still = time_s - self._moved_s >= patience_s
        if self.guarded is not None:
            still &= ~(self.guarded & foreground)
        _copy(self._at_rest, self._beneath, still & foreground)
        _copy(self._before, self._at_rest, still)


def _stands_out(small: Image, expected: cv2.typing.MatLike, grid: BlockGrid) -> Mask:
    difference = _block_difference(small, np.asarray(expected, np.uint8), grid)
    return np.asarray(difference > max(CHANGE_FLOOR, NOISE_FACTOR * float(np.median(difference))), np.bool_)


def _copy(source: Image, target: Image, region: Mask) -> None:
    pixels = cv2.resize(region.astype(np.uint8), target.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    cv2.copyTo(source, pixels, target)


def connected(parts: Mask, start: Mask) -> Mask:
    """Those `parts` that hang together, corners included, with some block of `start`."""
    _, labels = cv2.connectedComponents(parts.astype(np.uint8), connectivity=8)
    return np.asarray(np.isin(labels, np.unique(labels[start & parts])) & parts, np.bool_)


def _edge(shape: tuple[int, ...]) -> Mask:
    edge = np.ones(shape, np.bool_)
    edge[1:-1, 1:-1] = False
    return edge


def _shrink(image: Image, grid: BlockGrid) -> Image:
    """The small picture (h, w, 3). Halving first costs a quarter of shrinking in one step."""
    while image.shape[1] >= 2 * SMALL_WIDTH:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return cv2.resize(image, grid.small_wh, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _block_difference(first: Image, second: Image, grid: BlockGrid) -> NDArray[np.float32]:
    """Mean over each block of the largest difference of the three colours: equally bright cards differ in colour."""
    blue, green, red = cv2.split(cv2.absdiff(first, second))
    largest = cv2.max(cv2.max(blue, green), red)
    return cv2.resize(largest.astype(np.float32), grid.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
