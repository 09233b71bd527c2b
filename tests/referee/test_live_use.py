"""The whole referee as the live part uses it: changes in, entries on disk, views out. No camera, no server."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cards import Face, faces
from referee.entries import Call, Repaired, Start
from referee.interpret import Question, interpret
from referee.match import Match
from referee.moves import Change
from referee.store import SqliteStore
from referee.wording import load_wording

FIRST, RED, BLACK, WRONG = "R2+B4+Y1", "R3+G1+K2", "K3+O1+V2", "G1+V1+W1"
OTHERS = [f"O{n % 4 + 1}+V{n // 4 % 4 + 1}+Y{n // 16 + 1}" for n in range(47)]
DECK = faces([FIRST, RED, BLACK, WRONG, "P-R", "P-G", *OTHERS])


class Table:
    """Feeds changes to a match as the live part does."""

    def __init__(self, folder: Path) -> None:
        self.match = Match("evening", SqliteStore(folder / "matches.sqlite3"), wording=load_wording())
        start = Start("piranhas", ("Anna", "Ben", "Cleo"), deck=DECK, setup={"pile": [FIRST]})
        self.match.append(self.match.entry(start, 0.0, source="operator"))

    def see(self, change: Change) -> list[str]:
        """The rulings on what a change turned out to be."""
        rulings: list[str] = []
        for outcome in interpret(self.match.game, self.match.state, change=change):
            move = outcome.move if isinstance(outcome, Question) else outcome
            entry = self.match.entry(move, change.until_s, source="camera", evidence=change.evidence)
            rulings.append(self.match.append(entry).ruling)
        return rulings

    def played(self, card: str, time_s: float, who: str | None) -> list[str]:
        sure = 0.0 if who is None else 0.9
        return self.see(
            Change("appeared", "pile", time_s - 0.1, time_s, ((Face(card), 1.0),), who, sure, (f"at-{time_s}",))
        )


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_table_with_phones(table: Table) -> None:
    assert table.played(RED, 5.0, "Anna") == ["legal"]
    assert table.played(WRONG, 7.0, "Ben") == ["foul"]
    view = table.match.view()
    assert view["stop"] == {"seq": 3}
    assert view["verdicts"][0]["steps"]["en"] == [
        "Ben: take back your card and the top card of the pile; put them on your own discard pile."
    ]
    assert table.played(BLACK, 8.0, "Cleo") == ["void"]
    table.match.append(table.match.entry(Repaired(3), 15.0, source="phone"))
    assert table.played("P-G", 16.0, "Cleo") == ["legal"]
    call = Call("Anna", "wrong-card", pressed_s=17.0)
    assert table.match.append(table.match.entry(call, 17.2, source="phone")).ruling == "rejected"
    view = table.match.view()
    assert view["verdicts"][0]["text"] == {
        "en": "False alarm! No green fish lies there, so the green piranha may go on it.",
        "de": "Fehlalarm! Dort liegt kein Fisch in Grün, also darf der Piranha in Grün darauf.",
    }
    assert [(player["name"], player["count"], player["wrong"]) for player in view["players"]] == [
        ("Anna", 17, 0),
        ("Ben", 18, 1),
        ("Cleo", 16, 0),
    ]


def test_recording_that_plays_alone(table: Table) -> None:
    """Nobody presses anything: the repair is seen, and the next card means "go"."""
    table.played(RED, 5.0, "Anna")
    table.played(BLACK, 6.0, "Ben")
    assert table.played(WRONG, 7.0, "Cleo") == ["foul"]
    assert table.see(Change("vanished", "pile", 9.0, 9.1, ((Face(WRONG), 1.0),))) == ["legal"]
    assert table.see(Change("appeared", "pile", 9.0, 9.2, ((Face(BLACK), 0.9), (Face("P-R"), 0.1)))) == []
    assert table.see(Change("appeared", "pile", 9.4, 9.5, ((Face(FIRST), 1.0),))) == ["legal"]
    assert table.match.view()["phase"] == "stopped"
    assert table.played("P-G", 11.0, "Anna") == ["legal", "legal"]
    assert [entry.body.kind for entry in table.match.entries[-2:]] == ["start", "play"]  # type: ignore[union-attr]
    view = table.match.view()
    assert (view["phase"], view["stop"], view["target"]) == (
        "playing",
        None,
        {"face": "P-G", "player": "Anna", "pile": 2},
    )
    assert [player["count"] for player in view["players"]] == [15, 16, 19]


def test_unclear_hand_is_settled_by_a_tap(table: Table) -> None:
    assert table.played(RED, 5.0, None) == ["legal"]
    (ask,) = table.match.view()["asks"]
    assert (ask["kind"], ask["text"]["de"]) == ("whose", "Wessen Karte war das?")
    table.match.append(table.match.entry(Call("Ben", "mine"), 6.0, source="phone"))
    view = table.match.view()
    assert (view["asks"], view["players"][1]["count"]) == ([], 16)
    assert view["verdicts"][0]["text"]["en"] == "Thank you, that card is now noted for Ben."


def test_uncertain_card_is_settled_by_a_tap(table: Table) -> None:
    change = Change("appeared", "pile", 4.9, 5.0, ((Face(WRONG), 0.6), (Face(RED), 0.4)), "Ben", 0.9, ("pic",))
    assert table.see(change) == ["pending"]
    (ask,) = table.match.view()["asks"]
    assert ask["choices"] == [WRONG, RED]
    table.match.append(table.match.entry(table.match.answered(ask["id"], RED), 8.0, source="phone"))
    assert table.match.view()["target"] == {"face": RED, "player": "Ben", "pile": 2}
