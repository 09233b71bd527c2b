"""The command line as people run it: `wrongcard` with arguments, in this process or in one of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli import main

ROOT = Path(__file__).resolve().parents[2]
TINY_MODELS = ROOT / "tests" / "data" / "tiny_models"

Run = tuple[int, str, str]
Wrongcard = Callable[..., Run]


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
    manifest["models"]["identify-fish"] = manifest["models"]["identify-french"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
