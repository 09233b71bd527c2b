"""Mau-Mau: the game as the referee finds it. The position is in `state`, what can be done at the table in `play`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from referee.cards import Face, is_known
from referee.entries import Start
from referee.errors import SetupError
from referee.games.base import Game
from referee.games.mau_mau.play import outcome, suit_ask
from referee.games.mau_mau.state import (
    CARDS,
    DEALT,
    OPTIONS,
    SUITS,
    WORDS,
    State,
    begin,
    fitting,
    owed,
    seat_at,
)
from referee.games.seats import Seat, size_of
from referee.knowledge import Hand
from referee.moves import TABLE, Change, Json, Move
from referee.verdicts import Ask, Result, Verdict

__all__ = ["MauMau"]

_RULES = (
    "M-S1", "M-S2", "M-S3", "M-S4", "M-T1", "M-T2", "M-T3", "M-T4", "M-T5", "M-T6", "M-X7", "M-X8", "M-J1", "M-J2",
    "M-M1", "M-M2", "M-E1", "M-E2",
)  # fmt: skip
_DECISIONS = range(1, 27)
_ANNOUNCED = {2: "mau", 1: "mau-mau"}
"""What belongs to the card that somebody plays from a hand of so many (M-M1, M-M2)."""


class MauMau(Game[State]):
    """The game; see `referee.games.base.Game` for what each function promises."""

    name: Final = "mau-mau"
    version: Final = 1
    deck: Final = "french"
    options: Final = OPTIONS
    rule_ids: Final = frozenset((*_RULES, *(f"M-A{number}" for number in _DECISIONS)))
    found: Final[Mapping[str, Json]] = MappingProxyType({"phase": "setup", "hears": False})
    most_moves: Final = 5_000

    def deal(self, players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
        """Five cards each, one by one, and the first card of the play pile (M-S1, M-S2)."""
        del options
        cards, dealt = [card for card in deck if card in CARDS], DEALT * len(players)
        if len(cards) <= dealt:
            raise SetupError(f"{len(cards)} cards are too few for {len(players)} players.", hint="Take a whole pack.")
        hands = {name: cards[place : dealt : len(players)] for place, name in enumerate(players)}
        return {"hands": hands, "pile": [cards[dealt]], "draw": cards[:dealt:-1]}

    def start(self, start: Start, previous: State | None = None) -> State:
        """The state a round begins in; after a round of the same players it carries their wins on."""
        return begin(start, previous)

    def decide(self, state: State, move: Move) -> tuple[Verdict, State]:
        """The ruling on `move` and the state once its remedy is carried out."""
        tell, after = outcome(state, move)
        return tell(), after

    def apply(self, state: State, move: Move) -> State:
        """The state once `move` is judged and its remedy carried out, without the words."""
        return outcome(state, move)[1]

    def legal(self, state: State, player: str, *, held: Iterable[Face] | None = None) -> tuple[Move, ...]:
        """Each card that may be played, with the announcement that belongs to it; the draw; the suits to be named."""
        in_turn = player == state.turn
        if state.phase != "playing" or not (in_turn or player == state.drawn):
            return ()
        if state.naming:
            return _names(player)
        seat = seat_at(state, player)
        hand, fits = (seat.hand or ()) if held is None else tuple(held), fitting(state)
        of_card = _plays(player, fits, _ANNOUNCED.get(len(hand)))
        if in_turn:
            return (*[of_card[card] for card in hand if card in of_card], _draw(player, owed(state)))
        return tuple([of_card[card] for card in hand if card in of_card and card not in seat.known])

    def to_act(self, state: State, players: Sequence[str]) -> tuple[str, ...]:
        """As `Game.to_act`: whoever's turn it is, and who has drawn and may still play that card."""
        if state.phase != "playing":
            return ()
        return tuple([name for name in players if name in (state.turn, state.drawn)])

    def pending(self, state: State, time_s: float | None = None) -> tuple[Ask, ...]:
        """Open questions: which suit, whose card it was, which card it is."""
        del time_s
        return suit_ask(state) + state.asks

    def copies(self, state: State) -> Mapping[Face, int]:
        """How often each face is in the pack, cards that are laid aside included."""
        return Counter(state.table.deck)

    def exhausted(self, state: State) -> frozenset[Face]:
        """Faces of which every copy lies on the play pile or aside."""
        lying = Counter(state.pile + state.table.aside)
        return frozenset(card for card, copies in self.copies(state).items() if lying[card] >= copies)

    def inventory(self, state: State) -> tuple[Face, ...]:
        """Every card in a hand, on both piles and aside."""
        hands = (card for seat in state.seats for card in seat.hand or ())
        return (*hands, *state.pile, *(state.draw or ()), *state.table.aside)

    def knowledge(self, state: State) -> Mapping[str, Hand]:
        """How many cards each hand has, and which of them went back into it for everybody to see (M-A26)."""
        return {seat.name: Hand(size_of(seat.hand), seat.known) for seat in state.seats}

    def read(self, state: State, change: Change, *, player: str) -> tuple[Move, ...]:
        """A card that appears on the pile is played, or turned over to begin; after a foul the pile is put right."""
        if change.zone != "pile" or state.phase == "over":
            return ()
        if state.phase == "setup":
            return () if change.what == "vanished" else (Move(TABLE, "reveal"),)
        likely = max(change.candidates, key=lambda one: one[1])[0] if change.candidates else None
        if change.what == "appeared" and likely != state.pile[-1]:
            return (Move(player, "play"),)
        return () if state.stop is None else (Move(TABLE, "repaired"),)

    def view(self, state: State) -> dict[str, Json]:
        """What every phone may know: no face of a hand or of the draw pile."""
        table, top = self.observe(state), next(filter(is_known, state.pile[-1:]), None)
        return {
            "phase": state.phase,
            "players": [_tile(seat, hints=bool(state.table.options["hints"])) for seat in state.seats],
            "target": {"face": top, "player": state.layer or None, "pile": len(state.pile)},
            "stop": None if state.stop is None else {"seq": state.stop},
            "naming": state.naming,
            **{key: table[key] for key in ("turn", "colour", "run", "draw", "wins")},
        }

    def observe(self, state: State) -> dict[str, Json]:
        """The keys of the case files; `run` is the number of 7s that wait to be drawn for."""
        return {
            "turn": None if state.phase == "over" else state.turn,
            "pile": list(state.pile),
            "top": state.pile[-1] if state.pile else None,
            "colour": WORDS.get(state.suit),
            "run": state.sevens,
            "draw": size_of(state.draw),
            "hand_size": {seat.name: size_of(seat.hand) for seat in state.seats},
            "wins": dict(state.table.wins if state.result is None else state.result.points),
        }

    def result(self, state: State) -> Result | None:
        """How the round ended, or None while it goes on."""
        return state.result


@cache
def _plays(player: str, fits: frozenset[Face], said: str | None) -> dict[Face, Move]:
    """To play each card that fits, with what has to be said."""
    return {card: Move(player, "play", (card,), data={} if said is None else {"say": said}) for card in fits}


@cache
def _draw(player: str, number: int) -> Move:
    return Move(player, "draw", data={"n": number})


@cache
def _names(player: str) -> tuple[Move, ...]:
    return tuple(Move(player, "name", target=suit) for suit in SUITS)


def _tile(seat: Seat, *, hints: bool) -> dict[str, Json]:
    """What phones show of one player."""
    shown: dict[str, Json] = {
        "name": seat.name,
        "count": size_of(seat.hand),
        "wrong": seat.wrong,
        "played": seat.played,
    }
    return {**shown, "known": list(seat.known)} if hints else shown
