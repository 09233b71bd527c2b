"""One change after the other becomes entries of the log and verdicts, with or without a server."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.cards import BACK
from referee.entries import Body, Entry, Source
from referee.interpret import Question, interpret
from referee.live.declared import Declared
from referee.match import Match
from referee.moves import Change
from referee.verdicts import Verdict

__all__ = ["Ruled", "Umpire"]


@dataclass(frozen=True, slots=True)
class Ruled:
    """An entry that was written, and the verdict on it; `told_s` is when that was known.

    question  what the table is asked because the eyes were not sure
    change    what the eyes saw; None for what somebody said
    """

    entry: Entry
    verdict: Verdict
    told_s: float
    question: Question | None = None
    change: Change | None = None


class Umpire:
    """Writes what the eyes see and what people say into one match."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def take(self, item: Change | Declared, told_s: float) -> tuple[Ruled, ...]:
        """Write down what was seen or what a recording says was said. Raises like `Match.append`."""
        if isinstance(item, Change):
            return self.see(item, told_s)
        return (replace(self.say(item.body, item.time_s, source="phone"), told_s=told_s),)

    def see(self, change: Change, told_s: float) -> tuple[Ruled, ...]:
        """What a change amounts to, written down: nothing, one move, or several. Raises like `Match.append`."""
        change = self._turned(change)
        ruled = []
        for outcome in interpret(self.match.game, self.match.state, change=change):
            question = outcome if isinstance(outcome, Question) else None
            move = outcome.move if isinstance(outcome, Question) else outcome
            evidence = change.evidence if move.cards else ()
            entry = self.match.entry(move, change.until_s, source="camera", evidence=evidence)
            ruled.append(Ruled(entry, self.match.append(entry), told_s, question, change))
        return tuple(ruled)

    def say(self, body: Body, time_s: float, *, source: Source) -> Ruled:
        """What somebody said or pressed, written down. Raises like `Match.append`."""
        entry = self.match.entry(body, time_s, source=source)
        return Ruled(entry, self.match.append(entry), time_s)

    def _turned(self, change: Change) -> Change:
        """The eyes see a face where a face-down card lay: that card was turned over, nobody has put one there."""
        face_down = self.match.game.observe(self.match.state).get("top") == BACK
        if change.what == "appeared" and change.zone == "pile" and face_down:
            return replace(change, what="turned")
        return change
