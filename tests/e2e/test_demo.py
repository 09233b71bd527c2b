"""The bundled film through the real eyes, the referee, the server and a phone, against what really happened."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

ROOT = Path(__file__).resolve().parents[2]
FILM = ROOT / "datasets" / "recordings" / "piranhas-demo"
CHROMIUM = Path("/usr/bin/chromium")
WRONG_WITHIN_S = 1.0

Wrongcard = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def truth() -> list[dict[str, Any]]:
    """The plays that really happen in the film."""
    lines = [json.loads(line) for line in (FILM / "truth.jsonl").read_text().splitlines()]
    return [line for line in lines if line["kind"] == "play"]


@pytest.fixture(scope="module")
def headless(wrongcard_process: Wrongcard) -> tuple[int, str, str]:
    """One run of `wrongcard demo --headless --json`."""
    return wrongcard_process("demo", "--headless", "--json")


def essence(play: dict[str, Any]) -> tuple[str, tuple[str, ...], str, tuple[str, ...]]:
    return play["player"], tuple(play["cards"]), play["ruling"], tuple(play["rules"])


def test_every_play_is_seen_and_ruled_as_it_was(headless: tuple[int, str, str], truth: list[dict[str, Any]]) -> None:
    status, out, err = headless
    told = [json.loads(line) for line in out.splitlines()]
    assert (err, status) == ("", 0)
    assert [essence(play) for play in told] == [essence(play) for play in truth]
    for play, real in zip(told, truth, strict=True):
        moments = [real["t"], real.get("t_still", real["t"])]
        assert min(abs(play["happened"] - moment) for moment in moments) <= WRONG_WITHIN_S


def test_wrong_cards_come_with_reason_and_remedy(headless: tuple[int, str, str]) -> None:
    wrong = [play for play in map(json.loads, headless[1].splitlines()) if play["ruling"] == "foul"]
    assert {rule for play in wrong for rule in play["rules"]} == {"P-F2", "P-F5", "P-F8"}
    for play in wrong:
        assert play["text"].startswith("Wrong card!")
        assert [step["player"] for step in play["remedy"] if step["action"] == "take"] == [play["player"]]
        assert play["remedy"][0]["cards"][0] == play["cards"][0]
        assert play["steps"]


def test_the_same_film_is_seen_the_same_twice(headless: tuple[int, str, str], wrongcard_process: Wrongcard) -> None:
    assert wrongcard_process("demo", "--headless", "--json") == headless


def test_a_person_gets_one_line_a_play(wrongcard: Wrongcard, truth: list[dict[str, Any]]) -> None:
    status, out, err = wrongcard("demo", "--headless", "--language", "de")
    assert (status, err) == (0, "")
    *plays, closing = out.splitlines()
    assert len(plays) == len(truth)
    assert sum("Falsche Karte!" in line for line in plays) == sum(play["ruling"] == "foul" for play in truth)
    assert closing == f"{len(truth)} plays, all seen and ruled as they were."


def test_watching_tells_changes_moves_and_verdicts_in_order(
    wrongcard: Wrongcard, headless: tuple[int, str, str]
) -> None:
    status, out, err = wrongcard("watch", FILM, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert {line["type"] for line in lines} <= {"change", "move", "verdict", "question", "notice"}
    plays = [line for line in lines if line["type"] == "verdict" and line["kind"] == "play"]
    assert plays == [json.loads(line) for line in headless[1].splitlines()]
    moves = {line["seq"]: line for line in lines if line["type"] == "move"}
    assert all(moves[play["seq"]]["cards"] == play["cards"] for play in plays)


def test_measuring_finds_the_film_perfect(wrongcard: Wrongcard, truth: list[dict[str, Any]]) -> None:
    status, out, _ = wrongcard("evaluate", FILM, "--json")
    total = json.loads(out)["total"]
    assert status == 0
    assert (total["plays"]["recall"], total["plays"]["precision"]) == (1.0, 1.0)
    assert total["rulings"] == {"n": len(truth), "right": len(truth), "share": 1.0}
    assert (total["who_played"]["share"], total["false_alarms"]["count"], total["questions"]) == (1.0, 0, 0)
    assert 0 <= total["delay_s"]["median"] <= total["delay_s"]["p95"]


def test_the_eyes_read_every_face_of_the_printed_deck(wrongcard: Wrongcard) -> None:
    assert wrongcard("deck", "check", "fish") == (0, "fish: 53 cards, 53 faces, complete, 0 misread\n", "")


def test_what_was_not_seen_is_said_and_ends_with_1(
    wrongcard: Wrongcard, models: Path, truth: list[dict[str, Any]]
) -> None:
    """Eyes that see next to nothing: an honest check tells so."""
    status, out, err = wrongcard("demo", "--headless", "--json", "--models", models)
    assert status == 1
    assert err.count("was not seen.") + len(out.splitlines()) >= len(truth)
    assert all(line.startswith("wrongcard: ") for line in err.splitlines())


class Served:
    """`wrongcard demo` as a process, twice as fast as life."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        port = self.url.rpartition(":")[2]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "demo", "--no-open", "--port", port, "--speed", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        self.words = ""
        for line in self.process.stdout:
            self.words += line
            if "Ctrl+C" in line:
                break

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.fixture
def served() -> Iterator[Served]:
    running = Served()
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


