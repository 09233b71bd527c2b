"""Crazy Old Fish War: the check before the first turn and the card that is turned over (C-S2 to C-S5, C-A2)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.cards import UNKNOWN, is_known
from referee.games.crazy_old_fish_war.cease import inventory
from referee.games.crazy_old_fish_war.faces import ANY, is_wild
from referee.games.crazy_old_fish_war.start import DEALT, next_round, opened
from referee.games.crazy_old_fish_war.state import Outcome, State
from referee.games.crazy_old_fish_war.turns import out_of_play, waiting_for
from referee.moves import TABLE, Move
from referee.verdicts import Ask, Finding, Step, Verdict

__all__ = ["checked", "reveal", "start"]

_REMEDIES: Mapping[str, str] = {"C-S2": "deal", "C-S3": "draw-pile", "C-S4": "turn-card"}


def start(state: State, move: Move) -> Outcome:
    """Everybody is ready: is everything in place? What was not told is not checked."""
    if state.phase == "over":
        again = _again(state)
        return out_of_play(state, move) if again is None else _open(again._replace(pile=(UNKNOWN,)), move)
    if state.phase == "playing":
        return Verdict(move, "legal", routine=True), state
    faults = checked(state)
    return _foul(state, move, faults) if faults else _open(state, move)


def _again(state: State) -> State | None:
    """The next round of a game that is not over yet: the table has dealt again without saying more."""
    if state.result is None or state.result.over != "round":
        return None
    counted = state.draw is not None and all(seat.hand is not None for seat in state.seats)
    return next_round(state, len(inventory(state)) if counted else None)


def checked(state: State) -> tuple[Finding, ...]:
    """What is not in place for the first turn (C-S2 to C-S4)."""
    wrong = [seat.name for seat in state.seats if seat.hand is not None and len(seat.hand) != DEALT]
    faults = [Finding("C-S2", facts={"case": "check", "players": ", ".join(wrong)})] if wrong else []
    if state.draw is not None and (not state.draw or not _adds_up(state)):
        faults.append(Finding("C-S3", facts={"case": "check" if state.draw else "missing"}))
    if not state.pile:
        faults.append(Finding("C-S4", facts={"case": "missing"}))
    elif not all(map(is_wild, state.pile[:-1])):
        faults.append(Finding("C-S4", state.pile, {"case": "several"}))
    return tuple(faults)


def _adds_up(state: State) -> bool:
    """Whether all cards of a known deck are on the table, as far as everything was counted."""
    deck, hands = state.table.deck, [seat.hand for seat in state.seats]
    if deck is None or state.draw is None or None in hands:
        return True
    counted = sum(len(hand) for hand in hands if hand is not None) + len(state.pile) + len(state.draw)
    return counted == len(deck) or any(hand is not None and len(hand) != DEALT for hand in hands)


def _foul(state: State, move: Move, faults: tuple[Finding, ...]) -> Outcome:
    steps = tuple(Step(TABLE, "setup", how=how) for how in dict.fromkeys(_REMEDIES[one.rule] for one in faults))
    return Verdict(move, "foul", faults=faults, remedy=steps), state


def _open(state: State, move: Move) -> Outcome:
    after = opened(state)
    if after is None:
        step = Step(TABLE, "turn", count=1, to="pile", how="turn-more")
        return Verdict(move, "pending", grounds=(Finding("C-A2", state.pile, {"case": "more"}),), remedy=(step,)), state
    asks = waiting_for(after)
    if asks:
        ground = Finding("C-A2", state.pile[-1:], {"case": "dealer", "player": state.table.dealer})
        return Verdict(move, "pending", grounds=(ground,), asks=asks), after
    if after.colour == ANY:
        return Verdict(move, "legal", grounds=(Finding("C-A2", state.pile[-1:], {"case": "any"}),)), after
    return Verdict(move, "legal"), after


def reveal(state: State, move: Move) -> Outcome:
    """The table turns a card over: the first of the play pile, or one that had not been read."""
    (card,) = move.cards
    if state.phase == "over":
        again = _again(state)
        return out_of_play(state, move) if again is None else reveal(again, move)
    unread = bool(state.pile) and not is_known(state.pile[-1])
    if unread and is_known(card):
        state = state._replace(pile=(*state.pile[:-1], card), asks=_without(state.asks, state.top[1]))
        return (Verdict(move, "legal", routine=True), state) if state.phase == "playing" else _turned(state, move)
    if state.phase == "playing":
        return Verdict(move, "legal", routine=True), state
    if state.pile and not unread and not is_wild(state.pile[-1]):
        step = Step(TABLE, "take", (card,), count=1, to="draw", how="to-draw-pile")
        return Verdict(move, "foul", faults=(Finding("C-S4", (card,), {"case": "several"}),), remedy=(step,)), state
    draw = None if state.draw is None else state.draw[:-1]
    return _turned(state._replace(pile=(*state.pile, card), draw=draw, top=("", move.seq)), move)


def _turned(state: State, move: Move) -> Outcome:
    if not is_known(state.pile[-1]):
        ask = Ask("which-card", seq=move.seq)
        return Verdict(move, "pending", asks=(ask,)), state._replace(asks=(*state.asks, ask))
    faults = checked(state)
    return _foul(state, move, faults) if faults else _open(state, move)


def _without(asks: tuple[Ask, ...], seq: int | None) -> tuple[Ask, ...]:
    return tuple(ask for ask in asks if ask.kind != "which-card" or ask.seq != seq)
