"""The stream over real HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from web_house import House, following, open_house

from referee.games import GAMES
from referee.rulepage import rule_sheet


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


def test_the_stream_begins_with_a_snapshot_and_goes_on_with_verdicts_and_views(house: House) -> None:
    house.play("playing")
    with house.phone() as phone, following(phone) as events:
        first = next(events)
        house.play("foul")
        news = [next(events), next(events)]
    assert (first.name, first.data["seq"], first.id) == ("snapshot", 1, f"{house.site.feed.epoch}-1")
    assert [(event.name, event.data["seq"]) for event in news] == [("verdict", 2), ("view", 2)]
    assert news[0].data["ruling"] == "foul"
    assert news[1].data["stop"] == {"seq": 2}


def test_the_wire_says_how_soon_to_come_back_and_that_nobody_may_keep_it(house: House) -> None:
    with house.phone() as phone, phone.stream("GET", "/events") as response:
        lines = response.iter_lines()
        assert next(lines) == ": wrongcard"
        assert next(lines) == "retry: 2000"
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-content-type-options"] == "nosniff"


def test_an_idle_stream_ticks(house: House) -> None:
    house.play("playing")
    with house.phone() as phone, phone.stream("GET", "/events") as response:
        names = (line for line in response.iter_lines() if line.startswith("event: "))
        assert [next(names) for _ in range(3)] == ["event: snapshot", "event: tick", "event: tick"]


def test_a_phone_that_comes_back_gets_only_what_it_missed(house: House) -> None:
    house.play("playing", "legal", "foul")
    mark = f"{house.site.feed.epoch}-1"
    with house.phone() as phone:
        with following(phone, **{"last-event-id": mark}) as events:
            missed = [next(events) for _ in range(4)]
        with following(phone, f"/events?after={mark}") as events:
            assert [next(events) for _ in range(4)] == missed
        # A browser repeats its old query when it reconnects by itself; its header is the newer one.
        with following(phone, f"/events?after={mark}", **{"last-event-id": mark[:-1] + "2"}) as events:
            assert [next(events) for _ in range(2)] == missed[2:]
    assert [(event.name, event.data["seq"]) for event in missed] == [
        ("verdict", 2),
        ("view", 2),
        ("verdict", 3),
        ("view", 3),
    ]


def test_a_phone_from_another_evening_gets_a_snapshot(house: House) -> None:
    house.play("playing", "legal")
    with house.phone() as phone, following(phone, "/events?after=deadbeef-1") as events:
        assert next(events).name == "snapshot"


def test_one_phone_too_many_is_told_so_and_leaving_makes_room(house: House) -> None:
    house.play("playing")
    phones = [house.phone() for _ in range(4)]
    with following(phones[0]) as one, following(phones[1]) as two:
        with following(phones[2]) as three:
            assert [next(events).name for events in (one, two, three)] == ["snapshot"] * 3
            refused = phones[3].get("/events")
            assert refused.status_code == 503
            assert refused.json()["error"] == "Too many phones are watching."
        wait_for(lambda: house.site.feed.phones == 2)
        with following(phones[3]) as events:
            assert next(events).name == "snapshot"
    for phone in phones:
        phone.close()


def test_the_view_can_be_asked_for(house: House) -> None:
    with house.phone() as phone:
        early = phone.get("/api/view", headers={"accept-language": "de-AT,de;q=0.9,en;q=0.8"})
        assert (early.status_code, early.json()["error"]) == (503, "Das Spiel hat noch nicht begonnen.")
        house.play("playing")
        assert phone.get("/api/view").json() == house.site.feed.view
        assert phone.get("/healthz").json() == {"status": "ok", "epoch": house.site.feed.epoch, "phones": 0}


def test_the_rules_can_be_asked_for_with_the_house_rules_of_the_table(house: House) -> None:
    with house.phone() as phone:
        assert phone.get("/api/rules").status_code == 503
        house.play("quiet")
        sheet = phone.get("/api/rules").json()
        house.play("playing")
        usual = phone.get("/api/rules").json()
    assert sheet == rule_sheet(GAMES["piranhas"], {"calls": "players"})
    assert usual == rule_sheet(GAMES["piranhas"], {})


def test_a_thread_reaches_the_phones(house: House) -> None:
    house.play("playing")
    with house.phone() as phone, following(phone) as events:
        view = {**phone.get("/api/view").json(), "seq": 2}
        next(events)
        house.site.feed.publish_threadsafe(view)
        assert next(events).data == view


def wait_for(true: Callable[[], bool]) -> None:
    """Waits for what the server does on its own; the test fails when it never does."""
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def test_a_head_request_does_not_open_a_stream(house: House) -> None:
    assert httpx2.head(f"{house.url}/events").status_code == 405
    assert house.site.feed.phones == 0
