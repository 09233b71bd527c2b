"""Shithead: the state of a game, and the position that it begins from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.cards import UNKNOWN, Face, face, is_known
from referee.entries import Start
from referee.errors import SetupError
from referee.games.position import Position, check_players
from referee.games.replacing import replacing
from referee.games.seats import Cards, Seat
from referee.games.shithead.options import THREE, HouseRules, house_rules, pack_size
from referee.games.shithead.ranks import ANYTHING, FREE, JOKER, UNREAD, Bar, bars_of, match, rank_named, rank_of
from referee.knowledge import Claim
from referee.moves import Json
from referee.verdicts import Ask, Result

__all__ = ["NOTHING", "Due", "Last", "Phase", "State", "Top", "Waiting", "begin"]

Phase: TypeAlias = Literal["setup", "swap", "playing", "over"]

PLAYERS: Final = (2, 10)
"""The least and the most."""

_KEYS = (
    "phase", "pile", "top", "turn", "hands", "known", "hand_size", "open", "hidden", "draw", "rank", "run", "out",
    "games", "points",
)  # fmt: skip
_THREE, _SEVEN = 3, 7


class Top(NamedTuple):
    """What lies on top of the discard pile.

    rank  its effective rank; `UNREAD` on an empty pile and on a card that nobody has read
    run   how many equal effective ranks lie in a row (section 2 of the rules)
    bars  what the next card has to beat; several where nobody knows which it is
    """

    rank: int = UNREAD
    run: int = 0
    bars: tuple[Bar, ...] = FREE


NOTHING: Final = Top()


class Waiting(NamedTuple):
    """Jokers that lie on the pile without a rank (S-XJ): whose, where they came from, how many of them were known."""

    player: str
    cards: tuple[Face, ...]
    along: tuple[Face, ...]
    source: str
    known: int
    seq: int | None


class Due(NamedTuple):
    """A counted step that is announced and already carried out in the state: `draw` cards, or `take` the pile."""

    player: str
    what: Literal["draw", "take"]
    number: int


class Last(NamedTuple):
    """The play that stands, for cards that are added to it (S-A35): who, which rank, how many effective 8s."""

    player: str
    rank: int
    eights: int = 0


@replacing
class State(NamedTuple):
    """A game of Shithead. Faces that nobody saw are there in a simulation only, and no verdict looks at them.

    names     in seating order, clockwise, as are the `seats`
    pile      the discard pile, lowest card first; jokers without a rank lie on it (`waiting`)
    draw      the draw pile, the next card to be drawn last
    burnt     cards out of the game
    burned    the move just made burned or cleared the pile
    out       who has finished, in order; at the end with the loser
    extra     the rule that gave the last player another turn: S-X10, S-M1 or ""
    skipped   who was skipped by the play that stands
    maybe     who else may be next, since nobody has read the card that decides it
    owing     the player in turn took the pile and still has to take open cards (`take_open_on_pickup: must`)
    asks      questions about cards of the pile: whose, which
    stop      entry whose verdict ordered cards back, until that was seen
    turns     plays and pick-ups so far, `offered` of them when the table last chose to go on (S-A39)
    total     how many cards there should be; deck: every face, where it is known
    games     games of the series finished before this one, with the totals in `points`
    """

    rules: HouseRules
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    turn: str
    phase: Phase = "playing"
    pile: tuple[Face, ...] = ()
    top: Top = NOTHING
    draw: Cards = None
    burnt: tuple[Face, ...] = ()
    burned: bool = False
    out: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    due: Due | None = None
    waiting: Waiting | None = None
    owing: bool = False
    extra: str = ""
    skipped: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    last: Last | None = None
    asks: tuple[Ask, ...] = ()
    stop: int | None = None
    turns: int = 0
    offered: int = 0
    total: int = 0
    deck: tuple[Face, ...] = ()
    games: int = 0
    points: tuple[tuple[str, int], ...] = ()
    result: Result | None = None


def begin(start: Start, previous: State | None = None) -> State:
    """The state in which a game begins. Raises `SetupError`, `OptionError`, `CardError` or `MoveError`."""
    rules = house_rules(start.options)
    check_players("Shithead", start.players, least=PLAYERS[0], most=PLAYERS[1])
    size = pack_size(rules, len(start.players))
    setup = Position(start.setup, game="Shithead", players=start.players, keys=_KEYS)
    top = setup.text("top")
    pile = setup.cards("pile") or (() if top is None else (face(top),))
    out = setup.names("out")
    seats = _seats(start.players, setup, everything=start.setup.get("known") is True)
    state = State(
        rules=rules,
        names=tuple(start.players),
        seats=seats,
        turn=_first(start.players, setup.player("turn"), out),
        phase=_phase(setup),
        pile=pile,
        top=_top(rules, pile, named=start.setup.get("rank"), run=setup.number("run")),
        draw=_draw(setup, seats, out),
        out=out,
        total=size if "jokers" in start.options or not start.deck else len(start.deck),
        deck=start.deck,
        games=setup.number("games") or 0,
        points=_totals(start.players, setup.numbers("points"), rules),
    )
    _check_faces(state)
    return state if previous is None else _carry_on(state, previous)


def _phase(setup: Position) -> Phase:
    phases: Mapping[str, Phase] = {"setup": "setup", "swap": "swap", "playing": "playing"}
    return phases[setup.word("phase", "playing", allowed=tuple(phases))]


def _first(players: Sequence[str], turn: str | None, out: Sequence[str]) -> str:
    """Who acts first: the player named, else the first one who is still in (S-S4)."""
    if turn is not None:
        return turn
    return next((name for name in players if name not in out), players[0])


def _seats(players: Sequence[str], setup: Position, *, everything: bool) -> tuple[Seat, ...]:
    """`everything`: everybody knows the hand cards that the position names."""
    hands, sizes = setup.cards_each("hands"), setup.numbers("hand_size")
    known = hands if everything else setup.cards_each("known")
    opens, hidden = setup.cards_each("open"), setup.cards_each("hidden")
    return tuple(
        Seat(
            name,
            hand=_hand(name, hands.get(name), sizes.get(name), known.get(name, ())),
            known=tuple(filter(is_known, known.get(name, ()))),
            open=opens.get(name),
            hidden=hidden.get(name),
        )
        for name in players
    )


def _hand(name: str, hand: Cards, size: int | None, known: tuple[Face, ...]) -> Cards:
    """A hand as far as it was told: its cards or those that everybody knows, and how many there are."""
    if hand is None:
        if size is None:
            return None
        hand = known
    if size is not None:
        hand += (UNKNOWN,) * (size - len(hand))
    if size not in (None, len(hand)) or any(match(hand, card) is None and UNKNOWN not in hand for card in known):
        raise SetupError(f"The hand of {name} is told in two ways that disagree.", hint="Give its cards, or its size.")
    return hand


def _draw(setup: Position, seats: tuple[Seat, ...], out: tuple[str, ...]) -> Cards:
    """The draw pile; it is used up where somebody has fewer hand cards than one draws up to (S-T4)."""
    told = setup.cards_or_count("draw")
    few = any(seat.hand is not None and len(seat.hand) < THREE for seat in seats if seat.name not in out)
    return () if told is None and few else told


def _totals(players: Sequence[str], points: Mapping[str, int], rules: HouseRules) -> tuple[tuple[str, int], ...]:
    return tuple((name, points.get(name, 0)) for name in players) if rules.points else ()


def _top(rules: HouseRules, pile: tuple[Face, ...], *, named: Json, run: int | None) -> Top:
    """The top of a pile that was written down; `named` is its effective rank where that is not the printed one."""
    if not pile:
        return NOTHING
    ranks = [rank_of(card) for card in pile]
    printed = ranks[-1]
    rank = printed if named is None else rank_named(named)
    if rank in (JOKER, UNREAD):
        return Top(UNREAD, 0, ANYTHING)
    inherited = printed == _THREE != rank
    alike = (rank, _THREE) if inherited else (rank,)
    row = 1 + sum(1 for _ in takewhile(lambda one: one in alike, reversed(ranks[:-1])))
    bars: tuple[Bar, ...] = (Bar(rank, rank == _SEVEN),)
    if rank == _THREE and rules.three == "mirror":
        beneath = next((card for card in reversed(pile) if rank_of(card) not in (_THREE, JOKER)), None)
        bars = bars if beneath is None else bars_of((beneath,))
    return Top(rank, row if run is None else run, bars)


def _check_faces(state: State) -> None:
    hands = (cards for seat in state.seats for cards in (seat.hand, seat.open, seat.hidden, seat.known))
    for cards in (*hands, state.draw, state.deck):
        for card in cards or ():
            rank_of(card)


def _carry_on(state: State, previous: State) -> State:
    """Carries the series on (S-P1, S-A36) when the same players begin another game; one broken off does not count."""
    result = previous.result
    same = {seat.name for seat in previous.seats} == {seat.name for seat in state.seats}
    if not same or (result is not None and result.over == "series"):
        return state
    points = dict(previous.points if result is None else result.points)
    return state._replace(
        games=previous.games + (result is not None),
        points=tuple((name, points.get(name, 0)) for name, _ in state.points),
    )
