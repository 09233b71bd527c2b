"""Where pictures come from: a camera, a stream, a video file or a folder of pictures.

A file or folder has its own time and is read picture by picture, none is left out. A camera or stream is live: its time
is a monotonic clock, and `NewestFrame` keeps only the newest picture, so that slow eyes never fall behind the table.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np

from vision.errors import CameraError
from vision.sightings import Frame

__all__ = ["Clock", "NewestFrame", "Source", "open_source"]

Clock = Callable[[], float]

PICTURE_SUFFIXES = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
PICTURES_PER_S = 5.0
"""A folder of pictures has no time of its own; at this pace a card that lies in three of them has come to rest."""
MISSING_S = 0.25
"""Containers may promise a frame or two more than they hold; a video that ends earlier than this is a damaged one."""
_USUAL_FPS = 30.0


class Source(Protocol):
    """A stream of pictures. Iterating ends where the pictures end; a live source has no end but its failure."""

    live: bool

    def read(self) -> Frame | None:
        """The next picture, None after the last one.

        Raises:
            CameraError: The camera is gone, or a file is damaged.
        """
        ...

    def close(self) -> None: ...
    def __iter__(self) -> Iterator[Frame]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...


def open_source(text: str, *, clock: Clock = time.monotonic, timeout_s: float = 5.0) -> Source:
    """Open what `text` names: a camera's number, a device, a file, a folder of pictures, an http or rtsp address.

    `clock` times live pictures; `timeout_s` is how long a stream may take to answer or to send its next picture.

    Raises:
        CameraError: There is nothing of that name, or it gives no pictures.
    """
    # FFmpeg writes to the terminal by itself; what it says in its own words is said below in a sentence.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "8")
    if "://" in text:
        return _Live(_open_address(text, timeout_s), text, clock)
    if text.isdecimal():
        return _Live(_open_number(int(text)), f"number {text}", clock)
    path = Path(text).expanduser()
    if path.is_dir():
        return _Pictures(path)
    if path.is_char_device():
        return _Live(_open_device(path), text, clock)
    if path.is_file():
        return _VideoFile(path)
    raise CameraError(
        f"There is no camera, file or folder '{text}'.",
        hint="Give a camera's number (0 is the first), a device like /dev/video0, a file, a folder, or an address "
        "like http://192.168.0.20:8080/video",
    )


def _capture(*arguments: object) -> cv2.VideoCapture:
    """Open without OpenCV's own warnings on the terminal."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(*arguments)
    finally:
        cv2.utils.logging.setLogLevel(level)


