"""Arbitrary entries thrown at every game: refused in words and without a trace, or written, judged and told.

Entries begin as real ones, so that most of them get deep into a game before something in them is wrong.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from game_tables import pack_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.entries import Amend, Body, Call, Declare, Entry, Repaired, Retract, Source, Start
from referee.errors import EntryError, RefereeError
from referee.games import GAMES
from referee.match import Match
from referee.moves import TABLE, UNCLEAR, Move
from referee.playout import deal, random_moves
from referee.store import MemoryStore
from referee.wording import load_wording

PLAYERS = ("Ada", "Ben", "Jürgen")
MOVES = 30
WORDS = "Ada Ben Jürgen table ? ?? back play call draw red 9 hand open blind discard own pile no setup swap"
ODD_WORDS = ("", "over", "known", "wrong-card", "stuck", "{player}", "%s", "\N{FISH}", "\u202e", "\ud800")
KEYS = "n say as from with swap cards go hand open since_s pile top phase counts hands hand_size hidden draw turn known"
ODD_KEYS = (*PLAYERS, "points", "games", "wins", "deck", "type", "body", "of")


@cache
def played(name: str) -> tuple[Entry, ...]:
    """The log of a game of `name` among players who only make standing moves."""
    game, dice = GAMES[name], random.Random(name)
    start = deal(game, PLAYERS, pack=pack_of(game.deck), dice=dice)
    moves = random_moves(game, game.start(start), PLAYERS, dice=dice)
    bodies: list[Body] = [start, *(move for (move, _), _ in zip(moves, range(MOVES), strict=False))]
    return tuple(Entry("m1", seq, seq / 4, "camera", body) for seq, body in enumerate(bodies, start=1))


def bodies(name: str) -> Iterator[Body]:
    """Every kind of body, real ones."""
    log = [entry.body for entry in played(name)]
    yield from log
    cards = next(body.deck for body in log if isinstance(body, Start))[:3]
    for player in (*PLAYERS, TABLE, UNCLEAR):
        yield from (Move(player, "play", cards[:count]) for count in (1, 2))
        yield Move(player, "play", cards[:1], candidates=((cards[0], 0.6), (cards[1], 0.4)))
        yield from (Call(player, kind) for kind in ("wrong-card", "stuck", "mine", "no-match", "no-fish"))
        yield from (Declare(player, kind, "red") for kind in ("name", "war", "ask", "answer", "shout", "say", "swap"))
        yield from (Declare(player, kind, 3) for kind in ("count", "draw"))
    yield from (Amend(of, log[of - 1]) for of in (1, 2, 3))
    yield from (Retract(2), Repaired(2), Amend(2, Move("Ada", "play", cards[:1])))


NAMES = st.sampled_from((*KEYS.split(" "), *ODD_KEYS)) | st.text(max_size=3)
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.sampled_from([10**15, 10**18, -(10**400), 1e308, float("nan"), float("inf"), -0.0, 0.5])
    | st.text(max_size=6)
    | st.sampled_from((*WORDS.split(" "), *ODD_WORDS)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*way, key))


def changed(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    """A JSON value with another one at the end of the way; `DROP` takes it out."""
    if not way:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(value[way[0]], way[1:], new)
    if copy[way[0]] is DROP:
        del copy[way[0]]
    return copy


DROP = object()


@st.composite
def entries(draw: st.DrawFn, name: str, seq: int) -> Any:
    """A real entry of a game with up to three values in it replaced, dropped, or taken from another entry."""
    real = list(bodies(name))
    body = draw(st.sampled_from(real))
    source: Source = draw(st.sampled_from(["camera", "phone", "operator"]))
    data = Entry("m1", seq, seq / 4, source, body).to_json()
    for _ in range(draw(st.integers(0, 3))):
        # Mostly inside the body: what surrounds it is soon refused.
        ways = [way for way in places(data) if way[:1] == ("body",)]
        way = draw(st.sampled_from(ways if draw(st.integers(0, 9)) else list(places(data))))
        other = Entry("m1", seq, 0.0, "phone", draw(st.sampled_from(real))).to_json()
        borrowed = st.sampled_from([one for way in places(other) if (one := _at(other, way)) is not None])
        data = changed(data, way, draw(JUNK | borrowed | st.just(DROP) if way else JUNK))
        if not isinstance(data, dict) or not isinstance(data.get("body"), dict):
            break
    return data


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def refused(error: RefereeError) -> None:
    """It says what is wrong and what to do."""
    assert str(error)
    assert error.hint


def snapshot(match: Match) -> tuple[Any, ...]:
    return match.entries, match.verdicts(), match.state, match.view()


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_any_entry_is_refused_in_words_or_written_and_told(name: str, data: st.DataObject) -> None:
    length = data.draw(st.integers(1, len(played(name))))
    store = MemoryStore()
    for entry in played(name)[:length]:
        store.append(entry)
    match = Match("m1", store, wording=load_wording())
    before = snapshot(match)
    written = data.draw(entries(name, length + 1))
    try:
        entry = Entry.from_json(written)
    except EntryError as error:
        refused(error)
        return
    assert Entry.from_json(json.loads(json.dumps(entry.to_json(), allow_nan=False))) == entry
    try:
        verdict = match.append(entry)
    except RefereeError as error:
        refused(error)
        assert snapshot(match) == before
        assert store.entries("m1") == before[0]
        return
    assert store.entries("m1") == (*before[0], entry)
    told = {"verdict": load_wording().of(match.game.name).verdict(verdict), "view": match.view()}
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert json.dumps(told, ensure_ascii=False).encode()
    assert snapshot(Match("m1", store, wording=load_wording())) == snapshot(match)


@settings(max_examples=300)
@given(data=JUNK)
def test_what_is_no_entry_is_refused_in_words(data: Any) -> None:
    with pytest.raises(EntryError) as caught:
        Entry.from_json(data)
    assert caught.value.hint
