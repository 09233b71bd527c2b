"""The command line: `wrongcard COMMAND`.

What a person can mend ends as a sentence on stderr, what to do about it beneath, and exit code 2; a run that found
something to object to (a failed case, a demo that saw something else) ends with 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.theme import Theme

from referee import __version__
from referee.cases import report, run_cases
from referee.games import find_game
from referee.live.mendable import MENDABLE
from referee.rulepage import rule_page

__all__ = ["app", "main"]

# The one place where modules of this project are imported inside functions: a command line that answers `--help` at
# once must not load the networks' runtime and the web server first.

app = typer.Typer(
    help="A referee for card games on a real table: a camera watches, phones show every verdict.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
deck_app = typer.Typer(help="List and check the decks of cards.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Models = Annotated[
    Path | None, typer.Option(envvar="WRONGCARD_MODELS", help="Folder of the weights; default: the shipped ones.")
]
Data = Annotated[Path | None, typer.Option(envvar="WRONGCARD_DATA", help="Folder for matches and their pictures.")]
Host = Annotated[str, typer.Option(envvar="WRONGCARD_HOST", help="Address to listen at.")]
Port = Annotated[int, typer.Option(envvar="WRONGCARD_PORT", help="Port to listen at.")]
Lan = Annotated[bool, typer.Option("--lan", help="Let phones in the same network in.")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the page in a browser.")]
Language = Annotated[Literal["en", "de"], typer.Option(envvar="WRONGCARD_LANGUAGE", help="Language of the sentences.")]
Folder = Annotated[Path, typer.Argument(metavar="RECORDING", help="Folder of a recording.", show_default=False)]

LOOPBACK, EVERYWHERE, PORT = "127.0.0.1", "0.0.0.0", 8765

_EYES = {
    "see": "Tell what cards lie in pictures, and where.",
    "render": "Render labelled pictures to learn from, and fetch what they are made of.",
    "train": "Teach the eyes. Needs the extra 'train'.",
    "export": "Turn trained weights into ONNX files. Needs the extra 'train'.",
}


def main() -> None:
    """The entry point: runs a command and turns what a person can mend into a sentence."""
    try:
        app()
    except MENDABLE as error:
        _tell(str(error), error.hint)
        sys.exit(2)


def _tell(what: str, hint: str) -> None:
    typer.echo(f"wrongcard: {what}", err=True)
    if hint:
        typer.echo(f"  {hint}", err=True)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wrongcard {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A referee for card games on a real table: a camera watches, phones show every verdict."""


@app.command()
def demo(
    game: Annotated[str, typer.Argument(help="Whose demo to show.")] = "piranhas",
    headless: Annotated[bool, typer.Option("--headless", help="No server: print every play and exit.")] = False,
    as_json: AsJson = False,
    host: Host = LOOPBACK,
    port: Port = PORT,
    lan: Lan = False,
    speed: Annotated[float, typer.Option(min=0.1, max=10.0, help="How fast the film is shown.")] = 1.0,
    no_open: NoOpen = False,
    language: Language = "en",
    data: Data = None,
    models: Models = None,
) -> None:
    """Play a bundled recording through the whole real path: frames, models, referee, phones."""
    from referee.live.demo import Showing, demo_recording, run_headless, run_served
    from referee.live.serving import Doorstep

    if as_json and not headless:
        raise typer.BadParameter("--json goes with --headless.")
    showing = Showing(language, models, as_json)
    recording = demo_recording(game)
    if not headless:
        doorstep = Doorstep(EVERYWHERE if lan else host, port, data, open_browser=not no_open)
        run_served(recording, doorstep, speed=speed, showing=showing)
    elif not run_headless(recording, showing):
        raise typer.Exit(1)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="What is played.", show_default=False)],
    camera: Annotated[str, typer.Option(help="A camera's number, a device, a file, or an http or rtsp address.")],
    players: Annotated[str, typer.Option(help="Names in seating order, with commas: Ada,Ben,Cleo")],
    deck: Annotated[str | None, typer.Option(help="The deck in play; default: the game's own.")] = None,
    zones: Annotated[Path | None, typer.Option(help="A table.toml with the places of pile and seats.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="A house rule, key=value; may be repeated.")] = None,
    match: Annotated[str | None, typer.Option(help="Go on with this match, or give a new one a name.")] = None,
    host: Host = LOOPBACK,
    port: Port = PORT,
    lan: Lan = False,
    no_open: NoOpen = False,
    data: Data = None,
    models: Models = None,
) -> None:
    """Referee a live table."""
    from referee.live.play import Wishes, run_play
    from referee.live.serving import Doorstep
    from referee.live.storage import default_data_dir

    wishes = Wishes(game, camera, players, deck, zones, tuple(option or ()), match, models)
    doorstep = Doorstep(
        EVERYWHERE if lan else host, port, default_data_dir() if data is None else data, open_browser=not no_open
    )
    run_play(wishes, doorstep)


@app.command()
def watch(recording: Folder, as_json: AsJson = False, language: Language = "en", models: Models = None) -> None:
    """Watch a recording without a server: every change, move and verdict."""
    from referee.live.watch import run_watch

    run_watch(recording, as_json=as_json, language=language, models=models)


@app.command()
def evaluate(
    paths: Annotated[
        list[Path], typer.Argument(help="Recordings, or the index.json of photographs.", metavar="PATH...")
    ],
    as_json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table in Markdown.")] = False,
    deck: Annotated[str, typer.Option(help="For photographs: the deck in them.")] = "french",
    sheet: Annotated[Path | None, typer.Option(help="For photographs: picture file for the worst ones.")] = None,
    models: Models = None,
) -> None:
    """Measure how well is seen and judged, against the written truth."""
    from referee.live.measuring import Measure, run_evaluate

    form: Literal["table", "json", "markdown"] = "json" if as_json else "markdown" if markdown else "table"
    run_evaluate(paths, Measure(form, deck, sheet, models))


@app.command()
def cases(files: Annotated[list[Path], typer.Argument(help="Files of rule cases (YAML).", metavar="FILE...")]) -> None:
    """Run rule cases: one line for each that fails, then how many passed."""
    outcome = run_cases(files)
    lines, passed = report(outcome)
    for line in lines:
        typer.echo(line)
    for error in outcome.errors:
        _tell(str(error), error.hint)
    if outcome.errors:
        raise typer.Exit(2)
    if not passed:
        raise typer.Exit(1)


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="Whose rules.", show_default=False)],
    language: Language = "en",
    option: Annotated[list[str] | None, typer.Option(help="A house rule, key=value; may be repeated.")] = None,
) -> None:
    """Print the rules of a game, every house rule and which of them are in force."""
    from referee.live.opening import read_option_texts

    page = rule_page(find_game(game), language, read_option_texts(game, option or ()))
    if sys.stdout.isatty():
        Console(theme=Theme({"markdown.em": "dim"})).print(Markdown(page))
    else:
        typer.echo(page, nl=False)


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="Name of a kept match.", show_default=False)],
    recording: Annotated[Path | None, typer.Option(help="Its film: see it again with today's models.")] = None,
    as_json: AsJson = False,
    data: Data = None,
    models: Models = None,
) -> None:
    """Judge a kept match again and print which verdicts change."""
    from referee.live.again import judge_again, see_again
    from referee.live.storage import default_data_dir

    folder = default_data_dir() if data is None else data
    again = judge_again(match, folder) if recording is None else see_again(match, folder, recording, models=models)
    if as_json:
        typer.echo(json.dumps(asdict(again), ensure_ascii=False))
        return
    _print(again.changes)
    typer.echo(f"{again.game}: the match began under version {again.began} of its rules, today's is {again.today}")
    typer.echo(f"{again.compared} compared, {len(again.changes)} changed")


