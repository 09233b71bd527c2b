"""Piranhas: does a card fit, and what has to be called out with it (P-F1 to P-F9). Pure functions of faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from referee.cards import Face, Fish, FishCard, fish_card, is_known
from referee.moves import Json
from referee.verdicts import Finding

__all__ = ["COLOUR_WORDS", "check_said", "fits", "ground", "judge_fit", "right_word"]

COLOUR_WORDS: Mapping[str, str] = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    "K": "black",
    "W": "white",
}
"""The announced word of each colour letter."""


def fits(beneath: Face, played: Face) -> bool:
    """Whether `played` may lie on `beneath` (P-F2, P-F5, P-F7, P-F8). Both faces must be known."""
    return not _compare(beneath, played)[0]


@lru_cache(maxsize=1 << 14)
def judge_fit(beneath: tuple[Face, ...], played: Face) -> tuple[Finding, ...] | None:
    """The broken rule of fit, if any, when the card below is one of `beneath`.

    None when that cannot be decided: the played card is not read, or the card below may be several (or, with an
    empty sequence, any) and they disagree. Only the ruling counts for that, not the wording of its reason.
    """
    if not is_known(played) or not beneath:
        return None
    broken, finding = _compare(beneath[0], played)
    if any(_compare(one, played)[0] != broken for one in beneath[1:]):
        return None
    return (finding,) if broken else ()


def ground(beneath: Face, played: Face) -> tuple[Finding, ...]:
    """Why a fitting card fits."""
    return (_compare(beneath, played)[1],)


@lru_cache(maxsize=1 << 14)
def _compare(beneath: Face, played: Face) -> tuple[str, Finding]:
    """The id of the broken rule (or "") and the finding that explains it."""
    under, over = fish_card(beneath), fish_card(played)
    if over.piranha is not None:
        broken, facts = _piranha(under, over.piranha)
        rule = "P-F7" if under.piranha is not None else "P-F5"
    elif under.piranha is not None:
        bitten = under.piranha in over.colours
        broken, facts = bitten, {"case": "bitten" if bitten else "safe", "colour": under.piranha}
        rule = "P-F8"
    else:
        broken, facts = _fish(under, over)
        rule = "P-F2"
    return (rule if broken else ""), Finding(rule, (played, beneath), facts)


def _piranha(under: FishCard, colour: str) -> tuple[bool, dict[str, Json]]:
    if under.piranha is not None:
        return False, {"colour": colour}
    shared = colour in under.colours
    return shared, {"case": "shared" if shared else "alone", "colour": colour}


def _fish(under: FishCard, over: FishCard) -> tuple[bool, dict[str, Json]]:
    pairs = [(big, small) for big in over.fish for small in under.fish if big.colour == small.colour]
    eating = [pair for pair in pairs if pair[1].size < pair[0].size]
    if not pairs:
        return True, {"case": "no-colour"}
    big, small = max(eating or pairs, key=_telling)
    facts: dict[str, Json] = {"colour": big.colour, "size": big.size, "beneath": small.size}
    return not eating, facts | {"case": "eats" if eating else ("same" if big.size == small.size else "smaller")}


def _telling(pair: tuple[Fish, Fish]) -> tuple[int, int]:
    """The pair to speak of is the one with the biggest fish on top and the smallest below."""
    return pair[0].size, -pair[1].size


@lru_cache(maxsize=1 << 14)
def right_word(beneath: tuple[Face, ...], played: Face) -> str | None:
    """What belongs to `played` on a card that is one of `beneath`; None where that is nothing or not known."""
    missed = check_said(beneath, played, said=None)
    if missed is None:
        return None
    if missed.rule == "P-F4":
        return next(iter(_eating([fish_card(one) for one in beneath], fish_card(played))), None)
    return "piranhas" if missed.rule == "P-F6" else "fresh-fish"


@lru_cache(maxsize=1 << 14)
def check_said(beneath: tuple[Face, ...], played: Face, *, said: str | None) -> Finding | None:
    """The missed announcement (P-F4, P-F6, P-F9; P-A3, P-A5), or None when the right word was said.

    It does not tell whether the card fits: for fish on fish that do not eat, every colour passes.
    """
    if not is_known(played):
        return None
    targets = [fish_card(one) for one in beneath if is_known(one)]
    if fish_card(played).piranha is not None:
        return None if said == "piranhas" else Finding("P-F6", (played,), {"case": _case(said)})
    if not targets:
        return None
    if all(one.piranha is not None for one in targets):
        return None if said == "fresh-fish" else Finding("P-F9", (played,), {"case": _case(said)})
    colours = _eating(targets, fish_card(played))
    if said is not None and (said in colours or (not colours and said in COLOUR_WORDS.values())):
        return None
    # The right colour is not named: in the quiet modes its absence would tell that the card is wrong.
    return Finding("P-F4", (played,), {"case": _case(said)})


def _case(said: str | None) -> str:
    return "silent" if said is None else "other"


def _eating(targets: Iterable[FishCard], over: FishCard) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            COLOUR_WORDS[big.colour]
            for under in targets
            for small in under.fish
            for big in over.fish
            if big.colour == small.colour and small.size < big.size
        )
    )
