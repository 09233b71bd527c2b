"""Shithead: cards are played, and what becomes of them (S-K, S-X, S-M, S-A41, S-A42, S-A46).

Every function answers with the state afterwards and a way to tell the verdict: whoever only needs the state does not
pay for the words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from referee.cards import Face
from referee.games.seats import Cards, Seat, seat_of, with_seat
from referee.games.shithead.claims import showed, took
from referee.games.shithead.effects import FOUR, next_players, stand
from referee.games.shithead.hands import BLIND, HAND, leave, take_up
from referee.games.shithead.lay import Judged, Laid, judge, kept, read_laid
from referee.games.shithead.ranks import ANYTHING, JOKER, UNREAD, rank_named, rank_of, together
from referee.games.shithead.setup import DEAL, dealt, setup_faults
from referee.games.shithead.state import Due, State, Top, Waiting
from referee.games.shithead.telling import (
    back_steps,
    beneath,
    finding,
    rank_ask,
    told_back,
    told_standing,
    told_taken,
    told_unnamed,
)
from referee.knowledge import Claim
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.verdicts import Ask, Finding, Ruling, Verdict

__all__ = [
    "OVER", "Outcome", "Telling", "by_somebody", "name", "out_of_turn", "picked_up", "play", "stands_plainly",
    "turn_facts",
]  # fmt: skip

Telling: TypeAlias = Callable[[], Verdict]
Outcome: TypeAlias = tuple[Telling, State]

OVER: Final = "S-G"
"""The rule because of which nothing counts any more."""

_PLAYED_IN: Final = ("playing", "swap")

_TAKEN_WITH = ("S-K2", "S-K3", "S-X7")
"""Rules whose breach costs the pile with `misplay: take_pile`."""


def play(state: State, move: Move) -> Outcome:
    """Cards are played. Raises `MoveError` or `CardError` for what is no play of this game."""
    seat = seat_of(state.seats, move.player)
    if seat is None:
        return by_somebody(play, state, move)
    laid = read_laid(seat, move)
    barred = _barred(state, laid)
    if not barred or (move.late and barred != OVER):
        return _lay(_cleared(state), move, laid, late=barred)
    return _void(state, move, laid, rule=barred)


def stands_plainly(state: State, move: Move) -> State | None:
    """The position after cards that simply lie there, for whoever needs no verdict; None where there is more to it."""
    if move.player != state.turn or state.phase not in _PLAYED_IN or state.owing or state.waiting is not None:
        return None
    seat = seat_of(state.seats, move.player)
    if seat is None or move.candidates:
        return None
    laid = read_laid(seat, move)
    judged = judge(state, laid)
    if judged.fault or judged.wrong or judged.unnamed or not judged.sure:
        return None
    return stand(state, laid, judged)[0]


def by_somebody(doing: Callable[[State, Move], Outcome], state: State, move: Move) -> Outcome:
    """Nobody saw who it was: it counts as done by whoever's turn it is, and the table is asked (S-S4)."""
    tell, after = doing(state, replace(move, player=state.turn))
    verdict = tell()
    if verdict.ruling == "void":
        return lambda: replace(verdict, move=move), after
    ask = Ask("whose", seq=move.seq, choices=tuple(one.name for one in state.seats if one.name not in state.out))
    asked = after if after.phase == "over" else after._replace(asks=(*after.asks, ask))
    return lambda: replace(verdict, move=move, asks=(*verdict.asks, ask)), asked


def name(state: State, move: Move) -> Outcome:
    """A rank is named for the jokers that lie there (S-XJ). Raises `MoveError` for what is no rank."""
    rank = rank_named(move.data.get("n") if move.target is None else move.target)
    waiting = state.waiting
    if waiting is None or move.player not in (waiting.player, TABLE, UNCLEAR):
        case = "nothing" if waiting is None else "not-yours"
        verdict = partial(Verdict, move, "void", grounds=(Finding("S-XJ", facts={"case": case}),))
        return verdict, state._replace(burned=False)
    state, laid = _taken_off(state, waiting, rank)
    return _lay(state, replace(move, player=waiting.player, cards=laid.everything), laid)


def _taken_off(state: State, waiting: Waiting, rank: int) -> tuple[State, Laid]:
    """The table before the jokers lay there, and the jokers about to be laid with a rank."""
    seat = next(one for one in state.seats if one.name == waiting.player)
    if waiting.source == HAND:
        known = seat.known + waiting.cards[: waiting.known]
        seat = seat._replace(
            hand=_joined(seat.hand, waiting.cards), known=known, open=_joined(seat.open, waiting.along)
        )
    elif waiting.source == BLIND:
        seat = seat._replace(hidden=_joined(seat.hidden, waiting.cards))
    else:
        seat = seat._replace(open=_joined(seat.open, waiting.cards + waiting.along))
    laid = Laid(seat, waiting.cards, waiting.source, waiting.along, named=rank)
    pile = state.pile[: len(state.pile) - len(laid.everything)]
    return state._replace(pile=pile, seats=with_seat(state.seats, seat), waiting=None), laid


