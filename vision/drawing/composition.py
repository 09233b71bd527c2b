"""Which fish are on which card.

The true list of the 45 fish cards is not published, so this is a balanced design of our own:

* Eight colours have 56 triples. Eleven are left out and the other 45 are the cards, so no two cards have the same
  three colours. The eleven are a smallest covering of all pairs by triples, C(8, 3, 2) = 11 (Schönheim's bound): every
  pair of colours is left out once or twice, so it meets on 4 or 5 cards, and every colour is on 17 cards, red on 16.
* Each colour deals the sizes 1 to 4 in turn over its cards, so that it has every size four or five times. Where a card
  becomes too strong, too weak or uniform, sizes of one colour are swapped between two cards, in a fixed order, as long
  as this makes the deck better: no card with three equal sizes, and a sum of sizes between 6 and 9 on every card.
"""

from __future__ import annotations

from itertools import combinations

__all__ = ["COLOUR_ORDER", "LEFT_OUT", "Fish", "face_of", "fish_cards"]

COLOUR_ORDER = "ROYGBVKW"
LEFT_OUT = ("ROY", "ROG", "RYB", "RGV", "RKW", "OBV", "OKW", "YGK", "YVW", "GBW", "BVK")

Fish = tuple[str, int]
"""Colour letter and size 1 (smallest) to 4."""


def fish_cards() -> tuple[tuple[Fish, ...], ...]:
    """The 45 fish cards; each lists its fish from top to bottom, in the order of the colours."""
    triples = [triple for triple in map("".join, combinations(COLOUR_ORDER, 3)) if triple not in LEFT_OUT]
    dealt = {colour: index for index, colour in enumerate(COLOUR_ORDER)}
    cards: list[dict[str, int]] = []
    for triple in triples:
        cards.append({colour: dealt[colour] % 4 + 1 for colour in triple})
        for colour in triple:
            dealt[colour] += 1
    _even_out(cards)
    return tuple(tuple(card.items()) for card in cards)


def face_of(card: tuple[Fish, ...]) -> str:
    """The card's face in the notation of the rules, for example `R2+B4+Y1`."""
    return "+".join(f"{colour}{size}" for colour, size in card)


def _even_out(cards: list[dict[str, int]]) -> None:
    improved = True
    while improved:
        improved = False
        for first, second in combinations(cards, 2):
            for colour in sorted(first.keys() & second.keys()):
                improved |= _swap_if_better(first, second, colour)


def _swap_if_better(first: dict[str, int], second: dict[str, int], colour: str) -> bool:
    before = _fault(first) + _fault(second)
    first[colour], second[colour] = second[colour], first[colour]
    if _fault(first) + _fault(second) < before:
        return True
    first[colour], second[colour] = second[colour], first[colour]
    return False


def _fault(card: dict[str, int]) -> int:
    sizes = card.values()
    total = sum(sizes)
    return 10 * (len(set(sizes)) == 1) + max(0, 6 - total, total - 9) ** 2
