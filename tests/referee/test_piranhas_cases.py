"""The acceptance cases of Piranhas, read from the shared folder: no case is retyped here."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cases import Case, load_cases, report, run_case, run_cases

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases"
PIRANHAS = SHARED / "piranhas.yaml"

if not PIRANHAS.is_file():
    pytest.skip(f"the acceptance cases are not here: {PIRANHAS.name} lies in a shared folder", allow_module_level=True)


@pytest.mark.parametrize("case", load_cases(PIRANHAS), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert run_case(case) == ()


def test_whole_file_passes_in_one_run() -> None:
    lines, passed = report(run_cases([PIRANHAS]))
    assert passed
    assert lines == (f"{len(load_cases(PIRANHAS))} passed, 0 failed",)
