"""What happened as lines of JSON: the format of `wrongcard watch --json`, and of one play as `demo` prints it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from referee.live.notices import notice_texts
from referee.live.replay import Happening, Noticed, Seen
from referee.live.umpire import Ruled
from referee.moves import Change
from referee.wording import Wording

__all__ = ["Line", "in_order", "lines", "verdict_line"]

Line = dict[str, Any]

WAIT_S = 5.0
"""A card may be told this long after it came to rest; until then later lines wait, so that time never runs back."""


def lines(happenings: Iterable[Happening], wording: Wording, language: str = "en") -> Iterator[Line]:
    """One line for every change, move, verdict, question and notice, sorted by their `t`, in words of the game.

    A change and a move bear the time at which they happened, a verdict and a question the time at which they were
    known.
    """
    return in_order(_told(happenings, wording, language))


def in_order(told: Iterable[tuple[float, Line]]) -> Iterator[Line]:
    """Lines sorted by `t`, each given with the time at which it was known; lines of the same time keep their order."""
    waiting: list[tuple[float, int, Line]] = []
    number = count()
    for told_s, line in told:
        while waiting and waiting[0][0] <= told_s - WAIT_S:
            yield heapq.heappop(waiting)[2]
        heapq.heappush(waiting, (line["t"], next(number), line))
    while waiting:
        yield heapq.heappop(waiting)[2]


def _told(happenings: Iterable[Happening], wording: Wording, language: str) -> Iterator[tuple[float, Line]]:
    for happening in happenings:
        match happening:
            case Seen():
                yield happening.told_s, _change(happening.change)
            case Ruled():
                yield from ((happening.told_s, line) for line in _ruled(happening, wording, language))
            case Noticed():
                yield happening.told_s, _notice(happening, language)


def _change(change: Change) -> Line:
    return {
        "t": _round(change.until_s),
        "type": "change",
        "what": change.what,
        "zone": change.zone,
        "candidates": [[face, round(p, 4)] for face, p in change.candidates],
        "since": _round(change.since_s),
        "who": change.who,
        "who_confidence": round(change.who_confidence, 3),
    }


def _ruled(ruled: Ruled, wording: Wording, language: str) -> Iterator[Line]:
    move = ruled.verdict.move
    happened_s = ruled.entry.time_s if move.time_s is None else move.time_s
    yield {
        "t": _round(happened_s),
        "type": "move",
        "seq": ruled.entry.seq,
        "player": move.player,
        "kind": move.kind,
        "cards": list(move.cards),
        "target": move.target,
        "source": ruled.entry.source,
    }
    yield verdict_line(ruled, wording, language)
    if ruled.question is not None:
        yield {
            "t": _round(ruled.told_s),
            "type": "question",
            "seq": ruled.entry.seq,
            "kind": ruled.question.kind,
            "choices": list(ruled.question.choices),
            "text": wording.texts[language][f"ask.{ruled.question.kind}"],
        }


def verdict_line(ruled: Ruled, wording: Wording, language: str = "en") -> Line:
    """The verdict as one line; `happened` is when the card came to rest, `t` when the verdict was known."""
    told = wording.verdict(ruled.verdict)
    return {
        "t": _round(ruled.told_s),
        "type": "verdict",
        "seq": ruled.entry.seq,
        "happened": _round(ruled.entry.time_s),
        "player": ruled.verdict.move.player,
        "kind": told["kind"],
        "cards": told["cards"],
        "beneath": told["beneath"],
        "ruling": told["ruling"],
        "rules": told["rules"],
        "reminders": told["reminders"],
        "remedy": told["remedy"],
        "steps": told["steps"][language],
        "text": told["text"][language],
        "routine": ruled.verdict.routine,
    }


def _notice(noticed: Noticed, language: str) -> Line:
    text = notice_texts()[noticed.kind][language]
    return {"t": _round(noticed.told_s), "type": "notice", "kind": noticed.kind, "text": text}


def _round(time_s: float) -> float:
    return round(time_s, 3)
