"""Log entries as JSON: every kind there and back, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.cards import Face, faces
from referee.entries import SCHEMA, Amend, Body, Call, Declare, Entry, Repaired, Retract, Start
from referee.errors import EntryError
from referee.moves import Move

MOVE = Move(
    "A",
    "play",
    faces(["R2+B4+Y1"]),
    target="own",
    data={"say": "red", "since_s": 1.5},
    candidates=((Face("R2+B4+Y1"), 0.7), (Face("P-R"), 0.3)),
    time_s=2.5,
)
BODIES: list[Body] = [
    Start("piranhas", ("A", "Jürgen"), {"calls": "players"}, faces(["P-R", "P-G"]), {"pile": ["P-R"], "boxed": 0}),
    MOVE,
    Move("B", "turnover"),
    Declare("A", "count", 7),
    Declare("A", "name", "blue"),
    Call("A", "wrong-card", Face("P-R"), 12.25),
    Call("A", "stuck"),
    Amend(3, MOVE),
    Amend(4, Amend(3, Declare("A", "count", 7))),
    Retract(3),
    Repaired(5),
]


START, PLAY = (Entry("m1", 1, 0.0, "phone", body).to_json()["body"] for body in BODIES[:2])


def deep(levels: int) -> list[Any]:
    """A list in a list in a list ..."""
    return [deep(levels - 1)] if levels else []


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_every_kind_of_entry_survives_json(body: Body) -> None:
    entry = Entry("m1", 7, 12.5, "phone", body, evidence=("pic-1", "pic-2"))
    assert Entry.from_json(json.loads(json.dumps(entry.to_json()))) == entry


def test_what_the_fold_adds_is_not_written() -> None:
    entry = Entry("m1", 7, 12.5, "camera", Move("A", "play", faces(["P-R"]), seq=7, late=True))
    assert Entry.from_json(entry.to_json()).body == Move("A", "play", faces(["P-R"]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": SCHEMA + 1}, "newest wrongcard"),
        ({"source": "rumour"}, "rumour"),
        ({"seq": "7"}, "'7' is not a whole number"),
        ({"time_s": None}, "the time is missing"),
        ({"time_s": float("nan")}, "nan is not a time"),
        ({"time_s": "noon"}, "'noon' is not a time"),
        ({"match": 1}, "1 is not a text"),
        ({"body": {"type": "dance"}}, "'dance' is none of the kinds"),
        ({"body": {"type": "retract"}}, "it lacks 'of'"),
        ({"body": "retract"}, "'retract' is not an object"),
        ({"body": {"type": ["retract"]}}, "['retract'] is not a text"),
        ({"seq": 10**400}, "is not a whole number"),
        ({"seq": 10**5000}, "something of the kind int is not a whole number"),
        ({"time_s": 10**400}, "is not a time"),
        ({"match": "half a \ud83d"}, "is not a text"),
        ({"evidence": "pic-1"}, "'pic-1' is not a list"),
        ({"body": {**START, "players": "AB"}}, "'AB' is not a list"),
        ({"body": {**START, "options": []}}, "[] is not an object"),
        ({"body": {**PLAY, "cards": "P-R"}}, "'P-R' is not a list"),
        ({"body": {**PLAY, "data": {"n": float("inf")}}}, "not a number"),
        ({"body": {**PLAY, "data": {"n": deep(9)}}}, "nested too deeply"),
        ({"body": {**PLAY, "cards": []}}, "are readings of one card, not of 0"),
        ({"body": {**PLAY, "candidates": [["P-R"]]}}, "values to unpack"),
        ({"body": {**PLAY, "candidates": [["P-R", "1"]]}}, "probability"),
    ],
)
def test_damaged_entries_are_refused_in_words(change: dict[str, Any], message: str) -> None:
    good = Entry("m1", 7, 12.5, "phone", MOVE).to_json()
    with pytest.raises(EntryError) as caught:
        Entry.from_json({**good, **change})
    assert message in f"{caught.value} {caught.value.hint}"
    assert caught.value.hint


def test_endless_entry_is_refused_in_few_words() -> None:
    body: dict[str, Any] = {"type": "retract", "of": 1}
    for _ in range(100_000):
        body = {"type": "amend", "of": 1, "body": body}
    with pytest.raises(EntryError) as caught:
        Entry.from_json({**Entry("m1", 7, 12.5, "phone", MOVE).to_json(), "body": body})
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("data", [None, [], "entry", {}])
def test_what_is_no_entry_at_all_is_refused(data: object) -> None:
    with pytest.raises(EntryError):
        Entry.from_json(data)


def test_logs_of_the_first_schema_are_read_as_played_by_the_first_rules() -> None:
    """Entries of schema 1 lacked the version of the rules in a start, also in one that a correction put right."""
    start = Start("piranhas", ("A", "B"))
    for body in (start, Amend(1, start), Retract(1)):
        written = Entry("m", 2, 0.0, "operator", body).to_json()
        old = json.loads(json.dumps({**written, "schema": 1}).replace(', "version": 1', ""))
        assert "version" not in json.dumps(old)
        assert Entry.from_json(old) == Entry("m", 2, 0.0, "operator", body)
