"""Teach the fitter: a small residual network that moves the corners of a find onto a card and says whether it is one.

Needs the extra `train` (torch); nothing that runs at the table imports it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.fit import CARD_IN_CROP, CARD_WH, CROP_WH, grown
from vision.geometry import Floats, frame_quad, homography, in_step, project, quad_iou
from vision.teaching.fit_dataset import SPLITS, Finds, load_finds
from vision.teaching.network_parts import Lesson, Residual, conv_unit, load_network, short_numbers, write_report

__all__ = ["FitNet", "FitterPlan", "train_fitter"]

logger = logging.getLogger(__name__)

IS_CARD, IS_NONE = 0.5, 0.35
"""A find that shares so much (IoU) with a card is one and is moved onto it; below the second it is none; between them
it is not asked whether it is."""
SEEN = 0.12
"""Of a card at least so much has to be seen; a find on a more hidden one is not asked for."""
READINGS = ([0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0])
"""The same find, turned and mirrored: nothing is read here, so a mirrored card serves as well."""
ASPECT = CARD_WH / CARD_WH[1]
"""From widths and heights of a card to its heights."""


@dataclass(frozen=True, slots=True)
class FitterPlan:
    """How long and how fast to learn; an epoch shows every find once, each time from a little beside."""

    epochs: int = 10
    batch: int = 64
    lr: float = 2.5e-3
    weight_decay: float = 0.02
    seed: int = 0


FURTHER_PLAN = FitterPlan(epochs=5, lr=1.2e-3)
"""For weights that have learned already, when there are more finds to learn from."""


class FitNet(nn.Module):
    """Crops (n, 3, 128, 96) of 0 to 1 in, (n, 14) out: how far the four corners x y are from those of the find, in
    widths and heights of the find; logarithms of the four corners' expected errors in heights; logits of being a whole
    card and of lying face down."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv_unit(3, 16, 2),
            conv_unit(16, 32, 2),
            conv_unit(32, 64, 2),
            Residual(64),
            conv_unit(64, 96, 2),
            Residual(96),
            nn.Conv2d(96, 32, 1),
        )
        self.head = nn.Sequential(nn.Linear(32 * 8 * 6, 160), nn.ReLU(), nn.Linear(160, 14))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        raw = self.head(self.body((x - 0.5) * 4).flatten(1))
        return torch.cat([raw[:, :8] * 0.2, raw[:, 8:12].clamp(-3, 4) - 2.5, raw[:, 12:]], dim=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One find from a little beside: the crop, where its card's corners are, whether it is a card (NaN: not asked),
    whether it lies face down, and how much find and card share."""

    crop: NDArray[np.uint8]
    corners: Floats
    card: float
    back: float
    iou: float


def train_fitter(finds: Path, runs: Path, *, plan: FitterPlan | None = None, start: Path | None = None) -> Path:
    """Train on the finds in a folder; returns the weights (a .pt file) beside `report.json`.

    With the weights of an earlier training as `start` it goes on from those, by `FURTHER_PLAN` unless told otherwise.
    Every epoch is saved: called again after an interruption, it goes on. Uses a GPU when there is one.
    """
    plan = plan or (FURTHER_PLAN if start else FitterPlan())
    train = load_finds(finds, "train")
    torch.manual_seed(plan.seed)
    network = FitNet().to("cuda" if torch.cuda.is_available() else "cpu")
    if start is not None:
        load_network(network, start)
    runs.mkdir(parents=True, exist_ok=True)
    lesson = _Lesson(network, plan, steps=plan.epochs * (len(train) // plan.batch))
    state = runs / "last.pt"
    lesson.run(plan.epochs, state, lambda epoch: lesson.epoch(train, epoch))
    there = [split for split in SPLITS[1:] if list(finds.glob(f"{split}-*.npz"))]
    write_report({split: _report(network, load_finds(finds, split)) for split in there}, runs)
    return state


class _Lesson(Lesson):
    """How finds are learned."""

    def __init__(self, network: FitNet, plan: FitterPlan, *, steps: int) -> None:
        super().__init__(network, lr=plan.lr, weight_decay=plan.weight_decay, steps=steps, rising=0.15)
        self.plan = plan

    def epoch(self, finds: Finds, number: int) -> float:
        """One pass in an order that depends on the seed and the epoch; returns the mean loss."""
        self.network.train()
        rng = np.random.default_rng([self.plan.seed, number])
        order = rng.permutation(len(finds))
        losses: list[float] = []
        for batch in _batches(finds, order, self.plan.batch, rng):
            losses.append(self._step(batch))
            if len(losses) % 40 == 0:
                recent = float(np.mean(losses[-40:]))
                done = len(losses) * self.plan.batch
                logger.info("epoch %d: %d of %d, loss %.3f", number + 1, done, len(order), recent)
        return float(np.mean(losses))

    def _step(self, looks: list[_Look]) -> float:
        device = next(self.network.parameters()).device
        with short_numbers(device):
            out = self.network(_tensor(looks).to(device))
        return self.learn(_loss(out.float(), looks), steepest=5.0)


def _loss(out: torch.Tensor, looks: list[_Look]) -> torch.Tensor:
    """How improbable the true corners are, by a distance that falls off exponentially about those that were said
    (with a spread that was said too), and the cross-entropies of card and side."""
    card = torch.tensor([look.card for look in looks], device=out.device)
    told = nn.functional.binary_cross_entropy_with_logits(out[:, 12], card.nan_to_num(), reduction="none")
    asked = ~card.isnan()
    loss = (told * asked).sum() / asked.sum().clamp(min=1)
    there = card == 1
    if not there.any():
        return loss
    corners = torch.from_numpy(np.stack([look.corners for look in looks])).float().to(out.device)[there]
    aspect = torch.from_numpy(ASPECT).float().to(out.device)
    distance = ((out[there, :8].reshape(-1, 4, 2) - corners) * aspect).norm(dim=2)
    spread = out[there, 8:12]
    improbable = (distance * torch.exp(-spread) + 2 * spread).mean()
    back = torch.tensor([look.back for look in looks], device=out.device)[there]
    return loss + 0.4 * improbable + 0.3 * nn.functional.binary_cross_entropy_with_logits(out[there, 13], back)


def _batches(finds: Finds, order: NDArray[np.int64], size: int, rng: np.random.Generator) -> Iterator[list[_Look]]:
    """Looks at all finds in this order; the next batch is made while the network works on the last one."""
    starts = range(0, len(order) - size + 1, size)
    seeds = rng.integers(0, 1 << 62, len(starts))

    def make(start: int, seed: int) -> list[_Look]:
        dice = np.random.default_rng(seed)
        return [_look(finds, int(index), dice) for index in order[start : start + size]]

    with ThreadPoolExecutor(1) as pool:
        ahead = None
        for start, seed in zip(starts, seeds, strict=True):
            following = pool.submit(make, start, int(seed))
            if ahead is not None:
                yield ahead.result()
            ahead = following
        if ahead is not None:
            yield ahead.result()


def _look(finds: Finds, index: int, dice: np.random.Generator | None) -> _Look:
    """Find number `index`; where there are `dice`, in another light and from a little beside, three times in ten from
    close to its card, as after a first look."""
    quad = finds.quads[index].astype(np.float64)
    truths, visible = finds.truths[index].astype(np.float64), finds.visible[index]
    if dice is not None:
        nearest, iou = _nearest(quad, truths, visible)
        close = iou > IS_CARD and dice.random() < 0.3
        quad = _moved(dice, in_step(truths[nearest], quad) if close else quad, 0.35 if close else 1.0)
    nearest, iou = _nearest(quad, truths, visible)
    card = 1.0 if iou >= IS_CARD else 0.0 if iou <= IS_NONE else np.nan
    if card == 1.0 and visible[nearest] < SEEN:
        card = np.nan
    order = READINGS[0 if dice is None else int(dice.integers(len(READINGS)))]
    quad, truth = quad[order], in_step(truths[nearest], quad)[order]
    matrix = homography(grown(quad), frame_quad(CROP_WH))
    crop = cv2.warpPerspective(finds.patches[index], matrix, CROP_WH, borderMode=cv2.BORDER_REPLICATE)
    if dice is not None:
        crop = np.clip(crop * np.exp(dice.normal(0, 0.15)) * dice.normal(1, 0.06, 3), 0, 255)
    corners = (project(matrix, truth) - CARD_IN_CROP) / CARD_WH
    return _Look(np.asarray(crop, np.uint8), corners, card, float(finds.backs[index, nearest]), iou)


def _nearest(quad: Floats, truths: Floats, visible: NDArray[np.float32]) -> tuple[int, float]:
    """The real card that shares most with a quad, and how much; of those that share about alike the most visible."""
    ious = np.array([quad_iou(quad, truth) if seen > 0 else 0.0 for truth, seen in zip(truths, visible, strict=True)])
    best = int(np.argmax(ious + 0.1 * np.minimum(visible, 0.5) * (ious > 0)))
    return best, float(ious[best])


def _moved(dice: np.random.Generator, quad: Floats, strength: float) -> Floats:
    middle = quad.mean(axis=0)
    size = float(np.linalg.norm(quad[3] - quad[0]))
    turn = strength * dice.normal(0, 0.05)
    turned = (quad - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    scaled = turned * np.exp(strength * dice.normal(0, 0.06, (1, 2)))
    shift = strength * dice.normal(0, 0.03, 2) * size
    return np.asarray(scaled + middle + shift + strength * dice.normal(0, 0.012, (4, 2)) * size, np.float64)


def _tensor(looks: list[_Look]) -> torch.Tensor:
    """Crops (n, 3, 128, 96) of 0 to 1."""
    batch = np.stack([look.crop for look in looks])
    return torch.from_numpy(batch).permute(0, 3, 1, 2).float() / 255


@torch.no_grad()
def _report(network: FitNet, finds: Finds) -> dict[str, float]:
    """How good corners and cards are on finds that are looked at from where they were located."""
    network.eval()
    device = next(network.parameters()).device
    looks = [_look(finds, index, None) for index in range(len(finds))]
    parts = [network(_tensor(looks[start : start + 128]).to(device)) for start in range(0, len(looks), 128)]
    out = torch.cat(parts).float().cpu().numpy()
    shown = [index for index, look in enumerate(looks) if look.card == 1]
    before = np.array([looks[index].iou for index in shown])
    after = np.array([_iou_in_crop(out[index, :8], looks[index].corners) for index in shown])
    card = np.array([look.card for look in looks])
    said = out[:, 12] > 0
    backs = np.array([looks[index].back for index in shown])
    return {
        "finds": len(looks),
        "cards": len(shown),
        "iou_before": round(float(before.mean()), 4),
        "iou_after": round(float(after.mean()), 4),
        "iou75_before": round(float((before >= 0.75).mean()), 4),
        "iou75_after": round(float((after >= 0.75).mean()), 4),
        "iou90_after": round(float((after >= 0.9).mean()), 4),
        "cards_kept": round(float(said[card == 1].mean()), 4),
        "others_dropped": round(float((~said[card == 0]).mean()), 4),
        "sides": round(float(((out[shown, 13] > 0) == (backs > 0.5)).mean()), 4),
    }


def _iou_in_crop(said: NDArray[np.float32], true: Floats) -> float:
    return quad_iou(CARD_IN_CROP + said.reshape(4, 2).astype(np.float64) * CARD_WH, CARD_IN_CROP + true * CARD_WH)
