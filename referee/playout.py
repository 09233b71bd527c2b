"""Games played out at random by players who only make moves that stand, with every card known.

This is how games are checked (`tests/contracts`) and timed (`wrongcard bench`): what nobody could see at a table is in
the state too, and must never show in a verdict or on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from referee.cards import Face
from referee.entries import Start
from referee.games.base import Game
from referee.moves import Json, Move

__all__ = ["Turn", "deal", "play_out", "random_moves", "standing"]

S = TypeVar("S")


class Turn(NamedTuple):
    """One move of a game: the state before it, the move, the state after it."""

    before: object
    move: Move
    after: object


def deal(
    game: Game[S],
    players: Sequence[str],
    *,
    pack: Sequence[Face],
    dice: Random,
    options: Mapping[str, Json] | None = None,
) -> Start:
    """A game of `players` with as many shuffled packs as they need, dealt by the rules, every card known.

    Raises `SetupError` for impossible players or options.
    """
    options = options or {}
    deck = list(pack) * game.packs(len(players), options)
    dice.shuffle(deck)
    setup = game.deal(players, options, deck=deck)
    return Start(game.name, tuple(players), options, deck=tuple(deck), setup=setup, version=game.version)


def standing(game: Game[S], state: S, players: Sequence[str]) -> tuple[Move, ...]:
    """Every move that somebody could make now and that would stand."""
    moves: tuple[Move, ...] = ()
    for player in game.to_act(state, players):
        moves += game.legal(state, player)
    return moves


def random_moves(game: Game[S], state: S, players: Sequence[str], *, dice: Random) -> Iterator[tuple[Move, S]]:
    """Moves that stand, one after another, each with the state after it, until the game is over or nobody can move."""
    while game.result(state) is None:
        moves = standing(game, state, players)
        if not moves:
            return
        move = moves[int(dice.random() * len(moves))]
        state = game.apply(state, move)
        yield move, state


def play_out(game: Game[S], start: Start, *, dice: Random) -> Iterator[Turn]:
    """A whole game from `start`, broken off after the number of moves that the game declares (`Game.most_moves`)."""
    before = game.start(start)
    for count, (move, after) in enumerate(random_moves(game, before, start.players, dice=dice), start=1):
        yield Turn(before, move, after)
        if count >= game.most_moves:
            return
        before = after
