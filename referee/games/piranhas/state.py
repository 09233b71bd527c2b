"""Piranhas: the state between two moves, and how a game begins. Rule ids are those of `rules/piranhas.md`.

These are named tuples, since a game makes new ones with every move: they cost a fraction of a frozen dataclass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from referee.cards import BACK, UNKNOWN, Face, face, fish_card, is_known
from referee.entries import Start
from referee.errors import SetupError
from referee.games.base import Option, OptionValue, read_options
from referee.games.position import Position, check_players
from referee.games.replacing import replacing
from referee.moves import TABLE, UNCLEAR
from referee.verdicts import Finding, Result

__all__ = [
    "FULL_DECK",
    "OPTIONS",
    "Debt",
    "HouseRules",
    "Phase",
    "Placed",
    "Seat",
    "State",
    "begin",
    "replaced",
    "seat_of",
    "with_seat",
]

FULL_DECK = 53
"""Cards of the printed game: 45 fish cards and 8 piranhas (P-S0)."""

OPTIONS = (
    Option("calls", "referee", ("referee", "players", "report"), ("P-W1", "P-W3", "P-A1")),
    Option("announce", "remind", ("remind", "ignore", "strict"), ("P-F4", "P-F6", "P-F9")),
    Option("race_grace_ms", 0, (0, 1000), ("P-A7",)),
    Option("reshuffle_on_turnover", False, (False, True), ("P-D1",)),
    Option("illegal_source_as_wrong_card", False, (False, True), ("P-G8", "P-G9")),
    Option("series", 3, (1, 99), ("P-E4",)),
    Option("stuck_reminder_s", 30, (0, 3600), ("P-E2",)),
    Option("more_players", False, (False, True), ("P-S3", "P-S4")),
    Option("hints", False, (False, True)),
)

Phase = Literal["setup", "playing", "stopped", "over"]


class HouseRules(NamedTuple):
    """The options in force, by name."""

    calls: str
    announce: str
    race_grace_ms: int
    reshuffle_on_turnover: bool
    illegal_source_as_wrong_card: bool
    series: int
    stuck_reminder_s: int
    more_players: bool
    hints: bool

    @property
    def quiet(self) -> bool:
        """Whether the referee keeps silent about a wrong card until a player calls it (P-A1)."""
        return self.calls != "referee"


@replacing
class Placed(NamedTuple):
    """A card of the target pile.

    player      who placed it; `TABLE` for the first target, `UNCLEAR` while nobody knows
    candidates  the plausible faces of an uncertain reading; empty when it is certain
    faults      rules that it broke against the card beneath; None while that is undecided
    open        it may still be challenged: neither ruled on, nor the target from the start, nor uncovered by a penalty
    race        with these faults it would go back free (P-A7)
    asked       the table was asked about its face or about the face beneath
    """

    face: Face
    player: str = UNCLEAR
    time_s: float | None = None
    seq: int | None = None
    candidates: tuple[Face, ...] = ()
    faults: tuple[Finding, ...] | None = ()
    open: bool = False
    race: bool = False
    asked: bool = False

    @property
    def readings(self) -> tuple[Face, ...]:
        """Every face that it may have; empty when it may have any."""
        if self.candidates:
            return self.candidates
        return (self.face,) if is_known(self.face) else ()


@replacing
class Seat(NamedTuple):
    """What everybody could know of one player, and in a simulation (`stock`) what nobody does.

    owned      number of own cards (deck, uncovered card, discard pile; P-A17); None when nobody knows
    uncovered  the face of the uncovered card; after a breach of P-G7 the faces of which one stays; else empty
    owes       a second uncovered card has to go onto the discard pile (P-G7)
    deck       number of face-down cards; None when it was not counted from the start
    order      the known upper cards of the deck, first the next one (after a turn-over)
    discards   the own discard pile as far as it was seen, the first card discarded first
    sorted     whether that order is known: false after a penalty (P-A12)
    wrong      wrong cards that were ruled on
    played     cards placed that stand
    stock      every card of the deck as it really lies, the upper one last; None at a real table. What a player could
               do hangs on it, never a verdict: a deck is judged by its known `order` alone
    """

    name: str
    owned: int | None = None
    uncovered: tuple[Face, ...] = ()
    owes: bool = False
    deck: int | None = None
    order: tuple[Face, ...] = ()
    discards: tuple[Face, ...] = ()
    sorted: bool = True
    wrong: int = 0
    played: int = 0
    stock: tuple[Face, ...] | None = None


class Debt(NamedTuple):
    """A card that somebody unclear placed in entry `seq`: that player owns it no more.

    With `penalty` it went back as a wrong card, followed by the other `cards` of the pile.
    """

    seq: int | None
    cards: tuple[Face, ...]
    penalty: bool = False


@replacing
class State(NamedTuple):
    """A position of Piranhas.

    deck      every face of the deck with its copies, or None when it is not known
    boxed     number of cards in the box; None when nobody knows
    box       these cards, as far as they are known (in a simulation): for counting, never for a verdict
    hears     whether announcements can be heard or tapped at all (P-A4)
    stuck     who has pressed "stuck" since the last placement
    missed    wrong cards that nobody called, by entry and face, in the order of placing (only for `calls: report`)
    stop_seq  entry whose verdict stopped play
    leaving   cards that the remedy takes off the target pile, until the repair was seen
    repaired  the repair was seen, play goes on with the next card
    debts     placed cards whose owner is not known yet, in the order of placing
    games     games of the series finished before this one, with `points` cards left over in them
    last_s    time of the last placement
    """

    rules: HouseRules
    seats: tuple[Seat, ...]
    phase: Phase = "playing"
    pile: tuple[Placed, ...] = ()
    deck: tuple[Face, ...] | None = None
    boxed: int | None = None
    box: tuple[Face, ...] = ()
    hears: bool = False
    stuck: frozenset[str] = frozenset()
    missed: tuple[tuple[int | None, Face], ...] = ()
    stop_seq: int | None = None
    leaving: tuple[Face, ...] = ()
    repaired: bool = False
    debts: tuple[Debt, ...] = ()
    games: int = 0
    points: tuple[tuple[str, int], ...] = ()
    last_s: float | None = None
    result: Result | None = None

    @property
    def total(self) -> int:
        """Number of cards of the whole deck."""
        return FULL_DECK if self.deck is None else len(self.deck)


def seat_of(state: State, player: str) -> Seat | None:
    """The seat of `player`, or None for the table and for somebody unclear."""
    for seat in state.seats:
        if seat.name == player:
            return seat
    return None


def with_seat(state: State, seat: Seat | None) -> State:
    """`state` with the seat of that name replaced; unchanged for None."""
    if seat is None:
        return state
    # Nearly every move comes by here, and `_replace` takes three times as long.
    return State._make((state.rules, replaced(state.seats, seat), *state[2:]))


def replaced(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """`seats` with the one of that name replaced."""
    return tuple([seat if one.name == seat.name else one for one in seats])


_SETUP_KEYS = (
    "phase",
    "pile",
    "top",
    "counts",
    "decks",
    "deck",
    "unseen",
    "boxed",
    "holding",
    "games",
    "points",
    "hears",
)


def begin(start: Start, previous: State | None = None) -> State:
    """The state in which a game begins. Raises `SetupError`, `OptionError` or `CardError`."""
    rules = _house_rules(read_options("piranhas", OPTIONS, given=start.options))
    most = FULL_DECK - 1 if rules.more_players else 4
    hint = "Name all players; five or more need the option more_players = true."
    check_players("Piranhas", start.players, least=2, most=most, hint=hint)
    setup = Position(start.setup, game="Piranhas", players=start.players, keys=_SETUP_KEYS)
    setup.word("deck", "unknown", allowed=("known", "unknown"))
    phase: Phase = "setup" if setup.word("phase", "playing", allowed=("setup", "playing")) == "setup" else "playing"
    # What lies in the middle without having been told: face down before the start, unread after it.
    pile = setup.cards("pile") if "pile" in start.setup else (face(setup.text("top") or _middle(phase)),)
    if not pile and phase != "setup":
        raise SetupError("There is no target card to play on.", hint="Give the first card of the target pile.")
    seats, boxed = _seats(start.players, setup), setup.cards_or_count("boxed")
    for card in (*pile, *start.deck, *(boxed or ()), *(one for seat in seats for one in seat.stock or ())):
        if is_known(card):
            fish_card(card)
    state = State(
        rules=rules,
        seats=seats,
        phase=phase,
        pile=tuple(Placed(card, TABLE) for card in pile),
        deck=_deck(start.deck, setup, pile=pile),
        boxed=None if boxed is None else len(boxed),
        box=boxed or (),
        hears=setup.flag("hears"),
        games=setup.number("games") or 0,
        points=tuple(setup.numbers("points").items()),
    )
    return _dealt(state, start) if previous is None else _next_game(_dealt(state, start), previous)


def _house_rules(options: Mapping[str, OptionValue]) -> HouseRules:
    return HouseRules(
        calls=str(options["calls"]),
        announce=str(options["announce"]),
        race_grace_ms=int(options["race_grace_ms"]),
        reshuffle_on_turnover=bool(options["reshuffle_on_turnover"]),
        illegal_source_as_wrong_card=bool(options["illegal_source_as_wrong_card"]),
        series=int(options["series"]),
        stuck_reminder_s=int(options["stuck_reminder_s"]),
        more_players=bool(options["more_players"]),
        hints=bool(options["hints"]),
    )


def _middle(phase: Phase) -> Face:
    return BACK if phase == "setup" else UNKNOWN


def _seats(players: Sequence[str], setup: Position) -> tuple[Seat, ...]:
    counts, holding, decks = setup.numbers("counts"), setup.names("holding"), setup.cards_each("decks")
    seats = []
    for name in players:
        uncovered, stock = (UNKNOWN,) if name in holding else (), decks.get(name)
        owned = None if stock is None else len(stock) + len(uncovered)
        deck = None if stock is None else len(stock)
        seats.append(Seat(name, counts.get(name, owned), uncovered, deck=deck, stock=stock))
    return tuple(seats)


def _deck(deck: tuple[Face, ...], setup: Position, *, pile: tuple[Face, ...]) -> tuple[Face, ...] | None:
    if deck:
        return deck
    return (*pile, *setup.cards("unseen")) if "unseen" in setup else None


def _dealt(state: State, start: Start) -> State:
    """With a whole known deck and nothing else said about counts, everybody got the same number (P-S3, P-S4)."""
    each, boxed = divmod(len(start.deck) - 1, len(state.seats))
    if start.deck and len(state.pile) == 1 and all(seat.owned in (None, each) for seat in state.seats):
        seats = tuple(seat._replace(owned=each, deck=each - len(seat.uncovered)) for seat in state.seats)
        return state._replace(seats=seats, boxed=boxed if state.boxed is None else state.boxed)
    if state.phase == "setup":
        return state._replace(seats=tuple(seat._replace(deck=seat.owned) for seat in state.seats))
    return state


def _next_game(state: State, previous: State) -> State:
    """Carries the series on (P-E4) when the same players begin another game; one that was broken off does not count."""
    result = previous.result
    same = {seat.name for seat in previous.seats} == {seat.name for seat in state.seats}
    if not same or (result is not None and result.over == "series"):
        return state
    if result is None:
        return state._replace(games=previous.games, points=previous.points)
    return state._replace(games=previous.games + 1, points=result.points)
