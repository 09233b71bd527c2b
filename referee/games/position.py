"""Reading the position that a game begins from (`Start.setup`): every value checked, every complaint names the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.cards import UNKNOWN, Face, faces
from referee.errors import SetupError
from referee.moves import TABLE, UNCLEAR, Json

__all__ = ["MOST_CARDS", "Position", "check_players"]

MOST_CARDS = 1000
"""No number of cards in a position is larger: whole hands and piles are made of such numbers."""

_MOST_TOTAL = 1_000_000
_TOTALS = ("games", "points", "wins")
"""Numbers that count no cards and grow over a series."""


def check_players(game: str, players: Sequence[str], *, least: int, most: int, hint: str = "Name all players.") -> None:
    """Raises `SetupError` unless `players` are from `least` to `most` different names."""
    doubles = [name for name, times in Counter(players).items() if times > 1] if len({*players}) < len(players) else []
    if doubles or any(not name.strip() or name in (TABLE, UNCLEAR) for name in players):
        raise SetupError(
            f"These are no {len(players)} different players: {', '.join(map(repr, players))}.",
            hint=f"Give every player an own name; '{TABLE}' and '{UNCLEAR}' are taken.",
        )
    if not least <= len(players) <= most:
        raise SetupError(f"{game} is for {least} to {most} players, not for {len(players)}.", hint=hint)


class Position:
    """A position as it was written down, read key by key; what is absent is unknown or irrelevant."""

    def __init__(self, setup: Mapping[str, Json], *, game: str, players: Sequence[str], keys: Iterable[str]) -> None:
        """Raises `SetupError` for a key that the game does not know."""
        known = tuple(keys)
        for key in setup:
            if key not in known:
                raise SetupError(
                    f"A game of {game} has no '{key}' to begin with.", hint=f"It knows: {', '.join(known)}."
                )
        self._setup = setup
        self._players = tuple(players)

    def __contains__(self, key: str) -> bool:
        return self._setup.get(key) is not None

    def word(self, key: str, default: str, *, allowed: Sequence[str]) -> str:
        """One of the `allowed` words."""
        value = self._setup.get(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        raise SetupError(f"'{key}' is {value!r}.", hint=f"Possible: {', '.join(allowed)}.")

    def text(self, key: str) -> str | None:
        """A word of the game's own, for example a colour; None when it is absent."""
        value = self._setup.get(key)
        if value is None or isinstance(value, str):
            return value
        raise SetupError(f"'{key}' is {value!r}, it should be a word.", hint="Write a word.")

    def player(self, key: str) -> str | None:
        """One of the players; None when it is absent."""
        value = self.text(key)
        return value if value is None else self._who(key, value)

    def names(self, key: str) -> tuple[str, ...]:
        """Some of the players, in the order written, none of them twice."""
        names = tuple(self._who(key, name) for name in self.items(key))
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            raise SetupError(f"'{key}' names {twice} twice.", hint="Name every player at most once.")
        return names

    def words(self, key: str) -> tuple[str, ...]:
        """A list of words; empty when it is absent."""
        return tuple(_word(key, value) for value in self.items(key))

    def flag(self, key: str) -> bool:
        """True or false; false when it is absent."""
        value = self._setup.get(key, False)
        if isinstance(value, bool):
            return value
        raise SetupError(f"'{key}' is {value!r}, it should be true or false.", hint="Write true or false.")

    def number(self, key: str) -> int | None:
        """A number, 0 to `MOST_CARDS`, or a total of a series; None when it is absent."""
        value = self._setup.get(key)
        return None if value is None else _whole(key, value)

    def items(self, key: str) -> tuple[Json, ...]:
        """A list; empty when it is absent."""
        return _items(key, self._setup.get(key, ()))

    def cards(self, key: str) -> tuple[Face, ...]:
        """A list of faces. Raises `CardError` for what is none."""
        return faces(self.items(key))

    def cards_or_count(self, key: str) -> tuple[Face, ...] | None:
        """Cards as a list of faces, or as their number when nobody knows them; None when nobody counted them."""
        value = self._setup.get(key)
        return None if value is None else _cards_or_count(key, value)

    def numbers(self, key: str) -> dict[str, int]:
        """A number for some players."""
        return {name: _whole(key, value) for name, value in self._each(key).items()}

    def cards_each(self, key: str) -> dict[str, tuple[Face, ...]]:
        """Cards of some players, as faces or as numbers."""
        return {name: _cards_or_count(key, value) for name, value in self._each(key).items()}

    def _each(self, key: str) -> Mapping[str, Json]:
        value = self._setup.get(key)
        if value is None and key not in self._setup:
            return {}
        if not isinstance(value, Mapping):
            raise SetupError(f"'{key}' is {value!r}, it should say something for each player.", hint="{A: 12, B: 9}")
        return {self._who(key, name): one for name, one in value.items()}

    def _who(self, key: str, name: Json) -> str:
        if isinstance(name, str) and name in self._players:
            return name
        raise SetupError(f"'{key}' names {name!r}, who does not play.", hint=f"Players: {', '.join(self._players)}.")


def _items(key: str, value: Json) -> tuple[Json, ...]:
    if not isinstance(value, list | tuple) and (isinstance(value, str) or not isinstance(value, Sequence)):
        raise SetupError(f"'{key}' is {value!r}, it should be a list.", hint="Write it in square brackets.")
    return tuple(value)


def _word(key: str, value: Json) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise SetupError(f"'{key}' holds {value!r}, it should hold words.", hint="Write words, numbers in quotes.")


def _whole(key: str, value: Json) -> int:
    what, most = ("number", _MOST_TOTAL) if key in _TOTALS else ("number of cards", MOST_CARDS)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SetupError(f"'{key}' is {value!r}, it should be a {what}.", hint=f"Possible: 0 to {most}.")
    if value > most:
        raise SetupError(f"'{key}' is {value}, which is too large a {what}.", hint=f"Possible: 0 to {most}.")
    return value


def _cards_or_count(key: str, value: Json) -> tuple[Face, ...]:
    if isinstance(value, int):
        return (UNKNOWN,) * _whole(key, value)
    return faces(_items(key, value))
