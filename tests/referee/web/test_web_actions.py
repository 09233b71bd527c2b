"""Presses: who may, what is refused with which sentence, and that a double tap counts once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from web_house import House, open_house

from referee.web.actions import Action, ActionResult, Amendment, Once
from referee.web.errors import RequestError

CALL = {"kind": "call", "key": "0123456789ab", "player": "Mia", "seq": 1}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


def test_a_call_reaches_the_table_with_the_position_that_the_phone_showed(house: House) -> None:
    house.play("playing")
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json=CALL)
    assert (answer.status_code, answer.json()) == (200, {"status": "done", "seq": 1})
    assert house.table.pressed == [Action("call", "0123456789ab", player="Mia", seq=1, role="player")]


def test_an_answer_and_an_amendment_carry_their_values(house: House) -> None:
    house.play("asks")
    answer = {"kind": "answer", "key": "answer-one", "seq": 1, "ask": "q1", "value": "R3+V4+W1"}
    amend = {"kind": "amend", "key": "amend-one", "seq": 1, "value": {"cards": ["P-R"], "player": "Ben"}}
    with house.phone("host") as phone:
        assert [phone.post("/api/actions", json=body).status_code for body in (answer, amend)] == [200, 200]
    assert [(action.ask, action.value, action.role) for action in house.table.pressed] == [
        ("q1", "R3+V4+W1", "host"),
        (None, Amendment(("P-R",), "Ben"), "host"),
    ]


def test_the_same_press_twice_counts_once(house: House) -> None:
    house.play("playing")
    with house.phone("player") as phone, ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: phone.post("/api/actions", json=CALL), range(6)))
        other = phone.post("/api/actions", json={**CALL, "player": "Jonas"})
    assert {answer.status_code for answer in answers} == {200}
    assert len(house.table.pressed) == 1
    assert (other.status_code, other.json()["error"]) == (422, "This press was already used for something else.")


def test_a_late_press_gets_409_and_the_sentence_of_the_table(house: House) -> None:
    house.play("playing")
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json={**CALL, "player": "Ben"}, headers={"accept-language": "de"})
    assert answer.status_code == 409
    assert answer.json() == {"error": "Zu spät: Am Tisch ging es schon weiter.", "hint": "Mia war schneller."}


def test_a_spectator_may_not_press(house: House) -> None:
    house.play("playing")
    with house.phone() as phone:
        answer = phone.post("/api/actions", json=CALL)
    assert (answer.status_code, answer.json()["error"]) == (401, "This phone may only watch.")
    assert house.table.pressed == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "cheat"}, "The referee does not understand that."),
        ({"key": "short"}, "The referee does not understand that."),
        ({"key": "../../../etc"}, "The referee does not understand that."),
        ({"seq": -1}, "The referee does not understand that."),
        ({"extra": 1}, "The referee does not understand that."),
        ({"value": {"cards": ["P-R"]}}, "The referee does not understand that."),
        ({"kind": "amend", "value": "P-R"}, "The referee does not understand that."),
        ({"player": None}, "Something is missing in that press."),
        ({"kind": "answer"}, "Something is missing in that press."),
        ({"kind": "retract", "seq": None}, "Something is missing in that press."),
        ({"player": "Zoe"}, "Nobody called Zoe plays in this game."),
        ({"kind": "amend", "value": {"player": "Zoe"}}, "Nobody called Zoe plays in this game."),
    ],
)
def test_nonsense_gets_422_and_a_sentence(house: House, changes: dict[str, Any], sentence: str) -> None:
    house.play("playing")
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json=CALL | changes)
    assert (answer.status_code, answer.json()["error"]) == (422, sentence)
    assert answer.json()["hint"]
    assert house.table.pressed == []


def test_before_the_game_there_is_nothing_to_press(house: House) -> None:
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json=CALL)
    assert (answer.status_code, answer.json()["error"]) == (409, "The game has not begun yet.")


class Stumbling:
    """A table that breaks at the first press."""

    def __init__(self) -> None:
        self.presses: list[Action] = []

    async def act(self, action: Action) -> ActionResult:
        self.presses.append(action)
        if len(self.presses) == 1:
            raise OSError("disk full at /secret/place")
        return ActionResult("done", seq=len(self.presses))


def test_a_press_that_broke_can_be_made_again_with_the_same_key() -> None:
    async def scene() -> None:
        once = Once(Stumbling())
        action = Action("go", "abcdefgh")
        with pytest.raises(OSError, match="disk full"):
            await once.act(action)
        assert await once.act(action) == ActionResult("done", seq=2)
        assert await once.act(action) == ActionResult("done", seq=2)

    asyncio.run(scene())


def test_a_phone_is_never_told_what_broke_inside(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play("playing")
    monkeypatch.setattr(house.table, "act", Stumbling().act)
    with house.phone("player") as phone:
        answer = phone.post("/api/actions", json=CALL)
    with house.phone("player") as phone:
        again = phone.post("/api/actions", json=CALL)
    assert (answer.status_code, answer.json()["error"]) == (500, "Something in the referee broke.")
    assert "secret" not in answer.text
    assert again.status_code == 200


def test_a_phone_that_goes_away_does_not_take_its_press_back() -> None:
    async def scene() -> None:
        begun, end = asyncio.Event(), asyncio.Event()

        class Slow:
            async def act(self, action: Action) -> ActionResult:
                begun.set()
                await end.wait()
                return ActionResult("done", seq=action.seq)

        once = Once(Slow())
        first = asyncio.create_task(once.act(Action("go", "abcdefgh", seq=7)))
        await begun.wait()
        first.cancel()
        end.set()
        assert await once.act(Action("go", "abcdefgh", seq=7)) == ActionResult("done", seq=7)

    asyncio.run(scene())


def test_only_the_last_presses_are_remembered() -> None:
    async def scene() -> None:
        table = Stumbling()
        table.presses = [Action("go", "before")]
        once = Once(table, kept=2)
        for key in ("key-number-1", "key-number-2", "key-number-3"):
            await once.act(Action("go", key))
        with pytest.raises(RequestError):
            await once.act(Action("stuck", "key-number-3"))
        assert await once.act(Action("go", "key-number-1")) == ActionResult("done", seq=5)

    asyncio.run(scene())
