"""The benchmark: what it times, that its ratios come from the same run, and the network it compares with.

How fast anything is, no test asks.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
import pytest
from rich.console import Console

from vision import benchmark
from vision.benchmark import BenchReport, Task, Timing, as_table, bench_table, measure, run_benchmark
from vision.change_test import ChangeTest
from vision.data import models_dir
from vision.decks import load_deck
from vision.errors import DeckError, ModelError
from vision.geometry import bounds_xyxy
from vision.sightings import Frame

TINY = Path(__file__).parents[1] / "data" / "tiny_models"
ROWS = ("still", "changed", "locate", "identify_1", "identify_8", "usual", "usual_square")


@pytest.fixture(scope="module")
def report() -> BenchReport:
    """One short run with the tiny models and the real network of the comparison."""
    return run_benchmark("french", repetitions=10, threads=1, models=TINY)


def test_every_step_is_timed_as_often_as_asked_and_the_slow_one_less(report: BenchReport) -> None:
    assert tuple(timing.name for timing in report.timings) == ROWS
    assert [timing.repetitions for timing in report.timings] == [10, 10, 10, 10, 10, 4, 4]
    assert all(0 < timing.median_ms <= timing.p95_ms for timing in report.timings)


def test_ratios_come_from_the_medians_of_the_same_run(report: BenchReport) -> None:
    told = json.loads(json.dumps(report.as_json()))
    medians = {row["name"]: row["median_ms"] for row in told["timings"]}
    for row in told["timings"]:
        assert row["ratio"] == pytest.approx(medians["usual"] / row["median_ms"], abs=0.006)
    assert report.ratio("usual") == 1


def test_the_report_tells_where_and_how_it_was_made(report: BenchReport) -> None:
    told = report.as_json()
    assert told["frame_wh"] == (1280, 720)
    assert told["threads"] == 1
    assert told["machine"]["onnxruntime"] == ort.__version__
    assert all(told["machine"].values())
    assert told["peak_memory_mib"] > 50  # an interpreter with OpenCV and ONNX Runtime is never smaller


def test_the_table_shows_every_row(report: BenchReport) -> None:
    console = Console(width=160, file=io.StringIO(), record=True)
    console.print(as_table(report))
    text = console.export_text()
    assert all(timing.title in text for timing in report.timings)
    assert "1.0 ×" in text


def test_a_ratio_is_how_many_times_as_long_the_usual_way_takes() -> None:
    timings = (Timing("usual", "", 50, 60.0, 70.0), Timing("still", "", 50, 1.5, 2.0))
    report = BenchReport((1280, 720), 0, {}, timings, None)
    assert report.ratio("still") == 40
    assert report.as_json()["timings"][1]["ratio"] == 40


def test_tasks_take_turns_and_prepare_before_each_repetition() -> None:
    calls: list[str] = []
    quick = Task("quick", "", lambda: calls.append("q"), prepare=lambda: calls.append("."), burst=5)
    slow = Task("slow", "", lambda: calls.append("S"), burst=2)
    timings = measure((quick, slow), 12)
    assert "".join(calls) == ".q.qSS" + 2 * ".q.q.q.q.qSS" + ".q.qSS"  # the first turn warms up
    assert [timing.repetitions for timing in timings] == [12, 6]


def test_the_restored_threads_of_opencv_are_those_of_before(report: BenchReport) -> None:
    before = cv2.getNumThreads()
    with pytest.raises(DeckError):
        run_benchmark("nothing", models=TINY)
    assert cv2.getNumThreads() == before


def test_a_deck_without_a_model_is_refused() -> None:
    with pytest.raises(ModelError, match="No model can read the deck 'fish'"):
        run_benchmark("fish", models=TINY)


def test_the_changed_frame_differs_where_the_new_card_lies() -> None:
    table = bench_table(load_deck("fish"))
    assert (table.still[0] != table.still[1]).any()
    test = ChangeTest()
    frames = (*table.still, table.changed)
    seen = [test.see(Frame(image, index, index / 30)) for index, image in enumerate(frames)]
    assert not seen[1].foreground.any()
    rows, columns = np.nonzero(seen[2].foreground)
    found = np.array([[columns.min(), rows.min()], [columns.max() + 1, rows.max() + 1]]) * seen[2].grid.block_px
    assert found.ravel() == pytest.approx(bounds_xyxy(table.quads_px[0]), abs=20)


def test_the_frames_are_the_same_every_time() -> None:
    first, second = (bench_table(load_deck("fish")) for _ in range(2))
    assert (first.changed == second.changed).all()
    assert len(first.quads_px) == 9


# --- the network of the comparison -----------------------------------------------------------------------------------


def test_the_usual_network_is_small_on_disk_and_full_size_at_work() -> None:
    path = models_dir() / benchmark.USUAL_MODEL
    assert path.stat().st_size < 200_000
    options = ort.SessionOptions()
    options.log_severity_level = 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    picture = np.random.default_rng(0).random((1, 3, 384, 640), dtype=np.float32)
    output = np.asarray(session.run(None, {session.get_inputs()[0].name: picture})[0])
    # 4 sides and 80 classes for each cell of the grids with strides 8, 16 and 32
    assert output.shape == (1, 84, 384 * 640 // 64 + 384 * 640 // 256 + 384 * 640 // 1024)
    assert np.isfinite(output).all()


def test_without_the_usual_network_the_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(benchmark, "models_dir", lambda: tmp_path)
    with pytest.raises(ModelError, match="network of the comparison is missing") as caught:
        run_benchmark("french", repetitions=10, models=TINY)
    assert "wrongcard export usual" in caught.value.hint


@pytest.mark.train
def test_taking_the_weights_out_keeps_shapes_and_distinct_layers(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="needs the extra 'train'")
    pytest.importorskip("ultralytics", reason="needs the extra 'train'")
    from vision.teaching.bench_network import without_weights

    rng = np.random.default_rng(0)
    shapes = {"w1": (8, 3, 3, 3), "b1": (8,), "w2": (8, 3, 3, 3), "b2": (8,)}
    weights = [
        onnx.numpy_helper.from_array(rng.random(shape, dtype=np.float32), name) for name, shape in shapes.items()
    ]
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w1", "b1"], ["y1"]),
        onnx.helper.make_node("Conv", ["x", "w2", "b2"], ["y2"]),
    ]
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in ("x", "y1", "y2")]
    graph = onnx.helper.make_graph(nodes, "twins", values[:1], values[1:], initializer=weights)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    emptied = without_weights(model)
    assert sorted(node.op_type for node in emptied.graph.node) == ["ConstantOfShape"] * 4 + ["Conv"] * 2
    onnx.save(emptied, tmp_path / "twins.onnx")
    session = ort.InferenceSession(str(tmp_path / "twins.onnx"), providers=["CPUExecutionProvider"])
    first, second = (np.asarray(part) for part in session.run(None, {"x": np.ones((1, 3, 5, 5), np.float32)}))
    assert first.shape == (1, 8, 3, 3)
    assert first == pytest.approx(1.25, rel=0.01)  # the mean of the inputs plus the bias
    assert not np.array_equal(first, second)  # or the runtime would compute both at once
