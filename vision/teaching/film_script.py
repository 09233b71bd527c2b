"""A film as data: who sits where, what lies on the table, and what happens when.

    seed = 7                                   # script.toml
    fps = 15
    length_s = 45.0
    shutter_s = 0.025                          # how long a frame is exposed: motion blur
    game = "piranhas"                          # only handed on to table.toml
    deck = "fish"
    target = "R2+B1+W3"                        # the card that lies face down in the middle
    pile_mm = [0, -30]                         # the middle of the pile on the table
    [camera]  [table]  [lighting]  [lens]      # the fields of a scene's Pinhole, TableTop, Lighting and Lens
    [[seats]]                                  # in seating order, see Seat
    [[things]]  [[clutter]]  [[cups]]          # what else lies about, see Thing, Clutter and Cup
    [[events]]                                 # in order of time, see Event
    t = 3.2
    kind = "play"
    player = "Mia"
    card = "R3+G1+B2"

The script knows cards, hands and piles, but no rules: what a referee should say about a play stands in the script.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from vision.decks import Deck, load_deck
from vision.errors import TeachingError
from vision.teaching.pinhole import Pinhole
from vision.teaching.scenes import Lens, Lighting, TableTop, Thing

__all__ = ["KINDS", "Clutter", "Cup", "Event", "Film", "Seat", "load_script"]

Point = tuple[float, float]

KINDS = ("turn", "play", "discard", "hover", "take_back", "start")
_CARRIED = ("play", "discard", "hover")
_SOURCES = ("deck", "hand")


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place. `deck_mm` and `discard_mm` are the middles of the own piles, whose cards lie turned by
    `turn_deg` (clockwise). The arm reaches in from `shoulder_mm`; between two actions the hand waits at `away_mm`,
    outside the picture. `hand` is a sprite of the catalogue, `hand_mm` the length of the real hand, `cards` how many
    cards the own deck has at first."""

    player: str
    deck_mm: Point
    discard_mm: Point
    turn_deg: float
    shoulder_mm: Point
    away_mm: Point
    hand: str
    hand_mm: float
    cards: int


@dataclass(frozen=True, slots=True)
class Clutter:
    """A cut-out that lies on the table: a coin, a fruit. `height_mm` is the height of its picture."""

    picture: str
    place_mm: Point
    height_mm: float
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Cup:
    """A round cup or glass: colours blue, green, red from 0 to 1; `handle_deg` is where its handle points."""

    place_mm: Point
    radius_mm: float
    height_mm: float
    colour: tuple[float, float, float]
    drink: tuple[float, float, float]
    handle_deg: float = 45.0


@dataclass(frozen=True, slots=True)
class Event:
    """What happens at `t` seconds.

    `turn`: `player` has turned the target card face up. `play`, `discard`: `card` has come to rest on the pile or on
    the player's own discard pile; it comes from the own `deck` or was held in the `hand`. `hover`: the hand (with
    `card`, if given, which is then held) is nearest to the pile, but plays nothing. `take_back`: the `cards` top cards
    of the pile have come to rest on the own discard pile. `start`: "go" after a stop, nothing to be seen.
    `ruling` and `rules` are what a referee should say about a play.
    """

    t: float
    kind: str
    player: str = ""
    card: str | None = None
    cards: int = 0
    source: str = "deck"
    ruling: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Film:
    """A whole script; see the head of this module."""

    seed: int
    fps: int
    length_s: float
    shutter_s: float
    game: str
    deck: str
    target: str
    pile_mm: Point
    camera: Pinhole
    table: TableTop
    lighting: Lighting
    lens: Lens
    seats: tuple[Seat, ...]
    events: tuple[Event, ...]
    things: tuple[Thing, ...] = ()
    clutter: tuple[Clutter, ...] = ()
    cups: tuple[Cup, ...] = ()

    def seat(self, player: str) -> Seat:
        """The place of one player."""
        return next(seat for seat in self.seats if seat.player == player)

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return round(self.length_s * self.fps)


def load_script(file: Path) -> Film:
    """Read and check a script.

    Raises:
        TeachingError: It is missing, no TOML, or tells something that cannot happen at a table.
        DeckError: There is no such deck.
    """
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TeachingError(f"The script {file} cannot be read: {error}", hint="Name a script.toml.") from error
    except tomllib.TOMLDecodeError as error:
        raise TeachingError(f"{file} is not valid TOML: {error}", hint="Mend the line that is named.") from error
    film = _built(Film, table, str(file))
    _check_numbers(film, file)
    _check_events(film, file)
    _check_cards(film, load_deck(film.deck), file)
    return film


_T = TypeVar("_T")


