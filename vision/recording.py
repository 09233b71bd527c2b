"""A recorded game: a folder with `video.mp4`, `table.toml` and, where somebody has written it down, `truth.jsonl`.

game = "piranhas"                      # table.toml
deck = "fish"
players = ["Ada", "Ben"]               # in seating order
[options]                              # of the game, may be absent
[zones]                                # polygons in pixels of the frame; what is absent is found by itself
pile = [[584.6, 254.3], [758.7, 299.7], [713.8, 474.3]]
[zones.seat]
Ada = [[358.0, 182.7], [332.9, 468.4], [186.7, 460.6]]

{"t": 2.0, "player": "Ada", "kind": "play", "cards": ["R3+G1+K2"], "ruling": "legal", "rules": []}     # truth.jsonl
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vision.camera import open_source
from vision.errors import CameraError, RecordingError
from vision.geometry import Floats
from vision.sightings import Frame
from vision.zones import Zones

__all__ = ["Recording", "Table", "Truth", "frames", "load_recording", "read_table", "read_truth"]

_VIDEO, _TABLE, _TRUTH = "video.mp4", "table.toml", "truth.jsonl"
_KEYS = ("game", "deck", "players", "options", "zones")
_ZONES = ("pile", "draw", "burn", "seat")
_TRUTH_KEYS = ("t", "player", "kind", "cards", "ruling", "rules", "t_still")
_FORMAT_HINT = "A recording is a folder with video.mp4, table.toml and, if you like, truth.jsonl."


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Who sits at the table and where things lie. `players` in seating order."""

    game: str
    deck: str
    players: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    zones: Zones = field(default_factory=Zones)


@dataclass(frozen=True, slots=True)
class Truth:
    """What really happened at `time_s`, one line of `truth.jsonl`.

    `time_s` is the first frame in which the card lies still and practically uncovered, `still_s` when it came to rest.
    `ruling` and `rules` are None and () where nothing was to be judged; `more` holds what else the line says.
    """

    time_s: float
    player: str | None
    kind: str
    cards: tuple[str, ...]
    ruling: str | None = None
    rules: tuple[str, ...] = ()
    still_s: float | None = None
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A recording on the disk; `truth` is empty where none was written."""

    folder: Path
    table: Table
    truth: tuple[Truth, ...]

    @property
    def video(self) -> Path:
        """The video's file."""
        return self.folder / _VIDEO


def load_recording(folder: Path) -> Recording:
    """Read everything of a recording but its pictures.

    Raises:
        RecordingError: The folder or one of its files is missing or contradicts itself.
    """
    if not folder.is_dir():
        raise RecordingError(f"There is no folder {folder}.", hint=_FORMAT_HINT)
    table = read_table(folder / _TABLE)
    if not (folder / _VIDEO).is_file():
        raise RecordingError(f"The recording {folder} has no {_VIDEO}.", hint=_FORMAT_HINT)
    truth = read_truth(folder / _TRUTH) if (folder / _TRUTH).is_file() else ()
    return Recording(folder, table, truth)


def frames(recording: Recording) -> Iterator[Frame]:
    """The frames of the video, one after the other, each with its own time.

    Raises:
        RecordingError: The video cannot be opened, or it ends before its own length says.
    """
    try:
        with open_source(str(recording.video)) as source:
            yield from source
    except CameraError as error:
        raise RecordingError(str(error), hint=error.hint) from error


def read_table(file: Path) -> Table:
    """Read and check a `table.toml`.

    Raises:
        RecordingError: It is missing, no TOML, or one of its values cannot be.
    """
    table = _toml(file)
    _known_keys(table, _KEYS, f"{file}")
    players = _players(table.get("players"), file)
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise RecordingError(f"{file}: 'options' is no section.", hint="Write [options] on a line of its own.")
    zones = _zones(table.get("zones", {}), players, file)
    return Table(_name(table, "game", file), _name(table, "deck", file), players, options, zones)


def read_truth(file: Path) -> tuple[Truth, ...]:
    """Read and check a `truth.jsonl`; its lines in the order of time.

    Raises:
        RecordingError: A line is broken; its number is named.
    """
    lines = _text(file).splitlines()
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    found = [_truth(line, f"{file}, line {number}") for number, line in numbered]
    return tuple(sorted(found, key=lambda truth: truth.time_s))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RecordingError(f"The recording has no {file.name} in {file.parent}.", hint=_FORMAT_HINT) from error
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"{file} cannot be read: {error}", hint="Save it as UTF-8 text.") from error


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise RecordingError(f"{file} is not valid TOML: {error}", hint="Mend the line that is named.") from error


