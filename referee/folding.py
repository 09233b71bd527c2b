"""What a log amounts to: its entries under all corrections, the state of the game, every verdict, what was corrected.

Everything here is a fold over the entries: nothing is kept, and the same log always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.entries import Amend, Body, Call, Declare, Entry, Retract, Start, as_move
from referee.errors import LogError
from referee.games import find_game
from referee.games.base import Game
from referee.interpret import rule
from referee.moves import TABLE, Json, Move
from referee.playbyplay import Played
from referee.verdicts import Correction, Verdict

__all__ = ["Corrected", "Folded", "corrected", "effective", "fold", "played", "read_on"]


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
class Corrected:
    """A log after all corrections: the entries that count, and which entry took back or amended which other one."""

    kept: tuple[Entry, ...]
    gone: Mapping[int, int]
    amended: Mapping[int, int]


def corrected(entries: Sequence[Entry]) -> Corrected:
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
    return Corrected(tuple(reversed(kept)), gone, amended)


def effective(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries as they read after all corrections: amended bodies in place, retracted and correcting ones left out.

    A retracted retraction counts for nothing, and of several amendments of one entry the latest counts.
    """
    return corrected(entries).kept


def played(entries: Sequence[Entry]) -> Played:
    """All that can be told of a log. Raises like `fold`."""
    folded, reading = fold(entries), corrected(entries)
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
        folded = read_on(folded, entries[:count])
    return folded


def read_on(folded: Folded, entries: Sequence[Entry]) -> Folded:
    """What a log amounts to, given what it did before its last entry."""
    last = entries[-1]
    if not isinstance(last.body, Amend | Retract):
        return _step(folded, last)
    counting, before = _counting(entries), _counting(entries[:-1])
    plain = counting == (*before, last)
    after = _judge_anew(entries, late=folded.late | _played_on(folded.verdicts) if plain else _late(counting))
    correction = Correction(last.seq, last.body.of, _differing(folded, after), _scored_anew(folded, after))
    return replace(after, corrections=(*folded.corrections, correction))


def _counting(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The log without corrections that came to nothing: taken back, overtaken by a later one, or changing nothing."""
    found = {entry.seq: entry for entry in entries}
    gone: set[int] = set()
    bodies: dict[int, Body] = {}
    kept: list[Entry] = []
    for entry in reversed(entries):
        body = bodies.get(entry.seq, entry.body) if isinstance(entry.body, Amend | Retract) else entry.body
        if entry.seq in gone:
            continue
        if not isinstance(body, Amend | Retract):
            kept.append(entry)
        elif isinstance(body, Retract) and isinstance(found[body.of].body, Amend | Retract):
            gone.add(body.of)
        elif isinstance(body, Amend) and isinstance(found[body.of].body, Amend | Retract):
            bodies.setdefault(body.of, body.body)
        elif isinstance(body, Retract):
            kept.append(replace(entry, body=body))
        elif body.of not in bodies:
            bodies[body.of] = body.body
            if body.body != found[body.of].body:
                kept.append(replace(entry, body=body))
    return tuple(reversed(kept))


def _late(counting: Sequence[Entry]) -> frozenset[int]:
    """After which entries the table had played on when the last of the corrections that count was made.

    What was read in between under a correction that was itself taken back does not count: undoing it restores.
    """
    folded = Folded()
    for count, entry in enumerate(counting, start=1):
        if isinstance(entry.body, Amend | Retract):
            folded = _judge_anew(counting[:count], late=folded.late | _played_on(folded.verdicts))
        else:
            folded = _step(folded, entry)
    return folded.late


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
    if isinstance(entry.body, Move | Declare | Call):
        move = as_move(entry.body)
    else:  # Repaired: the camera only sees that the cards lie right; a person who says so also says "go".
        move = Move(TABLE, "repaired", data={"go": entry.source != "camera"})
    return replace(move, seq=entry.seq, time_s=entry.time_s if move.time_s is None else move.time_s)
