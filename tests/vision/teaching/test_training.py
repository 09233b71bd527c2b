"""A real, tiny training of both networks, its export, and what the running program makes of the export."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.decks import load_deck, raster
from vision.fit import Fitter
from vision.geometry import quad_iou
from vision.identify import Identifier
from vision.locate import Locator
from vision.teaching.crop_dataset import SHARD, CropSet, write_crops
from vision.teaching.dataset import SceneSet, write_scenes
from vision.teaching.fit_dataset import PATCH_WH, FindSet, load_finds, write_finds

pytest.importorskip("torch", reason="needs the extra 'train': pip install '.[train]'")
pytest.importorskip("ultralytics", reason="needs the extra 'train': pip install '.[train]'")

import onnxruntime as ort
import torch
from torch import nn
from ultralytics import YOLO

from vision.errors import TeachingError
from vision.teaching.export import export_fitter, export_identifier, export_locator
from vision.teaching.fitter_training import FitterPlan, train_fitter
from vision.teaching.identifier_training import IdentifierPlan, train_identifier
from vision.teaching.locator_halves import cut_batch, loss_in_parts
from vision.teaching.locator_start import load_exported
from vision.teaching.locator_training import NETWORK, CardModel, Stage, train_locator

pytestmark = [
    pytest.mark.train,
    pytest.mark.timeout(1200),
    pytest.mark.filterwarnings("default"),  # torch and ultralytics warn about their own internals
]


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stand-in for fetched card art: fish cards under French names."""
    folder = tmp_path_factory.mktemp("assets")
    deck = folder / "decks" / "mini"
    deck.mkdir(parents=True)
    (deck / "deck.json").write_text(json.dumps({"family": "mini", "reserved": False}))
    fish = load_deck("fish")
    for face, card in zip(("2C", "KH", "AS", "back"), fish.cards, strict=False):
        assert card.art is not None
        cv2.imwrite(str(deck / f"{face}.png"), raster(card.art, 200))
    return folder


