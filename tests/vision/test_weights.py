"""Shipped weights are checked before they are used."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from vision.data import models_dir
from vision.errors import ModelError
from vision.weights import load_weights, manifest_names

CONTENT = b"weights"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "net.onnx").write_bytes(CONTENT)
    entry = {"file": "net.onnx", "sha256": hashlib.sha256(CONTENT).hexdigest(), "about": {"classes": ["front", "back"]}}
    (tmp_path / "manifest.json").write_text(json.dumps({"models": {"net": entry}}))
    return tmp_path


def test_the_published_file_is_accepted_with_its_description(models: Path) -> None:
    weights = load_weights("net", models)
    assert weights.path == models / "net.onnx"
    assert weights.about == {"classes": ["front", "back"]}


def test_one_changed_byte_is_refused(models: Path) -> None:
    (models / "net.onnx").write_bytes(b"weightz")
    with pytest.raises(ModelError, match=r"net\.onnx is not the published one") as refusal:
        load_weights("net", models)
    assert "Install wrongcard again" in refusal.value.hint


def test_a_missing_file_and_an_unknown_name_are_told_apart(models: Path) -> None:
    with pytest.raises(ModelError, match=r"no model 'other' \(there are: net\)"):
        load_weights("other", models)
    (models / "net.onnx").unlink()
    with pytest.raises(ModelError, match=r"net\.onnx is missing"):
        load_weights("net", models)


def test_a_folder_without_or_with_a_broken_manifest_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no list of models"):
        manifest_names(tmp_path)
    (tmp_path / "manifest.json").write_text('{"models": {\n"net": }')
    with pytest.raises(ModelError, match=r"damaged \(line 2\)"):
        manifest_names(tmp_path)


def test_all_shipped_weights_are_whole_have_a_model_card_and_stay_small() -> None:
    names = manifest_names()
    assert {"locate", "identify-fish", "identify-french"} <= set(names)
    for name in names:
        weights = load_weights(name)
        card = weights.path.with_suffix(".md")
        assert card.is_file(), f"{name} has no model card"
        assert weights.sha256 in card.read_text(), f"the model card of {name} describes other weights"
    size = sum(path.stat().st_size for path in models_dir().rglob("*") if path.is_file())
    assert size < 40 * 2**20
