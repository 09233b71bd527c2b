"""The pictures that verdicts rest on: JPEG files in one folder, found by id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from referee.web.errors import RequestError

__all__ = ["EvidenceFolder"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class EvidenceFolder:
    """A folder of `<id>.jpg`; None when this match keeps no pictures."""

    folder: Path | None

    def path(self, evidence_id: str) -> Path:
        """The picture's file. Raises `RequestError` 404 for ids that are malformed, unknown or lead elsewhere."""
        if self.folder is None or not _ID.fullmatch(evidence_id):
            raise RequestError(404, "evidence")
        path = self.folder / f"{evidence_id}.jpg"
        if path.is_symlink() or not path.is_file():
            raise RequestError(404, "evidence")
        return path
