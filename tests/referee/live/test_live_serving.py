"""A served table in a process of its own: addresses, stream, pictures, presses, Ctrl+C, and taking a match up again."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from live_film import EATS, NEXT, PLAYERS, WRONG, ScriptedWatcher, story, write_recording, write_video

from referee.errors import LogError, SetupError, StoreError
from referee.live.address import addresses
from referee.live.again import judge_again
from referee.live.opening import Party
from referee.live.serving import Doorstep, Evening, match_name, serve_evening
from referee.live.storage import Storage
from referee.web.errors import AddressError
from vision.errors import CameraError

SCRIPT = Path(__file__).with_name("live_show.py")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Show:
    """The running process, its port and the words with which it began."""

    def __init__(self, folder: Path, speed: float, match: str) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(folder), str(self.port), str(speed), match],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.words: list[str] = []
        for line in self.process.stdout:
            self.words.append(line.strip())
            if "Ctrl+C" in line:
                break

    @property
    def token(self) -> str:
        found = re.search(r"#t=([A-Z0-9-]+)", " ".join(self.words))
        assert found is not None, self.process.communicate()
        return found[1]

    @contextmanager
    def phone(self) -> Iterator[httpx2.Client]:
        with httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30) as phone:
            phone.post("/api/pair", json={"token": self.token}).raise_for_status()
            yield phone

    def end(self) -> tuple[int, str]:
        """Ctrl+C: exit status and what was said on stderr."""
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@contextmanager
def showing(folder: Path, *, speed: float = 4.0, match: str = "evening") -> Iterator[Show]:
    show = Show(folder, speed, match)
    try:
        yield show
    finally:
        if show.process.poll() is None:
            show.process.kill()
            show.process.communicate()


def events(phone: httpx2.Client, until: str) -> list[tuple[str, Any]]:
    """The stream's events up to the one in whose data `until` occurs."""
    found: list[tuple[str, Any]] = []
    name = ""
    with phone.stream("GET", "/events") as response:
        for line in response.iter_lines():
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            if line.startswith("data:"):
                found.append((name, json.loads(line.removeprefix("data:"))))
                if until in line:
                    break
    return found


def test_phones_follow_the_film_and_see_the_wrong_card_with_its_pictures(tmp_path: Path) -> None:
    with showing(tmp_path) as show:
        assert any(f"http://127.0.0.1:{show.port}/#t=" in line for line in show.words)
        with show.phone() as phone:
            heard = events(phone, '"id":"end"')
            verdicts = {data["seq"]: data for name, data in heard if name == "verdict"}
            views = [data for name, data in heard if name in ("view", "snapshot")]
            for view in views:
                verdicts |= {one["seq"]: one for one in view["verdicts"]}
            foul = next(one for one in verdicts.values() if one["ruling"] == "foul")
            assert (foul["player"], foul["cards"], foul["beneath"], foul["rules"]) == ("Ben", [WRONG], EATS, ["P-F2"])
            assert foul["text"]["en"].startswith("Wrong card!")
            assert [one.split("-")[1] for one in foul["evidence"]] == ["before", "after", "card"]
            for picture in foul["evidence"]:
                answer = phone.get(f"/evidence/{picture}.jpg")
                assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
                assert answer.content.startswith(b"\xff\xd8")
            last = views[-1]
            assert last["target"] == {"face": NEXT, "player": "Cleo", "pile": 2}
            assert [notice["id"] for notice in last["notices"]] == ["end"]
            # The film is over, the page is still there.
            assert "Wrongcard" in phone.get("/").text
        assert show.end() == (0, "")


def test_presses_during_the_film_count_and_survive_the_end(tmp_path: Path) -> None:
    with showing(tmp_path, speed=1.0) as show:
        with show.phone() as phone:
            events(phone, '"ruling":"foul"')
            go = {"kind": "go", "key": "one-press-only", "player": "Ada"}
            first, again = (phone.post("/api/actions", json=go) for _ in range(2))
            assert (first.status_code, first.json()) == (200, again.json())
            assert first.json()["status"] == "done"
            assert phone.get("/api/view").json()["phase"] == "playing"
        assert show.end() == (0, "")
    again_judged = judge_again("evening", tmp_path / "data")
    assert (again_judged.changes, again_judged.compared > 2) == ((), True)
    with showing(tmp_path, speed=4.0) as show, show.phone() as phone:
        assert phone.get("/api/view").json()["seq"] > first.json()["seq"] - 1
        events(phone, '"id":"end"')
        assert show.end() == (0, "")


