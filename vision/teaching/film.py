"""Turn a film's script into a recording: `video.mp4`, `table.toml` and `truth.jsonl`.

    python -m vision.teaching.film SCRIPT ASSETS OUT

The same script and assets give the same frames. H.264 comes from the program `ffmpeg`.
"""

from __future__ import annotations

import logging
import math
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.decks import load_deck
from vision.errors import TeachingError, VisionError
from vision.teaching.catalogue import Catalogue
from vision.teaching.film_motion import choreograph
from vision.teaching.film_script import Film, load_script
from vision.teaching.film_stage import Stage
from vision.teaching.film_truth import Witness, table_toml
from vision.teaching.layers import Bytes, Reals
from vision.teaching.lens import expose, light_up

__all__ = ["film_frames", "film_truth", "main", "render_film", "scaled", "write_video"]

_LOG = logging.getLogger(__name__)

_CRF = 23
"""x264's rate factor: prints stay sharp at half a megabit a second."""
_GLOSS = 0.1
_FLICKER = 0.01
"""Lamps on alternating current beat against the frame rate: the light swings by this share."""
_FLICKER_HZ = (0.9, 2.3)


def render_film(script: Path, assets: Path, out: Path) -> None:
    """Render a script with the pictures in `assets` into the recording folder `out`.

    Raises:
        TeachingError: The script cannot happen, a picture is missing, or there is no ffmpeg.
        DeckError: There is no such deck.
    """
    film = load_script(script)
    stage, witness = _stage(film, assets)
    out.mkdir(parents=True, exist_ok=True)
    write_video(_frames(film, stage, witness), out / "video.mp4", film)
    (out / "truth.jsonl").write_text(witness.lines(), encoding="utf-8")
    (out / "table.toml").write_text(table_toml(film, witness.card_mm), encoding="utf-8")


def film_frames(film: Film, assets: Path) -> Iterator[Bytes]:
    """The frames of a film one after the other, each (H, W, 3) uint8 BGR."""
    return _frames(film, *_stage(film, assets))


def film_truth(film: Film, assets: Path) -> str:
    """The lines of `truth.jsonl` alone: quick, for nothing is painted."""
    stage, witness = _stage(film, assets)
    for index in range(film.frames):
        witness.look(index / film.fps, stage.moving(index / film.fps))
    return witness.lines()


def scaled(film: Film, factor: float) -> Film:
    """The same film in a picture `factor` times as wide and high, for previews."""
    camera, light = film.camera, film.lighting
    width, height = (round(side * factor / 2) * 2 for side in camera.size_wh)
    spots = tuple((x * factor, y * factor, radius * factor, strength) for x, y, radius, strength in light.spots)
    return replace(
        film,
        camera=replace(camera, size_wh=(width, height), focal_px=camera.focal_px * factor),
        lighting=replace(light, softness_px=light.softness_px * factor, spots=spots),
        lens=replace(film.lens, defocus_px=film.lens.defocus_px * factor),
    )


def _stage(film: Film, assets: Path) -> tuple[Stage, Witness]:
    deck = load_deck(film.deck)
    plan = choreograph(film, deck.size_mm)
    stage = Stage(film, Catalogue(assets, own_decks=(deck,)), plan, deck.size_mm)
    return stage, Witness(film, deck.size_mm, plan)


def _frames(film: Film, stage: Stage, witness: Witness) -> Iterator[Bytes]:
    light, grain, lens = _Light.of(film), _Grain.of(film), replace(film.lens, noise=0.0)
    for index in range(film.frames):
        time_s = index / film.fps
        layers = stage.moving(time_s)
        witness.look(time_s, layers)
        canvas = stage.table(time_s)
        if layers:
            canvas = canvas.copy()
        for layer in layers:
            stage.lay(canvas, layer)
        lit = light.on(canvas) * np.float32(_flicker(time_s))
        yield expose(lit + grain.of_frame(index), lens, film.seed)


