"""Piranhas: a race for 2 to 4 players on one shared pile. Rule ids are those of `rules/piranhas.md`.

There are no turns: everybody places what fits, whenever it fits. A wrong card stops all play until "go".
The parts: the position (`state`), the start and what changes stand for (`setup`), what fits (`fit`), cards placed
(`play`), decks, hands and discard piles (`hands`), stops and ends (`stop`), cards coming back (`take`), calls and
claims (`calls`), cards of nobody known (`owners`), what could be done (`choices`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from referee.cards import BACK, Face, counted, fish_card, is_known
from referee.entries import Start
from referee.errors import MoveError
from referee.games.base import Game
from referee.games.piranhas import play as placing
from referee.games.piranhas import setup
from referee.games.piranhas.calls import call, card_ask, count
from referee.games.piranhas.choices import choices, inventory
from referee.games.piranhas.hands import discard, drop_in_stop, turn_over, uncover
from referee.games.piranhas.owners import Outcome, Ruled, debt_asks, void
from referee.games.piranhas.state import OPTIONS, Seat, State, begin, seat_of, with_seat
from referee.games.piranhas.take import take
from referee.knowledge import Hand
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.verdicts import Ask, Finding, Result, Step, Verdict

__all__ = ["Piranhas"]

_RULES = {
    "S": range(7),
    "G": range(1, 10),
    "F": range(1, 10),
    "W": range(1, 8),
    "D": range(1, 2),
    "E": range(1, 5),
    "A": range(1, 27),
}


class Piranhas(Game[State]):
    """The game; see `referee.games.base.Game` for what each function promises."""

    name: Final = "piranhas"
    version: Final = 2
    deck: Final = "fish"
    options: Final = OPTIONS
    rule_ids: Final = frozenset(f"P-{part}{number}" for part, numbers in _RULES.items() for number in numbers)
    found: Final[Mapping[str, Json]] = MappingProxyType({"phase": "setup"})
    granted: Final[Mapping[str, Json]] = MappingProxyType({"hears": True})
    keeps_readings: Final = True
    most_moves: Final = 2_000

    def deal(self, players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
        """The target card first, then equal decks, the rest into the box (section 1 of the rules)."""
        del options
        each = (len(deck) - 1) // len(players)
        decks = {name: list(deck[1 + each * seat : 1 + each * (seat + 1)]) for seat, name in enumerate(players)}
        boxed = list(deck[1 + each * len(players) :])
        # Whoever writes down a simulation writes down what is said in it.
        return {"pile": [deck[0]], "decks": decks, "boxed": boxed, "hears": True}

    def start(self, start: Start, previous: State | None = None) -> State:
        """The state a game begins in; after a finished game of the same series it carries the points on."""
        return begin(start, previous)

    def decide(self, state: State, move: Move) -> Outcome:
        """The ruling on `move` and the state once its remedy is carried out."""
        verdict, after = _rule(state, move)
        return Verdict(move, "legal", routine=True) if verdict is None else verdict, after

    def apply(self, state: State, move: Move) -> State:
        """The state after `move`, without a word about what is routine and about cards that simply lie there."""
        after = placing.placed(state, move) if move.kind == "play" else None
        return _rule(state, move)[1] if after is None else after

    def legal(self, state: State, player: str, *, held: Iterable[Face] | None = None) -> tuple[Move, ...]:
        """Every move that would stand now, but for cards taken back and for calls."""
        return choices(state, player, held)

    def to_act(self, state: State, players: Sequence[str]) -> tuple[str, ...]:
        """As `Game.to_act`: while play goes on everybody but the table."""
        return tuple(players) if state.phase == "playing" else (*players, TABLE)

    def inventory(self, state: State) -> tuple[Face, ...]:
        """Every card of the piles, the players and the box."""
        return inventory(state)

    def knowledge(self, state: State) -> Mapping[str, Hand]:
        """The uncovered card of each player is all that a hand holds."""
        return {seat.name: Hand(len(seat.uncovered), tuple(filter(is_known, seat.uncovered))) for seat in state.seats}

    def pending(self, state: State, time_s: float | None = None) -> tuple[Ask, ...]:
        """Open questions: whose card, which card, how many cards are left; after long waiting, who is stuck."""
        if state.phase == "over":
            return tuple(Ask("count", player=seat.name) for seat in state.seats if seat.owned is None)
        asks = [*debt_asks(state)]
        for place, card in enumerate(state.pile):
            if card.asked and card_ask(state, place) not in asks:
                asks.append(card_ask(state, place))
        return (*asks, *_reminder(state, time_s))

    def copies(self, state: State) -> Mapping[Face, int]:
        """How often each face is in the deck."""
        return {} if state.deck is None else counted(state.deck)

    def exhausted(self, state: State) -> frozenset[Face]:
        """Faces of which every copy lies in the target pile."""
        if state.deck is None:
            return frozenset()
        copies = counted(state.deck)
        lying = Counter(card.face for card in state.pile if len(card.readings) == 1)
        return frozenset(card for card, times in lying.items() if times >= copies.get(card, times + 1))

    def read(self, state: State, change: Change, *, player: str) -> tuple[Move, ...]:
        """The moves that a change on the table stands for."""
        return setup.read(state, change, player=player)

    def view(self, state: State) -> dict[str, Json]:
        """Phase, players, target and stop, for every phone."""
        top = state.pile[-1] if state.pile else None
        known = top is not None and top.player not in (TABLE, UNCLEAR)
        return {
            "phase": state.phase,
            "players": [_shown(seat, hints=state.rules.hints) for seat in state.seats],
            "target": {
                "face": top.face if top is not None and is_known(top.face) else None,
                "player": top.player if top is not None and known else None,
                "pile": len(state.pile),
            },
            "stop": {"seq": state.stop_seq} if state.phase == "stopped" else None,
        }

    def observe(self, state: State) -> dict[str, Json]:
        """What a rule case may check about the table."""
        points = state.points if state.result is None else state.result.points
        return {
            "pile": [card.face for card in state.pile],
            "top": state.pile[-1].face if state.pile else None,
            "counts": {seat.name: seat.owned for seat in state.seats},
            "holding": [seat.name for seat in state.seats if seat.uncovered],
            "points": dict(points),
            "boxed": state.boxed,
        }

    def scores(self, state: State) -> Mapping[str, int]:
        """Cards left over in all games of the series, those still owned in this one included: the fewest win (P-E4)."""
        before = dict(state.points)
        return {seat.name: before.get(seat.name, 0) + seat.owned for seat in state.seats if seat.owned is not None}

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it goes on."""
        return state.result


