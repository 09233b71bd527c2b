"""What all tests share: the acceptance material, the command line as people run it, weights that load at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from referee.cli import main

settings.register_profile("wrongcard", deadline=None, derandomize=True)  # no timing assertions, same examples each run
settings.load_profile("wrongcard")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
TINY_MODELS = ROOT / "tests" / "data" / "tiny_models"

Run = tuple[int, str, str]
Wrongcard = Callable[..., Run]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed rules, cases, photographs and recordings beside the project."""
    if not SHARED.is_dir():
        pytest.skip(f"the folder {SHARED.name}/ with the acceptance material is not beside the project")
    return SHARED


@pytest.fixture
def wrongcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Wrongcard:
    """Runs `wrongcard` in this process: (exit status, stdout, stderr)."""

    def run(*arguments: object) -> Run:
        monkeypatch.setattr(sys, "argv", ["wrongcard", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture(scope="session")
def wrongcard_process() -> Wrongcard:
    """Runs `wrongcard` in a process of its own: (exit status, stdout, stderr)."""

    def run(*arguments: object) -> Run:
        command = [sys.executable, "-m", "referee", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder of weights that load at once and see next to nothing, for the fish deck."""
    folder = tmp_path / "models"
    shutil.copytree(TINY_MODELS, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    french = manifest["models"]["identify-french"]
    manifest["models"]["identify-fish"] = {**french, "about": {**french["about"], "faces": ["P-R", "P-W"]}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
