"""Kept matches: told, written out and read back, and judged again, whatever the game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cards import faces
from referee.entries import Retract, Start
from referee.errors import EntryError, LogError, RefereeError, StoreError, UnreadableError
from referee.games import GAMES
from referee.live.again import judge_again
from referee.live.logbook import export_match, import_match, match_names, tell_match, write_out
from referee.live.storage import Storage
from referee.match import Match
from referee.moves import Move
from referee.playout import deal, random_moves
from referee.store import SqliteStore
from referee.wording import load_wording
from vision.decks import load_deck

MOVES = 25


def keep(
    name: str, data: Path, *, game: str = "piranhas", players: tuple[str, ...] = ("Ada", "Ben", "Jürgen")
) -> Match:
    """A match of random standing moves, a correction included, kept with what was told in it."""
    storage = Storage(data)
    storage.open()
    rules, dice = GAMES[game], random.Random(5)
    start = deal(rules, players, pack=faces(load_deck(rules.deck).all_cards), dice=dice)
    with SqliteStore(storage.log_file) as store:
        match = Match(name, store, wording=load_wording())
        match.append(match.entry(start, 0.0, source="operator"))
        moves = random_moves(rules, rules.start(start), players, dice=dice)
        for number, (move, _) in zip(range(MOVES), moves, strict=False):
            match.append(match.entry(move, number * 2.0, source="camera", evidence=(f"pic-{number}",)))
        match.append(match.entry(Retract(match.next_seq - 1), MOVES * 2.0, source="phone"))
    wording = load_wording().of(game)
    storage.match(name).transcript().write(wording.verdict(one) for one in match.verdicts())
    return match


@pytest.mark.parametrize("game", GAMES)
def test_match_written_out_and_read_back_is_the_same(game: str, tmp_path: Path) -> None:
    match = keep("evening", tmp_path / "here", game=game)
    lines = export_match("evening", tmp_path / "here")
    assert [json.loads(line) for line in lines] == [entry.to_json() for entry in match.entries]
    write_out(lines, tmp_path / "evening.jsonl")
    assert import_match(tmp_path / "evening.jsonl", tmp_path / "there") == ("evening", len(lines))
    assert export_match("evening", tmp_path / "there") == lines
    told = [list(tell_match("evening", tmp_path / place, "de")) for place in ("here", "there")]
    assert told[0] == told[1]
    assert len(told[0]) == len(lines)


def test_match_read_back_under_another_name(tmp_path: Path) -> None:
    match = keep("evening", tmp_path)
    write_out(export_match("evening", tmp_path), tmp_path / "evening.jsonl")
    with pytest.raises(StoreError, match=r"'evening' is kept in .* already") as caught:
        import_match(tmp_path / "evening.jsonl", tmp_path)
    assert "another name" in caught.value.hint
    assert import_match(tmp_path / "evening.jsonl", tmp_path, "copy") == ("copy", len(match.entries))
    assert match_names(tmp_path) == ("copy", "evening")
    with SqliteStore(Storage(tmp_path).log_file) as store:
        copy = Match("copy", store, wording=load_wording())
    assert copy.verdicts() == match.verdicts()
    with pytest.raises(StoreError, match="cannot be the name of a match"):
        import_match(tmp_path / "evening.jsonl", tmp_path, "../elsewhere")
    assert match_names(tmp_path) == ("copy", "evening")


def test_names_with_signs_that_look_like_line_ends_survive(tmp_path: Path) -> None:
    keep("evening", tmp_path, players=("A\u2028da", "B\x85en", "C\x0b"))
    lines = export_match("evening", tmp_path)
    write_out(lines, tmp_path / "evening.jsonl")
    import_match(tmp_path / "evening.jsonl", tmp_path, "copy")
    assert len(export_match("copy", tmp_path)) == len(lines)


@pytest.mark.parametrize(
    ("line", "change", "error", "message"),
    [
        (3, lambda text: text[:-4], EntryError, "line 3 is not JSON"),
        (3, lambda _: "", EntryError, "line 3 is not JSON"),
        (3, lambda _: "[" * 100_000, EntryError, "line 3 is not JSON"),
        (3, lambda _: "7", EntryError, "line 3: This is not a log entry"),
        (3, lambda text: text.replace('"seq":3', '"seq":30'), EntryError, "line 3 is entry 30 of match 'evening'"),
        (3, lambda text: text.replace('"evening"', '"morning"'), EntryError, "line 3 is entry 3 of match 'morning'"),
        (3, lambda text: text.replace('"schema":2', '"schema":99'), EntryError, "line 3: The entry has schema 99"),
        (1, lambda text: text.replace('"piranhas"', '"chess"'), RefereeError, "line 1: The referee does not know"),
        (-1, lambda text: text.replace('"of":26', '"of":99'), LogError, "line 27: Match 'evening' has no entry 99"),
        (2, lambda text: text.replace('"player":"', '"player":"x'), UnreadableError, "line 2: "),
    ],
)
def test_damaged_line_is_refused_with_its_number(
    tmp_path: Path, line: int, change: Callable[[str], str], error: type[RefereeError], message: str
) -> None:
    keep("evening", tmp_path)
    lines = list(export_match("evening", tmp_path))
    place = line - 1 if line > 0 else len(lines) - 1
    lines[place] = change(lines[place])
    path = tmp_path / "evening.jsonl"
    write_out(lines, path)
    with pytest.raises(error) as caught:
        import_match(path, tmp_path / "there")
    assert str(caught.value).startswith(f"{path}, ")
    assert message in str(caught.value)
    assert caught.value.hint
    assert not (tmp_path / "there").exists()


def test_files_that_hold_no_match(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\xff")
    for name, error, message in (
        ("empty.jsonl", EntryError, "holds no entries"),
        ("binary.jsonl", EntryError, "is not a text file"),
        ("nowhere.jsonl", StoreError, "cannot be read: No such file"),
    ):
        with pytest.raises(error, match=message) as caught:
            import_match(tmp_path / name, tmp_path / "there")
        assert caught.value.hint


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("Dear diary")
    with pytest.raises(StoreError, match=r"There is a file .*diary\.txt already"):
        write_out(["x"], tmp_path / "diary.txt")
    assert (tmp_path / "diary.txt").read_text() == "Dear diary"
    with pytest.raises(StoreError, match="cannot be written"):
        write_out(["x"], tmp_path / "nowhere" / "evening.jsonl")


def test_matches_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No match has been kept"):
        match_names(tmp_path)
    keep("evening", tmp_path)
    with pytest.raises(StoreError, match="There is no match 'morning'") as caught:
        export_match("morning", tmp_path)
    assert "evening" in caught.value.hint


@pytest.mark.parametrize("game", GAMES)
def test_judged_again_under_the_same_rules_nothing_changes(game: str, tmp_path: Path) -> None:
    match = keep("evening", tmp_path, game=game)
    again = judge_again("evening", tmp_path)
    assert (again.compared, again.changes) == (len(match.verdicts()), ())
    assert (again.game, again.began, again.today) == (game, GAMES[game].version, GAMES[game].version)


@pytest.mark.parametrize("game", GAMES)
def test_verdicts_that_change_are_told_and_counted(game: str, tmp_path: Path) -> None:
    match = keep("evening", tmp_path, game=game)
    wording, told = load_wording().of(game), match.verdicts()[0]
    line = {**wording.verdict(told), "ruling": "foul", "rules": ["X-1"]}
    Storage(tmp_path).match("evening").transcript().write([line, {**line, "seq": 77}])
    again = judge_again("evening", tmp_path)
    assert again.compared == len(match.verdicts()) + 1
    assert len(again.changes) == 2
    assert again.changes[0].startswith("entry 2: ")
    assert f"foul (X-1) then, {told.move.player}" in again.changes[0].replace("somebody", told.move.player)
    assert again.changes[1].endswith("then, nothing now")


def test_match_begun_under_older_rules_says_so(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.open()
    with SqliteStore(storage.log_file) as store:
        match = Match("evening", store, wording=load_wording())
        match.append(
            match.entry(Start("piranhas", ("A", "B"), setup={"pile": ["P-R"]}, version=0), 0.0, source="phone")
        )
        match.append(match.entry(Move("A", "play", faces(["P-G"])), 1.0, source="camera"))
    storage.match("evening").transcript().write(load_wording().of("piranhas").verdict(one) for one in match.verdicts())
    again = judge_again("evening", tmp_path)
    assert (again.began, again.today, again.changes) == (0, GAMES["piranhas"].version, ())
