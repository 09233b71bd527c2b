"""Writes `models/bench-yolo11n.onnx`: what the usual way costs, without anybody's weights.

The usual way to see cards is a YOLO11n of Ultralytics at 640 px over every frame. `wrongcard bench` times it next to
this project's own way. Speed depends on a network's shapes, not on its numbers, so each weight tensor of the exported
network is stored as one number and its shape; ONNX Runtime unfolds it when it loads the file. 10 MB become 0.1 MB.

The one number is chosen so that what flows through the network keeps an ordinary size: sums that shrink towards zero
(denormal numbers) or grow beyond bounds would be slower than the real thing. This module needs the extra `train`.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
import ultralytics
from onnx import helper, numpy_helper
from ultralytics import YOLO

from vision.data import models_dir

__all__ = ["export_bench_network", "without_weights"]

logger = logging.getLogger(__name__)

OPSET = 17
BIAS = 0.25
"""With weights of 1 / (number of inputs), x -> SiLU(mean + 0.25) has its fixed point near 0.8 and stays there."""
SMALL = 64
"""Tensors of at most this many numbers (shapes, strides, scales) stay as they are, apart from biases."""


def export_bench_network(models: Path | None = None) -> Path:
    """Export an untrained YOLO11n with free picture size, take its weights out, and write it into `models`."""
    target = (models or models_dir()) / "bench-yolo11n.onnx"
    with tempfile.TemporaryDirectory() as folder:
        exported = _export(Path(folder))
        network = without_weights(onnx.load(exported))
    onnx.checker.check_model(network)
    onnx.save(network, target)
    logger.info("%s: %d bytes", target, target.stat().st_size)
    return target


def _export(folder: Path) -> Path:
    family = Path(ultralytics.__file__).parent / "cfg" / "models" / "11" / "yolo11.yaml"
    network = folder / "yolo11n.yaml"  # Ultralytics takes the size from the name
    network.write_text(family.read_text())
    with contextlib.chdir(folder):  # and writes the export of an untrained network into the working folder
        written: str = YOLO(str(network)).export(format="onnx", imgsz=640, dynamic=True, simplify=False, opset=OPSET)
    return folder / written


def without_weights(network: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph with each weight and bias as a `ConstantOfShape` node."""
    graph = network.graph
    del network.metadata_props[:]  # date and versions: the same code is to give the same file
    network.doc_string = "YOLO11n of Ultralytics (AGPL-3.0), untrained, weights taken out: for measuring time only."
    biases = {node.input[2] for node in graph.node if node.op_type == "Conv" and len(node.input) > 2}
    kept: list[onnx.TensorProto] = []
    unfolded: list[onnx.NodeProto] = []
    for tensor in graph.initializer:
        shape = tuple(tensor.dims)
        if tensor.data_type != onnx.TensorProto.FLOAT or (int(np.prod(shape)) <= SMALL and tensor.name not in biases):
            kept.append(tensor)
            continue
        # Equal tensors would let the runtime merge layers that are distinct in the real network.
        distinct = 1 + len(unfolded) * 1e-3
        value = distinct * (BIAS if tensor.name in biases else 1 / float(np.prod(shape[1:])))
        extent = numpy_helper.from_array(np.array(shape, np.int64), f"{tensor.name}.shape")
        number = numpy_helper.from_array(np.array([value], np.float32))
        kept.append(extent)
        unfolded.append(helper.make_node("ConstantOfShape", [extent.name], [tensor.name], value=number))
    nodes = [*unfolded, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    return network
