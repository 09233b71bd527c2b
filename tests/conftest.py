"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("wrongcard", deadline=None, derandomize=True)  # no timing assertions, same examples each run
settings.load_profile("wrongcard")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed rules, cases, photographs and recordings beside the project."""
    if not SHARED.is_dir():
        pytest.skip(f"the folder {SHARED.name}/ with the acceptance material is not beside the project")
    return SHARED
