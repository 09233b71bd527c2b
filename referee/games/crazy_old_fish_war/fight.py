"""Crazy Old Fish War: two war cards are flipped, and who takes what (C-V3 to C-V15, C-A4 to C-A8, C-A15, C-A16)."""

from __future__ import annotations

from typing import NamedTuple

from referee.cards import UNKNOWN, Face, is_known
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.cease import call_off, laid_by
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
    matches,
    seat_at,
    with_seats,
)
from referee.games.crazy_old_fish_war.turns import end_turn, waiting_for
from referee.knowledge import took_openly
from referee.moves import Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["caught", "fight", "next_card", "with_laid"]

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

    @property
    def proven(self) -> tuple[Finding, ...]:
        """What is said about these claims."""
        return tuple(ground for name, rules in self.proofs for ground in proof_grounds(name, rules))

    @property
    def proves(self) -> tuple[str, ...]:
        """The rules of all proofs, each once."""
        return tuple(dict.fromkeys(rule for _, rules in self.proofs for rule in rules))


def lay_unwritten(state: State) -> tuple[State, tuple[Step, ...]]:
    """A card that nobody has written down was laid all the same: off the draw pile by a player without cards (C-V8)."""
    steps: tuple[Step, ...] = ()
    for name in (state.turn.player, (state.war or War()).rival):
        if laid_by(state, name) is None:
            laid, state, more = next_card(state, name)
            state = with_laid(state, name, laid)
            steps += more
    return state, steps


def next_card(
    state: State, player: str, card: Face = UNKNOWN, *, from_draw: bool = False
) -> tuple[Laid, State, tuple[Step, ...]]:
    """The war card of a player: one of the hand (`card` in a simulation), without one the next of the draw pile."""
    if not from_draw and not is_empty(seat_at(state, player)):
        return Laid(face=card), state, ()
    taken, state, steps = take_off(state, 1)
    return (Laid(off_pile=True, face=taken[0]) if taken else Laid(face=card)), state, steps


def with_laid(state: State, player: str, laid: Laid) -> State:
    """`state` with a card lying in front of a player."""
    war = state.war or War()
    return state._replace(war=war._replace(first=laid) if player == state.turn.player else war._replace(second=laid))


def fight(state: State, move: Move, cards: tuple[Face, Face], *, reminders: tuple[Finding, ...] = ()) -> Outcome:
    """Both cards are open: of the starter, of the rival."""
    state, steps = lay_unwritten(state)
    if not all(map(is_known, cards)):
        ask = Ask("which-card", seq=move.seq)
        return Verdict(move, "pending", reminders=reminders, remedy=steps, asks=(ask,)), state
    false = caught(state, move, cards, reminders=reminders)
    if false is not None:
        return false
    state, proofs = _shown(state, cards)
    flip = _Flip(move, cards, reminders, proofs, steps)
    first, second = value_of(cards[0]), value_of(cards[1])
    if first == second:
        return _cancelled(state, flip) if first == MERMAID else _tie(state, flip)
    return _won(state, flip, first=first > second)


def caught(
    state: State, move: Move, cards: tuple[Face, Face], *, reminders: tuple[Finding, ...] = ()
) -> Outcome | None:
    """The starter's card off the hand matched the pile: the claim was false, the war is void (C-A16, C-V10).

    The other card may still lie face down (`UNKNOWN`). None when nothing is wrong with the starter's card.
    """
    starter, rival = state.turn.player, (state.war or War()).rival
    laid = laid_by(state, starter)
    if (laid is not None and laid.off_pile) or not is_known(cards[0]) or not matches(state, cards[0]):
        return None
    state, proofs = _back(withdraw(state, starter, "C-T2"), starter, cards[0])
    state, more = _back(state, rival, cards[1])
    state, steps = call_off(state)
    state = state._replace(turn=Turn(starter))
    fines = dict(proofs + more) | {starter: ("C-T2",)}
    for name, rules in fines.items():
        state, owed = penalty(state, name, rules)
        steps += owed
    mermaid = (Finding("C-V10", cards[:1], {"player": starter}),) if is_mermaid(cards[0]) else ()
    fault = Finding("C-T2", cards[:1], {"case": "war", "player": starter})
    proves = _Flip(move, cards, proofs=proofs + more).proves
    verdict = Verdict(
        move,
        "disproved",
        faults=(*mermaid, fault),
        reminders=reminders,
        proves=proves,
        remedy=steps,
        asks=(Ask("match", player=starter),),
    )
    return verdict, state


