"""Crazy Old Fish War: two war cards are flipped, and who takes what (C-V3 to C-V15, C-A4 to C-A8, C-A15, C-A16)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from referee.cards import UNKNOWN, Face, face, is_known
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.cease import call_off, fighters, laid_by
from referee.games.crazy_old_fish_war.claims import penalty, proof_grounds, prove, withdraw
from referee.games.crazy_old_fish_war.ends import win
from referee.games.crazy_old_fish_war.faces import ANY, MERMAID, is_mermaid, is_wild, read_card, value_of
from referee.games.crazy_old_fish_war.piles import owe, supply, take_off
from referee.games.crazy_old_fish_war.state import (
    Laid,
    Outcome,
    State,
    Turn,
    War,
    is_empty,
    mark,
    matches,
    seat_at,
)
from referee.games.crazy_old_fish_war.turns import end_turn, waiting_for
from referee.games.seats import Seat
from referee.knowledge import took_openly
from referee.moves import TABLE, Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["caught", "fight", "flipped", "next_card", "with_laid"]

MERMAID_DRAWS = 5
"""Cards that an Old Mermaid costs its player (C-M2)."""


_Proofs = tuple[tuple[str, tuple[str, ...]], ...]
"""Players whose earlier claims the flip has shown false, and the rules broken by them."""


class _Flip(NamedTuple):
    """Both cards as they lie there open: of the starter and of the rival, and what else the verdict tells."""

    move: Move
    cards: tuple[Face, Face]
    reminders: tuple[Finding, ...] = ()
    proofs: _Proofs = ()
    steps: tuple[Step, ...] = ()


def next_card(
    state: State, player: str, card: Face = UNKNOWN, *, from_draw: bool = False
) -> tuple[Laid, State, tuple[Step, ...]]:
    """The war card of a player: one of the hand (`card` in a simulation), without one the next of the draw pile."""
    if not from_draw and not is_empty(seat_at(state, player)):
        return Laid(face=card), state, ()
    taken, state, steps = take_off(state, player)
    return (Laid(face=card) if taken is None else Laid(off_pile=True, face=taken)), state, steps


def with_laid(state: State, player: str, laid: Laid) -> State:
    """`state` with a card lying in front of a player."""
    war = state.war or War()
    return state._replace(war=war._replace(first=laid) if player == state.turn.player else war._replace(second=laid))


def _all_laid(state: State) -> tuple[State, tuple[Step, ...]]:
    """A card that nobody has written down was laid all the same: off the draw pile by a player without cards (C-V8)."""
    steps: tuple[Step, ...] = ()
    if state.war is not None and state.war.first is not None and state.war.second is not None:
        return state, steps
    for name in fighters(state):
        if laid_by(state, name) is None:
            laid, state, more = next_card(state, name)
            state = with_laid(state, name, laid)
            steps += more
    return state, steps


def fight(state: State, move: Move, cards: tuple[Face, Face], *, reminders: tuple[Finding, ...] = ()) -> Outcome:
    """Both cards are open: of the starter, of the rival."""
    state, steps = _all_laid(state)
    if not (is_known(cards[0]) and is_known(cards[1])):
        ask = Ask("which-card", seq=move.seq)
        state = state._replace(war=(state.war or War())._replace(unread=ask))
        return Verdict(move, "pending", reminders=reminders, remedy=steps, asks=(ask,)), state
    false = caught(state, move, cards, reminders=reminders)
    if false is not None:
        return false
    state, proofs = _proofs(state, cards)
    names = fighters(state)
    starter, rival = _open(state, names[0], cards[0]), _open(state, names[1], cards[1])
    flip = _Flip(move, cards, reminders, proofs, steps)
    first, second = value_of(cards[0]), value_of(cards[1])
    if first == second:
        settle = _cancelled if first == MERMAID else _tie
        return settle(state, flip, starter, rival)
    return _won(state, flip, starter, rival) if first > second else _won(state, flip, rival, starter)


def caught(
    state: State, move: Move, cards: tuple[Face, Face], *, reminders: tuple[Finding, ...] = ()
) -> Outcome | None:
    """The starter's card off the hand matched the pile: the claim was false, the war is void (C-A16, C-V10).

    The other card may still lie face down (`UNKNOWN`). None when nothing is wrong with the starter's card.
    """
    starter, rival = fighters(state)
    laid = laid_by(state, starter)
    if (laid is not None and laid.off_pile) or not is_known(cards[0]) or not matches(state, cards[0]):
        return None
    state, proofs = _proofs(withdraw(state, starter, "C-T2"), cards)
    flipped = {name: card for name, card in zip((starter, rival), cards, strict=True) if is_known(card)}
    state, steps = call_off(state, flipped)
    state, fines = _fines(state._replace(turn=Turn(starter)), (*proofs, (starter, ("C-T2",))))
    mermaid = (Finding("C-V10", cards[:1], {"player": starter}),) if is_mermaid(cards[0]) else ()
    verdict = Verdict(
        move,
        "disproved",
        faults=(*mermaid, Finding("C-T2", cards[:1], {"case": "war", "player": starter})),
        reminders=reminders,
        proves=_rules(proofs),
        remedy=steps + fines,
        asks=(Ask("match", player=starter),),
    )
    return verdict, state


def _proofs(state: State, cards: tuple[Face, Face]) -> tuple[State, _Proofs]:
    """What the cards that come from the hands prove about earlier claims."""
    if not state.claims:
        return state, ()
    proofs: _Proofs = ()
    for name, card in zip(fighters(state), cards, strict=True):
        laid = laid_by(state, name)
        if is_known(card) and laid is not None and not laid.off_pile:
            state, rules = prove(state, name, (card,))
            proofs += ((name, rules),) if rules else ()
    return state, proofs


def _rules(proofs: _Proofs) -> tuple[str, ...]:
    return tuple(dict.fromkeys([rule for _, rules in proofs for rule in rules]))


def _fines(state: State, proofs: _Proofs) -> tuple[State, tuple[Step, ...]]:
    """Everybody who was disproved or proven pays once (`renege_penalty`)."""
    steps: tuple[Step, ...] = ()
    if not state.table.rules.renege_penalty:
        return state, steps
    for name, rules in dict(proofs).items():
        state, owed = penalty(state, name, rules)
        steps += owed
    return state, steps


def _open(state: State, player: str, card: Face) -> Seat:
    """The seat of a player whose war card lies open in front of it: the last of the open cards."""
    seat, laid = seat_at(state, player), laid_by(state, player)
    lying = (*(seat.open or ()), card)
    if laid is not None and laid.off_pile:
        return seat._replace(open=lying)
    return hands.leave(seat, card, onto=lying)


def _seated(state: State, *seats: Seat) -> tuple[Seat, ...]:
    new = {seat.name: seat for seat in seats}
    return tuple([new.get(seat.name, seat) for seat in state.seats])


def _verdict(
    state: State,
    flip: _Flip,
    *,
    grounds: tuple[Finding, ...],
    steps: tuple[Step, ...] = (),
    asks: tuple[Ask, ...] = (),
    ruling: Ruling = "legal",
) -> Outcome:
    for name, rules in flip.proofs:
        grounds += proof_grounds(name, rules)
    verdict = Verdict(
        flip.move,
        ruling,
        grounds=grounds,
        reminders=flip.reminders,
        proves=_rules(flip.proofs),
        remedy=flip.steps + steps,
        asks=asks,
        result=state.result,
    )
    return verdict, state


def _tie(state: State, flip: _Flip, starter: Seat, rival: Seat) -> Outcome:
    """The cards stay there, and both lay another one (C-V6, C-V7); if one of them cannot, the war is off (C-A15)."""
    state = state._replace(seats=_seated(state, starter, rival), war=War(rival.name))
    state, fines = _fines(state, flip.proofs)
    lacking, left = is_empty(starter) + is_empty(rival), supply(state)
    if left is None or lacking <= left:
        return _verdict(state, flip, grounds=(Finding("C-V6", flip.cards, {"case": "tie"}),), steps=fines)
    state, steps = call_off(state)
    state, fish = end_turn(state)
    ground = Finding("C-A15", flip.cards, {"case": "off"})
    return _verdict(state, flip, grounds=(ground,), steps=fines + steps, asks=fish)


def _cancelled(state: State, flip: _Flip, starter: Seat, rival: Seat) -> Outcome:
    """Mermaid against Mermaid: both onto the pile, the starter names the colour, nobody draws (C-V14, C-A7).

    The starter's came off the draw pile after a tie, so that both still have a tied card to take home.
    """
    seats = tuple(seat._replace(open=(seat.open or ())[:-1], played=seat.played + 1) for seat in (starter, rival))
    names = starter.name, rival.name
    state = state._replace(
        seats=_seated(state, *seats),
        pile=(*state.pile, *flip.cards),
        colour=None,
        top=(starter.name, flip.move.seq),
        war=War(rival.name),
        begun=True,
        changed=mark(state.changed, *names),
    )
    put = tuple(_onto_pile(name, card) for name, card in zip(names, flip.cards, strict=True))
    state, home = call_off(state)
    ground = Finding("C-V14", flip.cards, {"case": "both", "player": starter.name})
    state, fines = _fines(state, flip.proofs)
    state = state._replace(turn=Turn(starter.name, "colour", whom=starter.name))
    steps = put + home + fines
    return _verdict(state, flip, grounds=(ground,), steps=steps, asks=waiting_for(state), ruling="pending")


@cache
def _onto_pile(player: str, card: Face) -> Step:
    return Step(player, "discard", (card,), count=1, to="pile", how="winner")


def _won(state: State, flip: _Flip, winner: Seat, loser: Seat) -> Outcome:
    """The winner's card goes onto the pile, the loser takes all the others and draws one (C-V4, C-V5, C-V9, C-V13)."""
    kept = _colour_before(state)
    state, card, taken = _spoils(state, flip.move, winner, loser)
    how = "spoils" if len(taken) > 1 else "lost"
    steps: tuple[Step, ...] = (
        _onto_pile(winner.name, card),
        Step(loser.name, "take", taken, count=len(taken), to="hand", how=how),
    )
    facts: dict[str, Json] = {"case": "won", "player": winner.name, "loser": loser.name}
    grounds: tuple[Finding, ...] = (Finding("C-V11" if is_mermaid(card) else "C-V3", flip.cards, facts),)
    if is_empty(winner) and state.table.rules.war_last == "wins":
        grounds += (Finding("C-A8", (card,), {"player": winner.name}),)
        return _verdict(win(state, (winner.name,)), flip, grounds=grounds, steps=steps)
    state, owed = _owed(state, winner, loser, rule="C-V13" if is_mermaid(card) else _price(taken))
    steps += owed
    if is_empty(seat_at(state, winner.name)) and not state.dry:
        return _verdict(win(state, (winner.name,)), flip, grounds=grounds, steps=steps)
    state, fines = _fines(state, flip.proofs)
    return _colour_after(state, flip, winner.name, grounds=grounds, steps=steps + fines, kept=kept)


