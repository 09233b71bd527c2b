"""Shithead as a game: dealing, series, what phones show, what could be done, whole random games."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from referee.cards import Face, faces, is_known
from referee.entries import Start
from referee.errors import SetupError
from referee.games import find_game
from referee.games.shithead.ranks import match, rank_of
from referee.moves import TABLE, Move
from referee.playout import deal, random_moves, standing
from referee.wording import load_wording

GAME: Any = find_game("shithead")
PLAYERS = ("A", "B", "C")
PACK = faces([*(f"{rank}{suit}" for rank in (*range(2, 11), *"JQKA") for suit in "CDHS"), "JK", "JK"])
LAST: Mapping[str, Any] = {
    "top": "5S",
    "turn": "A",
    "hand_size": {"A": 1, "C": 4},
    "open": {"A": []},
    "hidden": {"A": 0},
    "draw": 0,
    "out": ["B"],
}


def begin(given: Mapping[str, Any], *, players: tuple[str, ...] = PLAYERS, previous: Any = None, **options: Any) -> Any:
    return GAME.start(Start("shithead", players, options, setup=given), previous)


def dealt(seed: int, *, players: tuple[str, ...] = PLAYERS, **options: Any) -> tuple[Start, Any]:
    start = deal(GAME, players, pack=PACK, dice=random.Random(seed), options=options)
    return start, GAME.start(start)


def finished(given: Mapping[str, Any] = LAST, *, previous: Any = None, **options: Any) -> Any:
    return GAME.apply(begin(given, previous=previous, **options), Move("A", "play", (Face("JH"),)))


def listed(state: Any, player: str) -> list[str]:
    """The moves that stand, in short: the cards of plays, else what it is."""
    short = []
    for move in GAME.legal(state, player):
        along = "+" + "".join(move.data["with"]) if "with" in move.data else ""
        named = f"={move.data['as']}" if "as" in move.data else ""
        short.append("".join(move.cards or (move.target or move.kind,)) + along + named)
    return short


# --- dealing ---
@pytest.mark.parametrize(("players", "draw"), [(2, 36), (3, 27), (4, 18), (5, 9), (6, 54), (7, 45), (10, 18)])
def test_everybody_is_dealt_nine_cards(players: int, draw: int) -> None:
    names = tuple("ABCDEFGHIJ"[:players])
    start, state = dealt(players, players=names)
    assert Counter(GAME.inventory(state)) == Counter(start.deck)
    seen = GAME.observe(state)
    assert seen["draw"] == draw
    assert set(seen["hand_size"].values()) == set(seen["hidden"].values()) == {3}
    assert GAME.view(state)["phase"] == "playing"


def test_too_few_cards_cannot_be_dealt() -> None:
    with pytest.raises(SetupError):
        GAME.deal(PLAYERS, {}, deck=PACK[:26])


def test_the_packs_follow_the_number_of_players_or_the_house_rule() -> None:
    assert [GAME.packs(count, {}) for count in (2, 5, 6, 10)] == [1, 1, 2, 2]
    assert GAME.packs(2, {"packs": 3}) == 3


# --- series ---
def test_points_are_carried_on_and_the_fewest_win_the_series() -> None:
    first = finished(series=2)
    assert GAME.result(first).over == "game"
    assert GAME.result(first).winners == ("B",)
    second = begin({**LAST, "out": ["C"], "hand_size": {"A": 1, "B": 2}}, previous=first, series=2)
    assert GAME.observe(second)["points"] == {"A": 2, "B": 1, "C": 3}
    result = GAME.result(GAME.apply(second, Move("A", "play", (Face("JH"),))))
    assert (result.over, dict(result.points)) == ("series", {"A": 4, "B": 4, "C": 4})
    assert result.winners == ("C",), "with equal totals whoever was finished first in the last game"
    assert "wins the series" in load_wording().of("shithead").result(result)["text"]["en"]


def test_another_series_or_other_players_begin_at_nothing() -> None:
    over = finished(series=2, previous=None)
    last = finished(previous=finished(series=2), series=2)
    assert GAME.result(last).over == "series"
    assert GAME.observe(begin({}, previous=last, series=2))["points"] == {"A": 0, "B": 0, "C": 0}
    assert GAME.observe(begin({}, players=("A", "B"), previous=over))["points"] == {"A": 0, "B": 0}
    assert GAME.observe(begin({}, previous=begin(LAST)))["games"] == 0


def test_without_points_the_last_game_decides() -> None:
    result = GAME.result(finished(points=False))
    assert (result.points, result.winners) == ((), ("B",))
    second = finished(previous=finished(points=False, series=2), points=False, series=2)
    assert (GAME.result(second).over, GAME.result(second).winners) == ("series", ("B",))


# --- what phones show ---
def test_phones_show_the_table_and_no_hidden_card() -> None:
    given = {
        "pile": ["7S"],
        "turn": "B",
        "hands": {"A": ["4H", "5H", "KH"], "B": ["QH"]},
        "open": {"A": ["9D"], "B": ["??"]},
        "hidden": {"A": ["AS"], "B": 2},
        "draw": ["JS", "JD"],
    }
    view = GAME.view(begin(given))
    assert view["turn"] == "B"
    assert (view["seven"], view["rank"], view["run"]) == (True, 7, 1)
    assert view["players"][0] == {
        "name": "A", "count": 3, "wrong": 0, "played": 0, "open": ["9D"], "hidden": 1, "place": None,
    }  # fmt: skip
    text = json.dumps(view)
    assert [card for card in ("4H", "5H", "KH", "QH", "AS", "JS", "JD") if card in text] == []
    assert json.loads(text) == view


def test_hints_show_what_everybody_has_seen() -> None:
    given = {"hand_size": {"A": 2}, "known": {"A": ["QS"]}}
    assert [one["known"] for one in GAME.view(begin(given, hints=True))["players"]] == [["QS"], [], []]
    assert "known" not in GAME.view(begin(given))["players"][0]
    open_hand = {"hands": {"A": ["QS", "4D"]}, "known": True}
    assert GAME.knowledge(begin(open_hand))["A"] == (2, ("QS", "4D"))


def test_phones_show_who_is_finished_skipped_and_plays_again() -> None:
    view = GAME.view(GAME.apply(begin({**LAST, "hand_size": {"A": 2, "C": 4}}), Move("A", "play", (Face("8H"),))))
    assert (view["turn"], view["skipped"], view["out"]) == ("A", ["C"], ["B"])
    assert [one["place"] for one in view["players"]] == [None, 1, None]
    view = GAME.view(GAME.apply(begin({**LAST, "hand_size": {"A": 2, "C": 4}}), Move("A", "play", (Face("10H"),))))
    assert (view["again"], view["burnt"], view["target"]) == (True, 2, {"face": None, "player": None, "pile": 0})
    over = GAME.view(finished())
    assert (over["phase"], over["turn"], over["out"]) == ("over", None, ["B", "A", "C"])


def test_faces_of_which_every_copy_is_gone() -> None:
    assert GAME.exhausted(begin({"pile": ["9S"]})) == frozenset()
    deck = (*PACK, *PACK)
    start = Start("shithead", PLAYERS, deck=deck, setup={"pile": ["9S", "9S", "10C", "JK", "JK", "JK", "??"]})
    assert GAME.exhausted(GAME.start(start)) == {"9S"}
    assert GAME.copies(GAME.start(start))["JK"] == 4
    one_pack = GAME.start(Start("shithead", PLAYERS, deck=PACK, setup={"pile": ["9S"]}))
    assert GAME.exhausted(GAME.apply(one_pack, Move("A", "play", (Face("10H"),)))) == {"9S", "10H"}


# --- what could be done ---
def table(hand: list[str], **given: Any) -> Any:
    usual = {"pile": ["9S"], "open": {"A": ["4H", "KD"]}, "hidden": {"A": ["5D", "AS"]}, "draw": 0}
    options = given.pop("options", {})
    return begin({**usual, "hands": {"A": hand}, "hand_size": {"B": 3, "C": 3}, **given}, **options)


def test_every_set_of_one_rank_that_goes_is_listed() -> None:
    assert listed(table(["QS", "QH", "4D", "9C"]), "A") == ["9C", "QH", "QS", "QHQS"]
    assert listed(table(["2S", "4D"], pile=["7S"]), "A") == ["2S", "4D"]
    assert listed(table(["4D", "5D"]), "A") == ["pile"]
    assert listed(table(["4D", "KD"], options={"voluntary_pickup": True}), "A") == ["KD", "pile"]
    assert listed(table(["4D", "KD"]), "B") == listed(table(["4D", "KD"]), TABLE) == []


def test_jokers_are_listed_alone_named_and_in_sets() -> None:
    ranks = [f"JK={rank}" for rank in (2, 3, "Q", "K", "A")]
    assert listed(table(["JK", "KS"], pile=["QS"], open={"A": []}), "A") == ["KS", "KSJK", "JK", *ranks]
    plain = table(["JK", "4D"], pile=["QS"], options={"joker": "no_specials"})
    assert listed(plain, "A") == ["JK", "JK=Q", "JK=K", "JK=A"]
    assert len(listed(table(["JK", "4D"], pile=["QS"], options={"joker": "free"}), "A")) == 14
    pending = GAME.apply(table(["JK", "4D"], pile=["QS"]), Move("A", "play", (Face("JK"),)))
    assert listed(pending, "A") == ["2", "3", "Q", "K", "A"]
    assert listed(pending, "B") == []


def test_open_cards_that_may_join_are_listed() -> None:
    opens = {"A": ["QD", "QC", "JK", "4H"]}
    whole = listed(table(["QS"], open=opens), "A")
    assert whole == ["QS", "QS+JK", "QS+QC", "QS+QD", "QS+JKQC", "QS+JKQD", "QS+QCQD", "QS+JKQCQD"]
    assert [move for move in listed(table(["QS", "4D"], open=opens), "A") if "+" in move] == []
    same = listed(table(["QS", "QH", "4D"], open={"A": ["QD"]}, options={"hand_plus_open": "same_rank"}), "A")
    assert [move for move in same if "+" in move] == ["QHQS+QD"]
    assert listed(table(["QS"], open={"A": ["QD"]}, options={"hand_plus_open": "never"}), "A") == ["QS"]
    assert listed(table(["3S"], open={"A": ["9D", "3H"]}), "A") == ["3S", "3S+9D"]
    jokers = listed(table(["JK"], open={"A": ["JK"]}, options={"joker": "no_specials"}), "A")
    assert jokers == ["JK", "JK=9", "JK=J", "JK=Q", "JK=K", "JK=A", "JK+JK"] + [f"JK+JK={rank}" for rank in "9JQKA"]
    mixed = table(["JK", "2S", "JK"], open={"A": ["JK", "2H"]}, options={"hand_plus_open": "same_rank"})
    assert "JK+JK=2" not in listed(mixed, "A")
    assert "2SJK+2H" in listed(mixed, "A")


def test_with_an_empty_hand_open_cards_are_listed_then_face_down_ones() -> None:
    assert listed(table([]), "A") == ["KD"]
    assert listed(table([], pile=["AC"]), "A") == ["pile", "pile+4H", "pile+KD"]
    assert listed(table([], pile=["AC"], options={"take_open_on_pickup": "never"}), "A") == ["pile"]
    must = table([], pile=["AC"], options={"take_open_on_pickup": "must"})
    assert listed(must, "A") == ["pile+4H", "pile+KD"]
    assert listed(GAME.apply(must, Move("A", "take", target="pile")), "A") == ["pile+4H", "pile+KD"]
    assert listed(table([], open={"A": []}), "A") == ["AS"]
    assert listed(table([], open={"A": []}, hidden={"A": ["5D", "6D"]}), "A") == ["5D", "6D"], "one must be turned over"
    assert "JK=9" in listed(table([], open={"A": []}, hidden={"A": ["5D", "JK"]}), "A")
    assert listed(table([], open={"A": []}, hidden={"A": 2}), "A") == []


def test_a_hand_that_nobody_knows_lists_nothing_of_it() -> None:
    state = begin({"pile": ["9S"], "hand_size": {"A": 3}})
    assert GAME.legal(state, "A") == GAME.legal(state, "Zoe") == ()
    assert [move.cards for move in GAME.legal(state, "A", held=faces(["QS", "4D"]))] == [("QS",)]
    assert listed(begin({"pile": ["9S"], "hand_size": {"A": 3}}, voluntary_pickup=True), "A") == ["pile"]
    assert listed(begin({"pile": [], "hand_size": {"A": 3}}, voluntary_pickup=True), "A") == []


def test_what_may_not_be_the_last_play_is_not_listed() -> None:
    last = {"open": {"A": []}, "hidden": {"A": 0}, "options": {"no_special_finish": True}}
    assert listed(table(["10S", "10H"], **last), "A") == ["10H", "10S"]
    assert listed(table(["10S"], **last), "A") == ["pile"]
    assert listed(table(["JS"], **last), "A") == ["JS"]


def test_exchanges_are_listed_as_long_as_they_are_possible() -> None:
    state = table(["4D", "QD", "QD"], phase="swap", pile=[])
    assert GAME.legal(state, "Zoe") == ()
    swaps = [move.data["swap"] for move in GAME.legal(state, "A") if move.kind == "swap"]
    assert swaps == [{"hand": hand, "open": lying} for hand in ("4D", "QD") for lying in ("4H", "KD")]
    after = GAME.apply(state, Move("A", "play", (Face("4D"),)))
    assert [move for move in GAME.legal(after, "A") if move.kind == "swap"] == []


def test_plays_out_of_turn_that_house_rules_allow_are_listed() -> None:
    nines = {"pile": ["9S", "9D"], "turn": "B", "options": {"burn_in": True}}
    assert set(listed(table(["9H", "9C", "KS", "JK"], **nines), "A")) == {"9C9H", "9CJK", "9HJK", "9C9HJK"}
    state = GAME.apply(table(["9H", "QS", "QD"], options={"follow_up": True}), Move("A", "play", (Face("QS"),)))
    assert listed(state, "A") == ["QD"]
    unread = GAME.apply(table(["9H", "QS", "QD"]), Move("A", "play", (Face("??"),)))
    assert "A" in unread.maybe


def test_a_position_before_the_start_lists_the_start() -> None:
    hands: Any = {name: ["4D", "5D", "6D"] for name in "AB"}
    given = {"phase": "setup", "hands": hands, "open": hands, "hidden": {"A": 3, "B": 3}, "draw": 36}
    state = begin(given, players=("A", "B"))
    assert GAME.legal(state, TABLE) == (Move(TABLE, "start"),)
    assert "4D" in listed(state, "A")
    assert listed(begin({**given, "draw": 35}, players=("A", "B")), TABLE) == []


# --- whole games ---
@pytest.mark.parametrize("seed", range(25))
def test_random_games_end_with_every_card_in_its_place(seed: int) -> None:
    options: list[dict[str, Any]] = [
        {}, {"ten": "wild"}, {"three": "mirror"}, {"misplay": "take_pile"}, {"burn_in": True, "follow_up": True},
        {"no_special_finish": True}, {"take_open_on_pickup": "must"}, {"inherit_effects": "rank_only"},
    ]  # fmt: skip
    start, state = dealt(seed, players=PLAYERS[: 2 + seed % 2], **options[seed % len(options)])
    dice = random.Random(seed)
    for _, after in random_moves(GAME, state, start.players, dice=dice):
        state = after
    assert Counter(GAME.inventory(state)) == Counter(start.deck)
    result = GAME.result(state)
    assert result is not None
    assert sorted(state.out) == sorted(start.players)
    assert standing(GAME, state, start.players) == ()
    left = {seat.name: len(seat.hand) + len(seat.open) + len(seat.hidden) for seat in state.seats}
    assert result.reason == "turn-cap" or [name for name, cards in left.items() if cards] == [state.out[-1]]


def test_faces_match_where_the_suit_is_left_open() -> None:
    hand = faces(["9S", "K?", "??", "JK"])
    wanted = {"9S": "9S", "9?": "9S", "KH": "K?", "4D": None, "JK": "JK", "J?": None, "??": "??"}
    assert {card: match(hand, Face(card)) for card in wanted} == wanted
    assert [rank_of(card) for card in faces(["10?", "AS", "2C"])] == [10, 14, 2]
    assert all(map(is_known, hand[:2]))