def _built(kind: type[_T], table: Mapping[str, object], where: str) -> _T:
    """An object of the dataclass `kind` whose fields are the keys of `table`."""
    hints, known = get_type_hints(kind), {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else f"Known keys: {', '.join(known)}."
            raise TeachingError(f"{where} has an unknown key '{key}'.", hint=hint)
    for key, field in known.items():
        if key not in table and field.default is MISSING:
            raise TeachingError(f"{where} lacks the key '{key}'.", hint="Compare it with the script of a shipped film.")
    return kind(**{key: _value(value, hints[key], f"{where}, {key}") for key, value in table.items()})


def _value(value: object, hint: Any, where: str) -> Any:
    if get_origin(hint) is UnionType:
        hint = get_args(hint)[0]
    if get_origin(hint) is tuple:
        return _values(value, get_args(hint), where)
    if isinstance(value, dict) and hint not in (str, int, float, bool):
        return _built(hint, value, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint in (str, int, float, bool) and type(value) is hint:
        return value
    wanted = {str: "a text in quotes", int: "a whole number", float: "a number", bool: "true or false"}
    raise TeachingError(f"{where} is {value!r}.", hint=f"Write {wanted.get(hint, 'a section of its own')}.")


def _values(value: object, hints: Sequence[Any], where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TeachingError(f"{where} is {value!r}.", hint="Write a list in square brackets.")
    if hints[1:] == (Ellipsis,):
        return tuple(_value(part, hints[0], f"{where} {number}") for number, part in enumerate(value, start=1))
    if len(value) != len(hints):
        raise TeachingError(f"{where} has {len(value)} parts.", hint=f"Write {len(hints)} of them.")
    return tuple(_value(part, hint, where) for part, hint in zip(value, hints, strict=True))


def _check_numbers(film: Film, file: Path) -> None:
    for name, value in (("fps", film.fps), ("length_s", film.length_s), ("shutter_s", film.shutter_s)):
        if value <= 0:
            raise TeachingError(f"{file} has {name} = {value}.", hint="Write a number above zero.")
    if film.shutter_s > 1 / film.fps:
        raise TeachingError(
            f"{file}: a shutter of {film.shutter_s} s is longer than a frame.", hint=f"At most {1 / film.fps:.3f} s."
        )
    if any(side % 2 for side in film.camera.size_wh):
        raise TeachingError(f"{file} has the picture size {film.camera.size_wh}.", hint="H.264 wants even numbers.")
    names = [seat.player for seat in film.seats]
    if not names or len(set(names)) < len(names):
        raise TeachingError(f"{file} has the players {names}.", hint="Give every seat a player of its own.")


def _check_events(film: Film, file: Path) -> None:
    before = 0.0
    players = [seat.player for seat in film.seats]
    for event in film.events:
        where = f"{file}, {event.kind} at {event.t} s"
        if event.kind not in KINDS:
            raise TeachingError(f"{where}: nothing of that kind can happen.", hint=f"Known kinds: {', '.join(KINDS)}.")
        if event.kind != "start" and event.player not in players:
            raise TeachingError(f"{where}: there is no player '{event.player}'.", hint=f"One of {', '.join(players)}.")
        if event.source not in _SOURCES:
            raise TeachingError(f"{where}: a card comes from '{event.source}'.", hint="Either 'deck' or 'hand'.")
        if not before <= event.t <= film.length_s:
            raise TeachingError(
                f"{where} comes after {before} s in a film of {film.length_s} s.",
                hint="List the events in order of time and within the film.",
            )
        before = event.t


def _check_cards(film: Film, deck: Deck, file: Path) -> None:
    """Follow every card: none is there twice, and nobody takes what is not there."""
    seen, pile, left = {film.target}, 1, {seat.player: seat.cards for seat in film.seats}
    held: dict[str, str] = {}
    _check_face(film.target, deck, f"{file}, target")
    for event in film.events:
        where = f"{file}, {event.kind} at {event.t} s"
        if event.kind in _CARRIED and (event.card is not None or event.kind != "hover"):
            _check_face(event.card, deck, where)
            _check_source(event, held, where)
            if event.card in seen and event.source == "deck":
                raise TeachingError(
                    f"{where}: {event.card} was here before.", hint="Every card comes from a deck once."
                )
            seen.add(str(event.card))
            left[event.player] -= event.source == "deck"
            pile += event.kind == "play"
        elif event.kind == "take_back":
            _check_taking(event, pile, where)
            pile -= event.cards
        if event.player and left[event.player] < 0:
            raise TeachingError(f"{where}: {event.player} has no card left.", hint="Raise 'cards' of that seat.")


def _check_face(face: str | None, deck: Deck, where: str) -> None:
    if face not in deck.faces:
        close = difflib.get_close_matches(face or "", deck.faces, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Write card = one of {', '.join(deck.faces[:3])}, ..."
        raise TeachingError(f"{where}: the deck '{deck.name}' has no card {face}.", hint=hint)


def _check_source(event: Event, held: dict[str, str], where: str) -> None:
    """A card out of the hand is one that the player kept after hovering with it; and nobody keeps two."""
    holding = held.pop(event.player, None)
    if event.source == "hand" and holding not in (None, event.card):
        raise TeachingError(f"{where}: {event.player} holds {holding}, not {event.card}.", hint=f"Play {holding}.")
    if event.source == "deck" and holding is not None:
        raise TeachingError(f"{where}: {event.player} still holds {holding}.", hint='Let it go first: source = "hand".')
    if event.kind == "hover":
        held[event.player] = str(event.card)


def _check_taking(event: Event, pile: int, where: str) -> None:
    if not 1 <= event.cards < pile:
        raise TeachingError(
            f"{where}: {event.cards} of {pile} cards are taken.", hint="At least one, and one card always stays."
        )
