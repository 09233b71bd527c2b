"""What was seen and ruled, held against what really happened."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from referee.live.umpire import Ruled
from vision.recording import Truth

__all__ = ["MATCH_S", "Pairing", "Score", "pair", "plays_of", "score"]

MATCH_S = 1.0
"""A play counts as seen when it was told within this of the moment at which its card came to rest."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which play that was told is which real one.

    pairs     each a real play and the one told for it, the same cards within `MATCH_S`
    missed    real plays that nobody told
    invented  told plays that never happened, or with other cards
    """

    pairs: tuple[tuple[Truth, Ruled], ...]
    missed: tuple[Truth, ...]
    invented: tuple[Ruled, ...]

    def differences(self) -> tuple[str, ...]:
        """One sentence for everything that was seen or ruled otherwise than it was, in the order of time."""
        told = [(truth.time_s, text) for truth, ruled in self.pairs for text in _differences(truth, ruled)]
        told += [(one.time_s, f"{_when(one)} was not seen.") for one in self.missed]
        told += [(one.entry.time_s, f"{_told(one)} never happened.") for one in self.invented]
        return tuple(text for _, text in sorted(told))


def plays_of(told: Iterable[object]) -> tuple[Ruled, ...]:
    """The plays that the eyes have told."""
    ruled = [one for one in told if isinstance(one, Ruled)]
    return tuple(one for one in ruled if one.entry.source == "camera" and one.verdict.move.kind == "play")


def pair(truth: Iterable[Truth], told: Sequence[Ruled]) -> Pairing:
    """Pairs real plays with told ones, the nearest in time first, each with at most one."""
    real = [one for one in truth if one.kind == "play"]
    close = sorted(
        (distance, r, t)
        for r, one in enumerate(real)
        for t, play in enumerate(told)
        if _same_cards(one, play) and (distance := _distance_s(one, play)) <= MATCH_S
    )
    taken: dict[int, int] = {}
    for _, r, t in close:
        if r not in taken and t not in taken.values():
            taken[r] = t
    return Pairing(
        tuple((real[r], told[t]) for r, t in sorted(taken.items())),
        tuple(one for r, one in enumerate(real) if r not in taken),
        tuple(play for t, play in enumerate(told) if t not in taken.values()),
    )


def _same_cards(truth: Truth, told: Ruled) -> bool:
    return Counter(truth.cards) == Counter(told.verdict.move.cards)


def _distance_s(truth: Truth, told: Ruled) -> float:
    moments = [truth.time_s] if truth.still_s is None else [truth.time_s, truth.still_s]
    return min(abs(told.entry.time_s - moment) for moment in moments)


def _differences(truth: Truth, ruled: Ruled) -> list[str]:
    found = []
    if truth.player not in (None, ruled.verdict.move.player):
        found.append(f"{_when(truth)} was taken for {ruled.verdict.move.player}'s.")
    if truth.ruling is not None and not _ruled_alike(truth, ruled):
        found.append(
            f"{_when(truth)} is {_ruling(truth.ruling, truth.rules)}, but was ruled "
            f"{_ruling(ruled.verdict.ruling, ruled.verdict.rules)}."
        )
    return found


def _ruled_alike(truth: Truth, ruled: Ruled) -> bool:
    return truth.ruling == ruled.verdict.ruling and set(truth.rules) == set(ruled.verdict.rules)


def _ruling(ruling: str, rules: Sequence[str]) -> str:
    return f"{ruling} ({', '.join(rules)})" if rules else ruling


def _when(truth: Truth) -> str:
    return f"{truth.time_s:.2f} s: {truth.player or 'somebody'}'s {' '.join(truth.cards)}"


def _told(ruled: Ruled) -> str:
    return f"{ruled.entry.time_s:.2f} s: {ruled.verdict.move.player}'s {' '.join(ruled.verdict.move.cards)}"


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over one recording or several; a share is always given with what it is a share of.

    plays         real plays; `seen` of them were told with the right cards, `told` were told in all
    named         seen plays whose player is known; `named_right` of them had the right one
    ruled         seen plays with a known ruling; `ruled_right` of them got it, rules included
    legal         real legal plays; `false_alarms` times "Wrong card!" was said for one of them or for nothing
    wrong         real wrong cards; `caught` of them were told as such
    delays_s      from the truth's `t` to the verdict, for every seen play whose verdict did not have to wait
    questions     how often the table was asked
    """

    plays: int = 0
    seen: int = 0
    told: int = 0
    named: int = 0
    named_right: int = 0
    ruled: int = 0
    ruled_right: int = 0
    legal: int = 0
    false_alarms: int = 0
    wrong: int = 0
    caught: int = 0
    questions: int = 0
    delays_s: tuple[float, ...] = ()

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Score)))

    @property
    def delay_median_s(self) -> float | None:
        """The median delay, None without any."""
        return statistics.median(self.delays_s) if self.delays_s else None

    @property
    def delay_p95_s(self) -> float | None:
        """The delay that 95 of 100 verdicts stay within (nearest rank), None without any."""
        if not self.delays_s:
            return None
        return sorted(self.delays_s)[math.ceil(0.95 * len(self.delays_s)) - 1]


def score(truth: Sequence[Truth], happenings: Sequence[object]) -> Score:
    """The counts of one recording: everything that happened in it against everything that was told."""
    pairing = pair(truth, plays_of(happenings))
    judged = [(real, told) for real, told in pairing.pairs if real.ruling is not None]
    named = [(real, told) for real, told in pairing.pairs if real.player is not None]
    real_plays = [one for one in truth if one.kind == "play"]
    return Score(
        plays=len(real_plays),
        seen=len(pairing.pairs),
        told=len(pairing.pairs) + len(pairing.invented),
        named=len(named),
        named_right=sum(real.player == told.verdict.move.player for real, told in named),
        ruled=len(judged),
        ruled_right=sum(_ruled_alike(real, told) for real, told in judged),
        legal=sum(one.ruling == "legal" for one in real_plays),
        false_alarms=_false_alarms(pairing, real_plays),
        wrong=sum(one.ruling == "foul" for one in real_plays),
        caught=sum(real.ruling == told.verdict.ruling == "foul" for real, told in judged),
        questions=sum(isinstance(one, Ruled) and one.question is not None for one in happenings),
        delays_s=tuple(
            round(told.told_s - real.time_s, 3) for real, told in pairing.pairs if told.verdict.ruling != "pending"
        ),
    )


def _false_alarms(pairing: Pairing, real_plays: Sequence[Truth]) -> int:
    """How often "Wrong card!" was said although there was none: a wrong card that was only misread is none."""
    false = sum(real.ruling == "legal" and told.verdict.ruling == "foul" for real, told in pairing.pairs)
    wrong = [one for one in real_plays if one.ruling == "foul"]
    for told in pairing.invented:
        meant = any(_distance_s(one, told) <= MATCH_S for one in wrong)
        false += told.verdict.ruling == "foul" and not meant
    return false
