"""What the networks of the eyes are taught with: parts of the small ones, and numbers of half the length."""

from __future__ import annotations

from pathlib import Path
from pickle import UnpicklingError

import torch
from torch import nn

from vision.errors import TeachingError

__all__ = ["Residual", "conv_unit", "load_network", "short_numbers"]


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
