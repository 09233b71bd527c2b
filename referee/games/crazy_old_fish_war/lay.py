"""Crazy Old Fish War: war cards are laid, flipped and taken up (C-V2, C-V3, C-V6, C-V8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.cards import BACK, UNKNOWN, Face, face, is_known
from referee.errors import MoveError
from referee.games.crazy_old_fish_war.cease import fighters, laid_by
from referee.games.crazy_old_fish_war.faces import read_card
from referee.games.crazy_old_fish_war.fight import caught, fight, next_card, with_laid
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import Laid, Outcome, State, Turn, War, is_empty, seat_at
from referee.games.crazy_old_fish_war.turns import act, objection, out_of_play, out_of_turn, refuse, waiting_for, who
from referee.moves import Move
from referee.verdicts import Finding, Step, Verdict

__all__ = ["flip", "laid_down", "lay", "reveal_own", "take"]

SAME_TIME_S = 1.5
"""Two flips so close together, as a camera sees them one after the other, are one (C-V3)."""


def lay(state: State, move: Move) -> Outcome:
    """Somebody lays a war card. Raises `MoveError` unless it is one card."""
    if len(move.cards) != 1:
        raise MoveError(f"One war card is laid, not {len(move.cards)}.", hint="Write one move a card.")
    ready = opened(state) if state.phase == "setup" else state
    if ready is None or ready.phase == "over":
        return out_of_play(state, move)
    actor = who(ready, move)
    if ready.turn.step != "war":
        return _before_war(ready, move, actor=actor)
    if actor not in fighters(ready):
        return refuse(ready, move, out_of_turn(ready, actor), actor=actor)
    return _in_war(ready, move, actor=actor)


def laid_down(state: State, move: Move) -> State | None:
    """The position after a card of the hand is laid as it should be; None where there is more to it."""
    war, player, turn = state.war, move.player, state.turn
    if war is None or turn.step != "war" or move.cards != (BACK,) or move.candidates or "from" in move.data:
        return None
    starts = player == turn.player
    if (war.first if starts else war.second) is not None or not (starts or player == war.rival):
        return None
    if is_empty(seat_at(state, player)):
        return None
    card = Laid(face=_card_of(move))
    war = War(war.rival, card, war.second, war.unread) if starts else War(war.rival, war.first, card, war.unread)
    return state._replace(war=war, due=(), stop=None, taking=())


def _before_war(state: State, move: Move, *, actor: str) -> Outcome:
    """A card lies face down although nobody was challenged: whom is the war on (C-V1)?"""
    blame = objection(state, actor)
    if blame is None and state.turn.step == "asked":
        blame = "void", Finding("C-T4", facts={"case": "chosen"})
    if blame is None and is_known(move.cards[0]):
        blame = "foul", Finding("C-V2", move.cards, {"case": "open"})
    if blame is None and laid_by(state, actor) is not None:
        blame = "foul", Finding("C-V3", facts={"case": "exchange"})
    if blame is not None:
        return refuse(state, move, blame, actor=actor)
    state, reminders = act(state)
    state = with_laid(state._replace(turn=Turn(actor, "target")), actor, Laid(face=_card_of(move)))
    ground = Finding("C-V1", facts={"case": "whom", "player": actor})
    return Verdict(move, "pending", grounds=(ground,), reminders=reminders, asks=waiting_for(state)), state


def _card_of(move: Move) -> Face:
    """Which card lies there face down, where a simulation tells; nobody at a table knows."""
    card = move.data.get("card")
    return face(card) if isinstance(card, str) else UNKNOWN


def _in_war(state: State, move: Move, *, actor: str) -> Outcome:
    seat = seat_at(state, actor)
    if laid_by(state, actor) is not None:
        return refuse(state, move, ("foul", Finding("C-V3", facts={"case": "exchange"})), actor=actor)
    from_draw = move.data.get("from") == "draw"
    if from_draw and seat.hand:
        step = Step(actor, "discard", count=1, to="draw", how="drawn-back")
        fault = Finding("C-V2", facts={"case": "draw"})
        return Verdict(move, "foul", faults=(fault,), remedy=(step,)), state
    if is_known(move.cards[0]) and not is_empty(seat) and not from_draw:
        return _laid_open(state, move, actor=actor)
    laid, state, steps = next_card(state, actor, _card_of(move), from_draw=from_draw)
    state = with_laid(state, actor, laid)
    if not is_known(move.cards[0]):
        return Verdict(move, "legal", remedy=steps, routine=not steps), state
    turn = Step(actor, "turn", move.cards, count=1, to="hidden", how="turn-down")
    fault = Finding("C-V2", move.cards, {"case": "open"})
    return Verdict(move, "foul", faults=(fault,), remedy=(*steps, turn)), state


def _laid_open(state: State, move: Move, *, actor: str) -> Outcome:
    """An open card goes back, another one is laid face down; the starter's may have shown that there was a match."""
    fault = Finding("C-V2", move.cards, {"case": "open"})
    if actor == state.turn.player:
        lying = with_laid(state, actor, Laid())
        false = caught(lying, move, (move.cards[0], UNKNOWN))
        if false is not None:
            verdict, after = false
            return replace(verdict, faults=(fault, *verdict.faults)), after
    verdict, after = refuse(state, move, ("foul", fault), actor=actor)
    down = Step(actor, "discard", count=1, to="hidden", how="lay-down")
    return replace(verdict, remedy=(*verdict.remedy, down)), after


