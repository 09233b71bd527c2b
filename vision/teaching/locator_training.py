"""Teach the locator with Ultralytics: a nano YOLO pose network, two classes, four corners.

This module needs the extra `train` (torch and ultralytics); nothing that runs at the table imports it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from ultralytics import YOLO
from ultralytics.data.build import build_yolo_dataset
from ultralytics.models.yolo.pose import PoseTrainer
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils.loss import v8PoseLoss

from vision.errors import TeachingError
from vision.locate import letterbox
from vision.teaching.dataset import CLASS_NAMES
from vision.teaching.locator_halves import loss_in_parts
from vision.teaching.locator_start import load_exported
from vision.teaching.locator_views import View, look_through
from vision.teaching.network_parts import short_numbers

__all__ = ["FURTHER_STAGES", "STAGES", "CornerLoss", "Stage", "train_locator"]

logger = logging.getLogger(__name__)

NETWORK = Path(__file__).with_name("locator.yaml")
EXACT = 0.03
"""Corner errors well below this share of the card's size (root of its box area) count linearly, larger ones by their
logarithm: a corner under another card must not outweigh ten that can be placed exactly."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the curriculum: epochs at one picture size, and how the learning rate falls from `lr0` to `lr_end`.

    `sets` are the numbers of the rendered scene sets it uses; pictures with more than `most_cards` cards are left out.
    `batch` pictures go through the network at once; the weights change after 64. With a `zoom` (low, high) the network
    looks at parts of the pictures, which have `PICTURE_PX` then (see `vision.teaching.locator_views`); without one at
    whole pictures. `corners` is the weight of the corners in the loss.
    """

    name: str
    imgsz: int
    epochs: int
    lr0: float
    lr_end: float
    sets: tuple[int, ...]
    most_cards: int = 1000
    batch: int = 64
    zoom: tuple[float, float] | None = None
    corners: float = 3.0


PICTURE_PX = 416
"""Longer side of pictures that are looked at in parts: that of rendered scenes at scale 1."""
START_PICTURES = 256
"""How many pictures show what the layers of exported weights give."""

STAGES = (
    Stage("first", imgsz=320, epochs=5, lr0=2.0e-3, lr_end=1.2e-3, sets=(0,), batch=16),
    Stage("small", imgsz=160, epochs=7, lr0=1.6e-3, lr_end=1.1e-3, sets=(0, 1), most_cards=8),
    Stage("plain", imgsz=160, epochs=18, lr0=1.5e-3, lr_end=3e-5, sets=(2,)),
)
"""What two cores taught most with in two hours, found by watching the losses:

* small pictures: at 160 px a card is 10 to 130 px tall, and four passes cost one at 320 px. The running program looks
  at sizes that make cards as tall as these.
* pictures of few cards: every card counts alike in the loss, so thirty tiny ones in one picture outweigh ten pictures
  of one large card each.
