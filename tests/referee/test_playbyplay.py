"""The play-by-play: a line for every entry, told as it counts today, with corrections at their place."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from match_scenes import play

from referee.cards import Face, faces
from referee.entries import Amend, Body, Call, Declare, Repaired, Retract, Source, Start, as_move
from referee.folding import played
from referee.games import GAMES
from referee.match import Match
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.playbyplay import play_by_play
from referee.playout import deal, random_moves
from referee.store import MemoryStore
from referee.wording import LANGUAGES, load_wording
from vision.decks import load_deck

FIRST, RED, BLACK, WRONG, BOTH = "R2+B4+Y1", "R3+G1+K2", "K3+O1+V2", "G1+V1+W1", "R4+K4+W1"


def new_match() -> Match:
    return Match("m1", MemoryStore(), wording=load_wording())


def put(match: Match, body: Body, time_s: float, source: Source = "camera") -> None:
    match.append(match.entry(body, time_s, source=source))


def told(match: Match, language: str = "en") -> list[str]:
    return list(play_by_play(played(match.entries), load_wording(), language))


def an_evening() -> Match:
    match = new_match()
    setup: dict[str, Json] = {"pile": [FIRST], "counts": {"A": 2, "B": 4}}
    put(match, Start("piranhas", ("A", "B"), {"series": 2, "hints": True}, setup=setup), 0.0, "operator")
    put(match, play("A", RED), 3.26)
    put(match, play("B", WRONG), 59.96)
    put(match, Repaired(3), 65.0, "phone")
    put(match, play(UNCLEAR, BLACK), 70.0)
    put(match, Retract(5), 71.0, "phone")
    put(match, play("A", BOTH), 80.0)
    put(match, match.amended(3, cards=[BLACK]), 90.0, "phone")
    return match


def test_evening_in_both_languages() -> None:
    match = an_evening()
    assert told(match) == [
        "  0:00.0  1  Piranhas begins with A, B (rules version 1). House rules: series=2, hints=true.",
        f"  0:03.3  2  A plays {RED}. It fits! Red 3 eats red 2.",
        f"  1:00.0  3  B plays {BLACK}. It fits! Black 3 eats black 2. (corrected by 8)",
        "  1:05.0  4  The table is put right.",
        f"  1:10.0  5  Somebody plays {BLACK}. (taken back by 6)",
        f"  1:11.0  6  5 is taken back. Corrected, judged anew: Somebody plays {BLACK}: wrong → taken back.",
        f"  1:20.0  7  A plays {BOTH}. It fits! Black 4 eats black 3. A has no cards left and wins! Score: A 0, B 3.",
        f"  1:30.0  8  Correction of 3: B plays {BLACK}. Corrected, judged anew: B plays {BLACK}: wrong → all right; "
        f"A plays {BOTH}: all right. Score: B 5 → 3.",
    ]
    assert told(match, "de")[2:6] == [
        f"  1:00.0  3  B spielt {BLACK}. Passt! Schwarz 3 frisst Schwarz 2. (korrigiert durch 8)",
        "  1:05.0  4  Der Tisch ist in Ordnung gebracht.",
        f"  1:10.0  5  Jemand spielt {BLACK}. (zurückgenommen durch 6)",
        f"  1:11.0  6  5 wird zurückgenommen. Korrigiert, neu beurteilt: Jemand spielt {BLACK}: "
        "falsch → zurückgenommen.",
    ]


def test_foul_names_its_rule_and_what_to_do() -> None:
    match = new_match()
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST]}), 0.0)
    put(match, play("A", WRONG), 3.0)
    assert told(match)[1] == (
        f"  0:03.0  2  A plays {WRONG}. Wrong card! No fish on your card has the colour of a fish that lies there. "
        "[P-F2] A: take back your card and put it on your own discard pile."
    )


def test_corrections_of_corrections_stand_at_their_place() -> None:
    match = an_evening()
    put(match, Amend(8, Amend(3, play("B", RED))), 95.0, "phone")
    put(match, Retract(9), 96.0, "phone")
    put(match, Retract(6), 97.0, "phone")
    put(match, Amend(1, Start("piranhas", ("A", "B"), setup={"pile": [FIRST]})), 98.0, "operator")
    lines = told(match)
    assert lines[0] == "  0:00.0   1  Piranhas begins with A, B (rules version 1). (corrected by 12)"
    assert lines[4].startswith(f"  1:10.0   5  Somebody plays {BLACK}. ")
    assert lines[5].endswith("(taken back by 11)")
    assert lines[8].startswith(f"  1:35.0   9  Correction of 8: Correction of 3: B plays {RED}. ")
    assert lines[8].endswith("(taken back by 10)")
    assert lines[9].startswith("  1:36.0  10  9 is taken back. ")
    assert "Piranhas begins with A, B" in lines[11]


def test_rounds_of_one_match_are_told_in_the_words_of_their_games() -> None:
    match = new_match()
    put(match, Start("piranhas", ("A", "B"), setup={"pile": [FIRST]}), 0.0)
    put(match, Start("shithead", ("A", "B"), setup={"pile": ["6S"], "turn": "A"}), -12.04)
    put(match, Move("A", "play", faces(["9H"])), 601.0)
    lines = told(match)
    assert lines[1] == " -0:12.0  2  Shithead begins with A, B (rules version 1)."
    assert lines[2].startswith(" 10:01.0  3  A plays 9H. ")


def every_kind(players: tuple[str, ...], cards: tuple[Face, ...]) -> Iterator[Move | Declare | Call | Repaired]:
    """Bodies of all kinds of moves, whether or not a game knows them."""
    one, two, three = cards[:3]
    for player in (players[0], TABLE, UNCLEAR):
        yield from (Move(player, kind, (one,)) for kind in ("play", "lay", "give", "discard", "reveal"))
        yield Move(player, "play", (one,), data={"with": [two, three], "from": "open"})
        yield from (Move(player, "take", target=target) for target in ("own", "pile"))
        yield from (Move(player, "draw", data={"n": 2}), Move(player, "turnover"), Move(player, "start"))
        yield Move(player, "swap", data={"swap": {"hand": one, "open": two}})
        yield Move(TABLE, "flip", data={"cards": {players[0]: one, players[1]: two}})
        yield from (Call(player, kind) for kind in ("wrong-card", "stuck", "mine", "no-match", "no-fish"))
        yield from (Declare(player, kind, "red") for kind in ("name", "shout", "say"))
        yield from (Declare(player, kind, players[1]) for kind in ("war", "ask"))
        yield from (Declare(player, "answer", "no"), Declare(player, "count", 3))
    yield Repaired(2)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_move_has_words(name: str, language: str) -> None:
    cards = faces(load_deck(GAMES[name].deck).all_cards)
    wording = load_wording().of(name)
    other = wording.texts[language]["did.other"]
    for body in every_kind(("Ada", "Ben"), cards):
        move = Move(TABLE, "repaired") if isinstance(body, Repaired) else as_move(body)
        text = wording.did(move, language)
        assert "{" not in text
        assert "  " not in text
        assert text != other.format(player=move.player, kind=move.kind, target=move.target, cards="")
        assert all(card in text for card in move.cards)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_told_a_line_an_entry(name: str, language: str) -> None:
    game, dice = GAMES[name], random.Random(7)
    pack = faces(load_deck(game.deck).all_cards)
    start = deal(game, ("Ada", "Ben", "Jürgen"), pack=pack, dice=dice)
    match = new_match()
    put(match, start, 0.0)
    for number, (move, _) in enumerate(random_moves(game, game.start(start), start.players, dice=dice)):
        put(match, move, number * 2.0)
        if number > 250:
            break
    lines = told(match, language)
    assert len(lines) == len(match.entries)
    assert all("\n" not in line and "{" not in line for line in lines)
    ends = [verdict for verdict in match.verdicts() if verdict.result is not None]
    scored = [line for line in lines if load_wording().texts[language]["correction.scored"].split("{")[0] in line]
    assert len(scored) == len(ends)


def test_empty_log_has_no_lines() -> None:
    assert told(new_match()) == []
