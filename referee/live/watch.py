"""`wrongcard watch`: a recording without a server, line by line."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from referee.games import find_game
from referee.live.lines import Line, lines
from referee.live.replay import replay
from referee.live.watching import watcher_for
from referee.wording import load_wording
from vision.recording import load_recording

__all__ = ["run_watch"]

_LOOKS = {"foul": "bold red", "upheld": "bold red", "void": "magenta", "pending": "yellow", "legal": "green"}


def run_watch(folder: Path, *, as_json: bool, language: str = "en", models: Path | None = None) -> None:
    """Print everything that is seen and said. Raises `VisionError` and `RefereeError`."""
    recording = load_recording(folder)
    console = Console(highlight=False, soft_wrap=True)
    wording = load_wording().of(find_game(recording.table.game).name)
    for line in lines(replay(recording, watcher_for(recording, models)), wording, language):
        if as_json:
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            console.print(_words(line))


def _words(line: Line) -> str:
    kind = str(line["type"])
    look = _LOOKS.get(line.get("ruling", ""), "dim")
    return f"[dim]{line['t']:8.2f} s  {kind:<8}[/] [{look}]{escape(_details(line))}[/]"


def _details(line: Line) -> str:
    match line["type"]:
        case "change":
            faces = ", ".join(f"{face} {p:.2f}" for face, p in line["candidates"]) or "unread"
            who = f" by {line['who']} ({line['who_confidence']:.2f})" if line["who"] else ""
            return f"{line['what']} on {line['zone']}: {faces}{who}"
        case "move":
            return " ".join([line["player"], line["kind"], *line["cards"]])
        case "verdict":
            return " ".join([f"#{line['seq']}", line["ruling"], *line["rules"], line["text"], *line["steps"]])
        case "question":
            return f"{line['text']} {' or '.join(line['choices'])}"
    return str(line["text"])
