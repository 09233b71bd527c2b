"""Shithead, a shedding game with turns. Rule ids are those of `rules/shithead.md`.

Cards go on the pile in turn, each at least as high as the one beneath; the last one who still holds cards has lost.
The parts: ranks and what lies on what (`ranks`), the position (`state`), what laid cards are worth (`lay`), what
follows from them (`effects`), plays (`play`), taking the pile (`pickup`), claims (`claims`), the start and exchanging
(`setup`), everything else at the table (`table`), the end (`ending`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from referee.cards import Face, counted, is_known
from referee.entries import Call, Declare, Start
from referee.errors import MoveError
from referee.games.base import Game
from referee.games.shithead.choices import only_turn_acts, standing
from referee.games.shithead.ending import is_offered
from referee.games.shithead.options import OPTIONS, house_rules, packs_of
from referee.games.shithead.pickup import claim_stuck, take
from referee.games.shithead.play import Outcome, name, play, stands_plainly
from referee.games.shithead.setup import deal, start, swap
from referee.games.shithead.shown import observe, view
from referee.games.shithead.state import State, begin
from referee.games.shithead.table import CALLS, call, count, draw, repaired, reveal
from referee.games.shithead.telling import rank_ask
from referee.knowledge import Hand
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.verdicts import Ask, Result, Verdict

__all__ = ["Shithead"]

_RULES = (
    "S-S1", "S-S1a", "S-S1b", "S-S2", "S-S3", "S-S4", "S-G", "S-T1", "S-T2", "S-T3", "S-T4", "S-K1", "S-K2", "S-K3",
    "S-K4", "S-K5", "S-X2", "S-X3", "S-X7", "S-X8", "S-X10", "S-XJ", "S-M1", "S-M2", "S-M3", "S-M4", "S-P1", "S-F1",
    "S-F2", "S-F3",
)  # fmt: skip
_DECISIONS = range(1, 47)


class Shithead(Game[State]):
    """The game; see `referee.games.base.Game` for what each function promises."""

    name: Final = "shithead"
    version: Final = 1
    deck: Final = "french"
    options: Final = OPTIONS
    rule_ids: Final = frozenset({*_RULES, *(f"S-A{number}" for number in _DECISIONS)})
    found: Final[Mapping[str, Json]] = MappingProxyType({"phase": "setup"})
    most_moves: Final = 20_000

    def packs(self, players: int, options: Mapping[str, Json]) -> int:
        """One pack, from six players on two, or as many as the house rule says."""
        return packs_of(house_rules(options), players)

    def deal(self, players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
        """Three face-down, three open and three hand cards each; the rest is the draw pile."""
        del options
        return deal(players, deck)

    def start(self, start: Start, previous: State | None = None) -> State:
        """The state a game begins in; after a finished game of the same series it carries the points on."""
        return begin(start, previous)

    def decide(self, state: State, move: Move) -> tuple[Verdict, State]:
        """The ruling on `move` and the state once its remedy is carried out."""
        tell, after = _outcome(state, move)
        return tell(), after

    def apply(self, state: State, move: Move) -> State:
        """The state once `move` is judged and its remedy carried out, without the words."""
        after = stands_plainly(state, move) if move.kind == "play" else None
        return _outcome(state, move)[1] if after is None else after

    def legal(self, state: State, player: str, *, held: Iterable[Face] | None = None) -> tuple[Move, ...]:
        """Every move that would stand now, and the face-down cards of a player who has to turn one over (S-A29)."""
        return standing(state, player, None if held is None else tuple(held))

    def to_act(self, state: State, players: Sequence[str]) -> tuple[str, ...]:
        """As `Game.to_act`: mostly whoever's turn it is."""
        return (state.turn,) if only_turn_acts(state) else (*players, TABLE)

    def pending(self, state: State, time_s: float | None = None) -> tuple[Ask, ...]:
        """Open questions: the rank of a joker, who it was, which card it is, whether to stop."""
        del time_s
        asks = list(state.asks)
        if state.waiting is not None:
            asks.append(rank_ask(state, state.waiting.player, state.waiting.seq))
        if is_offered(state):
            asks.append(Ask("stop", choices=CALLS))
        return tuple(asks)

    def answer(self, ask: Ask, choice: str) -> Declare | Call:
        """What a phone writes into the log when somebody answers `ask` with `choice`."""
        if ask.kind == "stop" and choice in CALLS:
            return Call(TABLE, choice)
        return super().answer(ask, choice)

    def copies(self, state: State) -> Mapping[Face, int]:
        """How often each face is in the deck."""
        return counted(state.deck)

    def exhausted(self, state: State) -> frozenset[Face]:
        """Faces of which every copy lies in the pile or is burnt. Open cards are none: they can still be played."""
        if not state.deck:
            return frozenset()
        copies = counted(state.deck)
        lying = Counter(card for card in (*state.pile, *state.burnt) if is_known(card))
        return frozenset(card for card, times in lying.items() if times >= copies.get(card, times + 1))

    def inventory(self, state: State) -> tuple[Face, ...]:
        """Every card in front of the players, in both piles, and out of the game."""
        places = [cards or () for seat in state.seats for cards in (seat.hand, seat.open, seat.hidden)]
        return tuple(card for cards in (*places, state.draw or (), state.pile, state.burnt) for card in cards)

    def knowledge(self, state: State) -> Mapping[str, Hand]:
        """What everybody saw going into each hand, and how many cards it has."""
        return {seat.name: Hand(None if seat.hand is None else len(seat.hand), seat.known) for seat in state.seats}

    def read(self, state: State, change: Change, *, player: str) -> tuple[Move, ...]:
        """A card that appears on the pile is played; one that leaves it after a foul is the repair."""
        if change.zone != "pile" or change.what == "turned" or state.phase == "over":
            return ()
        if change.what == "vanished":
            return (Move(TABLE, "repaired"),) if state.stop is not None else ()
        return () if _comes_to_light(state, change) else (Move(player, "play"),)

    def view(self, state: State) -> dict[str, Json]:
        """What every phone may know."""
        return view(state)

    def observe(self, state: State) -> dict[str, Json]:
        """What a rule case may check about the table."""
        return observe(state)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it goes on."""
        return state.result


def _comes_to_light(state: State, change: Change) -> bool:
    """Whether a card that appears is the top one again, which something had covered."""
    likely = max(change.candidates, key=lambda one: one[1])[0] if change.candidates else None
    if not state.pile or likely != state.pile[-1]:
        return False
    return state.stop is not None or state.deck.count(state.pile[-1]) <= 1


def _outcome(state: State, move: Move) -> Outcome:
    """What becomes of a move. Raises `MoveError` or `CardError` when it cannot be read."""
    if move.player not in state.names and move.player not in (TABLE, UNCLEAR):
        names = ", ".join(seat.name for seat in state.seats)
        raise MoveError(f"{move.player!r} does not play in this match.", hint=f"Players: {names}.")
    if move.kind in _AT_TURN:
        return _AT_TURN[move.kind](state, move)
    if move.kind == "call" and move.target in _CLAIMS:
        return claim_stuck(_next_action(state), move)
    if move.kind not in _OTHERS or (move.kind == "call" and move.target not in CALLS):
        known = (*_AT_TURN, *_OTHERS)
        raise MoveError(f"Shithead has no '{move.kind}' {move.target or ''}.", hint=f"Its moves: {', '.join(known)}.")
    keeps = move.kind in _KEEPING
    verdict, after = _OTHERS[move.kind](state if keeps else _next_action(state), move)
    return lambda: verdict, after


def _next_action(state: State) -> State:
    """What was ordered counts as carried out when something else happens."""
    if state.due is None and state.stop is None and not state.burned:
        return state
    return state._replace(due=None, stop=None, burned=False)


_AT_TURN: Mapping[str, Callable[[State, Move], Outcome]] = {"play": play, "name": name, "take": take}
_CLAIMS = ("stuck", "no-match")
_KEEPING = ("draw", "count", "repaired")
"""Kinds of moves that carry out what was ordered, or do not touch it."""
_OTHERS: Mapping[str, Callable[[State, Move], tuple[Verdict, State]]] = {
    "start": start,
    "swap": swap,
    "draw": draw,
    "reveal": reveal,
    "call": call,
    "count": count,
    "repaired": repaired,
}