@pytest.fixture(scope="module")
def scenes(assets: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    write_scenes(folder, SceneSet(str(assets), train=16, val=4), workers=1)
    return folder


@pytest.fixture(scope="module")
def locator_weights(scenes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    stage = Stage("tiny", imgsz=160, epochs=1, lr0=1e-3, lr_end=1e-4, sets=(0,), batch=8)
    return train_locator([scenes], tmp_path_factory.mktemp("runs"), stages=(stage,))


def test_the_export_finds_what_ultralytics_finds(locator_weights: Path, scenes: Path, tmp_path: Path) -> None:
    """The same picture through Ultralytics' own prediction and through ours: their best find is among ours, with the
    same corners and score. (Scores of a network this young are nearly equal, so it need not be our first.)"""
    export_locator(locator_weights, tmp_path, imgsz=160)
    picture = cv2.imread(str(next((scenes / "images" / "val").glob("*.jpg"))))
    assert picture is not None
    square = np.asarray(cv2.resize(picture, (160, 160)), np.uint8)
    theirs = YOLO(str(locator_weights)).predict(square, imgsz=160, conf=1e-6, verbose=False)[0]
    locator = Locator(long_sides=(160,), min_score=1e-6, folder=tmp_path)
    raw = locator.locate_raw(square, 160)
    best = int(theirs.boxes.conf.argmax())
    apart = np.abs(raw.quads_px - theirs.keypoints.xy[best].numpy()).max(axis=(1, 2))
    same = int(apart.argmin())
    assert apart[same] < 0.5
    assert raw.scores[same] == pytest.approx(float(theirs.boxes.conf[best]), rel=0.02)


def test_a_finished_training_is_not_repeated(locator_weights: Path, scenes: Path) -> None:
    before = locator_weights.stat().st_mtime_ns
    stage = Stage("tiny", imgsz=160, epochs=1, lr0=1e-3, lr_end=1e-4, sets=(0,), batch=8)
    again = train_locator([scenes], locator_weights.parents[2], stages=(stage,))
    assert again == locator_weights
    assert again.stat().st_mtime_ns == before


def tiny_pictures(scenes: Path) -> torch.Tensor:
    pictures = [cv2.imread(str(path)) for path in sorted((scenes / "images" / "train").glob("*.jpg"))]
    squares = [cv2.resize(picture, (160, 160))[..., ::-1] for picture in pictures if picture is not None]
    return torch.from_numpy(np.stack(squares).transpose(0, 3, 1, 2).astype(np.float32) / 255)


def test_exported_weights_become_a_network_that_gives_the_same(
    locator_weights: Path, scenes: Path, tmp_path: Path
) -> None:
    """Also while it learns: on the pictures it was measured on, its normalisations change nothing."""
    exported = export_locator(locator_weights, tmp_path, imgsz=160)
    pictures = tiny_pictures(scenes)
    network = CardModel(str(NETWORK), nc=2, data_kpt_shape=(4, 3), verbose=False)
    load_exported(network, exported, pictures)
    expected = ort.InferenceSession(str(exported)).run(None, {"images": pictures[:1].numpy()})[0]
    with torch.no_grad():
        given = network.eval()(pictures[:1])[0].numpy()
        used = network.model[0](pictures)
        learning = network.train().model[0](pictures)
    assert np.abs(given[:, 4:6] - expected[:, 4:6]).max() < 1e-4
    assert np.abs(given - expected).max() < 0.02
    assert learning.numpy() == pytest.approx(used.numpy(), abs=1e-3)


def test_other_weights_than_the_locators_are_refused(scenes: Path) -> None:
    network = CardModel(str(NETWORK), nc=2, data_kpt_shape=(4, 3), verbose=False)
    other = Path(__file__).parents[3] / "models" / "identify-fish.onnx"
    with pytest.raises(TeachingError, match="does not hold this locator's weights"):
        load_exported(network, other, tiny_pictures(scenes))


def test_a_training_goes_on_from_exported_weights_and_looks_at_parts(
    locator_weights: Path, scenes: Path, tmp_path: Path
) -> None:
    exported = export_locator(locator_weights, tmp_path / "models", imgsz=160)
    stage = Stage("views", imgsz=160, epochs=1, lr0=1e-6, lr_end=1e-6, sets=(0,), batch=8, zoom=(0.3, 0.95))
    weights = train_locator([scenes], tmp_path / "runs", stages=(stage,), start=exported)
    before, after = (YOLO(str(path)).model.float().state_dict() for path in (tmp_path / "runs/start.pt", weights))
    kernel = "model.0.conv.weight"
    assert after[kernel].numpy() == pytest.approx(before[kernel].numpy(), abs=1e-3)


def test_halves_of_a_batch_give_the_gradients_of_both() -> None:
    layer = nn.Conv2d(3, 2, 3)
    batch = {
        "img": torch.rand(6, 3, 8, 8),
        "batch_idx": torch.tensor([0.0, 1.0, 2.0, 3.0, 3.0, 5.0]),
        "cls": torch.arange(6.0)[:, None],
        "bboxes": torch.rand(6, 4),
        "keypoints": torch.rand(6, 4, 3),
    }

    def loss(part: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        total = layer(part["img"]).square().sum() * (1 + part["cls"].sum())
        return total, {"all": total.detach()}

    first, second = cut_batch(batch, 2)
    assert first["batch_idx"].tolist() == [0, 1, 2]
    assert second["batch_idx"].tolist() == [0, 0, 2]
    expected = loss(first)[0] + loss(second)[0]
    gradients = torch.autograd.grad(expected, list(layer.parameters()))
    found, items = loss_in_parts((loss, loss), batch, list(layer.parameters()))
    found.backward()
    assert float(found.detach()) == pytest.approx(float(expected))
    assert float(items["all"]) == pytest.approx(float(expected) / 2)
    for parameter, gradient in zip(layer.parameters(), gradients, strict=True):
        assert parameter.grad.numpy() == pytest.approx(gradient.numpy(), rel=1e-4)


def test_training_without_scenes_says_how_to_render_them(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no rendered scenes") as refusal:
        train_locator([tmp_path / "none", tmp_path / "none"], tmp_path)
    assert "wrongcard render" in refusal.value.hint


def test_a_fitter_learns_from_finds_is_exported_and_looks(assets: Path, tmp_path: Path) -> None:
    finds, runs, models = tmp_path / "finds", tmp_path / "runs", tmp_path / "models"
    write_finds(finds, FindSet(str(assets), train=10, val=5, scale=0.8), workers=1)
    kept = load_finds(finds, "train")
    assert len(kept) > 20
    assert ((kept.quads > 0) & (kept.quads < np.array(PATCH_WH))).all(), "a find lies in its patch"
    pairs = [(quad, truth) for quad, truths in zip(kept.quads, kept.truths, strict=True) for truth in truths]
    on_cards = sum(quad_iou(quad.astype(np.float64), truth.astype(np.float64)) > 0.7 for quad, truth in pairs)
    assert on_cards >= 3, "some finds lie on cards that are really there"
    weights = train_fitter(finds, runs, plan=FitterPlan(epochs=1, batch=8))
    further = train_fitter(finds, tmp_path / "further", plan=FitterPlan(epochs=1, batch=8, lr=1e-4), start=weights)
    export_fitter(further, models)
    fits = Fitter(folder=models).fit(kept.patches[0], kept.quads[:1].astype(np.float64))
    assert fits.quads_px.shape == (1, 4, 2)
    assert 0 < fits.cards[0] < 1
    with pytest.raises(TeachingError, match="does not hold the weights of a FitNet"):
        train_fitter(finds, tmp_path / "none", start=models / "fit.onnx")
    (runs / "report.json").unlink()
    with pytest.raises(TeachingError, match="has not ended yet"):
        export_fitter(weights, models)
    other = FindSet(str(assets), train=10, val=5, scale=1.1)
    with pytest.raises(TeachingError, match="finds of another set"):
        write_finds(finds, other, workers=1)


def test_an_identifier_learns_is_exported_and_reads(assets: Path, tmp_path: Path) -> None:
    crops, runs, models = tmp_path / "crops", tmp_path / "runs", tmp_path / "models"
    write_crops(crops, CropSet("fish", str(assets), train=SHARD, val=SHARD), workers=1)
    weights = train_identifier("fish", crops, runs, plan=IdentifierPlan(epochs=1))
    export_identifier("fish", weights, models)
    identifier = Identifier("fish", folder=models)
    with np.load(next(crops.glob("val-*.npz"))) as content:
        readings = identifier.read(content["pictures"][:8])
    assert len(readings) == 8
    for reading in readings:
        chances = [chance for _, chance in reading.candidates]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1.001
        assert {face for face, _ in reading.candidates} <= set(load_deck("fish").faces)
