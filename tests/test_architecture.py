"""What the design promises about the shape of the code, computed from the code itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("vision", "referee")

CORE = (
    "referee.cards", "referee.entries", "referee.errors", "referee.folding", "referee.games", "referee.interpret",
    "referee.knowledge", "referee.match",
    "referee.moves", "referee.verdicts",
)  # fmt: skip
"""The rules core: standard library and itself, no input or output. Everything below `referee.games` belongs to it."""

CORE_AND_WORDS = (*CORE, "referee.wording", "referee.playbyplay")
IMPURE = {"asyncio", "datetime", "io", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "sys",
          "tempfile", "threading", "time", "uuid"}  # fmt: skip

MOST_LINES = 400
MOST_BODY_LINES = 50


@cache
def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def imported(node: ast.AST) -> Iterator[str]:
    """The modules that a statement imports: of `from a import b` it is `a.b` where that is one of ours, else `a`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        assert node.module is not None
        for inner in (f"{node.module}.{alias.name}" for alias in node.names):
            yield inner if inner in modules() else node.module


def imports(name: str) -> set[str]:
    return {one for node in ast.walk(tree(name)) for one in imported(node)}


def own_imports(name: str) -> set[str]:
    """The project's modules that a module imports."""
    return {one for one in imports(name) if one in modules() and one != name}


def top_imports(name: str) -> set[str]:
    return {one for node in tree(name).body for one in imported(node)} & set(modules())


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def functions(name: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree(name)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_seeing_knows_nothing_of_games() -> None:
    assert {name: bad for name in modules() if within(name, "vision")
            if (bad := {one for one in imports(name) if within(one, "referee")})} == {}  # fmt: skip


def test_only_the_live_part_of_the_referee_knows_the_eyes() -> None:
    knowing = {
        name for name in modules() if within(name, "referee") and any(within(i, "vision") for i in imports(name))
    }
    assert {name for name in knowing if not within(name, "referee.live")} == set()
    assert knowing, "somewhere the two must meet"


def test_nothing_below_imports_the_live_part() -> None:
    above = {name for name in modules() if any(within(one, "referee.live") for one in imports(name))}
    assert {name for name in above if not within(name, "referee.live", "referee.cli", "referee.__main__")} == set()


@pytest.mark.parametrize("name", [name for name in modules() if within(name, *CORE)])
def test_the_core_is_pure(name: str) -> None:
    foreign = {one for one in imports(name) if not within(one, *CORE_AND_WORDS)}
    assert {one for one in foreign if one.partition(".")[0] not in sys.stdlib_module_names} == set()
    assert {one for one in foreign if one.partition(".")[0] in IMPURE} == set()
    called = {node.func.id for node in ast.walk(tree(name)) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name)}  # fmt: skip
    assert called & {"open", "input", "exec", "eval", "__import__"} == set()


def test_imports_never_run_in_a_ring() -> None:
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"a ring of imports: {' -> '.join((*way[way.index(name) :], name))}"
        if name not in done:
            for other in sorted(own_imports(name)):
                visit(other, (*way, name))
            done.add(name)

    for name in modules():
        visit(name, ())


def test_own_modules_are_imported_at_the_top() -> None:
    """Two exceptions: the command line, so that `--help` is quick, and the teaching that needs the extra `train`."""
    hidden = {(name, one) for name in modules() for one in own_imports(name) - top_imports(name)}
    taught = {"locator_training", "fitter_training", "identifier_training", "export", "bench_network"}
    allowed = {
        (name, one)
        for name, one in hidden
        if (name == "referee.cli" and within(one, "referee.live"))
        or (name == "vision.cli" and within(one, *(f"vision.teaching.{part}" for part in taught)))
    }
    assert hidden - allowed == set()


@pytest.mark.parametrize("name", modules())
def test_a_module_can_be_read_in_one_go(name: str) -> None:
    assert len(modules()[name].read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    long = {one.name: lines for one in functions(name) if (lines := body_lines(one)) > MOST_BODY_LINES}
    assert long == {}


def test_functions_are_short() -> None:
    lengths = sorted(body_lines(one) for name in modules() for one in functions(name))
    assert lengths[len(lengths) // 2] <= 8
    assert lengths[len(lengths) * 9 // 10] <= 25


def test_nothing_prints_and_nothing_catches_everything() -> None:
    for name in modules():
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", f"{name}, line {node.lineno}"
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type is not None else "everything"
                assert caught not in ("everything", "Exception", "BaseException"), f"{name}, line {node.lineno}"


def test_exports_are_there() -> None:
    for name in modules():
        for node in tree(name).body:
            if isinstance(node, ast.Assign) and any(ast.unparse(t) == "__all__" for t in node.targets):
                wanted = set(ast.literal_eval(node.value))
                assert wanted <= set(_defined(name)), name


def _defined(name: str) -> Iterator[str]:
    for node in tree(name).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign():
                yield from (ast.unparse(target) for target in node.targets)
            case ast.AnnAssign():
                yield ast.unparse(node.target)
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias in node.names)


@pytest.mark.parametrize("folder", ["models", "datasets"])
def test_data_folders_are_no_packages(folder: str) -> None:
    assert list((ROOT / folder).rglob("*.py")) == []


def test_a_table_needs_neither_torch_nor_a_second_opencv() -> None:
    """Everything that `play`, `watch` and `demo` load, in a process of its own."""
    script = (
        "import sys\n"
        "import referee.cli, referee.live.demo, referee.live.play, referee.live.watch, referee.live.measuring\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert {'cv2', 'onnxruntime', 'fastapi', 'uvicorn'} <= loaded, loaded\n"
        "assert not loaded & {'torch', 'torchvision', 'ultralytics', 'onnx', 'matplotlib', 'PIL'}, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    # Two builds of OpenCV overwrite each other's files.
    builds = {dist.name.lower() for dist in distributions() if dist.name.lower().startswith("opencv")}
    assert builds == {"opencv-python-headless"}


def test_help_loads_neither_the_networks_nor_the_server() -> None:
    script = (
        "import sys\n"
        "import referee.cli\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'cv2', 'numpy', 'onnxruntime', 'fastapi', 'uvicorn'}, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
