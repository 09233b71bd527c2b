"""The commands of the eyes: see, render, train, export; and measuring on photographs as a function.

What a person can mend ends as a sentence on stderr and exit code 2 (`run`); anything else is a bug and stays visible.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from vision.decks import load_deck
from vision.errors import TeachingError, VisionError
from vision.evaluation.photographs import evaluate_photographs, read_picture
from vision.evaluation.sheet import write_sheet
from vision.evaluation.table import as_json as report_as_json
from vision.evaluation.table import as_markdown, as_table
from vision.eyes import Eyes, open_eyes
from vision.locate import STILL_LONG_SIDES
from vision.sightings import Image, Sighting
from vision.teaching.assets import prepare_assets
from vision.teaching.crop_dataset import CropSet, write_crops
from vision.teaching.dataset import SceneSet, write_scenes
from vision.teaching.film import render_film
from vision.teaching.fit_dataset import FindSet, write_finds

__all__ = ["app", "evaluate_photos_command", "main", "run", "still_eyes"]

TRAIN_EXTRA = ("torch", "torchvision", "ultralytics", "onnx", "onnxslim")
NEEDS_EXTRA = "In the project's folder: pip install '.[train]'"

app = typer.Typer(
    help="The eyes of Wrongcard: what lies on the table, and how they are taught and measured.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
train_app = typer.Typer(help="Teach the eyes. Needs the extra 'train'.", no_args_is_help=True)
export_app = typer.Typer(help="Turn trained weights into ONNX files. Needs the extra 'train'.", no_args_is_help=True)
app.add_typer(train_app, name="train")
app.add_typer(export_app, name="export")

Models = Annotated[
    Path | None, typer.Option(envvar="WRONGCARD_MODELS", help="Folder of the weights; default: the shipped ones.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Runs = Annotated[Path, typer.Option(help="Folder for checkpoints; a training that was interrupted goes on there.")]


def run(entry: Callable[[], object], *, expected: tuple[type[Exception], ...] = (VisionError,)) -> None:
    """Run a command line; an `expected` error becomes a sentence, its hint a second line, and exit code 2."""
    try:
        entry()
    except expected as error:
        typer.echo(f"wrongcard: {error}", err=True)
        hint = getattr(error, "hint", "")
        if hint:
            typer.echo(f"  {hint}", err=True)
        sys.exit(2)


def main() -> None:
    """The eyes alone, without a referee: `python -m vision.cli`."""
    run(app)


def still_eyes(deck: str, models: Path | None = None) -> Eyes:
    """Eyes for still pictures of `deck`; raises DeckError or ModelError with what is missing."""
    return open_eyes(load_deck(deck).name, long_sides=STILL_LONG_SIDES, models=models)


@app.command()
def see(
    images: Annotated[list[Path], typer.Argument(help="Picture files.", show_default=False)],
    deck: Annotated[str, typer.Option(help="The deck in play, for example french or fish.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line for every picture.")] = False,
    models: Models = None,
) -> None:
    """Tell what cards lie in pictures, and where."""
    eyes = still_eyes(deck, models)
    for path in images:
        image = read_picture(path)
        start = time.perf_counter()
        sightings = eyes.look(image)
        ms = (time.perf_counter() - start) * 1000
        if as_json:
            typer.echo(json.dumps(_seen(path, image, sightings, ms)))
        else:
            Console().print(_seen_table(path, sightings, ms))


def _seen(path: Path, image: Image, sightings: tuple[Sighting, ...], ms: float) -> dict[str, Any]:
    cards = [
        {
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.quad_px],
            "side": sighting.side,
            "face": sighting.face,
            "candidates": [[face, probability] for face, probability in sighting.candidates],
            "score": round(sighting.score, 3),
        }
        for sighting in sightings
    ]
    return {"image": str(path), "size_wh": [image.shape[1], image.shape[0]], "cards": cards, "ms": round(ms, 1)}


def _seen_table(path: Path, sightings: tuple[Sighting, ...], ms: float) -> Table:
    table = Table(title=f"{path}: {len(sightings)} cards, {ms:.0f} ms", title_justify="left")
    for heading in ("card", "probability", "next best", "middle", "score"):
        table.add_column(heading)
    for sighting in sightings:
        best, *others = [*sighting.candidates, ("", 0.0)]
        name = sighting.face or ("face down" if sighting.side == "back" else "not sure")
        x, y = sighting.quad_px.mean(axis=0)
        runner_up = " ".join(f"{face} {probability:.2f}" for face, probability in others[:1] if face)
        probability = f"{best[0]} {best[1]:.2f}" if best[0] else ""
        table.add_row(name, probability, runner_up, f"{x:.0f}, {y:.0f}", f"{sighting.score:.2f}")
    return table


@app.command()
def render(
    out: Annotated[Path | None, typer.Option(help="Folder for the pictures; what is there already is kept.")] = None,
    assets: Annotated[Path, typer.Option(help="Folder of the fetched art, table tops and hands.")] = Path("assets"),
    train: Annotated[int, typer.Option(min=0, help="Pictures to learn from.")] = 20_000,
    val: Annotated[int, typer.Option(min=0, help="Pictures to check the learning with.")] = 500,
    difficulty: Annotated[float, typer.Option(min=0, max=1, help="Of light, blur, clutter and heaps of cards.")] = 1.0,
    scale: Annotated[float, typer.Option(min=0.2, max=3, help="Size of the pictures; 1: 416 px.")] = 1.0,
    first_seed: Annotated[int, typer.Option(min=0, help="Number of the first scene; others, other scenes.")] = 0,
    crops: Annotated[str, typer.Option(help="Make single cards of this deck instead of whole tables.")] = "",
    finds: Annotated[bool, typer.Option("--finds", help="Keep what the locator takes for cards in them.")] = False,
    film: Annotated[Path | None, typer.Option(help="Make the recording of this script instead of pictures.")] = None,
    prepare: Annotated[bool, typer.Option("--prepare", help="Fetch what is missing in the assets folder.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="With --prepare: just this part; may be repeated.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
) -> None:
    """Render labelled pictures to learn from, and fetch what they are made of."""
    if out is None and not prepare:
        raise typer.BadParameter("Name a folder with --out, or fetch the raw material with --prepare.")
    if only and not prepare:
        raise typer.BadParameter("--only chooses among the parts that --prepare fetches.")
    _log_to_stderr()
    if prepare:
        prepare_assets(assets, only=tuple(only or ()))
    if out is not None and film is not None:
        render_film(film, assets, out)
    elif out is not None and crops:
        deck = load_deck(crops).name
        write_crops(out, CropSet(deck, str(assets), train, val, reserved=val), workers=workers)
    elif out is not None and finds:
        write_finds(out, FindSet(str(assets), train, val, reserved=val, scale=scale), workers=workers)
    elif out is not None:
        write_scenes(
            out, SceneSet(str(assets), train, val, first_seed, difficulty=difficulty, scale=scale), workers=workers
        )


@train_app.command("locate")
def train_locate(
    scenes: Annotated[list[Path], typer.Argument(help="Folders of rendered scenes.", show_default=False)],
    runs: Runs = Path("runs/locate"),
    start: Annotated[
        Path | None, typer.Option("--from", help="An exported locator (ONNX) to go on from; default: from nothing.")
    ] = None,
) -> None:
    """Teach finding cards; prints the file with the weights."""
    with _extra_train():
        from vision.teaching.locator_training import train_locator
    _log_to_stderr()
    typer.echo(train_locator(scenes, runs, start=start))


@train_app.command("fit")
def train_fit(
    finds: Annotated[Path, typer.Argument(help="Folder made by 'render --finds'.", show_default=False)],
    runs: Runs = Path("runs/fit"),
    start: Annotated[
        Path | None, typer.Option("--from", help="Weights of an earlier 'train fit' to go on from; default: none.")
    ] = None,
) -> None:
    """Teach the closer look at what was found; prints the file with the weights."""
    with _extra_train():
        from vision.teaching.fitter_training import train_fitter
    _log_to_stderr()
    typer.echo(train_fitter(finds, runs, start=start and _existing(start)))


@train_app.command("identify")
def train_identify(
    deck: Annotated[str, typer.Argument(help="The deck to be read.", show_default=False)],
    crops: Annotated[Path, typer.Argument(help="Folder made by 'render --crops DECK'.", show_default=False)],
    runs: Annotated[Path | None, typer.Option(help="Folder for checkpoints; default: runs/identify-DECK.")] = None,
) -> None:
    """Teach naming the cards of a deck; prints the file with the weights."""
    with _extra_train():
        from vision.teaching.identifier_training import train_identifier
    _log_to_stderr()
    typer.echo(train_identifier(deck, crops, runs or Path("runs", f"identify-{deck}")))


@export_app.command("locate")
def export_locate(
    weights: Annotated[Path, typer.Argument(help="What 'train locate' printed.", show_default=False)],
    models: Annotated[Path, typer.Option(help="Folder of models with their manifest.")] = Path("models"),
) -> None:
    """Put the locator's weights into the models folder."""
    with _extra_train():
        from vision.teaching.export import export_locator
    _log_to_stderr()
    typer.echo(export_locator(_existing(weights), models))


