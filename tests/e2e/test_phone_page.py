"""The phone page in a real browser, against a real server in a process of its own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright (extra `dev`)")

CHROMIUM = Path("/usr/bin/chromium")
SCRIPT = Path(__file__).parents[1] / "referee" / "web" / "web_table.py"
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP table.local 127.0.0.1",
]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs /usr/bin/chromium (Debian package `chromium`)"),
]


sync_api.expect.set_options(timeout=30_000)


class Table:
    """The scripted table as a process: scenes go in, presses come out."""

    def __init__(self, pictures: Path, *scenes: str, port: int = 0) -> None:
        command = [sys.executable, str(SCRIPT), "--port", str(port), "--evidence", str(pictures)]
        for scene in scenes:
            command += ["--scene", scene]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        addresses = self.said()
        self.player: str = addresses["player"]
        self.port: int = self.said()["ready"]
        self.url = f"http://127.0.0.1:{self.port}/"

    def said(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def pressed(self) -> dict[str, Any]:
        action: dict[str, Any] = self.said()["pressed"]
        return {key: action[key] for key in ("kind", "player", "seq", "ask", "value", "role")}

    def play(self, scene: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(scene + "\n")
        self.process.stdin.flush()

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    running = Table(tmp_path, "legal")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield chromium
        chromium.close()


class Phone:
    """One phone with its page, and everything that its console complained of."""

    def __init__(self, browser: Any, url: str, size: dict[str, int] = PHONE, **context: Any) -> None:
        self.context = browser.new_context(viewport=size, locale="en-GB", **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.goto(url)

    def see(self, selector: str) -> Any:
        return sync_api.expect(self.page.locator(selector))

    def press(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=name, exact=isinstance(name, str)).click()


@pytest.mark.parametrize(
    ("language", "title", "who", "reason", "step"),
    [
        (
            "en",
            "Wrong card!",
            "Jonas played it",
            "The red fish underneath is large.",
            "Jonas: take back the wrong card",
        ),
        (
            "de",
            "Falsche Karte!",
            "Jonas hat sie gelegt",
            "Der rote Fisch darunter ist groß.",
            "Jonas: Nimm",
        ),
    ],
)
def test_a_wrong_card_fills_the_screen_with_reason_steps_and_picture(
    browser: Any, table: Table, language: str, title: str, who: str, reason: str, step: str
) -> None:
    phone = Phone(browser, f"{table.url}?lang={language}")
    phone.see("#target").to_be_visible()
    table.play("foul")
    phone.see("#foul-title").to_have_text(title)
    alert = phone.page.get_by_role("alert").filter(has_text=title)
    for words in (who, reason):
        sync_api.expect(alert).to_contain_text(words)
    phone.see("#foul li").to_contain_text([re.compile("."), re.compile(step), re.compile(".")])
    faces = phone.page.locator("#foul .card").evaluate_all("cards => cards.map((card) => card.dataset.face)")
    assert faces == ["R2+B4+Y1", "R4+G3+K1"]
    picture = phone.page.locator("#foul img")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("async (image) => (await image.decode(), image.naturalWidth)") == 480
    box, text = phone.page.locator("#foul").bounding_box(), phone.page.locator("#foul-title")
    assert (box["width"], box["height"]) == (PHONE["width"], PHONE["height"])
    assert float(text.evaluate("title => parseFloat(getComputedStyle(title).fontSize)")) >= 40
    assert phone.page.locator("html").get_attribute("lang") == language
    assert phone.complaints == []


def test_a_wrong_card_stays_until_play_goes_on_and_a_latecomer_sees_it_too(browser: Any, table: Table) -> None:
    table.play("foul")
    phone, watcher = Phone(browser, table.player), Phone(browser, table.url)
    for one in (phone, watcher):
        one.see("#foul-title").to_be_visible()
    sync_api.expect(watcher.page.get_by_role("button", name="Go on!")).to_have_count(0)
    phone.page.locator("#foul").get_by_role("button", name="Go on!").click()
    assert table.pressed() == {"kind": "go", "player": None, "seq": 2, "ask": None, "value": None, "role": "player"}
    for one in (phone, watcher):
        one.see("#foul").to_be_hidden()
        one.see("#phase").to_have_text("Play is on")
    assert phone.complaints + watcher.complaints == []


def test_a_wrong_card_can_be_closed_and_looked_at_again(browser: Any, table: Table) -> None:
    table.play("foul")
    phone = Phone(browser, table.url)
    phone.press("Close")
    phone.see("#foul").to_be_hidden()
    phone.see("#phase").to_have_text("Stop! Nobody plays.")
    phone.press(re.compile("Wrong card.*Look closer"))
    phone.see("#foul-title").to_have_text("Wrong card!")


def test_presses_reach_the_table_under_the_players_name(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.player)
    phone.press("Wrong card!")
    phone.press("Mia")
    assert table.pressed() == {"kind": "call", "player": "Mia", "seq": 1, "ask": None, "value": None, "role": "player"}
    phone.see("#toast").to_contain_text("The referee is checking.")
    phone.press("I am stuck")
    assert (stuck := table.pressed())["kind"] == "stuck"
    assert stuck["player"] == "Mia"
    assert "#" not in phone.page.url
    phone.page.reload()
    phone.see("#who-button").to_have_text("I am Mia")
    phone.press("I am Mia")
    phone.press("Ben")
    phone.press("Wrong card!")
    assert table.pressed()["player"] == "Ben"
    phone.see("#toast").to_contain_text("Too late: the table has moved on.")
    phone.see("#toast").to_contain_text("Mia was faster.")


def test_questions_are_answered_with_one_tap(browser: Any, table: Table) -> None:
    table.play("asks")
    phone = Phone(browser, table.player)
    phone.press("Answer: Jonas")
    assert table.pressed() | {"role": ""} == {
        "kind": "answer", "player": None, "seq": 2, "ask": "q2", "value": "Jonas", "role": "",
    }  # fmt: skip
    phone.press("Answer: medium red fish, large violet fish, tiny white fish")
    assert table.pressed()["value"] == "R3+V4+W1"


def test_a_reading_can_be_corrected_to_any_card_any_player_or_nothing(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.player)

    def correct() -> None:
        phone.press(re.compile("It fits.*Look closer"))
        phone.press("Misread?")

    correct()
    phone.page.get_by_label("Fish 2: Colour").select_option("V")
    phone.page.get_by_label("Fish 2: Size").select_option("1")
    phone.press("Send")
    assert table.pressed() | {"player": ""} == {
        "kind": "amend", "player": "", "seq": 1, "ask": None, "role": "player",
        "value": {"cards": ["R4+V1+K1"], "player": None},
    }  # fmt: skip
    phone.press("Misread?")
    phone.press("Ben")
    assert table.pressed()["value"] == {"cards": [], "player": "Ben"}
    phone.press("Misread?")
    phone.press("This did not happen")
    assert table.pressed()["kind"] == "retract"
    assert phone.complaints == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_everybody_is_told_what_a_correction_has_changed(browser: Any, table: Table, language: str) -> None:
    phone = Phone(browser, table.player)
    phone.see("#target-who").to_have_text("Mia put it there")
    if language == "de":
        phone.page.get_by_role("button", name="Menu").click()
        phone.page.get_by_role("button", name="Deutsch").click()
        phone.page.keyboard.press("Escape")
    table.play("corrected")
    said = {"en": "wrong → all right. Score: Jonas 14 → 12.", "de": "falsch → in Ordnung. Punktestand: Jonas 14 → 12."}
    phone.see("#toast").to_contain_text(said[language])
    assert phone.complaints == []


def test_the_page_goes_on_by_itself_when_the_server_comes_back(browser: Any, table: Table, tmp_path: Path) -> None:
    phone = Phone(browser, table.player)
    phone.see("#target-who").to_have_text("Mia put it there")
    table.stop()
    phone.see("#link-banner").to_have_text(
        "The referee has been switched off. This page wakes up when it is back.",
    )
    again = Table(tmp_path, "piranha", port=table.port)
    try:
        phone.see("#target-who").to_have_text("Ben put it there")
        phone.see("#link-banner").to_be_hidden()
        again.play("foul")
        phone.see("#foul-title").to_be_visible()
        phone.page.locator("#foul").get_by_role("button", name="Go on!").click()  # still paired
        assert again.pressed()["kind"] == "go"
    finally:
        again.stop()


def test_a_hidden_phone_catches_up_without_a_new_snapshot(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.url)
    phone.see("#target").to_be_visible()
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    show = "hidden => { Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true}); "
    show += "document.dispatchEvent(new Event('visibilitychange')); }"
    phone.page.evaluate(show, True)
    table.play("piranha")
    phone.page.evaluate(show, False)
    phone.see("#log li").to_have_count(2)
    assert [re.sub(r"\w{8}-", "epoch-", url) for url in asked] == [f"{table.url}events?after=epoch-1"]


def test_the_end_of_the_game_names_the_winners(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.player)
    table.play("foul")
    phone.see("#foul-title").to_be_visible()
    table.play("shared")
    phone.see("#over-title").to_have_text("Mia and Ben share the victory!")
    phone.see("#foul").to_be_hidden()
    phone.see("#actions").to_be_hidden()


def test_an_old_code_is_explained(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.url + "#t=AAAA-AAAA")
    phone.see("#pair-banner").to_contain_text("This QR code is wrong or no longer valid.")
    phone.see("#actions").to_contain_text("You are watching.")
    assert phone.page.url == table.url


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_scrolls_sideways_on_the_smallest_phone(browser: Any, table: Table, language: str) -> None:
    phone = Phone(browser, table.player.replace("/#", f"/?lang={language}#"), SMALL)
    phone.see("#target").to_be_visible()
    for scene, shown in (("asks", "#asks"), ("notice", "#notices"), ("foul", "#foul"), ("shared", "#over")):
        table.play(scene)
        phone.see(shown).to_be_visible()
        for part in ("html", "#foul"):
            widths = phone.page.locator(part).evaluate("part => [part.scrollWidth, part.clientWidth]")
            assert widths[0] <= widths[1], (scene, part)
    assert phone.complaints == []


def test_fingers_find_every_button_and_readers_every_name(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.player, SMALL)
    phone.see("#target").to_be_visible()
    table.play("asks")
    phone.see("#asks").to_be_visible()
    buttons = phone.page.locator("button:visible")
    assert buttons.count() >= 9
    for index in range(buttons.count()):
        box = buttons.nth(index).bounding_box()
        assert min(box["width"], box["height"]) >= 44
    unnamed = "all => all.filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label'))).length"
    assert buttons.evaluate_all(unnamed) == 0


def test_the_language_is_remembered(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.url)
    phone.press("Menu")
    phone.press("Deutsch")
    phone.see("#menu-title").to_have_text("Dieses Handy")
    phone.page.reload()
    phone.see("#target-title").to_have_text("Zielkarte")
    phone.see("#target-who").to_have_text("Mia hat sie gelegt")


@pytest.mark.parametrize(
    ("language", "menu", "button", "title", "rule", "house_rule"),
    [
        ("en", "Menu", "The rules", "Piranhas: the rules", "A piranha always fits on a piranha. P-F7", "Only players"),
        ("de", "Menü", "Die Regeln", "Piranhas: die Regeln", "Ein Piranha passt immer auf einen Piranha.", "Nur ihr"),
    ],
)  # fmt: skip
def test_the_rules_with_the_tables_house_rules_can_be_looked_up(
    browser: Any, table: Table, language: str, menu: str, button: str, title: str, rule: str, house_rule: str
) -> None:
    table.play("quiet")
    phone = Phone(browser, f"{table.url}?lang={language}", SMALL)
    phone.see("#target").to_be_visible()
    phone.press(menu)
    phone.press(button)
    phone.see("#rules-title").to_have_text(title)
    phone.see("#menu").to_be_hidden()
    phone.see("#rules li").to_contain_text([rule])
    phone.see("#rules dd").to_contain_text([house_rule])
    assert phone.page.locator("#rules").evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    assert phone.complaints == []


def test_silence_of_the_referee_is_said_aloud(browser: Any, table: Table) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.clock.install()
    page.goto(table.url)
    sync_api.expect(page.locator("#target")).to_be_visible()
    table.process.send_signal(signal.SIGSTOP)  # the connection stays open, but nothing comes
    try:
        page.clock.run_for(25_000)
        sync_api.expect(page.locator("#link-banner")).to_have_text(
            "No word from the referee for a while. What you see may be old."
        )
    finally:
        table.process.send_signal(signal.SIGCONT)


def test_plain_http_under_a_name_of_the_home_network_is_enough(browser: Any, table: Table) -> None:
    phone = Phone(browser, table.player.replace("127.0.0.1", "table.local"))
    phone.see("#target").to_be_visible()
    assert phone.page.evaluate("isSecureContext") is False
    phone.press("I am stuck")
    phone.press("Jonas")
    assert table.pressed()["kind"] == "stuck"
    table.play("foul")
    phone.see("#foul-title").to_be_visible()
    assert phone.complaints == []