def test_a_phone_stays_paired_when_the_table_starts_again(tmp_path: Path) -> None:
    with showing(tmp_path) as show, show.phone() as phone:
        token = show.token
        show.end()
        with showing(tmp_path) as again:
            assert again.token == token
            phone.base_url = httpx2.URL(f"http://127.0.0.1:{again.port}")
            assert phone.get("/api/me").json() == {"role": "host"}


def evening(source: str, *, party: Party | None = None, match: str = "m") -> Evening:
    everybody = party or Party("piranhas", "fish", PLAYERS)
    return Evening(everybody, source, lambda: lambda: ScriptedWatcher(story()), match, speed=10)


def test_a_camera_that_is_not_there_ends_the_house_with_its_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="No camera answers at number 99"):
        serve_evening(evening("99"), Doorstep("127.0.0.1", 0, tmp_path))


def test_a_bug_in_the_eyes_is_not_swallowed(tmp_path: Path) -> None:
    write_video(tmp_path / "film.mp4", 1.0)

    class Broken(ScriptedWatcher):
        def see(self, frame: Any) -> Any:
            raise ZeroDivisionError(frame.index)

    broken = Evening(
        Party("piranhas", "fish", PLAYERS), str(tmp_path / "film.mp4"), lambda: lambda: Broken([]), "m", speed=10
    )
    with pytest.raises(ZeroDivisionError):
        serve_evening(broken, Doorstep("127.0.0.1", 0, tmp_path))


def test_two_tables_need_two_ports(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AddressError, match="already in use"):
            serve_evening(evening("99"), Doorstep("127.0.0.1", taken.getsockname()[1], tmp_path))


@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Ada"), ("Ada", ""), ()])
def test_players_are_at_least_two_different_ones(tmp_path: Path, players: tuple[str, ...]) -> None:
    with pytest.raises(SetupError):
        serve_evening(
            evening("99", party=Party("piranhas", "fish", players)), Doorstep("127.0.0.1", 0, tmp_path / "data")
        )


def test_a_match_goes_on_only_with_the_same_players(tmp_path: Path) -> None:
    doorstep = Doorstep("127.0.0.1", 0, tmp_path)
    with pytest.raises(CameraError):
        serve_evening(evening("99"), doorstep)
    with pytest.raises(LogError, match="is another one"):
        serve_evening(evening("99", party=Party("piranhas", "fish", ("Ada", "Ben"))), doorstep)


@pytest.mark.parametrize("name", ["../outside", "", "a/b", ".hidden"])
def test_a_match_is_a_folder_of_its_own(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="cannot be the name of a match"):
        Storage(tmp_path).match(name)


def test_names_of_matches_are_names_of_folders(tmp_path: Path) -> None:
    assert Storage(tmp_path).match(match_name("piranhas")).pictures.is_dir()


def test_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Nothing can be written to"):
        serve_evening(evening("99"), Doorstep("127.0.0.1", 0, tmp_path / "file"))


def test_addresses() -> None:
    assert addresses("127.0.0.1", 8765).own == "http://127.0.0.1:8765"
    assert addresses("localhost", 80).phones is None
    assert addresses("::1", 80).own == "http://[::1]:80"
    everywhere = addresses("0.0.0.0", 8765)
    assert everywhere.own == "http://127.0.0.1:8765"
    assert everywhere.phones is None or everywhere.phones.startswith("http://")
    named = addresses("192.168.1.5", 8765)
    assert (named.own, named.phones) == ("http://192.168.1.5:8765",) * 2
    assert "192.168.1.5" in named.hosts


def test_a_recording_can_be_what_a_table_is_played_from(tmp_path: Path) -> None:
    """A film that is damaged ends the table with the sentence about the film."""
    folder = write_recording(tmp_path / "film", 3.0)
    (folder / "video.mp4").write_bytes((folder / "video.mp4").read_bytes()[:400])
    with pytest.raises(CameraError, match="no video that can be read"):
        serve_evening(evening(str(folder / "video.mp4")), Doorstep("127.0.0.1", 0, None))
