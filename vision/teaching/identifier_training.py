"""Teach an identifier: a small residual network that names a straightened card and tells which end is up.

Needs the extra `train` (torch); nothing that runs at the table imports it.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.decks import load_deck
from vision.teaching.crop_dataset import load_split
from vision.teaching.network_parts import Lesson, Residual, conv_unit, short_numbers, write_report

__all__ = ["CardNet", "IdentifierPlan", "train_identifier"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IdentifierPlan:
    """How long and how fast to learn."""

    epochs: int = 8
    batch: int = 64
    lr: float = 3e-3
    weight_decay: float = 0.02
    seed: int = 0


class CardNet(nn.Module):
    """Crops (n, 3, 160, 112) of 0 to 1 in, logits of the faces and of `none of them` (n, faces + 1) and of being
    upside down (n, 1) out."""

    def __init__(self, faces: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv_unit(3, 16, 2),
            conv_unit(16, 32, 2),
            Residual(32),
            conv_unit(32, 64, 2),
            Residual(64),
            conv_unit(64, 112, 2),
            Residual(112),
            Residual(112),
        )
        self.drop = nn.Dropout(0.1)
        self.faces = nn.Linear(224, faces + 1)
        self.turned = nn.Linear(224, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See the class."""
        maps = self.body((x - 0.5) * 4)
        pooled = torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], dim=1)
        return self.faces(self.drop(pooled)), self.turned(pooled)


def train_identifier(deck_name: str, crops: Path, runs: Path, *, plan: IdentifierPlan | None = None) -> Path:
    """Train on the crops in a folder; returns the weights (a .pt file) beside `report.json`.

    Every epoch is saved: called again after an interruption, it goes on. Uses a GPU when there is one.
    """
    plan = plan or IdentifierPlan()
    deck = load_deck(deck_name)
    runs.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(plan.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = CardNet(len(deck.faces)).to(device)
    pictures, labels = load_split(crops, "train", deck.faces)
    lesson = _Lesson(
        network, plan, steps=plan.epochs * (len(pictures) // plan.batch), symmetric=deck.half_turn_symmetric
    )
    state = runs / "last.pt"
    lesson.run(plan.epochs, state, lambda epoch: lesson.epoch(pictures, labels, epoch))
    write_report(_report(network, deck.faces, crops), runs)
    return state


class _Lesson(Lesson):
    """How crops are learned."""

    def __init__(self, network: CardNet, plan: IdentifierPlan, *, steps: int, symmetric: bool) -> None:
        super().__init__(network, lr=plan.lr, weight_decay=plan.weight_decay, steps=steps, rising=0.2)
        self.plan, self.symmetric = plan, symmetric

    def epoch(self, pictures: NDArray[np.uint8], labels: NDArray[np.int64], number: int) -> float:
        """One pass in an order that depends on the seed and the epoch; returns the mean loss."""
        self.network.train()
        rng = np.random.default_rng([self.plan.seed, number])
        order = rng.permutation(len(pictures))
        losses: list[float] = []
        for start in range(0, len(order) - self.plan.batch + 1, self.plan.batch):
            if start // self.plan.batch % 40 == 39:
                recent = float(np.mean(losses[-40:]))
                logger.info("epoch %d: %d of %d, loss %.3f", number + 1, start, len(order), recent)
            chosen = order[start : start + self.plan.batch]
            losses.append(self._step(_augmented(rng, pictures[chosen]), torch.from_numpy(labels[chosen])))
        return float(np.mean(losses))

    def _step(self, batch: torch.Tensor, labels: torch.Tensor) -> float:
        device = next(self.network.parameters()).device
        batch, labels = batch.to(device), labels.to(device)
        with short_numbers(device):
            logits, turned = self.network(batch)
        loss = nn.functional.cross_entropy(logits.float(), labels[:, 0])
        if not self.symmetric:
            known = labels[:, 0] < logits.shape[1] - 1
            told = nn.functional.binary_cross_entropy_with_logits(turned[known, 0].float(), labels[known, 1].float())
            loss = loss + 0.5 * told
        return self.learn(loss)


def _augmented(rng: np.random.Generator, pictures: NDArray[np.uint8]) -> torch.Tensor:
    """Crops as (n, 3, 160, 112) of 0 to 1: moved by a few pixels, with other brightness and colour balance."""
    count = len(pictures)
    batch = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    moved = [torch.roll(p, tuple(int(v) for v in rng.integers(-4, 5, 2)), dims=(1, 2)) for p in batch]
    batch = torch.stack(moved)
    gain = torch.from_numpy(rng.normal(1, 0.08, (count, 3, 1, 1)).astype(np.float32))
    gain = gain * torch.from_numpy(rng.uniform(0.75, 1.25, (count, 1, 1, 1)).astype(np.float32))
    return (batch * gain).clamp(0, 1)


@torch.no_grad()
def _logits(network: CardNet, pictures: NDArray[np.uint8]) -> tuple[torch.Tensor, torch.Tensor]:
    network.eval()
    device = next(network.parameters()).device
    parts = []
    for start in range(0, len(pictures), 128):
        batch = torch.from_numpy(pictures[start : start + 128]).permute(0, 3, 1, 2).float() / 255
        parts.append([part.float().cpu() for part in network(batch.to(device))])
    return torch.cat([part[0] for part in parts]), torch.cat([part[1] for part in parts])


def _report(network: CardNet, faces: tuple[str, ...], crops: Path) -> dict[str, object]:
    """Accuracy on every split that is there, and the temperature that calibrates `val` (Guo et al., 2017)."""
    report: dict[str, object] = {"faces": list(faces)}
    for split in ("val", "reserved"):
        if not list(crops.glob(f"{split}-*.npz")):
            continue
        pictures, labels = load_split(crops, split, faces)
        logits, turned = _logits(network, pictures)
        truth = torch.from_numpy(labels[:, 0])
        if split == "val":
            report["temperature"] = _temperature(logits, truth)
        shown = truth < len(faces)
        right = (logits.argmax(1) == truth)[shown].float().mean().item()
        rejected = (logits.argmax(1) == truth)[~shown].float().mean().item()
        upright = ((turned[:, 0] > 0).long() == torch.from_numpy(labels[:, 1]))[shown].float().mean().item()
        report[split] = {
            "n": int(shown.sum()),
            "accuracy": round(right, 4),
            "others_n": int((~shown).sum()),
            "others_rejected": round(rejected, 4),
            "orientation": round(upright, 4),
        }
    return report


def _temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """The divisor of the logits with the smallest cross-entropy, searched from 0.5 to 4 in steps of 2 per cent."""
    steps = [0.5 * math.exp(0.02 * step) for step in range(104)]
    losses = [nn.functional.cross_entropy(logits / step, truth).item() for step in steps]
    return round(steps[int(np.argmin(losses))], 3)