@export_app.command("fit")
def export_fit(
    weights: Annotated[Path, typer.Argument(help="What 'train fit' printed.", show_default=False)],
    models: Annotated[Path, typer.Option(help="Folder of models with their manifest.")] = Path("models"),
) -> None:
    """Put the fitter's weights into the models folder."""
    with _extra_train():
        from vision.teaching.export import export_fitter
    _log_to_stderr()
    typer.echo(export_fitter(_existing(weights), models))


@export_app.command("identify")
def export_identify(
    deck: Annotated[str, typer.Argument(help="The deck that the weights read.", show_default=False)],
    weights: Annotated[Path, typer.Argument(help="What 'train identify' printed.", show_default=False)],
    models: Annotated[Path, typer.Option(help="Folder of models with their manifest.")] = Path("models"),
) -> None:
    """Put an identifier's weights into the models folder."""
    with _extra_train():
        from vision.teaching.export import export_identifier
    _log_to_stderr()
    typer.echo(export_identifier(deck, _existing(weights), models))


@export_app.command("usual")
def export_usual() -> None:
    """Make the weightless YOLO11n against which 'bench' compares."""
    with _extra_train():
        from vision.teaching.bench_network import export_bench_network
    typer.echo(export_bench_network())


def evaluate_photos_command(
    index: Path,
    *,
    deck: str = "french",
    models: Path | None = None,
    form: Literal["table", "json", "markdown"] = "table",
    sheet: Path | None = None,
) -> None:
    """Measure on labelled photographs and print the figures; `sheet` gets a picture of the worst ones.

    Raises VisionError with what is wrong with the index, a picture, the deck or the weights.
    """
    _log_to_stderr()
    eyes = still_eyes(deck, models)
    report = evaluate_photographs(index, eyes)
    if sheet is not None:
        count = write_sheet(report.pictures, sheet)
        logging.getLogger(__name__).info("%s shows the %d worst photographs", sheet, count)
    if form == "json":
        parts = (eyes.locator, eyes.fitter, eyes.identifier)
        weights = {part.weights.name: part.weights.sha256 for part in parts}
        typer.echo(json.dumps({**report_as_json(report), "weights": weights}))
    elif form == "markdown":
        typer.echo(as_markdown(report.scores))
    else:
        Console().print(as_table(report))


@contextmanager
def _extra_train() -> Iterator[None]:
    """Turns the absence of the extra `train` into a sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing not in TRAIN_EXTRA:
            raise
        raise TeachingError(f"Teaching needs '{missing}', which is not installed.", hint=NEEDS_EXTRA) from error


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise TeachingError(f"There are no weights at {path}.", hint="Train first: wrongcard train --help")
    return path


def _log_to_stderr() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")


if __name__ == "__main__":
    main()
