"""What the networks of the eyes are taught with: the course of a lesson, parts of the small ones, shorter numbers."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from pickle import UnpicklingError

import torch
from torch import nn

from vision.errors import TeachingError

__all__ = ["Lesson", "Residual", "conv_unit", "load_network", "short_numbers", "write_report"]

logger = logging.getLogger(__name__)


def load_network(network: nn.Module, weights: Path) -> None:
    """Put the weights of a checkpoint (`last.pt` of a training) into `network`.

    Raises TeachingError where the file holds another network, or none.
    """
    try:
        network.load_state_dict(torch.load(weights, weights_only=True)["network"])
    except (RuntimeError, KeyError, TypeError, UnpicklingError) as error:
        raise TeachingError(
            f"{weights} does not hold the weights of a {type(network).__name__}.",
            hint="Name the file that the training of this network printed.",
        ) from error


class Lesson:
    """A network with its optimiser and its learning rate, which rises for the share `rising` of all `steps` and then
    falls to nothing."""

    def __init__(self, network: nn.Module, *, lr: float, weight_decay: float, steps: int, rising: float) -> None:
        self.network = network
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=lr, weight_decay=weight_decay)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, lr, total_steps=max(steps, 4) + 1, pct_start=rising
        )

    def run(self, epochs: int, path: Path, epoch: Callable[[int], float]) -> None:
        """Go through all epochs, from the one that is saved in `path` on; `epoch(number)` does one and gives its mean
        loss. Every epoch is saved."""
        for number in range(self._resume(path) if path.is_file() else 0, epochs):
            loss = epoch(number)
            torch.save({"epoch": number + 1, **self._state()}, path)
            logger.info("epoch %d of %d: loss %.4f", number + 1, epochs, loss)

    def learn(self, loss: torch.Tensor, *, steepest: float = float("inf")) -> float:
        """One step down the gradient of `loss`, shortened to the length `steepest` where it is longer; the loss."""
        self.optimizer.zero_grad()
        loss.backward()
        if steepest < float("inf"):
            nn.utils.clip_grad_norm_(self.network.parameters(), steepest)
        self.optimizer.step()
        self.schedule.step()
        return float(loss.item())

    def _state(self) -> dict[str, object]:
        """All that is needed to go on."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
        }

    def _resume(self, path: Path) -> int:
        """Go on from a saved epoch; returns the number of finished ones."""
        saved = torch.load(path, weights_only=True)
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.schedule.load_state_dict(saved["schedule"])
        return int(saved["epoch"])


def write_report(report: Mapping[str, object], runs: Path) -> None:
    """Put what a training came to beside its weights, where the export looks for it, and into the log."""
    (runs / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    logger.info("%s", json.dumps(report))


def short_numbers(device: torch.device) -> torch.autocast:
    """Computes in bfloat16 where the device does so natively; elsewhere that would take ten times as long."""
    native = device.type != "cpu" or bool(torch.cpu.get_capabilities().get("avx512_bf16", False))
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=native)


class Residual(nn.Module):
    """Two 3x3 convolutions whose result is added to what went in; `width` channels in and out."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = conv_unit(width, width, 1), conv_unit(width, width, 1, active=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        return nn.functional.relu(x + self.second(self.first(x)))


def conv_unit(before: int, after: int, stride: int, *, active: bool = True) -> nn.Sequential:
    """A 3x3 convolution with its normalisation and, unless it is not `active`, a rectifier."""
    layers: list[nn.Module] = [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)]
    return nn.Sequential(*layers, nn.ReLU()) if active else nn.Sequential(*layers)
