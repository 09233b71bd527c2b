"""Crazy Old Fish War: the house rules (section 7 of the rules) and all rule ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.games.base import Option, read_options
from referee.moves import Json

__all__ = ["NAME", "OPTIONS", "RULE_IDS", "HouseRules", "house_rules"]

NAME: Final = "Crazy Old Fish War"
"""As it is written in sentences."""

OPTIONS: Final = (
    Option("start_special", "turn_more", ("turn_more", "dealer_names", "any"), ("C-S4", "C-A2")),
    Option("fallback", "choice", ("choice", "fish_only", "war_only"), ("C-T4", "C-A3")),
    Option("war_eight_colour", "winner", ("winner", "keep", "any"), ("C-V15", "C-82", "C-A4")),
    Option("war_mermaid_draw5", False, (False, True), ("C-V11", "C-V12", "C-A5")),
    Option("war_last", "wins", ("wins", "draws_one"), ("C-E1", "C-A8")),
    Option("give_last", "wins", ("wins", "draws_one"), ("C-G2", "C-E1", "C-A9")),
    Option("mermaid_finish", "draws", ("draws", "wins"), ("C-M2", "C-E1", "C-A10")),
    Option("shout_penalty", 0, (0, 2), ("C-F1", "C-A11")),
    Option("renege_penalty", 0, (0, 2), ("C-T2", "C-G2", "C-A16")),
    Option("fish_names", "game", ("game", "round"), ("C-F2", "C-A12")),
    Option("empty_draw", "reshuffle", ("reshuffle", "end_round"), ("C-A14",)),
    Option("next_dealer", "left", ("left", "winner", "same"), ("C-S5", "C-A22")),
    Option("rounds_to_win", 3, (1, 100), ("C-W2",)),
    Option("hints", False, (False, True)),
)

_PARTS: Mapping[str, tuple[str, ...]] = {
    "S": ("1", "2", "3", "4", "5", "6"),
    "T": ("1", "2", "3", "4"),
    "8": ("1", "2"),
    "M": ("1", "2"),
    "V": tuple(map(str, range(1, 16))),
    "G": ("1", "2", "3", "4", "5"),
    "F": ("1", "2"),
    "E": ("1",),
    "W": ("1", "2"),
    "A": tuple(map(str, range(1, 30))),
}

RULE_IDS: Final = frozenset(f"C-{part}{number}" for part, numbers in _PARTS.items() for number in numbers)
"""Every rule and decision of the rules document."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The options in force, named as in the rules document."""

    start_special: str
    fallback: str
    war_eight_colour: str
    war_mermaid_draw5: bool
    war_last: str
    give_last: str
    mermaid_finish: str
    shout_penalty: int
    renege_penalty: int
    fish_names: str
    empty_draw: str
    next_dealer: str
    rounds_to_win: int
    hints: bool


def house_rules(given: Mapping[str, Json]) -> HouseRules:
    """The house rules in force: `given` where it says something, else the usual ones. Raises `OptionError`."""
    return _read(given) if given else _USUAL


def _read(given: Mapping[str, Json]) -> HouseRules:
    options = read_options(NAME, OPTIONS, given=given)
    return HouseRules(
        start_special=str(options["start_special"]),
        fallback=str(options["fallback"]),
        war_eight_colour=str(options["war_eight_colour"]),
        war_mermaid_draw5=bool(options["war_mermaid_draw5"]),
        war_last=str(options["war_last"]),
        give_last=str(options["give_last"]),
        mermaid_finish=str(options["mermaid_finish"]),
        shout_penalty=int(options["shout_penalty"]),
        renege_penalty=int(options["renege_penalty"]),
        fish_names=str(options["fish_names"]),
        empty_draw=str(options["empty_draw"]),
        next_dealer=str(options["next_dealer"]),
        rounds_to_win=int(options["rounds_to_win"]),
        hints=bool(options["hints"]),
    )


_USUAL: Final = _read({})
