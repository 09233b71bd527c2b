"""One table: what the eyes tell and what phones press become entries, and everybody hears the verdicts.

Everything here happens in the event loop's thread. An entry is on disk before any phone hears of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from referee.entries import Amend, Body, Call, Repaired, Retract, Start
from referee.errors import CardError, ConflictError, LogError, RefereeError
from referee.live.clock import CaptureClock
from referee.live.declared import HOLD_S
from referee.live.news import News
from referee.live.notices import NoticeBoard
from referee.live.storage import Transcript
from referee.live.umpire import Ruled, Umpire
from referee.moves import TABLE, Change, Move
from referee.verdicts import Verdict
from referee.web.actions import Action, ActionKind, ActionResult, Amendment
from referee.web.feed import Feed
from referee.wording import load_wording

__all__ = ["LATE_S", "Table"]

TICK_S = 1.0
REACH_S = 0.2
"""A phone shows what it was told within this time."""
LATE_S = 1.0
"""A press that took longer than this to arrive finds another table than the one it was meant for."""
EYES_POLL_S = 0.05
EYES_PATIENCE_S = 2.0
_REMEMBERED = 256


class Table:
    """A match with its phones. Fulfils `referee.web.actions.Actions`."""

    def __init__(self, umpire: Umpire, feed: Feed, clock: CaptureClock, *, transcript: Transcript | None) -> None:
        """A match that has begun; `transcript` gets every verdict as it is told."""
        self._umpire, self._feed, self._clock, self._transcript = umpire, feed, clock, transcript
        self._match = umpire.match
        self._wording = load_wording().of(umpire.match.game.name)
        self._board = NoticeBoard()
        self._told: deque[tuple[int, float]] = deque(maxlen=_REMEMBERED)
        self._looking = False
        self._shown: list[dict[str, Any]] = []

    def publish(self) -> None:
        """Tell everybody how the match stands."""
        self._publish(())

    def take(self, news: News) -> None:
        """What the eyes have told. Raises `RefereeError` when it cannot be written down."""
        self._looking = news.event in (None, "back")
        for kind in news.notices:
            self._board.put(kind, news.told_s)
        if news.event == "back":
            self._board.take("camera")
        elif news.event is not None:
            self._board.put("camera" if news.event == "lost" else "end", news.told_s, lasting=True)
        if any(isinstance(item, Change) and item.candidates for item in news.items):
            self._board.card_seen()
        ruled = [one for item in news.items for one in self._umpire.take(item, news.told_s)]
        self._keep([one.verdict for one in ruled])
        self._publish([one.verdict for one in ruled])

    async def tick(self) -> None:
        """Once a second, for ever: remind whoever is stuck, take down old notices."""
        while True:
            await asyncio.sleep(TICK_S)
            now_s = self._clock.now()
            if self._looking and any(ask.kind == "stuck" for ask in self._match.asks(now_s)):
                self._board.put("stuck", now_s)
            if self._board.shown(now_s) != self._shown:
                self._publish(())

    async def act(self, action: Action) -> ActionResult:
        """One press: `late` when the table has moved on, `refused` with the reason when it cannot be."""
        doing: Mapping[ActionKind, Callable[[Action], Awaitable[ActionResult]]] = {
            "go": self._go,
            "call": self._call,
            "stuck": self._stuck,
            "answer": self._answer,
            "amend": self._amend,
            "retract": self._retract,
        }
        try:
            return await doing[action.kind](action)
        except ConflictError:
            return ActionResult("late")
        except RefereeError as error:
            return ActionResult("refused", text={"en": str(error)}, hint={"en": error.hint} if error.hint else {})

    async def _go(self, action: Action) -> ActionResult:
        view = self._match.game.view(self._match.state)
        if view.get("phase") == "setup":
            return self._say(Move(TABLE, "start"))
        stop = view.get("stop")
        if not isinstance(stop, Mapping):
            return ActionResult("done", seq=self._match.next_seq - 1)  # two children pressed: play goes on already
        stop_seq = int(str(stop["seq"]))
        if action.seq is not None and action.seq < stop_seq:
            return ActionResult("late")  # meant for an earlier stop
        return self._say(Repaired(stop_seq))

    async def _call(self, action: Action) -> ActionResult:
        pressed_s = self._pressed_s(action.seq)
        if self._clock.now() - pressed_s > LATE_S:
            return ActionResult("late")
        await self._eyes_through(pressed_s + HOLD_S)
        return self._say(Call(str(action.player), "wrong-card", pressed_s=pressed_s))

    async def _stuck(self, action: Action) -> ActionResult:
        return self._say(Call(str(action.player), "stuck"))

    async def _answer(self, action: Action) -> ActionResult:
        try:
            body = self._match.answered(str(action.ask), str(action.value))
        except LogError:
            return ActionResult("late")  # somebody else has answered
        return self._say(body)

    async def _amend(self, action: Action) -> ActionResult:
        value = action.value if isinstance(action.value, Amendment) else Amendment()
        self._check_cards(value.cards)
        return self._say(self._match.amended(int(action.seq or 0), cards=value.cards, player=value.player))

    async def _retract(self, action: Action) -> ActionResult:
        return self._say(Retract(int(action.seq or 0)))

    def _check_cards(self, cards: Iterable[str]) -> None:
        deck = next((entry.body.deck for entry in self._match.entries if isinstance(entry.body, Start)), ())
        for card in cards:
            if deck and card not in deck:
                raise CardError(f"There is no card {card} in this deck.", hint="Look at the card again.")

    def _pressed_s(self, seq: int | None) -> float:
        """When a button was pressed on a phone that showed entry `seq`: before it could show the next one."""
        later = [told_s for told_seq, told_s in self._told if seq is not None and told_seq > seq]
        return min([self._clock.now(), *(told_s + REACH_S for told_s in later)])

    async def _eyes_through(self, time_s: float) -> None:
        """Wait until the eyes are through with the pictures up to `time_s`, if they are looking and keep up."""
        waited_s = 0.0
        while self._looking and self._clock.seen_s < time_s and waited_s < EYES_PATIENCE_S:
            await asyncio.sleep(EYES_POLL_S)
            waited_s += EYES_POLL_S

    def _say(self, body: Body) -> ActionResult:
        """Write down what a phone said, and tell everybody what follows."""
        ruled = self._umpire.say(body, self._clock.now(), source="phone")
        if isinstance(body, Amend | Retract):
            self._tell_correction(ruled, body.of)
        else:
            self._keep([ruled.verdict])
            self._publish([ruled.verdict])
        return ActionResult("done", seq=ruled.entry.seq)

    def _tell_correction(self, ruled: Ruled, of: int) -> None:
        """Everything that reads differently is kept; out loud come only the corrected entry and a stop that follows."""
        now = {verdict.seq: verdict for verdict in self._match.verdicts()}
        changed = [now[seq] for seq in ruled.verdict.changed if seq in now]
        self._keep(changed, gone=[seq for seq in ruled.verdict.changed if seq not in now])
        stop = self._match.game.view(self._match.state).get("stop")
        stop_seq = stop["seq"] if isinstance(stop, Mapping) else None
        self._publish([verdict for verdict in changed if verdict.seq in (of, stop_seq)])

    def _keep(self, verdicts: Sequence[Verdict], *, gone: Sequence[int] = ()) -> None:
        if self._transcript is not None and (verdicts or gone):
            self._transcript.write([self._wording.verdict(one) for one in verdicts], gone=gone)

    def _publish(self, verdicts: Sequence[Verdict]) -> None:
        now_s = self._clock.now()
        view = self._match.view()
        if not self._told or self._told[-1][0] != view["seq"]:
            self._told.append((view["seq"], now_s))
        self._shown = self._board.shown(now_s)
        loud = [self._wording.verdict(one) for one in verdicts if not one.routine]
        self._feed.publish({**view, "notices": self._shown}, loud)
