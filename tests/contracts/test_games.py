"""What every game promises, checked on random games of every registered game: nobody joins this suite by hand.

Honest players make moves that stand; in between come moves that nobody should make. A registered game is played with
every number of players and under every house rule.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from game_tables import blindfolded, house_rules, player_counts, seed_of, table, wild_move

from referee.cards import Face, is_known
from referee.cases import as_action, as_move
from referee.entries import Amend, Body, Entry, Retract
from referee.errors import UnreadableError
from referee.folding import fold
from referee.games import GAMES
from referee.match import Match
from referee.moves import TABLE, Json, Move
from referee.playout import play_out, standing
from referee.store import MemoryStore
from referee.wording import load_wording

STANDS = ("legal", "pending", "accepted")
GAMES_EACH = 1000
"""Whole games for every game and number of players."""

WILD = 0.03
"""So often comes a move that nobody should make."""

TABLES = [pytest.param(name, count, id=f"{name}-{count}") for name in GAMES for count in player_counts(name)]
HOUSES = [
    pytest.param(name, rules, id=f"{name}-{'-'.join(f'{key}={value}' for key, value in rules.items()) or 'usual'}")
    for name, game in GAMES.items()
    for rules in house_rules(game)
]


def is_blind(move: Move) -> bool:
    """Whether nobody can know what it is worth: a card that is laid from face down has to be tried."""
    return move.data.get("from") == "blind"


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_game_ends_and_no_card_is_lost(name: str, players: int) -> None:
    """Thousands of games under all house rules in turn, with moves mixed in that nobody should make."""
    game = GAMES[name]
    rules = [one for one in house_rules(game) if players in player_counts(name, one)]
    for seed in range(GAMES_EACH):
        start = table(name, players, options=rules[seed % len(rules)], seed=seed)
        dice, deck = seed_of(name, players, seed), Counter(start.deck)
        state, count = game.start(start), 0
        while count < game.most_moves and (moves := standing(game, state, start.players)):
            if dice.random() < WILD:
                state = try_anyhow(game, state, wild_move(start, dice), deck=deck)
            else:
                state, count = game.apply(state, dice.choice(moves)), count + 1
        assert Counter(game.inventory(state)) == deck
        assert game.result(state) is not None or count == game.most_moves, f"seed {seed}: stuck after {count} moves"


def names_a_face(move: Move) -> bool:
    """Whether it turns over a card, perhaps as another one than was dealt: that would be a second truth."""
    return move.kind in ("reveal", "flip")


def try_anyhow(game: Any, state: Any, move: Move, *, deck: Counter[Face]) -> Any:
    """The state after a move that nobody should make; as before where it is no move, or one of a card nobody had."""
    try:
        after = game.apply(state, move)
    except UnreadableError:
        return state
    return after if Counter(game.inventory(after)) == deck and not names_a_face(move) else state


@pytest.mark.parametrize(("name", "rules"), HOUSES)
def test_what_is_listed_stands_and_nothing_else(name: str, rules: dict[str, Json]) -> None:
    """`legal` and `judge` agree, also after moves that nobody should have made, and every step conserves the cards."""
    game = GAMES[name]
    counts = player_counts(name, rules)
    for seed in range(12):
        players = counts[seed % len(counts)]
        start = table(name, players, options=rules, seed=seed)
        dice, state = seed_of(name, rules, seed), game.start(start)
        for _ in range(80):
            moves = standing(game, state, start.players)
            idle = {*start.players, TABLE} - {*game.to_act(state, start.players)}
            assert not any(game.legal(state, player) for player in idle), idle
            for move in moves:
                assert game.judge(state, move).ruling in STANDS or is_blind(move), (move, game.judge(state, move))
            listed = {(move.player, move.cards) for move in moves if move.kind == "play"}
            for player in start.players:
                hand = [card for card in _hand(state, player) if is_known(card)]
                for card in hand:
                    ruling = game.judge(state, Move(player, "play", (card,))).ruling
                    assert (ruling in STANDS) == ((player, (card,)) in listed), (player, card, ruling)
            if game.result(state) is not None or not moves:
                break
            move = wild_move(start, dice) if dice.random() < 0.3 else dice.choice(moves)
            try:
                after = game.apply(state, move)
            except UnreadableError:
                continue
            assert after == game.decide(state, move)[1], move
            conserved = Counter(game.inventory(after)) == Counter(start.deck)
            assert conserved or move not in moves, move
            if conserved and (move in moves or not names_a_face(move)):
                state = after


def _hand(state: Any, player: str) -> tuple[Any, ...]:
    seat = next(seat for seat in state.seats if seat.name == player)
    return tuple(getattr(seat, "hand", None) or ())


@pytest.mark.parametrize(("name", "rules"), HOUSES)
def test_nothing_hangs_on_a_card_that_nobody_saw(name: str, rules: dict[str, Json]) -> None:
    """Judged once with the whole truth and once as a camera sees it: the same verdicts, views and public knowledge."""
    game = GAMES[name]
    counts = player_counts(name, rules)
    for seed in range(6):
        players = counts[seed % len(counts)]
        start = table(name, players, options=rules, seed=seed)
        dice = seed_of(name, rules, seed)
        state, blind = game.start(start), game.start(blindfolded(start))
        for _ in range(120):
            moves = standing(game, state, start.players)
            if game.result(state) is not None or not moves:
                break
            move = wild_move(start, dice) if dice.random() < 0.15 else dice.choice(moves)
            try:
                verdict, state = game.decide(state, move)
            except UnreadableError:
                with pytest.raises(UnreadableError):
                    game.decide(blind, move)
                continue
            unseen, blind = game.decide(blind, move)
            assert unseen == verdict
            assert game.view(blind) == game.view(state)
            assert game.knowledge(blind) == game.knowledge(state)
            assert game.pending(blind) == game.pending(state)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_logs_restore_and_retracting_restores(name: str, players: int) -> None:
    """A match written down and read back folds to the same state; a retracted move leaves the state before it."""
    for seed in range(3):
        start = table(name, players, seed=seed)
        dice = seed_of(name, players, seed, "log")
        match = Match("walk", MemoryStore(), wording=load_wording())
        match.append(match.entry(start, 0.0, source="operator"))
        for turn in list(play_out(GAMES[name], start, dice=dice))[:40]:
            match.append(match.entry(turn.move, match.next_seq / 4, source="camera"))
            written = [Entry.from_json(json.loads(json.dumps(entry.to_json()))) for entry in match.entries]
            assert tuple(written) == match.entries
        folded = fold(written)
        assert folded.state == match.state
        assert folded.verdicts == match.verdicts()
        for entry in match.entries[1::9]:
            retracted = Entry("walk", entry.seq + 1, 99.0, "phone", Retract(entry.seq))
            taken_back = fold((*match.entries[: entry.seq], retracted))
            assert taken_back.state == fold(match.entries[: entry.seq - 1]).state


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_correction_that_is_undone_leaves_no_trace(name: str, players: int) -> None:
    """Whatever a mistaken correction made of everything after it: taken back or put right again, it is as before."""
    start = table(name, players, seed=7)
    dice = seed_of(name, players, "undone")
    match = Match("walk", MemoryStore(), wording=load_wording())
    match.append(match.entry(start, 0.0, source="operator"))
    state = GAMES[name].start(start)
    for _ in range(24):
        moves = standing(GAMES[name], state, start.players)
        if not moves:
            break
        move = dice.choice(moves)
        if dice.random() < 0.25:
            move = Move(dice.choice(start.players), "play", (dice.choice(start.deck),))
        match.append(match.entry(move, match.next_seq / 4, source="camera"))
        state = match.state
    before, verdicts = match.state, match.verdicts()
    plays = [(one.seq, one.body) for one in match.entries if isinstance(one.body, Move) and one.body.kind == "play"]
    for seq, played in plays[:6]:
        wrong = Amend(seq, replace(played, cards=(dice.choice(start.deck),)))
        match.append(match.entry(wrong, 50.0, source="phone"))
        undo: Body = Retract(match.next_seq - 1) if dice.random() < 0.5 else Amend(seq, played)
        match.append(match.entry(undo, 51.0, source="phone"))
        assert (match.state, match.verdicts()) == (before, verdicts), seq
        assert fold(match.entries).state == before


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_moves_read_as_cases_and_back(name: str, players: int) -> None:
    start = table(name, players)
    for turn in play_out(GAMES[name], start, dice=seed_of(name, players, "cases")):
        assert as_move(json.loads(json.dumps(as_action(turn.move)))) == turn.move
