"""Trained weights become ONNX files in `models/`, each with its line in the manifest.

Needs the extra `train`. Every export is checked at once: ONNX Runtime must give what torch gives.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import torch
from ultralytics import YOLO

from vision import fit, identify
from vision.decks import load_deck
from vision.errors import TeachingError
from vision.teaching.dataset import CLASS_NAMES
from vision.teaching.fitter_training import FitNet
from vision.teaching.identifier_training import CardNet
from vision.teaching.network_parts import load_network

__all__ = ["export_fitter", "export_identifier", "export_locator"]

logger = logging.getLogger(__name__)

PARITY = 2e-3
"""Largest allowed difference between torch and ONNX Runtime, of a logit, a score or a corner's share of the input."""


def export_locator(weights: Path, models: Path, *, imgsz: int = 416) -> Path:
    """Export the locator with free input height and width (multiples of 32); returns the ONNX file."""
    models.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copy(weights, Path(scratch, "locate.pt")))
        exported = YOLO(str(copy)).export(format="onnx", imgsz=imgsz, dynamic=True, simplify=True, opset=17, half=False)
        target = models / "locate.onnx"
        _strip(Path(exported), target)
    network = YOLO(str(weights)).model.float().eval()
    for height, width in ((imgsz, imgsz), (256, 448)):
        picture = np.random.default_rng(0).random((1, 3, height, width), dtype=np.float32)
        with torch.no_grad():
            expected = network(torch.from_numpy(picture))
        expected = expected[0] if isinstance(expected, tuple | list) else expected
        found = _run(target, {"images": picture})[0]
        _require_parity(expected.numpy() / max(height, width), found / max(height, width), target)
    _enter(models, "locate", target, {"classes": list(CLASS_NAMES), "corners": 4, "trained_imgsz": imgsz})
    return target


def export_identifier(deck_name: str, weights: Path, models: Path) -> Path:
    """Export the identifier of a deck for any number of crops; `report.json` lies beside the weights."""
    report = _report_beside(weights)
    deck = load_deck(deck_name)
    if tuple(report["faces"]) != deck.faces:
        raise TeachingError(
            f"{weights} was trained on other faces than the deck '{deck_name}' has now.",
            hint=f"Train again: wrongcard train identify {deck_name}",
        )
    network = CardNet(len(deck.faces))
    target = models / f"identify-{deck_name}.onnx"
    _export_crops(network, weights, target, identify.CROP_WH, ["faces", "turned"])
    about = {
        "faces": report["faces"],
        "temperature": report["temperature"],
        "half_turn_symmetric": deck.half_turn_symmetric,
        "measured": {split: report[split] for split in ("val", "reserved") if split in report},
    }
    _enter(models, f"identify-{deck_name}", target, about)
    return target


def export_fitter(weights: Path, models: Path) -> Path:
    """Export the fitter for any number of crops; `report.json` lies beside the weights."""
    report = _report_beside(weights)
    target = models / "fit.onnx"
    _export_crops(FitNet(), weights, target, fit.CROP_WH, ["fits"])
    _enter(models, "fit", target, {"measured": report})
    return target


def _report_beside(weights: Path) -> dict[str, Any]:
    path = weights.parent / "report.json"
    if not path.is_file():
        raise TeachingError(
            f"There is no {path}: the training that writes {weights.name} has not ended yet.",
            hint="Call the same training again: it goes on where it stopped.",
        )
    return dict(json.loads(path.read_text()))


def _export_crops(
    network: torch.nn.Module, weights: Path, target: Path, crop_wh: tuple[int, int], outputs: list[str]
) -> None:
    """A network that takes any number of crops, with these weights, as the ONNX file `target`."""
    load_network(network, weights)
    network.eval()
    target.parent.mkdir(parents=True, exist_ok=True)
    crops = torch.rand(2, 3, crop_wh[1], crop_wh[0])
    free = {name: {0: "n"} for name in ("crops", *outputs)}
    torch.onnx.export(
        network, (crops,), str(target), input_names=["crops"], output_names=outputs, dynamic_axes=free,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    crops = torch.rand(3, 3, crop_wh[1], crop_wh[0])
    with torch.no_grad():
        expected = network(crops)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for one, other in zip(expected, _run(target, {"crops": crops.numpy()}), strict=True):
        _require_parity(one.numpy(), other, target)


def _strip(source: Path, target: Path) -> None:
    """Copy an ONNX file without the exporter's notes (date, paths), so that equal weights give equal files."""
    model = onnx.load(str(source))
    del model.metadata_props[:]
    model.doc_string = ""
    onnx.save(model, str(target))


def _run(path: Path, inputs: dict[str, Any]) -> list[Any]:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return list(session.run(None, inputs))


def _require_parity(expected: Any, found: Any, path: Path) -> None:
    difference = float(np.abs(expected - found).max())
    logger.info("%s differs from torch by at most %.1e", path.name, difference)
    if difference > PARITY:
        raise TeachingError(
            f"{path} gives other numbers than the network it was made from (difference {difference:.2g}).",
            hint="Try another version of torch or onnxruntime and export again.",
        )


def _enter(models: Path, name: str, file: Path, about: dict[str, Any]) -> None:
    """Write the entry of `file` into the manifest, the others stay."""
    manifest = models / "manifest.json"
    content = json.loads(manifest.read_text()) if manifest.is_file() else {"models": {}}
    content["models"][name] = {
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "about": about,
    }
    content["models"] = dict(sorted(content["models"].items()))
    manifest.write_text(json.dumps(content, indent=2) + "\n")