def _known_keys(table: Mapping[str, object], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            close = difflib.get_close_matches(key, keys, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else f"Known keys: {', '.join(keys)}."
            raise RecordingError(f"{where} has an unknown key '{key}'.", hint=hint)


def _name(table: Mapping[str, object], key: str, file: Path) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RecordingError(f"{file} does not say which {key} it is.", hint=f'Write a line like {key} = "fish".')
    return value


def _players(value: object, file: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise RecordingError(f"{file} names no players.", hint='Write a line like players = ["Ada", "Ben"].')
    for place, name in enumerate(value, start=1):
        if not isinstance(name, str) or not name.strip():
            raise RecordingError(f"{file}: player {place} has no name.", hint="Give every player a name in quotes.")
        if name in value[: place - 1]:
            raise RecordingError(f"{file} names the player {name} twice.", hint="Give the two different names.")
    return tuple(value)


def _zones(value: object, players: tuple[str, ...], file: Path) -> Zones:
    if not isinstance(value, dict):
        raise RecordingError(f"{file}: 'zones' is no section.", hint="Write [zones] on a line of its own.")
    _known_keys(value, _ZONES, f"{file}, [zones],")
    seats = value.get("seat", {})
    if not isinstance(seats, dict):
        raise RecordingError(f"{file}: 'zones.seat' is no section.", hint="Write [zones.seat], then one line a player.")
    _known_keys(seats, players, f"{file}, [zones.seat],")
    places = {name: _polygon(value[name], f"{file}, zone '{name}'") for name in _ZONES[:3] if name in value}
    seated = {name: _polygon(seats[name], f"{file}, seat of {name}") for name in players if name in seats}
    return Zones(places.get("pile"), places.get("draw"), places.get("burn"), seated)


def _polygon(value: object, where: str) -> Floats:
    points = value if isinstance(value, list) else []
    if len(points) < 3:
        raise RecordingError(f"{where}: {len(points)} points are no area.", hint="A zone needs three points or more.")
    for number, point in enumerate(points, start=1):
        pair = isinstance(point, list) and len(point) == 2 and all(_number(part) for part in point)
        if not pair:
            raise RecordingError(f"{where}: point {number} is {point!r}.", hint="Write a point as [x, y] in pixels.")
    return np.array(points, dtype=np.float64)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e6


def _truth(line: str, where: str) -> Truth:
    try:
        entry = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordingError(f"{where} is broken: {error}", hint="Each line is one JSON object.") from error
    if not isinstance(entry, dict):
        raise RecordingError(f"{where} is no JSON object.", hint='Write it like {"t": 2.0, "kind": "play", ...}.')
    if "t" not in entry:
        raise RecordingError(f"{where} does not say when: 't' is missing.", hint='Write the seconds, like "t": 2.0.')
    kind = entry.get("kind")
    if not isinstance(kind, str) or not kind:
        raise RecordingError(f"{where}: 'kind' is {kind!r}.", hint='Say what happened, like "kind": "play".')
    return Truth(
        time_s=_seconds(entry["t"], "t", where),
        player=_maybe(entry, "player", where),
        kind=kind,
        cards=_names(entry, "cards", where),
        ruling=_maybe(entry, "ruling", where),
        rules=_names(entry, "rules", where),
        still_s=_seconds(entry["t_still"], "t_still", where) if "t_still" in entry else None,
        more={key: part for key, part in entry.items() if key not in _TRUTH_KEYS},
    )


def _maybe(entry: Mapping[str, object], key: str, where: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise RecordingError(f"{where}: '{key}' is {value!r}.", hint=f"Write '{key}' as a text in quotes.")
    return value


def _names(entry: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise RecordingError(f"{where}: '{key}' is {value!r}.", hint=f"Write '{key}' as a list of texts: [\"...\"].")
    return tuple(value)


def _seconds(value: object, key: str, where: str) -> float:
    if not isinstance(value, (int, float)) or not _number(value) or value < 0:
        raise RecordingError(f"{where}: '{key}' is {value!r}.", hint="Write the time in seconds, 0 or more.")
    return float(value)