def _spoils(state: State, move: Move, winner: Seat, loser: Seat) -> tuple[State, Face, tuple[Face, ...]]:
    """The war is over: the table after it, the winner's card on the pile, and the cards that the loser has taken."""
    (*tied, card), (*others, lost) = winner.open or (), loser.open or ()
    taken = (lost, *others, *tied)
    state = state._replace(
        seats=_seated(
            state,
            winner._replace(open=(), played=winner.played + 1),
            hands.take_openly(loser, taken, onto=()),
        ),
        pile=(*state.pile, card),
        colour=None,
        top=(winner.name, move.seq),
        war=None,
        due=(),
        begun=True,
        claims=took_openly(state.claims, loser.name, taken),
        changed=mark(state.changed, winner.name, loser.name),
        stop=None,
        taking=(loser.name,),
    )
    return state, card, taken


def _price(taken: tuple[Face, ...]) -> str:
    """The rule by which whoever lost to a numbered card draws one."""
    return "C-V9" if len(taken) > 1 else "C-V5"


def flipped(state: State, move: Move) -> State | None:
    """The position after a war that one of the two plainly wins; None where there is more to it."""
    war, turn, told = state.war, state.turn, move.data.get("cards")
    if war is None or war.first is None or war.second is None or turn.step != "war" or move.player != TABLE:
        return None
    if not isinstance(told, dict) or told.keys() != {turn.player, war.rival} or move.cards or move.candidates:
        return None
    cards = face(told[turn.player]), face(told[war.rival])
    if not (is_known(cards[0]) and is_known(cards[1])) or is_known(war.first.shown) or is_known(war.second.shown):
        return None
    first, second = value_of(cards[0]), value_of(cards[1])
    if first == second or (not war.first.off_pile and matches(state, cards[0])):
        return None
    state, proofs = _proofs(state, cards)
    winner, loser = _open(state, turn.player, cards[0]), _open(state, war.rival, cards[1])
    if first < second:
        winner, loser = loser, winner
    if proofs or is_empty(winner):
        return None
    state, card, taken = _spoils(state, move, winner, loser)
    state, _ = owe(state, loser.name, count=1, rule=_price(taken))
    return None if state.dry or is_wild(card) else end_turn(state)[0]


