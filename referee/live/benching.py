"""`wrongcard bench`: what seeing costs on this machine, and how fast the referee plays, each next to the usual way."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer
from rich.console import Console

from referee.live import game_bench
from vision import benchmark

__all__ = ["BenchWishes", "run_bench"]


@dataclass(frozen=True, slots=True)
class BenchWishes:
    """What to time and how to print it; `deck`, `repetitions` and `threads` are for the eyes."""

    only: Literal["eyes", "games"] | None = None
    deck: str = "fish"
    repetitions: int = 50
    threads: int = 0
    form: Literal["table", "json", "markdown"] = "table"
    models: Path | None = None


def run_bench(wishes: BenchWishes) -> None:
    """Time and print. Raises `VisionError` for a deck or weights that are not there."""
    eyes = None if wishes.only == "games" else _eyes(wishes)
    games = None if wishes.only == "eyes" else game_bench.run_game_bench()
    if wishes.form == "json":
        report = {} if eyes is None else eyes.as_json()
        typer.echo(json.dumps(report if games is None else {**report, "games": games.as_json()}))
    elif wishes.form == "markdown":
        tables = [benchmark.as_markdown(eyes)] if eyes is not None else []
        typer.echo("\n\n".join([*tables, *([] if games is None else [game_bench.as_markdown(games)])]))
    else:
        for table in (eyes and benchmark.as_table(eyes), games and game_bench.as_table(games)):
            if table:
                Console().print(table)


def _eyes(wishes: BenchWishes) -> benchmark.BenchReport:
    return benchmark.run_benchmark(
        wishes.deck, repetitions=wishes.repetitions, threads=wishes.threads, models=wishes.models
    )