def _joined(cards: Cards, more: tuple[Face, ...]) -> Cards:
    return None if cards is None else cards + more


def _cleared(state: State) -> State:
    """The table as somebody finds it who plays on although something was still to be said or done."""
    if state.waiting is not None:
        return state._replace(waiting=None, top=Top(UNREAD, 0, ANYTHING))
    return state._replace(owing=False) if state.owing else state


def _barred(state: State, laid: Laid) -> str:
    """Why this player may not play at all now, or "": it is somebody else's turn (S-A41), or something else is due."""
    player = laid.seat.name
    if state.phase == "over":
        return OVER
    if state.waiting is not None:
        return "S-XJ" if player == state.waiting.player else "S-S4"
    if player == state.turn:
        return "S-T3" if state.owing else ""
    if player not in state.out and (player in state.maybe or _burns_in(state, laid) or _follows_up(state, laid)):
        return ""
    return out_of_turn(state, player)


def out_of_turn(state: State, player: str) -> str:
    """The rule that somebody breaks who acts out of turn (S-A41)."""
    return "S-X8" if player in state.skipped else state.extra or "S-S4"


def _burns_in(state: State, laid: Laid) -> bool:
    """House rule `burn_in` (S-A19): these cards make the run four or longer."""
    if not state.rules.burn_in or laid.source == BLIND or not state.pile:
        return False
    return _own_rank(laid) == state.top.rank and state.top.run + len(laid.everything) >= FOUR


def _follows_up(state: State, laid: Laid) -> bool:
    """House rule `follow_up` (S-A35): cards of the rank that the player has just played."""
    last = state.last
    if not state.rules.follow_up or laid.source == BLIND or last is None or last.player != laid.seat.name:
        return False
    return _own_rank(laid) == last.rank


def _own_rank(laid: Laid) -> int | None:
    """The rank of cards that are one, as they are printed or named; None where there is none."""
    kind = together(laid.everything)
    if kind.several or kind.unread:
        return None
    return kind.rank or laid.named or None


def _lay(state: State, move: Move, laid: Laid, *, late: str = "") -> Outcome:
    """The cards of somebody who may play now; `late`: who may not, but that was too long ago."""
    if state.phase == "setup":
        faults = setup_faults(state)
        if faults:
            verdict = partial(Verdict, move, "foul", faults=faults, remedy=(*back_steps(laid), DEAL))
            return verdict, state
        state = dealt(state)
        laid = laid._replace(seat=next(seat for seat in state.seats if seat.name == laid.seat.name))
    judged = judge(state, laid)
    if move.late and (judged.fault or judged.wrong or late):
        return _stand_late(state, move, laid, judged, rule=late or judged.fault or judged.joined)
    if judged.fault:
        return _wrong(state, move, laid, judged)
    if judged.unnamed:
        return _wait(state, move, laid)
    if state.maybe and laid.seat.name != state.turn and laid.seat.name in state.maybe:
        judged = judged._replace(sure=False)  # it hangs on a card that nobody has read that it is this player's turn
    return _stand(state, move, kept(laid, judged.wrong) if judged.wrong else laid, judged)


def _stand(state: State, move: Move, laid: Laid, judged: Judged, *, late: Finding | None = None) -> Outcome:
    readings = tuple(card for card, _ in move.candidates) if move.candidates else ()
    after, proves = stand(state, laid, judged, readings)
    asks: tuple[Ask, ...] = ()
    if not judged.sure:
        asks, after = _ask_for_card(state, after, move, laid, readings)
    return partial(told_standing, move, state, after, laid, judged, proves, asks, late), after


def _ask_for_card(
    state: State, after: State, move: Move, laid: Laid, readings: tuple[Face, ...]
) -> tuple[tuple[Ask, ...], State]:
    """The question for the card that nobody has read: one just played, else the upper one of the pile."""
    if any(rank_of(card) == UNREAD for card in laid.everything):
        ask = Ask("which-card", seq=move.seq, choices=readings)
        return (ask,), after._replace(asks=(*after.asks, ask)) if after.phase != "over" else after
    open_asks = [ask for ask in state.asks if ask.kind == "which-card"]
    return tuple(open_asks[-1:]) or (Ask("which-card"),), after


def _stand_late(state: State, move: Move, laid: Laid, judged: Judged, *, rule: str) -> Outcome:
    """What was wrong too long ago lies there as it is, and play goes on from its player."""
    if judged.unnamed:
        return _wait(state, move, laid)
    ranks = [rank for rank in map(rank_of, laid.everything) if rank not in (JOKER, UNREAD)]
    rank = judged.rank or (ranks[-1] if ranks else laid.named)
    forced = Judged(rank=rank, inherits=judged.inherits, sure=rank != UNREAD)
    ground = Finding(rule, laid.everything, {"case": "late"})
    return _stand(state._replace(maybe=()), move, laid, forced, late=ground)


