"""The log and the fold over it: what a whole evening looks like, and what corrections change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from match_scenes import play, rulings, told

from referee.cards import UNKNOWN, Face, faces
from referee.entries import Amend, Body, Call, Declare, Entry, Repaired, Retract, Source, Start
from referee.errors import ConflictError, LogError, MoveError, OptionError, RefereeError, StoreError, UnknownGameError
from referee.folding import fold
from referee.match import Match
from referee.moves import TABLE, UNCLEAR, Move
from referee.store import MemoryStore, SqliteStore
from referee.verdicts import Verdict
from referee.wording import load_wording

FIRST = "R2+B4+Y1"
# On R2+B4+Y1 fits RED, on that BLACK; WRONG fits neither.
RED, BLACK, WRONG = "R3+G1+K2", "K3+O1+V2", "G1+V1+W1"
OTHERS = ("Y2+K1+O1", "R2+K1+V1", "B2+G1+W1")
DECK = faces([FIRST, RED, BLACK, WRONG, *OTHERS, *["O1+O2"] * 46])
START = Start("piranhas", ("A", "B", "C"), deck=DECK, setup={"pile": [FIRST]})


def new_match(store: MemoryStore | SqliteStore | None = None) -> Match:
    match = Match("m1", store or MemoryStore(), wording=load_wording())
    put(match, START)
    return match


def put(match: Match, body: Body, time_s: float = 0.0, source: Source = "camera") -> Verdict:
    return match.append(match.entry(body, time_s, source=source, evidence=(f"pic-{match.next_seq}",)))


def test_an_evening(tmp_path: Path) -> None:
    """Plays, a foul that stops play, a card during the stop, "go", a call, and the match taken up again from disk."""
    with SqliteStore(tmp_path / "matches.sqlite3") as store:
        match = new_match(store)
        assert match.view()["players"][0] == {"name": "A", "count": 17, "wrong": 0, "played": 0}
        assert put(match, play("A", RED), 10.0).ruling == "legal"
        foul = put(match, play("B", WRONG), 12.0)
        assert (foul.ruling, foul.rules, foul.seq) == ("foul", ("P-F2",), 3)
        view = match.view()
        assert (view["phase"], view["stop"], view["seq"]) == ("stopped", {"seq": 3}, 3)
        assert view["target"] == {"face": FIRST, "player": None, "pile": 1}
        assert put(match, play("C", BLACK), 13.0).ruling == "void"
        put(match, Move(TABLE, "start"), 20.0, source="operator")
        assert put(match, play("A", "Y2+K1+O1"), 22.0).ruling == "legal"
        assert put(match, Call("C", "wrong-card"), 23.0, source="phone").ruling == "rejected"
        assert put(match, Repaired(7), 25.0, source="phone").ruling == "legal"
        view = match.view()
    assert (view["phase"], view["stop"], view["over"], view["seq"]) == ("playing", None, None, 8)
    assert [player["count"] for player in view["players"]] == [15, 18, 18]
    assert [verdict["seq"] for verdict in view["verdicts"]] == [8, 7, 6, 5, 4, 3, 2]
    with SqliteStore(tmp_path / "matches.sqlite3") as again:
        assert Match("m1", again, wording=load_wording()).view() == view


def test_phones_know_the_house_rules_in_force() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    put(match, replace(START, options={"calls": "players"}))
    assert match.view()["options"] == {"calls": "players"}
    match.append(match.entry(Amend(1, replace(START, options={"calls": "report"})), 0.0, source="operator"))
    assert match.view()["options"] == {"calls": "report"}


def test_verdict_on_the_phone_tells_rule_remedy_and_evidence() -> None:
    match = new_match()
    put(match, play("A", RED), 10.0)
    put(match, play("B", "R2+K1+V1"), 12.5)
    (verdict, _) = match.view()["verdicts"]
    assert verdict == {
        "seq": 3,
        "time_s": 12.5,
        "player": "B",
        "kind": "play",
        "cards": ["R2+K1+V1"],
        "beneath": RED,
        "ruling": "foul",
        "rules": ["P-F2"],
        "reminders": [],
        "remedy": [
            {"player": "B", "action": "take", "cards": ["R2+K1+V1", RED], "count": 2, "to": "discard"},
        ],
        "asks": {},
        "evidence": ["pic-3"],
        "text": {
            "en": "Wrong card! Your biggest fish that matches is red 2, but red 3 lies there: it must be bigger.",
            "de": "Falsche Karte! Dein größter passender Fisch ist Rot 2, aber dort liegt Rot 3: Er muss größer sein.",
        },
        "steps": {
            "en": ["B: take back your card and the top card of the pile; put them on your own discard pile."],
            "de": ["B: Nimm deine Karte und die oberste Karte des Zielstapels; "
                   "leg sie auf deinen eigenen Ablagestapel."],
        },
    }  # fmt: skip


def test_camera_sees_the_repair_but_only_a_person_says_go() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    put(match, Repaired(2), source="camera")
    assert match.view()["phase"] == "stopped"
    put(match, Repaired(2), source="phone")
    assert match.view()["phase"] == "playing"


def test_retract_restores_and_tells_what_changed() -> None:
    match = new_match()
    put(match, play("A", RED))
    told_before = told(match)
    put(match, play("B", WRONG))
    put(match, play("C", BLACK))
    correction = put(match, Retract(3), source="operator")
    assert correction.changed == (3, 4)
    assert rulings(match) == {2: "legal", 4: "legal"}
    undone = put(match, Retract(4), source="operator")
    assert undone.changed == (4,)
    assert told(match) == told_before


def test_retracted_retraction_counts_for_nothing() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    stopped = told(match)
    put(match, Retract(2))
    assert match.view()["phase"] == "playing"
    put(match, Retract(3))
    assert told(match) == stopped


def test_amend_judges_everything_after_it_anew() -> None:
    """The camera misread a fitting card: the stop never was, and the card "during the stop" counts."""
    match = new_match()
    put(match, play("A", WRONG))
    put(match, play("B", BLACK))
    assert rulings(match) == {2: "foul", 3: "void"}
    correction = put(match, match.amended(2, cards=[RED]), source="phone")
    assert correction.changed == (2, 3)
    assert rulings(match) == {2: "legal", 3: "legal"}
    assert match.state.seats[1].owned == 16


def test_amended_player_moves_the_penalty() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    put(match, match.amended(2, player="C"), source="phone")
    assert [(seat.name, seat.wrong) for seat in match.state.seats] == [("A", 0), ("B", 0), ("C", 1)]


def test_nobody_is_stopped_in_the_past() -> None:
    """A card that proves wrong only after others lie on it stands (P-A6, P-A25); the plays on it stay legal."""
    match = new_match()
    put(match, Move("A", "play", (UNKNOWN,)))
    put(match, play("B", RED))
    put(match, play("C", BLACK))
    put(match, match.amended(2, cards=["B2+G1+W1"]), source="phone")
    late, covering, last = match.verdicts()
    assert (late.ruling, [one.rule for one in late.grounds]) == ("legal", ["P-A25"])
    assert "new target" in load_wording().of("piranhas").sentence(late, "en")
    assert (covering.ruling, last.ruling) == ("legal", "legal")
    assert match.view()["phase"] == "playing"


def test_answer_in_time_stops_play() -> None:
    match = new_match()
    put(match, Move("A", "play", (UNKNOWN,), candidates=((Face(WRONG), 0.5), (Face(RED), 0.5))))
    (ask,) = match.view()["asks"]
    assert (ask["id"], ask["kind"], ask["choices"]) == ("which-card-2", "which-card", [WRONG, RED])
    put(match, match.answered(ask["id"], WRONG), source="phone")
    assert rulings(match) == {2: "foul"}
    assert match.view()["asks"] == []


def test_questions_are_answered_by_their_id() -> None:
    match = new_match()
    put(match, play(UNCLEAR, RED))
    (ask,) = match.view()["asks"]
    assert (ask["kind"], ask["player"], ask["choices"]) == ("whose", None, ["A", "B", "C"])
    for wrong_id, choice in (("whose-9", "A"), (ask["id"], "Z")):
        with pytest.raises(LogError):
            match.answered(wrong_id, choice)
    put(match, match.answered(ask["id"], "B"), source="phone")
    assert match.view()["target"] == {"face": RED, "player": "B", "pile": 2}


def test_unread_first_target_is_named_by_correcting_the_start() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    put(match, Start("piranhas", ("A", "B")))
    put(match, play("A", RED))
    (ask,) = match.view()["asks"]
    put(match, match.answered(ask["id"], FIRST), source="phone")
    assert rulings(match) == {2: "legal"}


def test_only_readable_entries_are_written() -> None:
    store = MemoryStore()
    match = new_match(store)
    put(match, play("A", RED))
    unreadable: list[tuple[Body, type[RefereeError]]] = [
        (Move("A", "sing"), MoveError),
        (Amend(2, Move("A", "sing")), MoveError),
        (Amend(1, Start("piranhas", ("A", "B", "C"), {"calls": "x"})), OptionError),
        (Start("tiddlywinks", ("A", "B")), UnknownGameError),
        (Amend(9, play("A", RED)), LogError),
        (Amend(2, START), LogError),
        (Retract(1), LogError),
        (Retract(3), LogError),
    ]
    before = match.view()
    for body, error in unreadable:
        with pytest.raises(error):
            put(match, body)
    assert match.view() == before
    assert [entry.seq for entry in store.entries("m1")] == [1, 2]


def test_entry_must_continue_the_log() -> None:
    store = MemoryStore()
    match, other = new_match(store), Match("m1", store, wording=load_wording())
    put(match, play("A", RED))
    for seq, error in ((1, ConflictError), (2, ConflictError), (4, LogError)):
        with pytest.raises(error, match="The next entry of match 'm1' is 3"):
            match.append(Entry("m1", seq, 0.0, "phone", play("B", BLACK)))
    with pytest.raises(ConflictError, match="has been written already"):
        put(other, play("C", BLACK))
    assert other.state.pile == new_match().state.pile
    with pytest.raises(LogError, match="belongs to match 'm2'"):
        match.append(Entry("m2", 3, 0.0, "phone", play("B", BLACK)))


def test_what_cannot_be_written_is_not_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "matches.sqlite3")
    match = new_match(store)
    before = match.view()
    store.close()
    with pytest.raises(StoreError):
        put(match, play("A", RED))
    assert match.view() == before


def test_match_begins_with_a_start() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    with pytest.raises(LogError, match="comes before any game has started"):
        put(match, play("A", RED))
    with pytest.raises(LogError, match="no game has started"):
        match.view()


def test_next_game_of_the_series_in_the_same_match() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST], "counts": {"A": 1, "B": 4}}))
    put(match, play("A", RED))
    over = match.view()["over"]
    assert (over["reason"], over["winners"], over["points"]) == ("last-card", ["A"], {"A": 0, "B": 4})
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST], "counts": {"A": 2, "B": 1}}))
    assert match.view()["over"] is None
    put(match, play("B", RED))
    assert match.view()["over"]["points"] == {"A": 2, "B": 4}


def test_count_told_by_a_person_corrects_the_tally() -> None:
    match = new_match()
    put(match, Declare("B", "count", 9), source="operator")
    assert match.view()["players"][1]["count"] == 9


def test_call_may_carry_its_own_moment() -> None:
    """The phone's press is timed better than its arrival: 0.1 s after B's card it still means A's."""
    match = new_match()
    put(match, play("A", RED), 10.0)
    put(match, play("B", BLACK), 12.0)
    put(match, Call("C", "wrong-card", pressed_s=12.1), 12.9, source="phone")
    assert [card.face for card in match.state.pile] == [FIRST]
    assert [step.how for step in match.verdicts()[-1].remedy] == ["void", "top1"]


def test_view_is_json_and_shows_the_last_twelve() -> None:
    match = Match("m1", MemoryStore(), wording=load_wording())
    put(match, Start("piranhas", ("A", "B", "C"), setup={"pile": [FIRST]}))
    for _ in range(8):
        put(match, Move("A", "reveal", (Face("P-G"),)))
        put(match, play("A", "P-G"))
        put(match, Move("B", "discard", (Face("P-R"),)))
        put(match, play("B", "P-K"))
    view = match.view()
    assert json.loads(json.dumps(view)) == view
    assert len(view["verdicts"]) == 12
    assert view["verdicts"][0]["seq"] == view["seq"]
    assert {verdict["kind"] for verdict in view["verdicts"]} == {"play"}


def test_fold_is_what_the_match_says() -> None:
    match = new_match()
    put(match, play("A", WRONG))
    put(match, play("B", BLACK))
    put(match, match.amended(2, cards=[RED]))
    assert fold(match.entries).verdicts == match.verdicts()
    assert fold(match.entries).state == match.state