def listen(phone: httpx2.Client) -> Iterator[tuple[str, Any]]:
    name = ""
    with phone.stream("GET", "/events") as response:
        for line in response.iter_lines():
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            if line.startswith("data:"):
                yield name, json.loads(line.removeprefix("data:"))


def test_a_phone_hears_the_whole_film(served: Served, truth: list[dict[str, Any]]) -> None:
    assert re.search(rf"{re.escape(served.url)}/#t=[A-Z0-9]{{4}}-[A-Z0-9]{{4}}\n", served.words)
    verdicts: dict[int, dict[str, Any]] = {}
    with httpx2.Client(base_url=served.url, timeout=60) as phone:
        for name, data in listen(phone):
            told = [data] if name == "verdict" else data.get("verdicts", [])
            verdicts |= {one["seq"]: one for one in told}
            if any(notice["id"] == "end" for notice in data.get("notices", [])):
                break
        plays = [one for one in verdicts.values() if one["kind"] == "play"]
        assert [essence(play) for play in sorted(plays, key=lambda one: one["seq"])] == [
            essence(play) for play in truth
        ]
        for play in plays:
            assert phone.get(f"/evidence/{play['evidence'][1]}.jpg").content.startswith(b"\xff\xd8")
    assert served.end() == (0, "")


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="needs /usr/bin/chromium (Debian package `chromium`)")
def test_a_phone_shows_the_wrong_card_with_reason_and_picture(served: Served) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright (extra `dev`)")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        page = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
        page.set_default_timeout(60_000)
        page.goto(served.url)
        sync_api.expect(page.locator("#foul-title")).to_have_text("Wrong card!", timeout=60_000)
        foul = page.locator("#foul")
        sync_api.expect(foul.locator(".foul-reason")).not_to_be_empty()
        sync_api.expect(foul.locator("li").first).to_contain_text("take back your card")
        # The film does not wait: a stop may be over before the next line looks at it; then the next one serves as well.
        pictures, widths = page.locator("#foul[open] img"), [0]
        while max(widths, default=0) <= 100 and served.process.poll() is None:
            page.wait_for_timeout(50)
            widths = pictures.evaluate_all("images => images.map((image) => image.naturalWidth)")
        assert max(widths, default=0) > 100
        # The film goes on by itself: the cards are taken back, play goes on, the stop is over.
        sync_api.expect(page.locator("#phase")).to_have_text("Play is on", timeout=60_000)
        chromium.close()
    assert served.end() == (0, "")
