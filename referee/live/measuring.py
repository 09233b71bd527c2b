"""`wrongcard evaluate` and the commands of the eyes, as the command line calls them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer
from rich.console import Console

from referee.live.evaluation import as_json, as_markdown, as_table, evaluate_recordings
from referee.live.watching import watcher_for
from vision.cli import app as eyes_app
from vision.cli import evaluate_photos_command
from vision.errors import RecordingError

__all__ = ["Form", "Measure", "run_evaluate", "run_eyes"]

Form = Literal["table", "json", "markdown"]


@dataclass(frozen=True, slots=True)
class Measure:
    """How to measure and to print. `deck` and `sheet` are for photographs; a recording says itself what it is."""

    form: Form = "table"
    deck: str = "french"
    sheet: Path | None = None
    models: Path | None = None


def run_evaluate(paths: Sequence[Path], measure: Measure) -> None:
    """Measure on recordings (folders) or on labelled photographs (their index). Raises `VisionError`."""
    for path in paths:
        if path.suffix == ".json" and not path.exists():
            raise RecordingError(f"There is no file {path}.", hint="Photographs are named by their index.json.")
    folders = [path for path in paths if not path.is_file()]
    if folders and len(folders) < len(paths):
        raise RecordingError(
            "Recordings and photographs cannot be measured together.",
            hint="Run 'wrongcard evaluate' once for the folders and once for the index.json.",
        )
    if not folders:
        _evaluate_photos(paths, measure)
        return
    scored = evaluate_recordings(folders, lambda recording: watcher_for(recording, measure.models))
    match measure.form:
        case "json":
            typer.echo(json.dumps(as_json(scored), ensure_ascii=False))
        case "markdown":
            typer.echo(as_markdown(scored))
        case "table":
            Console().print(as_table(scored))


def _evaluate_photos(indexes: Sequence[Path], measure: Measure) -> None:
    for index in indexes:
        evaluate_photos_command(
            index,
            deck=measure.deck,
            models=measure.models,
            form=measure.form,
            sheet=measure.sheet,
        )


def run_eyes(arguments: Sequence[str]) -> None:
    """Run a command of the eyes with its own options and its own `--help`. Raises `VisionError`."""
    eyes_app(list(arguments), prog_name="wrongcard")