def _shown(seat: Seat, *, hints: bool) -> dict[str, Json]:
    """What phones show of a player: with `hints` also the uncovered card that everybody saw."""
    shown: dict[str, Json] = {"name": seat.name, "count": seat.owned, "wrong": seat.wrong, "played": seat.played}
    return {**shown, "known": [card for card in seat.uncovered if is_known(card)]} if hints else shown


def _reminder(state: State, time_s: float | None) -> tuple[Ask, ...]:
    """After a long time without a placement everybody is asked whether they are stuck (`stuck_reminder_s`)."""
    wait_s = state.rules.stuck_reminder_s
    waiting = time_s is not None and state.last_s is not None and 0 < wait_s <= time_s - state.last_s
    if state.phase != "playing" or not waiting:
        return ()
    return tuple(Ask("stuck", player=seat.name) for seat in state.seats if seat.name not in state.stuck)


def _rule(state: State, move: Move) -> Ruled:
    """The verdict on a move and the state after it. Raises `MoveError` or `CardError` when it cannot be read."""
    if move.kind not in _KINDS:
        raise MoveError(f"Piranhas has no move '{move.kind}'.", hint=f"Its moves: {', '.join(_KINDS)}.")
    if move.player not in (TABLE, UNCLEAR) and seat_of(state, move.player) is None:
        names = ", ".join(seat.name for seat in state.seats)
        raise MoveError(f"{move.player!r} does not play in this match.", hint=f"Players: {names}.")
    _check_faces(move.cards)
    if move.candidates:
        _check_faces(tuple(card for card, _ in move.candidates))
    return _KINDS[move.kind](state, move)


@lru_cache(maxsize=1 << 12)
def _check_faces(cards: tuple[Face, ...]) -> None:
    """Raises `CardError` for a card of another deck."""
    for card in filter(is_known, cards):
        fish_card(card)


