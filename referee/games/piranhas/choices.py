"""Piranhas: what a player could do now, and every card there is. Only here the truth of a simulation is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.games.piranhas.fit import judge_fit, right_word
from referee.games.piranhas.hands import check_source
from referee.games.piranhas.play import may_stay, passes
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
    top = state.pile[-1]
    beneath, covered = top.readings, top.face == BACK
    silent = state.rules.quiet and seat.owned != 1
    moves: tuple[Move, ...] = ()
    for card in _at_hand(seat) if held is None else held:
        source = check_source(seat, card)
        if source:
            places = not covered and passes(state.rules, source, last=seat.owned == 1)
            moves += _uses(player, card, beneath if places else None, seat.owes, uncovers=False)
        else:
            moves += _allowed(player, card, None if covered else beneath, silent, not seat.uncovered)
    if seat.discards and (seat.deck == 0 if seat.stock is None else not seat.stock):
        moves += _cardless(player, "turnover", None)
    if player not in state.stuck and _all_stuck(state, beneath):
        moves += _cardless(player, "call", "stuck")
    return moves


@lru_cache(maxsize=1 << 13)
def _allowed(
    player: str, card: Face, beneath: tuple[Face, ...] | None, silent: bool, uncovers: bool
) -> tuple[Move, ...]:
    """What `player` may do with a `card` that comes from where it may: the same objects again and again."""
    places = beneath is not None and may_stay(beneath, card, silent=silent)
    return _uses(player, card, beneath if places else None, discards=True, uncovers=uncovers)


def _uses(
    player: str, card: Face, beneath: tuple[Face, ...] | None, discards: bool, *, uncovers: bool
) -> tuple[Move, ...]:
    """What `player` may do with `card`, placed on one of `beneath` or, where that is None, not at all."""
    moves = []
    if beneath is not None:
        said = right_word(beneath, card)
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
    return filter(is_known, seat.uncovered or (seat.order[:1] if seat.stock is None else seat.stock[-1:]))


def _all_stuck(state: State, beneath: tuple[Face, ...]) -> bool:
    """Whether no player owns a card that fits: in truth, or where that is not known, as far as counting can tell."""
    fits = _fits_on(beneath)
    for seat in state.seats:
        if any(map(fits, seat.stock or ())) or any(map(fits, seat.uncovered)) or any(map(fits, seat.discards)):
            return False
    seen = all(seat.stock is not None and all(map(is_known, _cards_of(seat))) for seat in state.seats)
    return (seen and len(beneath) == 1) or somebody_can(state) is False


class _Fitting(dict[Face, bool]):
    """Every card that was ever looked up on one target: whether it surely fits."""

    def __init__(self, beneath: tuple[Face, ...]) -> None:
        super().__init__()
        self._beneath = beneath

    def __missing__(self, card: Face) -> bool:
        self[card] = fits = judge_fit(self._beneath, card) == ()
        return fits


@lru_cache(maxsize=1 << 10)
def _fits_on(beneath: tuple[Face, ...]) -> Callable[[Face], bool]:
    return _Fitting(beneath).__getitem__


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
