"""Sources of pictures: real files, a real MJPEG server on the loopback, and what is said when nothing comes."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import NewestFrame, open_source
from vision.errors import CameraError
from vision.sightings import Frame, Image


def grey(level: int) -> Image:
    return np.full((96, 160, 3), level, np.uint8)


@contextmanager
def mjpeg(levels: list[int], *, more: threading.Event | None = None) -> Iterator[str]:
    """The address of a camera that sends grey pictures; it waits for `more` before it hangs up.

    A dozen is enough for a reader to find out what is sent before the connection ends.
    """

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            if self.path != "/video":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for level in levels:
                data = cv2.imencode(".jpg", grey(level))[1].tobytes()
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                self.wfile.write(data + b"\r\n")
            if more is not None:
                more.wait(20)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        if more is not None:
            more.set()
        server.shutdown()
        thread.join()
        server.server_close()


def ticking() -> Iterator[float]:
    return itertools.count(100.0, 0.5)


def test_an_address_gives_live_pictures_timed_by_the_clock() -> None:
    clock = ticking()
    with mjpeg([10, 90, 170, 250] * 3) as address, open_source(address, clock=lambda: next(clock)) as source:
        assert source.live
        frames = [source.read() for _ in range(3)]
    assert [frame.time_s for frame in frames if frame] == [0.5, 1.0, 1.5]
    assert [frame.index for frame in frames if frame] == [0, 1, 2]
    assert [round(float(frame.image.mean()), -1) for frame in frames if frame] == [10, 90, 170]


def test_a_camera_that_hangs_up_says_so() -> None:
    with mjpeg([50] * 12) as address, open_source(address) as source:
        with pytest.raises(CameraError, match=r"has stopped after \d+\.\d s") as caught:
            list(source)
        assert "cable" in caught.value.hint


def test_an_address_where_nobody_listens_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/video"
    with pytest.raises(CameraError, match="No pictures come from " + address):
        open_source(address, timeout_s=2)


def test_an_address_with_a_wrong_path_is_named() -> None:
    with mjpeg([50]) as address, pytest.raises(CameraError, match="No pictures come from"):
        open_source(address + "o", timeout_s=2)


def test_an_address_that_accepts_and_stays_silent_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(CameraError, match="waited up to 1 s"):
            open_source(f"http://127.0.0.1:{silent.getsockname()[1]}/video", timeout_s=1)


def test_a_camera_number_that_is_not_there_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CameraError, match="No camera answers at number 97"):
        open_source("97")
    assert capfd.readouterr() == ("", "")


def test_a_device_that_is_no_camera_is_named() -> None:
    with pytest.raises(CameraError, match="The device /dev/null gives no pictures"):
        open_source("/dev/null")


def test_a_name_of_nothing_tells_what_a_source_may_be(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="There is no camera, file or folder") as caught:
        open_source(str(tmp_path / "video.mp4"))
    assert "/dev/video0" in caught.value.hint


def test_a_text_that_is_called_a_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.mp4").write_text("no video", encoding="utf-8")
    with pytest.raises(CameraError, match=r"game\.mp4 is no video that can be read"):
        open_source(str(tmp_path / "game.mp4"))


def test_a_video_file_has_its_own_time(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "game.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 20.0, (160, 96))
    for level in (20, 120, 220):
        writer.write(grey(level))
    writer.release()
    with open_source(str(tmp_path / "game.mp4"), clock=lambda: 7.0) as source:
        assert not source.live
        frames = list(source)
    assert np.allclose([frame.time_s for frame in frames], [0, 0.05, 0.1], atol=1e-3)


def test_a_folder_of_pictures_is_read_in_the_order_people_count(tmp_path: Path) -> None:
    for number, level in ((10, 200), (2, 100), (1, 0)):
        cv2.imwrite(str(tmp_path / f"shot{number}.png"), grey(level))
    (tmp_path / "notes.txt").write_text("not a picture", encoding="utf-8")
    with open_source(str(tmp_path)) as source:
        frames = list(source)
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [0, 100, 200]
    assert [frame.time_s for frame in frames] == [0.0, 0.2, 0.4]


def test_a_folder_without_pictures_or_with_a_broken_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        open_source(str(tmp_path))
    (tmp_path / "a.png").write_bytes(b"broken")
    with open_source(str(tmp_path)) as source, pytest.raises(CameraError, match=r"a\.png is no picture"):
        source.read()


class Paced:
    """A live source whose pictures come when the test says so."""

    live = True

    def __init__(self, count: int) -> None:
        self.frames = [Frame(grey(0), index, float(index)) for index in range(count)]
        self.gate = threading.Semaphore(0)
        self.given = threading.Semaphore(0)
        self.closed = False

    def read(self) -> Frame | None:
        if not self.frames:
            return None
        self.gate.acquire()
        return self.frames.pop(0)

    def close(self) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame
            self.given.release()

    def __enter__(self) -> Paced:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def test_only_the_newest_picture_is_kept() -> None:
    source = Paced(5)
    with NewestFrame(source) as newest:
        source.gate.release(4)
        for _ in range(3):
            assert source.given.acquire(timeout=10)
        # Three are overwritten or in the slot for sure; the fourth may be.
        taken = newest.take(10)
        assert taken is not None
        assert taken.index in (2, 3)
        source.gate.release()
        rest = [frame.index for frame in iter(lambda: newest.take(10), None)]
    assert rest in ([4], [3, 4])
    assert source.closed


def test_a_camera_that_falls_silent_is_noticed() -> None:
    source = Paced(1)
    with NewestFrame(source) as newest:
        with pytest.raises(CameraError, match=r"no picture for 0\.05 s"):
            newest.take(0.05)
        source.gate.release()


def test_the_failure_of_a_camera_reaches_the_table_after_the_last_picture() -> None:
    more = threading.Event()
    with mjpeg([40] * 12, more=more) as address, NewestFrame(open_source(address)) as newest:
        assert newest.take(10) is not None
        more.set()
        with pytest.raises(CameraError, match="has stopped"):
            for _ in iter(lambda: newest.take(10), None):
                pass
