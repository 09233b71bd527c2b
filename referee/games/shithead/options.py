"""Shithead: the house rules (section 7 of the rules) and the packs that the players need (section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.errors import SetupError
from referee.games.base import Option, OptionValue, read_options
from referee.moves import Json

__all__ = ["DEALT", "FATALITIES", "OPTIONS", "THREE", "HouseRules", "house_rules", "pack_size", "packs_of"]

THREE: Final = 3
"""So many face-down, open and hand cards everybody gets (S-S1), and so many are kept in the hand (S-T4)."""
DEALT: Final = 3 * THREE

FATALITIES: Mapping[str, tuple[int, str]] = {"mic-drop": (8, "S-F2"), "burn-unit": (10, "S-F3")}
"""Special last plays of a game: the rank that all its cards count as, and the rule (S-F1, S-A37)."""

_TWO_PACKS_FROM = 6
_SUITED = 52
_MOST_TURNS = 1_000_000

OPTIONS: Final = (
    Option("ten", "strict", ("strict", "wild_not_on_7", "wild"), ("S-X10", "S-K2", "S-X7")),
    Option("three", "rank3", ("rank3", "mirror"), ("S-X3",)),
    Option("inherit_effects", "full", ("full", "rank_only"), ("S-M4",)),
    Option("joker", "any_legal", ("any_legal", "free", "no_specials"), ("S-XJ",)),
    Option("skip_wrap", "count_self", ("count_self", "not_self"), ("S-X8",)),
    Option("hand_plus_open", "whole_hand", ("whole_hand", "same_rank", "never"), ("S-M3",)),
    Option("take_open_on_pickup", "may", ("may", "must", "never"), ("S-T3",)),
    Option("swap", "phase", ("phase", "own_first_turn", "never"), ("S-S3",)),
    Option("voluntary_pickup", False, (False, True), ("S-T1", "S-T2")),
    Option("misplay", "undo", ("undo", "take_pile"), ("S-K2", "S-K3", "S-X7")),
    Option("burn_in", False, (False, True), ("S-M1", "S-S4")),
    Option("follow_up", False, (False, True), ("S-T4", "S-S4")),
    Option("no_special_finish", False, (False, True), ("S-G",)),
    Option("points", True, (True, False), ("S-P1",)),
    Option("series", 1, (1, 1000), ("S-P1",)),
    Option("fatalities", ",".join(FATALITIES), tuple(FATALITIES), ("S-F1", "S-F2", "S-F3"), several=True),
    Option("turn_cap", 500, (0, _MOST_TURNS), ("S-A39",)),
    Option("packs", 0, (0, 10), ("S-S1",)),
    Option("jokers", 2, (0, 10), ("S-S1",)),
    Option("hints", False, (False, True)),
)
"""The house rules in the order of the rules. `packs: 0` means as many as the number of players asks for."""


class HouseRules(NamedTuple):
    """The house rules in force, one field an option; `fatalities` are words with commas between."""

    ten: str
    three: str
    inherit_effects: str
    joker: str
    skip_wrap: str
    hand_plus_open: str
    take_open_on_pickup: str
    swap: str
    voluntary_pickup: bool
    misplay: str
    burn_in: bool
    follow_up: bool
    no_special_finish: bool
    points: bool
    series: int
    fatalities: str
    turn_cap: int
    packs: int
    jokers: int
    hints: bool


def house_rules(given: Mapping[str, Json]) -> HouseRules:
    """The house rules where `given` differs from the defaults. Raises `OptionError`."""
    values: dict[str, OptionValue] = read_options("Shithead", OPTIONS, given=given)
    return HouseRules(**values)  # type: ignore[arg-type]


def packs_of(rules: HouseRules, players: int) -> int:
    """How many packs so many players use."""
    return rules.packs or (2 if players >= _TWO_PACKS_FROM else 1)


def pack_size(rules: HouseRules, players: int) -> int:
    """How many cards all packs together have. Raises `SetupError` when they are too few to deal."""
    packs = packs_of(rules, players)
    cards = packs * (_SUITED + rules.jokers)
    if cards < players * DEALT:
        raise SetupError(
            f"{players} players need {players * DEALT} cards, but there are only {cards}.",
            hint=f"Take more packs: packs = {packs + 1}.",
        )
    return cards
