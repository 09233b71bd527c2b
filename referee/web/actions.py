"""What phones may ask of the table: the protocol that the live part implements, and the guard against double taps."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from referee.web.errors import RequestError
from referee.web.pairing import Role

__all__ = ["Action", "ActionKind", "ActionResult", "ActionStatus", "Actions", "Amendment", "Once"]

ActionKind = Literal["go", "call", "stuck", "answer", "amend", "retract"]
ActionStatus = Literal["done", "late", "refused"]


@dataclass(frozen=True, slots=True)
class Amendment:
    """What a reading should have been; an empty tuple or None leaves that part as it was read."""

    cards: tuple[str, ...] = ()
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """One press on a phone.

    go        play begins, or goes on after a stop
    call      `player` says "Wrong card!"; `seq` is the position that the phone showed at that moment
    stuck     `player` cannot put any card
    answer    `value` is the choice for the question `ask` of entry `seq`
    amend     entry `seq` was read wrongly, `value` is how it should read
    retract   entry `seq` never happened

    `key` is drawn once per press: the same key is the same press, however often it arrives.
    """

    kind: ActionKind
    key: str
    player: str | None = None
    seq: int | None = None
    ask: str | None = None
    value: str | Amendment | None = None
    role: Role = "player"


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What became of a press: `done` (entry `seq` was written), `late` (the table has moved on) or `refused`.

    `text` and `hint` are sentences by language ("en", "de"): what is wrong and what to do. The page's own are used
    where they are empty.
    """

    status: ActionStatus
    seq: int | None = None
    text: Mapping[str, str] = field(default_factory=dict)
    hint: Mapping[str, str] = field(default_factory=dict)


class Actions(Protocol):
    """The table as the phones reach it. `act` is awaited in the event loop and commits before it returns."""

    async def act(self, action: Action) -> ActionResult: ...


class Once:
    """Lets every press through once: a repeated key gets the first answer. The last `kept` presses are remembered."""

    def __init__(self, actions: Actions, *, kept: int = 1024) -> None:
        self._actions = actions
        self._kept = kept
        self._presses: OrderedDict[str, tuple[Action, asyncio.Task[ActionResult]]] = OrderedDict()

    async def act(self, action: Action) -> ActionResult:
        """The result of this press. Raises `RequestError` when its key was used for another one."""
        known = self._presses.get(action.key)
        if known is None:
            known = self._begin(action)
        first, task = known
        if first != action:
            raise RequestError(422, "key")
        # A phone that goes away must not take back a press that others already see.
        return await asyncio.shield(task)

    def _begin(self, action: Action) -> tuple[Action, asyncio.Task[ActionResult]]:
        press = (action, asyncio.ensure_future(self._run(action)))
        self._presses[action.key] = press
        while len(self._presses) > self._kept:
            self._presses.popitem(last=False)
        return press

    async def _run(self, action: Action) -> ActionResult:
        happened = False
        try:
            result = await self._actions.act(action)
            happened = True
        finally:
            if not happened:  # the same key may try again
                self._presses.pop(action.key, None)
        return result
