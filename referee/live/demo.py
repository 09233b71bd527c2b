"""`wrongcard demo`: the recording that comes with the program, through the whole real path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from referee.games import find_game
from referee.live.declared import Agenda, declared
from referee.live.lines import verdict_line
from referee.live.opening import party_of
from referee.live.replay import replay
from referee.live.scoring import pair, plays_of
from referee.live.serving import Doorstep, Evening, match_name, serve_evening
from referee.live.umpire import Ruled
from referee.live.watching import watcher_for, watchers
from referee.wording import Wording, load_wording
from vision.data import datasets_dir
from vision.errors import RecordingError
from vision.recording import Recording, load_recording

__all__ = ["Showing", "demo_recording", "play_by_play", "run_headless", "run_served"]

_LOOKS = {"legal": "green", "pending": "yellow", "foul": "bold red", "void": "magenta"}
_SIGNS = {"legal": "✓", "pending": "…", "foul": "✗", "void": "∅"}


@dataclass(frozen=True, slots=True)
class Showing:
    """How the demo is shown: `language` of the sentences, `models` the folder of the weights."""

    language: str = "en"
    models: Path | None = None
    as_json: bool = False


def demo_recording(game: str) -> Recording:
    """The bundled recording of a game. Raises `UnknownGameError` or `RecordingError`, which name what there is."""
    folder = datasets_dir() / "recordings"
    name = find_game(game).name
    if not (folder / f"{name}-demo").is_dir():
        known = sorted(path.name.removesuffix("-demo") for path in folder.glob("*-demo"))
        raise RecordingError(f"There is no demo of {name}.", hint=f"Games with a demo: {', '.join(known) or 'none'}.")
    return load_recording(folder / f"{name}-demo")


def run_served(recording: Recording, doorstep: Doorstep, *, speed: float, showing: Showing) -> None:
    """Show the film to phones at `speed`, and stay until Ctrl+C. Raises like `serve_evening`."""
    serve_evening(
        Evening(
            party_of(recording.table),
            str(recording.video),
            lambda: watchers(recording.table.deck, recording.table.zones, showing.models),
            match_name(f"{recording.table.game}-demo"),
            speed=speed,
            agenda=Agenda(declared(recording.truth)),
            ending="When the film is over the page stays; start the demo again to see it once more.",
        ),
        doorstep,
    )


def run_headless(recording: Recording, showing: Showing) -> bool:
    """Print every play with its verdict; tells on stderr what was seen otherwise than it was. True: nothing was."""
    plays, wording = [], load_wording().of(recording.table.game)
    for play in play_by_play(recording, showing):
        plays.append(play)
        _print(play, showing, wording=wording)
    differences = pair(recording.truth, plays).differences() if recording.truth else ()
    for difference in differences:
        typer.echo(f"wrongcard: {difference}", err=True)
    if not showing.as_json and recording.truth and not differences:
        Console().print(f"{len(plays)} plays, all seen and ruled as they were.")
    return not differences


def play_by_play(recording: Recording, showing: Showing) -> Iterator[Ruled]:
    """The plays of a recording, each as soon as it is ruled."""
    for happening in replay(recording, watcher_for(recording, showing.models)):
        yield from plays_of([happening])


def _print(play: Ruled, showing: Showing, *, wording: Wording) -> None:
    if showing.as_json:
        typer.echo(json.dumps(verdict_line(play, wording, showing.language), ensure_ascii=False))
        return
    line = verdict_line(play, wording, showing.language)
    look = _LOOKS.get(line["ruling"], "")
    who = escape(f"{line['player']:<10}")
    cards = escape(f"{' '.join(line['cards']):<10}")
    words = escape(" ".join([line["text"], *line["steps"]]))
    Console(highlight=False, soft_wrap=True).print(
        f"{line['happened']:7.2f} s  {who} {cards} [{look}]{_SIGNS.get(line['ruling'], '•')} {words}[/]"
    )
