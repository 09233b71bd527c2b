"""What a game is to the referee: data about itself and a handful of pure, total functions over a frozen state.

Cards on a table are facts: `judge` says what a move is worth and `apply` carries it out together with its remedy,
whatever it is. Only what cannot be read (an unknown kind of move, a face of another deck) raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from referee.cards import Face
from referee.entries import Call, Declare, Start
from referee.errors import LogError, OptionError
from referee.knowledge import Hand
from referee.moves import TABLE, Change, Json, Move
from referee.verdicts import Ask, Result, Verdict

__all__ = ["Game", "Option", "OptionValue", "read_options"]

OptionValue = str | int | bool

S = TypeVar("S")

_NO_WORDS = "none"
"""The value of an option with several words when none of them is chosen."""

_DECLARED = {"colour": "name", "rank": "name", "fish": "shout"}
"""Questions that are answered by saying something, with the kind of that declaration."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its key, its default, its values (a tuple of words, or the least and the most of a number).

    `several`: the value is a list of some of these words, written `mic-drop,burn-unit`, or `none`.
    """

    key: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    touches: tuple[str, ...] = ()
    several: bool = False

    def read(self, value: object) -> OptionValue:
        """`value`, checked; several words in the order of `values`. Raises `OptionError` with what is possible."""
        if self.several:
            return ",".join(map(str, self._chosen(value))) or _NO_WORDS
        # Python calls True a number and equal to 1: the kinds must agree before the values are compared.
        if type(value) is type(self.default) and isinstance(value, str | int) and self._allows(value):
            return value
        raise OptionError(f"The option '{self.key}' cannot be {value!r}.", hint=f"Possible: {self._possible()}.")

    def is_chosen(self, value: OptionValue, *, in_force: OptionValue) -> bool:
        """Whether `value`, one of `values`, is what holds, or among what holds."""
        return value in self._chosen(in_force) if self.several else value == in_force

    @property
    def is_number(self) -> bool:
        """Whether its values are a range of whole numbers."""
        return type(self.default) is int

    def _chosen(self, value: object) -> tuple[OptionValue, ...]:
        """The words of a list, in the order of `values`."""
        words = [] if value == _NO_WORDS else value
        words = [word.strip() for word in words.split(",")] if isinstance(words, str) else words
        if isinstance(words, list | tuple) and all(word in self.values for word in words):
            return tuple(word for word in self.values if word in words)
        raise OptionError(
            f"The option '{self.key}' cannot be {value!r}.",
            hint=f"Possible: {_NO_WORDS}, or some of {self._possible()}, with commas between.",
        )

    def _allows(self, value: str | int) -> bool:
        if self.is_number:
            return int(self.values[0]) <= int(value) <= int(self.values[-1])
        return value in self.values

    def _possible(self) -> str:
        if self.is_number:
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return ", ".join(str(value).lower() if isinstance(value, bool) else value for value in map(_plain, self.values))


def _plain(value: OptionValue) -> str | bool:
    return value if isinstance(value, bool) else str(value)


def read_options(game: str, options: Sequence[Option], *, given: Mapping[str, Json]) -> dict[str, OptionValue]:
    """The house rules in force: `given` where it says something, else the defaults.

    Raises `OptionError` for a key that the game does not have and for a value that its option cannot take.
    """
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise OptionError(f"{game} has no option '{key}'.", hint=f"Its options: {', '.join(known)}.")
    return {key: option.read(given.get(key, option.default)) for key, option in known.items()}


class Game(Protocol[S]):
    """The contract that every game fulfils; `tests/contracts/test_games.py` plays all of them against it.

    A game inherits from this class and answers `decide`; `judge` and `apply` are the two halves of that answer.
    """

    @property
    def name(self) -> str:
        """The word in `Start.game`, in case files and on the command line."""

    @property
    def version(self) -> int:
        """The number of these rules, one more whenever a verdict changes; every match stores the one it began under."""

    @property
    def deck(self) -> str:
        """The deck that it is played with unless somebody says otherwise: a folder of `datasets/decks`."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The house rules it knows."""

    @property
    def rule_ids(self) -> frozenset[str]:
        """Every rule and decision a verdict may name; each has a text in every language on the game's page."""

    @property
    def found(self) -> Mapping[str, Json]:
        """The position (keys of `Start.setup`) in which a camera finds the table before the game begins."""

    @property
    def granted(self) -> Mapping[str, Json]:
        """What a written case takes for granted beside its `given`: in some games, that announcements are heard."""
        return {}

    @property
    def most_moves(self) -> int:
        """A game among players who only make standing moves is over after so many, or may be broken off."""

    @property
    def keeps_readings(self) -> bool:
        """Whether a lying card keeps its other plausible faces, so that later cards are judged against them all."""
        return False

    def packs(self, players: int, options: Mapping[str, Json]) -> int:
        """How many packs of the deck so many players need."""
        del players, options
        return 1

    def deal(self, players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
        """The position (keys of `Start.setup`) after `deck` was dealt by the rules, first card first; every card known.

        Deals are for simulations and checks: at a real table nobody knows the cards that lie face down.
        """

    def start(self, start: Start, previous: S | None = None) -> S:
        """The state a game begins in; `previous` is how the game before it in the same match ended.

        Raises `SetupError` for impossible players, options or positions.
        """

    def decide(self, state: S, move: Move) -> tuple[Verdict, S]:
        """The ruling on `move` and the state once its remedy is carried out.

        Raises `UnreadableError` when it is no move of this game; anything that somebody can do at a table is one.
        """

    def judge(self, state: S, move: Move) -> Verdict:
        """The ruling on `move`. Raises like `decide`."""
        return self.decide(state, move)[0]

    def apply(self, state: S, move: Move) -> S:
        """The state once `move` is judged and its remedy carried out. Raises like `decide`."""
        return self.decide(state, move)[1]

    def legal(self, state: S, player: str, *, held: Iterable[Face] | None = None) -> tuple[Move, ...]:
        """Every move of `player` (`TABLE` included) that would stand now: be ruled legal, pending or accepted.

        The player holds the cards `held`, or those that `state` knows. Claims are only listed where they are true; a
        card that must be tried from face down is listed whatever it is, since nobody can know that it will not stand.
        """

    def to_act(self, state: S, players: Sequence[str]) -> tuple[str, ...]:
        """Those of `players` and `TABLE`, in this order, for whom `legal` may list anything; it lists () for others."""
        del state
        return (*players, TABLE)

    def pending(self, state: S, time_s: float | None = None) -> tuple[Ask, ...]:
        """What the table has not answered yet; `time_s` is now, for questions that come up by waiting."""

    def answer(self, ask: Ask, choice: str) -> Declare | Call:
        """What a phone writes into the log when somebody answers `ask` of this game with `choice`.

        Raises `LogError` for a question that only an action at the table answers.
        """
        how, _, whom = choice.partition(" ")
        if ask.player is not None and ask.kind == "target" and whom:
            return Declare(ask.player, how, whom)
        if ask.player is not None and ask.kind in _DECLARED:
            return Declare(ask.player, _DECLARED[ask.kind], choice)
        if ask.player is not None and ask.kind == "stuck":
            return Call(ask.player, "stuck")
        raise LogError(f"'{choice}' does not answer the question '{ask.id}'.", hint="Do it at the table.")

    def copies(self, state: S) -> Mapping[Face, int]:
        """How often each face is in the deck that is played with; empty where nobody knows the deck."""

    def exhausted(self, state: S) -> frozenset[Face]:
        """Faces of which every copy is known to lie where it cannot be played from."""

    def inventory(self, state: S) -> tuple[Face, ...]:
        """Every card that the state accounts for, wherever it lies (hands, piles, burnt, box, on its way), any order.

        Moves move cards: in a game whose cards are all known this is the same multiset of faces at every step.
        """

    def knowledge(self, state: S) -> Mapping[str, Hand]:
        """What everybody could know about each player's hand from what was seen. Shown to nobody without `hints`."""

    def read(self, state: S, change: Change, *, player: str) -> tuple[Move, ...]:
        """The moves that a change on the table stands for, in the order in which they happened; () if it is none.

        `player` is whoever did it, or `UNCLEAR`. The moves carry no faces, times or data of the reading: the caller
        adds these (`referee.interpret`).
        """

    def view(self, state: S) -> dict[str, Json]:
        """What every phone may know of the state, JSON-ready: nothing that is hidden at the table."""

    def observe(self, state: S) -> dict[str, Json]:
        """What a rule case may check about the table, under the keys of the case files."""

    def scores(self, state: S) -> Mapping[str, int]:
        """The score of the series as it stands now: points, or won rounds, of every player whose score is known."""
        table, seats = self.observe(state), self.view(state).get("players")
        totals = table.get("points") or table.get("wins")
        counted = totals if isinstance(totals, Mapping) else {}
        scores = {name: score for name, score in counted.items() if isinstance(score, int)}
        names = [str(seat["name"]) for seat in seats if isinstance(seat, Mapping)] if isinstance(seats, list) else []
        return {**dict.fromkeys(names, 0), **scores}

    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it goes on."""
