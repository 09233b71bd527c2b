"""Where matches are kept: one file with all logs, and a folder a match for pictures, its secret and what was told."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import platformdirs

from referee.errors import StoreError

__all__ = ["MatchFolder", "Storage", "Transcript", "default_data_dir"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_HINT = "Name a folder that you may write to with --data, or with the environment variable WRONGCARD_DATA."


def default_data_dir() -> Path:
    """The folder in which this user's programs keep what they make."""
    return platformdirs.user_data_path("wrongcard", appauthor=False)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"Nothing can be written to {path}: {error.strerror}.", hint=_HINT) from error


@dataclass(frozen=True, slots=True)
class Storage:
    """The folder with everything that is kept."""

    folder: Path

    @property
    def log_file(self) -> Path:
        """The file with the logs of all matches."""
        return self.folder / "matches.sqlite3"

    def open(self) -> None:
        """Make the folder and see that it can be written to. Raises `StoreError`."""
        with _writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            probe = self.folder / f".probe-{secrets.token_hex(4)}"
            probe.touch()
            probe.unlink()

    def match(self, name: str) -> MatchFolder:
        """The folder of a match, made if it is not there. Raises `StoreError`, also for a name that is none."""
        if not _NAME.fullmatch(name):
            raise StoreError(f"'{name}' cannot be the name of a match.", hint="Use letters, digits, dots and dashes.")
        folder = MatchFolder(self.folder / "matches" / name)
        with _writing(folder.folder):
            folder.pictures.mkdir(parents=True, exist_ok=True)
        return folder


@dataclass(frozen=True, slots=True)
class MatchFolder:
    """The folder of one match."""

    folder: Path

    @property
    def pictures(self) -> Path:
        """Where the pictures lie that verdicts rest on."""
        return self.folder / "evidence"

    def secret(self) -> bytes:
        """What tokens and cookies are made from; kept, so that phones stay paired. Raises `StoreError`."""
        path = self.folder / "secret"
        with _writing(path):
            if not path.exists():
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(secrets.token_bytes(32))
            return path.read_bytes()

    def transcript(self) -> Transcript:
        """What was told in this match."""
        return Transcript(self.folder / "told.jsonl")


class Transcript:
    """What the table was told, as it was told: no source of truth, but the measure for judging a match again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._whole = False

    def write(self, verdicts: Iterable[dict[str, Any]], *, gone: Iterable[int] = ()) -> None:
        """Add verdicts, and the numbers of entries that count no more. Raises `StoreError`."""
        lines = [*verdicts, *({"seq": seq, "gone": True} for seq in gone)]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        with _writing(self._path), self._path.open("ab+") as file:
            self._cut_torn_line(file)
            file.write(text.encode())

    def _cut_torn_line(self, file: BinaryIO) -> None:
        """A power cut leaves half a line, which the next one must not be glued to."""
        if self._whole:
            return
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        self._whole = True

    def read(self) -> dict[int, dict[str, Any]]:
        """The last thing told about every entry that still counts. Raises `StoreError` when it is not there."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"What was told in this match cannot be read from {self._path}: {error.strerror}.",
                hint="Without it there is nothing to compare today's verdicts with.",
            ) from error
        whole = text.split("\n")[:-1]  # other signs that end a line, such as U+2028, may stand in a name
        try:
            told = {line["seq"]: line for line in map(json.loads, whole)}
        except (json.JSONDecodeError, TypeError, KeyError) as error:
            raise StoreError(f"{self._path} is damaged: {error}.", hint="Take a copy of it from before.") from error
        return {seq: line for seq, line in told.items() if not line.get("gone")}
