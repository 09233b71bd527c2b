"""A recording from its first frame to its last line, with eyes that know the script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from live_film import EATS, NEXT, TARGET, WRONG, ScriptedWatcher, laid, story, story_truth, write_recording

from referee.errors import MoveError, OptionError
from referee.live.evaluation import as_json, evaluate_recordings
from referee.live.lines import lines
from referee.live.replay import replay
from referee.wording import load_wording
from vision.changes import Change, Notice
from vision.errors import RecordingError
from vision.recording import load_recording


def told(folder: Path, watcher: ScriptedWatcher, language: str = "en") -> list[dict[str, Any]]:
    found = list(lines(replay(load_recording(folder), watcher), load_wording().of("piranhas"), language))
    assert json.loads(json.dumps(found)) == found
    return found


def of_type(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in found if line["type"] == kind]


def test_a_whole_game_with_a_wrong_card_and_its_repair(tmp_path: Path) -> None:
    found = told(write_recording(tmp_path / "film", 5.0), ScriptedWatcher(story()))
    moves = [(line["player"], line["kind"], line["cards"]) for line in of_type(found, "move")]
    assert moves == [
        ("table", "reveal", [TARGET]),
        ("Ada", "play", [EATS]),
        ("Ben", "play", [WRONG]),
        ("?", "take", ["??"]),
        ("?", "take", ["??"]),
        ("table", "start", []),
        ("Cleo", "play", [NEXT]),
    ]
    plays = [line for line in of_type(found, "verdict") if line["kind"] == "play"]
    assert [(line["ruling"], line["rules"]) for line in plays] == [("legal", []), ("foul", ["P-F2"]), ("legal", [])]
    foul = plays[1]
    assert (foul["happened"], foul["t"], foul["player"], foul["beneath"]) == (2.0, 2.3, "Ben", EATS)
    assert foul["text"].startswith("Wrong card!")
    assert foul["remedy"] == [{"player": "Ben", "action": "take", "cards": [WRONG, EATS], "count": 2, "to": "discard"}]
    assert foul["steps"] == [
        "Ben: take back your card and the top card of the pile; put them on your own discard pile."
    ]


def test_lines_run_forward_in_time_and_are_the_same_twice(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 5.0)
    first, second = (told(folder, ScriptedWatcher(story())) for _ in range(2))
    assert first == second
    times = [line["t"] for line in first]
    assert times == sorted(times)
    assert len(of_type(first, "change")) == 6  # two cards were taken


def test_a_change_told_late_still_comes_at_its_time(tmp_path: Path) -> None:
    late = [laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"), laid(NEXT, 1.1, "Ben")]
    found = told(write_recording(tmp_path / "film", 2.0), ScriptedWatcher(late))
    order = [(line["t"], line["type"]) for line in found if line["t"] >= 1.0]
    assert order == [
        (1.0, "change"), (1.0, "move"), (1.1, "change"), (1.1, "move"), (1.3, "verdict"), (1.4, "verdict"),
    ]  # fmt: skip


def test_what_lies_open_at_the_end_is_told(tmp_path: Path) -> None:
    found = told(write_recording(tmp_path / "film", 1.2), ScriptedWatcher(story()[:2], delay_s=9.0))
    assert [line["cards"] for line in of_type(found, "move")] == [[TARGET], [EATS]]


@pytest.mark.parametrize(("language", "text"), [("en", "Which card is it?"), ("de", "Welche Karte ist das?")])
def test_a_doubtful_card_is_a_question(tmp_path: Path, language: str, text: str) -> None:
    script = [laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada", **{"O1+Y2+K4": 0.4})]
    found = told(write_recording(tmp_path / "film", 2.0), ScriptedWatcher(script), language)
    (question,) = of_type(found, "question")
    assert (question["kind"], question["choices"], question["text"]) == ("which-card", [EATS, WRONG], text)
    pending = next(line for line in of_type(found, "verdict") if line["seq"] == question["seq"])
    assert (pending["ruling"], pending["cards"]) == ("pending", ["??"])


def test_a_negligible_doubt_is_none(tmp_path: Path) -> None:
    script = [laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada", **{"O1+Y2+K4": 0.05})]
    found = told(write_recording(tmp_path / "film", 2.0), ScriptedWatcher(script))
    assert of_type(found, "question") == []
    assert of_type(found, "verdict")[-1]["ruling"] == "legal"


def test_an_unseen_hand_is_a_question(tmp_path: Path) -> None:
    script = [laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ben", sure=0.4)]
    (question,) = of_type(told(write_recording(tmp_path / "film", 2.0), ScriptedWatcher(script)), "question")
    assert (question["kind"], question["choices"]) == ("whose", ["Ben", "Ada", "Cleo"])


def test_troubles_are_told_in_words(tmp_path: Path) -> None:
    watcher = ScriptedWatcher([], notices=[Notice("too-dark", 0.0, 0.5)])
    (notice,) = told(write_recording(tmp_path / "film", 1.0), watcher)
    assert (notice["type"], notice["kind"], notice["t"]) == ("notice", "too-dark", 0.5)
    assert "light" in notice["text"]


def test_a_call_meets_the_card_that_lay_there_when_it_was_made(tmp_path: Path) -> None:
    """The card comes to rest at 1.0 and is told at 1.6; the call at 1.3 means it all the same."""
    call = {"t": 1.3, "player": "Ben", "kind": "call", "target": "wrong-card"}
    folder = write_recording(tmp_path / "film", 3.0, [call])
    found = told(folder, ScriptedWatcher(story()[:2], delay_s=0.6))
    (verdict,) = [line for line in of_type(found, "verdict") if line["kind"] == "call"]
    assert (verdict["ruling"], verdict["cards"], verdict["player"]) == ("rejected", [EATS], "Ben")


def test_a_call_comes_before_a_card_that_was_laid_later(tmp_path: Path) -> None:
    call = {"t": 1.6, "player": "Ben", "kind": "call"}
    folder = write_recording(tmp_path / "film", 3.0, [call])
    script = [laid(TARGET, 0.2, None), laid(EATS, 1.0, "Ada"), laid(NEXT, 1.9, "Cleo")]
    found = told(folder, ScriptedWatcher(script, delay_s=0.1))
    assert [(line["kind"], line["ruling"]) for line in of_type(found, "verdict")] == [
        ("reveal", "legal"),
        ("play", "legal"),
        ("call", "rejected"),
        ("play", "void"),
    ]


def test_a_spoken_start_ends_a_stop(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 5.0, [{"t": 3.2, "player": "table", "kind": "start"}])
    script = [*story()[:3], laid(NEXT, 4.0, "Cleo")]
    plays = [line for line in of_type(told(folder, ScriptedWatcher(script)), "verdict") if line["kind"] == "play"]
    assert [line["ruling"] for line in plays] == ["legal", "foul", "legal"]


def test_a_call_by_nobody_is_refused(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 1.0, [{"t": 0.5, "kind": "call"}])
    with pytest.raises(MoveError, match="does not say who"):
        told(folder, ScriptedWatcher([]))


def test_options_of_the_recording_count(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 3.0)
    toml = (folder / "table.toml").read_text()
    (folder / "table.toml").write_text(toml.replace("[zones]", '[options]\ncalls = "players"\n\n[zones]'))
    plays = [line for line in told(folder, ScriptedWatcher(story()[:3])) if line.get("kind") == "play"]
    assert [line["ruling"] for line in plays if line["type"] == "verdict"] == ["legal", "legal"]
    (folder / "table.toml").write_text(toml.replace("[zones]", "[options]\nfish = 3\n\n[zones]"))
    with pytest.raises(OptionError, match="has no option 'fish'"):
        told(folder, ScriptedWatcher([]))


def test_evaluate_finds_nothing_to_object_to(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 5.0, story_truth())
    figures = as_json(evaluate_recordings([folder], lambda _: ScriptedWatcher(story())))
    (one,) = figures["recordings"]
    assert one.pop("recording") == "film"
    assert one == figures["total"]
    assert one["plays"] == {"real": 3, "told": 3, "seen": 3, "recall": 1.0, "precision": 1.0}
    assert one["who_played"] == {"n": 3, "right": 3, "share": 1.0}
    assert one["rulings"] == {"n": 3, "right": 3, "share": 1.0}
    assert one["wrong_cards"] == {"n": 1, "caught": 1, "share": 1.0}
    assert one["false_alarms"] == {"n": 2, "count": 0, "per_100_legal_plays": 0.0}
    assert one["delay_s"] == {"n": 3, "median": pytest.approx(0.3), "p95": pytest.approx(0.3)}
    assert one["questions"] == 0


def test_evaluate_needs_the_truth(tmp_path: Path) -> None:
    folder = write_recording(tmp_path / "film", 1.0)
    with pytest.raises(RecordingError, match=r"has no truth\.jsonl"):
        evaluate_recordings([folder], lambda _: ScriptedWatcher([]))


def test_a_card_that_is_bumped_away_and_seen_again_is_no_play(tmp_path: Path) -> None:
    """During a stop the remedy brings covered cards to light: that is the repair."""
    script: list[Change] = [*story()[:3], laid(TARGET, 3.0, "Ben"), laid(NEXT, 4.0, "Cleo")]
    found = told(write_recording(tmp_path / "film", 5.0), ScriptedWatcher(script))
    kinds = [line["kind"] for line in of_type(found, "move")]
    assert kinds == ["reveal", "play", "play", "repaired", "start", "play"]
