"""Two halves of a batch at once, each on a core of its own.

Torch splits every single layer among its threads. For a network this small that is mostly waiting, and on cores that
others use as well it is nothing else. Here each thread takes half of the pictures through the whole network.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch

__all__ = ["cut_batch", "loss_in_parts"]

Loss = Callable[[dict[str, Any]], tuple[torch.Tensor, dict[str, torch.Tensor]]]

_pools: dict[int, ThreadPoolExecutor] = {}


class _Gradients(torch.autograd.Function):
    """A loss whose gradients are known already."""

    @staticmethod
    def forward(ctx: Any, loss: torch.Tensor, gradients: Any, *_parameters: torch.Tensor) -> torch.Tensor:
        ctx.gradients = gradients
        return loss.clone()

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> Any:
        return (None, None, *(None if part is None else part * upstream for part in ctx.gradients))


def loss_in_parts(
    losses: tuple[Loss, ...], batch: dict[str, Any], parameters: list[torch.nn.Parameter]
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The sum of the losses of all parts of a batch and the mean of their items; part n goes through `losses[n]`.

    The gradients are computed here, each part's in its own thread, and given out when the result is asked for them.
    Normalisations take their measures from each part for itself, as on several GPUs.
    """

    def work(loss: Loss, part: dict[str, Any]) -> tuple[Any, dict[str, torch.Tensor], Any]:
        torch.set_num_threads(1)
        total, items = loss(part)
        total = total.sum()
        return total.detach(), items, torch.autograd.grad(total, parameters, allow_unused=True)

    count = len(losses)
    pool = _pools.setdefault(count, ThreadPoolExecutor(count))
    results = list(pool.map(work, losses, cut_batch(batch, count)))
    gradients = [_sum(parts) for parts in zip(*(result[2] for result in results), strict=True)]
    items = {name: sum(result[1][name] for result in results) / count for name in results[0][1]}
    total = torch.stack([result[0] for result in results]).sum()
    return _Gradients.apply(total, gradients, *parameters), items


def _sum(parts: tuple[torch.Tensor | None, ...]) -> torch.Tensor | None:
    there = [part for part in parts if part is not None]
    return torch.stack(there).sum(0) if there else None


def cut_batch(batch: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """A batch of Ultralytics as `count` batches of neighbouring pictures, with their cards."""
    pictures = torch.arange(len(batch["img"])).tensor_split(count)
    parts = []
    for chosen in pictures:
        first, last = int(chosen[0]), int(chosen[-1])
        cards = (batch["batch_idx"] >= first) & (batch["batch_idx"] <= last)
        part = {name: batch[name][cards] for name in ("cls", "bboxes", "keypoints")}
        parts.append({**part, "img": batch["img"][first : last + 1], "batch_idx": batch["batch_idx"][cards] - first})
    return parts
