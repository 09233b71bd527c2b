"""Crazy Old Fish War: match the top card, or go to war, or go fishing. Rule ids are those of the rules document.

The parts, from the bottom: faces and house rules (`faces`, `house`), the position (`state`, `start`), hands and draw
pile (`hands`, `piles`, `claims`), turns (`turns`, `opening`, `ends`), and what can be done in one: `play` and `naming`,
`fallback`, `fish`, `lay` and `fight`, `draws`, `shouts`. `listing`, `look` and `reading` answer questions about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from referee.cards import Face, is_known
from referee.entries import Call, Declare, Start
from referee.errors import MoveError
from referee.games.base import Game
from referee.games.crazy_old_fish_war import draws, fallback, fish, hands, lay, listing, look, naming, opening, shouts
from referee.games.crazy_old_fish_war.cease import fighters, inventory, laid_by
from referee.games.crazy_old_fish_war.ends import end_dry, recounted, win
from referee.games.crazy_old_fish_war.faces import read_card
from referee.games.crazy_old_fish_war.fight import flipped
from referee.games.crazy_old_fish_war.house import OPTIONS, RULE_IDS
from referee.games.crazy_old_fish_war.lay import laid_down
from referee.games.crazy_old_fish_war.play import play, played
from referee.games.crazy_old_fish_war.reading import read
from referee.games.crazy_old_fish_war.start import begin, deal
from referee.games.crazy_old_fish_war.state import Outcome, State, seat_at, with_seats
from referee.knowledge import Hand
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.verdicts import Ask, Finding, Result, Verdict

__all__ = ["CrazyOldFishWar"]

_TWO_PACKS_FROM = 6
"""So many players are better off with two packs (section 1 of the rules)."""


class CrazyOldFishWar(Game[State]):
    """The game; see `referee.games.base.Game` for what each function promises."""

    name: Final = "crazy-old-fish-war"
    version: Final = 1
    deck: Final = "french"
    options: Final = OPTIONS
    rule_ids: Final = RULE_IDS
    found: Final[Mapping[str, Json]] = MappingProxyType({"phase": "setup", "hears": False})
    most_moves: Final = 20_000

    def packs(self, players: int, options: Mapping[str, Json]) -> int:
        """Two for six players."""
        del options
        return 2 if players >= _TWO_PACKS_FROM else 1

    def deal(self, players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
        """Seven cards for everybody, and cards turned over until the round may begin."""
        return deal(players, options, deck=deck)

    def start(self, start: Start, previous: State | None = None) -> State:
        """The state a round begins in; after a round of the same players it carries their wins on."""
        return begin(start, previous)

    def decide(self, state: State, move: Move) -> Outcome:
        """The ruling on `move` and the state once its remedy is carried out."""
        return _decide(state, move)

    def apply(self, state: State, move: Move) -> State:
        """The state once `move` is judged; where it needs no words, it is put together without a verdict."""
        plain = _PLAIN.get(move.kind)
        after = None if plain is None else plain(state, move)
        return _decide(state, move)[1] if after is None else after

    def legal(self, state: State, player: str, *, held: Iterable[Face] | None = None) -> tuple[Move, ...]:
        """Every move of `player` that would stand now."""
        return listing.standing(state, player, held)

    def to_act(self, state: State, players: Sequence[str]) -> tuple[str, ...]:
        """Only one player, unless cards are due, a fish should be shouted, or the turn concerns two players."""
        return listing.to_act(state, players)

    def pending(self, state: State, time_s: float | None = None) -> tuple[Ask, ...]:
        """Open questions: colour, whom, a card, a fish, unread cards."""
        del time_s
        return look.pending(state)

    def answer(self, ask: Ask, choice: str) -> Declare | Call:
        """What a phone writes into the log; "no" answers a request for a card."""
        if ask.kind == "match" and ask.player is not None and choice == "no":
            return Declare(ask.player, "answer", choice)
        return super().answer(ask, choice)

    def copies(self, state: State) -> Mapping[Face, int]:
        """How often each face is in the deck; empty where it is not known."""
        return look.copies(state)

    def exhausted(self, state: State) -> frozenset[Face]:
        """Faces of which every copy lies open on the table."""
        return look.exhausted(state)

    def inventory(self, state: State) -> tuple[Face, ...]:
        """Every card that the state accounts for."""
        return inventory(state)

    def knowledge(self, state: State) -> Mapping[str, Hand]:
        """The size of every hand and the cards that everybody saw going there."""
        return look.knowledge(state)

    def read(self, state: State, change: Change, *, player: str) -> tuple[Move, ...]:
        """The moves that a change on the table stands for."""
        return read(state, change, player=player)

    def view(self, state: State) -> dict[str, Json]:
        """What every phone may know."""
        return look.view(state)

    def observe(self, state: State) -> dict[str, Json]:
        """What a rule case may check about the table."""
        return look.observe(state)

    def result(self, state: State) -> Result | None:
        """How the round ended, or None while it goes on."""
        return state.result


def _decide(state: State, move: Move) -> Outcome:
    """The verdict on a move and the state after it. Raises `MoveError` or `CardError` when it cannot be read."""
    handler = _KINDS.get(move.kind)
    if handler is None:
        raise MoveError(f"Crazy Old Fish War has no move '{move.kind}'.", hint=f"Its moves: {', '.join(_KINDS)}.")
    if move.player not in state.table.left and move.player not in (TABLE, UNCLEAR):
        names = ", ".join(state.table.players)
        raise MoveError(f"{move.player!r} does not play in this match.", hint=f"Players: {names}.")
    for card in move.cards:
        if is_known(card):
            read_card(card)
    for card, _ in move.candidates:
        if is_known(card):
            read_card(card)
    due = state.due
    if not due or move.kind in _PATIENT or move.target == "no-fish":
        return _settled(*handler(state, move))
    verdict, after = handler(state._replace(due=()), move)
    return _settled(verdict, after._replace(due=due + after.due) if verdict.ruling == "void" else after)


def _settled(verdict: Verdict, state: State) -> Outcome:
    """The state with what the table still has to show: a stop after a foul, cards on their way back."""
    if state.dry and state.result is None:
        verdict, state = end_dry(verdict, state)
    if verdict.result is not None and verdict.result.over == "game":
        ground = Finding("C-W2", facts={"case": "game", "players": ", ".join(verdict.result.winners)})
        verdict = replace(verdict, grounds=(*verdict.grounds, ground))
    stop = verdict.move.seq if verdict.ruling in ("foul", "disproved") else None
    taking = tuple([step.player for step in verdict.remedy if step.action == "take"])
    if stop != state.stop or taking != state.taking:
        state = state._replace(stop=stop, taking=taking)
    return verdict, state


def _call(state: State, move: Move) -> Outcome:
    match move.target:
        case "no-match":
            return fallback.no_match(state, move)
        case "no-fish":
            return shouts.no_fish(state, move)
    raise MoveError(f"Crazy Old Fish War has no call {move.target!r}.", hint="Its calls: no-match, no-fish.")


def _reveal(state: State, move: Move) -> Outcome:
    """A card is turned over: by the table, or a war card by its owner."""
    if len(move.cards) != 1:
        raise MoveError(f"One card is turned over, not {len(move.cards)}.", hint="Write one move a card.")
    if move.player in (TABLE, UNCLEAR):
        return opening.reveal(state, move)
    return lay.reveal_own(state, move, actor=move.player)


def _count(state: State, move: Move) -> Outcome:
    """Somebody has counted a player's hand: the table knows better than the tally (section 2 of the rules)."""
    number = move.data.get("n")
    if move.player in (TABLE, UNCLEAR) or isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise MoveError(
            f"A count needs a player and a number of cards, not {move.player!r} and {number!r}.",
            hint="Say who has how many cards.",
        )
    laid = laid_by(state, move.player) if state.war is not None and move.player in fighters(state) else None
    lying = int(laid is not None and not laid.off_pile)
    state = with_seats(state, hands.total(seat_at(state, move.player), number + lying))
    if state.phase == "over":
        state = recounted(state)
    elif state.phase == "playing" and number == 0 and state.war is None:
        state = win(state, (move.player,))
        return Verdict(move, "legal", result=state.result), state
    return Verdict(move, "legal", routine=True), state


def _repaired(state: State, move: Move) -> Outcome:
    """The table shows the remedy."""
    return Verdict(move, "legal", routine=True), state


_KINDS: Final[Mapping[str, Callable[[State, Move], Outcome]]] = {
    "play": play,
    "name": naming.name,
    "war": fallback.war,
    "ask": fallback.ask,
    "give": fish.give,
    "answer": fish.answer,
    "lay": lay.lay,
    "flip": lay.flip,
    "reveal": _reveal,
    "draw": draws.draw,
    "take": lay.take,
    "call": _call,
    "shout": shouts.shout,
    "count": _count,
    "start": opening.start,
    "repaired": _repaired,
}

_PLAIN: Final[Mapping[str, Callable[[State, Move], State | None]]] = {
    "play": played,
    "lay": laid_down,
    "war": fallback.declared,
    "ask": fallback.declared,
    "name": naming.chosen,
    "give": fish.given,
    "answer": fish.answered,
    "call": fallback.unmatched,
    "flip": flipped,
    "draw": draws.paid,
}
"""Moves of which most are all right, with the position after those that are."""

_PATIENT: Final = frozenset(("draw", "name", "shout", "count", "repaired", "take"))
"""Moves that do not mean that an announced draw was carried out."""
