"""Start a training from weights that were exported: an ONNX file of the locator becomes a network that can learn.

An export folds every batch normalisation into the convolution before it. Here each gets one back that undoes nothing at
first: its statistics are measured on pictures, and its scale and shift are chosen so that it gives them back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn
from ultralytics.nn.modules.conv import Conv

from vision.errors import TeachingError

__all__ = ["load_exported"]


@torch.no_grad()
def load_exported(network: nn.Module, exported: Path, pictures: torch.Tensor) -> None:
    """Put the weights of the ONNX file `exported` into `network`, which must be of the same shape.

    `pictures` (n, 3, h, w), 0 to 1, red first, are what normalisations are measured on. Afterwards `network` gives what
    the file gives, in training as well as in use, and its filters are as large as those of a new network: the rate at
    which they learn depends on it.

    Raises:
        TeachingError: The file holds another network.
    """
    weights = _weights(exported)
    units = {name: unit for name, unit in network.named_modules() if isinstance(unit, Conv)}
    for name, layer in _convolutions(network):
        kernel, bias = weights.get(f"{name}.weight"), weights.get(f"{name}.bias")
        if kernel is None or kernel.shape != layer.weight.shape:
            raise TeachingError(
                f"{exported} does not hold this locator's weights (layer {name} is missing or of another shape).",
                hint="Start from a file that `wrongcard export locate` made, or from nothing.",
            )
        layer.weight.copy_(kernel)
        target = layer.bias if layer.bias is not None else units[name.removesuffix(".conv")].bn.bias
        target.copy_(torch.zeros_like(target) if bias is None else bias)
    _normalise(network, list(units.values()), pictures)


def _weights(exported: Path) -> dict[str, torch.Tensor]:
    if not exported.is_file():
        raise TeachingError(f"There are no weights at {exported}.", hint="Name an ONNX file of the locator.")
    graph = onnx.load(str(exported)).graph
    return {part.name: torch.from_numpy(np.array(onnx.numpy_helper.to_array(part))) for part in graph.initializer}


def _convolutions(network: nn.Module) -> Iterator[tuple[str, nn.Conv2d]]:
    """All that learn: Ultralytics keeps a constant one in the head."""
    layers = ((name, layer) for name, layer in network.named_modules() if isinstance(layer, nn.Conv2d))
    return ((name, layer) for name, layer in layers if layer.weight.requires_grad)


def _normalise(network: nn.Module, units: list[Any], pictures: torch.Tensor) -> None:
    """Give every unit's normalisation the statistics of what comes out of its convolution, and undo them behind it.

    Until then a unit is a convolution and a shift; the shifts are right from the start, so one pass in use sees in
    every unit what it will see later.
    """
    for unit in units:
        unit.bn.running_mean.zero_()
        unit.bn.running_var.fill_(1 - unit.bn.eps)
        unit.bn.weight.fill_(1)
    seen: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def note(layer: nn.Conv2d, _inputs: Any, output: torch.Tensor) -> None:
        seen[id(layer)] = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)

    hooks = [unit.conv.register_forward_hook(note) for unit in units]
    network.eval()
    network(pictures)
    for hook in hooks:
        hook.remove()
    for unit in units:
        mean, variance = seen[id(unit.conv)]
        kernel, normal = unit.conv.weight, unit.bn
        size = kernel.flatten(1).pow(2).mean(1).sqrt()
        factor = 1 / (math.sqrt(3 * kernel[0].numel()) * size.clamp(min=1e-6))  # the size of new filters
        factor = torch.where(variance > 1e-8, factor, torch.ones_like(factor))
        spread = (variance * factor**2 + normal.eps).sqrt()
        kernel.mul_(factor[:, None, None, None])
        normal.running_mean.copy_(mean * factor)
        normal.running_var.copy_(variance * factor**2)
        normal.weight.copy_(spread / factor)
        normal.bias.add_(mean)
    network.train()
