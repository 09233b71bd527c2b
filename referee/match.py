"""A match: an append-only log of entries, and everything else as a fold over it.

Nothing in the log is ever changed. A correction is one more entry that names an earlier one; the whole log is then
read again under it, so every verdict after the corrected entry is judged anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from referee.cards import face
from referee.entries import Amend, Body, Call, Declare, Entry, Repaired, Retract, Source, Start, as_move
from referee.errors import ConflictError, LogError
from referee.games import find_game
from referee.games.base import Game
from referee.interpret import rule
from referee.moves import TABLE, Json, Move
from referee.playbyplay import Played
from referee.verdicts import Ask, Correction, Verdict
from referee.wording import Wording

__all__ = ["Folded", "Match", "Store", "effective", "fold", "played"]

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


@dataclass(frozen=True, slots=True)
class Folded:
    """What a log amounts to: the game, its state, and the verdict on every entry that was judged.

    options      the house rules that differ from the defaults
    late         entries after which the table has played on by the time of the last correction
    corrections  what every correction has changed, in order
    scores       of the series after every entry that ended something
    """

    game: Game[Any] | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    state: Any = None
    verdicts: tuple[Verdict, ...] = ()
    late: frozenset[int] = frozenset()
    corrections: tuple[Correction, ...] = ()
    scores: tuple[tuple[int, Mapping[str, int]], ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A log after all corrections: the entries that count, and which entry took back or amended which other one."""

    kept: tuple[Entry, ...]
    gone: Mapping[int, int]
    amended: Mapping[int, int]


def _read(entries: Sequence[Entry]) -> _Reading:
    gone: dict[int, int] = {}
    amended: dict[int, int] = {}
    bodies: dict[int, Body] = {}
    kept: list[Entry] = []
    for entry in reversed(entries):
        if entry.seq in gone:
            continue
        body = bodies.get(entry.seq, entry.body)
        if isinstance(body, Retract):
            gone.setdefault(body.of, entry.seq)
        elif isinstance(body, Amend):
            bodies.setdefault(body.of, body.body)
            amended.setdefault(body.of, entry.seq)
        else:
            kept.append(replace(entry, body=body))
    return _Reading(tuple(reversed(kept)), gone, amended)


def effective(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries as they read after all corrections: amended bodies in place, retracted and correcting ones left out.

    A retracted retraction counts for nothing, and of several amendments of one entry the latest counts.
    """
    return _read(entries).kept


def played(entries: Sequence[Entry]) -> Played:
    """All that can be told of a log. Raises like `fold`."""
    folded, reading = fold(entries), _read(entries)
    return Played(
        entries=entries,
        read={entry.seq: entry.body for entry in reading.kept},
        gone=reading.gone,
        amended=reading.amended,
        verdicts={verdict.seq or 0: verdict for verdict in folded.verdicts},
        corrections={correction.seq: correction for correction in folded.corrections},
        scores=dict(folded.scores),
    )


def fold(entries: Sequence[Entry]) -> Folded:
    """Judges a whole log under today's rules. Raises `RefereeError` for a log that cannot be read as a match.

    A correction makes everything after the corrected entry be judged anew, with one limit: where the table has played
    on in the meantime nobody can be stopped in the past, so a card that turns out wrong by then stands.
    """
    folded = Folded()
    for count in range(1, len(entries) + 1):
        folded = _read_on(folded, entries[:count])
    return folded


def _read_on(folded: Folded, entries: Sequence[Entry]) -> Folded:
    """What a log amounts to, given what it did before its last entry."""
    last = entries[-1]
    if not isinstance(last.body, Amend | Retract):
        return _step(folded, last)
    after = _judge_anew(entries, late=folded.late | _played_on(folded.verdicts))
    correction = Correction(last.seq, last.body.of, _differing(folded, after), _scored_anew(folded, after))
    return replace(after, corrections=(*folded.corrections, correction))


def _differing(before: Folded, after: Folded) -> tuple[tuple[Verdict | None, Verdict | None], ...]:
    """The verdicts that differ between two folds, those that came or went included, in the order of the log."""
    old, new = ({one.seq or 0: one for one in folded.verdicts} for folded in (before, after))
    pairs = ((old.get(seq), new.get(seq)) for seq in sorted(old.keys() | new.keys()))
    return tuple(pair for pair in pairs if pair[0] != pair[1])


def _scored_anew(before: Folded, after: Folded) -> tuple[tuple[str, int, int], ...]:
    old, new = _scores(before), _scores(after)
    return tuple((name, old[name], new[name]) for name in new if name in old and old[name] != new[name])


def _scores(folded: Folded) -> Mapping[str, int]:
    return {} if folded.game is None else folded.game.scores(folded.state)


def _judge_anew(entries: Sequence[Entry], *, late: frozenset[int]) -> Folded:
    folded = Folded(late=late)
    for entry in effective(entries):
        folded = _step(folded, entry)
    return folded


def _played_on(verdicts: Sequence[Verdict]) -> frozenset[int]:
    """The plays that stood and have another play after them."""
    plays = [one for one in verdicts if one.move.kind == "play"]
    return frozenset(one.seq for one in plays[:-1] if one.seq is not None and one.ruling in ("legal", "pending"))


def _step(folded: Folded, entry: Entry) -> Folded:
    """What the log amounts to after one more (effective) entry."""
    body = entry.body
    if isinstance(body, Start):
        game = find_game(body.game)
        previous = folded.state if folded.game is game else None
        return replace(folded, game=game, options=body.options, state=game.start(body, previous))
    if folded.game is None:
        raise LogError(
            f"Entry {entry.seq} of match '{entry.match}' comes before any game has started.",
            hint="A match begins with a Start entry.",
        )
    move = replace(_as_judged(entry), late=entry.seq in folded.late)
    verdict, state = rule(folded.game, folded.state, move=move)
    # What a verdict says does not depend on when it was reached.
    numbered = replace(verdict, seq=entry.seq, evidence=entry.evidence, move=replace(verdict.move, late=False))
    scores = () if verdict.result is None else ((entry.seq, folded.game.scores(state)),)
    return replace(folded, state=state, verdicts=(*folded.verdicts, numbered), scores=(*folded.scores, *scores))


def _as_judged(entry: Entry) -> Move:
    """The entry as a move that knows its number and its time."""
    match entry.body:
        case Repaired():
            # The camera only sees that the cards lie right; a person who says so also says "go".
            move = Move(TABLE, "repaired", data={"go": entry.source != "camera"})
        case Move() | Declare() | Call():
            move = as_move(entry.body)
        case _:
            raise LogError(
                f"Entry {entry.seq} of match '{entry.match}' is nothing that can be judged.", hint="Take it back."
            )
    return replace(move, seq=entry.seq, time_s=entry.time_s if move.time_s is None else move.time_s)


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
        after = _read_on(self._folded, log)
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
