"""Where the shipped data folders lie: `models/` and `datasets/`.

A source checkout wins over the copy that an installation carries, since an editable installation keeps a stale copy.
"""

from __future__ import annotations

from pathlib import Path

from vision.errors import VisionError

__all__ = ["datasets_dir", "models_dir"]

_PACKAGE = Path(__file__).resolve().parent


def _data_dir(name: str) -> Path:
    checkout = _PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    installed = _PACKAGE / "_data" / name
    if installed.is_dir():
        return installed
    raise VisionError(
        f"The folder '{name}' is missing beside the program (looked in {checkout} and {installed.parent}).",
        hint="Install wrongcard again: pip install --force-reinstall wrongcard",
    )


def models_dir() -> Path:
    """Folder of the shipped weights and their manifest."""
    return _data_dir("models")


def datasets_dir() -> Path:
    """Folder of the shipped decks and recordings."""
    return _data_dir("datasets")
