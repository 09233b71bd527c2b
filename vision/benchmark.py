"""What seeing costs on this machine, next to the usual way: a YOLO11n at 640 px over every frame.

Everything is timed in one run and by turns, so that what else the machine does meets all rows alike. The usual network
is `models/bench-yolo11n.onnx`: the graph of a YOLO11n without its weights, which takes as long as one with weights (see
`vision.teaching.bench_network`). Its rows hold only fitting the frame and running the network, not decoding.
"""

from __future__ import annotations

import copy
import hashlib
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from rich.table import Table

from vision.change_test import Activity, ChangeTest
from vision.data import models_dir
from vision.decks import Deck, load_deck, raster
from vision.errors import ModelError
from vision.eyes import Eyes, open_eyes
from vision.geometry import Floats, bounds_xyxy, frame_quad, homography
from vision.identify import crops_of
from vision.locate import letterbox
from vision.sightings import Frame, Image
from vision.weights import Weights, open_session

__all__ = [
    "BenchReport",
    "BenchTable",
    "Task",
    "Timing",
    "as_markdown",
    "as_table",
    "bench_table",
    "measure",
    "run_benchmark",
]

FRAME_WH = (1280, 720)
CARD_PX = (86, 120)
USUAL_PX = 640
USUAL_MODEL = "bench-yolo11n.onnx"
CROP_LONG_SIDES = (144, 160)
MARGIN = 0.5
"""Share of the changed area's size that is looked at around it: a card may be larger than what of it stands out."""
FRAME_S = 1 / 30
BURST = 5
"""Repetitions in a row before the next task has its turn."""
WARM_UP = 2


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be timed: `work` counts, `prepare` before each repetition does not.

    The time is divided by `parts`. `burst` are the repetitions in one turn; a slow task takes fewer.
    """

    name: str
    title: str
    work: Callable[[], object]
    prepare: Callable[[], object] | None = None
    parts: int = 1
    burst: int = BURST


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one task over `repetitions`."""

    name: str
    title: str
    repetitions: int
    median_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All timings of one run.

    `threads` 0: as many as ONNX Runtime chooses. `peak_memory_mib`: of the whole process with locator and identifier at
    work, before the usual network is loaded; None where the system does not tell.
    """

    frame_wh: tuple[int, int]
    threads: int
    machine: dict[str, str]
    timings: tuple[Timing, ...]
    peak_memory_mib: float | None

    def ratio(self, name: str) -> float:
        """How many times as long the usual way takes as `name`, by the medians of this run."""
        medians = {timing.name: timing.median_ms for timing in self.timings}
        return medians["usual"] / medians[name]

    def as_json(self) -> dict[str, Any]:
        """The report with the ratio of every row."""
        rows = [{**asdict(timing), "ratio": round(self.ratio(timing.name), 2)} for timing in self.timings]
        return {**asdict(self), "timings": rows}


def run_benchmark(
    deck_name: str, *, repetitions: int = 50, threads: int = 0, models: Path | None = None
) -> BenchReport:
    """Time everything; `models` is the folder of the weights, by default the shipped ones.

    Raises:
        ModelError: Weights are missing or damaged.
        DeckError: There is no such deck.
    """
    load_deck(deck_name)
    usual = _usual_weights()
    eyes = open_eyes(deck_name, models=models, threads=threads)
    before = cv2.getNumThreads()
    cv2.setNumThreads(threads or before)
    try:
        own = _own_tasks(bench_table(load_deck("fish")), eyes)
        measure(own, 1)
        peak = peak_memory_mib()
        timings = measure((*own, *_usual_tasks(usual, threads)), repetitions)
    finally:
        cv2.setNumThreads(before)
    return BenchReport(FRAME_WH, threads, _machine(), timings, peak)


def measure(tasks: Sequence[Task], repetitions: int) -> tuple[Timing, ...]:
    """Time `tasks` by turns until each with a full burst has its `repetitions`, after a warm-up that does not count."""
    durations: list[list[float]] = [[] for _ in tasks]
    for task in tasks:
        for _ in range(WARM_UP):
            _time_ms(task)
    for start in range(0, repetitions, BURST):
        left = min(BURST, repetitions - start)
        for task, taken in zip(tasks, durations, strict=True):
            taken.extend(_time_ms(task) for _ in range(min(task.burst, left)))
    return tuple(_timing(task, taken) for task, taken in zip(tasks, durations, strict=True))


def _time_ms(task: Task) -> float:
    if task.prepare is not None:
        task.prepare()
    start = time.perf_counter()
    task.work()
    return (time.perf_counter() - start) * 1000 / task.parts


def _timing(task: Task, taken: Sequence[float]) -> Timing:
    median, p95 = np.percentile(taken, [50, 95])
    return Timing(task.name, task.title, len(taken), round(float(median), 3), round(float(p95), 3))


@dataclass(frozen=True, slots=True, eq=False)
class BenchTable:
    """A table with cards on it, twice with other noise, and once with one card more. `quads_px` (n, 4, 2): that card
    first, then the others."""

    still: tuple[Image, Image]
    changed: Image
    quads_px: Floats


def bench_table(deck: Deck) -> BenchTable:
    """Draw the frames of the benchmark with the art of `deck`; the same on every machine."""
    rng = np.random.default_rng(0)
    ground = cv2.resize(rng.uniform(60, 110, (45, 80, 3)).astype(np.float32), FRAME_WH, interpolation=cv2.INTER_CUBIC)
    places = [(640, 360), *((180 + 300 * column, 150 + 420 * row) for row in range(2) for column in range(4))]
    quads = np.array([_card_quad(place, float(rng.uniform(-25, 25))) for place in places])
    table = np.asarray(ground, np.float32)
    for card, quad in zip(deck.cards[1:], quads[1:], strict=False):
        table = _lay(table, card.art, quad)
    pictures = (table, table, _lay(table, deck.cards[0].art, quads[0]))
    noisy = [np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8) for picture in pictures]
    return BenchTable((noisy[0], noisy[1]), noisy[2], quads)


def _card_quad(centre: tuple[int, int], angle_deg: float) -> Floats:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_PX) / 2
    turn = np.deg2rad(angle_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(corners @ matrix.T + centre)


def _lay(table: NDArray[np.float32], art: Path | None, quad_px: Floats) -> NDArray[np.float32]:
    """The table with one more card on it."""
    if art is None:
        raise ValueError("the deck of the benchmark has to have pictures")
    card = raster(art, 2 * CARD_PX[1]).astype(np.float32)
    corners = frame_quad((card.shape[1], card.shape[0]))
    x0, y0, x1, y1 = np.round(bounds_xyxy(quad_px)).astype(int) + np.array([-2, -2, 2, 2])
    warped = cv2.warpPerspective(card, homography(corners, quad_px - (x0, y0)), (x1 - x0, y1 - y0))
    alpha = warped[:, :, 3:] / 255
    laid = table.copy()
    laid[y0:y1, x0:x1] = table[y0:y1, x0:x1] * (1 - alpha) + warped[:, :, :3] * alpha
    return laid


def _own_tasks(table: BenchTable, eyes: Eyes) -> tuple[Task, ...]:
    watch, identifier = _Watch(table, eyes), eyes.identifier
    sides = " + ".join(map(str, eyes.locator.long_sides))
    quads = table.quads_px
    return (
        Task("still", "frame without change: change test", watch.see_still),
        Task("changed", "changed frame: test, locate around it, identify", watch.see_changed, watch.reset),
        Task("locate", f"locate, whole frame at {sides} px", lambda: eyes.find(table.changed)),
        Task("identify_1", "identify one card", lambda: identifier.read(crops_of(table.changed, quads[:1]))),
        Task(
            "identify_8",
            "identify, a card of eight",
            lambda: identifier.read(crops_of(table.changed, quads[:8])),
            parts=8,
        ),
    )


class _Watch:
    """A camera over the table of the benchmark: its clock goes on with every frame."""

    def __init__(self, table: BenchTable, eyes: Eyes) -> None:
        locator = copy.copy(eyes.locator)  # the same session, looking at another size
        locator.long_sides = CROP_LONG_SIDES
        self.table, self.eyes = table, Eyes(locator, eyes.fitter, eyes.identifier)
        self.test = ChangeTest()
        self.count = 0
        self.reset()

    def _see(self, image: Image) -> Activity:
        self.count += 1
        return self.test.see(Frame(image, self.count, self.count * FRAME_S))

    def see_still(self) -> Activity:
        """The next frame of a table on which nothing happens."""
        return self._see(self.table.still[self.count % 2])

    def reset(self) -> None:
        """Two frames without the new card: the first may still tell that it went."""
        self.see_still()
        self.see_still()

    def see_changed(self) -> object:
        """A frame in which a card has appeared, from the pixels to its name."""
        activity = self._see(self.table.changed)
        return self.eyes.look(_around(self.table.changed, activity))


def _around(image: Image, activity: Activity) -> Image:
    """The part of `image` in which something differs from the table at rest, with a margin."""
    rows, columns = np.nonzero(activity.foreground)
    low, high = np.array([columns.min(), rows.min()]), np.array([columns.max(), rows.max()]) + 1
    margin = (high - low) * MARGIN
    x0, y0 = np.maximum((low - margin) * activity.grid.block_px, 0).astype(int)
    x1, y1 = np.ceil((high + margin) * activity.grid.block_px).astype(int)
    return image[y0:y1, x0:x1]


def _usual_weights() -> Weights:
    path = models_dir() / USUAL_MODEL
    if not path.is_file():
        raise ModelError(
            f"The network of the comparison is missing: {path}.",
            hint="Install wrongcard again, or make it: pip install '.[train]', then wrongcard export usual",
        )
    return Weights("usual", path, hashlib.sha256(path.read_bytes()).hexdigest(), {})


def _usual_tasks(usual: Weights, threads: int) -> tuple[Task, ...]:
    session = open_session(usual, threads=threads)
    frame = np.random.default_rng(0).integers(0, 256, (FRAME_WH[1], FRAME_WH[0], 3)).astype(np.uint8)
    return (
        Task("usual", "the usual way: YOLO11n at 640 × 384", lambda: _run_usual(session, frame), burst=2),
        Task("usual_square", "the same, padded to 640 × 640", lambda: _run_usual(session, frame, square=True), burst=2),
    )


def _run_usual(session: ort.InferenceSession, frame: Image, *, square: bool = False) -> object:
    tensor = letterbox(frame, USUAL_PX).tensor
    if square:
        rows = USUAL_PX - tensor.shape[2]
        tensor = np.pad(tensor, ((0, 0), (0, 0), (rows // 2, rows - rows // 2), (0, 0)))
    return session.run(None, {session.get_inputs()[0].name: tensor})


def peak_memory_mib() -> float | None:
    """The most memory that this process has held so far, in MiB; None where the system does not tell (Windows)."""
    if sys.platform == "win32":
        return None
    import resource

    units_per_mib = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, KiB elsewhere
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / units_per_mib, 1)


def _machine() -> dict[str, str]:
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "onnxruntime": ort.__version__,
        "opencv": cv2.__version__,
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def as_table(report: BenchReport) -> Table:
    """The report for the terminal."""
    machine = report.machine
    threads = str(report.threads) if report.threads else "the runtime's choice"
    memory = "not told by this system" if report.peak_memory_mib is None else f"{report.peak_memory_mib:.0f} MiB"
    table = Table(
        title=f"A frame of {report.frame_wh[0]} × {report.frame_wh[1]} px",
        caption=f"{machine['processor']}, {machine['cores']} cores, threads: {threads}. Peak memory: {memory}.",
        caption_justify="left",
    )
    for heading in ("", "median ms", "p95 ms", "repetitions", "usual way takes"):
        table.add_column(heading, justify="right" if heading else "left")
    for timing in report.timings:
        numbers = (f"{timing.median_ms:.2f}", f"{timing.p95_ms:.2f}", str(timing.repetitions))
        table.add_row(timing.title, *numbers, f"{report.ratio(timing.name):.1f} ×")
    return table


def as_markdown(report: BenchReport) -> str:
    """The report as the Markdown table of the README, without a line break at its end."""
    rows = [("", "median ms", "p95 ms", "usual way takes"), ("---", "---:", "---:", "---:")]
    rows += [
        (timing.title, f"{timing.median_ms:.2f}", f"{timing.p95_ms:.2f}", f"{report.ratio(timing.name):.1f} ×")
        for timing in report.timings
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
