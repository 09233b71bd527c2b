"""The eyes' thread with real films and a real camera stream on the loopback address."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from live_film import EATS, TARGET, ScriptedWatcher, laid, picture, story, taken, write_video

from referee.entries import Call
from referee.live.clock import CaptureClock
from referee.live.declared import Agenda, Declared
from referee.live.lookout import Lookout, Post
from referee.live.news import News
from referee.live.pictures import CARD_WH, Album
from referee.moves import Change
from vision.changes import Notice
from vision.errors import CameraError

PICTURES = 15


def look(post: Post, album: Album | None = None, begin_s: float = 0.0) -> list[News]:
    """Everything that is told until the film is over."""
    told: list[News] = []
    Lookout(post, CaptureClock(begin_s=begin_s, speed=post.speed), album).run(told.append)
    return told


@pytest.fixture
def film(tmp_path: Path) -> Path:
    write_video(tmp_path / "film.mp4", 5.0)
    return tmp_path / "film.mp4"


def test_a_film_is_told_to_its_end(film: Path) -> None:
    told = look(Post(str(film), lambda: ScriptedWatcher(story(), notices=[Notice("hand", 0.5, 1.5)]), speed=10))
    changes = [item for news in told for item in news.items]
    assert [change.what for change in changes if isinstance(change, Change)] == ["appeared"] * 3 + ["vanished"] * 2 + [
        "appeared"
    ]
    assert [news.notices for news in told if news.notices] == [("hand",)]
    assert [news.event for news in told] == [None] * (len(told) - 1) + ["end"]
    times = [news.told_s for news in told]
    assert times == sorted(times)


def test_what_was_said_comes_at_its_time(film: Path) -> None:
    call = Declared(1.4, Call("Ben", "wrong-card", pressed_s=1.4))
    told = look(Post(str(film), lambda: ScriptedWatcher(story()[:2], delay_s=0.7), speed=10, agenda=Agenda([call])))
    items = [item for news in told for item in news.items]
    assert [type(item).__name__ for item in items] == ["Change", "Change", "Declared"]


def test_pictures_are_kept_with_every_change(film: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    script = [laid(TARGET, 0.2, None), laid(EATS, 1.0), taken(1, 2.0)]
    told = look(Post(str(film), lambda: ScriptedWatcher(script), speed=10), Album(folder))
    evidence = [item.evidence for news in told for item in news.items if isinstance(item, Change)]
    assert evidence[1] == ("00002-before", "00002-after", "00002-card")
    assert evidence[2] == ("00003-before", "00003-after")
    for picture_id in (one for ids in evidence for one in ids):
        image = cv2.imread(str(folder / f"{picture_id}.jpg"))
        assert image is not None
        wanted = CARD_WH if picture_id.endswith("card") else (96, 64)
        assert image.shape[1::-1] == wanted
    assert {path.suffix for path in folder.iterdir()} == {".jpg"}
    assert Album(folder).keep(taken(1, 3.0), None) == ("00004-before", "00004-after")


def test_a_match_that_goes_on_counts_on(film: Path) -> None:
    (change,) = (
        item
        for news in look(Post(str(film), lambda: ScriptedWatcher([laid(EATS, 1.0)]), speed=10), begin_s=50.0)
        for item in news.items
    )
    assert isinstance(change, Change)
    assert (change.since_s, change.until_s) == pytest.approx((50.9, 51.0))


def test_a_lookout_can_be_called_off(film: Path) -> None:
    told: list[News] = []
    lookout = Lookout(Post(str(film), lambda: ScriptedWatcher(story())), CaptureClock(), None)

    def tell(news: News) -> None:
        told.append(news)
        lookout.stop()

    lookout.run(tell)
    assert [news.event for news in told] == [None]


@pytest.mark.parametrize("source", ["99", "no-such-file.mp4"])
def test_nothing_to_see_from_the_start_is_an_error(source: str) -> None:
    with pytest.raises(CameraError):
        look(Post(source, lambda: ScriptedWatcher([])))


def test_a_film_that_breaks_off_is_an_error_after_what_it_showed(tmp_path: Path) -> None:
    cut = tmp_path / "cut.avi"
    write_video(cut, 5.0)
    whole = cut.read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    told: list[News] = []
    with pytest.raises(CameraError, match="breaks off"):
        Lookout(Post(str(cut), lambda: ScriptedWatcher(story()[:2]), speed=10), CaptureClock(), None).run(told.append)
    assert len(told) == 2


class _Camera(http.server.BaseHTTPRequestHandler):
    """Sends a few pictures on each connection and then hangs up, as a phone with an empty battery does."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        pause = threading.Event()
        for number in range(PICTURES):
            _, jpeg = cv2.imencode(".jpg", picture(60 + number))
            head = f"--next\r\ncontent-type: image/jpeg\r\ncontent-length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg.tobytes() + b"\r\n")
            pause.wait(0.05)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to tell."""


@pytest.fixture
def camera() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Camera)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_camera_that_vanishes_is_waited_for(camera: str) -> None:
    told: list[News] = []
    watchers: list[ScriptedWatcher] = []
    lookout: Lookout

    def new_watcher() -> ScriptedWatcher:
        watchers.append(ScriptedWatcher([laid(EATS, 0.1)], delay_s=0.05))
        return watchers[-1]

    def tell(news: News) -> None:
        told.append(news)
        if news.items and len(watchers) == 2:
            lookout.stop()

    lookout = Lookout(Post(camera, new_watcher), CaptureClock(), None)
    lookout.run(tell)
    assert [news.event for news in told if news.event] == ["lost", "back"]
    first, second = (item for news in told for item in news.items)
    assert isinstance(first, Change)
    assert isinstance(second, Change)
    lost_s = next(news.told_s for news in told if news.event == "lost")
    assert first.until_s < lost_s < second.until_s
