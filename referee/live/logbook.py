"""`wrongcard log`: kept matches told line by line, written out as JSON Lines, and read back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from referee.entries import Entry
from referee.errors import EntryError, RefereeError, StoreError
from referee.folding import played
from referee.live.storage import Storage
from referee.match import Match
from referee.playbyplay import play_by_play
from referee.store import MemoryStore, SqliteStore
from referee.wording import load_wording

__all__ = ["export_match", "import_match", "match_names", "tell_match", "write_out"]

_DAMAGED = "The file was damaged or written by another program; take a copy of it from before."


def match_names(data: Path) -> tuple[str, ...]:
    """The names of all kept matches. Raises `StoreError`, also where none has been kept."""
    with _kept(data) as store:
        return store.matches()


def tell_match(name: str, data: Path, language: str) -> Iterator[str]:
    """A kept match, a line for every entry. Raises `RefereeError`, also when it is not there."""
    with _kept(data, name) as store:
        entries = store.entries(name)
    yield from play_by_play(played(entries), load_wording(), language)


def export_match(name: str, data: Path) -> tuple[str, ...]:
    """The entries of a kept match exactly as they are stored, a line each. Raises `StoreError`."""
    with _kept(data, name) as store:
        return store.lines(name)


def write_out(lines: Sequence[str], path: Path) -> None:
    """Writes lines into a new file. Raises `StoreError`, also when there is a file of that name."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
    except FileExistsError as error:
        raise StoreError(f"There is a file {path} already.", hint="Name another one, or - to print it.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.", hint="Name another file.") from error


def _kept(data: Path, name: str | None = None) -> SqliteStore:
    """The store of kept matches; says which matches there are when it does not hold the one wanted."""
    storage = Storage(data)
    if not storage.log_file.is_file():
        raise StoreError(f"No match has been kept in {data}.", hint="Name another folder with --data.")
    store = SqliteStore(storage.log_file)
    try:
        names = store.matches()
    except StoreError:
        store.close()
        raise
    if name is not None and name not in names:
        store.close()
        raise StoreError(f"There is no match '{name}' in {data}.", hint=f"The latest ones: {', '.join(names[-5:])}")
    return store


def import_match(path: Path, data: Path, name: str | None = None) -> tuple[str, int]:
    """Keeps the match that was written out to `path`, under its own name or under `name`; whole or not at all.

    Returns the name and the number of entries. Raises `EntryError` with the number of the line that cannot be read,
    `LogError` or another `RefereeError` with that of the line that cannot follow the ones before it, and `StoreError`
    when a match of that name is kept already.
    """
    entries = _read(path)
    target = entries[0].match if name is None else name
    entries = tuple(replace(entry, match=target) for entry in entries)
    _check(path, target, entries)
    storage = Storage(data)
    storage.open()
    with SqliteStore(storage.log_file) as store:
        if target in store.matches():
            raise StoreError(
                f"A match '{target}' is kept in {data} already.",
                hint="Give it another name: wrongcard log NAME --import FILE",
            )
        storage.match(target)
        store.append_all(entries)
    return target, len(entries)


def _read(path: Path) -> tuple[Entry, ...]:
    """The entries in a file: of one match, numbered from 1, one a line."""
    try:
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.", hint="Is the name right?") from error
    except UnicodeDecodeError as error:
        raise EntryError(f"{path} is not a text file: {error.reason}.", hint=_DAMAGED) from error
    if lines == [""]:
        raise EntryError(f"{path} holds no entries.", hint="A match is written out with wrongcard log MATCH --export.")
    entries = tuple(_entry(path, number, line) for number, line in enumerate(lines, start=1))
    for number, entry in enumerate(entries, start=1):
        if (entry.match, entry.seq) != (entries[0].match, number):
            raise EntryError(
                f"{path}, line {number} is entry {entry.seq} of match '{entry.match}', "
                f"not entry {number} of match '{entries[0].match}'.",
                hint="A line is missing or stands in the wrong place: take a copy of the file from before.",
            )
    return entries


def _entry(path: Path, number: int, line: str) -> Entry:
    try:
        return Entry.from_json(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise EntryError(f"{path}, line {number} is not JSON: {error}.", hint=_DAMAGED) from error
    except EntryError as error:
        raise EntryError(f"{path}, line {number}: {error}", hint=error.hint) from error


def _check(path: Path, name: str, entries: tuple[Entry, ...]) -> None:
    """That every line can follow the ones before it."""
    match = Match(name, MemoryStore(), wording=load_wording())
    for number, entry in enumerate(entries, start=1):
        try:
            match.append(entry)
        except RefereeError as error:
            raise type(error)(f"{path}, line {number}: {error}", hint=error.hint) from error
