"""Where matches are kept: in memory for trials, in one SQLite file for life.

A row is written and synced before anybody hears of it. The primary key (match, seq) is the lock: of two writers of
the same number the second gets an error. The write-ahead log survives the program's death at any moment.
Source of the settings: https://www.sqlite.org/wal.html and https://www.sqlite.org/pragma.html#pragma_synchronous
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from referee.entries import Entry
from referee.errors import ConflictError, EntryError, StoreError

__all__ = ["FILE_SCHEMA", "MemoryStore", "SqliteStore"]

FILE_SCHEMA = 1
"""Number of the present form of the file, kept in its `user_version`."""

_WAIT_S = 5.0

_CREATE = """
CREATE TABLE IF NOT EXISTS entries (
    match TEXT NOT NULL,
    seq INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (match, seq)
) WITHOUT ROWID
"""


def _conflict(entry: Entry) -> ConflictError:
    return ConflictError(
        f"Entry {entry.seq} of match '{entry.match}' has been written already.",
        hint="Somebody else has written in between: look at the match again.",
    )


class MemoryStore:
    """Keeps entries until the program ends."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, int], Entry] = {}

    def append(self, entry: Entry) -> None:
        """Keeps `entry`. Raises `ConflictError` when its match and seq are taken."""
        if (entry.match, entry.seq) in self._entries:
            raise _conflict(entry)
        self._entries[entry.match, entry.seq] = entry

    def append_all(self, entries: Sequence[Entry]) -> None:
        """Keeps all of `entries` or, with a `ConflictError`, none of them."""
        for entry in entries:
            if (entry.match, entry.seq) in self._entries:
                raise _conflict(entry)
        self._entries |= {(entry.match, entry.seq): entry for entry in entries}

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Every entry of `match` in the order of seq."""
        return tuple(entry for (name, _), entry in sorted(self._entries.items()) if name == match)

    def matches(self) -> tuple[str, ...]:
        """The names of all matches."""
        return tuple(sorted({name for name, _ in self._entries}))


class SqliteStore:
    """Keeps entries in one SQLite file, which may be opened by several programs at once. Use it as a context manager.

    Every method raises `StoreError` when the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file at `path`, or makes it (its folder must exist)."""
        self._path = path
        with self._errors():
            self._connection = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
        try:
            self._prepare()
        except StoreError:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        with self._errors():
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version > FILE_SCHEMA:
                raise StoreError(
                    f"{self._path} was written by a newer version (form {version}, this one knows {FILE_SCHEMA}).",
                    hint="Install the newest wrongcard: pip install --upgrade wrongcard",
                )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(_CREATE)
            self._connection.execute(f"PRAGMA user_version = {FILE_SCHEMA}")

    def append(self, entry: Entry) -> None:
        """Writes `entry`; once this returns it survives a power cut. `ConflictError`: its number is taken."""
        with self._errors():
            self._insert(entry)

    def append_all(self, entries: Sequence[Entry]) -> None:
        """Writes all of `entries` or, with an error, none of them."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for entry in entries:
                    self._insert(entry)
            except (ConflictError, sqlite3.Error):
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _insert(self, entry: Entry) -> None:
        text = json.dumps(entry.to_json(), ensure_ascii=False, separators=(",", ":"))
        try:
            self._connection.execute(
                "INSERT INTO entries (match, seq, schema, entry) VALUES (?, ?, ?, ?)",
                (entry.match, entry.seq, entry.schema, text),
            )
        except sqlite3.IntegrityError as error:
            raise _conflict(entry) from error

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Every entry of `match` in the order of seq. Raises `EntryError` for a damaged row, naming it."""
        return tuple(self._read(match, seq, text=text) for seq, text in self._rows(match))

    def lines(self, match: str) -> tuple[str, ...]:
        """Every entry of `match` as it is stored: a line of JSON each, damaged ones included."""
        return tuple(str(text) for _, text in self._rows(match))

    def _rows(self, match: str) -> list[tuple[int, str]]:
        with self._errors():
            return self._connection.execute(
                "SELECT seq, entry FROM entries WHERE match = ? ORDER BY seq", (match,)
            ).fetchall()

    def _read(self, match: str, seq: int, *, text: str) -> Entry:
        try:
            return Entry.from_json(json.loads(text))
        except (json.JSONDecodeError, EntryError) as error:
            raise EntryError(
                f"Entry {seq} of match '{match}' in {self._path} cannot be read: {error}",
                hint=getattr(error, "hint", "") or "The file was damaged; take a copy of it from before.",
            ) from error

    def matches(self) -> tuple[str, ...]:
        """The names of all matches."""
        with self._errors():
            rows = self._connection.execute("SELECT DISTINCT match FROM entries ORDER BY match").fetchall()
        return tuple(name for (name,) in rows)

    def close(self) -> None:
        """Closes the file; nothing is lost without it."""
        self._connection.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Tells the database's errors in words for the table."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"The matches in {self._path} cannot be reached: {error}.",
                hint="Is it a file of wrongcard, is its folder there and writable, is the disk full?",
            ) from error
