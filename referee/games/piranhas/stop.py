"""Piranhas: "Wrong card!", who takes how many cards, the stop and the restart (P-W1 to P-W7), and the ends (P-E)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.cards import Face, is_known
from referee.games.piranhas.fit import fits
from referee.games.piranhas.hands import add_to_discards, lay_down_all
from referee.games.piranhas.state import Debt, Placed, Seat, State, seat_of, with_seat
from referee.moves import UNCLEAR, Move
from referee.verdicts import Result, Step

__all__ = ["call_off", "end", "gain", "penalise", "punish_caller", "punish_owner", "somebody_can", "taken_off"]

OWNER_TAKES = 2
CALLER_TAKES = 3


def gain(seat: Seat, cards: tuple[Face, ...], *, ordered: bool = True) -> Seat:
    """`seat` with `cards` of the target pile on its discard pile."""
    more = add_to_discards(seat, cards, ordered=ordered)
    return more._replace(owned=None if seat.owned is None else seat.owned + len(cards))


def _stop(state: State, move: Move, *, leaving: tuple[Face, ...]) -> State:
    """Play stands still; what is left of the pile cannot be challenged any more (P-A24), one card stays (P-W6)."""
    pile = tuple(card._replace(open=False, asked=False) for card in state.pile)
    return state._replace(
        phase="stopped", pile=pile, stuck=frozenset(), stop_seq=move.seq, leaving=leaving, repaired=False
    )


def punish_owner(state: State, move: Move, *, card: Placed) -> tuple[State, tuple[Step, ...]]:
    """All stop (P-W1, P-W2), the owner of the wrong card on top takes it and up to two more (P-W4, P-W6).

    When nobody knows whose card it is, the cards are a debt until somebody says so.
    """
    beneath = state.pile[:-1]
    extra = min(OWNER_TAKES, len(beneath) - 1)
    packet = tuple(one.face for one in reversed(beneath[len(beneath) - extra :]))
    left = taken_off(state._replace(pile=beneath[: len(beneath) - extra]), card)
    left, laid_down = lay_down_all(_stop(left, move, leaving=(card.face, *packet)))
    owner = seat_of(left, card.player)
    if owner is not None:
        left = with_seat(left, penalise(owner, card.face, packet=packet))
    else:
        debt = Debt(card.seq, (card.face, *packet), penalty=True)
        left = left._replace(debts=(*left.debts, debt))
    take = Step(card.player, "take", (card.face, *packet), count=1 + extra, to="discard", how=f"own+{min(extra, 2)}")
    return left, laid_down if card.player == UNCLEAR else (*laid_down, take)


def penalise(seat: Seat, card: Face, *, packet: tuple[Face, ...]) -> Seat:
    """The owner's discard pile: own card first, then the packet, whose order nobody follows (P-A12)."""
    own = gain(seat, (card,))
    return gain(own, packet, ordered=not packet)._replace(wrong=seat.wrong + 1, played=max(0, seat.played - 1))


def punish_caller(state: State, move: Move) -> tuple[State, tuple[Step, ...]]:
    """All stop, the caller of a fitting card takes it and up to two more (P-W1, P-W2, P-W5, P-W6, P-A11)."""
    count = min(CALLER_TAKES, len(state.pile) - 1)
    packet = tuple(one.face for one in reversed(state.pile[-count:]))
    left, laid_down = lay_down_all(_stop(state._replace(pile=state.pile[:-count]), move, leaving=packet))
    caller = seat_of(left, move.player)
    left = with_seat(left, None if caller is None else gain(caller, packet, ordered=False))
    return left, (*laid_down, Step(move.player, "take", packet, count=count, to="discard", how=f"top{count}"))


def taken_off(state: State, card: Placed) -> State:
    """`state` after `card` went back to whoever owns it: it was not missed, and nobody need be asked whose it is."""
    this = (card.seq, card.face)
    return state._replace(
        debts=tuple(debt for debt in state.debts if debt.penalty or (debt.seq, debt.cards[0]) != this),
        missed=tuple(one for one in state.missed if one != this),
    )


def call_off(state: State, covering: Iterable[Placed]) -> tuple[State, tuple[Step, ...]]:
    """Cards laid on the questioned one after the call are void: onto their owners' discard piles (P-W1, P-A6)."""
    steps: list[Step] = []
    for card in covering:
        owner = seat_of(state, card.player)
        state = taken_off(state, card)
        if owner is not None:
            back = gain(owner, (card.face,))
            state = with_seat(state, back._replace(played=max(0, owner.played - 1)))
            steps.append(Step(card.player, "take", (card.face,), count=1, to="discard", how="void"))
    return state, tuple(steps)


def somebody_can(state: State) -> bool | None:
    """Whether some player must hold a card that fits the target (section 5 of the rules); None while undecided.

    Counted are the cards outside the target pile against those out of everybody's reach: the boxed ones, and one for
    every card of the pile that nobody has read, which looks as if it were outside.
    """
    if state.deck is None or not state.pile or len(state.pile[-1].readings) != 1:
        return None
    top = state.pile[-1].readings[0]
    sure = [card.face for card in state.pile if len(card.readings) == 1]
    outside = list((Counter(state.deck) - Counter(sure)).elements())
    fitting = sum(is_known(card) and fits(top, card) for card in outside)
    if fitting == 0 and all(map(is_known, outside)):
        return False
    if state.boxed is not None and fitting > state.boxed + len(state.pile) - len(sure):
        return True
    return None


def end(state: State, reason: str) -> State:
    """The game is over: fewest cards left over win it, lowest total wins a finished series (P-E1 to P-E4, P-A18)."""
    left = {seat.name: seat.owned for seat in state.seats if seat.owned is not None}
    totals = dict(state.points)
    points = {name: totals.get(name, 0) + count for name, count in left.items()}
    whole = len(left) == len(state.seats)
    last = state.games + 1 >= state.rules.series
    if reason == "last-card" and not last:
        winners = tuple(name for name, count in left.items() if count == 0)
    else:
        winners = _fewest(points if last else left) if whole else ()
    missed = tuple(card for _, card in state.missed) if state.rules.calls == "report" else ()
    result = Result("series" if last else "game", reason, winners, tuple(points.items()), missed)
    return state._replace(phase="over", stuck=frozenset(), result=result)


def _fewest(cards: dict[str, int]) -> tuple[str, ...]:
    least = min(cards.values())
    return tuple(name for name, count in cards.items() if count == least)