def _back(state: State, player: str, card: Face) -> tuple[State, _Proofs]:
    """A flipped card goes home with the tied ones; one that still lies face down is picked up unseen."""
    laid = laid_by(state, player)
    if not player or not is_known(card) or laid is None:
        return state, ()
    proofs: _Proofs = ()
    seat = seat_at(state, player)
    if not laid.off_pile:
        state, rules = prove(state, player, (card,))
        proofs = ((player, rules),) if rules else ()
        seat = hands.leave(seat, card)
    state = with_seats(state, seat._replace(open=(*(seat.open or ()), card)))
    war = state.war or War()
    gone = war._replace(first=None) if player == state.turn.player else war._replace(second=None)
    return state._replace(war=gone), proofs


def _shown(state: State, cards: tuple[Face, Face]) -> tuple[State, _Proofs]:
    """Both cards have left the hands, if they were there, and lie open in front of their owners."""
    rival = (state.war or War()).rival
    state, proofs = _back(state, state.turn.player, cards[0])
    state, more = _back(state, rival, cards[1])
    changed = tuple(dict.fromkeys((*state.changed, state.turn.player, rival)))
    return state._replace(changed=changed), proofs + more


def _fines(state: State, flip: _Flip) -> tuple[State, tuple[Step, ...]]:
    steps: tuple[Step, ...] = ()
    for name, rules in flip.proofs:
        state, owed = penalty(state, name, rules)
        steps += owed
    return state, steps


def _verdict(
    state: State,
    flip: _Flip,
    *,
    grounds: tuple[Finding, ...],
    steps: tuple[Step, ...] = (),
    asks: tuple[Ask, ...] = (),
    ruling: Ruling = "legal",
) -> Outcome:
    verdict = Verdict(
        flip.move,
        ruling,
        grounds=grounds + flip.proven,
        reminders=flip.reminders,
        proves=flip.proves,
        remedy=(*flip.steps, *steps),
        asks=asks,
        result=state.result,
    )
    return verdict, state


def _tie(state: State, flip: _Flip) -> Outcome:
    """The cards stay there, and both lay another one (C-V6, C-V7); if one of them cannot, the war is off (C-A15)."""
    state, fines = _fines(state, flip)
    names = (state.turn.player, (state.war or War()).rival)
    lacking, left = sum(is_empty(seat_at(state, name)) for name in names), supply(state)
    if left is None or lacking <= left:
        return _verdict(state, flip, grounds=(Finding("C-V6", flip.cards, {"case": "tie"}),), steps=fines)
    state, steps = call_off(state)
    state, fish = end_turn(state)
    ground = Finding("C-A15", flip.cards, {"case": "off"})
    return _verdict(state, flip, grounds=(ground,), steps=(*fines, *steps), asks=fish)


def _on_pile(state: State, flip: _Flip, players: tuple[str, ...], cards: tuple[Face, ...]) -> State:
    """Cards that lie open in front of these players go onto the play pile (C-V4, C-V12, C-V14)."""
    for name in players:
        seat = seat_at(state, name)
        state = with_seats(state, seat._replace(open=(seat.open or ())[:-1], played=seat.played + 1))
    return state._replace(pile=(*state.pile, *cards), colour=None, top=(players[-1], flip.move.seq))


