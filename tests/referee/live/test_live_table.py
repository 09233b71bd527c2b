"""A table in an event loop: news from the eyes come in, presses come in, phones hear what follows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from live_film import EATS, NEXT, PLAYERS, TARGET, WRONG, laid, taken

from referee.entries import Retract
from referee.errors import StoreError
from referee.live.clock import CaptureClock
from referee.live.door import translate
from referee.live.news import News
from referee.live.opening import Party, begin
from referee.live.storage import Transcript
from referee.live.table import LATE_S, Table
from referee.live.umpire import Umpire
from referee.match import Match
from referee.store import MemoryStore
from referee.web.actions import Action, ActionKind, ActionResult, Amendment, Once
from referee.web.feed import Feed
from referee.wording import load_wording
from vision.changes import Change


class Wall:
    """A clock on the wall that only the test moves."""

    def __init__(self) -> None:
        self.time_s = 100.0

    def __call__(self) -> float:
        return self.time_s


class Room:
    """A table, its clock, and everything that phones have heard."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.store = MemoryStore()
        self.match = Match("evening", self.store, wording=load_wording())
        begin(self.match, Party("piranhas", "fish", PLAYERS, options))
        self.feed = Feed()
        self.wall = Wall()
        self.clock = CaptureClock(monotonic=self.wall)
        self.transcript = Transcript(folder / "told.jsonl")
        self.table = Table(Umpire(self.match), self.feed, self.clock, transcript=self.transcript)
        self.table.publish()
        self._keys = 0

    @property
    def view(self) -> dict[str, Any]:
        view = self.feed.view
        assert view is not None
        assert view["seq"] == self.store.entries("evening")[-1].seq  # nobody hears what is not written
        return dict(view)

    def see(self, *changes: Change, told_s: float | None = None) -> None:
        for change in changes:
            now_s = change.until_s + 0.3 if told_s is None else told_s
            self.wall.time_s += max(0.0, now_s - self.clock.now())
            self.clock.saw(now_s)
            self.table.take(News(now_s, translate(change)))

    async def press(self, kind: ActionKind, player: str | None = None, **details: Any) -> ActionResult:
        self._keys += 1
        return await self.table.act(Action(kind, f"key-{self._keys}", player=player, **details))


def play(test: Callable[[Room], Awaitable[None]], folder: Path, **options: str) -> None:
    async def running() -> None:
        await test(Room(folder, **options))

    asyncio.run(running())


async def heard(room: Room, count: int) -> list[tuple[str, str]]:
    """Names of the next events of a stream that has followed since the first view, verdicts with their ruling."""
    names = []
    stream = room.feed.follow(f"{room.feed.epoch}-1")
    async for event in stream:
        ruling = event.json.split('"ruling":"')[1].split('"')[0] if event.name == "verdict" else ""
        names.append((event.name, ruling))
        if len(names) == count:
            break
    return names