def _open_number(number: int) -> cv2.VideoCapture:
    capture = _capture(number)
    if not capture.isOpened():
        present = ", ".join(sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video*")))
        known = f"Cameras that are plugged in: {present}." if present else "No camera is plugged in."
        raise CameraError(f"No camera answers at number {number}.", hint=f"{known} Another program may be using it.")
    return _newest_only(capture)


def _open_device(path: Path) -> cv2.VideoCapture:
    capture = _capture(str(path), cv2.CAP_V4L2)
    if not capture.isOpened():
        raise CameraError(f"The device {path} gives no pictures.", hint="Is it a camera, and may you read it?")
    return _newest_only(capture)


def _newest_only(capture: cv2.VideoCapture) -> cv2.VideoCapture:
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _open_address(address: str, timeout_s: float) -> cv2.VideoCapture:
    timeout_ms = round(timeout_s * 1000)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms]
    capture = _capture(address, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        raise CameraError(
            f"No pictures come from {address} (waited up to {timeout_s:g} s).",
            hint="Open the address in a browser: is the camera on, in the same network, and is the path right?",
        )
    return capture


class _Base:
    """What all sources share: iterating and closing."""

    live = False

    def read(self) -> Frame | None:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to give back."""

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Live(_Base):
    live = True

    def __init__(self, capture: cv2.VideoCapture, name: str, clock: Clock) -> None:
        self._capture, self._name, self._clock = capture, name, clock
        self._start_s = clock()
        self._index = 0

    def read(self) -> Frame | None:
        good, image = self._capture.read()
        time_s = self._clock() - self._start_s
        if not good:
            raise CameraError(
                f"The camera {self._name} has stopped after {time_s:.1f} s.",
                hint="Check its cable, its battery or the network, then start again; the match is kept.",
            )
        frame = Frame(np.asarray(image, np.uint8), self._index, time_s)
        self._index += 1
        return frame

    def close(self) -> None:
        self._capture.release()


class _VideoFile(_Base):
    def __init__(self, path: Path) -> None:
        self._capture, self._path = _capture(str(path), cv2.CAP_FFMPEG), path
        if not self._capture.isOpened():
            raise CameraError(
                f"{path} is no video that can be read.",
                hint="It may be cut off, of another kind, or still being copied. Try to play it in a video player.",
            )
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or _USUAL_FPS
        self._promised = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._index, self._time_s = 0, -1.0

    def read(self) -> Frame | None:
        good, image = self._capture.read()
        if not good:
            self._check_end()
            return None
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        # Where a container keeps no times, or jumping ones, the frame rate has to do.
        self._time_s = stamp_s if stamp_s > self._time_s else self._time_s + 1 / self._fps
        frame = Frame(np.asarray(image, np.uint8), self._index, max(self._time_s, 0.0))
        self._index += 1
        return frame

    def _check_end(self) -> None:
        if self._index == 0:
            raise CameraError(f"{self._path} holds no picture.", hint="Record it again, or copy it again.")
        missing = self._promised - self._index
        length_s, end_s = self._promised / self._fps, self._time_s + 1 / self._fps
        if missing / self._fps > MISSING_S and length_s - end_s > MISSING_S:
            raise CameraError(
                f"{self._path} breaks off after {end_s:.1f} s; it should last {length_s:.1f} s.",
                hint="The file is damaged or was not copied to its end: copy it again.",
            )

    def close(self) -> None:
        self._capture.release()


class _Pictures(_Base):
    def __init__(self, folder: Path) -> None:
        files = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
        if not files:
            raise CameraError(
                f"The folder {folder} holds no pictures.", hint=f"Known kinds: {', '.join(PICTURE_SUFFIXES)}"
            )
        self._files = sorted(files, key=_natural)
        self._index = 0

    def read(self) -> Frame | None:
        if self._index == len(self._files):
            return None
        path = self._files[self._index]
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError(f"{path} is no picture that can be read.", hint="Remove it, or copy it again.")
        frame = Frame(np.asarray(image, np.uint8), self._index, self._index / PICTURES_PER_S)
        self._index += 1
        return frame


def _natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    """Picture 2 comes before picture 10."""
    parts = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], path.name


class NewestFrame:
    """Reads a source in a thread of its own and keeps only the newest picture; older ones are overwritten.

    `with NewestFrame(source) as newest: frame = newest.take(5.0)`. Leaving closes the source.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._frame: Frame | None = None
        self._error: CameraError | None = None
        self._ended = self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)

    def take(self, timeout_s: float) -> Frame | None:
        """The newest picture that was not taken yet; waits for it. None when the source has come to its end.

        Raises:
            CameraError: The camera is gone, or no picture has come for `timeout_s` seconds.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._frame or self._error or self._ended, timeout_s)
            frame, self._frame = self._frame, None
            if frame is not None or self._ended:
                return frame
            if self._error is not None:
                raise self._error
        raise CameraError(
            f"The camera has sent no picture for {timeout_s:g} s.", hint="Check its cable, its battery or the network."
        )

    def _run(self) -> None:
        error = None
        try:
            for frame in self._source:
                if not self._put(frame):
                    break
        except CameraError as caught:
            error = caught
        finally:
            self._source.close()
        with self._changed:
            self._error, self._ended = error, error is None
            self._changed.notify_all()

    def _put(self, frame: Frame) -> bool:
        with self._changed:
            self._frame = frame
            self._changed.notify_all()
            return not self._closing

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._closing = True
        # A read that hangs in a driver must not keep the table from ending; the thread is a daemon.
        self._thread.join(timeout=2.0)
