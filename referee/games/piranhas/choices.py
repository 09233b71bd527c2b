"""Piranhas: what a player could do now, and every card there is. Only here the truth of a simulation is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.games.piranhas.fit import judge_fit, right_word
from referee.games.piranhas.hands import check_source
from referee.games.piranhas.play import stands
from referee.games.piranhas.setup import is_ready
from referee.games.piranhas.state import Seat, State, seat_of
from referee.games.piranhas.stop import somebody_can
from referee.moves import TABLE, Move

__all__ = ["choices", "inventory"]


def choices(state: State, player: str, held: Iterable[Face] | None) -> tuple[Move, ...]:
    """Every move of `player` that stands: the cards at hand (or `held`) played, discarded or turned over, the discard
    pile turned over when that is due, the restart, a true "I am stuck". Each play says what belongs to it.
    """
    seat = seat_of(state, player)
    if seat is None or state.phase != "playing":
        return (Move(TABLE, "start"),) if player == TABLE and _may_start(state) else ()
    covered, beneath = state.pile[-1].face == BACK, state.pile[-1].readings
    moves: tuple[Move, ...] = ()
    for card in _at_hand(seat) if held is None else held:
        source = check_source(seat, card)
        places = not covered and stands(beneath, card, state.rules, source=source, last=seat.owned == 1)
        said = right_word(beneath, card) if places else None
        moves += _uses(player, card, said, places, seat.owes or not source, not (seat.uncovered or source))
    if seat.discards and (seat.deck == 0 if seat.stock is None else not seat.stock):
        moves += _cardless(player, "turnover", None)
    if player not in state.stuck and _all_stuck(state, beneath):
        moves += _cardless(player, "call", "stuck")
    return moves


@lru_cache(maxsize=1 << 13)
def _uses(player: str, card: Face, said: str | None, places: bool, discards: bool, uncovers: bool) -> tuple[Move, ...]:
    """What `player` may do with `card`: the same objects again and again, since a playout lists them so often."""
    moves = []
    if places:
        moves.append(Move(player, "play", (card,), data={} if said is None else {"say": said}))
    if discards:
        moves.append(Move(player, "discard", (card,)))
    if uncovers:
        moves.append(Move(player, "reveal", (card,)))
    return tuple(moves)


@lru_cache(maxsize=1 << 10)
def _cardless(player: str, kind: str, target: str | None) -> tuple[Move, ...]:
    return (Move(player, kind, target=target),)


def _may_start(state: State) -> bool:
    return state.phase == "stopped" or (state.phase == "setup" and is_ready(state))


def _at_hand(seat: Seat) -> Iterable[Face]:
    """The uncovered card, else the upper card of the deck where that is known."""
    upper = seat.order[:1] if seat.stock is None else seat.stock[-1:]
    return filter(is_known, seat.uncovered or upper)


def _all_stuck(state: State, beneath: tuple[Face, ...]) -> bool:
    """Whether no player owns a card that fits: in truth, or where that is not known, as far as counting can tell."""
    for seat in state.seats:
        if () in map(judge_fit, repeat(beneath), _cards_of(seat)):
            return False
    seen = all(seat.stock is not None and all(map(is_known, _cards_of(seat))) for seat in state.seats)
    return (seen and len(beneath) == 1) or somebody_can(state) is False


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
