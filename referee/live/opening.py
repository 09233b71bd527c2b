"""How a match begins: who plays what, with which deck, and in which position the camera finds the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.cards import faces
from referee.entries import Start
from referee.errors import LogError, OptionError
from referee.games import find_game
from referee.match import Match
from referee.moves import Json
from vision.decks import load_deck
from vision.recording import Table as RecordedTable

__all__ = ["Party", "begin", "game_deck", "party_of", "read_option_texts"]


@dataclass(frozen=True, slots=True)
class Party:
    """Who plays what: `players` in seating order, `options` of the game that differ from its defaults."""

    game: str
    deck: str
    players: tuple[str, ...]
    options: Mapping[str, Json] = field(default_factory=dict)


def game_deck(game: str) -> str:
    """The deck that a game is played with unless somebody says otherwise. Raises `UnknownGameError`."""
    return find_game(game).deck


def party_of(table: RecordedTable) -> Party:
    """The party of a recording's `table.toml`. Raises `OptionError` for an option that no game could have."""
    options: dict[str, Json] = {}
    for key, value in table.options.items():
        if not isinstance(value, bool | int | str):
            raise OptionError(f"The option '{key}' cannot be {value!r}.", hint="Write a word, a number, true or false.")
        options[key] = value
    return Party(table.game, table.deck, table.players, options)


def read_option_texts(game: str, texts: Sequence[str]) -> dict[str, Json]:
    """House rules from the command line, written `key=value`. Raises `OptionError`, which says how to write them."""
    kinds = {option.key: type(option.default) for option in find_game(game).options}
    return {key: _value(value, kinds.get(key, str)) for key, value in map(_pair, texts)}


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key or not value:
        raise OptionError(f"'{text}' is no option.", hint="Write it as --option key=value, as in calls=players.")
    return key.strip(), value.strip()


def _value(text: str, kind: type) -> Json:
    """The value as the option's kind; what does not look like it stays text, and the option itself refuses that."""
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind is int and text.lstrip("-").isdecimal():
        return int(text)
    return text


def begin(match: Match, party: Party) -> None:
    """Write the start of a new match, or see that a match which goes on is that of the same party.

    Raises `SetupError`, `UnknownGameError`, `DeckError`, `CardError` or `LogError`.
    """
    if match.entries:
        _same(match, party)
        return
    game = find_game(party.game)
    deck = faces(load_deck(party.deck).all_cards) * game.packs(len(party.players), party.options)
    start = Start(party.game, party.players, party.options, deck=deck, setup=game.found, version=game.version)
    match.append(match.entry(start, 0.0, source="operator"))


def _same(match: Match, party: Party) -> None:
    first = match.entries[0].body
    if not isinstance(first, Start) or (first.game, first.players) != (party.game, party.players):
        raise LogError(
            f"The match '{match.name}' is another one: other players or another game.",
            hint="Give the same game and players again, or leave --match away to begin a new match.",
        )
