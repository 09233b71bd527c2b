"""Shithead's cards, pile and seats for its second model, and every play that could be thought of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

__all__ = [
    "DEFAULTS",
    "JOKER",
    "RANKS",
    "Lying",
    "faced",
    "higher_or_equal",
    "next_seat",
    "plays",
    "rank_of",
    "run",
    "same_rank",
    "subsets",
]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JOKER = "JK"

DEFAULTS: dict[str, Any] = {
    "ten": "strict",
    "three": "rank3",
    "inherit_effects": "full",
    "joker": "any_legal",
    "skip_wrap": "count_self",
    "hand_plus_open": "whole_hand",
    "take_open_on_pickup": "may",
    "swap": "phase",
    "voluntary_pickup": False,
    "misplay": "undo",
    "burn_in": False,
    "follow_up": False,
    "no_special_finish": False,
    "points": True,
    "series": 1,
    "fatalities": ["mic-drop", "burn-unit"],
    "turn_cap": 500,
    "packs": None,
    "jokers": 2,
    "hints": False,
}


@dataclass
class Lying:
    """A card of the pile. `rank`: its effective rank. `bare`: inherited as a mere height (`rank_only`)."""

    face: str
    rank: str
    bare: bool = False
    inherits: bool = False


def rank_of(face: str) -> str:
    """The printed rank: `9` of `9S`, `JK` of a joker."""
    return JOKER if face == JOKER else face[:-1]


def higher_or_equal(rank: str, other: str) -> bool:
    """S-A40: 2 is the lowest, the ace the highest."""
    return RANKS.index(rank) >= RANKS.index(other)


def same_rank(cards: Iterable[str]) -> bool:
    """S-K3, S-A11: a joker takes the rank of the other cards."""
    return len({rank_of(card) for card in cards if card != JOKER}) <= 1


def subsets(cards: Sequence[str]) -> Iterator[list[str]]:
    """Every choice of one or more of the cards, two equal faces counting as one choice."""
    seen = set()
    for size in range(1, len(cards) + 1):
        for some in combinations(sorted(cards), size):
            if some not in seen:
                seen.add(some)
                yield list(some)


def faced(pile: Sequence[Lying], *, mirror: bool) -> Lying | None:
    """The card that the next one is compared with; plain 3s are transparent with `three: mirror`."""
    for lying in reversed(pile):
        if not mirror or lying.rank != "3" or lying.inherits:
            return lying
    return pile[-1] if pile else None


def run(pile: Sequence[Lying]) -> int:
    """How many effective ranks in a row on top are equal."""
    count = 0
    for lying in reversed(pile):
        if lying.bare or lying.rank != pile[-1].rank:
            break
        count += 1
    return count


def next_seat(
    players: Sequence[str], out: Sequence[str], player: str, eights: int, *, count_self: bool
) -> tuple[str | None, set[str]]:
    """Who acts after the player's seat when so many 8s skip, and who is skipped."""
    seat = players.index(player)
    circle = [name for name in [*players[seat + 1 :], *players[: seat + 1]] if name not in out]
    if not circle:
        return None, set()
    if not count_self and circle[-1] == player:
        eights = min(eights, len(circle) - 1)
    return circle[eights % len(circle)], {circle[n % len(circle)] for n in range(eights)}


def plays(player: str, hand: Sequence[str], opens: Sequence[str], hidden: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Every play of cards that could be of one rank, in the order of S-K1; jokers alone once with each rank."""
    if hand:
        for cards in _sets(hand):
            yield from _named({"by": player, "play": cards})
            for some in subsets(opens):
                if same_rank([*cards, *some]) or {rank_of(card) for card in cards} == {"3"}:  # S-M4: 3s and others
                    yield from _named({"by": player, "play": cards, "with": some})
    elif opens:
        for cards in _sets(opens):
            yield from _named({"by": player, "play": cards, "from": "open"})
    else:
        for card in sorted(set(hidden)):
            yield from _named({"by": player, "play": [card], "from": "blind"})


def _sets(cards: Sequence[str]) -> Iterator[list[str]]:
    jokers = [card for card in cards if card == JOKER]
    for rank in RANKS:
        own = [card for card in cards if rank_of(card) == rank]
        yield from (some for some in subsets([*own, *jokers]) if set(some) != {JOKER})
    yield from subsets(jokers)


def _named(action: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Jokers alone: without a rank (it is asked for), and with every rank."""
    yield action
    if {*action["play"], *action.get("with", [])} == {JOKER}:
        yield from ({**action, "as": rank} for rank in RANKS)
