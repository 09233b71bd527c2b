"""Piranhas: what a player could do now, and every card there is. Only here the truth of a simulation is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.cards import UNKNOWN, Face, is_known
from referee.games.piranhas.fit import fits, right_word
from referee.games.piranhas.hands import discard, uncover
from referee.games.piranhas.play import stands
from referee.games.piranhas.setup import is_ready
from referee.games.piranhas.state import Seat, State, seat_of
from referee.games.piranhas.stop import somebody_can
from referee.moves import TABLE, Json, Move

__all__ = ["choices", "inventory"]


def choices(state: State, player: str, held: Iterable[Face] | None) -> Iterator[Move]:
    """Every move of `player` that stands: the cards at hand (or `held`) played, discarded or turned over, the discard
    pile turned over when that is due, the restart, a true "I am stuck". Each play says what belongs to it.
    """
    if player == TABLE and (state.phase == "stopped" or (state.phase == "setup" and is_ready(state))):
        yield Move(TABLE, "start")
    seat = seat_of(state, player)
    if seat is None or state.phase != "playing":
        return
    for card in _at_hand(seat) if held is None else held:
        said = right_word(state.pile[-1].readings, card)
        data: dict[str, Json] = {} if said is None else {"say": said}
        placed = Move(player, "play", (card,), data=data)
        if stands(state, placed):
            yield placed
        if not discard(seat, card)[1]:
            yield Move(player, "discard", (card,))
        if not uncover(seat, card)[1]:
            yield Move(player, "reveal", (card,))
    if seat.discards and (seat.deck == 0 if seat.stock is None else not seat.stock):
        yield Move(player, "turnover")
    if player not in state.stuck and _all_stuck(state):
        yield Move(player, "call", target="stuck")


def _at_hand(seat: Seat) -> tuple[Face, ...]:
    """The uncovered card, else the upper card of the deck where that is known."""
    upper = seat.order[:1] if seat.stock is None else seat.stock[-1:]
    return tuple(filter(is_known, seat.uncovered or upper))


def _all_stuck(state: State) -> bool:
    """Whether no player owns a card that fits: in truth, or where that is not known, as far as counting can tell."""
    top, unseen = state.pile[-1].readings, False
    for seat in state.seats if len(top) == 1 else ():
        unseen = unseen or seat.stock is None
        for card in _cards_of(seat):
            if not is_known(card):
                unseen = True
            elif fits(top[0], card):
                return False
    return somebody_can(state) is False if unseen or len(top) != 1 else True


def _cards_of(seat: Seat) -> tuple[Face, ...]:
    return (seat.stock or ()) + seat.uncovered + seat.discards


def inventory(state: State) -> tuple[Face, ...]:
    """Every card that the state accounts for: piles, decks, hands, the box, penalties that nobody has owned up to."""
    cards = [card.face for card in state.pile]
    for seat in state.seats:
        unseen = (seat.owned or 0) - len(seat.uncovered) - len(seat.discards) if seat.stock is None else 0
        cards += _cards_of(seat) + (UNKNOWN,) * unseen
    for debt in state.debts:
        cards += debt.cards if debt.penalty else ()
    return (*cards, *state.box, *((UNKNOWN,) * ((state.boxed or 0) - len(state.box))))
