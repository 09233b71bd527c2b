"""Crazy Old Fish War: what the eyes' changes on the table stand for, as far as that is simple and certain."""

from __future__ import annotations

from referee.cards import BACK
from referee.games.crazy_old_fish_war.faces import is_wild
from referee.games.crazy_old_fish_war.state import State
from referee.moves import TABLE, UNCLEAR, Change, Move

__all__ = ["read"]


def read(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    """What happened in words of the game.

    * A card that appears on the play pile is a play; before the first turn it is turned over by the table. The top
      card that comes to light again is none: after a foul it is the repair, after a war the winner's card.
    * A card that vanishes from the pile is taken: the repair after a foul, else the own card.
    * At the seats of those who fight a war a card lying face down is laid, one that shows its face was flipped, and a
      tied card that vanishes is taken up.
    """
    if change.owner is not None:
        return _at_seat(state, change, player=player)
    if change.zone != "pile" or state.phase == "over":
        return ()
    if change.what == "turned":
        return (Move(TABLE, "reveal"),)
    if change.what == "vanished":
        return _vanished(state, player=player)
    return _appeared(state, change, player=player)


def _appeared(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    likely = max(change.candidates, key=lambda one: one[1])[0] if change.candidates else None
    if likely is not None and state.pile and likely in state.pile and _comes_to_light(state, likely):
        return (Move(TABLE, "repaired"),) if state.stop is not None and likely == state.pile[-1] else ()
    if state.phase == "setup" and (not state.pile or is_wild(state.pile[-1])):
        return (Move(TABLE, "reveal"),)
    return (Move(player, "play"),)


def _comes_to_light(state: State, card: str) -> bool:
    """Whether the card lies there already: the only copy of its face, or the top card of a pile that has to shrink."""
    deck = state.table.deck
    single = deck is not None and sum(one == card for one in deck) == 1
    return single or (state.stop is not None and card == state.pile[-1])


def _vanished(state: State, *, player: str) -> tuple[Move, ...]:
    if state.phase != "playing":
        return ()
    if state.stop is not None:
        return (Move(TABLE, "repaired"),)
    return (Move(state.top[0] or player if player == UNCLEAR else player, "take", target="own"),)


def _at_seat(state: State, change: Change, *, player: str) -> tuple[Move, ...]:
    war = state.war
    if state.phase != "playing" or war is None or player not in (state.turn.player, war.rival):
        return ()
    if change.what == "vanished":
        return (Move(player, "take", target="own"),)
    faces = {card for card, _ in change.candidates}
    if change.what == "appeared" and (not faces or BACK in faces):
        return (Move(player, "lay"),)
    return (Move(player, "reveal"),) if change.what == "turned" else (Move(player, "lay"),)
