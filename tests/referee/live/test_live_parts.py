"""The small parts of the live table: its clock, its notices, its transcript, its way of beginning."""

from __future__ import annotations

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from referee.entries import Start
from referee.errors import OptionError, StoreError
from referee.games import GAMES
from referee.live.clock import CaptureClock
from referee.live.door import plausible, translate
from referee.live.notices import SHOWN_S, NoticeBoard, notice_texts
from referee.live.opening import Party, begin, game_deck, read_option_texts
from referee.live.storage import Storage, Transcript
from referee.match import Match
from referee.store import MemoryStore
from referee.wording import LANGUAGES, load_wording
from vision.changes import Change, Notice
from vision.decks import deck_names


class Wall:
    """A clock on the wall that only the test moves."""

    def __init__(self) -> None:
        self.time_s = 1000.0

    def __call__(self) -> float:
        return self.time_s


def test_the_clock_goes_on_between_two_pictures_and_two_sittings() -> None:
    wall = Wall()
    clock = CaptureClock(begin_s=10.0, monotonic=wall)
    assert clock.saw(2.5) == 12.5
    wall.time_s += 0.25
    assert (clock.now(), clock.seen_s) == (12.75, 12.5)
    wall.time_s += 5
    clock.sit_down()
    assert (clock.base_s, clock.saw(1.0)) == (17.75, 18.75)


def test_a_film_shown_faster_has_faster_seconds() -> None:
    wall = Wall()
    clock = CaptureClock(speed=4.0, monotonic=wall)
    clock.saw(1.0)
    wall.time_s += 0.5
    assert clock.now() == 3.0


def test_every_trouble_of_the_eyes_has_its_words_in_every_language() -> None:
    kinds = set(get_args(get_type_hints(Notice)["kind"])) | {"camera", "end", "stuck"}
    assert set(notice_texts()) == kinds
    for texts in notice_texts().values():
        assert set(texts) == set(LANGUAGES)
        assert all(text.endswith(".") for text in texts.values())


def test_a_notice_is_taken_down_by_itself() -> None:
    board = NoticeBoard()
    board.put("blurred", 5.0)
    board.put("blurred", 8.0)
    assert [one["id"] for one in board.shown(8.0 + SHOWN_S - 0.1)] == ["blurred"]
    assert board.shown(8.0 + SHOWN_S) == []


def test_only_faces_that_matter_come_through_the_door() -> None:
    assert plausible([("P-R", 0.08), ("P-G", 0.7), ("P-B", 0.2)]) == (("P-G", 0.7), ("P-B", 0.2))
    assert plausible([("P-R", 0.05)]) == ()


def test_cards_taken_together_are_changes_one_by_one() -> None:
    (first, second) = translate(Change("vanished", "pile", 1.0, 1.2, count=2, who=("Ada", 0.8)), base_s=100.0)
    assert first == second
    assert (first.what, first.since_s, first.until_s, first.who, first.who_confidence) == (
        "vanished", 101.0, 101.2, "Ada", 0.8,
    )  # fmt: skip


def test_every_game_has_a_deck_that_is_there() -> None:
    assert {game_deck(game) for game in GAMES} <= set(deck_names())


def test_options_are_read_as_what_they_are() -> None:
    texts = ["calls=players", "series=1", "hints=true", "race_grace_ms=500"]
    read = read_option_texts("piranhas", texts)
    assert read == {"calls": "players", "series": 1, "hints": True, "race_grace_ms": 500}
    match = Match("m", MemoryStore(), wording=load_wording())
    begin(match, Party("piranhas", "fish", ("Ada", "Ben"), read))
    (entry,) = match.entries
    assert isinstance(entry.body, Start)
    assert (entry.body.options, len(entry.body.deck), match.view()["phase"]) == (read, 53, "setup")


@pytest.mark.parametrize("text", ["calls", "=players", "calls=", ""])
def test_an_option_is_a_key_and_a_value(text: str) -> None:
    with pytest.raises(OptionError, match="is no option"):
        read_option_texts("piranhas", [text])


def test_what_was_told_is_read_back_as_it_was_told_last(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "told.jsonl")
    transcript.write([{"seq": 2, "ruling": "legal"}, {"seq": 3, "ruling": "legal"}])
    transcript.write([{"seq": 3, "ruling": "foul"}, {"seq": 4, "ruling": "void"}], gone=[2])
    with (tmp_path / "told.jsonl").open("a") as file:
        file.write('{"seq": 5, "rul')  # the power went out
    again = Transcript(tmp_path / "told.jsonl")
    assert again.read() == {3: {"seq": 3, "ruling": "foul"}, 4: {"seq": 4, "ruling": "void"}}
    again.write([{"seq": 6, "ruling": "legal"}])
    assert list(again.read()) == [3, 4, 6]


def test_a_name_may_hold_any_sign(tmp_path: Path) -> None:
    """U+2028 and U+0085 end a line for some programs, not for JSON Lines."""
    transcript = Transcript(tmp_path / "told.jsonl")
    transcript.write([{"seq": 2, "player": "An\u2028na\u0085", "ruling": "legal"}, {"seq": 3, "ruling": "foul"}])
    assert [line.get("player") for line in transcript.read().values()] == ["An\u2028na\u0085", None]


def test_a_damaged_transcript_is_no_measure(tmp_path: Path) -> None:
    (tmp_path / "told.jsonl").write_text("told by somebody else\n")
    with pytest.raises(StoreError, match="is damaged"):
        Transcript(tmp_path / "told.jsonl").read()


def test_a_match_without_a_transcript_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        Storage(tmp_path).match("evening").transcript().read()


def test_the_secret_is_kept_and_nobody_elses(tmp_path: Path) -> None:
    folder = Storage(tmp_path).match("evening")
    secret = folder.secret()
    assert folder.secret() == secret
    assert Storage(tmp_path).match("other").secret() != secret
    assert (folder.folder / "secret").stat().st_mode & 0o077 == 0
