"""Mau-Mau: the cards, the position, and the small steps that change it. Rule ids are those of the page of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple

from referee.cards import UNKNOWN, Face, face, is_known
from referee.entries import Start
from referee.errors import CardError, SetupError
from referee.games.base import Option, OptionValue, read_options
from referee.games.position import Position, check_players
from referee.games.replacing import replacing
from referee.games.seats import Cards, Seat, draw_through, gain, with_seat
from referee.verdicts import Ask, Result

__all__ = [
    "CARDS", "DEALT", "EIGHTS", "JACKS", "OPTIONS", "SEVENS", "SUITS", "WORDS", "State", "Table", "begin", "check",
    "fitting", "give", "is_unread", "owed", "seat_at", "show", "take_from", "win",
]  # fmt: skip

SUITS: Final = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
"""The letter that ends a face, by the word that somebody says."""
WORDS: Final = {letter: word for word, letter in SUITS.items()}
CARDS: Final = frozenset(Face(rank + suit) for rank in ("7", "8", "9", "10", "J", "Q", "K", "A") for suit in WORDS)
"""The cards that are played with, one of each; the others of the pack are laid aside (M-S1)."""
SEVENS: Final = frozenset(card for card in CARDS if card[:-1] == "7")
EIGHTS: Final = frozenset(card for card in CARDS if card[:-1] == "8")
JACKS: Final = frozenset(card for card in CARDS if card[:-1] == "J")
DEALT: Final = 5
"""Cards that everybody gets (M-S1)."""

OPTIONS: Final = (
    Option("pass_sevens", True, (True, False), ("M-X7",)),
    Option("play_drawn", True, (True, False), ("M-T4",)),
    Option("jack_on_jack", False, (False, True), ("M-J1",)),
    Option("mau_penalty", 0, (0, 2), ("M-M1",)),
    Option("rounds_to_win", 1, (1, 100), ("M-E2",)),
    Option("hints", False, (False, True)),
)
_KEYS = ("phase", "pile", "top", "turn", "hands", "hand_size", "draw", "colour", "wins", "hears")


class Table(NamedTuple):
    """What stays the same during a round.

    options  the house rules in force
    left     the left neighbour of every player, in seating order
    first    who began the round, or this position
    wins     rounds won before it
    hears    whether announcements can be heard (M-A19)
    deck     the whole pack, where it is known; `aside` are its cards that are not played with
    """

    options: Mapping[str, OptionValue]
    left: Mapping[str, str]
    first: str
    wins: Mapping[str, int]
    hears: bool
    deck: tuple[Face, ...]
    aside: tuple[Face, ...]


@replacing
class State(NamedTuple):
    """A position of Mau-Mau. Faces that nobody saw are there in a simulation only, and no verdict looks at them.

    pile    the play pile, the top card last
    draw    the draw pile, the next card last; None where nobody counted it
    phase   setup, playing or over
    suit    the letter of the suit that was named and is in force; "" for none
    naming  the player in turn has played a jack and must name a suit
    sevens  how many 7s in a row wait to be drawn for
    drawn   who has drawn and may still play that card (M-A3)
    mau     who has come down to one card and can be called for it (M-A18)
    said    whether that player has said "Mau"
    due     who still has to draw cards, and how many; hand and draw pile are as if that were done
    layer   who put the top card there
    asks    questions about cards of the pile: whose, which
    stop    entry whose verdict ordered cards back, until that was seen
    """

    table: Table
    seats: tuple[Seat, ...]
    turn: str
    pile: tuple[Face, ...]
    draw: Cards
    phase: str = "playing"
    suit: str = ""
    naming: bool = False
    sevens: int = 0
    drawn: str = ""
    mau: str = ""
    said: bool = False
    due: tuple[str, int] | None = None
    layer: str = ""
    asks: tuple[Ask, ...] = ()
    stop: int | None = None
    result: Result | None = None


def begin(start: Start, previous: State | None) -> State:
    """The position that is written down. Raises `SetupError`, `OptionError` or `CardError`."""
    check_players("Mau-Mau", start.players, least=2, most=5)
    setup = Position(start.setup, game="Mau-Mau", players=start.players, keys=_KEYS)
    phase, top = setup.word("phase", "playing", allowed=("setup", "playing")), setup.text("top")
    pile = setup.cards("pile") or (() if top is None else (face(top),))
    if not pile and phase == "playing":
        pile = (UNKNOWN,)
    table, draw, hands = _table(start, setup, previous), setup.cards_or_count("draw"), setup.cards_each("hands")
    hands = {**{name: (UNKNOWN,) * size for name, size in setup.numbers("hand_size").items()}, **hands}
    for cards in (pile, draw or (), *hands.values()):
        check(cards)
    return State(
        table=table,
        seats=tuple(Seat(name, hands.get(name)) for name in start.players),
        turn=table.first,
        pile=pile,
        draw=draw,
        phase=phase,
        suit=SUITS[setup.word("colour", "", allowed=tuple(SUITS))] if "colour" in setup else "",
        asks=(Ask("which-card"),) if pile and not is_known(pile[-1]) else (),
    )


def check(cards: Iterable[Face]) -> None:
    """Raises `CardError` for a card that is not played with."""
    for card in cards:
        if card not in CARDS and is_known(card):
            raise CardError(f"{card} is no card of Mau-Mau.", hint="It has 7 to 10, J, Q, K and A of C, S, H and D.")


def _table(start: Start, setup: Position, previous: State | None) -> Table:
    """The house rules, and the rounds that the same players have won before (M-S3, M-E2, M-A20)."""
    names, first, wins = start.players, start.players[0], dict.fromkeys(start.players, 0)
    if previous is not None and {*previous.table.left} == {*names}:
        before, result = previous.table, previous.result
        if result is None:
            first, wins = before.first, {**before.wins}
        elif result.over == "round":
            first, wins = before.left[before.first], dict(result.points)
    if start.deck and CARDS.isdisjoint(start.deck):
        raise SetupError("No card of Mau-Mau is in this deck.", hint="Take the deck 'french'.")
    return Table(
        options=read_options("Mau-Mau", OPTIONS, given=start.options),
        left=dict(zip(names, names[1:] + names[:1], strict=True)),
        first=setup.player("turn") or first,
        wins=wins | setup.numbers("wins"),
        # In a written position what is not said was not said; a camera alone hears nothing (`MauMau.found`).
        hears="hears" not in setup or setup.flag("hears"),
        deck=start.deck,
        aside=tuple(card for card in start.deck if card not in CARDS),
    )


def seat_at(state: State, player: str) -> Seat:
    """The seat of one of the players."""
    return state.seats[[seat.name for seat in state.seats].index(player)]


def is_unread(state: State) -> bool:
    """Whether a card lies on top that nobody has read: nobody knows what may follow (M-A23)."""
    return not is_known(state.pile[-1])


def fitting(state: State) -> frozenset[Face]:
    """The cards that may go on the top card; all of them where nobody has read it."""
    options = state.table.options
    return _following(state.pile[-1], state.suit, state.sevens > 0, options["pass_sevens"], options["jack_on_jack"])


@cache
def _following(
    top: Face, suit: str, sevens: bool, pass_sevens: OptionValue, jack_on_jack: OptionValue
) -> frozenset[Face]:
    """M-T2, M-S4, M-X7, M-J1, M-J2."""
    if sevens:
        return SEVENS if pass_sevens else frozenset()
    if not is_known(top) or (top in JACKS and not suit):
        return CARDS
    alike = {card for card in CARDS if card[-1] == (suit or top[-1]) or (card[:-1] == top[:-1] and not suit)}
    return frozenset(alike - JACKS if top in JACKS and not jack_on_jack else alike | JACKS)


def owed(state: State) -> int:
    """How many cards the player in turn draws instead of playing: those that there are (M-T4, M-X7, M-T6, M-A8)."""
    wanted = 2 * state.sevens or 1
    return wanted if state.draw is None else min(wanted, len(state.draw) + len(state.pile) - 1)


def give(state: State, player: str, number: int) -> tuple[State, int]:
    """The table after the player has drawn so many cards, or all that there are, and how many (M-T5, M-A8).

    The play pile is shuffled when it is turned over; only where all cards are known its order stays (M-A11).
    """
    runs_out = state.draw is not None and len(state.draw) < number
    cards, draw, turned = draw_through(state.draw, _below(state) if runs_out else (), number)
    seats = with_seat(state.seats, gain(seat_at(state, player), cards, openly=False))
    return state._replace(seats=seats, draw=draw, pile=state.pile[-1:] if turned else state.pile), len(cards)


def _below(state: State) -> tuple[Face, ...]:
    """The cards of the play pile beneath its top, without their faces where nobody could know their order."""
    below = state.pile[:-1]
    known = all(seat.hand is not None and UNKNOWN not in seat.hand for seat in state.seats)
    return below if known else (UNKNOWN,) * len(below)


def take_from(seat: Seat, card: Face) -> Seat:
    """The seat after the card left the hand: it is taken for itself, else for one that nobody saw, else for any."""
    hand, known = seat.hand, seat.known
    if hand:
        place = hand.index(card if card in hand else UNKNOWN if UNKNOWN in hand else hand[-1])
        hand = hand[:place] + hand[place + 1 :]
    if known:
        # A card that nobody has read may be any of those that everybody knew.
        known = tuple(one for one in known if one != card) if is_known(card) else ()
        known = known if hand is None else known[: len(hand)]
    return seat._replace(hand=hand, known=known)


def show(seat: Seat, cards: tuple[Face, ...]) -> Seat:
    """The seat after cards were laid down and went back into the hand: everybody knows them now (M-A26)."""
    for card in cards:
        seat = take_from(seat, card)
    return gain(seat, cards, openly=True)


def win(state: State, player: str) -> State:
    """The round is over (M-E1), and with it perhaps the game (M-E2). What its last card asks for is waived (M-A15)."""
    wins = {**state.table.wins, player: state.table.wins[player] + 1}
    over: Literal["game", "round"] = "game" if wins[player] >= int(state.table.options["rounds_to_win"]) else "round"
    result = Result(over, "last-card", (player,), tuple(wins.items()))
    return state._replace(phase="over", suit="", naming=False, sevens=0, asks=(), result=result)