def test_changes_become_verdicts_and_views(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        assert room.view["phase"] == "setup"
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"), laid(WRONG, 2.0, "Ben"))
        view = room.view
        assert (view["phase"], view["stop"], view["target"]["face"]) == ("stopped", {"seq": 4}, TARGET)
        room.see(taken(2, 3.0), laid(NEXT, 4.0, "Cleo"))
        assert room.view["target"] == {"face": NEXT, "player": "Cleo", "pile": 2}
        # The start is told, then the play; taking cards back during a stop is nothing to be told of.
        assert await heard(room, 9) == [
            ("verdict", "legal"), ("view", ""),
            ("verdict", "legal"), ("view", ""),
            ("verdict", "foul"), ("view", ""),
            ("view", ""),
            ("verdict", "legal"), ("verdict", "legal"),
        ]  # fmt: skip
        assert [line["ruling"] for line in room.transcript.read().values()] == ["legal"] * 2 + ["foul"] + ["legal"] * 4

    play(story, tmp_path)


def test_go_ends_the_stop_that_the_phone_showed(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(WRONG, 2.0, "Ben"))
        assert (await room.press("go", seq=2)).status == "late"
        assert room.view["phase"] == "stopped"
        assert (await room.press("go", seq=3)) == ActionResult("done", seq=4)
        assert room.view["phase"] == "playing"
        # A second child presses, too: that changes nothing, and is no mistake.
        assert (await room.press("go", seq=3)) == ActionResult("done", seq=4)
        assert len(room.match.entries) == 4

    play(story, tmp_path)


def test_go_starts_a_game_whose_target_is_turned_later(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        assert (await room.press("go", seq=1)).status == "done"
        assert (room.view["phase"], room.view["target"]["face"]) == ("playing", None)
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"))
        assert room.view["target"] == {"face": EATS, "player": "Ada", "pile": 2}

    play(story, tmp_path)


def test_a_call_is_checked_at_once_when_nothing_is_being_looked_at(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(WRONG, 2.0, "Ben"))
        room.table.take(News(3.0, event="end"))
        room.wall.time_s += 1.0
        assert (await room.press("call", "Cleo", seq=3)).status == "done"
        assert (room.view["verdicts"][0]["ruling"], room.view["verdicts"][0]["rules"]) == ("upheld", ["P-F2"])

    play(story, tmp_path, calls="players")


def test_a_call_waits_for_the_card_that_lay_there_already(tmp_path: Path) -> None:
    """The wrong card lies at 2.0, the press comes at 2.2, the eyes tell the card only at 2.4."""

    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"))
        room.clock.saw(2.2)
        pressing = asyncio.create_task(room.press("call", "Cleo", seq=3))
        await asyncio.sleep(0)
        room.see(laid(WRONG, 2.0, "Ben"), told_s=2.4)
        room.clock.saw(3.0)
        assert (await pressing).status == "done"
        verdict = room.view["verdicts"][0]
        assert (verdict["kind"], verdict["ruling"], verdict["cards"]) == ("call", "upheld", [WRONG])

    play(story, tmp_path, calls="players")


def test_a_press_that_was_long_under_way_is_late(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"), laid(NEXT, 2.0, "Ben"))
        room.wall.time_s += LATE_S + 0.3
        written = len(room.match.entries)
        assert (await room.press("call", "Cleo", seq=3)).status == "late"
        assert len(room.match.entries) == written

    play(story, tmp_path)


def test_stuck_waits_for_the_others(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None))
        assert (await room.press("stuck", "Ada")).status == "done"
        assert room.view["verdicts"][0]["ruling"] == "disproved"  # most of the deck is outside

    play(story, tmp_path)


def test_answers_settle_questions_and_come_once(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, None))
        room.see(laid(NEXT, 2.0, "Ben", **{"P-R": 0.4}))  # a red fish lies there, no green one
        whose, which = room.view["asks"]
        assert (whose["kind"], which["kind"]) == ("whose", "which-card")
        answer = {"seq": whose["seq"], "ask": whose["id"], "value": "Cleo"}
        assert (await room.press("answer", **answer)).status == "done"
        assert (await room.press("answer", **answer)).status == "late"
        assert room.view["players"][2]["played"] == 1
        assert (await room.press("answer", seq=which["seq"], ask=which["id"], value="P-R")).status == "done"
        # The table has not played on, so the answer stops it.
        assert (room.view["phase"], room.view["asks"]) == ("stopped", [])
        assert (await heard(room, 10))[-2:] == [("verdict", "foul"), ("view", "")]

    play(story, tmp_path)


def test_corrections_judge_anew_and_refuse_what_cannot_be(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(WRONG, 1.0, "Ada"))
        assert (await room.press("amend", seq=3, value=Amendment((EATS,), "Ben"))).status == "done"
        view = room.view
        assert (view["phase"], view["target"]) == ("playing", {"face": EATS, "player": "Ben", "pile": 2})
        refused = await room.press("amend", seq=3, value=Amendment(("R1+R2+R3",)))
        assert (refused.status, refused.text["en"]) == ("refused", "There is no card R1+R2+R3 in this deck.")
        assert (await room.press("amend", seq=1, value=Amendment(player="Ada"))).status == "refused"
        assert (await room.press("retract", seq=1)).status == "refused"
        assert (await room.press("retract", seq=3)).status == "done"
        assert room.view["target"]["face"] == TARGET
        assert isinstance(room.match.entries[-1].body, Retract)
        assert set(room.transcript.read()) == {2}

    play(story, tmp_path)


def test_one_press_is_one_entry_however_often_it_arrives(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None))
        once = Once(room.table)
        action = Action("stuck", "the-same-key", player="Ada")
        results = await asyncio.gather(*(once.act(action) for _ in range(3)))
        assert len(set(map(str, results))) == 1
        assert len(room.match.entries) == 3

    play(story, tmp_path)


def test_notices_hang_for_as_long_as_they_hold(tmp_path: Path) -> None:
    def hanging(room: Room) -> list[str]:
        room.table.publish()
        return [notice["id"] for notice in room.view["notices"]]

    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None))
        room.table.take(News(1.0, notices=("too-dark", "hand")))
        assert hanging(room) == ["too-dark", "hand"]
        assert "Licht" in room.view["notices"][0]["text"]["de"]
        room.see(laid(EATS, 2.0, "Ada"))
        assert hanging(room) == ["too-dark"]
        room.table.take(News(3.0, event="lost"))
        room.wall.time_s += 60
        assert hanging(room) == ["camera"]
        room.table.take(News(65.0, event="back"))
        room.table.take(News(66.0, event="end"))
        assert hanging(room) == ["end"]

    play(story, tmp_path)


def test_an_idle_table_is_asked_whether_it_is_stuck(tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        room.see(laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"))
        room.wall.time_s += 40
        ticking = asyncio.create_task(room.table.tick())
        while not room.view["notices"]:
            await asyncio.sleep(0.01)
        ticking.cancel()
        assert [notice["id"] for notice in room.view["notices"]] == ["stuck"]

    play(story, tmp_path)


def test_a_full_disk_tells_nobody_anything(tmp_path: Path) -> None:
    class FullStore(MemoryStore):
        full = False

        def append(self, entry: Any) -> None:
            if self.full:
                raise StoreError("The disk is full.", hint="Make room.")
            super().append(entry)

    async def story() -> None:
        room = Room(tmp_path)
        store = FullStore()
        match = Match("evening", store, wording=load_wording())
        begin(match, Party("piranhas", "fish", PLAYERS))
        table = Table(Umpire(match), room.feed, room.clock, transcript=None)
        table.publish()
        table.take(News(0.5, translate(laid(TARGET, 0.2, None))))
        before = room.feed.view
        store.full = True
        refused = await table.act(Action("stuck", "key-number-1", player="Ada"))
        assert (refused.status, refused.text, refused.hint) == (
            "refused", {"en": "The disk is full."}, {"en": "Make room."},
        )  # fmt: skip
        assert room.feed.view == before

    asyncio.run(story())