* plain pictures, of the third scene set: the hard ones of the first two taught corners too slowly.
"""
FURTHER_STAGES = (
    Stage(
        "views",
        imgsz=160,
        epochs=3,
        lr0=3e-4,
        lr_end=1e-5,
        sets=(0, 1),
        most_cards=10,
        zoom=(0.3, 0.95),
        corners=5.0,
    ),
)
"""For weights that have learned all that `STAGES` teach: harder scenes, from near and from afar. The committed weights
have not been through them; how far a trial came stands in models/locate.md."""


class CornerLoss(nn.Module):
    """Mean distance of predicted from true corners, the same for a card and the card turned upside down.

    Most cards look alike from both ends. Asked for one reading, a network answers with the mean of both: the card's
    middle. So each prediction is compared with the nearer of the two readings. Shapes: predicted (n, 4, 2+),
    true (n, 4, 2+), mask (n, 4), area (n, 1) in squared grid cells.
    """

    def forward(
        self, predicted: torch.Tensor, true: torch.Tensor, mask: torch.Tensor, area: torch.Tensor
    ) -> torch.Tensor:
        """The mean over predictions of the loss of the nearer reading."""
        upright = self._loss(predicted, true, mask, area)
        turned = self._loss(predicted, true.roll(2, dims=1), mask.roll(2, dims=1), area)
        return torch.minimum(upright, turned).mean()

    @staticmethod
    def _loss(predicted: torch.Tensor, true: torch.Tensor, mask: torch.Tensor, area: torch.Tensor) -> torch.Tensor:
        squared = (predicted[..., :2] - true[..., :2]).float().pow(2).sum(-1)
        share = (squared / (area.float() + 1e-9) + 1e-9).sqrt()
        return (torch.log1p(share / EXACT) * mask).sum(1) / (mask.sum(1) + 1e-9)


def _as_float32(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _as_float32(part) for key, part in value.items()}
    return [_as_float32(part) for part in value] if isinstance(value, list | tuple) else value


class CardModel(PoseModel):
    """The pose network with `CornerLoss` in the place of the keypoint loss for human poses."""

    halves: tuple[Any, ...] = ()
    """Criteria for both halves of a batch: they keep notes, so one cannot serve two at once."""

    def loss(self, batch: Any, preds: Any = None) -> Any:
        """The loss of a batch; in training on a CPU its halves go through the network side by side."""
        if not self.training or preds is not None or batch["img"].device.type != "cpu" or len(batch["img"]) < 2:
            return super().loss(batch, preds)
        if not self.halves:
            self.halves = (self.init_criterion(), self.init_criterion())
            self.criterion = self.halves[0]
        losses = tuple(partial(self._half_loss, criterion) for criterion in self.halves)
        return loss_in_parts(losses, batch, [one for one in self.parameters() if one.requires_grad])

    def _half_loss(self, criterion: Any, batch: dict[str, Any]) -> Any:
        return criterion(self.forward(batch["img"]), batch)

    def init_criterion(self) -> Any:
        """The criterion of Ultralytics with this project's corner loss."""
        criterion = v8PoseLoss(self)
        criterion.keypoint_loss = CornerLoss()
        return criterion

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The network in bfloat16 where a CPU computes that natively (about twice as fast); the loss in float32.

        Ultralytics offers mixed precision on GPUs only.
        """
        if not self.training or isinstance(x, dict) or x.device.type != "cpu":
            return super().forward(x, *args, **kwargs)
        with short_numbers(x.device):
            predictions = super().forward(x, *args, **kwargs)
        return _as_float32(predictions)


class LocatorTrainer(PoseTrainer):
    """Ultralytics' trainer of pose networks on a `CardModel`, for one stage of the curriculum."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        self.stage = stage
        super().__init__(*args, **kwargs)
        if self.device.type == "cpu":
            self.args.workers = 1  # Ultralytics sets 0 here, which lets the network wait for pictures

    def build_dataset(self, img_path: Any, mode: str = "train", batch: Any = None) -> Any:
        """The data set of the stage; for learning, it gives views where the stage has a zoom."""
        if mode != "train" or self.stage.zoom is None:
            return super().build_dataset(img_path, mode, batch)
        arguments = copy(self.args)
        arguments.imgsz = PICTURE_PX
        dataset = build_yolo_dataset(arguments, img_path, batch, self.data, mode=mode, stride=32)
        look_through(dataset, View(self.stage.imgsz, self.stage.zoom))
        return dataset

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> CardModel:
        """A new network, or one that continues from `weights`."""
        model = self.set_model_names_for_load(
            CardModel(
                cfg,
                nc=self.data["nc"],
                ch=self.data["channels"],
                data_kpt_shape=self.data["kpt_shape"],
                verbose=verbose,
            )
        )
        if weights:
            model.load(weights)
        return model


def train_locator(
    scenes: Sequence[Path], runs: Path, *, stages: tuple[Stage, ...] = (), start: Path | None = None, seed: int = 0
) -> Path:
    """Train through all `stages` on rendered scene sets; returns the last stage's weights (a .pt file).

    Without `start` the network knows nothing, and the stages are `STAGES` unless others are given. With an exported
    locator as `start` (an ONNX file) it goes on from that, by `FURTHER_STAGES`. A stage that is finished is skipped and
    one that was interrupted goes on from its last epoch, so calling this again after an interruption is safe. Uses a
    GPU when there is one.
    """
    stages = stages or (FURTHER_STAGES if start else STAGES)
    weights = None if start is None else _exported_as_checkpoint(start, scenes, runs, stages[0])
    for stage in stages:
        data = _data_file(scenes, runs, stage)
        weights = _run_stage(stage, data, runs, before=weights, seed=seed)
    if weights is None:
        raise TeachingError("A training needs at least one stage.", hint="Leave `stages` at its default.")
    return weights


def _exported_as_checkpoint(exported: Path, scenes: Sequence[Path], runs: Path, stage: Stage) -> Path:
    """The exported weights as a file that Ultralytics starts from; written anew each time, it is cheap."""
    data = json.loads(_data_file(scenes, runs, stage).read_text())
    network = CardModel(str(NETWORK), nc=len(CLASS_NAMES), data_kpt_shape=(4, 3), verbose=False)
    network.names = dict(enumerate(CLASS_NAMES))
    paths = Path(data["train"]).read_text().split("\n")[:START_PICTURES]
    load_exported(network, exported, _tensor(paths, stage.imgsz))
    path = runs / "start.pt"
    torch.save({"model": network, "train_args": {"task": "pose"}}, path)
    return path


