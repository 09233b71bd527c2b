"""A match as people read it afterwards: one line for every entry of its log, in one language.

Every entry is told as it counts today, after all corrections; a correction stands where it was made, says what it
changed, and the entry that it corrected names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.entries import Amend, Body, Call, Declare, Entry, Repaired, Retract, Start, as_move
from referee.moves import TABLE, Json, Move
from referee.verdicts import Correction, Verdict
from referee.wording import Wording

__all__ = ["Played", "play_by_play"]


@dataclass(frozen=True, slots=True)
class Played:
    """What a log amounts to, as far as it can be told.

    entries      the log, corrections included
    read         what the entries say after all corrections, by number; without corrections and what was taken back
    gone         entries that were taken back, with the number of the one that did it
    amended      entries that say something else now, with the number of the one that did it
    verdicts     on every judged entry
    corrections  what every correction has changed
    scores       of the series, after the entries that ended something
    """

    entries: Sequence[Entry]
    read: Mapping[int, Body]
    gone: Mapping[int, int]
    amended: Mapping[int, int]
    verdicts: Mapping[int, Verdict]
    corrections: Mapping[int, Correction]
    scores: Mapping[int, Mapping[str, int]]


def play_by_play(played: Played, wording: Wording, language: str) -> Iterator[str]:
    """The lines of a match: time, number, who did what with which cards, the ruling, why, and what to do now."""
    width = len(str(played.entries[-1].seq)) if played.entries else 0
    for entry in played.entries:
        body = played.read.get(entry.seq, entry.body)
        if isinstance(body, Start):
            wording = wording.of(body.game)
        parts = (*_what(entry, body, played, wording, language), _later(entry.seq, played, wording, language))
        yield f"{_clock(entry.time_s):>8}  {entry.seq:>{width}}  {' '.join(part for part in parts if part)}"


def _clock(time_s: float) -> str:
    """Minutes, seconds and tenths since the start of capture."""
    tenths = round(abs(time_s) * 10)
    return f"{'-' if time_s < 0 else ''}{tenths // 600}:{tenths % 600 / 10:04.1f}"


def _what(entry: Entry, body: Body, played: Played, wording: Wording, language: str) -> Iterator[str]:
    """What an entry says and what followed from it."""
    verdict, changed = played.verdicts.get(entry.seq), played.corrections.get(entry.seq)
    yield _says(body if verdict is None else verdict.move, wording, language)
    if verdict is not None:
        yield from _ruling(verdict, wording, language)
        yield _scores(played.scores.get(entry.seq, {}), wording, language)
    if changed is not None:
        yield wording.corrected(changed, language)


def _says(body: Body, wording: Wording, language: str) -> str:
    """What an entry or a correction says."""
    match body:
        case Start():
            return _begins(body, wording, language)
        case Retract():
            return wording.texts[language]["log.retracts"].format(of=body.of)
        case Amend():
            amends = wording.texts[language]["log.amends"].format(of=body.of)
            return f"{amends} {_says(body.body, wording, language)}"
        case Repaired():
            return f"{wording.did(Move(TABLE, 'repaired'), language)}."
        case Move() | Declare() | Call():
            return f"{wording.did(as_move(body), language)}."


def _begins(start: Start, wording: Wording, language: str) -> str:
    texts = wording.texts[language]
    begins = texts["log.begins"].format(game=texts["title"], players=", ".join(start.players), version=start.version)
    options = ", ".join(f"{key}={_option(value)}" for key, value in start.options.items())
    return f"{begins} {texts['log.options'].format(options=options)}" if options else begins


def _option(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ruling(verdict: Verdict, wording: Wording, language: str) -> Iterator[str]:
    """Why, with the ids of the broken rules, and the steps; nothing where nobody needed to be told."""
    yield "" if verdict.routine else wording.sentence(verdict, language)
    yield f"[{', '.join(verdict.rules)}]" if verdict.rules else ""
    yield from wording.steps(verdict, language)


def _scores(scores: Mapping[str, int], wording: Wording, language: str) -> str:
    told = ", ".join(f"{name} {score}" for name, score in scores.items())
    return wording.texts[language]["correction.scored"].format(scores=told) if told else ""


def _later(seq: int, played: Played, wording: Wording, language: str) -> str:
    """Which later entry took this one back, or changed what it says."""
    texts = wording.texts[language]
    if seq in played.gone:
        return texts["log.gone"].format(by=played.gone[seq])
    return texts["log.amended"].format(by=played.amended[seq]) if seq in played.amended else ""
