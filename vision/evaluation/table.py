"""The figures as a table for the screen, as the Markdown table of the README, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from vision.evaluation.metrics import CornerError, Naming, Ratio, Score
from vision.evaluation.photographs import Report

__all__ = ["as_json", "as_markdown", "as_table"]

HEADINGS = (
    "photographs",
    "pictures, cards",
    "found (IoU 0.5)",
    "right finds",
    "found (IoU 0.75)",
    "corner error",
    "right name",
    "named when sure",
    "90 % named",
)
NOTE = (
    "Found: recall. Right finds: precision, where every card is labelled. IoU 0.75: not where a label bounds only "
    "what can be seen. Corner error: mean, and as a share of the card's height. Right name: best candidate of the "
    "cards found. Numbers in brackets are sample sizes."
)


def as_table(report: Report) -> Table:
    """A table for the terminal."""
    table = Table(title=str(report.index), caption=NOTE, caption_justify="left")
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if number == 0 else "right")
    for line in report.scores:
        table.add_row(*_cells(line), style="bold" if line.group == "all" else "")
    return table


def as_markdown(scores: Sequence[Score]) -> str:
    """The table as Markdown, without a line break at its end."""
    rule = ["---", *["---:"] * (len(HEADINGS) - 1)]
    rows = [HEADINGS, rule, *(_cells(line) for line in scores)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(line: Score) -> tuple[str, ...]:
    return (
        line.group,
        f"{line.pictures}, {line.cards}",
        _ratio(line.recall_50),
        _ratio(line.precision_50),
        _ratio(line.recall_75),
        _corners(line.corners),
        _ratio(line.naming.right),
        _abstaining(line.naming.named, line.naming.named_wrong),
        _abstaining(line.naming.at_90, line.naming.at_90_wrong),
    )


def _ratio(ratio: Ratio) -> str:
    return "–" if ratio.share is None else f"{ratio.share:.1%} ({ratio.n})".replace("%", " %")


def _corners(error: CornerError) -> str:
    if error.mean_px is None or error.mean_share is None:
        return "–"
    return f"{error.mean_px:.1f} px, {100 * error.mean_share:.1f} % ({error.n})"


def _abstaining(named: Ratio, wrong: Ratio) -> str:
    """`84.2 %, 1.5 % wrong (310)`: share of the found cards that was named, errors among the named, number named."""
    if named.share is None:
        return "–"
    errors = "" if wrong.share is None else f", {100 * wrong.share:.1f} % wrong"
    return f"{100 * named.share:.1f} %{errors} ({wrong.n})"


def as_json(report: Report) -> dict[str, Any]:
    """Everything in the table, unrounded, and for each picture what was missed, misnamed or found in vain."""
    return {
        "index": str(report.index),
        "groups": [_plain(line) for line in report.scores],
        "pictures": [
            {
                "file": result.path.name,
                "cards": len(result.cards),
                "missed": [card.label.text for card in result.cards if card.sighting is None],
                "misnamed": [
                    [card.label.text, card.sighting.face]
                    for card in result.cards
                    if card.sighting is not None and card.misnamed
                ],
                "strays": len(result.strays) if result.complete else None,
            }
            for result in report.pictures
        ],
    }


def _plain(value: Score | Naming | CornerError | Ratio) -> dict[str, Any]:
    """Dataclasses as dicts; a ratio also tells its share."""
    if isinstance(value, Ratio):
        return {**asdict(value), "share": value.share}
    parts = {name: getattr(value, name) for name in value.__dataclass_fields__}
    nested = (Naming, CornerError, Ratio)
    return {name: _plain(part) if isinstance(part, nested) else part for name, part in parts.items()}