def _one_card(move: Move) -> Face:
    if len(move.cards) != 1:
        raise MoveError(
            f"The move '{move.kind}' is about one card, not {len(move.cards)}.", hint="Write one move a card."
        )
    return move.cards[0]


def _reveal(state: State, move: Move) -> Ruled:
    card = _one_card(move)
    seat = seat_of(state, move.player)
    if seat is None:
        return setup.turn_target(state, move)
    if card == BACK or state.phase == "setup":
        return Verdict(move, "legal", reminders=(Finding("P-S5", (card,)),)), state
    if state.phase == "over":
        return void(move, "P-E1"), state
    if state.phase == "stopped":
        step = Step(seat.name, "discard", (card,), count=1, to="discard", how="stopped")
        verdict = Verdict(move, "void", faults=(Finding("P-W1", (card,)),), remedy=(step,))
        return verdict, with_seat(state, drop_in_stop(seat, card))
    if is_known(card) and seat.uncovered == (card,):
        return None, state
    after, faults = uncover(seat, card)
    if not faults:
        return None, with_seat(state, after)
    steps = tuple(_FAULT_STEPS[fault.rule](seat.name, card) for fault in faults)
    return Verdict(move, "foul", faults=faults, remedy=steps), with_seat(state, after)


_FAULT_STEPS: Mapping[str, Callable[[str, Face], Step]] = {
    "P-G2": lambda player, card: Step(player, "take", (card,), count=1, to="hand", how="back"),
    "P-G7": lambda player, _: Step(player, "discard", count=1, to="discard", how="choose"),
}


def _discard(state: State, move: Move) -> Ruled:
    card = _one_card(move)
    seat = seat_of(state, move.player)
    if seat is None:
        return None, state
    if state.phase == "setup":
        step = Step(seat.name, "take", (card,), count=1, to="hand", how="back")
        return Verdict(move, "void", faults=(Finding("P-S6", (card,)),), remedy=(step,)), state
    if state.phase != "playing":
        return None, with_seat(state, drop_in_stop(seat, card) if state.phase == "stopped" else seat)
    after, faults = discard(seat, card)
    if not faults:
        return None, with_seat(state, after)
    steps = tuple(_FAULT_STEPS["P-G2"](seat.name, card) for fault in faults if fault.rule == "P-G2")
    return Verdict(move, "foul", faults=faults, remedy=steps), with_seat(state, after)


def _turnover(state: State, move: Move) -> Ruled:
    seat = seat_of(state, move.player)
    if seat is None:
        raise MoveError("Nobody knows whose discard pile was turned over.", hint="Name the player.")
    after, due = turn_over(seat, reshuffle=state.rules.reshuffle_on_turnover)
    verdict = None if due else Verdict(move, "legal", reminders=(Finding("P-D1"),))
    return verdict, with_seat(state, after)


def _start(state: State, move: Move) -> Ruled:
    if state.phase == "setup":
        return setup.start(state, move)
    if state.phase == "over":
        return void(move, "P-E1"), state
    if state.phase == "playing":
        return None, state
    return Verdict(move, "legal", grounds=(Finding("P-W7"),)), _go(state)


def _go(state: State) -> State:
    return state._replace(phase="playing", stop_seq=None, leaving=(), repaired=False)


def _repaired(state: State, move: Move) -> Ruled:
    """The table shows the remedy. Said by a person (`go`) it restarts play, seen by the camera the next card does."""
    if state.phase != "stopped":
        return None, state
    done = state._replace(repaired=True, leaving=())
    if move.data.get("go"):
        return Verdict(move, "legal", grounds=(Finding("P-W7"),)), _go(done)
    return None, done


def _say(state: State, move: Move) -> Outcome:
    """An announcement that came after its card: a late word is as good as an early one, a wrong one is reminded."""
    return placing.say(state, move), state


def _play(state: State, move: Move) -> Outcome:
    return placing.play(state, move)


_KINDS: Mapping[str, Callable[[State, Move], Ruled]] = {
    "play": _play,
    "reveal": _reveal,
    "discard": _discard,
    "turnover": _turnover,
    "take": take,
    "call": call,
    "say": _say,
    "count": count,
    "start": _start,
    "repaired": _repaired,
}