@app.command()
def log(
    match: Annotated[str | None, typer.Argument(help="Name of a kept match; without it: which there are.")] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write its entries out as JSON Lines; - prints them.")
    ] = None,
    read: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Keep a match that was written out, as MATCH.")
    ] = None,
    language: Language = "en",
    data: Data = None,
) -> None:
    """Tell a kept match line by line, write it out, or read it back."""
    from referee.live.logbook import export_match, import_match, match_names, tell_match, write_out
    from referee.live.storage import default_data_dir

    folder = default_data_dir() if data is None else data
    if export is not None and (match is None or read is not None):
        raise typer.BadParameter("--export goes with the name of a kept match.")
    if read is not None:
        name, count = import_match(read, folder, match)
        typer.echo(f"{name}: {count} entries kept")
    elif match is None:
        _print(match_names(folder))
    elif export is None:
        _print(tell_match(match, folder, language))
    elif str(export) == "-":
        _print(export_match(match, folder))
    else:
        write_out(export_match(match, folder), export)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


@deck_app.command("list")
def deck_list(models: Models = None) -> None:
    """All decks: their cards, whether they can be printed and read."""
    from referee.live.decks import deck_table

    Console().print(deck_table(models))


@deck_app.command("check")
def deck_check(
    deck: Annotated[str, typer.Argument(help="Name or folder of a deck.", show_default=False)], models: Models = None
) -> None:
    """See that a deck is complete, and that the eyes read each of its faces."""
    from referee.live.decks import check_deck

    checked = check_deck(deck, models)
    for sentence in checked.misread:
        typer.echo(sentence)
    faces = f"{checked.deck.name}: {checked.deck.size} cards, {len(checked.deck.faces)} faces, complete"
    read = (
        "reading not tried (needs pictures and a model)"
        if checked.looked_at is None
        else f"{len(checked.misread)} misread"
    )
    typer.echo(f"{faces}, {read}")
    if checked.misread:
        raise typer.Exit(1)


@app.command()
def bench(
    deck: Annotated[str, typer.Option(help="Whose identifier is timed.")] = "fish",
    repetitions: Annotated[int, typer.Option(min=10, help="How often each step of seeing is timed.")] = 50,
    threads: Annotated[int, typer.Option(min=0, help="Threads of every network; 0: the runtime chooses.")] = 0,
    only: Annotated[Literal["eyes", "games"] | None, typer.Option(help="Time one of the two alone.")] = None,
    as_json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables of the README.")] = False,
    models: Models = None,
) -> None:
    """Time seeing and judging on this machine, next to the usual way."""
    from referee.live.benching import BenchWishes, run_bench

    form: Literal["json", "markdown", "table"] = "json" if as_json else "markdown" if markdown else "table"
    run_bench(BenchWishes(only, deck, repetitions, threads, form, models))


def _pass_on(name: str, about: str) -> None:
    """A command of the eyes: options and help are their own, only its name and its line are known here."""

    @app.command(
        name,
        help=about,
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )
    def passed_on(context: typer.Context) -> None:
        from referee.live.measuring import run_eyes

        run_eyes([name, *context.args])


app.add_typer(deck_app, name="deck")
for _name, _about in _EYES.items():
    _pass_on(_name, _about)
