"""Writes `tests/data/tiny_models`: eyes that are no networks but a few lines of arithmetic in ONNX, for fast tests.

`locate` finds the one bright upright rectangle of a picture; `fit` leaves every find where it is; `identify-french`
calls a card with red on it AH and any other AS, and takes it for upside down when its upper half is the brighter one.
Needs the package `onnx`:

    python tests/data/make_tiny_models.py
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).parent / "tiny_models"
BRIGHT = 0.6  # lighter than the grey with which pictures are padded
SCORE = 0.9
OPSET = 17
IR_VERSION = 8


class Graph:
    """Collects nodes; every call adds one and answers with the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: list[onnx.TensorProto] = []

    def number(self, value: object, dtype: type[np.generic] = np.float32) -> str:
        name = f"number{len(self.numbers)}"
        self.numbers.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: object) -> str:
        output = output or f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def save(self, name: str, inputs: dict[str, list[object]], outputs: dict[str, list[object]]) -> Path:
        values = [
            [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in group.items()]
            for group in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, name, *values, initializer=self.numbers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        path = FOLDER / f"{name}.onnx"
        onnx.save(model, path)
        return path


def locate() -> Path:
    """(1, 3, h, w) -> (1, 18, 1): box, scores of front and back, four corners of the bright rectangle."""
    graph = Graph()
    grey = graph.add("ReduceMean", "images", axes=[1], keepdims=0)
    bright = graph.add("Cast", graph.add("Greater", grey, graph.number(BRIGHT)), to=TensorProto.FLOAT)
    low, high = {}, {}
    for axis, across in (("x", 1), ("y", 2)):
        line = graph.add("ReduceMax", bright, axes=[across], keepdims=0)
        low[axis] = _position(graph, line, last=0)
        high[axis] = graph.add("Add", _position(graph, line, last=1), graph.number([1]))
    middle = {a: graph.add("Mul", graph.add("Add", low[a], high[a]), graph.number([0.5])) for a in "xy"}
    extent = {a: graph.add("Sub", high[a], low[a]) for a in "xy"}
    there = graph.add("ReduceMax", bright, axes=[1, 2], keepdims=0)
    scores = [graph.add("Mul", there, graph.number([SCORE])), graph.number([0])]
    seen = graph.number([1])
    corners = [(low["x"], low["y"]), (high["x"], low["y"]), (high["x"], high["y"]), (low["x"], high["y"])]
    flat = [part for x, y in corners for part in (x, y, seen)]
    row = graph.add("Concat", middle["x"], middle["y"], extent["x"], extent["y"], *scores, *flat, axis=0)
    graph.add("Reshape", row, graph.number([1, 18, 1], np.int64), output="output0")
    return graph.save("locate", {"images": [1, 3, "height", "width"]}, {"output0": [1, 18, 1]})


def _position(graph: Graph, line: str, *, last: int) -> str:
    index = graph.add("ArgMax", line, axis=1, keepdims=0, select_last_index=last)
    return graph.add("Cast", index, to=TensorProto.FLOAT)


def fit() -> Path:
    """(n, 3, 128, 96) -> (n, 14): no corner is moved, every find is a card that lies face up."""
    graph = Graph()
    colour = graph.add("ReduceMean", "crops", axes=[1, 2, 3], keepdims=0)
    nothing = graph.add("Mul", graph.add("Reshape", colour, graph.number([-1, 1], np.int64)), graph.number([0]))
    row = [0.0] * 8 + [-4.0] * 4 + [4.0, -4.0]
    graph.add("Add", nothing, graph.number([row]), output="fits")
    return graph.save("fit", {"crops": ["n", 3, 128, 96]}, {"fits": ["n", 14]})


def identify() -> Path:
    """(n, 3, 160, 112) -> logits (n, 3) of AH, AS and none, turned (n, 1)."""
    graph = Graph()
    colour = graph.add("ReduceMean", "crops", axes=[2, 3], keepdims=0)
    weights: NDArray[np.float32] = np.zeros((3, 3), np.float32)
    weights[:, 0] = (-120, 0, 120)  # blue, green, red
    graph.add("Add", graph.add("MatMul", colour, graph.number(weights)), graph.number([0, 6, 0]), output="logits")
    halves = [graph.add("ReduceMean", _rows(graph, start, start + 80), axes=[1, 2, 3], keepdims=0) for start in (0, 80)]
    brighter = graph.add("Sub", *halves)
    graph.add("Reshape", brighter, graph.number([-1, 1], np.int64), output="turned")
    return graph.save("identify-french", {"crops": ["n", 3, 160, 112]}, {"logits": ["n", 3], "turned": ["n", 1]})


def _rows(graph: Graph, start: int, end: int) -> str:
    first, last, axis = (graph.number([value], np.int64) for value in (start, end, 2))
    return graph.add("Slice", "crops", first, last, axis)


def main() -> None:
    """Write the models and their manifest."""
    FOLDER.mkdir(exist_ok=True)
    about: dict[str, dict[str, object]] = {
        "fit": {},
        "locate": {},
        "identify-french": {"faces": ["AH", "AS"], "temperature": 1.0, "half_turn_symmetric": False},
    }
    entries = {
        path.stem: {
            "file": path.name,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "about": about[path.stem],
        }
        for path in (fit(), locate(), identify())
    }
    (FOLDER / "manifest.json").write_text(json.dumps({"models": entries}, indent=2) + "\n")


if __name__ == "__main__":
    main()
