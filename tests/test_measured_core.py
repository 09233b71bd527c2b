"""What `coverage` measures is what import-linter keeps pure, and `.ci/run` asks for all of it."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def test_all_of_the_rules_core_is_measured() -> None:
    """A module that joins the core joins the measurement; none leaves it unnoticed."""
    contracts = TOOLS["importlinter"]["contracts"]
    (core,) = (one for one in contracts if one["name"].startswith("The rules core"))
    measured = TOOLS["coverage"]["run"]
    assert measured["source"] == core["source_modules"]
    assert "omit" not in measured
    assert measured["branch"] is True


def test_ci_asks_for_every_branch() -> None:
    assert TOOLS["coverage"]["report"]["fail_under"] == 100
    assert ".venv/bin/coverage report" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
