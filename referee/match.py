"""A match: an append-only log of entries, and everything else as a fold over it.

Nothing in the log is ever changed. A correction is one more entry that names an earlier one; the whole log is then
read again under it, so every verdict after the corrected entry is judged anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from referee.cards import face
from referee.entries import Amend, Body, Call, Declare, Entry, Retract, Source, Start
from referee.errors import ConflictError, LogError
from referee.folding import corrected, effective, fold, read_on
from referee.games.base import Game
from referee.moves import TABLE, Move
from referee.verdicts import Ask, Verdict
from referee.wording import Wording

__all__ = ["Match", "Store"]

SHOWN_VERDICTS = 12
"""A phone shows this many verdicts, newest first."""


class Store(Protocol):
    """Where entries are kept. `tests/contracts/test_stores.py` holds every store to this."""

    def append(self, entry: Entry) -> None:
        """Writes `entry` for good before it returns. Raises `ConflictError` when its match and seq are taken."""

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Every entry of `match` in the order of seq; empty for an unknown match."""

    def matches(self) -> tuple[str, ...]:
        """The names of all matches, in alphabetical order."""


class Match:
    """One match: its log, the fold over it, and what phones may see of it.

    A new entry is read first (what cannot be read never enters the log), then written, and only then folded in: all
    that `view` and `verdicts` tell is on disk. Not thread-safe: one thread or event loop owns a match.
    """

    def __init__(self, name: str, store: Store, *, wording: Wording) -> None:
        """Takes up the match called `name` where its log in `store` ends; a new name is a new match."""
        self.name = name
        self._store = store
        self._wording = wording
        self._entries = store.entries(name)
        self._folded = fold(self._entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log, corrections included."""
        return self._entries

    @property
    def game(self) -> Game[Any]:
        """The game being played. Raises `LogError` before the first start."""
        if self._folded.game is None:
            raise LogError(f"In match '{self.name}' no game has started.", hint="A match begins with a Start entry.")
        return self._folded.game

    @property
    def state(self) -> Any:
        """The state of the game, as its own module defines it; None before the first start."""
        return self._folded.state

    @property
    def next_seq(self) -> int:
        """The number that the next entry must bear."""
        return self._entries[-1].seq + 1 if self._entries else 1

    def entry(self, body: Body, time_s: float, *, source: Source, evidence: tuple[str, ...] = ()) -> Entry:
        """An entry that would continue this log now."""
        return Entry(self.name, self.next_seq, time_s, source, body, evidence)

    def append(self, entry: Entry) -> Verdict:
        """Writes one entry and tells what follows.

        Returns the verdict on it; for a correction, a `legal` one whose `changed` names the entries that read
        differently now, and `scores` the players whose score does. Raises `LogError` (`ConflictError` when somebody
        wrote this number first), `UnreadableError` or `SetupError`; nothing is written then. Raises `StoreError` when
        it cannot be written.
        """
        entry = Entry.from_json(entry.to_json())  # as it will be read from the store one day
        self._check(entry)
        log = (*self._entries, entry)
        after = read_on(self._folded, log)
        self._store.append(entry)
        self._entries, self._folded = log, after
        if not isinstance(entry.body, Start | Amend | Retract):
            return after.verdicts[-1]
        move = Move(TABLE, _kind(entry.body), seq=entry.seq, time_s=entry.time_s)
        verdict = Verdict(move, "legal", seq=entry.seq, evidence=entry.evidence, routine=True)
        if isinstance(entry.body, Start):
            return verdict
        correction = after.corrections[-1]
        return replace(verdict, changed=correction.changed, scores=correction.scores)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict on every judged entry, oldest first."""
        return self._folded.verdicts

    def asks(self, time_s: float | None = None) -> tuple[Ask, ...]:
        """What the table has not answered yet; `time_s` is now, for questions that come up by waiting."""
        return () if self._folded.game is None else self._folded.game.pending(self._folded.state, time_s)

    def amended(self, seq: int, *, cards: Sequence[str] = (), player: str | None = None) -> Amend:
        """The correction that says which cards or whose move entry `seq` was; what is left out stays as it was read."""
        body = next((one.body for one in effective(self._entries) if one.seq == seq), None)
        if not isinstance(body, Move):
            raise LogError(
                f"Entry {seq} of match '{self.name}' is no move whose reading could be corrected.",
                hint="Take it back and say what happened instead.",
            )
        if cards:
            body = replace(body, cards=tuple(face(card) for card in cards), candidates=())
        return Amend(seq, body if player is None else replace(body, player=player))

    def answered(self, ask_id: str, choice: str) -> Body:
        """The entry body that answers an open question. Raises `LogError` when that is not open (any more)."""
        ask = next((one for one in self.asks() if one.id == ask_id), None)
        if ask is None:
            raise LogError(f"The question '{ask_id}' is not open in match '{self.name}'.", hint="Look at it again.")
        if ask.choices and choice not in ask.choices:
            raise LogError(f"'{choice}' does not answer '{ask_id}'.", hint=f"Choose from {', '.join(ask.choices)}.")
        return self._answer(ask, choice)

    def _answer(self, ask: Ask, choice: str) -> Body:
        if ask.kind == "whose" and ask.seq is not None:
            return self.amended(ask.seq, player=choice)
        if ask.kind == "which-card":
            return self._named(ask.seq, choice)
        if ask.kind == "count" and ask.player is not None and choice.isdecimal():
            return Declare(ask.player, "count", int(choice))
        if ask.kind == "count":
            raise LogError(f"'{choice}' does not answer the question '{ask.id}'.", hint="Answer it with a number.")
        return self.game.answer(ask, choice)

    def _named(self, seq: int | None, choice: str) -> Amend:
        """The correction that names a card; without a number it is the target that the game began with."""
        if seq is not None:
            return self.amended(seq, cards=(choice,))
        starts = [(one.seq, one.body) for one in effective(self._entries) if isinstance(one.body, Start)]
        number, start = starts[-1]
        return Amend(number, replace(start, setup={**start.setup, "pile": [choice]}))

    def view(self) -> dict[str, Any]:
        """What every phone shows, JSON-ready. It tells nothing that is hidden at the table."""
        game, state = self.game, self._folded.state
        wording = self._wording.of(game.name)
        result = game.result(state)
        correction = next((one for one in self._folded.corrections if one.seq == self._entries[-1].seq), None)
        shown = [one for one in reversed(self._folded.verdicts) if not one.routine][:SHOWN_VERDICTS]
        return {
            "match": self.name,
            "game": game.name,
            "options": dict(self._folded.options),
            "seq": self._entries[-1].seq,
            **game.view(state),
            "asks": [wording.ask(one) for one in game.pending(state)],
            "verdicts": [wording.verdict(one) for one in shown],
            "over": None if result is None else wording.result(result),
            "correction": None if correction is None else wording.correction(correction),
        }

    def _check(self, entry: Entry) -> None:
        """That `entry` continues this log, and that a correction corrects something."""
        if entry.match != self.name:
            raise LogError(
                f"The entry belongs to match '{entry.match}', this is '{self.name}'.",
                hint="Write it into its own match.",
            )
        if entry.seq != self.next_seq:
            wrong = ConflictError if entry.seq < self.next_seq else LogError
            raise wrong(
                f"The next entry of match '{self.name}' is {self.next_seq}, not {entry.seq}.",
                hint="Somebody else has written in between: look at the match again.",
            )
        if isinstance(entry.body, Amend | Retract):
            self._check_correction(entry.body, before=entry.seq)
            self._check_counts(entry.body.of)

    def _check_counts(self, of: int) -> None:
        """That entry `of` has not been taken back."""
        by = corrected(self._entries).gone.get(of)
        if by is not None:
            raise LogError(f"Entry {of} of match '{self.name}' was taken back.", hint=f"Take back entry {by} first.")

    def _check_correction(self, body: Amend | Retract, *, before: int) -> None:
        """That a correction standing at entry `before` has something to correct; one that is corrected, too."""
        of = next((one for one in self._entries if one.seq == body.of < before), None)
        if of is None:
            raise LogError(
                f"Match '{self.name}' has no entry {body.of} to correct before entry {before}.",
                hint="Name an earlier entry.",
            )
        if isinstance(body, Retract) and isinstance(of.body, Start) and of.seq == self._entries[0].seq:
            raise LogError("The start of a match cannot be taken back.", hint="Correct it, or begin another match.")
        if isinstance(body, Amend) and _role(body.body) != _role(of.body):
            raise LogError(
                f"Entry {body.of} is a {_kind(of.body)} and cannot become a {_kind(body.body)}.",
                hint="Take it back and write a new entry instead.",
            )
        if isinstance(body, Amend) and isinstance(body.body, Amend | Retract):
            self._check_correction(body.body, before=body.of)


def _role(body: Body) -> str:
    return "move" if isinstance(body, Move | Declare | Call) else _kind(body)


def _kind(body: Body) -> str:
    return type(body).__name__.lower()
