"""Crazy Old Fish War: a card is given, or there is none (C-G1 to C-G5, C-A9, C-A18, C-A19, C-A28)."""

from __future__ import annotations

from referee.cards import UNKNOWN, Face, is_known
from referee.errors import MoveError
from referee.games.crazy_old_fish_war import hands
from referee.games.crazy_old_fish_war.claims import claim, contradiction, penalty, proof_grounds, proven
from referee.games.crazy_old_fish_war.ends import win
from referee.games.crazy_old_fish_war.piles import owe
from referee.games.crazy_old_fish_war.state import Outcome, State, Turn, is_empty, mark, matches, seat_at
from referee.games.crazy_old_fish_war.turns import Blame, end_turn, out_of_play, out_of_turn, refuse, waiting_for, who
from referee.games.seats import with_seat
from referee.moves import Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["answer", "answered", "give", "given"]


def answer(state: State, move: Move) -> Outcome:
    """Whoever was asked says "no" (or yes, and then gives a card). Raises `MoveError` for other answers."""
    if move.target not in ("no", "yes"):
        raise MoveError(f"{move.target!r} is no answer.", hint='The answers are "no" and "yes".')
    if state.phase != "playing":
        return out_of_play(state, move)
    actor = who(state, move)
    blame = _not_asked(state, actor)
    if blame is not None:
        return refuse(state, move, blame, actor=actor)
    if move.target == "yes":
        ground = Finding("C-G2", facts={"case": "give", "player": actor})
        return Verdict(move, "legal", grounds=(ground,), asks=waiting_for(state)), state
    against = contradiction(state, actor)
    if against is not None:
        state, steps = penalty(state, actor, ("C-G2",))
        fault = Finding("C-G2", against, {"case": "known" if against else "anything", "player": actor})
        return Verdict(move, "disproved", faults=(fault,), remedy=steps, asks=waiting_for(state)), state
    asking = state.turn.player
    state, steps, fish = _go_fishing(state, actor)
    ground = Finding("C-G5", facts={"case": "draw", "player": asking})
    return Verdict(move, "accepted", grounds=(ground,), remedy=steps, asks=fish), state


def _go_fishing(state: State, actor: str) -> tuple[State, tuple[Step, ...], tuple[Ask, ...]]:
    """Whoever was asked has said that there is no match: the other one draws, and the turn is over."""
    asking = state.turn.player
    state = state._replace(claims=(*state.claims, claim(state, actor, "C-G2")), due=(), stop=None, taking=())
    state, steps = owe(state, asking, count=1, rule="C-G5")
    state, fish = end_turn(state, rule="C-G5")
    return state, steps, fish


def answered(state: State, move: Move) -> State | None:
    """The position after a "no" that nothing contradicts; None where there is more to it."""
    if move.target != "no" or move.player != state.turn.whom or state.turn.step != "asked" or state.phase != "playing":
        return None
    if move.cards or move.candidates or contradiction(state, move.player) is not None:
        return None
    after, _, _ = _go_fishing(state, move.player)
    return None if after.dry else after


def _not_asked(state: State, actor: str) -> Blame | None:
    """Only whoever was asked answers; anybody else is out of turn."""
    turn = state.turn
    if turn.step == "asked" and turn.whom == actor:
        return None
    if actor != turn.player:
        return out_of_turn(state, actor)
    return "void", Finding("C-G1", facts={"case": "nobody"})


def give(state: State, move: Move) -> Outcome:
    """Whoever was asked hands a card over. Raises `MoveError` for none."""
    if not move.cards:
        raise MoveError("A card was given, but which one is not said.", hint="Write ?? for a card nobody has read.")
    if state.phase != "playing":
        return out_of_play(state, move)
    actor = who(state, move)
    blame = _not_asked(state, actor) or _wrong_cards(state, move)
    if blame is not None:
        return refuse(state, move, blame, actor=actor)
    return _hand_over(state, move, actor=actor)


def _wrong_cards(state: State, move: Move) -> Blame | None:
    if len(move.cards) > 1:
        return "foul", Finding("C-G2", move.cards, {"case": "several"})
    if matches(state, move.cards[0]) is False:
        return "foul", Finding("C-G2", (move.cards[0], state.pile[-1]), {"case": "other"})
    return None


def _handed(state: State, actor: str, card: Face) -> tuple[State, tuple[str, ...]]:
    """The card is on its way, and the rules that it shows broken by earlier claims."""
    claims, proves = proven(state.claims, actor, (card,))
    state = state._replace(
        seats=with_seat(state.seats, hands.leave(seat_at(state, actor), card)),
        turn=Turn(state.turn.player, "received", whom=actor, card=card),
        due=(),
        claims=claims,
        changed=mark(state.changed, actor),
        stop=None,
        taking=(),
    )
    return state, proves


def given(state: State, move: Move) -> State | None:
    """The position after a card was given that matches and proves nothing; None where there is more to it."""
    turn, cards = state.turn, move.cards
    if turn.step != "asked" or move.player != turn.whom or state.phase != "playing":
        return None
    if len(cards) != 1 or move.candidates or not is_known(cards[0]) or not matches(state, cards[0]):
        return None
    after, proves = _handed(state, move.player, cards[0])
    return None if proves or is_empty(seat_at(after, move.player)) else after


def _hand_over(state: State, move: Move, *, actor: str) -> Outcome:
    """The card is on its way: the active player has to play it (C-G4). Whose last one it was is out (C-A9)."""
    card = move.cards[0] if is_known(move.cards[0]) else UNKNOWN
    state, proves = _handed(state, actor, card)
    sure = matches(state, card) is not None
    steps: tuple[Step, ...] = ()
    last = sure and is_empty(seat_at(state, actor))
    if last and state.table.rules.give_last == "draws_one":
        state, steps = owe(state, actor, count=1, rule="C-A9")
        last = is_empty(seat_at(state, actor)) and not state.dry
    if last:
        over = win(state, (actor,))
        grounds = (Finding("C-A9", (card,), {"player": actor}), *proof_grounds(actor, proves))
        return Verdict(move, "legal", grounds=grounds, proves=proves, remedy=steps, result=over.result), over
    state, owed = penalty(state, actor, proves)
    grounds = (Finding("C-G4", (card,), {"case": "play", "player": state.turn.player}), *proof_grounds(actor, proves))
    questions = waiting_for(state)
    ruling: Ruling = "legal"
    if not sure:
        ruling = "pending"
        ask = Ask("which-card", seq=state.top[1] if is_known(card) else move.seq)
        state = state._replace(asks=(*state.asks, *(() if ask in state.asks else (ask,))))
        questions += (ask,)
    verdict = Verdict(move, ruling, grounds=grounds, proves=proves, remedy=(*steps, *owed), asks=questions)
    return verdict, state