@dataclass(frozen=True, slots=True, eq=False)
class _Light:
    """The light of a scene as a factor and a summand for every pixel: it is the same in all frames."""

    factor: Reals
    summand: Reals

    @classmethod
    def of(cls, film: Film) -> _Light:
        width, height = film.camera.size_wh
        gloss: Reals = np.full((height, width), _GLOSS, np.float32)
        black, white = (np.full((height, width, 3), grey, np.uint8) for grey in (0, 255))
        summand = light_up(black, film.lighting, gloss)
        factor = (light_up(white, film.lighting, gloss) - summand) * np.float32(1 / 255)
        return cls(np.asarray(factor, np.float32), summand)

    def on(self, canvas: Bytes) -> Reals:
        """A canvas (H, W, 3) under this light, float32 about 0 to 1."""
        return np.asarray(canvas * self.factor + self.summand, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Grain:
    """Sensor noise: one large sheet, of which each frame shows another part."""

    sheet: Reals
    seed: int
    size_wh: tuple[int, int]

    @classmethod
    def of(cls, film: Film) -> _Grain:
        width, height = film.camera.size_wh
        sheet = np.random.default_rng([film.seed, 1]).standard_normal((height + 256, width + 256, 3), np.float32)
        return cls(sheet * np.float32(film.lens.noise / 255), film.seed, film.camera.size_wh)

    def of_frame(self, index: int) -> Reals:
        """The noise of one frame (H, W, 3)."""
        (y, x), (width, height) = np.random.default_rng([self.seed, 2, index]).integers(0, 256, 2), self.size_wh
        return self.sheet[y : y + height, x : x + width]


def _flicker(time_s: float) -> float:
    waves = (math.sin(2 * math.pi * hertz * time_s + hertz) for hertz in _FLICKER_HZ)
    return 1 + _FLICKER * sum(waves) / len(_FLICKER_HZ)


def write_video(frames: Iterable[Bytes], file: Path, film: Film) -> None:
    """Pack frames as H.264, the same bytes for the same frames and the same ffmpeg.

    Raises:
        TeachingError: ffmpeg is missing or fails.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        raise TeachingError("The program ffmpeg is missing.", hint="Install it: apt-get install ffmpeg")
    part = file.with_name(f"{file.stem}.part{file.suffix}")
    try:
        _encode(frames, [program, *_ffmpeg_options(film), str(part)], file)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _ffmpeg_options(film: Film) -> list[str]:
    width, height = film.camera.size_wh
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(film.fps), "-i", "-"]
    packed = ["-c:v", "libx264", "-preset", "slow", "-crf", str(_CRF), "-pix_fmt", "yuv420p", "-g", str(4 * film.fps)]
    exact = ["-threads", "1", "-fflags", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart"]
    return ["-y", "-v", "error", *raw, *packed, *exact]


def _encode(frames: Iterable[Bytes], command: list[str], file: Path) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            _feed(process, frames)
        finally:
            _, told = process.communicate()
    if process.returncode:
        raise TeachingError(
            f"ffmpeg could not write {file}: {told.decode(errors='replace').strip()}",
            hint="Check the folder and the free space.",
        )


def _feed(process: subprocess.Popen[bytes], frames: Iterable[Bytes]) -> None:
    assert process.stdin is not None
    for number, frame in enumerate(frames, start=1):
        try:
            process.stdin.write(frame.tobytes())
        except BrokenPipeError:
            return  # ffmpeg has given up; what it said is reported by the caller
        if number % 75 == 0:
            _LOG.info("frame %d", number)


def main(arguments: list[str]) -> int:
    """`SCRIPT ASSETS OUT`; returns the exit status."""
    if len(arguments) != 3:
        sys.stderr.write("Usage: python -m vision.teaching.film SCRIPT ASSETS OUT\n")
        return 2
    script, assets, out = (Path(argument) for argument in arguments)
    try:
        render_film(script, assets, out)
    except VisionError as error:
        sys.stderr.write(f"{error}\n{error.hint}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
