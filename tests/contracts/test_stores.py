"""What every store promises: one writer per number, order, nothing lost. Each store runs the whole suite."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cards import faces
from referee.entries import Entry, Start
from referee.errors import ConflictError, EntryError, StoreError
from referee.match import Store
from referee.moves import Move
from referee.store import FILE_SCHEMA, MemoryStore, SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    with SqliteStore(tmp_path / "matches.sqlite3") as sqlite:
        yield sqlite


def entry(seq: int, match: str = "m1", card: str = "P-R") -> Entry:
    return Entry(match, seq, seq / 10, "camera", Move("Zoë", "play", faces([card])), evidence=(f"pic-{seq}",))


def test_entries_come_back_equal_and_in_order(store: Store) -> None:
    first = Entry("m1", 1, 0.0, "operator", Start("piranhas", ("A", "B"), {"series": 1}, faces(["P-R"])))
    written = [first, *(entry(seq) for seq in range(2, 12))]
    for one in (*written[::2], *written[1::2]):
        store.append(one)
    assert list(store.entries("m1")) == written


def test_second_writer_of_a_number_is_refused_and_changes_nothing(store: Store) -> None:
    store.append(entry(1))
    with pytest.raises(ConflictError, match="Entry 1 of match 'm1'"):
        store.append(entry(1, card="P-G"))
    assert store.entries("m1") == (entry(1),)


def test_many_entries_are_written_all_or_none(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "matches.sqlite3") as sqlite:
        for store in (MemoryStore(), sqlite):
            store.append_all([entry(1), entry(2), entry(1, "m2")])
            assert store.entries("m1") == (entry(1), entry(2))
            with pytest.raises(ConflictError, match="Entry 2 of match 'm1'"):
                store.append_all([entry(3), entry(2, card="P-G"), entry(4)])
            assert store.entries("m1") == (entry(1), entry(2))
            store.append(entry(3))
            assert store.matches() == ("m1", "m2")


def test_entries_are_handed_out_as_they_are_stored(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "matches.sqlite3") as store:
        store.append_all([entry(2), entry(1)])
        store._connection.execute("INSERT INTO entries VALUES ('m1', 3, 1, 'damaged')")
        first, second, third = store.lines("m1")
    assert (json.loads(first), json.loads(second)) == (entry(1).to_json(), entry(2).to_json())
    assert third == "damaged"


def test_matches_are_kept_apart(store: Store) -> None:
    assert store.matches() == ()
    assert store.entries("m1") == ()
    for match in ("m2", "m1", "m2 "):
        store.append(entry(1, match))
    assert store.matches() == ("m1", "m2", "m2 ")
    assert store.entries("m2") == (entry(1, "m2"),)


def test_two_programs_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    with SqliteStore(path) as one, SqliteStore(path) as other:
        one.append(entry(1))
        assert other.entries("m1") == (entry(1),)
        with pytest.raises(ConflictError):
            other.append(entry(1, card="P-G"))
        other.append(entry(2))
        assert one.entries("m1") == (entry(1), entry(2))


WRITER = """
import sys
from pathlib import Path
from referee.entries import Entry, Retract
from referee.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
seq = 0
while True:
    seq += 1
    store.append(Entry("m1", seq, 0.0, "camera", Retract(1)))
    sys.stdout.write(f"{seq}\\n")
    sys.stdout.flush()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not known here")
def test_what_was_confirmed_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        confirmed = [int(writer.stdout.readline()) for _ in range(20)][-1]
        os.kill(writer.pid, signal.SIGKILL)
    with SqliteStore(path) as store:
        seqs = [one.seq for one in store.entries("m1")]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= confirmed
        store.append(entry(len(seqs) + 1))


def test_file_is_synced_at_every_entry(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    with SqliteStore(path) as store:
        store.append(entry(1))
        assert (tmp_path / "matches.sqlite3-wal").stat().st_size > 0
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FILE_SCHEMA + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread, fish\n" * 100, encoding="utf-8")
    for wrong in (path, tmp_path / "nowhere" / "matches.sqlite3"):
        with pytest.raises(StoreError, match=wrong.name) as caught:
            SqliteStore(wrong)
        assert caught.value.hint
    assert path.read_text(encoding="utf-8").startswith("milk")


@pytest.mark.parametrize("text", ["not json", '{"schema": 1}', '{"schema": 99}'])
def test_damaged_row_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "matches.sqlite3"
    with SqliteStore(path) as store:
        store.append(entry(1))
        store._connection.execute("INSERT INTO entries VALUES ('m1', 2, 1, ?)", (text,))
        with pytest.raises(EntryError, match="Entry 2 of match 'm1'") as caught:
            store.entries("m1")
        assert caught.value.hint