def _tensor(paths: list[str], side_px: int) -> torch.Tensor:
    """Whole pictures as one network input."""
    canvas = torch.zeros(len(paths), 3, side_px, side_px)
    for place, path in zip(canvas, paths, strict=True):
        picture = cv2.imread(path)
        if picture is None:
            raise TeachingError(f"The picture {path} cannot be read.", hint="Render the scenes again.")
        fitted = letterbox(np.asarray(picture, np.uint8), side_px).tensor[0]
        place[:, : fitted.shape[1], : fitted.shape[2]] = torch.from_numpy(fitted)
    return canvas


def _data_file(scenes: Sequence[Path], runs: Path, stage: Stage) -> Path:
    """The data set of a stage for Ultralytics: all its scene sets, validated on those of the first."""
    if len(scenes) <= max(stage.sets):
        raise TeachingError(
            f"Stage '{stage.name}' needs {max(stage.sets) + 1} scene sets.",
            hint="See the commands in models/locate.md.",
        )
    scenes = [scenes[number] for number in stage.sets]
    for folder in scenes:
        if not (folder / "manifest.json").is_file():
            raise TeachingError(f"There are no rendered scenes in {folder}.", hint=f"wrongcard render --out {folder}")
    runs.mkdir(parents=True, exist_ok=True)
    train, val = runs.resolve() / f"{stage.name}-train.txt", runs.resolve() / f"{stage.name}-val.txt"
    train.write_text("\n".join(line for folder in scenes for line in _pictures(folder, "train", stage.most_cards)))
    val.write_text("\n".join(_pictures(scenes[0], "val", stage.most_cards)))
    path = runs / f"{stage.name}.yaml"
    data = {
        "train": str(train),
        "val": str(val),
        "names": dict(enumerate(CLASS_NAMES)),
        "kpt_shape": [4, 3],
        "flip_idx": [1, 0, 3, 2],
    }
    path.write_text(json.dumps(data, indent=2) + "\n")  # JSON is YAML
    return path


def _pictures(folder: Path, split: str, most_cards: int) -> list[str]:
    """The pictures of a scene set that show at most `most_cards` cards."""
    labels = sorted((folder.resolve() / "labels" / split).glob("*.txt"))
    images = folder.resolve() / "images" / split
    return [
        str(images / f"{label.stem}.jpg") for label in labels if len(label.read_text().split("\n")) - 1 <= most_cards
    ]


def _run_stage(stage: Stage, data: Path, runs: Path, *, before: Path | None, seed: int) -> Path:
    folder = runs.resolve() / stage.name
    last, finished = folder / "weights" / "last.pt", folder / "finished"
    if finished.is_file():
        logger.info("stage %s is finished already", stage.name)
        return last
    trainer = partial(LocatorTrainer, stage=stage)
    if last.is_file():
        YOLO(str(last)).train(trainer=trainer, resume=True)
    else:
        network = YOLO(str(NETWORK), task="pose")
        network.train(trainer=trainer, **_arguments(stage, data, runs, before=before, seed=seed))
    finished.write_text("")
    return last


def _arguments(stage: Stage, data: Path, runs: Path, *, before: Path | None, seed: int) -> dict[str, Any]:
    """Mirrored cards are not cards, so no flips; the scenes bring their own variety, so no mosaics."""
    return {
        "data": str(data.resolve()),
        "project": str(runs.resolve()),
        "name": stage.name,
        "exist_ok": True,
        "imgsz": stage.imgsz,
        "epochs": stage.epochs,
        "batch": stage.batch,
        "nbs": 64,
        "pretrained": str(before) if before else False,
        "optimizer": "AdamW",
        "lr0": stage.lr0,
        "lrf": stage.lr_end / stage.lr0,
        "cos_lr": True,
        "warmup_epochs": 0.3,
        "warmup_bias_lr": 0.0,
        "weight_decay": 5e-4,
        "amp": torch.cuda.is_available(),
        "cache": "ram",
        "workers": 1,
        "device": 0 if torch.cuda.is_available() else "cpu",
        "seed": seed,
        "pose": stage.corners,
        "kobj": 0.0,
        "mosaic": 0.0,
        "fliplr": 0.0,
        "flipud": 0.0,
        "degrees": 0.0,
        "translate": 0.06,
        "scale": 0.25,
        "hsv_h": 0.02,
        "hsv_s": 0.4,
        "hsv_v": 0.3,
        "close_mosaic": 0,
        "plots": False,
        "patience": 1000,
    }