def reveal_own(state: State, move: Move, *, actor: str) -> Outcome:
    """A player flips the own war card alone: a reminder to do it together (C-V3). The second one decides the war."""
    (card,) = move.cards
    fighting = state.phase == "playing" and state.turn.step == "war" and actor in fighters(state)
    if not fighting or not is_known(card):
        return Verdict(move, "legal", routine=True), state
    laid = laid_by(state, actor)
    if laid is None:
        laid, state, _ = next_card(state, actor)
    if is_known(laid.shown):
        return _shown_again(state, move, actor=actor, same=laid.shown == card)
    state = with_laid(state, actor, laid._replace(shown=card, shown_s=move.time_s))
    starter, rival = (laid_by(state, name) for name in fighters(state))
    cards = (starter.shown if starter is not None else UNKNOWN), (rival.shown if rival is not None else UNKNOWN)
    reminders = _early(state, move)
    if all(map(is_known, cards)):
        return fight(state, move, cards, reminders=reminders)
    false = caught(state, move, cards, reminders=reminders)
    if false is not None:
        return false
    return Verdict(move, "legal", reminders=reminders, routine=not reminders), state


def _shown_again(state: State, move: Move, *, actor: str, same: bool) -> Outcome:
    if same:
        return Verdict(move, "legal", routine=True), state
    return refuse(state, move, ("foul", Finding("C-V3", move.cards, {"case": "exchange"})), actor=actor)


def _early(state: State, move: Move) -> tuple[Finding, ...]:
    """Whether this flip was no flip together. A camera sees two flips one after the other: only the time tells."""
    shown = [laid for laid in (laid_by(state, name) for name in fighters(state)) if laid and is_known(laid.shown)]
    if "since_s" not in move.data:
        return (Finding("C-V3", move.cards, {"case": "early"}),) if len(shown) == 1 else ()
    times = [laid.shown_s for laid in shown if laid.shown_s is not None]
    late = len(times) == 2 and max(times) - min(times) > SAME_TIME_S
    return (Finding("C-V3", facts={"case": "early"}),) if late else ()


def flip(state: State, move: Move) -> Outcome:
    """Both war cards are flipped. Raises `MoveError` when it is not said whose and which."""
    flipped = _faces_of(move)
    if state.phase != "playing":
        return out_of_play(state, move)
    if state.turn.step != "war":
        return Verdict(move, "void", grounds=(Finding("C-V3", facts={"case": "no-war"}),)), state
    both = fighters(state)
    if not flipped.keys() <= set(both):
        raise MoveError(
            f"Cards of {', '.join(flipped)} were flipped.", hint=f"This war is between {' and '.join(both)}."
        )
    later = iter(move.cards)
    cards: list[Face] = []
    for name in both:
        laid, card = laid_by(state, name), flipped.get(name, UNKNOWN)
        shown = laid.shown if laid is not None else UNKNOWN
        if is_known(shown) and is_known(card) and card != shown:
            return refuse(state, move, ("foul", Finding("C-V3", (card,), {"case": "exchange"})), actor=name)
        card = card if is_known(card) else shown
        cards.append(card if is_known(card) else next(later, UNKNOWN))
    return fight(state, move, (cards[0], cards[1]))


def _faces_of(move: Move) -> dict[str, Face]:
    """Whose card is which. Cards that could not be read may be named in `cards`, in the order of the fighters."""
    flipped = move.data.get("cards", {})
    if not isinstance(flipped, Mapping) or not (flipped or move.cards):
        raise MoveError("A flip needs the cards of both.", hint="Write them as in cards: {A: R9, B: Y4}.")
    cards = {str(name): face(card) for name, card in flipped.items()}
    for card in cards.values():
        if is_known(card):
            read_card(card)
    return cards


def take(state: State, move: Move) -> Outcome:
    """Somebody takes a card off the table: by the remedy of a ruling, or one that has to stay (C-V3, C-V6)."""
    if state.phase != "playing":
        return out_of_play(state, move)
    actor = who(state, move)
    if actor in state.taking:
        return Verdict(move, "legal", routine=True), state
    if state.turn.step == "war" and actor in fighters(state):
        tied = seat_at(state, actor).open or ()
        rule = "C-V3" if laid_by(state, actor) is not None or not tied else "C-V6"
        step = Step(actor, "discard", tied[-1:] if rule == "C-V6" else (), count=1, to="open", how="stays")
        return Verdict(move, "foul", faults=(Finding(rule, facts={"case": "stays"}),), remedy=(step,)), state
    step = Step(actor, "discard", move.cards, count=max(1, len(move.cards)), to="pile", how="lies")
    return Verdict(move, "void", grounds=(Finding("C-T1", facts={"case": "lies"}),), remedy=(step,)), state
