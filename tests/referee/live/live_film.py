"""A tiny film and eyes that have read its script: everything about a table but the seeing itself."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.changes import Change, Notice
from vision.sightings import Frame, Image

FPS = 10
WIDTH, HEIGHT = 96, 64
PLAYERS = ("Ada", "Ben", "Cleo")

# Of the fish deck: EATS goes on TARGET, NEXT on EATS; WRONG goes on neither.
TARGET, EATS, NEXT, WRONG = "R2+B1+W3", "R4+B1+V4", "P-G", "O1+Y2+K4"

TABLE_TOML = """\
game = "piranhas"
deck = "fish"
players = ["Ada", "Ben", "Cleo"]

[zones]
pile = [[30, 20], [60, 20], [60, 50], [30, 50]]
"""


def picture(level: int) -> Image:
    """A plain picture of one grey."""
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


def write_video(path: Path, seconds: float) -> None:
    """A film of grey pictures that grow brighter; as `.avi` it can be cut off and still be opened."""
    code = cv2.VideoWriter.fourcc(*("mp4v" if path.suffix == ".mp4" else "MJPG"))
    writer = cv2.VideoWriter(str(path), code, FPS, (WIDTH, HEIGHT))
    for number in range(round(seconds * FPS)):
        writer.write(picture(40 + number % 150))
    writer.release()


def write_recording(folder: Path, seconds: float, truth: Iterable[dict[str, Any]] = ()) -> Path:
    """A recording with a film of that length; no truth.jsonl without lines."""
    folder.mkdir(parents=True, exist_ok=True)
    write_video(folder / "video.mp4", seconds)
    (folder / "table.toml").write_text(TABLE_TOML)
    lines = [json.dumps(line) for line in truth]
    if lines:
        (folder / "truth.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def laid(face: str, at_s: float, who: str | None = "Ada", sure: float = 0.9, **others: float) -> Change:
    """A card that came to rest; `others` are what else it may be, as `P_G=0.4`."""
    more = tuple((name.replace("_", "-"), p) for name, p in others.items())
    candidates = ((face, 1 - sum(others.values())), *more)
    quad = np.array([[30, 20], [50, 20], [50, 48], [30, 48]], dtype=np.float64)
    evidence = (picture(50), picture(200))
    seat = None if who is None else (who, sure)
    return Change("appeared", "pile", at_s - 0.1, at_s, candidates, who=seat, quad_px=quad, evidence=evidence)


def taken(count: int, at_s: float) -> Change:
    """The upper cards are gone."""
    return Change("vanished", "pile", at_s - 0.1, at_s, count=count, evidence=(picture(200), picture(50)))


@dataclass
class ScriptedWatcher:
    """Tells each change `delay_s` after it happened."""

    script: list[Change]
    delay_s: float = 0.3
    notices: list[Notice] = field(default_factory=list)
    time_s: float = 0.0

    def see(self, frame: Frame) -> tuple[Change, ...]:
        self.time_s = frame.time_s
        due = [change for change in self.script if change.until_s + self.delay_s <= frame.time_s + 1e-6]
        self.script = [change for change in self.script if change not in due]
        return tuple(due)

    def finish(self) -> tuple[Change, ...]:
        left, self.script = self.script, []
        return tuple(left)

    def take_notices(self) -> tuple[Notice, ...]:
        due = [notice for notice in self.notices if notice.time_s <= self.time_s]
        self.notices = [notice for notice in self.notices if notice not in due]
        return tuple(due)


def story() -> list[Change]:
    """The target is turned over, a card fits, a wrong one comes, it is taken back, and play goes on."""
    return [
        laid(TARGET, 0.2, None),
        laid(EATS, 1.0, "Ada"),
        laid(WRONG, 2.0, "Ben"),
        taken(2, 3.0),
        laid(NEXT, 4.0, "Cleo"),
    ]


def story_truth() -> list[dict[str, Any]]:
    """What really happens in `story`."""
    return [
        {"t": 1.0, "player": "Ada", "kind": "play", "cards": [EATS], "ruling": "legal", "rules": []},
        {"t": 2.1, "t_still": 2.0, "player": "Ben", "kind": "play", "cards": [WRONG], "ruling": "foul",
         "rules": ["P-F2"]},
        {"t": 3.0, "player": "Ben", "kind": "take", "cards": [WRONG, EATS]},
        {"t": 4.0, "player": "Cleo", "kind": "play", "cards": [NEXT], "ruling": "legal", "rules": []},
    ]  # fmt: skip