def _cancelled(state: State, flip: _Flip) -> Outcome:
    """Mermaid against Mermaid: both onto the pile, the starter names the colour, nobody draws (C-V14, C-A7)."""
    starter, rival = state.turn.player, (state.war or War()).rival
    state = _on_pile(state, flip, (starter, rival), flip.cards)._replace(top=(starter, flip.move.seq))
    put = tuple(
        Step(name, "discard", (card,), count=1, to="pile", how="winner")
        for name, card in zip((starter, rival), flip.cards, strict=True)
    )
    state, home = call_off(state)
    out = tuple(name for name in (starter, rival) if is_empty(seat_at(state, name)))
    ground = Finding("C-V14", flip.cards, {"case": "out" if out else "both", "player": out[0] if out else starter})
    if out:
        return _verdict(win(state, out), flip, grounds=(ground,), steps=(*put, *home))
    state, fines = _fines(state, flip)
    state = state._replace(turn=Turn(starter, "colour", whom=starter))
    steps = (*put, *home, *fines)
    return _verdict(state, flip, grounds=(ground,), steps=steps, asks=waiting_for(state), ruling="pending")


def _won(state: State, flip: _Flip, *, first: bool) -> Outcome:
    """The winner's card goes onto the pile, the loser takes all the others and draws one (C-V4, C-V5, C-V9, C-V13)."""
    starter, rival = state.turn.player, (state.war or War()).rival
    winner, loser = (starter, rival) if first else (rival, starter)
    card = flip.cards[0] if first else flip.cards[1]
    kept = _colour_before(state)
    state = _on_pile(state, flip, (winner,), (card,))
    state, steps = _spoils(state, winner, loser)
    steps = (Step(winner, "discard", (card,), count=1, to="pile", how="winner"), *steps)
    rule = "C-V13" if is_mermaid(card) else ("C-V9" if len(steps[1].cards) > 1 else "C-V5")
    facts: dict[str, Json] = {"case": "won", "player": winner, "loser": loser}
    grounds: tuple[Finding, ...] = (Finding("C-V11" if is_mermaid(card) else "C-V3", flip.cards, facts),)
    rules, last = state.table.rules, is_empty(seat_at(state, winner))
    if last and rules.war_last == "wins":
        ground = Finding("C-A8", (card,), {"player": winner})
        return _verdict(win(state, (winner,)), flip, grounds=(*grounds, ground), steps=steps)
    orders = [(loser, 1, rule)]
    orders += [(winner, 1, "C-A8")] if last else []
    orders += [(winner, MERMAID_DRAWS, "C-M2")] if is_mermaid(card) and rules.war_mermaid_draw5 else []
    for name, count, why in orders:
        state, owed = owe(state, name, count=count, rule=why)
        steps += owed
    if last and is_empty(seat_at(state, winner)) and not state.dry:
        return _verdict(win(state, (winner,)), flip, grounds=grounds, steps=steps)
    state, fines = _fines(state, flip)
    steps += fines
    if is_mermaid(card) or (is_wild(card) and rules.war_eight_colour == "winner"):
        state = state._replace(war=None, turn=Turn(starter, "colour", whom=winner))
        return _verdict(state, flip, grounds=grounds, steps=steps, asks=waiting_for(state), ruling="pending")
    if is_wild(card):
        state = state._replace(colour=kept if rules.war_eight_colour == "keep" else ANY)
        grounds += (Finding("C-A4", (card,), {"case": rules.war_eight_colour}),)
    state, fish = end_turn(state)
    return _verdict(state, flip, grounds=grounds, steps=steps, asks=fish)


def _colour_before(state: State) -> str | None:
    """The colour in force before the war: the named one, or that of the top card; None where nobody knows."""
    top = state.pile[-1]
    if not is_known(top) or is_wild(top):
        return state.colour
    return read_card(top).colour


def _spoils(state: State, winner: str, loser: str) -> tuple[State, tuple[Step, ...]]:
    """The loser takes the own last card and the tied cards of both, before everybody's eyes."""
    won, lost = seat_at(state, winner), seat_at(state, loser)
    taken = ((lost.open or ())[-1], *(lost.open or ())[:-1], *(won.open or ()))
    state = with_seats(state, won._replace(open=()), hands.take_openly(lost, taken)._replace(open=()))
    if state.claims:
        state = state._replace(claims=took_openly(state.claims, loser, taken))
    how = "spoils" if len(taken) > 1 else "lost"
    return state._replace(war=None), (Step(loser, "take", taken, count=len(taken), to="hand", how=how),)
