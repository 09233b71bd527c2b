"""Crazy Old Fish War: every move that would stand now, for random games and for phones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from referee.cards import BACK, UNKNOWN, Face, is_known
from referee.games.crazy_old_fish_war.cease import fighters, laid_by
from referee.games.crazy_old_fish_war.faces import choices, fits, is_wild
from referee.games.crazy_old_fish_war.names import plain
from referee.games.crazy_old_fish_war.opening import checked
from referee.games.crazy_old_fish_war.piles import supply
from referee.games.crazy_old_fish_war.start import opened
from referee.games.crazy_old_fish_war.state import State, Turn, War, matches, seat_at
from referee.games.seats import Cards
from referee.moves import TABLE, Move

__all__ = ["standing", "to_act"]

_FISH = ("trout", "salmon", "pike", "carp", "perch", "herring", "cod", "eel", "tuna", "plaice", "sardine", "catfish")


def standing(state: State, player: str, held: Iterable[Face] | None) -> tuple[Move, ...]:
    """What `player` could do now that would stand; without a known hand only what can be told without it."""
    if state.phase != "playing":
        return () if state.phase == "over" else _before(state, player, held)
    turn, war = state.turn, state.war
    moves: tuple[Move, ...] = ()
    if player == turn.player or player == turn.whom or (war is not None and player == war.rival):
        moves = _of_the_turn(state, player, held)
    elif player == TABLE:
        return _flips(state) if war is not None and turn.step == "war" else ()
    return (*_besides(state, player), *moves) if state.due or state.talk.duties else moves


def to_act(state: State, players: Sequence[str]) -> tuple[str, ...]:
    """Those of `players` and the table who can do anything now: mostly the one whose turn it is."""
    if state.phase != "playing":
        return (*players, TABLE)
    turn = state.turn
    acting = [turn.whom if turn.step == "colour" else turn.player]
    if turn.step in ("war", "asked"):
        acting += _opposite(turn, state.war)
    elif not (state.due or state.talk.duties):
        return tuple(acting)
    acting += [one.player for one in state.due]
    acting += state.talk.duties
    return tuple([name for name in (*players, TABLE) if name in acting])


def _opposite(turn: Turn, war: War | None) -> tuple[str, ...]:
    """Who acts beside the one whose turn it is: who was asked or has to lay a card, or the table, which flips both."""
    if war is None:
        return (turn.whom,)
    return (war.rival,) if war.second is None else (TABLE,)


def _besides(state: State, player: str) -> tuple[Move, ...]:
    """What is due from a turn before: cards to draw, a fish to shout."""
    moves: tuple[Move, ...] = ()
    owed = sum([one.number for one in state.due if one.player == player])
    if owed:
        moves += (_draw(player, owed),)
    if player in state.talk.duties:
        moves += (_shout(player, _new_name(state.talk.names)),)
    return moves


def _before(state: State, player: str, held: Iterable[Face] | None) -> tuple[Move, ...]:
    """Before the first turn: the start, or one more card turned over; the first player may simply begin."""
    ready = opened(state)
    if player != TABLE:
        return () if ready is None else standing(ready, player, held)
    if ready is not None:
        return () if checked(state) else (Move(TABLE, "start"),)
    card = state.draw[-1] if state.draw else BACK
    return (Move(TABLE, "reveal", (card,)),) if is_known(card) else ()


def _of_the_turn(state: State, player: str, held: Iterable[Face] | None) -> tuple[Move, ...]:
    turn = state.turn
    if turn.step == "colour":
        return _names(player, choices(state.pile, state.table.colours)) if player == turn.whom else ()
    if turn.step == "received":
        return (_play(player, turn.card),) if player == turn.player else ()
    hand = seat_at(state, player).hand if held is None else tuple(held)
    if player != turn.player:
        return _answers(state, player, hand) if turn.step == "asked" else _lays(state, player, hand)
    moves = _matching(state, "play", player, hand)
    if turn.step == "war":
        return moves + _lays(state, player, hand)
    if turn.step == "asked":
        return moves
    if state.colour is None and is_wild(state.pile[-1]):
        moves += _names(player, choices(state.pile, state.table.colours))
    if moves or not hand or not _is_seen(hand):
        return moves
    return _fallbacks(player, state.table.players, state.table.rules.fallback, said=turn.step == "target")


def _matching(state: State, kind: str, player: str, hand: Cards) -> tuple[Move, ...]:
    """To play or give each of the different cards of a hand that match, or might once the top card is read."""
    of_card = _moves(kind, player, state.pile[-1], state.colour)
    return tuple([move for card in dict.fromkeys(hand or ()) if (move := of_card[card]) is not None])


class _Moves(dict[Face, Move | None]):
    """Every card that was ever looked up as a move of one player on one top card; None where it does not match."""

    def __init__(self, kind: str, player: str, top: Face, colour: str | None) -> None:
        super().__init__()
        self._kind, self._player, self._top, self._colour = kind, player, top, colour

    def __missing__(self, card: Face) -> Move | None:
        may_match = is_known(card) and fits(self._top, self._colour, card) is not False
        self[card] = move = Move(self._player, self._kind, (card,)) if may_match else None
        return move


@cache
def _moves(kind: str, player: str, top: Face, colour: str | None) -> _Moves:
    return _Moves(kind, player, top, colour)


def _is_seen(hand: tuple[Face, ...]) -> bool:
    return UNKNOWN not in hand and BACK not in hand


def _answers(state: State, player: str, hand: Cards) -> tuple[Move, ...]:
    """Every card to give; "no" only where it is known to be true."""
    gifts = _matching(state, "give", player, hand)
    return gifts if gifts or not hand or not _is_seen(hand) else (_no(player),)


def _lays(state: State, player: str, hand: Cards) -> tuple[Move, ...]:
    """Cards to lay face down. The starter of an honest war holds none that matches; others would only be caught."""
    if laid_by(state, player) is not None:
        return ()
    if not hand:
        left = supply(state)
        return (_lay_drawn(player),) if hand is not None and (left is None or left) else (_lay(player, BACK),)
    cards = list(dict.fromkeys(hand))
    if player == state.turn.player:
        cards = [card for card in cards if not fits(state.pile[-1], state.colour, card)]
    return tuple([_lay(player, card) for card in cards])


def _flips(state: State) -> tuple[Move, ...]:
    """Both cards flipped, as they lie there; where a simulation does not tell which they are, every possible pair."""
    starter, rival = fighters(state)
    second = _lying(state, rival)
    first = [card for card in _lying(state, starter) if _honest(state, starter, card)] if second else []
    pairs = [{starter: one, rival: other} for one in first for other in second]
    return tuple([Move(TABLE, "flip", data={"cards": pair}) for pair in pairs])


def _lying(state: State, player: str) -> tuple[Face, ...]:
    laid, hand = laid_by(state, player), seat_at(state, player).hand
    if laid is None:
        return ()
    card = laid.shown if is_known(laid.shown) else laid.face
    if is_known(card):
        return (card,) if laid.off_pile or hand is None or card in hand or UNKNOWN in hand else ()
    return () if laid.off_pile else tuple(filter(is_known, dict.fromkeys(hand or ())))


def _honest(state: State, starter: str, card: Face) -> bool:
    laid = laid_by(state, starter)
    return (laid is not None and laid.off_pile) or not matches(state, card)


def _new_name(names: tuple[str, ...]) -> str:
    return next((fish for fish in _FISH if plain(fish) not in names), f"fish {len(names)}")


@cache
def _play(player: str, card: Face) -> Move:
    return Move(player, "play", (card,))


@cache
def _no(player: str) -> Move:
    return Move(player, "answer", target="no")


@cache
def _lay(player: str, card: Face) -> Move:
    return Move(player, "lay", (BACK,), data={"card": card} if is_known(card) else {})


@cache
def _lay_drawn(player: str) -> Move:
    return Move(player, "lay", (BACK,), data={"from": "draw"})


@cache
def _draw(player: str, count: int) -> Move:
    return Move(player, "draw", data={"n": count})


@cache
def _shout(player: str, name: str) -> Move:
    return Move(player, "shout", target=name)


@cache
def _names(player: str, colours: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(Move(player, "name", target=colour) for colour in colours)


@cache
def _fallbacks(player: str, players: tuple[str, ...], fallback: str, *, said: bool) -> tuple[Move, ...]:
    """War on and fish from everybody else; before that, "no match" alone."""
    kinds = {"choice": ("war", "ask"), "fish_only": ("ask",), "war_only": ("war",)}[fallback]
    moves = tuple(Move(player, kind, target=name) for kind in kinds for name in players if name != player)
    return moves if said else (Move(player, "call", target="no-match"), *moves)
