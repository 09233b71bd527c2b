"""Who reached in: from which seat did the arm come that carried the card?

What moves and hangs together with the pile is an arm, as far as a cheap test can tell; the side from which it comes
tells whose it is. Hands cross and children reach around each other, so the answer carries a confidence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.change_test import Activity, BlockGrid, connected
from vision.changes import Who
from vision.geometry import Floats

__all__ = ["Reach"]

SEAT_WEIGHT = 2.0
"""Movement inside a seat's own polygon tells more than movement somewhere between it and the pile."""
FADES_S = 0.5
"""Movement counts half this long before the card lay free: the arm that left last brought the card."""
REMEMBERED_S = 10.0
MIN_ENERGY = 60.0
"""Grey levels summed over blocks and frames: a fingertip that crosses three blocks at 20 levels."""


class Reach:
    """Remembers for every seat how much has moved between it and the pile, frame by frame."""

    def __init__(self, seats: Mapping[str, Floats], pile: Floats, grid: BlockGrid) -> None:
        """Polygons (n, 2) in pixels of the frame."""
        self.names = tuple(seats)
        self._pile = grid.mask(pile)
        self._weights = _weights(tuple(seats.values()), pile, grid)
        self._energies: deque[tuple[float, Floats]] = deque()

    def see(self, activity: Activity) -> None:
        """Note what moves in this frame and hangs together with the pile."""
        if not self.names or not (activity.moving & self._pile).any():
            return
        arms = connected(activity.moving | activity.foreground | self._pile, self._pile) & ~self._pile
        energy = np.where(arms, activity.energy, 0.0)
        self._energies.append((activity.time_s, np.tensordot(self._weights, energy, axes=2)))
        while self._energies[0][0] < activity.time_s - REMEMBERED_S:
            self._energies.popleft()

    def who(self, since_s: float, until_s: float) -> Who | None:
        """The seat from which the pile was reached after `since_s` and until `until_s`; its share of all movement."""
        total = np.zeros(len(self.names))
        for time_s, energies in self._energies:
            if since_s < time_s <= until_s:
                total += energies * 0.5 ** ((until_s - time_s) / FADES_S)
        if not self.names or total.sum() < MIN_ENERGY:
            return None
        best = int(np.argmax(total))
        return self.names[best], round(float(total[best] / total.sum()), 3)


def _weights(seats: tuple[Floats, ...], pile: Floats, grid: BlockGrid) -> NDArray[np.float64]:
    """For every seat how much each block speaks for it: (seats, rows, columns).

    The frame is cut into one sector a seat, seen from the middle of the pile; a block speaks the more for its seat the
    closer it lies to the straight way there.
    """
    if not seats:
        return np.zeros((0, *grid.shape))
    middle = pile.mean(axis=0)
    directions = np.array([seat.mean(axis=0) - middle for seat in seats])
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-9)
    ways = grid.centres_px() - middle
    ways /= np.maximum(np.linalg.norm(ways, axis=2, keepdims=True), 1e-9)
    cosines = np.einsum("sk,rck->src", directions, ways)
    nearest = cosines.argmax(axis=0) == np.arange(len(seats))[:, None, None]
    sector = np.where(nearest, np.clip(cosines, 0.0, 1.0) ** 2, 0.0)
    own = np.stack([grid.mask(seat) for seat in seats])
    return np.asarray(np.where(own, SEAT_WEIGHT, sector * ~own.any(axis=0)), dtype=np.float64)