def _wait(state: State, move: Move, laid: Laid) -> Outcome:
    """Jokers lie there until somebody says what they count as (S-XJ); the next player waits."""
    seat = leave(laid.seat, laid.cards, laid.source, laid.along)
    known = len(laid.seat.known) - len(seat.known) if laid.source == HAND else 0
    waiting = Waiting(laid.seat.name, laid.cards, laid.along, laid.source, known, move.seq)
    pile = state.pile + laid.everything
    after = state._replace(
        seats=with_seat(state.seats, seat), pile=pile, waiting=waiting, burned=False, due=None, stop=None
    )
    return partial(told_unnamed, state, move, laid), after


def _wrong(state: State, move: Move, laid: Laid, judged: Judged) -> Outcome:
    """Cards that may not lie there: back with them, or they cost the pile, or a blind joker is named again."""
    fault = finding(state, laid, judged)
    blind, rule = laid.source == BLIND, judged.fault
    if blind and rule in ("S-K2", "S-X7", "S-XJ"):
        return _name_again(state, move, laid, fault)
    if rule == "S-M2" or (blind and rule == "S-G") or (state.rules.misplay == "take_pile" and rule in _TAKEN_WITH):
        return _take_with(state, move, laid, judged.wrong, fault)
    return _back(state, move, laid, ruling="foul", fault=fault)


def _back(state: State, move: Move, laid: Laid, *, ruling: Ruling, fault: Finding) -> Outcome:
    """The cards go back where they came from, and everybody has seen hand cards."""
    seat, claims, proves = _shown(state, laid)
    wrong = seat.wrong + (1 if ruling == "foul" else 0)
    seats = with_seat(state.seats, seat._replace(wrong=wrong))
    after = state._replace(seats=seats, claims=claims, burned=False, due=None, stop=move.seq)
    return partial(told_back, state, move, laid, ruling=ruling, fault=fault, proves=proves), after


def _shown(state: State, laid: Laid) -> tuple[Seat, tuple[Claim, ...], tuple[str, ...]]:
    """The seat and the claims after hand cards were shown and went back into the hand, and what that proves."""
    if laid.source != HAND:
        return laid.seat, state.claims, ()
    seat = take_up(leave(laid.seat, laid.cards, HAND), laid.cards)
    claims, proves = showed(state.claims, laid.seat, laid.cards, seat)
    return seat, took(claims, seat, laid.cards), proves


def _void(state: State, move: Move, laid: Laid, *, rule: str) -> Outcome:
    """A play without effect: the cards go back, the turn stays where it is (S-S4, S-A41)."""
    if rule == OVER:
        return partial(Verdict, move, "void", grounds=(Finding("S-G", laid.everything, {"case": "over"}),)), state
    return _back(state, move, laid, ruling="void", fault=Finding(rule, laid.everything, turn_facts(state, rule)))


def turn_facts(state: State, rule: str) -> dict[str, Json]:
    """What the sentence about somebody who acts out of turn says."""
    return {"case": "must" if rule in ("S-XJ", "S-T3") else "turn", "player": state.turn}


def _take_with(state: State, move: Move, laid: Laid, wrong: tuple[Face, ...], fault: Finding) -> Outcome:
    """The whole pile and what was played go into the player's hand; the next player leads (S-M2, `misplay`).

    Open cards that were `wrong` in it go back to the others.
    """
    own = kept(laid, wrong)
    player, cards = laid.seat.name, state.pile + own.everything
    seat = take_up(leave(laid.seat, laid.cards, laid.source, own.along), cards)
    seat = seat._replace(wrong=seat.wrong + 1)
    claims, proves = showed(state.claims, laid.seat, laid.cards if laid.source == HAND else (), seat)
    after = picked_up(state, seat, took(claims, seat, cards))._replace(
        stop=move.seq, due=Due(player, "take", len(cards))
    )
    asks = (Ask("take-pile", seq=move.seq, player=player),) if laid.source == BLIND else ()
    return partial(told_taken, state, move, own, wrong=wrong, fault=fault, asks=asks, proves=proves), after


def picked_up(state: State, seat: Seat, claims: tuple[Claim, ...]) -> State:
    """The table after `seat` has taken the pile: the next player leads on the empty pile (S-A24)."""
    turn, _ = next_players(state, seat.name, state.out)
    return State(
        state.rules, state.names, with_seat(state.seats, seat), turn, draw=state.draw, burnt=state.burnt,
        out=state.out, claims=claims, turns=state.turns + 1, offered=state.offered, total=state.total, deck=state.deck,
        games=state.games, points=state.points,
    )  # fmt: skip


def _name_again(state: State, move: Move, laid: Laid, fault: Finding) -> Outcome:
    """A blind joker stays there, another rank is named (S-A12)."""
    _, after = _wait(state, move, laid._replace(named=UNREAD))
    ask = rank_ask(state, laid.seat.name, move.seq)
    verdict = partial(Verdict, move, "foul", beneath=beneath(state), faults=(fault,), asks=(ask,))
    return verdict, after
