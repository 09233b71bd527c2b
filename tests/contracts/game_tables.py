"""Tables to play every registered game at: packs of cards, house rules, moves that nobody should make, blindfolds.

Everything is derived from the game itself, so that a new game is played without a line here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.entries import Start
from referee.errors import SetupError
from referee.games import GAMES
from referee.games.base import Game, Option
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.playout import deal
from vision.decks import load_deck

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay", "Gil", "Hana", "Ida", "Jan", "Kim")


@cache
def pack_of(deck: str) -> tuple[Face, ...]:
    """One pack of a deck of this project, every copy of every face."""
    return faces(load_deck(deck).all_cards)


def seed_of(*parts: object) -> random.Random:
    """Dice that fall the same way whenever they are asked for with the same parts."""
    return random.Random(repr(parts))


def table(name: str, players: int, *, options: Mapping[str, Json] | None = None, seed: int = 0) -> Start:
    """A dealt game of so many players."""
    game = GAMES[name]
    dice = seed_of(name, players, options, seed)
    return deal(game, NAMES[:players], pack=pack_of(game.deck), dice=dice, options=options)


def player_counts(name: str, rules: Mapping[str, Json] | None = None) -> tuple[int, ...]:
    """How many may play the game under these house rules, found by trying."""
    return tuple(count for count in range(1, len(NAMES) + 1) if _may_play(name, count, rules or {}))


def _may_play(name: str, players: int, rules: Mapping[str, Json]) -> bool:
    try:
        GAMES[name].start(table(name, players, options=rules))
    except SetupError:
        return False
    return True


def house_rules(game: Game[Any]) -> tuple[dict[str, Json], ...]:
    """The usual rules, and then every value of every option by itself."""
    return ({}, *({option.key: value} for option in game.options for value in _values(option)))


def _values(option: Option) -> Iterator[Json]:
    if isinstance(option.default, (bool, str)):
        yield from (value for value in option.values if value != option.default)
    elif isinstance(option.default, int):
        least, most = int(str(option.values[0])), int(str(option.values[-1]))
        numbers = {least, option.default + 1, 2, 3, 500}
        yield from sorted(number for number in numbers if least <= number <= most and number != option.default)


WORDS = (
    *("red", "hearts", "purple", "piranhas", "fresh-fish", "mau", "mau-mau", "trout"),
    *("9", "Q", "no", "own", "pile", ""),
)
KINDS = (
    *("play", "play", "play", "discard", "reveal", "turnover", "take", "call", "name", "war", "ask", "answer", "give"),
    *("lay", "flip", "draw", "swap", "shout", "say", "start", "repaired", "count"),
)
CALLS = ("wrong-card", "stuck", "mine", "no-match", "no-fish", "no-mau", "stop", "go-on")


def wild_move(start: Start, dice: random.Random) -> Move:
    """Anything that somebody at the table might do, mostly wrong."""
    kind = dice.choice(KINDS)
    player = dice.choice([*start.players, *start.players, TABLE, UNCLEAR])
    cards = tuple(dice.choices([*start.deck, UNKNOWN, BACK], k=dice.choice([0, 1, 1, 1, 1, 2, 3])))
    target = dice.choice([None, *WORDS, *start.players]) if kind != "call" else dice.choice(CALLS)
    data: dict[str, Json] = {}
    extras: dict[str, Json] = {
        "from": dice.choice(["open", "blind", "discard", "draw"]),
        "with": [dice.choice(start.deck)],
        "as": dice.choice(["2", "7", "8", "10", "A", "x"]),
        "say": dice.choice(WORDS),
        "n": dice.randint(0, 6),
        "swap": {"hand": dice.choice(start.deck), "open": dice.choice(start.deck)},
        "cards": {name: dice.choice(start.deck) for name in dice.sample(start.players, 2)},
        "go": True,
    }
    for key, value in extras.items():
        if dice.random() < 0.15 or (kind, key) in {("draw", "n"), ("count", "n"), ("swap", "swap"), ("flip", "cards")}:
            data[key] = value
    return Move(player, kind, cards, target=target, data=data)


_MASKED = {"hands": "hand_size", "hidden": "hidden", "decks": "counts"}


def blindfolded(start: Start) -> Start:
    """The same table as a camera finds it: of hands, draw pile and face-down cards only the numbers."""
    setup: dict[str, Json] = {}
    for key, value in start.setup.items():
        if key in _MASKED and isinstance(value, Mapping):
            setup[_MASKED[key]] = {name: _number(cards) for name, cards in value.items()}
        elif key == "draw":
            setup[key] = _number(value)
        else:
            setup[key] = value
    return Start(start.game, start.players, start.options, start.deck, setup, start.version)


def _number(cards: Json) -> int:
    return len(cards) if isinstance(cards, Sequence) else int(str(cards))
