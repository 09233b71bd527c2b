"""Crazy Old Fish War: whose turn it is, what somebody out of turn gets, how a turn ends (C-S5, C-S6, C-T3, C-A26)."""

from __future__ import annotations

from functools import cache

from referee.cards import BACK, Face, is_known
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.claims import penalty, prove
from referee.games.crazy_old_fish_war.faces import choices
from referee.games.crazy_old_fish_war.state import Outcome, State, Talk, Turn, hand_size, seat_at, with_seats
from referee.games.seats import Seat
from referee.knowledge import Claim, took_openly
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = [
    "Blame",
    "act",
    "end_turn",
    "fish_asks",
    "hand_back",
    "objection",
    "out_of_play",
    "out_of_turn",
    "put_and_end_turn",
    "put_on",
    "refuse",
    "remind",
    "waiting_for",
    "who",
]

Blame = tuple[Ruling, Finding]
"""What becomes of an action that cannot stand, and why."""


def who(state: State, move: Move) -> str:
    """Who acted; where nobody saw it, the one who was to act."""
    if move.player not in (TABLE, UNCLEAR):
        return move.player
    turn = state.turn
    if move.kind in ("give", "answer") and turn.step == "asked":
        return turn.whom
    if move.kind == "name" and turn.step == "colour":
        return turn.whom
    if move.kind == "lay" and state.war is not None and state.war.first is not None:
        return state.war.rival or turn.player
    if move.kind == "draw" and state.due:
        return state.due[0].player
    if move.kind == "shout" and state.talk.duties:
        return state.talk.duties[0]
    return turn.player


def objection(state: State, actor: str) -> Blame | None:
    """Why `actor` may not begin anything now; None if it is the turn for it."""
    turn = state.turn
    if actor != turn.player:
        return out_of_turn(state, actor)
    if turn.step == "colour":
        if turn.whom != actor and not state.begun:
            return "void", Finding("C-82", facts={"case": "wait", "player": turn.whom})
        return "foul", Finding("C-T3", facts={"case": "colour"})
    if turn.step == "received":
        return "foul", Finding("C-G4", (turn.card,), {"case": "other"})
    return None


def out_of_turn(state: State, actor: str) -> Blame:
    """What somebody gets who acts in the turn of another player (C-A26)."""
    if state.ended is not None and state.ended[0] == actor:
        return "foul", Finding(state.ended[1], facts={"case": "again"})
    facts: dict[str, Json] = {"case": "wait", "player": state.turn.player}
    return "void", Finding("C-S6" if state.begun else "C-S5", facts=facts)


def waiting_for(state: State) -> tuple[Ask, ...]:
    """The question that the turn waits for."""
    turn = state.turn
    match turn.step:
        case "match":
            return ()
        case "colour":
            return _colour_ask(turn.whom, choices(state.pile, state.table.colours))
        case "received":
            return _match_ask(turn.player)
        case "asked":
            return _match_ask(turn.whom, ("no",))
        case "target":
            return _target_ask(turn.player, state.table.players, state.table.rules.fallback)
    return ()


@cache
def _colour_ask(player: str, colours: tuple[str, ...]) -> tuple[Ask, ...]:
    return (Ask("colour", player=player, choices=colours),)


@cache
def _match_ask(player: str, answers: tuple[str, ...] = ()) -> tuple[Ask, ...]:
    return (Ask("match", player=player, choices=answers),)


@cache
def _target_ask(player: str, players: tuple[str, ...], fallback: str) -> tuple[Ask, ...]:
    kinds = {"choice": ("war", "ask"), "fish_only": ("ask",), "war_only": ("war",)}[fallback]
    choices = tuple(f"{kind} {name}" for kind in kinds for name in players if name != player)
    return (Ask("target", player=player, choices=choices),)


def act(state: State) -> tuple[State, tuple[Finding, ...]]:
    """The player whose turn it is does something: nobody can go on with the turn before, and fish are reminded of."""
    talk, reminders = remind(state)
    if talk is not state.talk:
        return state._replace(ended=None, talk=talk), reminders
    return (state if state.ended is None else state._replace(ended=None)), ()


def remind(state: State) -> tuple[Talk, tuple[Finding, ...]]:
    """Who should have shouted a fish before the next player acted (C-F1, C-A11)."""
    talk = state.talk
    if not talk.duties and not talk.lapsed:
        return talk, ()
    missed = tuple(name for name in talk.duties if hand_size(state, name) == 1)
    told = missed if state.table.hears else ()
    reminders = tuple(Finding("C-F1", facts={"case": "missed", "player": name}) for name in told)
    return talk._replace(duties=(), lapsed=missed), reminders


