"""Who comes in: pairing, Host and Origin headers, sizes; and the headers that go out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx2
import numpy as np
import pytest
import resvg_py
from web_house import House, open_house

from referee.web.errors import RequestError
from referee.web.pairing import Pairing


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


def test_a_token_becomes_a_cookie_that_scripts_cannot_read(house: House) -> None:
    token = house.site.join_address("player").partition("#t=")[2]
    with house.phone() as phone:
        assert phone.get("/api/me").json() == {"role": "spectator"}
        answer = phone.post("/api/pair", json={"token": token.lower()})
        assert answer.json() == {"role": "player"}
        assert phone.get("/api/me").json() == {"role": "player"}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie.replace("samesite", "")
    assert token.lower() not in cookie


def test_a_wrong_token_gets_401_and_too_many_get_429(house: House) -> None:
    with house.phone() as phone:
        answers = [phone.post("/api/pair", json={"token": "AAAA-AAAA"}) for _ in range(11)]
        right = phone.post("/api/pair", json={"token": house.site.pairing.token("host")})
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
    assert answers[0].json() == {
        "error": "This QR code is wrong or no longer valid.",
        "hint": "Scan the code that the referee’s computer shows now.",
    }
    assert right.status_code == 429


def test_an_old_token_is_refused_but_a_paired_phone_stays_paired() -> None:
    pairing = Pairing(b"secret")
    old, cookie = pairing.token("player"), pairing.cookie("player")
    pairing.renew()
    with pytest.raises(RequestError) as refused:
        pairing.pair(old)
    assert refused.value.status == 401
    assert pairing.pair(pairing.token("player")) == "player"
    assert pairing.role(cookie) == "player"


def test_cookies_outlive_a_restart_with_the_same_secret_and_end_after_their_time() -> None:
    now_s = 1_000_000.0
    before, after = (Pairing(b"secret", now=lambda: now_s, valid_s=60) for _ in range(2))
    cookie = before.cookie("host")
    assert after.role(cookie) == "host"
    assert Pairing(b"another", now=lambda: now_s).role(cookie) == "spectator"
    now_s += 60
    assert after.role(cookie) == "spectator"


def test_patience_comes_back_after_a_minute_and_counts_each_address_by_itself() -> None:
    now_s = 0.0
    pairing = Pairing(b"secret", now=lambda: now_s)
    for _ in range(10):
        with pytest.raises(RequestError):
            pairing.pair("wrong", "10.0.0.1")
    with pytest.raises(RequestError) as refused:
        pairing.pair(pairing.token("player"), "10.0.0.1")
    assert refused.value.status == 429
    assert pairing.pair(pairing.token("player"), "10.0.0.2") == "player"
    now_s = 61.0
    assert pairing.pair(pairing.token("player"), "10.0.0.1") == "player"


@pytest.mark.parametrize("cookie", [None, "", "host", "host.1.x", "host.99999999999.aa.", "…", "player.1.a.b.c"])
def test_a_made_up_cookie_is_a_spectator(cookie: str | None) -> None:
    assert Pairing(b"secret").role(cookie) == "spectator"


def test_a_changed_cookie_is_a_spectator() -> None:
    pairing = Pairing(b"secret")
    assert pairing.role(pairing.cookie("player").replace("player", "host", 1)) == "spectator"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "table.local.evil.example:8765", "", "[::1"]
)
def test_a_foreign_host_name_is_refused(house: House, host: str) -> None:
    answer = httpx2.get(f"{house.url}/api/me", headers={"host": host})
    assert (answer.status_code, answer.json()["error"]) == (421, "This address does not belong to this table.")


@pytest.mark.parametrize("host", ["table.local", "TABLE.local:8765", "localhost:1", "[::1]:8765"])
def test_the_tables_own_names_are_welcome(house: House, host: str) -> None:
    assert httpx2.get(f"{house.url}/api/me", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_another_website_cannot_press_buttons(house: House, origin: str) -> None:
    house.play("playing")
    body = {"kind": "go", "key": "abcdefgh"}
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json=body, headers={"origin": origin})
        assert (answer.status_code, answer.json()["error"]) == (403, "Another website tried to press a button here.")
        assert house.table.pressed == []
        assert phone.post("/api/actions", json=body, headers={"origin": house.url}).status_code == 200


def test_long_and_endless_bodies_are_refused(house: House) -> None:
    with house.phone("player") as phone:
        long = phone.post("/api/pair", json={"token": "A" * 20_000})
        endless = phone.post("/api/pair", content=(b"{" for _ in range(3)))
    assert [long.status_code, endless.status_code] == [413, 413]


@pytest.mark.parametrize("path", ["/", "/api/me", "/static/js/main.js", "/nowhere", "/evidence/none.jpg", "/join.svg"])
def test_every_answer_carries_the_protective_headers(house: House, path: str) -> None:
    headers = httpx2.get(house.url + path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/nowhere", "/static/nothing.js", "/docs", "/openapi.json", "/static/../errors.py"])
def test_what_is_not_there_gets_a_sentence(house: House, path: str) -> None:
    answer = httpx2.get(house.url + path)
    assert (answer.status_code, answer.json()["error"]) == (404, "There is nothing at this address.")


@pytest.mark.parametrize(
    "name",
    [
        "none",
        "..%2Fdisputed",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        ".disputed",
        "link",
        "a" * 65,
        "disputed%00",
        "d%C3%A9",
    ],
)
def test_only_pictures_of_the_folder_are_served(house: House, name: str) -> None:
    folder = house.site.evidence.folder
    assert folder is not None
    (folder.parent / "outside.jpg").write_bytes(b"secret")
    (folder / "link.jpg").symlink_to(folder.parent / "outside.jpg")
    answer = httpx2.get(f"{house.url}/evidence/{name}.jpg")
    assert answer.status_code == 404
    assert answer.json()["error"] in ("There is no such picture.", "There is nothing at this address.")


def test_the_picture_of_the_disputed_card_comes_as_it_lies_in_the_folder(house: House) -> None:
    folder = house.site.evidence.folder
    assert folder is not None
    answer = httpx2.get(f"{house.url}/evidence/disputed.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content == (folder / "disputed.jpg").read_bytes()


def test_the_qr_code_can_be_read_and_leads_players_to_the_table(house: House) -> None:
    answer = httpx2.get(f"{house.url}/join.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    png = resvg_py.svg_to_bytes(svg_string=answer.text, width=400, height=400)
    picture = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert text == house.site.join_address("player")


def test_the_source_can_be_had(house: House) -> None:
    answer = httpx2.get(f"{house.url}/source")
    assert (answer.status_code, answer.headers["location"]) == (307, "https://example.org/source")
