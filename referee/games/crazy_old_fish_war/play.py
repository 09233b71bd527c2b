"""Crazy Old Fish War: a card is put on the play pile, and the colour after a wild card (C-T, C-8, C-M, C-G4, C-A25)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.errors import MoveError
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.cease import call_off
from referee.games.crazy_old_fish_war.claims import penalty, proof_grounds, proven
from referee.games.crazy_old_fish_war.ends import win
from referee.games.crazy_old_fish_war.faces import (
    choices,
    fits,
    is_mermaid,
    is_wild,
    match_ground,
    number_of,
    read_card,
)
from referee.games.crazy_old_fish_war.naming import named
from referee.games.crazy_old_fish_war.piles import owe
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import Outcome, State, Turn, mark, matches, seat_at
from referee.games.crazy_old_fish_war.turns import (
    Blame,
    end_turn,
    hand_back,
    objection,
    out_of_play,
    put_and_end_turn,
    put_on,
    refuse,
    remind,
    waiting_for,
    who,
)
from referee.games.seats import with_seat
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["MERMAID_DRAWS", "blame_for", "play", "played"]

MERMAID_DRAWS = 5
"""Cards that an Old Mermaid costs its player (C-M2)."""


def play(state: State, move: Move) -> Outcome:
    """A card is played. Raises `MoveError` for none."""
    if not move.cards:
        raise MoveError("A card was played, but which one is not said.", hint="Write ?? for a card nobody has read.")
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    verdict, after = _one(ready, move) if len(move.cards) == 1 else _several(ready, move)
    if move.player not in (TABLE, UNCLEAR) or after.phase == "over":
        return verdict, after
    ask = Ask("whose", seq=move.seq, choices=state.table.players)
    return replace(verdict, asks=(*verdict.asks, ask)), after._replace(asks=(*after.asks, ask))


def played(state: State, move: Move) -> State | None:
    """The position after a play that stands as it is, for whoever needs no verdict; None where there is more to it."""
    turn, cards = state.turn, move.cards
    if state.phase != "playing" or move.player != turn.player or state.war is not None or len(cards) != 1:
        return None
    card = cards[0]
    if turn.step == "colour" or (turn.step == "received" and card != turn.card) or move.data or move.candidates:
        return None
    if not fits(state.pile[-1], state.colour, card) or card in (UNKNOWN, BACK):
        return None
    after, _ = _put(state, move, turn.player, card)
    return None if after.dry else after


def _one(state: State, move: Move) -> Outcome:
    actor, card = who(state, move), move.cards[0]
    blame = blame_for(state, actor, card)
    if blame is not None and not move.late:
        return refuse(state, move, blame, actor=actor)
    verdict, after = _stand(state, move, actor=actor, late=None if blame is None else blame[1])
    said = move.data.get("say")
    if after.turn.step != "colour" or after.phase == "over" or not isinstance(said, str):
        return verdict, after
    return _say(verdict, after, said)


def _say(verdict: Verdict, state: State, said: str) -> Outcome:
    """The colour was named in the same breath (C-82); whatever else was said has nothing to do with it."""
    if said not in choices(state.pile, state.table.colours):
        return verdict, state
    after, asks = named(state, said)
    return replace(verdict, ruling="legal", asks=asks), after


def _several(state: State, move: Move) -> Outcome:
    """One card per turn: the others go back (C-T3)."""
    actor, rest = who(state, move), move.cards[1:]
    blame = blame_for(state, actor, move.cards[0])
    fault = Finding("C-T3", rest, {"case": "several"})
    if blame is not None and not move.late:
        verdict, after = refuse(state, move, blame, actor=actor)
        return (replace(verdict, faults=(*verdict.faults, fault)) if verdict.ruling == "foul" else verdict), after
    verdict, after = _one(state, replace(move, cards=move.cards[:1]))
    if after.phase == "over":
        return replace(verdict, move=move), after
    if move.late:
        return _several_late(after, replace(move, cards=rest))
    after, proves, steps = hand_back(after, actor, rest)
    proves = tuple(dict.fromkeys((*verdict.proves, *proves)))
    remedy = (*verdict.remedy, *steps)
    return replace(verdict, move=move, ruling="foul", faults=(fault,), grounds=(), proves=proves, remedy=remedy), after


def _several_late(state: State, move: Move) -> Outcome:
    """The others lie there too, and the table has long played on."""
    return _one(state, move) if len(move.cards) == 1 else _several(state, move)


def blame_for(state: State, actor: str, card: Face) -> Blame | None:
    """Why `actor` may not play `card` now; None where it stands, or may stand once a card is read."""
    turn = state.turn
    blame = objection(state, actor)
    if blame is not None and not (blame[1].rule == "C-G4" and _may_be(card, turn.card)):
        return blame
    if matches(state, card) is not False:
        return None
    if turn.step == "war":
        return "foul", Finding("C-V2", (card,), {"case": "pile"})
    return "foul", _no_match(state, card)


def _may_be(card: Face, received: Face) -> bool:
    return card == received or not (is_known(card) and is_known(received))


def _no_match(state: State, card: Face) -> Finding:
    top = state.pile[-1]
    if is_wild(top):
        return Finding("C-T1", (card, top), {"case": "named", "colour": state.colour})
    facts: dict[str, Json] = {"case": "other", "colour": read_card(top).colour, "number": number_of(top)}
    return Finding("C-T1", (card, top), facts)


def _stand(state: State, move: Move, *, actor: str, late: Finding | None) -> Outcome:
    """The card stays where it is: what that proves, ends and asks."""
    card, beneath = move.cards[0] if move.cards[0] != BACK else UNKNOWN, state.pile[-1]
    sure = matches(state, card) is not None or (late is not None and is_known(card))
    grounds = match_ground(beneath, state.colour, card) if late is None and sure and is_known(card) else ()
    if late is not None:
        grounds = (Finding(late.rule, late.cards, {**late.facts, "case": "late"}),)
    open_question = () if sure else _unread(state, move, card)
    reminders = remind(state)[1]
    state, (proves, steps, asks) = _put(state, move, actor, card, late=late is not None, sure=sure)
    ruling: Ruling = "pending" if state.turn.step == "colour" or not sure else "legal"
    if open_question:
        new = tuple(ask for ask in open_question if ask not in state.asks)
        state, asks = state._replace(asks=(*state.asks, *new)), (*asks, *open_question)
    verdict = Verdict(
        move,
        ruling,
        beneath=beneath,
        grounds=grounds + proof_grounds(actor, proves) if proves else grounds,
        reminders=reminders,
        proves=proves,
        remedy=steps,
        asks=asks,
        result=state.result,
    )
    return verdict, state


def _unread(state: State, move: Move, card: Face) -> tuple[Ask, ...]:
    """Which card has to be read to tell whether this one matches; none where only the colour is not known."""
    if not is_known(card):
        return (Ask("which-card", seq=move.seq),)
    return () if is_known(state.pile[-1]) else (Ask("which-card", seq=state.top[1]),)


class _Told(NamedTuple):
    """What there is to say about a card that was put on the pile: rules proven broken, steps, questions."""

    proves: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    asks: tuple[Ask, ...] = ()


_NOTHING = _Told()


def _put(
    state: State, move: Move, actor: str, card: Face, *, late: bool = False, sure: bool = True
) -> tuple[State, _Told]:
    """The card leaves the hand. A war or a request is off with it: its claim was not true, or nobody minds (late)."""
    turn, talk = state.turn, remind(state)[0]
    steps: tuple[Step, ...] = ()
    proves: tuple[str, ...] = ()
    if state.war is not None:
        state, steps = call_off(state)
    seats, place, claims = state.seats, state.table.players.index(actor), state.claims
    if turn.step == "received" and not late and actor == turn.player:
        seat = seats[place]._replace(played=seats[place].played + 1)
    else:
        if turn.step == "received":
            seats = with_seat(seats, hands.take_openly(seat_at(state, turn.player), (turn.card,)))
        seat = hands.leave(seats[place], card, played=1)
        if claims:
            claims, proves = proven(claims, actor, (card,))
    seats = (*seats[:place], seat, *seats[place + 1 :])
    top, changed = (actor, move.seq), mark(state.changed, actor)
    wild, last = is_wild(card), sure and seat.hand == () and _may_be_last(state, card)
    if not (wild or last or proves):
        state, asks = put_and_end_turn(state, seats, card, claims=claims, top=top, changed=changed, talk=talk)
        return state, _Told(proves, steps, asks) if steps or asks else _NOTHING
    turn = Turn(actor, "colour", actor) if wild else Turn(actor)
    state = put_on(state, seats, card, turn, claims=claims, top=top, changed=changed, talk=talk)
    if last:
        return win(state, (actor,)), _Told(proves, steps)
    if wild:
        return _wild(state, card, _Told(proves, steps))
    state, owed = penalty(state, actor, proves)
    state, asks = end_turn(state)
    return state, _Told(proves, steps + owed, asks)


def _may_be_last(state: State, card: Face) -> bool:
    """Whether the round is won by it: a Mermaid as the last card in the own turn does not win (C-A10)."""
    return state.table.rules.mermaid_finish == "wins" or not is_mermaid(card)


def _wild(state: State, card: Face, told: _Told) -> tuple[State, _Told]:
    """A wild card waits for its colour, and a Mermaid costs five cards (C-82, C-M2)."""
    actor = state.turn.player
    state, steps = penalty(state, actor, told.proves)
    if is_mermaid(card):
        state, owed = owe(state, actor, count=MERMAID_DRAWS, rule="C-M2")
        steps += owed
    return state, _Told(told.proves, told.steps + steps, waiting_for(state))