def put_on(
    state: State,
    seats: tuple[Seat, ...],
    card: Face,
    turn: Turn,
    *,
    claims: tuple[Claim, ...],
    top: tuple[str, int | None],
    changed: tuple[str, ...],
    talk: Talk,
    ended: tuple[str, str] | None = None,
) -> State:
    """`state` with `card` on the pile: no war goes on, and what was due or had to be shown before is over.

    Most moves of a game pass here, so that the position is made at once and field by field.
    """
    return State(
        state.table,
        state.phase,
        seats,
        turn,
        (*state.pile, card),
        state.draw,
        None,
        top,
        None,
        (),
        claims,
        ended,
        True,
        changed,
        talk,
        state.asks,
        None,
        (),
        state.dry,
        state.result,
    )


def end_turn(state: State, *, rule: str = "C-T3") -> tuple[State, tuple[Ask, ...]]:
    """The turn is over, the left neighbour is next (C-S6, C-A17).

    Who came down to one card by it should shout a fish (C-F1, C-A13): the questions for these. More by the same
    player is against `rule` until somebody else acts (C-A26).
    """
    over = state.turn.player
    duties = _duties(state, state.seats, state.changed)
    talk = state.talk
    if duties or talk.early:
        talk = talk._replace(duties=duties, early=())
    state = state._replace(
        turn=_turn_of(state.table.left[over]), war=None, ended=(over, rule), begun=True, changed=(), talk=talk
    )
    return state, fish_asks(duties) if duties else ()


def put_and_end_turn(
    state: State,
    seats: tuple[Seat, ...],
    card: Face,
    *,
    claims: tuple[Claim, ...],
    top: tuple[str, int | None],
    changed: tuple[str, ...],
    talk: Talk,
) -> tuple[State, tuple[Ask, ...]]:
    """As `put_on` and then `end_turn`."""
    duties, over, turn = _duties(state, seats, changed), (top[0], "C-T3"), _turn_of(state.table.left[top[0]])
    if duties or talk.early:
        talk = Talk(talk.names, duties, (), talk.lapsed)
    state = put_on(state, seats, card, turn, claims=claims, top=top, changed=(), talk=talk, ended=over)
    return state, fish_asks(duties) if duties else ()


@cache
def _turn_of(player: str) -> Turn:
    """That it is the turn of a player."""
    return Turn(player)


def _duties(state: State, seats: tuple[Seat, ...], changed: tuple[str, ...]) -> tuple[str, ...]:
    """Who has come down to one card in this turn and has not shouted yet; no card lies in a war any more."""
    duties: tuple[str, ...] = ()
    for name in changed:
        hand = seats[state.table.players.index(name)].hand
        if hand is not None and len(hand) == 1 and name not in state.talk.early:
            duties = (*duties, name)
    return duties


@cache
def fish_asks(players: tuple[str, ...]) -> tuple[Ask, ...]:
    """The questions for a fish."""
    return tuple(Ask("fish", player=name) for name in players)


def hand_back(state: State, player: str, cards: tuple[Face, ...]) -> tuple[State, tuple[str, ...], tuple[Step, ...]]:
    """Cards shown by mistake go back into the hand: everybody knows them now, and they may prove a claim false."""
    if not cards:
        return state, (), ()
    count, cards = len(cards), tuple(card for card in cards if card != BACK)
    state, proves = prove(state, player, cards)
    seat = seat_at(state, player)
    for card in cards:
        seat = hands.show(seat, card)
    state = with_seats(state, seat)
    if state.claims:
        state = state._replace(claims=took_openly(state.claims, player, tuple(filter(is_known, cards))))
    state, steps = penalty(state, player, proves)
    return state, proves, (Step(player, "take", cards, count=count, to="hand", how="back"), *steps)


def refuse(state: State, move: Move, blame: Blame, *, actor: str) -> Outcome:
    """An action that cannot stand: its cards go back into the hand, and the turn waits for what it waited for."""
    ruling, finding = blame
    reminders: tuple[Finding, ...] = ()
    if ruling == "foul":
        if actor == state.turn.player:
            state, reminders = act(state)
        if move.kind == "play":
            seat = seat_at(state, actor)
            state = with_seats(state, seat._replace(wrong=seat.wrong + 1))
    state, proves, steps = hand_back(state, actor, move.cards)
    verdict = Verdict(
        move,
        ruling,
        beneath=state.pile[-1] if state.pile and move.kind == "play" else None,
        faults=(finding,),
        reminders=reminders,
        proves=proves,
        remedy=steps,
        asks=waiting_for(state),
    )
    return verdict, state


def out_of_play(state: State, move: Move) -> Outcome:
    """Nothing counts before the round begins (C-S4) and after it is over (C-E1): cards go back where they came from."""
    cards = tuple(card for card in move.cards if card != BACK)
    steps: tuple[Step, ...] = ()
    if move.cards:
        steps = (Step(who(state, move), "take", cards, count=len(move.cards), to="hand", how="back"),)
    if state.phase == "over":
        return Verdict(move, "void", grounds=(Finding("C-E1", facts={"case": "over"}),), remedy=steps), state
    return Verdict(move, "void", faults=(Finding("C-S4", facts={"case": "wait"}),), remedy=steps), state
