"""The README keeps its promises: its commands run, its links lead somewhere, its figures are today's."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from vision.weights import load_weights, manifest_names

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WRONGCARD = Path(sys.executable).with_name("wrongcard")
DRIFT = 0.015
"""Another processor rounds otherwise in the networks: a card or two of 340 photographs may fall to the other side."""


def blocks() -> dict[str, str]:
    """The fenced blocks that are marked with `<!-- command: name -->`."""
    found = re.findall(r"<!-- command: (\w+) -->\s*```bash\n(.*?)```", README, re.DOTALL)
    return {name: body.strip() for name, body in found}


def figures(name: str) -> str:
    """What stands between `<!-- figures: name -->` and `<!-- end -->`."""
    found = re.search(rf"<!-- figures: {name} -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert found is not None, f"the README has no figures '{name}'"
    return found[1].strip()


def wrongcard(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(WRONGCARD), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_demo_and_test_are_one_line_each() -> None:
    for name in ("demo", "test"):
        assert "\n" not in blocks()[name]


def test_ci_runs_the_readmes_test_line() -> None:
    assert "command: test" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("line", blocks()["try"].splitlines())
def test_every_command_to_try_works(line: str) -> None:
    program, *arguments = shlex.split(line)
    assert program == "wrongcard"
    done = wrongcard(arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_every_command_in_the_table_exists() -> None:
    names = set(re.findall(r"^\| `wrongcard (\w+)", README, re.MULTILINE))
    assert {"demo", "play", "watch", "see", "evaluate", "bench"} <= names
    for name in names:
        assert wrongcard([name, "--help"]).returncode == 0, name


def test_links_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_the_figures_belong_to_the_weights_that_are_shipped() -> None:
    """The line under the tables names the weights that they were printed with."""
    for name in manifest_names():
        sha256 = load_weights(name).sha256
        assert f"`{name}` {sha256[:12]}" in README, f"the README's figures are not those of today's '{name}'"


def numbers(table: str) -> list[float]:
    return [float(text) for text in re.findall(r"(\d+(?:\.\d+)?) %", table)]


@pytest.mark.timeout(900)
def test_the_table_of_photographs_is_what_the_command_prints(shared: Path) -> None:
    done = wrongcard(["evaluate", str(shared / "photos" / "index.json"), "--markdown"])
    assert done.returncode == 0, done.stderr
    printed, written = done.stdout.strip(), figures("photographs")
    shape = re.compile(r"\d+(?:\.\d+)?")
    assert printed.splitlines()[:2] == written.splitlines()[:2]
    assert [line.split("|")[1:3] for line in printed.splitlines()] == [
        line.split("|")[1:3] for line in written.splitlines()
    ]
    assert len(shape.findall(printed)) == len(shape.findall(written))
    apart = [abs(one - other) for one, other in zip(numbers(printed), numbers(written), strict=True)]
    assert max(apart) <= 100 * DRIFT


@pytest.mark.parametrize(("part", "block"), [("eyes", "bench"), ("games", "games")])
def test_the_bench_tables_have_the_rows_that_bench_prints(part: str, block: str) -> None:
    done = wrongcard(["bench", "--only", part, "--repetitions", "10", "--markdown"])
    assert done.returncode == 0, done.stderr
    printed = [line.split("|")[1].strip() for line in done.stdout.strip().splitlines()]
    written = [line.split("|")[1].strip() for line in figures(block).splitlines()]
    compared = [name for name in written if "RLCard" not in name or find_spec("rlcard") is not None]
    assert printed == compared
