"""Shipped weights: `models/manifest.json` names each file with its SHA-256, size and meaning.

A file that is not exactly the published one is refused: a referee with half a model is worse than none.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnxruntime as ort

from vision.data import models_dir
from vision.errors import ModelError

__all__ = ["Weights", "load_weights", "manifest_names", "open_session"]

_REINSTALL = "Install wrongcard again, or export the model anew: wrongcard export --help"


@dataclass(frozen=True, slots=True)
class Weights:
    """One entry of the manifest: the checked file and what its numbers mean."""

    name: str
    path: Path
    sha256: str
    about: dict[str, Any]


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise ModelError(f"There is no list of models at {path}.", hint=_REINSTALL)
    try:
        content = json.loads(path.read_text())
    except json.JSONDecodeError as error:
        raise ModelError(f"{path} is damaged (line {error.lineno}).", hint=_REINSTALL) from error
    return dict(content["models"])


def manifest_names(folder: Path | None = None) -> tuple[str, ...]:
    """Names of all models in the manifest."""
    return tuple(_manifest(folder or models_dir()))


def load_weights(name: str, folder: Path | None = None) -> Weights:
    """The weights `name` after checking them against the manifest; raises ModelError with what differs."""
    folder = folder or models_dir()
    entries = _manifest(folder)
    if name not in entries:
        raise ModelError(f"There is no model '{name}' (there are: {', '.join(entries)}).", hint=_REINSTALL)
    entry = entries[name]
    path = folder / entry["file"]
    if not path.is_file():
        raise ModelError(f"The model file {path} is missing.", hint=_REINSTALL)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != entry["sha256"]:
        raise ModelError(
            f"The model file {path} is not the published one: its checksum is {found[:12]}…, "
            f"the manifest says {entry['sha256'][:12]}….",
            hint=_REINSTALL,
        )
    return Weights(name, path, found, dict(entry["about"]))


def open_session(weights: Weights, *, threads: int = 0) -> ort.InferenceSession:
    """An ONNX Runtime session on the CPU; `threads` 0 lets the runtime choose."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Several networks take turns: threads of one that wait in a busy loop would take the cores from the next.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(weights.path), options, providers=["CPUExecutionProvider"])
    except ort.capi.onnxruntime_pybind11_state.Fail as error:
        raise ModelError(f"ONNX Runtime cannot load {weights.path}.", hint=_REINSTALL) from error
