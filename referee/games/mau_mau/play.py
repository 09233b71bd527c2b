"""Mau-Mau: everything that somebody can do at the table, and what the referee says about it.

Each doing answers with a way to tell the verdict and with the state after its remedy: whoever only needs the state does
not pay for the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from referee.cards import UNKNOWN, Face, is_known
from referee.errors import MoveError
from referee.games.mau_mau.state import (
    CARDS,
    DEALT,
    EIGHTS,
    JACKS,
    SEVENS,
    SUITS,
    WORDS,
    State,
    check,
    fitting,
    give,
    is_unread,
    owed,
    seat_at,
    show,
    take_from,
    win,
)
from referee.games.seats import Seat, with_seat
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = ["Outcome", "outcome", "suit_ask"]

Outcome: TypeAlias = tuple[Callable[[], Verdict], State]

_NOBODY = (TABLE, UNCLEAR)


def outcome(state: State, move: Move) -> Outcome:
    """What becomes of a move. Raises `MoveError` or `CardError` when it cannot be read."""
    if move.kind not in _KINDS:
        raise MoveError(f"Mau-Mau has no move '{move.kind}'.", hint=f"Its moves: {', '.join(_KINDS)}.")
    if move.player not in state.table.left and move.player not in _NOBODY:
        names = ", ".join(state.table.left)
        raise MoveError(f"{move.player!r} does not play in this match.", hint=f"Players: {names}.")
    check(move.cards)
    return _KINDS[move.kind](state, move)


def _actor(state: State, move: Move) -> str:
    """Who did it; where nobody saw that, whose turn it is (M-A24)."""
    return state.turn if move.player in _NOBODY else move.player


def _finding(rule: str, case: str, cards: tuple[Face, ...] = (), **facts: Json) -> Finding:
    return Finding(rule, cards, {"case": case, **facts})


# --- a card is played ---
def _play(state: State, move: Move) -> Outcome:
    """A card is laid on the play pile: it lies there (`_stand`), or it goes back (`_back`)."""
    if not move.cards:
        raise MoveError("A card was played, but which one is not said.", hint="Write ?? for a card nobody has read.")
    player = _actor(state, move)
    barred = _barred(state, player, move)
    wrong = _misfit(state, move) if barred is None else barred
    if wrong is None:
        return _stand(state, move, player)
    if move.late and state.phase == "playing":
        return _stand(state, move, player, late=wrong.rule)
    return _back(state, move, player, "foul" if barred is None else "void", wrong)


def _barred(state: State, player: str, move: Move) -> Finding | None:
    """Why the player may neither draw nor play now, or None."""
    cards = move.cards
    if state.phase == "over":
        return _finding("M-E1", "over", cards)
    if state.phase == "setup":
        return _finding("M-S2", "wait", cards)
    if state.naming:
        return _finding("M-J2", "first", cards, player=state.turn)
    if player == state.turn:
        return None
    if player != state.drawn or move.kind == "draw":
        return _finding("M-T1", "turn", cards, player=state.turn)
    known = seat_at(state, player).known
    return _finding("M-T4", "known", cards) if any(card in known for card in cards) else None


def _misfit(state: State, move: Move) -> Finding | None:
    """What is wrong with the cards of somebody who may play, or None: the first in the order of M-A22."""
    cards, top = move.cards, state.pile[-1]
    if len(cards) > 1 or "from" in move.data:
        return _finding("M-T3", "elsewhere" if "from" in move.data else "several", cards)
    if cards[0] in fitting(state) or not is_known(cards[0]):
        return None
    if state.sevens:
        return _finding("M-X7", "only" if state.table.options["pass_sevens"] else "nothing", cards, count=owed(state))
    if cards[0] in JACKS:
        return _finding("M-J1", "jack", cards)
    if state.suit:
        return _finding("M-J2", "other", cards, colour=WORDS[state.suit])
    return _finding("M-T2", "other", cards, colour=WORDS[top[-1]], rank=top[:-1])


def _stand(state: State, move: Move, player: str, *, late: str = "") -> Outcome:
    """The card lies there, with all that follows from it; `late` is the rule that it broke too long ago (M-A25)."""
    left, seat, card, said = state.table.left, seat_at(state, player), move.cards[-1], move.data.get("say")
    for one in () if "from" in move.data else move.cards:
        seat = take_from(seat, one)
    suit = SUITS.get(str(said), "") if card in JACKS else ""
    naming = card in JACKS and not suit
    whose, which = _whose(state, move), _which(state, move)
    new = [ask for ask in whose + which if ask not in state.asks] if whose or which else ()
    # In the order of the fields, since half of all moves pass here.
    after = State(
        state.table,
        with_seat(state.seats, seat._replace(played=seat.played + len(move.cards))),
        player if naming else left[left[player]] if card in EIGHTS else left[player],
        state.pile + move.cards,
        state.draw,
        "playing",
        suit,
        naming,
        state.sevens + 1 if card in SEVENS else 0,
        "",  # drawn
        player if seat.hand is not None and len(seat.hand) == 1 else "",
        said == "mau",
        None,  # due
        player,
        (*state.asks, *new),
    )
    if seat.hand == () and not which:
        after = win(after, player)
    return partial(_told, state, after, move, whose, which, late), after


def _whose(state: State, move: Move) -> tuple[Ask, ...]:
    """The question who played, where nobody saw it."""
    return (Ask("whose", seq=move.seq, choices=tuple(state.table.left)),) if move.player in _NOBODY else ()


def _which(state: State, move: Move) -> tuple[Ask, ...]:
    """The question for a card that nobody has read: the one just played, or the one beneath."""
    if all(map(is_known, move.cards)):
        return tuple(ask for ask in state.asks if ask.kind == "which-card")[-1:] if is_unread(state) else ()
    return (Ask("which-card", seq=move.seq, choices=tuple(card for card, _ in move.candidates)),)


def _told(
    before: State, after: State, move: Move, whose: tuple[Ask, ...], which: tuple[Ask, ...], late: str
) -> Verdict:
    """The verdict on a card that lies there."""
    grounds: tuple[Finding, ...] = ()
    if late:
        grounds = (_finding(late, "late", move.cards),)
    elif not which:
        grounds = (_why(before, move.cards[0]), *_consequences(before, after, move.cards))
    unsaid = "M-M1" if after.mau and not after.said else ""
    if after.result is not None and move.data.get("say") != "mau-mau":
        unsaid = "M-M2"
    return Verdict(
        move,
        "pending" if after.naming or which else "legal",
        beneath=before.pile[-1],
        grounds=grounds,
        reminders=(Finding(unsaid),) if unsaid and before.table.hears else (),
        asks=(*suit_ask(after), *whose, *which),
        result=after.result,
    )


def _why(before: State, card: Face) -> Finding:
    """Why the card may lie there."""
    top = before.pile[-1]
    if card in JACKS:
        return _finding("M-J1", "any", (card,))
    if top in JACKS and not before.suit:
        return _finding("M-S4", "free", (card,))
    if before.suit:
        return _finding("M-J2", "follows", (card,), colour=WORDS[card[-1]])
    if top[-1] == card[-1]:
        return _finding("M-T2", "suit", (card,), colour=WORDS[card[-1]])
    return _finding("M-T2", "rank", (card,), rank=card[:-1])


def _consequences(before: State, after: State, cards: tuple[Face, ...]) -> Iterator[Finding]:
    """What follows for the next player, or for the game."""
    if after.result is not None:
        if after.result.over == "game" and before.table.options["rounds_to_win"] != 1:
            (winner,) = after.result.winners
            yield _finding("M-E2", "game", player=winner, count=dict(after.result.points)[winner])
    elif after.sevens:
        case = "answer" if before.table.options["pass_sevens"] else "draw"
        yield _finding("M-X7", case, cards, player=after.turn, count=2 * after.sevens)
    elif cards[0] in EIGHTS:
        yield _finding("M-X8", "skips", cards, player=before.table.left[after.layer])
    elif after.suit:
        yield _finding("M-J2", "named", cards, colour=WORDS[after.suit])


def _back(state: State, move: Move, player: str, ruling: Ruling, fault: Finding) -> Outcome:
    """The cards go back where they came from (M-A1, M-A2, M-A21)."""
    if state.phase == "over":
        return partial(Verdict, move, ruling, faults=(fault,)), state
    seat, count = seat_at(state, player), len(move.cards)
    step = Step(player, "take", move.cards, count=count, to="pile", how="back-away")
    if "from" not in move.data:
        seat, step = show(seat, move.cards), Step(player, "take", move.cards, count=count, to="hand", how="back")
    if ruling == "foul":
        state, seat = state._replace(drawn="", mau="", due=None), seat._replace(wrong=seat.wrong + 1)
    whose = _whose(state, move) if ruling == "foul" else ()
    after = state._replace(seats=with_seat(state.seats, seat), asks=state.asks + whose, stop=move.seq)
    beneath = state.pile[-1] if state.pile else None
    return partial(Verdict, move, ruling, beneath=beneath, faults=(fault,), remedy=(step,), asks=whose), after


# --- cards are drawn ---
def _draw(state: State, move: Move) -> Outcome:
    number = _number(move)
    if state.due is not None and move.player in (state.due[0], *_NOBODY):
        return _counted(state, move, *state.due, number=number)
    player = _actor(state, move)
    barred = _barred(state, player, move)
    if barred is not None:
        step = Step(player, "return", count=number, to="draw", how="surplus")
        return partial(Verdict, move, "void", faults=(barred,), remedy=(step,) if number else ()), state
    after, count = give(state, player, number if is_unread(state) else owed(state))
    may_play = bool(state.table.options["play_drawn"]) and count > 0 and not state.sevens
    after = after._replace(
        turn=state.table.left[player], sevens=0, drawn=player if may_play else "", mau="", due=None, stop=None
    )
    grounds = () if count else (_finding("M-T6", "passes", player=player),)
    return _counted(after, move, player, count, number=number, grounds=grounds, steps=_turned(state, after))


def _number(move: Move) -> int:
    number = move.data.get("n")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise MoveError(f"{number!r} is no number of cards.", hint="Write 0, 1, 2 ...")
    return number


def _counted(
    state: State, move: Move, player: str, count: int, *, number: int, grounds: tuple[Finding, ...] = (),
    steps: tuple[Step, ...] = ()
) -> Outcome:  # fmt: skip
    """`count` cards had to be drawn and are in the hand; `number` really were (M-A9)."""
    if number == count:
        if steps:
            grounds = (*grounds, _finding("M-T5", "turned"))
        after = state if state.due is None else state._replace(due=None)
        return partial(Verdict, move, "legal", grounds=grounds, remedy=steps, routine=not grounds), after
    if number < count:
        fault = _finding("M-A9", "short", count=count - number)
        step = Step(player, "draw", count=count - number, to="hand", how="draw")
        after = state._replace(due=(player, count - number))
        return partial(Verdict, move, "pending", faults=(fault,), remedy=(*steps, step)), after
    fault = _finding("M-A9", "surplus", count=number - count)
    step = Step(player, "return", count=number - count, to="draw", how="surplus")
    after = state._replace(due=None, stop=move.seq)
    return partial(Verdict, move, "foul", faults=(fault,), remedy=(*steps, step)), after


def _turned(before: State, after: State) -> tuple[Step, ...]:
    """The play pile was turned over in between (M-T5)."""
    cards = len(before.pile) - len(after.pile)
    return (Step(TABLE, "turnover", count=cards, to="draw", how="turnover"),) if cards else ()


# --- something is said ---
def _name(state: State, move: Move) -> Outcome:
    """A suit is named (M-J2)."""
    if move.target not in SUITS:
        raise MoveError(f"{move.target!r} is no suit.", hint=f"Possible: {', '.join(SUITS)}.")
    if not state.naming:
        return partial(Verdict, move, "void", grounds=(_finding("M-J2", "nothing"),)), state
    if _actor(state, move) != state.turn:
        return partial(Verdict, move, "void", faults=(_finding("M-J2", "first", player=state.turn),)), state
    after = state._replace(suit=SUITS[move.target], naming=False, turn=state.table.left[state.turn])
    return partial(Verdict, move, "legal", grounds=(_finding("M-J2", "named", colour=move.target),)), after


def suit_ask(state: State) -> tuple[Ask, ...]:
    """The question for a suit, if one has to be named."""
    return (Ask("colour", player=state.turn, choices=tuple(SUITS)),) if state.naming else ()


def _call(state: State, move: Move) -> Outcome:
    """Somebody calls another player who has forgotten "Mau" (M-M1, M-A18, M-A19)."""
    if move.target != "no-mau":
        raise MoveError(f"Mau-Mau has no call {move.target!r}.", hint="Its only call is no-mau.")
    player, settled = state.mau, state._replace(mau="", due=None)
    if player in ("", move.player):
        return partial(Verdict, move, "void", grounds=(_finding("M-M1", "own" if player else "nothing"),)), state
    if state.said:
        return partial(Verdict, move, "rejected", grounds=(_finding("M-M1", "said", player=player),)), settled
    after, count = give(settled, player, int(state.table.options["mau_penalty"]))
    fault, steps = _finding("M-M1", "missed", player=player), _turned(state, after)
    if count:
        steps = (*steps, Step(player, "draw", count=count, to="hand", how="draw"))
        after = after._replace(due=(player, count))
    return partial(Verdict, move, "upheld", faults=(fault,), remedy=steps), after


# --- around the game ---
def _open(state: State, move: Move) -> Outcome:
    """The first card is turned over (M-S2 to M-S4), or somebody says "go"."""
    if state.phase == "over":
        return partial(Verdict, move, "void", faults=(_finding("M-E1", "over"),)), state
    if state.phase == "playing":
        return partial(Verdict, move, "legal", routine=True), state
    if len(move.cards) > 1:
        raise MoveError(f"One card is turned over to begin, not {len(move.cards)}.", hint="Write down that card alone.")
    if not move.cards:
        step = Step(TABLE, "turn", count=1, to="pile", how="turn-card")
        return partial(Verdict, move, "pending", grounds=(_finding("M-S2", "missing"),), remedy=(step,)), state
    seats = tuple(seat if seat.hand is not None else Seat(seat.name, (UNKNOWN,) * DEALT) for seat in state.seats)
    rest = len(CARDS) - 1 - sum(len(seat.hand or ()) for seat in seats)
    draw = (UNKNOWN,) * rest if state.draw is None else state.draw[:-1]
    after = state._replace(phase="playing", seats=seats, draw=draw, pile=move.cards)
    if is_unread(after):
        asks = _which(after, move)
        return partial(Verdict, move, "pending", asks=asks), after._replace(asks=asks)
    free = (_finding("M-S4", "free"),) if move.cards[0] in JACKS else ()
    return partial(Verdict, move, "legal", grounds=(_finding("M-S3", "first", player=state.turn), *free)), after


def _count(state: State, move: Move) -> Outcome:
    """Somebody has counted a hand: the table knows better than the tally."""
    number = _number(move)
    if move.player in _NOBODY:
        raise MoveError(f"A count needs one of the players, not {move.player!r}.", hint="Name whose hand it is.")
    seat = seat_at(state, move.player)
    if seat.hand is None or len(seat.hand) != number:
        known = seat.known[:number]
        seat = seat._replace(hand=known + (UNKNOWN,) * (number - len(known)), known=known)
    return partial(Verdict, move, "legal", routine=True), state._replace(seats=with_seat(state.seats, seat))


def _repaired(state: State, move: Move) -> Outcome:
    """The cards lie right again."""
    return partial(Verdict, move, "legal", routine=True), state._replace(stop=None)


_KINDS: Final[Mapping[str, Callable[[State, Move], Outcome]]] = {
    "play": _play,
    "draw": _draw,
    "name": _name,
    "call": _call,
    "reveal": _open,
    "start": _open,
    "count": _count,
    "repaired": _repaired,
}
