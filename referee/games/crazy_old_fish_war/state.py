"""Crazy Old Fish War: the position. Values only, with the small questions that every part of the game asks of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from referee.cards import UNKNOWN, Face
from referee.games.crazy_old_fish_war.faces import fits
from referee.games.crazy_old_fish_war.house import HouseRules
from referee.games.replacing import replacing
from referee.games.seats import Cards, Seat, with_seat
from referee.knowledge import Claim
from referee.verdicts import Ask, Result, Verdict

__all__ = [
    "Due",
    "Laid",
    "Outcome",
    "Phase",
    "State",
    "Table",
    "Talk",
    "Turn",
    "Waiting",
    "War",
    "hand_size",
    "is_empty",
    "mark",
    "matches",
    "seat_at",
    "with_seats",
]

Phase: TypeAlias = Literal["setup", "playing", "over"]

Waiting: TypeAlias = Literal["match", "target", "war", "asked", "received", "colour"]
"""What the table waits for within a turn:

match     a card from the player whose turn it is, or war, or fish
target    "no match" was said (or a card lies face down): whom does it concern?
war       cards to be laid and flipped
asked     a card from the player who was asked, or a "no"
received  that the received card is played
colour    the colour of the wild card on top
"""


class Table(NamedTuple):
    """What stays the same during a round.

    players  in seating order, clockwise
    left     the left neighbour of each
    dealer   who dealt this round
    colours  the colours of the deck; empty where it is not known
    deck     every face of the deck with its copies, or None
    wins     rounds won before this one
    hears    whether a shouted fish can be heard or tapped; where it cannot, none is ever missing
    """

    rules: HouseRules
    players: tuple[str, ...]
    left: Mapping[str, str]
    dealer: str
    colours: tuple[str, ...] = ()
    deck: Cards = None
    wins: tuple[tuple[str, int], ...] = ()
    hears: bool = True


class Turn(NamedTuple):
    """Whose turn it is and what it waits for.

    whom  who was asked for a card (`asked`), who gave it (`received`), who names the colour (`colour`)
    card  the received card
    """

    player: str
    step: Waiting = "match"
    whom: str = ""
    card: Face = UNKNOWN


class Laid(NamedTuple):
    """A war card lying face down: one of the hand (which one is seen only when it is flipped), or off the draw pile.

    face     what it is in a simulation; nobody at the table knows
    shown    the face, once it was flipped before the other one, at `shown_s`
    """

    off_pile: bool = False
    face: Face = UNKNOWN
    shown: Face = UNKNOWN
    shown_s: float | None = None


class War(NamedTuple):
    """A war: the challenged player ("" until named), and the cards that both have laid for the next flip.

    Tied cards lie open in front of their owners (`Seat.open`). `unread` is the flip whose cards nobody has read.
    """

    rival: str = ""
    first: Laid | None = None
    second: Laid | None = None
    unread: Ask | None = None


class Due(NamedTuple):
    """A counted draw that was announced; hand and draw pile already are as if it were done."""

    player: str
    number: int
    rule: str


class Talk(NamedTuple):
    """Fish and their names (C-F1, C-F2).

    names   names used, plain (see `shouts.plain`)
    duties  who should shout one now, until the next player acts
    early   who did so this turn before the duty arose
    lapsed  who was reminded when the present turn began
    """

    names: tuple[str, ...] = ()
    duties: tuple[str, ...] = ()
    early: tuple[str, ...] = ()
    lapsed: tuple[str, ...] = ()


@replacing
class State(NamedTuple):
    """Everything the referee knows, and in a simulation also what nobody can see.

    seats    hands, tied cards (`open`) and tallies, in seating order
    pile     the play pile, the top card last
    draw     the draw pile, the next card last; None where nobody counted it
    colour   the named colour in force, or `ANY`; it counts on a wild card only
    top      who put the top card there, and the entry that says so
    war      the war that goes on, or the card laid before anybody was challenged
    due      counted draws that were announced
    claims   claims about hands, re-checked with every card shown
    ended    the player whose turn has just ended, and the rule against more (C-A26)
    begun    the first turn of the round is over, or its card lies
    changed  players whose hand has changed in this turn (C-A13)
    asks     questions about unread cards and unseen players
    stop     entry whose repair the table has not shown yet
    taking   players who take cards back by the latest remedy
    dry      a draw could not be made and that ends the round (`empty_draw`)
    """

    table: Table
    phase: Phase
    seats: tuple[Seat, ...]
    turn: Turn
    pile: tuple[Face, ...]
    draw: Cards = None
    colour: str | None = None
    top: tuple[str, int | None] = ("", None)
    war: War | None = None
    due: tuple[Due, ...] = ()
    claims: tuple[Claim, ...] = ()
    ended: tuple[str, str] | None = None
    begun: bool = True
    changed: tuple[str, ...] = ()
    talk: Talk = Talk()
    asks: tuple[Ask, ...] = ()
    stop: int | None = None
    taking: tuple[str, ...] = ()
    dry: bool = False
    result: Result | None = None


Outcome: TypeAlias = tuple[Verdict, State]
"""The ruling on a move, and the state once its remedy is carried out."""


def seat_at(state: State, player: str) -> Seat:
    """The seat of one of the players."""
    return state.seats[state.table.players.index(player)]


def with_seats(state: State, seat: Seat) -> State:
    """`state` with the seat of that player replaced."""
    return state._replace(seats=with_seat(state.seats, seat))


def mark(changed: tuple[str, ...], *players: str) -> tuple[str, ...]:
    """`changed` with these players added once: their hands have changed in this turn (C-A13)."""
    for name in players:
        if name not in changed:
            changed = (*changed, name)
    return changed


def matches(state: State, card: Face) -> bool | None:
    """Whether `card` matches the play pile now; None when that cannot be told."""
    return fits(state.pile[-1], state.colour, card)


def is_empty(seat: Seat) -> bool:
    """Whether the player is known to hold no card."""
    return seat.hand is not None and not seat.hand


def hand_size(state: State, player: str) -> int | None:
    """How many cards belong to a hand, those lying in a war included (C-A13); None where nobody counted."""
    seat = seat_at(state, player)
    if seat.hand is None:
        return None
    return len(seat.hand) + len(seat.open or ()) + _off_pile(state.war, first=player == state.turn.player, name=player)


def _off_pile(war: War | None, *, first: bool, name: str) -> int:
    """Whether a card off the draw pile lies face down in front of that player: those of the hand still count there."""
    if war is None:
        return 0
    laid = war.first if first else (war.second if name == war.rival else None)
    return int(laid is not None and laid.off_pile)
