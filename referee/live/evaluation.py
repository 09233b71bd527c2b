"""`wrongcard evaluate RECORDING...`: how much is seen, whose it is said to be, how it is ruled and how soon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from referee.live.replay import replay
from referee.live.scoring import Score, score
from referee.live.watching import Watches
from vision.errors import RecordingError
from vision.recording import Recording, load_recording

__all__ = ["Scored", "as_json", "as_markdown", "as_table", "evaluate_recordings", "total"]

NOTE = (
    "Seen: real plays told with the right cards within 1 s. True: plays told that really happened. False alarms: "
    "“Wrong card!” per 100 legal plays. Delay: from the moment a card lies still and uncovered to the verdict, in the "
    "recording's own time. Numbers in brackets are sample sizes."
)
_HEADINGS = ("recording", "seen", "true", "whose", "ruling", "wrong cards caught", "false alarms", "delay", "questions")


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one recording."""

    name: str
    score: Score


def evaluate_recordings(folders: Iterable[Path], watcher_for: Callable[[Recording], Watches]) -> tuple[Scored, ...]:
    """Plays every recording through and scores it. Raises `RecordingError` where the truth is missing."""
    return tuple(_evaluate(folder, watcher_for) for folder in folders)


def _evaluate(folder: Path, watcher_for: Callable[[Recording], Watches]) -> Scored:
    recording = load_recording(folder)
    if not recording.truth:
        raise RecordingError(
            f"The recording {folder} has no truth.jsonl to compare with.",
            hint="Write down what happened in it, one line a play, or just watch it: wrongcard watch",
        )
    happenings = list(replay(recording, watcher_for(recording)))
    return Scored(folder.resolve().name, score(recording.truth, happenings))


def total(scored: Sequence[Scored]) -> Score:
    """All recordings taken together."""
    return sum((one.score for one in scored), Score())


def as_json(scored: Sequence[Scored]) -> dict[str, Any]:
    """Every recording's figures and those of all together, JSON-ready."""
    return {
        "recordings": [{"recording": one.name, **_figures(one.score)} for one in scored],
        "total": _figures(total(scored)),
    }


def _figures(one: Score) -> dict[str, Any]:
    return {
        "plays": {
            "real": one.plays,
            "told": one.told,
            "seen": one.seen,
            "recall": _share(one.seen, one.plays),
            "precision": _share(one.seen, one.told),
        },
        "who_played": {"n": one.named, "right": one.named_right, "share": _share(one.named_right, one.named)},
        "rulings": {"n": one.ruled, "right": one.ruled_right, "share": _share(one.ruled_right, one.ruled)},
        "wrong_cards": {"n": one.wrong, "caught": one.caught, "share": _share(one.caught, one.wrong)},
        "false_alarms": {
            "n": one.legal,
            "count": one.false_alarms,
            "per_100_legal_plays": None if not one.legal else round(100 * one.false_alarms / one.legal, 2),
        },
        "delay_s": {"n": len(one.delays_s), "median": one.delay_median_s, "p95": one.delay_p95_s},
        "questions": one.questions,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def as_table(scored: Sequence[Scored]) -> Table:
    """The figures for the terminal."""
    table = Table(caption=NOTE, caption_justify="left")
    for number, heading in enumerate(_HEADINGS):
        table.add_column(heading, justify="left" if number == 0 else "right")
    for row in _rows(scored):
        table.add_row(*row, style="bold" if row[0] == "all" and len(scored) > 1 else "")
    return table


def as_markdown(scored: Sequence[Scored]) -> str:
    """The figures as a table in Markdown, without a line break at its end."""
    rule = ["---", *["---:"] * (len(_HEADINGS) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (_HEADINGS, rule, *_rows(scored)))


def _rows(scored: Sequence[Scored]) -> list[tuple[str, ...]]:
    rows = [(one.name, *_cells(one.score)) for one in scored]
    return [*rows, ("all", *_cells(total(scored)))] if len(scored) > 1 else rows


def _cells(one: Score) -> tuple[str, ...]:
    return (
        _percent(one.seen, one.plays),
        _percent(one.seen, one.told),
        _percent(one.named_right, one.named),
        _percent(one.ruled_right, one.ruled),
        _percent(one.caught, one.wrong),
        _rate(one),
        _delay(one),
        str(one.questions),
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({whole})" if whole else "none"


def _rate(one: Score) -> str:
    return f"{100 * one.false_alarms / one.legal:.1f} ({one.legal})" if one.legal else "none"


def _delay(one: Score) -> str:
    if one.delay_median_s is None or one.delay_p95_s is None:
        return "none"
    return f"{one.delay_median_s:.2f} s, p95 {one.delay_p95_s:.2f} s ({len(one.delays_s)})"
