"""`wrongcard replay`: a kept match judged again under today's rules, or its film seen again with today's models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.entries import Entry, Start
from referee.errors import LogError, StoreError
from referee.folding import fold
from referee.games import find_game
from referee.live.replay import replay
from referee.live.scoring import plays_of
from referee.live.storage import Storage
from referee.live.watching import watcher_for
from referee.store import SqliteStore
from referee.verdicts import Verdict
from referee.wording import load_wording
from vision.recording import load_recording

__all__ = ["Again", "judge_again", "see_again"]

_COMPARED = ("ruling", "rules", "player", "cards", "remedy")


@dataclass(frozen=True, slots=True)
class Again:
    """How many verdicts were compared, and a sentence for every one that reads differently now.

    game   what was played
    began  number of the game's rules when the match began
    today  their number now
    """

    compared: int
    changes: tuple[str, ...]
    game: str
    began: int
    today: int


def judge_again(name: str, data: Path) -> Again:
    """The verdicts of the kept match `name` under today's rules against those told then. Raises `RefereeError`."""
    storage = Storage(data)
    told = _told(storage, name)
    entries = _entries(storage, name)
    folded = fold(entries)
    now = {} if folded.game is None else _worded(folded.verdicts, folded.game.name)
    return _again(len(told), _changes(told, now), entries)


def see_again(name: str, data: Path, recording: Path, *, models: Path | None = None) -> Again:
    """The plays told in the kept match against those that today's eyes find in its film. Raises like `judge_again`,
    and `VisionError` for the film."""
    storage = Storage(data)
    told = [line for line in _told(storage, name).values() if line["kind"] == "play"]
    film = load_recording(recording)
    plays = plays_of(replay(film, watcher_for(film, models)))
    now = [load_wording().of(film.table.game).verdict(play.verdict) for play in plays]
    numbered = (dict(enumerate(lines, start=1)) for lines in (told, now))
    return _again(len(told), _changes(*numbered, what="play"), _entries(storage, name))


def _told(storage: Storage, name: str) -> dict[int, dict[str, Any]]:
    """What was told in a match, by entry; says which matches there are when it is none of them."""
    if not storage.log_file.is_file():
        raise StoreError(f"No match has been kept in {storage.folder}.", hint="Name another folder with --data.")
    with SqliteStore(storage.log_file) as store:
        if name not in store.matches():
            known = ", ".join(store.matches()[-5:]) or "none"
            raise StoreError(f"There is no match '{name}' in {storage.folder}.", hint=f"The latest ones: {known}")
    return storage.match(name).transcript().read()


def _entries(storage: Storage, name: str) -> tuple[Entry, ...]:
    with SqliteStore(storage.log_file) as store:
        return store.entries(name)


def _again(compared: int, changes: Iterable[str], entries: Sequence[Entry]) -> Again:
    """With the rules under which the match began: those that its first entry names."""
    start = entries[0].body
    if not isinstance(start, Start):
        raise LogError("The match does not begin with a start.", hint="Its log was damaged; take a copy from before.")
    return Again(compared, tuple(changes), start.game, start.version, find_game(start.game).version)


def _worded(verdicts: Sequence[Verdict], game: str) -> dict[int | None, dict[str, Any]]:
    wording = load_wording().of(game)
    return {verdict.seq: wording.verdict(verdict) for verdict in verdicts}


def _changes(
    then: Mapping[int, Mapping[str, Any]], now: Mapping[Any, Mapping[str, Any]], *, what: str = "entry"
) -> Iterator[str]:
    for number in sorted({*then, *now}):
        old, new = then.get(number), now.get(number)
        if old is None or new is None or any(old[key] != new[key] for key in _COMPARED):
            yield f"{what} {number}: {_said(old)} then, {_said(new)} now"


def _said(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return "nothing"
    cards = " ".join(line["cards"])
    rules = f" ({', '.join(line['rules'])})" if line["rules"] else ""
    takes = ", ".join(f"{step['player']} {step['action']} {step['count']}" for step in line["remedy"])
    return " ".join(filter(None, [line["player"] or "somebody", cards, f"{line['ruling']}{rules}", takes]))