def _owed(state: State, winner: Seat, loser: Seat, *, rule: str) -> tuple[State, tuple[Step, ...]]:
    """The loser draws one; by house rule the winner of the last card does, or of a Mermaid (C-A5, C-A8)."""
    rules = state.table.rules
    state, steps = owe(state, loser.name, count=1, rule=rule)
    if is_empty(winner):
        state, owed = owe(state, winner.name, count=1, rule="C-A8")
        steps += owed
    if rule == "C-V13" and rules.war_mermaid_draw5:
        state, owed = owe(state, winner.name, count=MERMAID_DRAWS, rule="C-M2")
        steps += owed
    return state, steps


def _colour_after(
    state: State,
    flip: _Flip,
    winner: str,
    *,
    grounds: tuple[Finding, ...],
    steps: tuple[Step, ...],
    kept: str | None,
) -> Outcome:
    """Which colour continues after a war won with a wild card (C-A4, C-A5); else the next turn."""
    card, rule = state.pile[-1], state.table.rules.war_eight_colour
    if is_mermaid(card) or (is_wild(card) and rule == "winner"):
        state = state._replace(turn=Turn(state.turn.player, "colour", whom=winner))
        return _verdict(state, flip, grounds=grounds, steps=steps, asks=waiting_for(state), ruling="pending")
    if is_wild(card):
        state = state._replace(colour=kept if rule == "keep" else ANY)
        grounds += (Finding("C-A4", (card,), {"case": rule}),)
    state, fish = end_turn(state)
    return _verdict(state, flip, grounds=grounds, steps=steps, asks=fish)


def _colour_before(state: State) -> str | None:
    """The colour in force before the war: the named one, or that of the top card; None where nobody knows."""
    top = state.pile[-1]
    if not is_known(top) or is_wild(top):
        return state.colour
    return read_card(top).colour
